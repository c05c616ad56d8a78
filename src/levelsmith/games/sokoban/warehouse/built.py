"""From a plan and a start to a level: a shortest solution, and no floor that this never uses.

Every level is solved with the fewest pushes, and among these with the fewest moves, before it is handed out.
Floor that this solution never uses becomes wall: that takes away other ways alone, so that the solution stays
a shortest one. What is left is cut to its room, with a single wall around it and nothing outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from levelsmith.contracts import Game
from levelsmith.core import Effort, Grid, Level
from levelsmith.games.sokoban.metrics.board import filled
from levelsmith.games.sokoban.metrics.solution import seldom_pushed, used
from levelsmith.games.sokoban.rules.kernels.tiles import (
    BOX,
    BOX_ON_GOAL,
    FLOOR,
    GOAL,
    PLAYER,
    PLAYER_ON_GOAL,
    WALL,
)
from levelsmith.games.sokoban.rules.rules import STEPS, Cell, SokobanBoard
from levelsmith.games.sokoban.rules.walk import LETTERS, lurd
from levelsmith.games.sokoban.solver.solve import few_moves, fewest_pushes
from levelsmith.games.sokoban.warehouse.plan import Plan, Start
from levelsmith.games.sokoban.warehouse.starts import Push


class Built(NamedTuple):
    """A level with a solution of the fewest pushes, and whether its moves are known to be the fewest too."""

    level: Level
    rated: bool


def built_of(plan: Plan, start: Start, made: Sequence[Push], game: Game) -> Built:
    """Returns the level that starts at a position of a plan, by the pushes with the fewest moves."""
    level, width = _level(plan, start, game), plan.floor.shape[1] - 2
    moves = lurd(level.grid, [((row - 1) * width + column - 1, way) for (row, column), way in made])
    return finished(_solved(level, moves, plan.mirrored), True)


def proved(plan: Plan, start: Start, game: Game, states: int) -> Level | None:
    """Returns the level with a solution of the fewest pushes by the solver, and not yet cut to its room; None
    where that is not proved in so many states."""
    level = _level(plan, start, game)
    moves = fewest_pushes(level, Effort(states=states, seconds=None))
    return None if moves is None else _solved(level, moves, plan.mirrored)


def with_fewer_moves(level: Level, width: int, mirrored: bool) -> tuple[Level, bool] | None:
    """Returns a proved level with a solution of fewer moves, where one is found, and whether none has fewer;
    None where no solution is found among those that are looked at.

    Args:
        level: as `proved` returns it.
        width: of the search, see `few_moves`.
        mirrored: keep it the same from left to right.
    """
    carried = level.solution or ""
    found = few_moves(level, sum(map(str.isupper, carried)), width)
    if found is None:
        return None
    moves, fewest = found
    return _solved(level, min(moves, carried, key=len), mirrored), fewest


def finished(level: Level, rated: bool) -> Built:
    """Returns a level cut to its room."""
    return Built(replace(level, grid=outlined(level.grid)), rated)


def is_lively(boxes: int, order: Sequence[int], idle: int = 0, occupied: int = 0) -> bool:
    """Tells whether a solution that pushes boxes in an order pushes each more than seldom, or all but one to
    so many `idle` ones, and does not go box by box. Where boxes start on goals, every box is pushed, and as
    many of them may be pushed seldom."""
    changes, seldom = sum(a != b for a, b in pairwise(order)), seldom_pushed(order, boxes)
    if occupied:
        lively = len(set(order)) == boxes and seldom <= occupied
    else:
        lively = min(1, idle) <= seldom <= idle
    return lively and (boxes == 1 or changes >= boxes)


def order_of(boxes: Sequence[Cell], made: Sequence[Push]) -> list[int]:
    """Returns which box each push is of, by number."""
    number, order = {box: i for i, box in enumerate(boxes)}, []
    for (row, column), way in made:
        down, right = STEPS[LETTERS[way]]
        order.append(number.pop((row, column)))
        number[row + down, column + right] = order[-1]
    return order


def _level(plan: Plan, start: Start, game: Game) -> Level:
    return Level("sokoban", game.tiles, grid_of(plan, start), provenance={"search": "warehouse"})


def _solved(level: Level, moves: str, mirrored: bool) -> Level:
    """Returns the level with a solution, and with wall on cells that this never comes to, on neither side of
    a mirrored one."""
    in_use = np.zeros(level.size, np.bool_)
    for cell in used(SokobanBoard(level.grid), moves):
        in_use[cell] = True
    if mirrored:
        in_use |= in_use[:, ::-1]
    return replace(level, grid=np.where(in_use, level.grid, WALL).astype(np.uint8), solution=moves)


def grid_of(plan: Plan, start: Start) -> Grid:
    """Returns the tiles of a level."""
    grid = np.where(plan.floor, FLOOR, WALL).astype(np.uint8)
    for goal in plan.goals:
        grid[goal] = GOAL
    for box in start.boxes:
        grid[box] = BOX_ON_GOAL if grid[box] == GOAL else BOX
    grid[start.player] = PLAYER_ON_GOAL if grid[start.player] == GOAL else PLAYER
    return grid


def outlined(grid: Grid) -> Grid:
    """Returns a grid cut to its room: one wall around it, and beyond that nothing."""
    inside = grid != WALL
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    cut = np.pad(grid, 1, constant_values=WALL)[rows[0] : rows[-1] + 3, columns[0] : columns[-1] + 3]
    near = np.zeros(cut.shape, np.bool_)
    room = np.pad(cut != WALL, 1)
    for down in (0, 1, 2):
        for right in (0, 1, 2):
            near |= room[down : down + cut.shape[0], right : right + cut.shape[1]]
    bare = np.where(near, cut, FLOOR).astype(np.uint8)
    beyond = filled(bare) != bare  # not what lies deep in a wall between rooms
    return np.where(beyond, FLOOR, cut).astype(np.uint8)
