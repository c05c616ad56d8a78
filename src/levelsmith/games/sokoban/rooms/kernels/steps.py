"""The compiled part of `rooms` for tree searches: a path of single changes to walls and goals."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.rooms.kernels.rooms import Rooms
from levelsmith.kernels import problem
from levelsmith.kernels.bits import added, cleared, count, has, nth
from levelsmith.kernels.problem import Held, implement
from levelsmith.kernels.words import WORD, U


class RoomSteps(NamedTuple):
    rooms: Any  # the Rooms whose candidates are changed
    board: Any  # its board
    path: NDArray[np.uint16]  # its path
    words: int  # that a packed state takes
    slots: NDArray[np.uint64]  # [words] workspace: a set of actions, which are numbers of neighbours
    depth: int  # changes on a path at most


class StepState(NamedTuple):
    room: Any  # the RoomState
    depth: int


def make(rooms: Rooms, depth: int) -> RoomSteps:
    slots = np.zeros(-(-int(problem.neighbours(rooms)) // WORD), np.uint64)
    return RoomSteps(rooms, rooms.board, rooms.path, rooms.words + 1, slots, depth)


@implement(problem.initial, RoomSteps)
def steps_initial(rep, rng):
    return StepState(problem.initial(rep.rooms, rng), np.int64(0))


@implement(problem.legal, RoomSteps)
def steps_legal(rep, state):
    """Returns every change that makes a difference: a cell without a goal, or a goal to an empty cell."""
    free, walls, goals = rep.rooms.free, state.room.walls, state.room.goals
    cells = count(free)
    slots = cleared(rep.slots)
    for k in range(problem.neighbours(rep.rooms)):
        cell = nth(free, k % cells)
        if has(goals, cell):
            continue
        goal = k // cells - 1
        if goal < 0 or (not has(walls, cell) and goal < count(goals) and has(free, nth(goals, goal))):
            slots = added(slots, k)
    return Held(slots)


@implement(problem.apply, RoomSteps)
def steps_apply(rep, state, action):
    return StepState(problem.neighbour(rep.rooms, state.room, action), state.depth + 1)


@implement(problem.done, RoomSteps)
def steps_done(rep, state):
    return state.depth >= rep.depth


@implement(problem.reopened, RoomSteps)
def steps_reopened(rep, state):
    return StepState(state.room, np.int64(0))


@implement(problem.board, RoomSteps)
def steps_board(rep, state):
    return problem.board(rep.rooms, state.room)


@implement(problem.pack, RoomSteps)
def steps_pack(rep, state, packed):
    problem.pack(rep.rooms, state.room, packed)
    packed[rep.words - 1] = U(state.depth)


@implement(problem.unpack, RoomSteps)
def steps_unpack(rep, packed):
    return StepState(problem.unpack(rep.rooms, packed), np.int64(packed[rep.words - 1]))
