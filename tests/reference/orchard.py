"""Slow twins of the metrics of Orchard: loops over cells and their neighbours."""

from __future__ import annotations

TREE = 1


def trees(grid):
    return sum(int(cell) == TREE for row in grid for cell in row)


def crowded(grid):
    height, width = len(grid), len(grid[0])
    found = 0
    for r in range(height):
        for c in range(width):
            if grid[r][c] != TREE:
                continue
            beside = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
            inside = [(y, x) for y, x in beside if 0 <= y < height and 0 <= x < width]
            found += any(grid[y][x] == TREE for y, x in inside)
    return found
