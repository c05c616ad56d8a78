"""Grids measured by compiled kernels: any as it stands, for who changes levels tile by tile, be it a level or
not; and many levels of one size by the solutions that they carry, where wall is all around.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game
from levelsmith.core import Effort, Grid, Level, Size
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.metrics.difficulty import difficulty
from levelsmith.games.sokoban.metrics.kernels import grid as grid_kernels
from levelsmith.games.sokoban.metrics.kernels.together import Solved, measure_together
from levelsmith.games.sokoban.rules.kernels.board import METRICS, PUSHES, fits
from levelsmith.games.sokoban.rules.kernels.tiles import WALL
from levelsmith.games.sokoban.rules.rules import check
from levelsmith.games.sokoban.space.space import told_by_positions
from levelsmith.kernels import outside

COUNTED = ("pushes", "moves", "detour")  # that a difficulty takes


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


def measured_together(game: Game, grids: Grid, solutions: Sequence[str]) -> NDArray[np.float64]:
    """Returns the metrics of each level, in the order of `METRICS`. grids: `[N, H, W]`"""
    size = grids.shape[1] - 2, grids.shape[2] - 2
    edges = grids.copy()
    edges[:, 1:-1, 1:-1] = WALL
    if min(size) < 1 or not fits(size) or (edges != WALL).any():
        levels = zip(grids, solutions, strict=True)
        solved = [Level(game.name, game.tiles, grid, solution=moves) for grid, moves in levels]
        return np.array([game.measure_rated(level) for level in solved])  # type: ignore[attr-defined]
    compiled, cells = game.compiled(size), size[0] * size[1]
    longest = max(map(len, solutions), default=0)
    workspace = Solved(
        compiled.board, np.zeros(longest, np.uint16), np.zeros(cells, np.int16), np.zeros(cells, np.int16)
    )
    moves = np.frombuffer("".join(f"{moves}\n" for moves in solutions).encode("ascii"), np.uint8)
    rows = np.zeros((len(grids), len(METRICS)))
    measure_together(compiled, workspace, np.ascontiguousarray(grids).reshape(len(grids), -1), moves, rows)
    for row, grid in zip(rows, grids, strict=True):
        told = told_by_positions(Level(game.name, game.tiles, grid))
        if told is not None:
            found = {name: float(row[METRICS.index(name)]) for name in COUNTED} | told._asdict()
            row[METRICS.index("difficulty")] = difficulty(found)
    return rows
