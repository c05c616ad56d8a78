"""The compiled part of `rooms`: a candidate is a set of walls and a set of goals.

Its level has the boxes where most pushes are needed to bring them to goals, which a search by pulls finds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.rules.kernels.board import Puzzle, only, reached, stride
from levelsmith.games.sokoban.solver.kernels.pulls import NONE, boxes_of, explore, farthest, region_of, trace
from levelsmith.games.sokoban.solver.kernels.strolls import fewest_moves
from levelsmith.kernels import problem
from levelsmith.kernels.bits import (
    added,
    both,
    cleared,
    count,
    either,
    empty,
    fetch,
    has,
    member_from,
    minus,
    nth,
    removed,
    store,
)
from levelsmith.kernels.compile import part
from levelsmith.kernels.problem import Held, implement
from levelsmith.kernels.random import below, pace_of, passed_over, unit

MOVE_GOAL = 0.3  # chance that a single change moves a goal; otherwise a cell changes between floor and wall
CHANGE_BOXES = 0.05  # chance of one box more or fewer, where their number may vary


class Rooms(NamedTuple):
    board: Any  # rules.kernels.board.Board
    pulls: Any  # solver.kernels.pulls.Pulls
    strolls: Any  # solver.kernels.strolls.Strolls
    words: int  # that a packed state takes
    least_boxes: int
    boxes: int  # at most
    least_open: int  # cells of the room, where no start is given
    most_pushes: int
    wall_share: float
    walls: tuple  # words: the start, if one is given
    goals: tuple  # words: the start, if one is given
    free: tuple  # words: cells that may change
    locks: Any  # solver.kernels.pulls.Locks: what else is to stay
    given: bool  # whether there is a start
    path: NDArray[np.uint16]  # [most_pushes] of the level last looked at
    pair_start: NDArray[np.int16]  # [cells]
    pair_goal: NDArray[np.int16]  # [cells]


class RoomState(NamedTuple):
    walls: tuple
    goals: tuple


@implement(problem.initial, Rooms)
def rooms_initial(rep, rng):
    if rep.given:
        return with_goals(rep, RoomState(rep.walls, rep.goals), rep.least_boxes, rep.boxes, rng)
    return draw_candidate(rep, rng)


@implement(problem.sample, Rooms)
def rooms_sample(rep, rng):
    return draw_candidate(rep, rng)


@part
def draw_candidate(rep, rng):
    """Draws a candidate; cells that may not change are as in the start."""
    walls, goals = minus(rep.walls, rep.free), minus(rep.goals, rep.free)
    cell = member_from(rep.free, 0)
    while cell >= 0:
        if unit(rng) < rep.wall_share:
            walls = added(walls, cell)
        cell = member_from(rep.free, cell + 1)
    boxes = rep.boxes
    if rep.least_boxes < rep.boxes:
        boxes = rep.least_boxes + below(rng, rep.boxes - rep.least_boxes + 1)
    return with_goals(rep, RoomState(walls, goals), boxes, boxes, rng)


@part
def with_goals(rep, state, least, most, rng):
    """Returns the candidate with goals added or removed at random until there are `least` to `most` of them.

    A goal comes onto floor, or where none is left into a wall; where nothing may change, fewer remain.
    """
    walls, goals = state.walls, minus(state.goals, state.walls)
    while count(goals) > most and not empty(both(goals, rep.free)):
        loose = both(goals, rep.free)
        goals = removed(goals, nth(loose, below(rng, count(loose))))
    while count(goals) < least:
        floor = both(minus(minus(rep.board.every, walls), goals), rep.free)
        if empty(floor):
            solid = both(walls, rep.free)
            if empty(solid):
                break
            cell = nth(solid, below(rng, count(solid)))
            walls = removed(walls, cell)
        else:
            cell = nth(floor, below(rng, count(floor)))
        goals = added(goals, cell)
    return RoomState(walls, goals)


@implement(problem.mutate, Rooms)
def rooms_mutate(rep, state, rate, rng):
    cells = count(rep.free)
    if rep.least_boxes < rep.boxes and unit(rng) < CHANGE_BOXES:
        return change_boxes(rep, state, rng)
    if rate == 0.0:
        loose = both(state.goals, rep.free)
        if unit(rng) < MOVE_GOAL and not empty(loose):
            cell = nth(loose, below(rng, count(loose)))
        else:
            cell = nth(rep.free, below(rng, cells))
        return change_cell(rep, state, cell, rng)
    pace = pace_of(rate)
    k = passed_over(rng, pace)
    while k < cells:
        state = change_cell(rep, state, nth(rep.free, k), rng)
        k += 1 + passed_over(rng, pace)
    return state


@part
def change_boxes(rep, state, rng):
    """Returns the candidate with one goal more or fewer, and so with one box more or fewer."""
    boxes = count(state.goals)
    more = boxes < rep.boxes and (boxes <= rep.least_boxes or unit(rng) < 0.5)
    boxes += 1 if more else -1
    return with_goals(rep, state, boxes, boxes, rng)


@part
def change_cell(rep, state, cell, rng):
    """Returns the candidate with one cell changed: floor becomes wall, wall floor; a goal moves elsewhere."""
    walls, goals = state.walls, state.goals
    if has(goals, cell):
        floor = both(minus(minus(rep.board.every, walls), goals), rep.free)
        if not empty(floor):
            goals = added(removed(goals, cell), nth(floor, below(rng, count(floor))))
    elif has(walls, cell):
        walls = removed(walls, cell)
    else:
        walls = added(walls, cell)
    return RoomState(walls, goals)


@implement(problem.cross, Rooms)
def rooms_cross(rep, mother, father, rng):
    """Returns a child of two candidates: one side of a random straight cut from each."""
    mother_, father_ = unpack_candidate(rep, mother), unpack_candidate(rep, father)
    if unit(rng) < 0.5:
        kept = fetch(rep.walls, rep.board.from_row[below(rng, rep.board.height + 1)], 0)
    else:
        kept = fetch(rep.walls, rep.board.from_column[below(rng, rep.board.width + 1)], 0)
    walls = either(both(mother_.walls, kept), minus(father_.walls, kept))
    goals = either(both(mother_.goals, kept), minus(father_.goals, kept))
    return with_goals(rep, RoomState(walls, goals), rep.least_boxes, rep.boxes, rng)


@implement(problem.neighbours, Rooms)
def rooms_neighbours(rep):
    return count(rep.free) * (1 + rep.boxes)


@implement(problem.neighbour, Rooms)
def rooms_neighbour(rep, state, k):
    """Returns the k-th neighbour: first every cell changed between floor and wall, then every goal moved.

    Where that cannot be, as with a goal moved into a wall, the candidate comes back as it is.
    """
    cells = count(rep.free)
    cell = nth(rep.free, k % cells)
    walls, goals = state.walls, state.goals
    if k < cells:
        if not has(goals, cell):
            walls = removed(walls, cell) if has(walls, cell) else added(walls, cell)
    elif not has(walls, cell) and not has(goals, cell) and k // cells <= count(goals):
        goal = nth(goals, k // cells - 1)
        if has(rep.free, goal):
            goals = added(removed(goals, goal), cell)
    return RoomState(walls, goals)


@implement(problem.pack, Rooms)
def rooms_pack(rep, state, packed):
    store(state.walls, packed, 0)
    store(state.goals, packed, len(state.walls))


@implement(problem.unpack, Rooms)
def rooms_unpack(rep, packed):
    return unpack_candidate(rep, packed)


@part
def unpack_candidate(rep, packed):
    """Returns the candidate that `pack` wrote."""
    return RoomState(fetch(rep.walls, packed, 0), fetch(rep.walls, packed, len(rep.walls)))


@implement(problem.board, Rooms)
def rooms_board(rep, state):
    """Returns the level whose boxes start as many pushes away as can be, `Held`; else one without boxes.

    Floor that the player cannot reach becomes wall. The solution is written into `rep.path`.
    """
    none = cleared(state.walls)
    walls, starts, goals = state.walls, none, none
    start = np.int64(NONE)
    if rep.given or is_connected(rep, state):
        explore(rep.board, rep.pulls, state.walls, state.goals, rep.most_pushes, empty(rep.locks.boxes))
        start = farthest(rep.pulls, state.goals, rep.most_pushes, rep.locks)
    boxes = pushes = player = np.int64(0)
    inside = none
    if start != NONE:
        seats = both(region_of(rep.pulls, walls, start), rep.locks.seats)
        player = member_from(seats, 0)
        inside = reached(rep.board, only(rep.board, player), minus(rep.board.every, walls))
    if start != NONE and empty(minus(rep.locks.floor, inside)):
        starts, goals = boxes_of(rep.pulls, walls, start), state.goals
        walls = minus(rep.board.every, inside)
        pushes = np.int64(rep.pulls.depth[start])
        if not fewest_moves(rep.board, rep.pulls, rep.strolls, state.walls, start, player, rep.path):
            trace(rep.pulls, start, rep.path)
        boxes = pair_up(rep, starts, pushes)
    return Held(Puzzle(walls, starts, goals, boxes, rep.pair_start, rep.pair_goal, player, rep.path, pushes))


@part
def is_connected(rep, state):
    """Returns whether all goals lie in one connected area of floor, and that is large enough.

    Otherwise there would be a goal that no box can be pushed to.
    """
    if empty(state.goals):
        return False
    seed = only(rep.board, member_from(state.goals, 0))
    area = reached(rep.board, seed, minus(rep.board.every, state.walls))
    return empty(minus(state.goals, area)) and count(area) >= rep.least_open


@part
def pair_up(rep, starts, pushes):
    """Writes where each box starts and where the solution leaves it; returns how many there are."""
    box_at = rep.board.box_at
    boxes = np.int64(0)
    cell = member_from(starts, 0)
    while cell >= 0:
        rep.pair_start[boxes] = cell
        rep.pair_goal[boxes] = cell
        box_at[cell] = boxes
        boxes += 1
        cell = member_from(starts, cell + 1)
    for i in range(pushes):
        cell, direction = np.int64(rep.path[i]) >> 2, np.int64(rep.path[i]) & 3
        to = cell + stride(rep.board, direction)
        box_at[to] = box_at[cell]
        rep.pair_goal[box_at[to]] = to
    return boxes
