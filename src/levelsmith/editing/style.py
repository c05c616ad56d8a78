"""The style of a level: which 3x3 windows the level itself, and what its game ships, are made of.

Windows reach one cell over the edge, so that a gap in the lowest floor is no gap like any other.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Level
from levelsmith.levels.compare import kind_of, windows
from levelsmith.levels.files import load
from levelsmith.registry import games

SIDE = 3
OUTSIDE = 127  # the kind of what lies beyond the edge


class Style:
    """Windows that were seen, mirrored or not; `unseen` counts those of a grid that were not."""

    def __init__(self, level: Level, hidden: NDArray[np.bool_] | None = None):
        """Learns the windows of a level in which no cell is `hidden`."""
        self.game, self.tiles = level.game, level.tiles.kinds
        whole = np.ones(level.size, np.bool_) if hidden is None else ~hidden
        seen = [_shipped(level.game)]
        for grid, shown in ((level.grid, whole), (level.grid[:, ::-1], whole[:, ::-1])):
            around = np.pad(shown, 1, constant_values=True)
            clear = np.lib.stride_tricks.sliding_window_view(around, (SIDE, SIDE)).all((2, 3))
            seen.append(_windows(level.game, grid)[clear.ravel()])
        self.known = np.unique(np.concatenate(seen))

    def unseen(self, grid: Grid) -> int:
        """Returns how many windows of a grid were never seen."""
        found = _windows(self.game, grid)
        if not len(self.known):
            return len(found)
        at = np.searchsorted(self.known, found).clip(max=len(self.known) - 1)
        return len(found) - int((self.known[at] == found).sum())


def _windows(game: str, grid: Grid) -> NDArray[np.int64]:
    kinds = np.pad(kind_of(games.get(game))[grid], 1, constant_values=OUTSIDE)
    found: NDArray[np.int64] = windows(kinds[None], SIDE)[0]
    return found


@lru_cache(maxsize=8)
def shipped(game: str) -> tuple[Level, ...]:
    """Returns the levels that a game comes with."""
    packs = games.get(game).packs
    return tuple(level for pack in packs.values() for level in load(str(pack), game=game))


@lru_cache(maxsize=8)
def _shipped(game: str) -> NDArray[np.int64]:
    """Returns the windows of the levels that a game comes with, and of their mirror images."""
    grids = [grid for level in shipped(game) for grid in (level.grid, level.grid[:, ::-1])]
    return np.unique(np.concatenate([np.zeros(0, np.int64), *(_windows(game, grid) for grid in grids)]))
