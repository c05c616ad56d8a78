"""What Lode Runner looks like: brick that can be dug, plates that cannot, ladders, ropes, gold and guards."""

from __future__ import annotations

from levelsmith.levels.look import Disc, Look, Polygon, Rect, Sprite, ground, palette

AIR = ground("floor")


def _brick(x: float, y: float, width: float, lit: bool) -> Sprite:
    return (
        Rect(x, y, width, 3, "brick light" if lit else "brick"),
        Rect(x, y + 1, width, 2, "brick"),
    )


# Four courses in running bond; the bricks of every other course run on into the next tile.
BRICK: Sprite = (
    *ground("brick dark"),
    *_brick(0, 0, 7, lit=True),
    *_brick(8, 0, 7, lit=True),
    *_brick(0, 4, 3, lit=False),
    *_brick(4, 4, 7, lit=False),
    *_brick(12, 4, 4, lit=False),
    *_brick(0, 8, 7, lit=True),
    *_brick(8, 8, 7, lit=True),
    *_brick(0, 12, 3, lit=False),
    *_brick(4, 12, 7, lit=False),
    *_brick(12, 12, 4, lit=False),
)

# A plate with rivets: nothing in it looks as if it could be dug.
SOLID: Sprite = (
    *ground("stone dark"),
    Rect(0, 0, 15, 15, "stone light"),
    Rect(1, 1, 14, 14, "stone"),
    *(Disc(x, y, 1.2, "stone dark") for x in (4, 12) for y in (4, 12)),
)

# Brick with cracks, so that who draws a level sees it; in play it is brick like any other.
TRAP: Sprite = (
    *BRICK,
    *(Polygon(((x, 0), (x + 2, 0), (x + 4, 8), (x + 2, 16), (x, 16), (x + 2, 8)), "floor") for x in (2, 9)),
)

LADDER: Sprite = (
    *(Rect(3, y, 10, 1.5, "wood") for y in (1, 5, 9, 13)),
    *(Rect(3, y + 1.5, 10, 0.5, "wood dark") for y in (1, 5, 9, 13)),
    Rect(2, 0, 2, 16, "wood dark"),
    Rect(12, 0, 2, 16, "wood dark"),
)

# Rungs without rails, of a ladder that is not there yet.
HIDDEN: Sprite = (
    *(Rect(4, y, 3, 1.5, "wood") for y in (1, 5, 9, 13)),
    *(Rect(9, y, 3, 1.5, "wood") for y in (1, 5, 9, 13)),
)

ROPE: Sprite = (
    Rect(0, 2, 16, 2, "hemp"),
    *(Polygon(((x, 4), (x + 1, 2), (x + 2, 2), (x + 1, 4)), "wood dark") for x in (1, 5, 9, 13)),
)


def _ingot(x: float, y: float) -> Sprite:
    return (
        Polygon(((x, y + 4), (x + 1.4, y), (x + 5.6, y), (x + 7, y + 4)), "gold dark"),
        Polygon(((x + 0.9, y + 3.4), (x + 1.9, y + 0.7), (x + 5.1, y + 0.7), (x + 6.1, y + 3.4)), "gold"),
        Polygon(
            ((x + 1.6, y + 1.6), (x + 1.9, y + 0.7), (x + 5.1, y + 0.7), (x + 5.4, y + 1.6)), "gold light"
        ),
    )


GOLD: Sprite = _ingot(1, 12) + _ingot(8, 12) + _ingot(4.5, 7.8)

RUNNER: Sprite = (
    Polygon(((6, 11), (8, 11), (5.5, 16), (3, 16)), "boots"),
    Polygon(((8, 11), (10, 11), (13, 16), (10.5, 16)), "boots"),
    Polygon(((5, 6), (11, 6), (14, 10), (12.5, 11), (10, 9), (6, 9), (3.5, 11), (2, 10)), "sky dark"),
    Rect(5.5, 6, 5, 6, "sky", 1),
    Disc(8, 3.5, 3, "skin"),
    Rect(5, 0.5, 6, 2.5, "sky", 1.2),
    Rect(8, 3, 1, 1, "ink"),
    Rect(10, 3, 1, 1, "ink"),
)

# Horns, corners and a glare: told from the runner by its outline alone.
GUARD: Sprite = (
    Rect(4, 13, 3, 3, "boots"),
    Rect(9, 13, 3, 3, "boots"),
    Rect(2, 8, 12, 3, "rose dark"),
    Rect(4, 7, 8, 7, "rose"),
    Polygon(((2, 0), (5, 2.5), (3, 5)), "rose dark"),
    Polygon(((14, 0), (11, 2.5), (13, 5)), "rose dark"),
    Rect(3, 2, 10, 6, "rose"),
    Rect(4, 4, 3, 2, "paper"),
    Rect(9, 4, 3, 2, "paper"),
    Rect(6, 4, 1, 2, "ink"),
    Rect(9, 4, 1, 2, "ink"),
)

LOOK = Look(
    sprites={
        "empty": AIR,
        "brick": BRICK,
        "solid": SOLID,
        "ladder": AIR + LADDER,
        "rope": AIR + ROPE,
        "gold": AIR + GOLD,
        "enemy": AIR + GUARD,
        "player": AIR + RUNNER,
        "trap": TRAP,
        "escape": AIR + HIDDEN,
    },
    palettes=palette(
        *("floor", "stone", "stone light", "stone dark", "brick", "brick light", "brick dark"),
        *("wood", "wood dark", "timber", "hemp", "gold", "gold light", "gold dark"),
        *("sky", "sky dark", "skin", "rose", "rose dark", "boots", "ink", "paper"),
    ),
    terminal={
        "empty": ("floor", "floor"),
        "brick": ("brick", "brick"),
        "solid": ("stone", "stone"),
        "ladder": ("floor", "timber"),
        "rope": ("floor", "hemp"),
        "gold": ("gold", "ink"),
        "enemy": ("rose dark", "paper"),
        "player": ("sky dark", "paper"),
        "trap": ("brick dark", "paper"),
        "escape": ("floor", "stone light"),
    },
)
