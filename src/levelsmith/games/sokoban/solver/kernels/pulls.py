"""Retrograde search, compiled: from the solved board by pulls to every position that can be solved.

Pulls undo pushes, so a position first met after n pulls needs exactly n pushes. Positions are found again
by a hash of their boxes, to which a pull makes a small change (Zobrist, 1970). Entries of the table say which
search they are of, so that nothing needs to be cleared before one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.rules.kernels import board as sokoban
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
    removed,
    same,
    store,
    words_for,
)
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import U

if TYPE_CHECKING:
    from levelsmith.core import Size

STATES, SEARCH, MASK = range(3)  # places in `found`
MOST_SETS = 1 << 24  # sets of boxes that are told apart
STATE_BITS = 22  # of an entry of the table; the bits above have the number of the search
MOST_STATES = 1 << STATE_BITS
STATE = MOST_STATES - 1  # the bits of an entry that have the position
SEARCHES = 1 << (31 - STATE_BITS)
SMALLEST_TABLE = 16
NONE = -1


class Pulls(NamedTuple):
    """The workspace of the search, and its positions in the order in which they were met."""

    sets: NDArray[np.float64]  # [cells + 1, boxes + 1] how many sets of so many boxes there are
    codes: NDArray[np.int64]  # [cells] random numbers; the hash of a set of boxes is theirs, by exclusive or
    positions: NDArray[np.uint64]  # [states * 2 * words] the boxes, and where the player can be
    hashes: NDArray[np.int32]  # [states] of the boxes
    parent: NDArray[np.int32]  # [states] the position one push nearer to the goals
    push: NDArray[np.uint16]  # [states] that leads there: cell of the box · 4 + direction
    depth: NDArray[np.uint16]  # [states] pushes that it takes
    table: NDArray[np.int32]  # [a power of two] by hash, the search and the last position met with the boxes
    older: NDArray[np.int32]  # [states] the one before it with the same boxes
    found: NDArray[np.int64]  # [3] how many positions there are, of which search; the hash's part that counts


class Locks(NamedTuple):
    """What is to stay of a level that was given."""

    cells: tuple  # words: all that is locked
    boxes: tuple  # words: locked cells with a box
    floor: tuple  # words: locked cells that the player could reach
    seats: tuple  # words: where the player may start


def make(size: Size, boxes: int, most_states: int) -> Pulls:
    """Memory that is not touched is only promised, not taken."""
    cells = size[0] * size[1]
    sets = np.array([[math.comb(n, k) for k in range(boxes + 1)] for n in range(cells + 1)], np.float64)
    states = min(most_states, MOST_STATES)
    places = table_size(min(sets[cells].max(), states))
    return Pulls(
        sets,
        np.random.default_rng(1970).integers(1 << 30, size=cells, dtype=np.int64),
        np.empty(states * 2 * words_for(cells), np.uint64),
        np.empty(states, np.int32),
        np.empty(states, np.int32),
        np.empty(states, np.uint16),
        np.empty(states, np.uint16),
        np.zeros(places, np.int32),
        np.empty(states, np.int32),
        np.zeros(3, np.int64),
    )


@part
def table_size(sets):
    """Returns a power of two that leaves a third of the table free at least."""
    places = SMALLEST_TABLE
    while 2 * places < 3 * sets:
        places *= 2
    return places


@part
def boxes_of(pulls, like, state):
    """Returns where the boxes of a position are, as a set of the same kind as `like`."""
    return fetch(like, pulls.positions, U(2 * len(like) * state))


@part
def region_of(pulls, like, state):
    """Returns where the player of a position can be."""
    return fetch(like, pulls.positions, U(2 * len(like) * state + len(like)))


@kernel
def explore(board, pulls, walls, goals, most_pushes, off_goals):
    """Meets positions, nearest first, up to `most_pushes` pushes, all that there is memory for.

    Where there are more sets of boxes than are told apart, none is met. With `off_goals` those are left out
    from which no position without a box on a goal can be met in so many pushes.
    """
    found = pulls.found
    found[STATES] = 0
    floor = minus(board.every, walls)
    cells, boxes = count(floor), count(goals)
    if boxes == 0 or boxes >= pulls.sets.shape[1] or pulls.sets[cells, boxes] > MOST_SETS:
        return
    if off_goals and not empty(minus(goals, pullable(board, floor))):
        return
    begin_table(pulls, pulls.sets[cells, boxes])
    meet_solved(board, pulls, floor, goals)
    # A box on a goal takes a pull of its own to leave it: towards the end some positions have too many.
    late = most_pushes - boxes if off_goals else most_pushes
    state = np.int64(0)
    while state < found[STATES] < len(pulls.parent) and pulls.depth[state] < most_pushes:
        depth = np.int64(pulls.depth[state])
        pull(board, pulls, floor, goals, state, most_pushes - depth - 1 if depth >= late else boxes)
        state += 1


@part
def begin_table(pulls, sets):
    """Begins a search in a table as small as will do, for the sake of the processor's caches."""
    found = pulls.found
    found[SEARCH] += 1
    if found[SEARCH] == SEARCHES:
        found[SEARCH] = 1
        pulls.table[:] = 0
    found[MASK] = min(table_size(sets), len(pulls.table)) - 1


@part
def pullable(board, floor):
    """Returns the cells from which a box could be pulled if there were no others."""
    cells = cleared(floor)
    for direction in range(4):
        # The farther of two cells of floor in a row.
        two = both(floor, sokoban.shifted(board, floor, direction))
        cells = either(cells, sokoban.shifted(board, two, direction))
    return both(cells, floor)


@part
def hash_of(pulls, boxes):
    """Returns the hash of a set of boxes."""
    number = np.int64(0)
    while not empty(boxes):
        cell = member_from(boxes, 0)
        boxes = removed(boxes, cell)
        number ^= pulls.codes[cell]
    return number


@part
def place_of(pulls, boxes, number):
    """Returns where in the table a set of boxes with a hash is, or would be."""
    search, mask = pulls.found[SEARCH], U(pulls.found[MASK])
    place = U(number) & mask
    while True:
        entry = np.int64(pulls.table[place])
        if entry >> STATE_BITS != search or same(boxes_of(pulls, boxes, entry & STATE), boxes):
            return place
        place = (place + U(1)) & mask


@part
def last_met(pulls, place):
    """Returns the position that was last met with the boxes of a place in the table, or NONE."""
    entry = np.int64(pulls.table[place])
    return entry & STATE if entry >> STATE_BITS == pulls.found[SEARCH] else np.int64(NONE)


@part
def meet_solved(board, pulls, floor, goals):
    """Enters the solved positions, one for each region of the player."""
    left, number = minus(floor, goals), hash_of(pulls, goals)
    while not empty(left):
        region = sokoban.reached(board, sokoban.only(board, member_from(left, 0)), minus(floor, goals))
        left = minus(left, region)
        meet(pulls, number, place_of(pulls, goals, number), goals, region, NONE, 0, 0)


@part
def meet(pulls, number, place, boxes, region, parent, push, depth):
    """Notes a position that is new, where there is memory left."""
    state = U(pulls.found[STATES])
    words = U(len(boxes))
    if state == len(pulls.parent):
        return
    store(boxes, pulls.positions, U(2) * words * state)
    store(region, pulls.positions, U(2) * words * state + words)
    pulls.hashes[state] = number
    pulls.parent[state] = parent
    pulls.push[state] = push
    pulls.depth[state] = depth
    pulls.older[state] = last_met(pulls, place)
    pulls.table[place] = pulls.found[SEARCH] << STATE_BITS | np.int64(state)
    pulls.found[STATES] += 1


@part
def among(pulls, boxes, state, player):
    """Returns the position with the player on a cell among those with the same boxes as one, or NONE."""
    while state != NONE and not has(region_of(pulls, boxes, state), player):
        state = np.int64(pulls.older[U(state)])
    return state


@part
def pull(board, pulls, floor, goals, state, most_filled):
    """Enters what one pull leads to from a position, but for what has more than so many boxes on goals."""
    boxes, region = boxes_of(pulls, floor, state), region_of(pulls, floor, state)
    number, depth = np.int64(pulls.hashes[state]), pulls.depth[state] + 1
    ups, downs = stands_of(board, boxes, region, sokoban.UP), stands_of(board, boxes, region, sokoban.DOWN)
    lefts, rights = (
        stands_of(board, boxes, region, sokoban.LEFT),
        stands_of(board, boxes, region, sokoban.RIGHT),
    )
    for direction in range(4):
        step = sokoban.stride(board, direction)
        stands = ups
        if direction != sokoban.UP:
            stands = downs if direction == sokoban.DOWN else lefts if direction == sokoban.LEFT else rights
        while not empty(stands):
            cell = member_from(stands, 0)
            stands = removed(stands, cell)
            after = added(removed(boxes, cell - step), cell)
            number_after = number ^ pulls.codes[U(cell - step)] ^ pulls.codes[U(cell)]
            place = place_of(pulls, after, number_after)
            known = among(pulls, after, last_met(pulls, place), cell + step)
            if known == NONE and count(both(after, goals)) <= most_filled:
                reach = reach_after(board, floor, region, after, cell, direction)
                meet(pulls, number_after, place, after, reach, state, cell * 4 + (direction ^ 1), depth)


@part
def stands_of(board, boxes, region, direction):
    """Returns where the player stands beside a box with room to step back and pull it in a direction."""
    return both(
        sokoban.shifted(board, boxes, direction), both(region, sokoban.shifted(board, region, direction ^ 1))
    )


@part
def reach_after(board, floor, region, after, cell, direction):
    """Returns where the player can be after it has pulled a box onto a cell that it stood on.

    It is where the player could be before, less that cell and more the one that the box has left, unless the
    box cuts that region in two or joins it to another.
    """
    step = sokoban.stride(board, direction)
    here, left = sokoban.only(board, cell), sokoban.only(board, cell - step)
    open_cells, reach = minus(floor, after), minus(region, here)
    if direction in (sokoban.UP, sokoban.DOWN):
        sides = either(
            sokoban.shifted(board, here, sokoban.LEFT), sokoban.shifted(board, here, sokoban.RIGHT)
        )
    else:
        sides = either(sokoban.shifted(board, here, sokoban.UP), sokoban.shifted(board, here, sokoban.DOWN))
    sides = both(sides, region)
    if not empty(minus(sokoban.shifted(board, sides, direction), region)):
        # No short way leads from there around the box.
        reach = reached_with(board, sokoban.only(board, cell + step), reach, sides)
    beside = both(sokoban.around(board, left), open_cells)
    if empty(both(beside, reach)):
        return reach
    reach = either(reach, left)
    return reach if empty(minus(beside, reach)) else sokoban.reached(board, reach, open_cells)


@part
def reached_with(board, start, within, wanted):
    """Returns all of `within` if some cells of it can be walked to; otherwise only what can be walked to."""
    seen = start
    while True:
        wider = both(either(seen, sokoban.around(board, seen)), within)
        if empty(minus(wanted, wider)):
            return within
        if same(wider, seen):
            return seen
        seen = wider


@part
def farthest(pulls, goals, most_pushes, locks):
    """Returns the position that needs the most pushes, up to a limit, with no box on a goal; or NONE.

    In locked cells stand the boxes that were given there, on goals too, and no others.
    """
    state = pulls.found[STATES] - 1
    while state >= 0:
        boxes = boxes_of(pulls, goals, state)
        if (
            pulls.depth[state] <= most_pushes
            and empty(both(minus(boxes, locks.boxes), goals))
            and same(both(boxes, locks.cells), locks.boxes)
            and not empty(both(region_of(pulls, goals, state), locks.seats))
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
