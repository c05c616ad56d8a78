"""Sets of cells as whole numbers, a bit each: ways through a map in plain Python, with nothing to compile."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from levelsmith.core import Grid, Size
from levelsmith.errors import LevelsmithError, amount
from levelsmith.games.touching import cells_where, groups

EMPTY, WALL = range(2)


class Cells:
    """The cells of a size: cell (row, column) is bit row * stride + column."""

    def __init__(self, size: Size):
        self.height, self.width = size
        self.stride = self.width + 1  # a column of nothing on the right keeps rows apart

    def bit(self, row: int, column: int) -> int:
        return 1 << (row * self.stride + column)

    def empty(self, grid: Grid) -> int:
        """Returns the empty cells of a map."""
        cells = np.pad(grid == EMPTY, ((0, 0), (0, 1))).ravel()
        return int.from_bytes(np.packbits(cells, bitorder="little").tobytes(), "little")

    def rings(self, start: int, within: int) -> Iterator[int]:
        """Yields the cells of a set that are no step away from another one, one step, two steps, and so
        on."""
        ring, seen = start, start
        while ring:
            yield ring
            ring = (ring << 1 | ring >> 1 | ring << self.stride | ring >> self.stride) & within & ~seen
            seen |= ring


def openings(grid: Grid) -> list[tuple[int, int]]:
    """Returns the empty cells of the border, from left to right."""
    rows, columns = np.nonzero(grid == EMPTY)
    height, width = grid.shape
    edge = (rows == 0) | (rows == height - 1) | (columns == 0) | (columns == width - 1)
    return sorted(
        zip(rows[edge].tolist(), columns[edge].tolist(), strict=True), key=lambda at: (at[1], at[0])
    )


def regions(grid: Grid) -> list[set[tuple[int, int]]]:
    """Returns the regions of connected empty cells, by their first cells."""
    return list(groups(cells_where(grid == EMPTY)))


def way_through(grid: Grid) -> list[tuple[int, int]]:
    """Returns the cells of a way with the fewest steps from the entry of a cave, the opening farther left, to
    its exit; none where there is no way. Raises LevelsmithError for a map without just these two openings."""
    ends = openings(grid)
    if len(ends) != 2:
        raise LevelsmithError(
            "expected a cave with an entry and an exit (two empty cells in its border), "
            f"got {amount(len(ends), 'empty cell') if ends else 'no empty cells'} there"
        )
    path = shortest_path(grid, *ends)
    return path if path[0] == ends[0] else []


def letters(path: list[tuple[int, int]]) -> str:
    """Returns the steps of a path, a letter each: u, d, l or r."""
    names = {(-1, 0): "u", (1, 0): "d", (0, -1): "l", (0, 1): "r"}
    return "".join(names[b[0] - a[0], b[1] - a[1]] for a, b in pairwise(path))


def shortest_path(grid: Grid, start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """Returns the cells (row, col) of a shortest path between two empty cells, both ends among them."""
    came: dict[tuple[int, int], tuple[int, int] | None] = {start: None}
    front = [start]
    while front and end not in came:
        following = []
        for row, column in front:
            for there in ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)):
                inside = 0 <= there[0] < grid.shape[0] and 0 <= there[1] < grid.shape[1]
                if inside and there not in came and grid[there] == EMPTY:
                    came[there] = (row, column)
                    following.append(there)
        front = following
    path: list[tuple[int, int]] = []
    cell: tuple[int, int] | None = end
    while cell is not None:
        path.append(cell)
        cell = came.get(cell)
    return path[::-1]


def way(grid: Grid) -> int:
    """Returns the steps from the one opening in the border to the other; 0 where there are not two, or no
    way."""
    ends = openings(grid)
    if len(ends) != 2:
        return 0
    cells = Cells((grid.shape[0], grid.shape[1]))
    start, goal = (cells.bit(*end) for end in ends)
    for steps, ring in enumerate(cells.rings(start, cells.empty(grid))):
        if ring & goal:
            return steps
    return 0
