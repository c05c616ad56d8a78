"""Levels as the arrays of other tools, and back: pcg_benchmark's contents and gym-pcgrl's maps.

A game says in `peers` which tiles their numbers stand for. None of those tools is imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError, listed, quoted, unknown
from levelsmith.registry import games


class Peer(NamedTuple):
    """How another tool numbers the tiles of a game."""

    tiles: tuple[str, ...]  # the names of the game's tiles, in the order of the tool's numbers
    around: str = ""  # the tile of a border that the tool leaves out
    also: Mapping[str, str] = {}  # tiles that it does not know -> those that stand for them


def to_peer(level: Level, peer: str, patterns: ArrayLike | None = None) -> NDArray[np.int64]:
    """Returns a level as an array of another tool, `[H, W]`.

    >>> import levelsmith
    >>> to_peer(levelsmith.parse("#.\\n..", game="binary"), "pcg-benchmark").tolist()
    [[0, 1], [1, 1]]

    Args:
        level: of a game that the tool knows.
        peer: "pcg-benchmark" or "gym-pcgrl".
        patterns: `[N, h, w]` blocks of cells that numbers stand for, in pcg_benchmark's Lode Runner.
    """
    table = _table(level.game, peer)
    grid = level.grid
    if table.around:
        closed = games.get(level.game).closed(level).grid
        rim = np.ones(grid.shape, bool)
        rim[1:-1, 1:-1] = False
        if min(grid.shape) < 3 or (closed[rim] != level.tiles.index_of(table.around)).any():
            raise LevelsmithError(
                f"{peer} leaves out a border of {table.around}, and this level has none:\n{level.text}"
            )
        grid = closed[1:-1, 1:-1]
    numbers = []
    for tile in (level.tiles.names[kind] for kind in np.unique(grid)):
        if table.also.get(tile, tile) not in table.tiles:
            raise LevelsmithError(
                f"{peer} has no {quoted(tile)} in {level.game}; it has {listed(table.tiles)}"
            )
        numbers.append(table.tiles.index(table.also.get(tile, tile)))
    of_tile = np.zeros(len(level.tiles), np.int64)
    of_tile[np.unique(grid)] = numbers
    found: NDArray[np.int64] = of_tile[grid]
    return found if patterns is None else _matched(found, np.asarray(patterns))


def from_peer(array: ArrayLike, game: str, peer: str, patterns: ArrayLike | None = None) -> Level:
    """Returns the level that an array of another tool stands for; the border that the tool leaves out is
    added."""
    table = _table(game, peer)
    cells = np.asarray(array)
    if cells.ndim != 2 or cells.size == 0 or cells.dtype.kind not in "iub":
        raise LevelsmithError(
            f"expected whole numbers of shape [height, width], got {cells.dtype} of shape {cells.shape}"
        )
    if patterns is not None:
        cells = _unfolded(cells, np.asarray(patterns))
    if cells.min() < 0 or cells.max() >= len(table.tiles):
        raise LevelsmithError(
            f"expected numbers from 0 to {len(table.tiles) - 1} for {game} of {peer}, "
            f"got {cells.min() if cells.min() < 0 else cells.max()}"
        )
    tiles = games.get(game).tiles
    grid: Grid = np.array([tiles.index_of(name) for name in table.tiles], np.uint8)[cells.astype(np.int64)]
    if table.around:
        grid = np.pad(grid, 1, constant_values=tiles.index_of(table.around))
    return Level(game, tiles, grid)


def _table(game: str, peer: str) -> Peer:
    tables = games.get(game).peers
    if peer not in tables:
        raise unknown(f"array of {game}", peer, tables)
    return tables[peer]


def _unfolded(cells: NDArray[np.generic], patterns: NDArray[np.generic]) -> NDArray[np.generic]:
    """Returns each number as its block of cells; the lowest row is all of the first tile, as pcg_benchmark
    has it."""
    if patterns.ndim != 3 or cells.min() < 0 or cells.max() >= len(patterns):
        raise LevelsmithError(f"expected numbers of the {len(patterns)} patterns, got others")
    height, width = patterns.shape[1:]
    blocks = patterns[cells].transpose(0, 2, 1, 3)
    found: NDArray[np.generic] = blocks.reshape(cells.shape[0] * height, cells.shape[1] * width)
    found[-1] = 0
    return found


def _matched(cells: NDArray[np.int64], patterns: NDArray[np.generic]) -> NDArray[np.int64]:
    """Returns the number of the pattern that each block of cells is."""
    height, width = patterns.shape[1:]
    if cells.shape[0] % height or cells.shape[1] % width or cells[-1].any():
        raise LevelsmithError(
            f"expected a level of blocks of {width}x{height} cells with the first tile along the bottom"
        )
    found = np.zeros((cells.shape[0] // height, cells.shape[1] // width), np.int64)
    for y, x in np.ndindex(*found.shape):
        rows = height - 1 if y == found.shape[0] - 1 else height  # the lowest row is filled anyway
        block = cells[y * height : y * height + rows, x * width : (x + 1) * width]
        same = (patterns[:, :rows] == block).all((1, 2))
        if not same.any():
            raise LevelsmithError(f"no pattern is the block at column {x + 1}, row {y + 1}: {block.tolist()}")
        found[y, x] = int(same.argmax())
    return found
