"""Retrograde search, compiled: from the solved board by pulls to every position that can be solved.

Pulls undo pushes, so a position first met after n pulls needs exactly n pushes. A set of boxes has a number
among all sets of as many floor cells; under it stands the position that was last met with it. What stands
there counts only if that position has these boxes, so that nothing needs to be cleared before a search.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.rules.kernels.board import only, reached, shifted, stride
from levelsmith.kernels.bits import (
    added,
    both,
    count,
    empty,
    fetch,
    has,
    member_from,
    minus,
    removed,
    same,
    store,
    words_for,
)
from levelsmith.kernels.compile import kernel, part

if TYPE_CHECKING:
    from levelsmith.core import Size

STATES, DEEPEST = range(2)  # places in `found`
MOST_SETS = 1 << 24  # sets of boxes that are told apart
MOST_STATES = 1 << 22
NONE = -1


class Pulls(NamedTuple):
    """The workspace of the search, and its positions in the order in which they were met."""

    ways: NDArray[np.int64]  # [cells + 1, boxes + 2] how many sets of so many there are
    number_of: NDArray[np.int64]  # [cells] of a floor cell among those
    boxes: NDArray[np.uint64]  # [states * words]
    region: NDArray[np.uint64]  # [states * words] where the player can be
    parent: NDArray[np.int32]  # [states] the position one push nearer to the goals
    push: NDArray[np.uint16]  # [states] that leads there: cell of the box · 4 + direction
    depth: NDArray[np.uint16]  # [states] pushes that it takes
    newest: NDArray[np.int32]  # [sets] the last position met with these boxes
    older: NDArray[np.int32]  # [states] the one before it with the same boxes
    found: NDArray[np.int64]  # [2]


class Locks(NamedTuple):
    """What is to stay of a level that was given."""

    cells: tuple  # words: all that is locked
    boxes: tuple  # words: locked cells with a box
    floor: tuple  # words: locked cells that the player could reach
    seats: tuple  # words: where the player may start


def make(size: Size, boxes: int, most_states: int) -> Pulls:
    """Memory that is not touched is only promised, not taken."""
    cells = size[0] * size[1]
    words = words_for(cells)
    ways = np.array([[math.comb(n, k) for k in range(boxes + 2)] for n in range(cells + 1)], np.float64)
    sets = int(min(ways[cells, boxes], MOST_SETS))
    states = min(most_states, MOST_STATES)
    return Pulls(
        np.minimum(ways, 2.0**62).astype(np.int64),
        np.zeros(cells, np.int64),
        np.empty(states * words, np.uint64),
        np.empty(states * words, np.uint64),
        np.empty(states, np.int32),
        np.empty(states, np.uint16),
        np.empty(states, np.uint16),
        np.empty(sets, np.int32),
        np.empty(states, np.int32),
        np.zeros(2, np.int64),
    )


@kernel
def explore(board, pulls, walls, goals, start, player, most_pushes):
    """Meets positions, nearest first, until the start is among them, or `most_pushes` pushes are.

    Without a start (no boxes in it) all are met that there is memory for. Where there are more sets of boxes
    than are told apart, none is. The result is the number of the start, or NONE.
    """
    found = pulls.found
    found[STATES] = found[DEEPEST] = 0
    floor = minus(board.every, walls)
    cells, boxes = count(floor), count(goals)
    if boxes == 0 or boxes + 2 > pulls.ways.shape[1] or pulls.ways[cells, boxes] > len(pulls.newest):
        return np.int64(NONE)
    number_cells(pulls, floor)
    met = meet_solved(board, pulls, floor, goals, start, player)
    state = np.int64(0)
    while met == NONE and state < found[STATES] < len(pulls.parent) and pulls.depth[state] < most_pushes:
        met = pull(board, pulls, floor, state, start, player)
        state += 1
    return met


@part
def number_cells(pulls, floor):
    number = np.int64(0)
    cell = member_from(floor, 0)
    while cell >= 0:
        pulls.number_of[cell] = number
        number += 1
        cell = member_from(floor, cell + 1)


@part
def set_of(pulls, boxes):
    """Returns the number of a set of boxes, by the combinatorial number system."""
    number, place = np.int64(0), 0
    cell = member_from(boxes, 0)
    while cell >= 0:
        place += 1
        number += pulls.ways[pulls.number_of[cell], place]
        cell = member_from(boxes, cell + 1)
    return number


@part
def meet_solved(board, pulls, floor, goals, start, player):
    """Enters the solved positions, one for each region of the player; returns the start's number, or NONE."""
    met = np.int64(NONE)
    left = minus(floor, goals)
    while not empty(left):
        region = reached(board, only(board, member_from(left, 0)), minus(floor, goals))
        left = minus(left, region)
        number = meet(pulls, set_of(pulls, goals), goals, region, NONE, 0, 0)
        if number != NONE and same(goals, start) and has(region, player):
            met = number
    return met


@part
def meet(pulls, number, boxes, region, parent, push, depth):
    """Notes a position that is new; its number, or NONE where there is no memory left."""
    state = pulls.found[STATES]
    words = len(boxes)
    if state == len(pulls.parent):
        return np.int64(NONE)
    store(boxes, pulls.boxes, state * words)
    store(region, pulls.region, state * words)
    pulls.parent[state] = parent
    pulls.push[state] = push
    pulls.depth[state] = depth
    pulls.older[state] = last_met(pulls, boxes, number)
    pulls.newest[number] = state
    pulls.found[STATES] += 1
    pulls.found[DEEPEST] = depth
    return state


@part
def last_met(pulls, boxes, number):
    """Returns the position that was last met with a set of boxes, or NONE."""
    state = np.int64(pulls.newest[number])
    if state < 0 or state >= pulls.found[STATES]:
        return np.int64(NONE)
    return state if same(fetch(boxes, pulls.boxes, state * len(boxes)), boxes) else np.int64(NONE)


@part
def met_with(pulls, boxes, number, player):
    """Returns the position that was met with these boxes and the player on a cell, or NONE."""
    state = last_met(pulls, boxes, number)
    while state != NONE and not has(fetch(boxes, pulls.region, state * len(boxes)), player):
        state = np.int64(pulls.older[state])
    return state


@part
def pull(board, pulls, floor, state, start, player):
    """Enters what one pull leads to from a position; returns the start's number if that is one, or NONE."""
    words = len(floor)
    boxes = fetch(floor, pulls.boxes, state * words)
    region = fetch(floor, pulls.region, state * words)
    found = np.int64(NONE)
    for direction in range(4):
        step = stride(board, direction)
        # Where the player stands beside a box with room to step back.
        stands = both(shifted(board, boxes, direction), both(region, shifted(board, region, direction ^ 1)))
        cell = member_from(stands, 0)
        while cell >= 0:
            after = added(removed(boxes, cell - step), cell)
            number = set_of(pulls, after)
            if met_with(pulls, after, number, cell + step) == NONE:
                reach = reached(board, only(board, cell + step), minus(floor, after))
                push = cell * 4 + (direction ^ 1)
                new = meet(pulls, number, after, reach, state, push, pulls.depth[state] + 1)
                if new != NONE and same(after, start) and has(reach, player):
                    found = new
            cell = member_from(stands, cell + 1)
    return found


@part
def farthest(pulls, goals, most_pushes, locks):
    """Returns the position that needs the most pushes, up to a limit, with no box on a goal; or NONE.

    In locked cells stand the boxes that were given there, on goals too, and no others.
    """
    state = pulls.found[STATES] - 1
    words = len(goals)
    while state >= 0:
        boxes = fetch(goals, pulls.boxes, state * words)
        if (
            pulls.depth[state] <= most_pushes
            and empty(both(minus(boxes, locks.boxes), goals))
            and same(both(boxes, locks.cells), locks.boxes)
            and not empty(both(fetch(goals, pulls.region, state * words), locks.seats))
        ):
            return state
        state -= 1
    return np.int64(NONE)


@part
def trace(pulls, state, path):
    """Writes the pushes from a position to the goals; how many."""
    pushes = np.int64(0)
    while pulls.parent[state] != NONE:
        path[pushes] = pulls.push[state]
        pushes += 1
        state = np.int64(pulls.parent[state])
    return pushes
