"""Many levels of one size measured by the solutions that they carry, compiled where wall is all around."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game
from levelsmith.core import Grid, Level
from levelsmith.games.sokoban.metrics.difficulty import difficulty
from levelsmith.games.sokoban.metrics.kernels.together import Solved, measure_together
from levelsmith.games.sokoban.rules.kernels import board
from levelsmith.games.sokoban.rules.kernels.tiles import WALL
from levelsmith.games.sokoban.space.space import told_by_positions

COUNTED = ("pushes", "moves", "detour")  # that a difficulty takes


def measured_together(game: Game, grids: Grid, solutions: Sequence[str]) -> NDArray[np.float64]:
    """Returns the metrics of each level, in the order of `METRICS`. grids: `[N, H, W]`"""
    size = grids.shape[1] - 2, grids.shape[2] - 2
    edges = grids.copy()
    edges[:, 1:-1, 1:-1] = WALL
    if min(size) < 1 or not board.fits(size) or (edges != WALL).any():
        levels = zip(grids, solutions, strict=True)
        solved = [Level(game.name, game.tiles, grid, solution=moves) for grid, moves in levels]
        return np.array([game.measure_rated(level) for level in solved])  # type: ignore[attr-defined]
    compiled, cells = game.compiled(size), size[0] * size[1]
    longest = max(map(len, solutions), default=0)
    workspace = Solved(
        compiled.board, np.zeros(longest, np.uint16), np.zeros(cells, np.int16), np.zeros(cells, np.int16)
    )
    moves = np.frombuffer("".join(f"{moves}\n" for moves in solutions).encode("ascii"), np.uint8)
    rows = np.zeros((len(grids), len(board.METRICS)))
    measure_together(compiled, workspace, np.ascontiguousarray(grids).reshape(len(grids), -1), moves, rows)
    for row, grid in zip(rows, grids, strict=True):
        told = told_by_positions(Level(game.name, game.tiles, grid))
        if told is not None:
            found = {name: float(row[board.METRICS.index(name)]) for name in COUNTED} | told._asdict()
            row[board.METRICS.index("difficulty")] = difficulty(found)
    return rows
