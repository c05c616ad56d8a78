"""How far men are from each other along the ways of a level: walking, climbing and falling, not digging."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid
from levelsmith.games.loderunner.rules.rules import BRICK, LADDER, ROPE, SOLID, Cell

NEAR = 8  # steps from the player within which no enemy starts
NEVER = 1_000_000  # steps to where no way leads


def footing(grid: Grid) -> NDArray[np.bool_]:
    """Returns the cells from which nobody falls."""
    hard = (grid == BRICK) | (grid == SOLID)
    below = np.vstack([hard[1:] | (grid[1:] == LADDER), np.ones((1, grid.shape[1]), bool)])
    found: NDArray[np.bool_] = ~hard & ((grid == LADDER) | (grid == ROPE) | below)
    return found


def steps_between(grid: Grid, cell: Cell) -> NDArray[np.int64]:
    """Returns for each cell the steps of the shorter of two ways: from it to a cell, and from that to it."""
    moves = _moves(grid)
    back: dict[Cell, list[Cell]] = {}
    for here, ends in moves.items():
        for there in ends:
            back.setdefault(there, []).append(here)
    return np.minimum(_spread(grid, cell, moves), _spread(grid, cell, back))


def _moves(grid: Grid) -> dict[Cell, list[Cell]]:
    """Returns where one step leads from each cell that is not hard."""
    height, width = grid.shape
    stands, open_ = footing(grid), (grid != BRICK) & (grid != SOLID)
    moves: dict[Cell, list[Cell]] = {}
    for row, column in np.argwhere(open_).tolist():
        ends = [(row + 1, column)]
        if stands[row, column]:
            ends += [(row, column - 1), (row, column + 1)]
            ends += [(row - 1, column)] if grid[row, column] == LADDER else []
        moves[row, column] = [(r, c) for r, c in ends if 0 <= r < height and 0 <= c < width and open_[r, c]]
    return moves


def _spread(grid: Grid, cell: Cell, moves: dict[Cell, list[Cell]]) -> NDArray[np.int64]:
    steps = np.full(grid.shape, NEVER, np.int64)
    steps[cell] = 0
    todo = deque([cell])
    while todo:
        here = todo.popleft()
        for there in moves.get(here, ()):
            if steps[there] == NEVER:
                steps[there] = steps[here] + 1
                todo.append(there)
    return steps
