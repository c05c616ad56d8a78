"""Small changes of a level: a tile put, two swapped, a patch copied, a change taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid
from levelsmith.games.touching import cells_where

PATCH = 3  # the longest side of a patch that is copied
STYLE = 0.8  # how often a tile that is put is one of those near by
NEAR = 3  # how far apart two cells are that are swapped, mostly


def nudged(
    grid: Grid, free: NDArray[np.bool_], sources: Sequence[Grid], tiles: int, rng: np.random.Generator
) -> Grid:
    """Returns a copy with a few of its free cells changed; now and then none. `tiles`: how many there are."""
    cells = np.argwhere(free)
    row, column = cells[rng.integers(len(cells))]
    kind = rng.random()
    changed = grid.copy()
    if kind < 0.4:
        other = _other(cells, (row, column), rng)
        changed[row, column], changed[other] = grid[other], grid[row, column]
    elif kind < 0.6:
        around = grid[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3]
        changed[row, column] = rng.choice(around.ravel()) if rng.random() < STYLE else rng.integers(tiles)
    else:
        source = sources[int(rng.integers(len(sources)))]
        height, width = (int(n) for n in rng.integers(1, PATCH + 1, 2))
        height, width = min(height, grid.shape[0] - row), min(width, grid.shape[1] - column)
        top = int(rng.integers(source.shape[0] - height + 1)) if source.shape[0] >= height else 0
        left = int(rng.integers(source.shape[1] - width + 1)) if source.shape[1] >= width else 0
        patch = source[top : top + height, left : left + width]
        place = np.s_[row : row + patch.shape[0], column : column + patch.shape[1]]
        changed[place] = np.where(free[place], patch, grid[place])
    return changed


def _other(cells: NDArray[np.int64], cell: tuple[int, int], rng: np.random.Generator) -> tuple[int, int]:
    """Returns another cell, mostly one near by."""
    if rng.random() < 0.6:
        near = cells[(np.abs(cells - np.array(cell)) <= NEAR).all(1)]
        cells = near if len(near) > 1 else cells
    row, column = cells[rng.integers(len(cells))]
    return int(row), int(column)


def groups(before: Grid, after: Grid) -> list[list[tuple[int, int]]]:
    """Returns the cells that differ, in groups that touch each other, the largest first."""
    left = cells_where(before != after)
    found = []
    while left:
        group = [min(left)]
        left.remove(group[0])
        for row, column in group:
            beside = sorted(
                (row + down, column + right)
                for down in (-1, 0, 1)
                for right in (-1, 0, 1)
                if (row + down, column + right) in left
            )
            group += beside
            left.difference_update(beside)
        found.append(group)
    return sorted(found, key=len, reverse=True)


def put_back(before: Grid, after: Grid, cells: Sequence[tuple[int, int]]) -> Grid:
    """Returns a copy of `after` with some cells as they were."""
    grid = after.copy()
    for cell in cells:
        grid[cell] = before[cell]
    return grid


def take_back(before: Grid, after: Grid, does: Callable[[Grid, Grid], bool]) -> Grid:
    """Returns `after` with every change taken back, in groups and one by one, that is not needed.

    Args:
        does: tells whether a grid with fewer changes, the first, will do in place of the second.
    """
    last = None
    while last is not after:
        last = after
        parts = groups(before, after)
        for cells in [*parts, *([cell] for part in parts for cell in part if len(part) > 1)]:
            without = put_back(before, after, cells)
            if not np.array_equal(without, after) and does(without, after):
                after = without
    return after
