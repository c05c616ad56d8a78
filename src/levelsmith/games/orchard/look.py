"""What an orchard looks like: apple trees on a meadow."""

from __future__ import annotations

from levelsmith.levels.look import Disc, Look, Polygon, Rect, Sprite, ground, palette


def _tuft(x: float, y: float) -> Sprite:
    return (
        Polygon(((x, y), (x + 1, y), (x + 0.4, y - 2.5)), "grass dark"),
        Polygon(((x + 1, y), (x + 2, y), (x + 2.2, y - 2)), "grass dark"),
    )


GRASS: Sprite = ground("grass") + _tuft(3, 6) + _tuft(10, 13)

TREE: Sprite = (
    Rect(4, 14, 8, 1.5, "grass dark", 0.7),
    Rect(7, 10, 2, 5, "wood dark"),
    Disc(8, 7, 6.2, "leaf dark"),
    Disc(7.8, 6.6, 5.6, "leaf"),
    Disc(6.5, 4.8, 2.8, "leaf light"),
    Disc(5, 8.5, 1.1, "rose"),
    Disc(10.8, 5.8, 1.1, "rose"),
    Disc(9, 10, 1.1, "rose"),
)

LOOK = Look(
    sprites={"grass": GRASS, "tree": ground("grass") + TREE},
    palettes=palette("grass", "grass dark", "leaf", "leaf light", "leaf dark", "wood dark", "rose", "ink"),
    terminal={"grass": ("grass", "grass"), "tree": ("leaf", "ink")},
)
