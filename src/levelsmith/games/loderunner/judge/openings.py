"""Ways cut to gold that is out of reach: the fewest cells to open from where the runner gets."""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid
from levelsmith.games.loderunner.judge.judge import judge, reached_cells
from levelsmith.games.loderunner.judge.kernels.judge import BRICK, EMPTY, GOLD, LADDER, PLAYER, SOLID
from levelsmith.games.loderunner.rules.rules import Cell

LITTLE = 0.01  # what a step costs that opens nothing


def opened(grid: Grid, free: NDArray[np.bool_]) -> Grid:
    """Returns a copy in which ways are cut to all gold, one after the other, as far as free cells let them.

    Down and up they are ladders, so that the runner comes back.
    """
    grid = grid.copy()
    if not (grid == PLAYER).any():
        start = judge(grid, "dig", best_start=True).start
        if start is None:
            return grid
        grid[start] = PLAYER
    for _ in range(int((grid == GOLD).sum())):
        reached = reached_cells(grid, "dig")
        shut = (grid == GOLD) & ~reached
        way = _cheapest(grid, free, reached, shut)
        if way is None:
            break
        for cell, tile in way.items():
            grid[cell] = tile
    return grid


def _cheapest(
    grid: Grid, free: NDArray[np.bool_], reached: NDArray[np.bool_], shut: NDArray[np.bool_]
) -> dict[Cell, int] | None:
    """Returns what to put where, on the way to the gold that is nearest to where the runner gets."""
    height, width = grid.shape
    hard = np.isin(grid, (BRICK, SOLID))
    cost = {(int(row), int(column)): 0.0 for row, column in np.argwhere(reached)}
    came: dict[Cell, tuple[Cell, int | None]] = {}
    queue = [(0.0, cell) for cell in cost]
    while queue:
        spent, cell = heapq.heappop(queue)
        if spent > cost[cell]:
            continue
        if shut[cell]:
            way = {}
            while cell in came:
                before, tile = came[cell]
                if tile is not None:
                    way[cell] = tile
                cell = before
            return way
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            there = (cell[0] + down, cell[1] + right)
            if not (0 <= there[0] < height and 0 <= there[1] < width):
                continue
            tile = None
            if hard[there]:
                tile = EMPTY if right else LADDER
            elif down < 0 and grid[there] == EMPTY:
                tile = LADDER
            if tile is not None and not free[there]:
                continue
            after = spent + (LITTLE if tile is None else 1.0)
            if after < cost.get(there, np.inf):
                cost[there] = after
                came[there] = cell, tile
                heapq.heappush(queue, (after, there))
    return None
