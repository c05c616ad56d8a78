"""A search over timed digging, compiled: where the runner is, and which bricks are open since when.

It serves two questions. How to get into a brick: to be dug it must have nothing above it and the runner
beside that, so only bricks in the cone above it can help, one row up three, two rows up five, and so on. And
how to fetch some gold and get away again, with any bricks around it. Waits are not tried.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.loderunner.judge.kernels.judge import BRICK, FINISHED, GOLD, LADDER, ROPE, hard
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import ONE, ZERO, U, lowest, popcount

DIG_TICKS, HOLE_TICKS = 3, 35
DEEPEST = 7  # rows of a cone
BRICKS = 56  # that a search may dig at most; the rest of a word is for gold
GOLD_BITS = 8
DUG = U((1 << BRICKS) - 1)
NO_BIT = 255
ANY, NONE = -1, -2  # parts
BUCKETS = 1024
LEFT, RIGHT, UP, DOWN, DIG_LEFT, DIG_RIGHT, WAIT = range(7)
STATES, SEARCHES, LOWEST = range(3)  # of `tally`


class Desk(NamedTuple):
    """The room that a search works in: states by number, and what it knows of the cells."""

    cell: NDArray[np.int32]  # [states]
    mask: NDArray[np.uint64]  # [states] the bricks that are open, and behind them the gold that was taken
    ticks: NDArray[np.int32]  # [states] since the search began
    fresh: NDArray[np.int32]  # [states] when its holes were dug, summed
    parent: NDArray[np.int32]  # [states]
    move: NDArray[np.uint8]  # [states]
    after: NDArray[np.int32]  # [states] the next state with the same priority
    opened: NDArray[np.int16]  # [states, BRICKS] when each brick was dug
    heads: NDArray[np.int32]  # [BUCKETS] the first state of each priority, or -1
    slots: NDArray[np.int32]  # [slots] states by their hash
    stamps: NDArray[np.int32]  # [slots] the search that a slot is of
    bit: NDArray[np.uint8]  # [cells] the place of a brick or gold in masks, or NO_BIT
    field: NDArray[np.uint8]  # [cells] whether the runner may go there
    good: NDArray[np.uint8]  # [cells] whether a trip may end there
    ahead: NDArray[np.int32]  # [cells] about how far it is to where a trip may end
    sources: NDArray[np.int32]  # [cells]
    tally: NDArray[np.int64]  # [3] states made, searches begun, the lowest priority that waits


class Site(NamedTuple):
    """What a search is for: a brick under its cone, or gold."""

    row: int  # of the brick
    column: int
    depth: int  # rows of the cone; 0 for a trip to gold
    stride: int
    golds: int  # pieces to fetch, the cells of which are in `gold`
    gold: NDArray[np.int32]  # [GOLD_BITS]
    holes: int  # that may be open at once
    part: int  # the part of the map whose gold is collected before it is in the way, or ANY, or NONE


def make_desk(cells: int, states: int) -> Desk:
    slots = 1 << (2 * states - 1).bit_length()
    return Desk(
        cell=np.zeros(states, np.int32),
        mask=np.zeros(states, np.uint64),
        ticks=np.zeros(states, np.int32),
        fresh=np.zeros(states, np.int32),
        parent=np.zeros(states, np.int32),
        move=np.zeros(states, np.uint8),
        after=np.zeros(states, np.int32),
        opened=np.zeros((states, BRICKS), np.int16),
        heads=np.full(BUCKETS, -1, np.int32),
        slots=np.zeros(slots, np.int32),
        stamps=np.zeros(slots, np.int32),
        bit=np.full(cells, NO_BIT, np.uint8),
        field=np.zeros(cells, np.uint8),
        good=np.zeros(cells, np.uint8),
        ahead=np.zeros(cells, np.int32),
        sources=np.zeros(cells, np.int32),
        tally=np.zeros(3, np.int64),
    )


@part
def is_open(game, desk, mask, at):
    """Whether the runner can be in a cell, given the holes."""
    tile = game.tile[at]
    if tile != BRICK:
        return not hard(tile)
    bit = desk.bit[at]
    return bit != NO_BIT and (mask >> U(bit)) & ONE == ONE


@part
def stands_now(game, desk, mask, at, stride):
    here, below = game.tile[at], game.tile[at + stride]
    return here in (LADDER, ROPE) or below == LADDER or not is_open(game, desk, mask, at + stride)


@part
def can_dig(game, desk, site, mask, at, side):
    """Whether the runner can dig the brick below the cell beside it."""
    beside = at + side
    brick = beside + site.stride
    if game.tile[brick] != BRICK or game.tile[beside] == LADDER or game.tile[beside] == ROPE:
        return False
    bit = desk.bit[brick]
    if bit == NO_BIT or (mask >> U(bit)) & ONE == ONE or not is_open(game, desk, mask, beside):
        return False
    if game.tile[beside] != GOLD:
        return True
    if desk.bit[beside] == NO_BIT:
        own = game.number[beside] == FINISHED and game.low[beside] == site.part
        return own or site.part == ANY
    return (mask >> U(desk.bit[beside])) & ONE == ONE


@part
def closed(game, desk, mask, at):
    return game.tile[at] == BRICK and not is_open(game, desk, mask, at)


@part
def digs_left(game, desk, site, mask, at):
    """About how many ticks it takes to get into the brick: a trench is one wider in each row above it."""
    row = at // site.stride
    aside = abs(at - row * site.stride - site.column)
    ahead = site.row - row
    if mask & ONE == ONE:
        return aside + ahead
    missing = 0
    for up in range(min(site.depth, ahead + 1)):
        fewest, number = 64, 0
        left = (site.row - up) * site.stride + site.column - up
        for i in range(2 * up + 1):
            number += closed(game, desk, mask, left + i)
            if i > up:
                number -= closed(game, desk, mask, left + i - up - 1)
            if i >= up:
                fewest = min(fewest, number)
        missing += fewest * (2 if up == ahead else 1)  # the runner's own row is too late to widen
    return 2 * ((DIG_TICKS + 1) * missing + max(0, aside - ahead))


@part
def trip_left(desk, site, mask, at):
    """About how many ticks it takes to fetch the gold, or to get away with it."""
    left, nearest = 0, 1 << 20
    row = at // site.stride
    column = at - row * site.stride
    for i in range(site.golds):
        if (mask >> U(BRICKS + i)) & ONE == ZERO:
            there = site.gold[i] // site.stride
            aside = abs(site.gold[i] - there * site.stride - column)
            nearest = min(nearest, abs(there - row) + aside)
            left += 1
    return np.int64(desk.ahead[at]) if left == 0 else 2 * left + nearest


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
def put(game, desk, site, state):
    """Files a new state under its priority, unless one like it with fresher holes is there."""
    stamp = np.int32(desk.tally[SEARCHES])
    mask = desk.mask[state]
    slot = slot_of(desk, desk.cell[state], mask, stamp)
    if desk.stamps[slot] == stamp:
        other, holes = desk.slots[slot], np.int64(popcount(mask & DUG))
        if desk.fresh[other] - desk.ticks[other] * holes >= desk.fresh[state] - desk.ticks[state] * holes:
            return False
    desk.stamps[slot] = stamp
    desk.slots[slot] = state
    at = np.int64(desk.cell[state])
    if site.depth > 0:
        left = digs_left(game, desk, site, mask, at)
    else:
        left = trip_left(desk, site, mask, at)
    priority = min(np.int64(desk.ticks[state]) + left, BUCKETS - 1)
    desk.after[state] = desk.heads[priority]
    desk.heads[priority] = state
    desk.tally[LOWEST] = min(desk.tally[LOWEST], priority)
    return True


@part
def grow(game, desk, site, state, move, free):
    """Makes the state after a move in place `free`; False where it cannot be or is no use."""
    at = np.int64(desk.cell[state])
    digs = move >= DIG_LEFT
    ticks = desk.ticks[state] + (DIG_TICKS if digs else 1)
    there = at if digs else at + game.step[move]
    before = desk.mask[state]
    mask, fresh, holes = before & ~DUG, np.int64(0), 0
    left = before & DUG
    while left != ZERO:
        bit = lowest(left)
        left &= left - ONE
        if ticks - desk.opened[state, bit] < HOLE_TICKS:
            mask |= ONE << U(bit)
            desk.opened[free, bit] = desk.opened[state, bit]
            fresh += desk.opened[state, bit]
            holes += 1
    if closed(game, desk, mask, there):
        return False
    if digs:
        bit = np.int64(desk.bit[at + game.step[move]])
        mask |= ONE << U(bit)
        desk.opened[free, bit] = ticks
        fresh += ticks
        holes += 1
    elif game.tile[there] == GOLD and desk.bit[there] != NO_BIT:
        mask |= ONE << U(desk.bit[there])
    if mask == ZERO or holes > site.holes:
        return False
    desk.cell[free], desk.mask[free], desk.ticks[free] = there, mask, ticks
    desk.parent[free], desk.move[free], desk.fresh[free] = state, move, fresh
    return put(game, desk, site, free)


@part
def arrived(game, desk, site, state):
    """Whether a state is what the search is for."""
    at = np.int64(desk.cell[state])
    if site.depth > 0:
        return at == site.row * site.stride + site.column
    every = ((ONE << U(site.golds)) - ONE) << U(BRICKS)
    return desk.good[at] != 0 and desk.mask[state] & every == every


@kernel
def dig(game, desk, site, sources, limit):
    """A state that the search is for, from the first so many sources; -1 where none is within the limit."""
    desk.tally[SEARCHES] += 1
    desk.tally[LOWEST] = BUCKETS
    for priority in range(BUCKETS):
        desk.heads[priority] = -1
    states = 0
    for i in range(sources):
        desk.cell[states], desk.mask[states], desk.ticks[states] = desk.sources[i], ZERO, 0
        desk.parent[states], desk.fresh[states] = -1, 0
        put(game, desk, site, states)
        states += 1
    found = np.int64(-1)
    while desk.tally[LOWEST] < BUCKETS and states + 7 < limit:
        priority = desk.tally[LOWEST]
        state = np.int64(desk.heads[priority])
        if state < 0:
            desk.tally[LOWEST] += 1
            continue
        desk.heads[priority] = desk.after[state]
        if arrived(game, desk, site, state):
            found = state
            break
        at, mask = np.int64(desk.cell[state]), desk.mask[state]
        falls = not stands_now(game, desk, mask, at, site.stride)
        for move in range(6):
            if falls and move != DOWN:
                continue
            if move < DIG_LEFT:
                there = at + game.step[move]
                can = desk.field[there] != 0 and is_open(game, desk, mask, there)
                can = can and (move != UP or game.tile[at] == LADDER)
            else:
                can = can_dig(game, desk, site, mask, at, -1 if move == DIG_LEFT else 1)
            if can and grow(game, desk, site, state, move, states):
                states += 1
    desk.tally[STATES] += states
    return found
