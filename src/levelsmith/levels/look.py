"""What a game looks like: sprites made of a few plain shapes, drawn alike as SVG and as pixels.

A sprite is a list of shapes on a canvas of 16 x 16 units with named colours; a palette gives each name its
colour, once for light pages and once for dark ones. The first shape of a sprite covers the whole tile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

UNITS = 16  # a tile's side
THEMES = ("light", "dark")

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rect:
    x: float
    y: float
    width: float
    height: float
    colour: str
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Disc:
    x: float
    y: float
    radius: float
    colour: str


@dataclass(frozen=True, slots=True)
class Polygon:
    points: tuple[Point, ...]
    colour: str


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, with round ends and corners."""

    points: tuple[Point, ...]
    width: float
    colour: str


Shape = Rect | Disc | Polygon | Stroke
Sprite = tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """Sprites and colours of one game, by the names of its tiles."""

    sprites: Mapping[str, Sprite]
    palettes: Mapping[str, Mapping[str, str]]  # theme -> colour name -> "#rrggbb"
    terminal: Mapping[
        str, tuple[str, str]
    ]  # tile -> colour names of its ground and of its symbol; equal: none


@dataclass(frozen=True, slots=True)
class Mark:
    """What a picture shows on a cell besides its tile, in the colours `SIGNS`.

    A game with a method `marks(level)` has some.
    """

    row: int
    column: int
    sprite: Sprite


def ground(colour: str) -> Sprite:
    """Returns a tile of one colour, to put other shapes on."""
    return (Rect(0, 0, UNITS, UNITS, colour),)


def palette(*names: str) -> Mapping[str, Mapping[str, str]]:
    """Returns the palettes of a game that paints with these colours of the house."""
    return {theme: {name: HOUSE[name][i] for name in names} for i, theme in enumerate(THEMES)}


# The same paints for all games, so that they look like one family: name -> on light pages, on dark ones.
HOUSE: Mapping[str, tuple[str, str]] = {
    "floor": ("#f4efe4", "#22252d"),
    "floor line": ("#e6dfcf", "#2c303a"),
    "stone": ("#707a8f", "#65708a"),
    "stone light": ("#939cae", "#828da7"),
    "stone dark": ("#4d5568", "#434b5f"),
    "brick": ("#bf6343", "#b05c3f"),
    "brick light": ("#d98865", "#cc7a58"),
    "brick dark": ("#82402a", "#6a3525"),
    "wood": ("#dc9f55", "#d0944c"),
    "wood light": ("#f0c283", "#e6b271"),
    "wood dark": ("#87551f", "#7d4f20"),
    "timber": ("#a8681f", "#dca25a"),
    "jade": ("#1d9a85", "#22a58d"),
    "jade light": ("#52c2ad", "#5fd0ba"),
    "jade dark": ("#0d5e51", "#0d5c50"),
    "rose": ("#d1435c", "#ee6079"),
    "rose soft": ("#f4c6c4", "#5a3240"),
    "rose dark": ("#8c2439", "#a8354d"),
    "sky": ("#2f70d2", "#5b9df6"),
    "sky dark": ("#1d4890", "#2c62b3"),
    "skin": ("#f3cba4", "#f3cba4"),
    "gold": ("#f0b220", "#f5c242"),
    "gold light": ("#ffe08c", "#ffe79f"),
    "gold dark": ("#9c6a08", "#a8770f"),
    "hemp": ("#857c66", "#bdb39b"),
    "grass": ("#c4dfa6", "#27402b"),
    "grass dark": ("#a0c67e", "#355a3a"),
    "leaf": ("#4a8c46", "#56a152"),
    "leaf light": ("#70b265", "#7cc472"),
    "leaf dark": ("#2c5f31", "#2f6a37"),
    "boots": ("#343a4a", "#98a1b5"),
    "ink": ("#272b36", "#14161c"),
    "paper": ("#ffffff", "#f4f6f8"),
}

WAY = palette("jade", "paper")
SIGNS = palette("jade", "jade dark", "rose", "rose dark", "paper")


def way_of(cells: Sequence[tuple[int, int]], x: float = 0, y: float = 0) -> Sprite:
    """Returns a line through cells (row, column) and a disc at its end, for a level with its corner at (x,
    y)."""
    points = tuple((x + (column + 0.5) * UNITS, y + (row + 0.5) * UNITS) for row, column in cells)
    return (
        Stroke(points, 3.4, "paper"),
        Stroke(points, 2, "jade"),
        Disc(*points[-1], 3.2, "paper"),
        Disc(*points[-1], 2.5, "jade"),
    )


# A floor and a wall that several games share. The stones lie in two courses in running bond, the joint of
# the upper one in the middle and that of the lower at the edge, so that neighbours join into one wall.
FLOOR: Sprite = (
    *ground("floor"),
    Rect(0, 15.5, 16, 0.5, "floor line"),
    Rect(15.5, 0, 0.5, 16, "floor line"),
)
WALL: Sprite = (
    *ground("stone dark"),
    Rect(0, 0, 8, 7, "stone light"),
    Rect(0, 1, 8, 6, "stone"),
    Rect(9, 0, 7, 7, "stone light"),
    Rect(10, 1, 6, 6, "stone"),
    Rect(0, 8, 15, 7, "stone light"),
    Rect(1, 9, 14, 6, "stone"),
)
