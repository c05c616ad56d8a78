"""Levels as map editors have them: terrain in cells, and on it things that can be picked up and moved.

A tile says in `parts` what it is made of: "box on goal" is floor, goal and box. The first is the terrain, the
others are things; a tile without parts is terrain. Cells and things together are a grid of tiles again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game
from levelsmith.core import Level, Tiles
from levelsmith.errors import quoted
from levelsmith.levels.formats.format import Source
from levelsmith.levels.look import Look, Sprite
from levelsmith.registry import games


class PlacedThing(NamedTuple):
    """Something that stands on the terrain."""

    tile: int  # which it is alone on the ground
    row: int
    column: int
    name: str  # "player", or "box 3" where there are several


class Parts:
    """What the tiles of a game are made of."""

    def __init__(self, tiles: Tiles):
        self.tiles = tiles
        made = [[tiles.index_of(name) for name in tile.parts] or [i] for i, tile in enumerate(tiles)]
        self.ground = np.array([parts[0] for parts in made], np.uint8)  # [T] the terrain of each tile
        self.things = [tuple(parts[1:]) for parts in made]  # [T] the tiles of the things on it
        self.tile_of = {(parts[0], frozenset(parts[1:])): i for i, parts in enumerate(made)}

    def is_terrain(self, tile: int) -> bool:
        return not self.things[tile]

    @property
    def kinds(self) -> list[int]:
        """The tiles of all things, those that others stand on first."""
        height = {thing: 0 for things in self.things for thing in things}
        for things in self.things:
            for i, thing in enumerate(things):
                height[thing] = max(height[thing], i)
        return sorted(height, key=lambda thing: (height[thing], thing))

    def terrain(self, level: Level) -> NDArray[np.uint8]:
        """Returns the level without its things. `[H, W]`"""
        cells: NDArray[np.uint8] = self.ground[level.grid]
        return cells

    def seen(self, level: Level) -> list[int | None]:
        """Returns the terrain as an editor shows it, cell by cell: nothing beyond the walls, where a cell
        without a tile is read as what is there."""
        cells, game = self.terrain(level), games.get(level.game)
        nothing = game.outside(level.grid) & (cells == blank_tile(self.tiles))
        return [None if no else tile for tile, no in zip(cells.ravel().tolist(), nothing.flat, strict=True)]

    def placed(self, level: Level) -> list[PlacedThing]:
        """Returns the things of a level, in the order in which they are drawn."""
        found = []
        for thing in self.kinds:
            holders = [tile for tile, things in enumerate(self.things) if thing in things]
            cells = np.argwhere(np.isin(level.grid, holders)).tolist()
            name = self.tiles.names[thing]
            for number, (row, column) in enumerate(cells, start=1):
                found.append(PlacedThing(thing, row, column, f"{name} {number}" if len(cells) > 1 else name))
        return found


def blank_tile(tiles: Tiles) -> int | None:
    """Returns the tile of a cell that an editor left without one: the game's blank, else the first tagged
    empty; None where there is none."""
    if tiles.blank is not None:
        return tiles.blank
    return next((index for index, tile in enumerate(tiles) if "empty" in tile.tags), None)


@lru_cache(maxsize=64)
def parts_of(tiles: Tiles) -> Parts:
    return Parts(tiles)


def assembled(
    cells: NDArray[np.int64], placed: Iterable[tuple[int, int, int]], game: Game, source: Source
) -> NDArray[np.int64]:
    """Returns a grid of tiles with things put into it, given as (tile, row, column).

    A thing may be any tile: one that is terrain replaces what was there.
    """
    parts, names = parts_of(game.tiles), game.tiles.names
    grid = cells.copy()
    for tile, row, column in placed:
        where = f"at column {column + 1}, row {row + 1}"
        if not (0 <= row < grid.shape[0] and 0 <= column < grid.shape[1]):
            height, width = grid.shape
            raise source.error(
                f"expected {quoted(names[tile])} within the {width}x{height} cells of the map, got it {where}"
            )
        ground, there = int(parts.ground[grid[row, column]]), parts.things[grid[row, column]]
        added = parts.things[tile]
        if parts.is_terrain(tile):
            ground = tile
        made = parts.tile_of.get((ground, frozenset(there + added)))
        if made is None or set(there) & set(added):
            crowd = " and ".join(names[thing] for thing in there + added)
            raise source.error(
                f"expected what {game.name} has in one cell, got {crowd} on {names[ground]} {where}; "
                f"move the {names[tile]}"
            )
        grid[row, column] = made
    return grid


def without_number(name: str) -> str:
    """Returns the name of a thing as its kind has it: `box` for `box 3`."""
    return re.sub(r"[\s_-]*[0-9]{1,9}$", "", name)


def sprite_alone(look: Look, tiles: Tiles, tile: int) -> Sprite:
    """Returns the sprite of a tile, without the terrain below where it has things on it."""
    parts = parts_of(tiles)
    whole = look.sprites[tiles.names[tile]]
    if parts.is_terrain(tile):
        return whole
    below = look.sprites[tiles.names[parts.ground[tile]]]
    return whole[len(below) :] if whole[: len(below)] == below else whole[1:]  # the first shape is a ground
