"""Levels from arrays: cells as numbers, names or symbols of tiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from levelsmith.core import Level, Tiles
from levelsmith.errors import LevelsmithError, listed, quoted
from levelsmith.levels.formats.format import Source
from levelsmith.registry import games


def level_from(game: str, cells: ArrayLike, told: Mapping[str, Any]) -> Level:
    """Returns a level of the cells; `told` has its title, author, solution and provenance."""
    found = games.get(game)
    given = _array(cells)
    if given.ndim != 2 or given.size == 0:
        raise LevelsmithError(f"expected cells of shape (height, width), got {_shape(given)}")
    if given.dtype.kind not in "iu":
        numbers = [_number(cell, found.tiles, found.name) for cell in given.ravel().tolist()]
        given = np.array(numbers).reshape(given.shape)
    return Source("grid").level(found, given, **told)


def _array(cells: ArrayLike) -> Any:
    """Returns cells as an array: numbers as they are, all else as objects."""
    try:
        numbers = np.asarray(cells)
        return numbers if numbers.dtype.kind in "iu" else np.asarray(cells, object)
    except (TypeError, ValueError):
        raise LevelsmithError("expected rows of cells of equal length, got others") from None


def _shape(cells: Any) -> str:
    return f"an array of shape {cells.shape}" if cells.ndim else quoted(cells.item())


def _number(cell: Any, tiles: Tiles, game: str) -> int:
    """Returns the number of a tile that is given by its number, its name or its symbol."""
    if isinstance(cell, str):
        if cell in tiles.names:
            return tiles.index_of(cell)
        if cell in tiles.by_character:
            return tiles.by_character[cell]
    elif isinstance(cell, int) or (isinstance(cell, float) and cell.is_integer()):
        return int(cell)
    raise LevelsmithError(
        f"expected cells as numbers from 0 to {len(tiles) - 1}, or names or symbols of tiles of {game} "
        f"({listed(tiles.names)}), got {quoted(cell)}"
    )
