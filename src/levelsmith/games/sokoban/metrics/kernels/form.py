"""How a Sokoban level is built, compiled; `form.py` says it plainly."""

from __future__ import annotations

import numpy as np

from levelsmith.games.sokoban.rules.kernels import board as sokoban
from levelsmith.kernels.bits import (
    added,
    both,
    cleared,
    count,
    either,
    empty,
    has,
    member_from,
    minus,
)
from levelsmith.kernels.compile import kernel, part


@kernel
def form_metric(board, puzzle, k):
    """Returns a metric of form. A kernel, not a part: it is long, and seldom called."""
    floor, goals = minus(board.every, puzzle.walls), puzzle.goals
    if k == sokoban.LONE_GOALS:
        return count(minus(goals, sokoban.around(board, goals))) / count(goals)
    if k <= sokoban.ENTRANCES:
        wide = open_cells(board, floor)
        if k == sokoban.CORRIDORS:
            return 1.0 - count(wide) / count(floor)
        inside, number = cleared(wide), 0
        left = goals if k == sokoban.GOAL_GROUPS else wide if k == sokoban.AREAS else goals
        within = goals if k == sokoban.GOAL_GROUPS else wide if k == sokoban.AREAS else either(wide, goals)
        while not empty(left):
            area = sokoban.reached(board, sokoban.only(board, member_from(left, 0)), within)
            left, inside = minus(left, area), either(inside, area)
            number += 1
        if k == sokoban.ENTRANCES:
            return float(count(both(sokoban.around(board, inside), minus(minus(floor, wide), goals))))
        return float(number)
    return share_of_room(board, floor, k)


@part
def open_cells(board, floor):
    """Returns the floor that lies in 2x2 squares of floor."""
    pairs = both(floor, sokoban.shifted(board, floor, sokoban.LEFT))
    corners = both(pairs, sokoban.shifted(board, pairs, sokoban.UP))
    halves = either(corners, sokoban.shifted(board, corners, sokoban.RIGHT))
    return either(halves, sokoban.shifted(board, halves, sokoban.DOWN))


@part
def share_of_room(board, floor, k):
    """Returns how much of the rectangle around a room is floor, or the same in a mirror or turned."""
    top, bottom, left, right = board.height, np.int64(-1), board.width, np.int64(-1)
    cell = member_from(floor, 0)
    while cell >= 0:
        row = sokoban.row_of(board, cell)
        column = cell - row * board.width
        top, bottom = min(top, row), max(bottom, row)
        left, right = min(left, column), max(right, column)
        cell = member_from(floor, cell + 1)
    cells = (bottom - top + 1) * (right - left + 1)
    if k == sokoban.COMPACTNESS:
        return count(floor) / cells
    across = upside = turned = 0
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            here = has(floor, row * board.width + column)
            other_row, other_column = bottom + top - row, right + left - column
            across += 1 if here == has(floor, row * board.width + other_column) else 0
            upside += 1 if here == has(floor, other_row * board.width + column) else 0
            turned += 1 if here == has(floor, other_row * board.width + other_column) else 0
    return (max(across, upside) if k == sokoban.MIRROR_SHARE else turned) / cells


@part
def walked_over(board, start, end, open_board):
    """Returns the cells of all shortest ways of the player from one cell to another."""
    seen = newest = sokoban.only(board, start)
    steps = board.distance[start] = 0
    while not has(seen, end) and not empty(newest):
        newest = minus(both(sokoban.around(board, newest), open_board), seen)
        seen, steps = either(seen, newest), steps + 1
        cell = member_from(newest, 0)
        while cell >= 0:
            board.distance[cell] = steps
            cell = member_from(newest, cell + 1)
    walked = newest = sokoban.only(board, end)
    while steps > 0:
        steps -= 1
        near = both(sokoban.around(board, newest), seen)
        newest = cleared(near)
        cell = member_from(near, 0)
        while cell >= 0:
            newest = added(newest, cell) if board.distance[cell] == steps else newest
            cell = member_from(near, cell + 1)
        walked = either(walked, newest)
    return walked
