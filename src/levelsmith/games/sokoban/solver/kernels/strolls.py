"""Of all shortest solutions one with the fewest moves, compiled, where every position's distance is known.

From the start, layer by layer, only pushes are made that bring the end one push nearer; of the ways to a
position with the player on a cell the one with the fewest moves is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.rules.kernels.board import around, only, shifted, stride
from levelsmith.games.sokoban.solver.kernels.pulls import NONE, met_with, set_of
from levelsmith.kernels.bits import (
    added,
    both,
    either,
    empty,
    fetch,
    member_from,
    minus,
    removed,
    store,
    words_for,
)
from levelsmith.kernels.compile import kernel, part

if TYPE_CHECKING:
    from levelsmith.core import Size

SLOTS = 1 << 17  # of the table, twice as many as places
PLACES = SLOTS // 2


class Strolls(NamedTuple):
    """Places on the way: the boxes, where the player is, and how it got there."""

    boxes: NDArray[np.uint64]  # [PLACES * words]
    number: NDArray[np.int64]  # [PLACES] of the set of boxes
    player: NDArray[np.int32]  # [PLACES]
    moves: NDArray[np.int32]  # [PLACES]
    parent: NDArray[np.int32]  # [PLACES]
    push: NDArray[np.uint16]  # [PLACES] that led here
    table: NDArray[np.int32]  # [SLOTS] places by boxes and player; NONE throughout between two searches
    slot: NDArray[np.int32]  # [PLACES] in the table
    steps: NDArray[np.int32]  # [cells] the player's way to each cell


def make(size: Size) -> Strolls:
    cells = size[0] * size[1]
    return Strolls(
        np.empty(PLACES * words_for(cells), np.uint64),
        np.empty(PLACES, np.int64),
        np.empty(PLACES, np.int32),
        np.empty(PLACES, np.int32),
        np.empty(PLACES, np.int32),
        np.empty(PLACES, np.uint16),
        np.full(SLOTS, NONE, np.int32),
        np.empty(PLACES, np.int32),
        np.empty(cells, np.int32),
    )


@kernel
def fewest_moves(board, pulls, strolls, walls, start, player, path):
    """Writes the pushes of a shortest solution with the fewest moves into `path`.

    False where there are more places on the way than there is room for: `path` is untouched then.
    """
    floor = minus(board.every, walls)
    words = len(walls)
    depth = np.int64(pulls.depth[start])
    boxes = fetch(walls, pulls.boxes, start * words)
    store(boxes, strolls.boxes, 0)
    strolls.number[0] = set_of(pulls, boxes)
    strolls.player[0], strolls.moves[0], strolls.parent[0] = player, 0, NONE
    strolls.slot[0] = 0
    first, places = np.int64(0), np.int64(1)
    for left in range(depth - 1, -1, -1):  # pushes that are left after this layer
        last = places
        for place in range(first, last):
            places = pushed_on(board, pulls, strolls, floor, place, places, left)
            if places == PLACES:
                forget(strolls, places)
                return False
        first = last
    forget(strolls, places)
    best = first
    for place in range(first, places):
        if strolls.moves[place] < strolls.moves[best]:
            best = np.int64(place)
    for i in range(depth - 1, -1, -1):
        path[i] = strolls.push[best]
        best = np.int64(strolls.parent[best])
    return True


@part
def pushed_on(board, pulls, strolls, floor, place, places, left):
    """Adds the places after every push from one that leaves so many; how many there are."""
    words = len(floor)
    boxes = fetch(floor, strolls.boxes, place * words)
    open_cells = minus(floor, boxes)
    walked = walk(board, strolls, np.int64(strolls.player[place]), open_cells)
    for direction in range(4):
        step = stride(board, direction)
        pushable = both(
            both(shifted(board, walked, direction), boxes), shifted(board, open_cells, direction ^ 1)
        )
        cell = member_from(pushable, 0)
        while cell >= 0:
            after = added(removed(boxes, cell), cell + step)
            number = set_of(pulls, after)
            state = met_with(pulls, after, number, cell)
            if state != NONE and pulls.depth[state] == left:
                moves = strolls.moves[place] + strolls.steps[cell - step] + 1
                slot = slot_of(strolls, number, cell)
                known = np.int64(strolls.table[slot])
                if known == NONE:
                    if places == PLACES:
                        return places
                    known = places
                    places += 1
                    strolls.table[slot], strolls.slot[known] = known, slot
                    store(after, strolls.boxes, known * words)
                    strolls.number[known], strolls.player[known] = number, cell
                    strolls.moves[known] = moves + 1
                if moves < strolls.moves[known]:
                    strolls.moves[known], strolls.parent[known] = moves, place
                    strolls.push[known] = cell * 4 + direction
            cell = member_from(pushable, cell + 1)
    return places


@part
def forget(strolls, places):
    for place in range(places):
        strolls.table[strolls.slot[place]] = NONE


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


@part
def slot_of(strolls, number, player):
    """Returns where a place is in the table, or where it would be put."""
    slot = ((number * 256 + player) * 0x9E3779B1) & (SLOTS - 1)
    while True:
        place = np.int64(strolls.table[slot])
        if place == NONE or (strolls.number[place] == number and strolls.player[place] == player):
            return slot
        slot = (slot + 1) & (SLOTS - 1)
