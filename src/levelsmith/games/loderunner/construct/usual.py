"""Between which values eight in ten levels of 32x22 cells lie, all styles together.

`tools/usual.py` writes this file.
"""

from __future__ import annotations

USUAL: dict[str, tuple[float, float]] = {
    "gold": (8, 24),
    "enemies": (2, 5),
    "players": (1, 1),
    "ground": (138, 259),
    "ladders": (46, 94),
    "ropes": (0, 31),
    "empty": (344, 453),
    "ground_share": (0.197, 0.367),
    "ladder_share": (0.065, 0.134),
    "rope_share": (0.0, 0.043),
    "density": (0.355, 0.509),
    "gold_collectable": (7, 23),
    "gold_share": (0.773, 1.0),
    "connectivity": (0.606, 0.867),
    "playable": (0, 1),
    "dig_gold": (0, 12),
    "dig_share": (0.0, 0.901),
    "timed_gold": (0, 3),
    "layers": (0, 2),
    "moves": (28, 83),
    "ticks": (116, 303),
    "digs": (3, 17),
    "ladder_use": (0.182, 0.365),
    "rope_use": (0.0, 0.106),
    "trapped": (0, 8),
    "buried": (0, 2),
    "heads": (0, 6),
    "difficulty": (21.82, 81.201),
}
