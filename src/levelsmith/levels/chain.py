"""Several levels joined into one large level that can be played as a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith import __version__
from levelsmith.contracts import Joinable, Playable
from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError, listed
from levelsmith.levels.files import Levels, PathLike, all_levels
from levelsmith.registry import games

Mask = NDArray[np.bool_]


def chain(levels: Levels | PathLike) -> Level:
    """Joins levels of one game, each to those before it, into one that can be played as a whole.

    >>> import levelsmith
    >>> room = levelsmith.parse("######\\n#@$ .#\\n######", game="sokoban")
    >>> print(levelsmith.chain([room, room]))
    ######
    #@$ .#
    # ####
    # $ .#
    ######

    Args:
        levels: two or more, of Sokoban, Lode Runner or binary maps, as a list, a result or the path of a
            file. The player is that of the first.

    Returns:
        The joined level, with a solution that the rules have played; for binary maps, with one region.
    """
    rooms = all_levels(levels)
    if len(rooms) < 2:
        raise LevelsmithError(f"expected at least 2 levels to join, got {len(rooms)}")
    names = list(dict.fromkeys(level.game for level in rooms))
    if len(names) > 1:
        raise LevelsmithError(f"expected levels of one game to join, got {listed(names)}")
    game = games.get(names[0])
    if not isinstance(game, Joinable):
        able = [name for name in games if isinstance(games.get(name), Joinable)]
        raise LevelsmithError(f"levels of {game.name} cannot be joined; expected one of: {listed(able)}")
    border = 2 * game.border
    whole = rooms[0]
    for number, room in enumerate(rooms[1:], start=2):
        try:
            whole = game.joined(whole, room)
        except LevelsmithError as error:
            raise LevelsmithError(
                f"level {number} cannot be joined to those before it: {error.marked}"
            ) from None
        height, width = game.largest[0] + border, game.largest[1] + border
        if whole.size[0] > height or whole.size[1] > width:
            raise LevelsmithError(
                f"expected levels that together take at most {width}x{height} cells, "
                f"got {whole.size[1]}x{whole.size[0]} with level {number}; join fewer or smaller ones"
            )
    if whole.solution is not None and isinstance(game, Playable):
        game.verify(whole)
    origin = {"levelsmith": __version__, "game": game.name, "rooms": [room.text for room in rooms]}
    return replace(whole, title="", author="", provenance=origin)


class Pair(NamedTuple):
    """Two grids in one, and where each of them lies in it."""

    grid: Grid
    left: tuple[int, int]
    right: tuple[int, int]


def beside(left: Grid, right: Grid, leave: Mask, enter: Mask, wall: int, floor: int) -> Pair | None:
    """Returns two grids beside each other, with the shortest straight door between two of the cells that it
    may join.

    The right one is moved up or down so that it fits. None where there is wall in no row between such cells
    and the side.
    """
    exits, entries = _openings(left[:, ::-1] != wall, leave[:, ::-1]), _openings(right != wall, enter)

    def height(shift: int) -> int:
        return max(len(left), shift + len(right)) - min(0, shift)

    doors = [(exits[a] + entries[b], height(a - b), a, b) for a in exits for b in entries]
    if not doors:
        return None
    _, rows, a, b = min(doors)
    top, shift, width = max(0, b - a), max(0, a - b), left.shape[1]
    grid = np.full((rows, width + right.shape[1]), wall, np.uint8)
    grid[top : top + left.shape[0], :width] = left
    grid[shift : shift + right.shape[0], width:] = right
    grid[top + a, width - exits[a] : width + entries[b]] = floor
    return Pair(grid, (top, 0), (shift, width))


def _openings(open_cells: Mask, wanted: Mask) -> dict[int, int]:
    """Returns how many walls are before the first open cell, of each row where that is wanted."""
    firsts = {row: int(cells.argmax()) for row, cells in enumerate(open_cells) if cells.any()}
    return {row: first for row, first in firsts.items() if wanted[row, first]}
