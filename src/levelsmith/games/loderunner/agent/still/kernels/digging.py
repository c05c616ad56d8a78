"""A search over timed digging, compiled: where the runner is, and which bricks are open since when.

It serves two questions. How to get into a brick: to be dug it must have nothing above it and the runner
beside that, so only bricks in the cone above it can help, one row up three, two rows up five, and so on. And
how to fetch some gold and get away again, with any bricks around it. Waits are not tried.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.loderunner.judge.kernels.judge import BRICK, FINISHED, GOLD, LADDER, ROPE, TRAP, hard
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


class DiggingWorkspace(NamedTuple):
    """What a search works in: states by number, and what it knows of the cells."""

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


class DiggingSite(NamedTuple):
    """What a search is for: a brick under its cone, or gold."""

    row: int  # of the brick
    column: int
    depth: int  # rows of the cone; 0 for a trip to gold
    stride: int
    golds: int  # pieces to fetch, the cells of which are in `gold`
    gold: NDArray[np.int32]  # [GOLD_BITS]
    holes: int  # that may be open at once
    part: int  # the part of the map whose gold is collected before it is in the way, or ANY, or NONE


def make_workspace(cells: int, states: int) -> DiggingWorkspace:
    slots = 1 << (2 * states - 1).bit_length()
    return DiggingWorkspace(
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
def is_open(game, workspace, mask, at):
    """Returns whether the runner can be in a cell, given the holes."""
    tile = game.tile[at]
    if tile != BRICK:
        return not hard(tile)
    bit = workspace.bit[at]
    return bit != NO_BIT and (mask >> U(bit)) & ONE == ONE


@part
def stands_now(game, workspace, mask, at, stride):
    here, below = game.tile[at], game.tile[at + stride]
    return here in (LADDER, ROPE) or below == LADDER or not is_open(game, workspace, mask, at + stride)


@part
def can_dig(game, workspace, site, mask, at, side):
    """Returns whether the runner can dig the brick below the cell beside it."""
    beside = at + side
    brick = beside + site.stride
    if game.tile[brick] != BRICK or game.tile[beside] in (LADDER, ROPE, TRAP):
        return False
    bit = workspace.bit[brick]
    if bit == NO_BIT or (mask >> U(bit)) & ONE == ONE or not is_open(game, workspace, mask, beside):
        return False
    if game.tile[beside] != GOLD:
        return True
    if workspace.bit[beside] == NO_BIT:
        own = game.number[beside] == FINISHED and game.low[beside] == site.part
        return own or site.part == ANY
    return (mask >> U(workspace.bit[beside])) & ONE == ONE


@part
def closed(game, workspace, mask, at):
    return game.tile[at] == BRICK and not is_open(game, workspace, mask, at)


@part
def digs_left(game, workspace, site, mask, at):
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
            number += closed(game, workspace, mask, left + i)
            if i > up:
                number -= closed(game, workspace, mask, left + i - up - 1)
            if i >= up:
                fewest = min(fewest, number)
        missing += fewest * (2 if up == ahead else 1)  # the runner's own row is too late to widen
    return 2 * ((DIG_TICKS + 1) * missing + max(0, aside - ahead))


@part
def trip_left(workspace, site, mask, at):
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
    return np.int64(workspace.ahead[at]) if left == 0 else 2 * left + nearest


@part
def slot_of(workspace, cell, mask, stamp):
    """Returns where a state is in the table, or the free slot where it goes."""
    size = len(workspace.slots)
    place = (mask * U(0x9E3779B97F4A7C15)) ^ (U(cell) * U(0xD6E8FEB86659FD93))
    at = np.int64((place >> U(20)) & U(size - 1))
    while workspace.stamps[at] == stamp:
        state = workspace.slots[at]
        if workspace.cell[state] == cell and workspace.mask[state] == mask:
            break
        at = (at + 1) & (size - 1)
    return at


@part
def put(game, workspace, site, state):
    """Files a new state under its priority, unless one like it with fresher holes is there."""
    stamp = np.int32(workspace.tally[SEARCHES])
    mask = workspace.mask[state]
    slot = slot_of(workspace, workspace.cell[state], mask, stamp)
    if workspace.stamps[slot] == stamp:
        other, holes = workspace.slots[slot], np.int64(popcount(mask & DUG))
        freshness = workspace.fresh[state] - workspace.ticks[state] * holes
        if workspace.fresh[other] - workspace.ticks[other] * holes >= freshness:
            return False
    workspace.stamps[slot] = stamp
    workspace.slots[slot] = state
    at = np.int64(workspace.cell[state])
    if site.depth > 0:
        left = digs_left(game, workspace, site, mask, at)
    else:
        left = trip_left(workspace, site, mask, at)
    priority = min(np.int64(workspace.ticks[state]) + left, BUCKETS - 1)
    workspace.after[state] = workspace.heads[priority]
    workspace.heads[priority] = state
    workspace.tally[LOWEST] = min(workspace.tally[LOWEST], priority)
    return True


@part
def grow(game, workspace, site, state, move, free):
    """Makes the state after a move in place `free`; False where it cannot be or is no use."""
    at = np.int64(workspace.cell[state])
    digs = move >= DIG_LEFT
    ticks = workspace.ticks[state] + (DIG_TICKS if digs else 1)
    there = at if digs else at + game.step[move]
    before = workspace.mask[state]
    mask, fresh, holes = before & ~DUG, np.int64(0), 0
    left = before & DUG
    while left != ZERO:
        bit = lowest(left)
        left &= left - ONE
        if ticks - workspace.opened[state, bit] < HOLE_TICKS:
            mask |= ONE << U(bit)
            workspace.opened[free, bit] = workspace.opened[state, bit]
            fresh += workspace.opened[state, bit]
            holes += 1
    if closed(game, workspace, mask, there):
        return False
    if digs:
        bit = np.int64(workspace.bit[at + game.step[move]])
        mask |= ONE << U(bit)
        workspace.opened[free, bit] = ticks
        fresh += ticks
        holes += 1
    elif game.tile[there] == GOLD and workspace.bit[there] != NO_BIT:
        mask |= ONE << U(workspace.bit[there])
    if mask == ZERO or holes > site.holes:
        return False
    workspace.cell[free], workspace.mask[free], workspace.ticks[free] = there, mask, ticks
    workspace.parent[free], workspace.move[free], workspace.fresh[free] = state, move, fresh
    return put(game, workspace, site, free)


@part
def arrived(game, workspace, site, state):
    """Returns whether a state is what the search is for."""
    at = np.int64(workspace.cell[state])
    if site.depth > 0:
        return at == site.row * site.stride + site.column
    every = ((ONE << U(site.golds)) - ONE) << U(BRICKS)
    return workspace.good[at] != 0 and workspace.mask[state] & every == every


@kernel
def dig(game, workspace, site, sources, limit):
    """Returns a state that the search is for, from the first so many sources; -1 for none in the limit."""
    workspace.tally[SEARCHES] += 1
    workspace.tally[LOWEST] = BUCKETS
    for priority in range(BUCKETS):
        workspace.heads[priority] = -1
    states = 0
    for i in range(sources):
        workspace.cell[states], workspace.mask[states] = workspace.sources[i], ZERO
        workspace.ticks[states], workspace.parent[states], workspace.fresh[states] = 0, -1, 0
        put(game, workspace, site, states)
        states += 1
    found = np.int64(-1)
    while workspace.tally[LOWEST] < BUCKETS and states + 7 < limit:
        priority = workspace.tally[LOWEST]
        state = np.int64(workspace.heads[priority])
        if state < 0:
            workspace.tally[LOWEST] += 1
            continue
        workspace.heads[priority] = workspace.after[state]
        if arrived(game, workspace, site, state):
            found = state
            break
        at, mask = np.int64(workspace.cell[state]), workspace.mask[state]
        falls = not stands_now(game, workspace, mask, at, site.stride)
        for move in range(6):
            if falls and move != DOWN:
                continue
            if move < DIG_LEFT:
                there = at + game.step[move]
                can = workspace.field[there] != 0 and is_open(game, workspace, mask, there)
                can = can and (move != UP or game.tile[at] == LADDER)
                can = can and (move == DOWN or game.tile[there] != TRAP)
            else:
                can = can_dig(game, workspace, site, mask, at, -1 if move == DIG_LEFT else 1)
            if can and grow(game, workspace, site, state, move, states):
                states += 1
    workspace.tally[STATES] += states
    return found
