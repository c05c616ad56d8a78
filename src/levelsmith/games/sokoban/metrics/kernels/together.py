"""The compiled metrics of many levels by the solutions that they carry, in one call."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.rooms.kernels.rooms import pair_up
from levelsmith.games.sokoban.rules.kernels.board import DOWN, LEFT, RIGHT, UP, Puzzle, stride
from levelsmith.games.sokoban.rules.kernels.tiles import BOX, BOX_ON_GOAL, GOAL, PLAYER, PLAYER_ON_GOAL, WALL
from levelsmith.kernels.bits import added, cleared
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.problem import metric

U, D, L = b"UDL"
FIRST_SMALL = ord("a")
CAPITAL = ord("u") - ord("U")
LINE_END = 10


class Solved(NamedTuple):
    """Workspace: the solution of the level at hand."""

    board: Any  # rules.kernels.board.Board
    path: NDArray[np.uint16]  # [pushes]
    pair_start: NDArray[np.int16]  # [cells]
    pair_goal: NDArray[np.int16]  # [cells]


@kernel
def measure_together(game, solved, grids, moves, rows):
    """Writes the metrics of each level.

    Args:
        game: a `Measured`.
        solved: workspace.
        grids: `[levels, (height + 2) * (width + 2)]`; the edge of each must be wall.
        moves: solutions that solve them as LURD, one after the other, each with a line end behind it.
        rows: `[levels, metrics]`, for the metrics.
    """
    board, at = game.board, 0
    across = board.width + 2
    for level in range(len(grids)):
        walls, starts, goals = cleared(board.every), cleared(board.every), cleared(board.every)
        player = np.int64(0)
        for cell in range(board.height * board.width):
            row = cell // board.width
            tile = grids[level, (row + 1) * across + cell - row * board.width + 1]
            if tile == WALL:
                walls = added(walls, cell)
            if tile in (BOX, BOX_ON_GOAL):
                starts = added(starts, cell)
            if tile in (GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL):
                goals = added(goals, cell)
            if tile in (PLAYER, PLAYER_ON_GOAL):
                player = np.int64(cell)
        here, pushes = player, np.int64(0)
        while moves[at] != LINE_END:
            capital = moves[at] - CAPITAL if moves[at] >= FIRST_SMALL else moves[at]
            direction = UP if capital == U else DOWN if capital == D else LEFT if capital == L else RIGHT
            here += stride(board, direction)
            if capital == moves[at]:
                solved.path[pushes] = here * 4 + direction
                pushes += 1
            at += 1
        at += 1
        boxes = pair_up(solved, starts, pushes)
        pairs = solved.pair_start, solved.pair_goal
        puzzle = Puzzle(walls, starts, goals, boxes, *pairs, player, solved.path, pushes)
        for k in range(rows.shape[1]):
            rows[level, k] = metric(game, puzzle, np.int64(k))
