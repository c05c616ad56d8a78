"""Between which values eight in ten levels of 32x22 cells lie, all styles together.

`tools/usual.py` writes this file.
"""

from __future__ import annotations

USUAL: dict[str, tuple[float, float]] = {
    "gold": (10, 26),
    "enemies": (2, 5),
    "players": (1, 1),
    "ground": (138, 255),
    "ladders": (42, 94),
    "ropes": (0, 31),
    "empty": (353, 450),
    "ground_share": (0.196, 0.363),
    "ladder_share": (0.06, 0.133),
    "rope_share": (0.0, 0.044),
    "density": (0.359, 0.496),
    "gold_collectable": (8, 26),
    "gold_share": (0.836, 1.0),
    "connectivity": (0.623, 0.869),
    "playable": (0, 1),
    "dig_gold": (0, 15),
    "dig_share": (0.0, 0.87),
    "timed_gold": (0, 2),
    "layers": (0, 2),
    "moves": (31, 91),
    "ticks": (124, 329),
    "digs": (4, 21),
    "ladder_use": (0.186, 0.379),
    "rope_use": (0.0, 0.072),
    "trapped": (0, 9),
    "buried": (0, 3),
    "heads": (0, 6),
    "difficulty": (32.116, 74.59),
}
