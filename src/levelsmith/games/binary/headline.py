"""What a reader wants to know of a map first, in one line, with nothing to compile for a small one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from levelsmith.core import Grid

SMALL = 1024  # cells, up to which counting plainly takes less time than compiling
EMPTY = 0


def counted(grid: Grid) -> tuple[int, int]:
    """Returns the steps of the longest shortest path and the number of regions; a set of cells is an int."""
    stride = grid.shape[1] + 1  # a column of wall on the right keeps rows apart
    cells = np.pad(grid == EMPTY, ((0, 0), (0, 1))).ravel()
    empty = int.from_bytes(np.packbits(cells, bitorder="little").tobytes(), "little")
    longest, regions, left = 0, 0, empty
    while left:
        region = left & -left
        for ring in _rings(region, empty, stride):
            region |= ring
        regions += 1
        left &= ~region
        for cell in _members(region):
            longest = max(longest, sum(1 for _ in _rings(cell, empty, stride)))
    return longest, regions


def _rings(start: int, empty: int, stride: int) -> Iterator[int]:
    """The cells that are one step away, two steps, and so on."""
    ring, seen = start, start
    while True:
        ring = (ring << 1 | ring >> 1 | ring << stride | ring >> stride) & empty & ~seen
        if not ring:
            return
        seen |= ring
        yield ring


def _members(cells: int) -> Iterator[int]:
    while cells:
        yield cells & -cells
        cells &= cells - 1
