"""Cells of a grid that touch each other, in plain Python."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

Cell = tuple[int, int]


def cells_where(mask: NDArray[np.bool_]) -> set[Cell]:
    """Returns the cells (row, col) where a mask is true."""
    return {(row, col) for row, col in np.argwhere(mask).tolist()}


def reached(starts: Iterable[Cell], within: Collection[Cell]) -> set[Cell]:
    """Returns some cells, and those of a set that steps within it lead to from them."""
    waiting = list(starts)
    found = set(waiting)
    while waiting:
        row, col = waiting.pop()
        for there in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if there in within and there not in found:
                found.add(there)
                waiting.append(there)
    return found


def groups(cells: Iterable[Cell]) -> Iterator[set[Cell]]:
    """Yields the groups of cells that touch each other, by their first cells."""
    left = set(cells)
    while left:
        group = reached([min(left)], left)
        left -= group
        yield group
