"""What all pictures share: their settings, where each level goes, and the levels that they carry."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from levelsmith.core import Grid, Level, Parameter, Parameters, Tiles, Values
from levelsmith.errors import LevelsmithError
from levelsmith.levels.formats.json import VERSION, as_object
from levelsmith.levels.look import THEMES, Look, Mark, Sprite
from levelsmith.registry import games

MOST_PIXELS = 100_000_000
PAGES = {"light": ("#ffffff", "#4d5568"), "dark": ("#14161c", "#b9c0cd")}  # a sheet's ground and its writing

SCALE = Parameter("scale", 32, "pixels along the side of a tile", 4, 256)
THEME = Parameter("theme", "light", "colours for light or for dark pages", choices=THEMES)
COLUMNS = Parameter("columns", 0, "levels side by side on a sheet; 0 chooses", 0, 1000)


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture's size and the left upper corner of each level, in pixels; labels stand centred below."""

    width: int
    height: int
    scale: int
    corners: Sequence[tuple[int, int]]
    labels: Sequence[tuple[float, int, str]] = ()  # (middle, top, text)
    font: int = 0  # the height of the writing

    def __post_init__(self) -> None:
        if self.width * self.height > MOST_PIXELS:
            raise LevelsmithError(
                f"expected a picture of at most {MOST_PIXELS:,} pixels, got {self.width}x{self.height}; "
                "choose a smaller scale or fewer levels"
            )


def one(level: Level, scale: int) -> Layout:
    height, width = level.size
    return Layout(width * scale, height * scale, scale, [(0, 0)])


def sheet(levels: Sequence[Level], scale: int, columns: int) -> Layout:
    """Returns a grid of places as large as the largest level, each level right above its label."""
    font = min(max(10, scale // 2), 32)
    gap, below = font, font * 3 // 2
    wide = max(level.size[1] for level in levels) * scale
    high = max(level.size[0] for level in levels) * scale
    step_x, step_y = wide + gap, high + gap + below
    if columns == 0:
        columns = max(1, round(math.sqrt(len(levels) * step_y / step_x * 4 / 3)))  # 4 to 3 suits most pages
    rows = math.ceil(len(levels) / min(columns, len(levels)))
    columns = min(columns, math.ceil(len(levels) / rows))
    corners, labels = [], []
    for i, level in enumerate(levels):
        row, column = divmod(i, columns)
        x, y = gap + column * step_x, gap + row * step_y
        left = x + (wide - level.size[1] * scale) // 2
        corners.append((left, y + high - level.size[0] * scale))
        text = f"{i + 1}. {level.title}" if level.title else f"{i + 1}"
        labels.append((x + wide / 2, y + high + font // 4, _shortened(text, wide / font)))
    return Layout(gap + columns * step_x, gap + rows * step_y, scale, corners, labels, font)


def _shortened(text: str, room: float) -> str:
    """Returns text cut to about `room` times the height of its letters."""
    used = 0.0
    for i, character in enumerate(text):
        used += 1.0 if unicodedata.east_asian_width(character) in "WF" else 0.55
        if used > room and i > 2:
            return text[: max(1, i - 1)].rstrip() + "…"
    return text


def sprites_of(look: Look, game: str, tiles: Tiles) -> list[Sprite]:
    """Returns the sprites of the tiles in index order."""
    missing = [name for name in tiles.names if name not in look.sprites]
    if missing:
        raise LevelsmithError(f"the look of {game} has no sprite for its tile '{missing[0]}'; add one to it")
    return [look.sprites[name] for name in tiles.names]


def shown(level: Level, grid: Grid) -> Grid:
    """Returns the tiles of a level, or of a position in it, as a picture shows them: one more than the game
    has where it stays blank."""
    blank: Grid = np.where(games.get(level.game).outside(level.grid), len(level.tiles), grid).astype(np.uint8)
    return blank


def marks_of(level: Level) -> list[Mark]:
    """Returns what the level's game marks on a picture."""
    return games.get(level.game).marks(level)


def carried(levels: Sequence[Level]) -> str:
    """Returns the levels as JSON in plain ASCII, which every container holds unchanged."""
    objects = [as_object(level) for level in levels]
    return json.dumps(objects[0] if len(objects) == 1 else {"levelsmith": VERSION, "levels": objects})


class Picture:
    """What both kinds of picture share: one level fills a picture, many make a numbered sheet."""

    many = True
    names_game = True
    parameters: Parameters = (SCALE, THEME, COLUMNS)

    @staticmethod
    def layout(levels: Sequence[Level], values: Values) -> Layout:
        if not levels:
            raise LevelsmithError("expected at least one level to draw, got none")
        if len(levels) == 1:
            return one(levels[0], values["scale"])
        return sheet(levels, values["scale"], values["columns"])
