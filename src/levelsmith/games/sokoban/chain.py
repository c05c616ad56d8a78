"""Sokoban rooms joined by doors: one is solved after the other, and the player walks on in between."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Effort, Grid, Level
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.metrics.board import filled
from levelsmith.games.sokoban.rules.kernels.tiles import FLOOR, GOAL, PLAYER, PLAYER_ON_GOAL, WALL
from levelsmith.games.sokoban.rules.rules import SokobanBoard, SokobanState, check, region
from levelsmith.games.sokoban.rules.walk import way
from levelsmith.games.sokoban.solver.solve import solve
from levelsmith.levels.chain import beside

STATES = 1_000_000  # that may go to a room without a solution
QUARTER = str.maketrans("ruldRULD", "uldrULDR")  # moves after a quarter turn to the left


def joined(whole: Level, room: Level) -> Level:
    """Returns the room behind a door of the whole, on the first side where the player can walk on from its
    end."""
    whole, room = _solved(whole), _solved(room)
    for turns in range(4):
        found = _beside(_turned(whole, turns), _turned(room, turns))
        if found is not None:
            return _turned(found, -turns % 4)
    raise LevelsmithError(
        f"where the last solution ends no wall can become a door to it; try another order\n{room.text}"
    )


def _beside(whole: Level, room: Level) -> Level | None:
    board, there = SokobanBoard(whole.grid), SokobanBoard(room.grid)
    end = [board.start, *(position for _, position in board.play(whole.solution or ""))][-1]
    leave, enter = _reached(board, end), _reached(there, there.start)
    vacant = np.where(room.grid == PLAYER, FLOOR, room.grid)
    vacant = np.where(vacant == PLAYER_ON_GOAL, GOAL, vacant)[:, 1:]  # they share a wall
    pair = beside(whole.grid, vacant, leave, enter[:, 1:], WALL, FLOOR)
    if pair is None:
        return None
    big = SokobanBoard(pair.grid)
    here = (end.player[0] + pair.left[0], end.player[1] + pair.left[1])
    goal = (there.start.player[0] + pair.right[0], there.start.player[1] + pair.right[1] - 1)
    now = frozenset((row + pair.left[0], col + pair.left[1]) for row, col in end.boxes)
    later = frozenset((row + pair.right[0], col + pair.right[1] - 1) for row, col in there.start.boxes)
    walk = "".join(way(big, here, goal, now | later))
    return replace(whole, grid=pair.grid, solution=f"{whole.solution}{walk}{room.solution}")


def _reached(board: SokobanBoard, position: SokobanState) -> NDArray[np.bool_]:
    cells = np.zeros((board.height, board.width), np.bool_)
    for cell in region(board, position):
        cells[cell] = True
    return cells


def _solved(level: Level) -> Level:
    """Returns the level without what lies outside its walls, and with a solution."""
    check(level.grid)
    grid = filled(level.grid)
    rows, columns = (grid != WALL).nonzero()
    grid = grid[rows.min() - 1 : rows.max() + 2, columns.min() - 1 : columns.max() + 2]
    if level.solution is not None:
        return replace(level, grid=grid)
    verdict = solve(replace(level, grid=grid), Effort(states=STATES, seconds=None), any=True)
    if verdict.solution is None:
        raise LevelsmithError(
            f"it is {verdict.status} after {verdict.statistics['states']:,} states\n{level.text}"
        )
    return replace(level, grid=grid, solution=verdict.solution)


def _turned(level: Level, quarters: int) -> Level:
    """Returns the level and its solution, turned to the left."""
    grid: Grid = np.ascontiguousarray(np.rot90(level.grid, quarters))
    solution = level.solution or ""
    for _ in range(quarters):
        solution = solution.translate(QUARTER)
    return replace(level, grid=grid, solution=solution)
