"""The compiled metrics of any Sokoban grid, be it a level or not; each box has a goal near by."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.metrics.kernels.level import board_metric
from levelsmith.games.sokoban.rules.kernels import board as kernels
from levelsmith.games.sokoban.rules.kernels.board import PUSHES, Board, Puzzle, row_of
from levelsmith.games.sokoban.rules.kernels.tiles import BOX, BOX_ON_GOAL, GOAL, PLAYER, PLAYER_ON_GOAL, WALL
from levelsmith.games.sokoban.solver.kernels.matching import BOX_NOW, TAKEN_NOW, assign
from levelsmith.kernels.bits import added, cleared, fetch
from levelsmith.kernels.compile import part
from levelsmith.kernels.outside import NO_TILE, Outside
from levelsmith.kernels.problem import implement, metric

if TYPE_CHECKING:
    from levelsmith.core import Size

BOXES, GOALS, WALLS = range(3)  # rows of `places` and of `sets`
PLAYERS = 2  # in `counts`, behind the first two


class Matching(NamedTuple):
    """What `assign` works on: the fewer of boxes and goals have the rows."""

    at: NDArray[np.int32]  # [columns]
    cost: NDArray[np.int32]  # [rows, columns] how far a box is from a goal
    match: NDArray[np.int32]  # [8, columns + 1]
    held: NDArray[np.uint8]  # [columns + 1]


class Plain(NamedTuple):
    """A grid of tiles, and all about it that was found out."""

    board: Board
    solved: Outside  # measures the solution of a grid that is a level
    seen: NDArray[np.uint8]  # [cells] the grid
    counts: NDArray[np.int64]  # [3] how many boxes, goals and players it has
    rows: NDArray[np.int32]  # [2, cells] where the boxes are, and the goals
    columns: NDArray[np.int32]  # [2, cells]
    sets: NDArray[np.uint64]  # [3, words] boxes and goals, those that have each other, and walls
    start_of: NDArray[np.int16]  # [cells] of the i-th of them
    goal_of: NDArray[np.int16]  # [cells]
    matching: Matching
    path: NDArray[np.uint16]  # [0] the pushes of no solution


def make(size: Size, solved: Outside) -> Plain:
    board, cells = kernels.make(size), size[0] * size[1]
    return Plain(
        board,
        solved,
        np.full(cells, NO_TILE, np.uint8),
        np.zeros(3, np.int64),
        np.zeros((2, cells), np.int32),
        np.zeros((2, cells), np.int32),
        np.zeros((3, len(board.every)), np.uint64),
        np.zeros(cells, np.int16),
        np.zeros(cells, np.int16),
        Matching(
            np.zeros(cells, np.int32),
            np.zeros((cells, cells), np.int32),
            np.zeros((8, cells + 1), np.int32),
            np.zeros(cells + 1, np.uint8),
        ),
        np.zeros(0, np.uint16),
    )


@implement(metric, Plain)
def plain_metric(game, cells, k):
    look_at(game, cells)
    counts, every = game.counts, game.board.every
    boxes = min(counts[BOXES], counts[GOALS])
    if boxes == 0:
        return 0.0
    if k >= PUSHES:
        is_level = counts[PLAYERS] == 1 and counts[BOXES] == counts[GOALS]  # around it all is wall
        return metric(game.solved, cells, k) if is_level else 0.0
    walls = fetch(every, game.sets[WALLS], 0)
    starts, goals = fetch(every, game.sets[BOXES], 0), fetch(every, game.sets[GOALS], 0)
    puzzle = Puzzle(walls, starts, goals, boxes, game.start_of, game.goal_of, np.int64(0), game.path, 0)
    return board_metric(game.board, puzzle, k)


@part
def look_at(game, cells):
    """Finds out about a grid, unless it is the one that was looked at last."""
    known = True
    for cell in range(len(game.seen)):
        if game.seen[cell] != cells[cell]:
            known = False
            break
    if known:
        return
    counts = game.counts
    for k in range(3):
        counts[k] = 0
        cleared(game.sets[k])
    for cell in range(len(game.seen)):
        tile = cells[cell]
        game.seen[cell] = tile
        if tile == WALL:
            added(game.sets[WALLS], cell)
        if tile in (BOX, BOX_ON_GOAL):
            note(game, BOXES, cell)
        if tile in (GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL):
            note(game, GOALS, cell)
        if tile in (PLAYER, PLAYER_ON_GOAL):
            counts[PLAYERS] += 1
    few = GOALS if counts[BOXES] > counts[GOALS] else BOXES
    pair(game, few, BOXES if few == GOALS else GOALS)


@part
def note(game, kind, cell):
    """Remembers the place of a box or a goal."""
    i, row = game.counts[kind], row_of(game.board, cell)
    game.rows[kind, i], game.columns[kind, i] = row, cell - row * game.board.width
    game.counts[kind] += 1


@part
def pair(game, few, many):
    """Gives each of the fewer one of the others, so that the sum of their distances is least."""
    workspace, columns = game.matching, game.counts[many]
    matching = Matching(workspace.at[:columns], workspace.cost, workspace.match, workspace.held)
    for k in range(BOX_NOW, TAKEN_NOW + 1):
        for j in range(columns + 1):
            workspace.match[k, j] = 0
    for i in range(game.counts[few]):
        row, column, distance = game.rows[few, i], game.columns[few, i], workspace.cost[i]
        for j in range(columns):
            down, right = np.int32(game.rows[many, j] - row), np.int32(game.columns[many, j] - column)
            distance[j] = np.int32(abs(down) + abs(right))
        assign(matching, i)
    for j in range(columns):
        i = np.int64(workspace.match[TAKEN_NOW, j + 1] - 1)
        if i >= 0:
            box, goal = (j, i) if few == GOALS else (i, j)
            game.start_of[i] = start = game.rows[BOXES, box] * game.board.width + game.columns[BOXES, box]
            game.goal_of[i] = end = game.rows[GOALS, goal] * game.board.width + game.columns[GOALS, goal]
            added(game.sets[BOXES], start)
            added(game.sets[GOALS], end)
