"""How to get into a brick: a search over timed digging, compiled.

To be dug, a brick must have nothing above it and the runner beside that, so only bricks in the cone above it
can help: one row up three, two rows up five, and so on. A state is where the runner is and which bricks of the
cone are open, since when. Waits are not tried.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.loderunner.kernels import BRICK, GOLD, LADDER, ROPE, hard
from levelsmith.kernels.bits import ONE, ZERO, U
from levelsmith.kernels.compile import part

DIG_TICKS, HOLE_TICKS = 3, 35
DEEPEST = 8  # rows of a cone, whose bricks then fill a word
BUCKETS = 1024
TRIES = 1 << 16
LEFT, RIGHT, UP, DOWN, DIG_LEFT, DIG_RIGHT, WAIT = range(7)
STATES, SEARCHES, LAST = range(3)  # of `tally`


class Desk(NamedTuple):
    """The room that a search works in: states by number."""

    cell: NDArray[np.int32]  # [states]
    mask: NDArray[np.uint64]  # [states] the open bricks of the cone
    ticks: NDArray[np.int32]  # [states] since the search began
    fresh: NDArray[np.int32]  # [states] when its holes were dug, summed
    parent: NDArray[np.int32]  # [states]
    move: NDArray[np.uint8]  # [states]
    after: NDArray[np.int32]  # [states] the next state with the same priority
    opened: NDArray[np.int16]  # [states, 64] when each brick of the cone was dug
    heads: NDArray[np.int32]  # [BUCKETS] the first state of each priority, or -1
    slots: NDArray[np.int32]  # [slots] states by their hash
    stamps: NDArray[np.int32]  # [slots] the search that a slot is of
    sources: NDArray[np.int32]  # [cells]
    tally: NDArray[np.int64]  # [3] states made, searches begun, and states of the last search


class Cone(NamedTuple):
    """The brick to get into, and how many rows above it may be dug."""

    row: int
    column: int
    depth: int
    stride: int
    strict: bool  # gold that lies on a brick keeps it from being dug


def make_desk(cells: int, states: int) -> Desk:
    ints = np.zeros((5, states), np.int32)
    slots = 1 << (2 * states - 1).bit_length()
    return Desk(
        ints[0],
        np.zeros(states, np.uint64),
        *ints[1:4],
        np.zeros(states, np.uint8),
        ints[4],
        np.zeros((states, DEEPEST**2), np.int16),
        np.full(BUCKETS, -1, np.int32),
        np.zeros(slots, np.int32),
        np.zeros(slots, np.int32),
        np.zeros(cells, np.int32),
        np.zeros(3, np.int64),
    )


@part
def bit_of(cone, at):
    """The place of a cell in the cone, or -1 outside of it."""
    row = at // cone.stride
    up = cone.row - row
    aside = at - row * cone.stride - cone.column
    if up < 0 or up >= cone.depth or aside > up or -aside > up:
        return np.int64(-1)
    return up * up + up + aside


@part
def is_open(game, cone, mask, at):
    """Whether the runner can be in a cell, given the holes."""
    tile = game.tile[at]
    if tile != BRICK:
        return not hard(tile)
    bit = bit_of(cone, at)
    return bit >= 0 and (mask >> U(bit)) & ONE == ONE


@part
def stands_now(game, cone, mask, at):
    here, below = game.tile[at], game.tile[at + cone.stride]
    return here == LADDER or here == ROPE or below == LADDER or not is_open(game, cone, mask, at + cone.stride)


@part
def can_dig(game, cone, mask, at, side):
    """Whether the runner can dig the brick below the cell beside it, as part of the cone."""
    beside = at + side
    brick = beside + cone.stride
    if game.tile[brick] != BRICK or game.tile[beside] == LADDER or game.tile[beside] == ROPE:
        return False
    if cone.strict and game.tile[beside] == GOLD:
        return False
    bit = bit_of(cone, brick)
    return bit >= 0 and (mask >> U(bit)) & ONE == ZERO and is_open(game, cone, mask, beside)


@part
def work_left(game, cone, mask, at):
    """About how many ticks it takes to get into the brick: a trench is one wider in each row above it."""
    row = at // cone.stride
    column = at - row * cone.stride
    aside = abs(column - cone.column)
    ahead = cone.row - row
    if mask & ONE == ONE:
        return aside + ahead
    missing = 0
    for up in range(min(cone.depth, ahead + 1)):
        best = 64
        left = (cone.row - up) * cone.stride + cone.column - up
        count = 0
        for i in range(2 * up + 1):
            cell = left + i
            count += game.tile[cell] == BRICK and not is_open(game, cone, mask, cell)
            if i > up:
                gone = cell - up - 1
                count -= game.tile[gone] == BRICK and not is_open(game, cone, mask, gone)
            if i >= up:
                best = min(best, count)
        missing += best * (2 if up == ahead else 1)  # the runner's own row is too late to widen
    return (DIG_TICKS + 1) * missing + max(0, aside - ahead)


@part
def slot_of(desk, cell, mask, stamp):
    """Where a state is in the table, or the free slot where it goes."""
    size = len(desk.slots)
    place = (mask * U(0x9E3779B97F4A7C15)) ^ (U(cell) * U(0xD6E8FEB86659FD93))
    at = np.int64((place >> U(20)) & U(size - 1))
    while desk.stamps[at] == stamp:
        state = desk.slots[at]
        if desk.cell[state] == cell and desk.mask[state] == mask:
            break
        at = (at + 1) & (size - 1)
    return at


@part
def put(game, desk, cone, state, fresh):
    """Files a new state under its priority, unless one like it with fresher holes is there."""
    stamp = np.int32(desk.tally[SEARCHES])
    slot = slot_of(desk, desk.cell[state], desk.mask[state], stamp)
    if desk.stamps[slot] == stamp:
        other = desk.slots[slot]
        if desk.fresh[other] - desk.ticks[other] * fresh >= desk.fresh[state] - desk.ticks[state] * fresh:
            return False
    desk.stamps[slot] = stamp
    desk.slots[slot] = state
    left = work_left(game, cone, desk.mask[state], np.int64(desk.cell[state]))
    priority = min(np.int64(desk.ticks[state]) + 2 * left, BUCKETS - 1)
    desk.after[state] = desk.heads[priority]
    desk.heads[priority] = state
    desk.tally[LAST] = min(desk.tally[LAST], priority)
    return True


@part
def grow(game, desk, cone, state, move, free):
    """Makes the state after a move in place `free`; False where it cannot be or is no use."""
    at = np.int64(desk.cell[state])
    digs = move >= DIG_LEFT
    ticks = desk.ticks[state] + (DIG_TICKS if digs else 1)
    there = at if digs else at + game.step[move]
    mask, fresh, holes = ZERO, np.int64(0), 0
    before = desk.mask[state]
    for bit in range(cone.depth**2):
        if (before >> U(bit)) & ONE == ONE and ticks - desk.opened[state, bit] < HOLE_TICKS:
            mask |= ONE << U(bit)
            desk.opened[free, bit] = desk.opened[state, bit]
            fresh += desk.opened[state, bit]
            holes += 1
    if game.tile[there] == BRICK and not is_open(game, cone, mask, there):
        return False
    if digs:
        bit = bit_of(cone, at + game.step[move])
        mask |= ONE << U(bit)
        desk.opened[free, bit] = ticks
        fresh += ticks
        holes += 1
    if mask == ZERO:
        return False
    desk.cell[free], desk.mask[free], desk.ticks[free] = there, mask, ticks
    desk.parent[free], desk.move[free], desk.fresh[free] = state, move, fresh
    return put(game, desk, cone, free, holes)


@part
def inside(cone, at):
    """Whether a cell is near enough to the cone to be of use."""
    row = at // cone.stride
    aside = abs(at - row * cone.stride - cone.column)
    return cone.row - cone.depth - 3 <= row <= cone.row and aside <= cone.depth + 4


@part
def dig_into(game, desk, cone, sources, limit):
    """A state in the brick, from the first so many sources; -1 where there is none within the limit."""
    desk.tally[SEARCHES] += 1
    desk.tally[LAST] = BUCKETS
    for priority in range(BUCKETS):
        desk.heads[priority] = -1
    states = 0
    brick = cone.row * cone.stride + cone.column
    for i in range(sources):
        desk.cell[states], desk.mask[states], desk.ticks[states] = desk.sources[i], ZERO, 0
        desk.parent[states], desk.fresh[states] = -1, 0
        put(game, desk, cone, states, 0)
        states += 1
    found = np.int64(-1)
    while desk.tally[LAST] < BUCKETS and found < 0 and states + 7 < limit:
        priority = desk.tally[LAST]
        state = np.int64(desk.heads[priority])
        if state < 0:
            desk.tally[LAST] += 1
            continue
        desk.heads[priority] = desk.after[state]
        at, mask = np.int64(desk.cell[state]), desk.mask[state]
        if at == brick:
            found = state
            break
        falls = not stands_now(game, cone, mask, at)
        for move in range(6):
            if falls and move != DOWN:
                continue
            if move < DIG_LEFT:
                there = at + game.step[move]
                good = is_open(game, cone, mask, there) and inside(cone, there)
                good = good and (move != UP or game.tile[at] == LADDER)
            else:
                good = can_dig(game, cone, mask, at, -1 if move == DIG_LEFT else 1)
            if good and grow(game, desk, cone, state, move, states):
                states += 1
    desk.tally[STATES] += states
    return found
