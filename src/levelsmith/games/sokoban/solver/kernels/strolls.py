"""Of all shortest solutions one with the fewest moves, compiled, where every position's distance is known.

From the start, layer by layer, only pushes are made that bring the end one push nearer; of the ways to a
position with the player on a cell the one with the fewest moves is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.rules.kernels.board import around, only, shifted, stride
from levelsmith.games.sokoban.solver.kernels import pulls as pulling
from levelsmith.kernels.bits import added, both, cleared, either, empty, member_from, minus, removed
from levelsmith.kernels.compile import kernel, part

if TYPE_CHECKING:
    from levelsmith.core import Size

IN_PLACES, IN_POSITIONS, IN_PUSHES = range(3)  # of `counts`
PLACES = 1 << 16
POSITIONS = PLACES + 1024  # the last place may have found as many positions as it has pushes
PUSHES = 16 * PLACES  # from all positions together; more than a few lead on from none


class Strolls(NamedTuple):
    """Places on the way: a position, where the player is, and how it got there.

    Positions on the way have numbers of their own, in the order in which they were met, so that what is known
    of one serves all places in it.
    """

    player: NDArray[np.int32]  # [PLACES]
    moves: NDArray[np.int32]  # [PLACES]
    parent: NDArray[np.int32]  # [PLACES]
    push: NDArray[np.uint16]  # [PLACES] that led here
    position: NDArray[np.int32]  # [PLACES] its number
    other: NDArray[np.int32]  # [PLACES] another place in the same position, or NONE
    state: NDArray[np.int32]  # [POSITIONS] among those of the pulls
    newest: NDArray[np.int32]  # [POSITIONS] the place that was last met in it, or NONE
    pushes: NDArray[
        np.int32
    ]  # [POSITIONS] the first of the pushes that lead on, or NONE where that is not known
    pushes_end: NDArray[np.int32]  # [POSITIONS] the one behind the last
    next_position: NDArray[np.int32]  # [PUSHES] where a push leads
    next_push: NDArray[np.uint16]  # [PUSHES]
    number: NDArray[np.int32]  # [states] of a state that is on the way; counts only if `state` says so too
    steps: NDArray[np.int32]  # [cells] the player's way to each cell
    counts: NDArray[np.int64]  # [3] how many places, positions and pushes there are


def make(size: Size, most_states: int) -> Strolls:
    cells = size[0] * size[1]
    return Strolls(
        np.empty(PLACES, np.int32),
        np.empty(PLACES, np.int32),
        np.empty(PLACES, np.int32),
        np.empty(PLACES, np.uint16),
        np.empty(PLACES, np.int32),
        np.empty(PLACES, np.int32),
        np.empty(POSITIONS, np.int32),
        np.empty(POSITIONS, np.int32),
        np.empty(POSITIONS, np.int32),
        np.empty(POSITIONS, np.int32),
        np.empty(PUSHES, np.int32),
        np.empty(PUSHES, np.uint16),
        np.zeros(min(most_states, pulling.MOST_STATES), np.int32),
        np.empty(cells, np.int32),
        np.zeros(3, np.int64),
    )


@kernel
def fewest_moves(board, pulls, strolls, walls, start, player, path):
    """Writes the pushes of a shortest solution with the fewest moves into `path`.

    False where there are more places on the way than there is room for: `path` is untouched then.
    """
    floor = minus(board.every, walls)
    depth = np.int64(pulls.depth[start])
    counts = strolls.counts
    counts[:] = 0
    add_place(strolls, number_of(strolls, start), player, 0, pulling.NONE, 0)
    first = np.int64(0)
    for left in range(depth - 1, -1, -1):  # pushes that are left after this layer
        last = counts[IN_PLACES]
        for place in range(first, last):
            if not push_on(board, pulls, strolls, floor, np.int64(place), left):
                return False
        first = last
    best = first
    for place in range(first, counts[IN_PLACES]):
        if strolls.moves[place] < strolls.moves[best]:
            best = np.int64(place)
    for i in range(depth - 1, -1, -1):
        path[i] = strolls.push[best]
        best = np.int64(strolls.parent[best])
    return True


@part
def number_of(strolls, state):
    """Returns the number of a position, which is a new one where it was not met before."""
    number = np.int64(strolls.number[state])
    if number < strolls.counts[IN_POSITIONS] and strolls.state[number] == state:
        return number
    number = strolls.counts[IN_POSITIONS]
    strolls.counts[IN_POSITIONS] += 1
    strolls.number[state], strolls.state[number] = number, state
    strolls.newest[number] = strolls.pushes[number] = pulling.NONE
    return number


@part
def add_place(strolls, position, player, moves, parent, push):
    place = strolls.counts[IN_PLACES]
    strolls.counts[IN_PLACES] += 1
    strolls.player[place], strolls.moves[place] = player, moves
    strolls.parent[place], strolls.push[place] = parent, push
    strolls.position[place], strolls.other[place] = position, strolls.newest[position]
    strolls.newest[position] = place


@part
def push_on(board, pulls, strolls, floor, place, left):
    """Adds the places after every push from one that leaves so many; returns False where there is no room."""
    position = np.int64(strolls.position[place])
    boxes = pulling.boxes_of(pulls, floor, np.int64(strolls.state[position]))
    if strolls.pushes[position] == pulling.NONE:
        list_pushes(board, pulls, strolls, floor, position, left)
    behind = cleared(floor)
    for i in range(strolls.pushes[position], strolls.pushes_end[position]):
        push = np.int64(strolls.next_push[i])
        behind = added(behind, (push >> 2) - stride(board, push & 3))
    walk_to(board, strolls, np.int64(strolls.player[place]), minus(floor, boxes), behind)
    for i in range(strolls.pushes[position], strolls.pushes_end[position]):
        push, there = np.int64(strolls.next_push[i]), np.int64(strolls.next_position[i])
        cell = push >> 2
        moves = strolls.moves[place] + strolls.steps[cell - stride(board, push & 3)] + 1
        known = np.int64(strolls.newest[there])
        while known != pulling.NONE and strolls.player[known] != cell:
            known = np.int64(strolls.other[known])
        if known == pulling.NONE:
            if strolls.counts[IN_PLACES] == PLACES:
                return False
            add_place(strolls, there, cell, moves, place, push)
        elif moves < strolls.moves[known]:
            strolls.moves[known], strolls.parent[known] = moves, place
            strolls.push[known] = push
    return True


@part
def list_pushes(board, pulls, strolls, floor, position, left):
    """Lists the pushes from a position that leave so many."""
    state = np.int64(strolls.state[position])
    boxes, region = pulling.boxes_of(pulls, floor, state), pulling.region_of(pulls, floor, state)
    open_cells, number = minus(floor, boxes), np.int64(pulls.hashes[state])
    end = strolls.counts[IN_PUSHES]
    strolls.pushes[position] = end
    for direction in range(4):
        step = stride(board, direction)
        pushable = both(
            both(shifted(board, region, direction), boxes), shifted(board, open_cells, direction ^ 1)
        )
        while not empty(pushable):
            cell = member_from(pushable, 0)
            pushable = removed(pushable, cell)
            after = added(removed(boxes, cell), cell + step)
            place = pulling.place_of(pulls, after, number ^ pulls.codes[cell] ^ pulls.codes[cell + step])
            there = pulling.among(pulls, after, pulling.last_met(pulls, place), cell)
            if there != pulling.NONE and pulls.depth[there] == left and end < PUSHES:
                strolls.next_position[end] = number_of(strolls, there)
                strolls.next_push[end] = cell * 4 + direction
                end += 1
    strolls.pushes_end[position] = strolls.counts[IN_PUSHES] = end


@part
def walk_to(board, strolls, player, open_cells, cells):
    """Notes the steps to each of some cells, all of which the player can walk to."""
    seen = only(board, player)
    newest = seen
    steps = 0
    while not empty(cells):
        arrived = both(newest, cells)
        cells = minus(cells, newest)
        while not empty(arrived):
            cell = member_from(arrived, 0)
            arrived = removed(arrived, cell)
            strolls.steps[cell] = steps
        newest = minus(both(around(board, newest), open_cells), seen)
        seen = either(seen, newest)
        steps += 1


@part
def walk(board, strolls, player, open_cells):
    """Notes the steps to every cell that the player can walk to; those cells."""
    seen = only(board, player)
    newest = seen
    steps = 0
    while not empty(newest):
        cell = member_from(newest, 0)
        while cell >= 0:
            strolls.steps[cell] = steps
            cell = member_from(newest, cell + 1)
        newest = minus(both(around(board, newest), open_cells), seen)
        seen = either(seen, newest)
        steps += 1
    return seen
