"""What a game looks like: sprites made of a few plain shapes, drawn alike as SVG and as pixels.

A sprite is a list of shapes on a canvas of 16 x 16 units with named colours; a palette gives each name its
colour, once for light pages and once for dark ones.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    terminal: Mapping[str, tuple[str, str]]  # tile -> colour names of its ground and of its symbol
