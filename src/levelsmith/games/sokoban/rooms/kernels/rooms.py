"""The compiled part of `rooms`: candidates are walls and goals, and the boxes start as far away as can be."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.rules.kernels.board import Puzzle, only, reached, stride
from levelsmith.games.sokoban.solver.kernels.pulls import NONE, explore, farthest, trace
from levelsmith.games.sokoban.solver.kernels.strolls import fewest_moves
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
from levelsmith.kernels.problem import (
    Held,
    board,
    cross,
    implement,
    initial,
    mutate,
    neighbour,
    neighbours,
    pack,
    sample,
    unpack,
)
from levelsmith.kernels.random import below, pace_of, passed_over, unit

MOVE_GOAL = 0.3  # chance that a single change moves a goal; otherwise a cell changes between floor and wall
CHANGE_BOXES = 0.05  # chance of one box more or fewer, where their number may vary


class Rooms(NamedTuple):
    board: Any  # the kernels.Board
    pulls: Any  # the pull_kernels.Pulls
    strolls: Any  # the stroll_kernels.Strolls
    words: int  # that a packed state takes
    least_boxes: int
    boxes: int  # at most
    least_open: int  # cells of the room, where no start is given
    most_pushes: int
    wall_share: float
    walls: tuple  # words: the start, if one is given
    goals: tuple  # words: the start, if one is given
    free: tuple  # words: cells that may change
    locks: Any  # the pull_kernels.Locks: what else is to stay
    given: bool  # whether there is a start
    path: NDArray[np.uint16]  # [most_pushes] of the level last looked at
    pair_start: NDArray[np.int16]  # [cells]
    pair_goal: NDArray[np.int16]  # [cells]


class RoomState(NamedTuple):
    walls: tuple
    goals: tuple


@implement(initial, Rooms)
def rooms_initial(rep, rng):
    if rep.given:
        return with_goals(rep, RoomState(rep.walls, rep.goals), rep.least_boxes, rep.boxes, rng)
    return drawn(rep, rng)


@implement(sample, Rooms)
def rooms_sample(rep, rng):
    return drawn(rep, rng)


@part
def drawn(rep, rng):
    """A random candidate; cells that may not change are as in the start."""
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
    """The candidate with a number of goals between two, where there is room for them."""
    walls, goals = state.walls, minus(state.goals, state.walls)
    while count(goals) > most and not empty(both(goals, rep.free)):
        loose = both(goals, rep.free)
        goals = removed(goals, nth(loose, below(rng, count(loose))))
    while count(goals) < least:
        room = both(minus(minus(rep.board.every, walls), goals), rep.free)
        if empty(room):
            solid = both(walls, rep.free)
            if empty(solid):
                break
            cell = nth(solid, below(rng, count(solid)))
            walls = removed(walls, cell)
        else:
            cell = nth(room, below(rng, count(room)))
        goals = added(goals, cell)
    return RoomState(walls, goals)


@implement(mutate, Rooms)
def rooms_mutate(rep, state, rate, rng):
    cells = count(rep.free)
    if rep.least_boxes < rep.boxes and unit(rng) < CHANGE_BOXES:
        return recounted(rep, state, rng)
    if rate == 0.0:
        loose = both(state.goals, rep.free)
        if unit(rng) < MOVE_GOAL and not empty(loose):
            cell = nth(loose, below(rng, count(loose)))
        else:
            cell = nth(rep.free, below(rng, cells))
        return changed(rep, state, cell, rng)
    pace = pace_of(rate)
    k = passed_over(rng, pace)
    while k < cells:
        state = changed(rep, state, nth(rep.free, k), rng)
        k += 1 + passed_over(rng, pace)
    return state


@part
def recounted(rep, state, rng):
    """The candidate with one goal more or fewer, and so with one box more or fewer."""
    boxes = count(state.goals)
    more = boxes < rep.boxes and (boxes <= rep.least_boxes or unit(rng) < 0.5)
    boxes += 1 if more else -1
    return with_goals(rep, state, boxes, boxes, rng)


@part
def changed(rep, state, cell, rng):
    """The candidate with one cell changed: floor to wall, wall to floor; a goal moves elsewhere."""
    walls, goals = state.walls, state.goals
    if has(goals, cell):
        room = both(minus(minus(rep.board.every, walls), goals), rep.free)
        if not empty(room):
            goals = added(removed(goals, cell), nth(room, below(rng, count(room))))
    elif has(walls, cell):
        walls = removed(walls, cell)
    else:
        walls = added(walls, cell)
    return RoomState(walls, goals)


@implement(cross, Rooms)
def rooms_cross(rep, mother, father, rng):
    """Above or left of a cut from one, the rest from the other."""
    mother_, father_ = room_of(rep, mother), room_of(rep, father)
    if unit(rng) < 0.5:
        kept = fetch(rep.walls, rep.board.from_row[below(rng, rep.board.height + 1)], 0)
    else:
        kept = fetch(rep.walls, rep.board.from_column[below(rng, rep.board.width + 1)], 0)
    walls = either(both(mother_.walls, kept), minus(father_.walls, kept))
    goals = either(both(mother_.goals, kept), minus(father_.goals, kept))
    return with_goals(rep, RoomState(walls, goals), rep.least_boxes, rep.boxes, rng)


@implement(neighbours, Rooms)
def rooms_neighbours(rep):
    return count(rep.free) * (1 + rep.boxes)


@implement(neighbour, Rooms)
def rooms_neighbour(rep, state, k):
    """Each cell changed between floor and wall, then each goal moved to each cell; else the same again."""
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


@implement(pack, Rooms)
def rooms_pack(rep, state, packed):
    store(state.walls, packed, 0)
    store(state.goals, packed, len(state.walls))


@implement(unpack, Rooms)
def rooms_unpack(rep, packed):
    return room_of(rep, packed)


@part
def room_of(rep, packed):
    return RoomState(fetch(rep.walls, packed, 0), fetch(rep.walls, packed, len(rep.walls)))


@implement(board, Rooms)
def rooms_board(rep, state):
    """The level whose boxes start as many pushes away as can be; floor that nobody can reach is wall."""
    none = cleared(state.walls)
    walls, starts, goals = state.walls, none, none
    start = np.int64(NONE)
    if rep.given or is_one_room(rep, state):
        explore(rep.board, rep.pulls, state.walls, state.goals, none, np.int64(0), rep.most_pushes)
        start = farthest(rep.pulls, state.goals, rep.most_pushes, rep.locks)
    boxes = pushes = player = np.int64(0)
    inside = none
    if start != NONE:
        seats = both(fetch(walls, rep.pulls.region, start * len(walls)), rep.locks.seats)
        player = member_from(seats, 0)
        inside = reached(rep.board, only(rep.board, player), minus(rep.board.every, walls))
    if start != NONE and empty(minus(rep.locks.floor, inside)):
        starts, goals = fetch(walls, rep.pulls.boxes, start * len(walls)), state.goals
        walls = minus(rep.board.every, inside)
        pushes = np.int64(rep.pulls.depth[start])
        if not fewest_moves(rep.board, rep.pulls, rep.strolls, state.walls, start, player, rep.path):
            trace(rep.pulls, start, rep.path)
        boxes = pair_up(rep, starts, pushes)
    return Held(Puzzle(walls, starts, goals, boxes, rep.pair_start, rep.pair_goal, player, rep.path, pushes))


@part
def is_one_room(rep, state):
    """Tells whether all goals lie in one room, or else a box could not be pushed, and it is large enough."""
    if empty(state.goals):
        return False
    seed = only(rep.board, member_from(state.goals, 0))
    room = reached(rep.board, seed, minus(rep.board.every, state.walls))
    return empty(minus(state.goals, room)) and count(room) >= rep.least_open


@part
def pair_up(rep, starts, pushes):
    """Notes where each box starts and where the solution leaves it; how many there are."""
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
