"""Any grid measured as it stands, be it a level or not, for who changes levels tile by tile."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from levelsmith.contracts import Game
from levelsmith.core import Effort, Grid, Level, Size
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.metrics.kernels import grid as grid_kernels
from levelsmith.games.sokoban.rules.kernels.board import METRICS, PUSHES, fits
from levelsmith.games.sokoban.rules.kernels.tiles import WALL
from levelsmith.games.sokoban.rules.rules import check
from levelsmith.kernels import outside


def measured(game: Game, states: int, grid: Grid) -> list[float]:
    """Returns the metrics of the inside of a grid; those of a solution where it is a level that is soon
    solved.

    Boxes are paired with goals near by, whatever the solution does with them.
    """
    from levelsmith.games.sokoban.metrics.solution import rated
    from levelsmith.games.sokoban.solver.solve import solve

    level = Level(game.name, game.tiles, np.pad(grid, 1, constant_values=WALL))
    row: list[float] = game.measure(level.grid[None])[0].tolist()
    try:
        check(level.grid)
    except LevelsmithError:
        return row
    if any(row):
        solution = solve(level, Effort(states=states, seconds=None)).solution
        found = {} if solution is None else rated(level, solution)
        row[PUSHES:] = [found.get(name) or 0.0 for name in METRICS[PUSHES:]]
    return row


def compiled(game: Game, size: Size, states: int) -> Any:
    """Returns what gives the same for grids of a size; up to 256 cells only solutions are measured in
    Python."""
    plain = outside.make(size, len(METRICS), partial(measured, game, states))
    return grid_kernels.make(size, plain) if fits(size) else plain
