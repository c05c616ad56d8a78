"""What Sokoban looks like: a warehouse of stone walls, wooden crates and marked places."""

from __future__ import annotations

from levelsmith.levels.look import FLOOR, WALL, Disc, Look, Polygon, Rect, Sprite, Stroke, palette

GOAL: Sprite = (
    Rect(1, 1, 14, 14, "rose", 3),
    Rect(2, 2, 12, 12, "rose soft", 2),
    Polygon(((8, 4.5), (11.5, 8), (8, 11.5), (4.5, 8)), "rose"),
)


def _crate(frame: str, board: str, light: str) -> Sprite:
    return (
        Rect(1, 1, 14, 14, frame, 1.5),
        Rect(2, 2, 12, 12, light, 0.5),
        Rect(2, 3, 12, 11, board, 0.5),
        Rect(4, 5, 8, 7, frame),
    )


CRATE: Sprite = (
    *_crate("wood dark", "wood", "wood light"),
    *(Rect(x, 5, 2.25, 7, "wood") for x in (4.25, 6.875, 9.5)),
    Stroke(((4, 12), (12, 5)), 2.5, "wood dark"),
    Stroke(((4, 12), (12, 5)), 1.5, "wood light"),
)
# Home: another colour, another lightness, and a tick instead of the plank.
CRATE_HOME: Sprite = (
    *_crate("jade dark", "jade", "jade light"),
    Stroke(((4.8, 8.4), (7.2, 10.8), (11.4, 5.6)), 1.8, "paper"),
)

KEEPER: Sprite = (
    Rect(5, 12, 2.5, 3, "boots", 0.5),
    Rect(8.5, 12, 2.5, 3, "boots", 0.5),
    Rect(3, 8, 10, 4, "sky dark", 1.8),
    Rect(4.5, 7.5, 7, 6, "sky", 1.5),
    Disc(8, 5, 3.6, "skin"),
    Rect(4.4, 1, 7.2, 3, "sky", 1.5),
    Rect(4, 3, 8, 1, "sky dark"),
    Disc(6.6, 5.5, 0.65, "ink"),
    Disc(9.4, 5.5, 0.65, "ink"),
)

LOOK = Look(
    sprites={
        "floor": FLOOR,
        "wall": WALL,
        "box": FLOOR + CRATE,
        "goal": FLOOR + GOAL,
        "box on goal": FLOOR + GOAL + CRATE_HOME,
        "player": FLOOR + KEEPER,
        "player on goal": FLOOR + GOAL + KEEPER,
    },
    palettes=palette(
        *("floor", "floor line", "stone", "stone light", "stone dark"),
        *("wood", "wood light", "wood dark", "jade", "jade light", "jade dark"),
        *("rose", "rose soft", "sky", "sky dark", "skin", "boots", "ink", "paper"),
    ),
    terminal={
        "floor": ("floor", "floor"),
        "wall": ("stone", "stone"),
        "box": ("wood", "ink"),
        "goal": ("rose soft", "rose"),
        "box on goal": ("jade dark", "paper"),
        "player": ("sky dark", "paper"),
        "player on goal": ("sky", "ink"),
    },
)
