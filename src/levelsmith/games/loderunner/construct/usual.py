"""Between which values eight in ten levels of 32x22 cells lie, all styles together.

`tools/usual.py` writes this file.
"""

from __future__ import annotations

USUAL: dict[str, tuple[float, float]] = {
    "gold": (8, 27),
    "enemies": (2, 5),
    "players": (1, 1),
    "ground": (130, 240),
    "ladders": (45, 100),
    "ropes": (0, 36),
    "empty": (350, 475),
    "ground_share": (0.19, 0.34),
    "ladder_share": (0.064, 0.142),
    "rope_share": (0, 0.051),
    "density": (0.32, 0.5),
    "gold_share": (1, 1),
    "connectivity": (0.65, 0.88),
    "playable": (1, 1),
    "moves": (110, 220),
    "ticks": (110, 230),
    "digs": (0, 1),
    "difficulty": (0, 100),
}
