"""A search for a way to win against guards: best first, over moves of a cell, in the exact game.

What makes a state good is how few steps it is to the end of a guide, how early it is, and how little gold is
left. States that hardly differ are held to be one, so that nothing is proved where none is left; that is for
`exhaust`, which tries every key at every tick and forgets nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.loderunner.game.kernels.distances import FAR
from levelsmith.games.loderunner.game.kernels.game import tick
from levelsmith.games.loderunner.game.kernels.men import (
    AT,
    COUNT,
    DEAD,
    DIG_AT,
    DIG_LEFT,
    DX,
    DY,
    FALLING,
    GOLD,
    KEY,
    LEFT,
    LEFT_GOLD,
    NO_KEY,
    PLAYING,
    RIGHT,
    TICK,
    UP,
    WON,
    GuardedGame,
)
from levelsmith.games.loderunner.game.kernels.states import copy, identity, is_new, likeness, pack, unpack
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import U

KEYS = 7
WAIT_TICKS = 5  # of a wait
MOVE_TICKS = 16  # of a move, at most, unless he falls
FALL_TICKS = 400
LAST_TICK = 30_000  # of a game
NODES, HEAP, TRIED, DIED, FOUND = range(5)  # of `tally`
LOOSE = 60  # steps that a piece of gold costs which is no longer where it was
CARRIED_STEPS = 20  # to gold that a guard carries, besides the way to him


class Guide(NamedTuple):
    """How far it is to the end, in steps, by the gold that is left."""

    gold: NDArray[np.int32]  # [pieces] where each lies, in the order in which they are taken
    way: NDArray[np.int32]  # [pieces, cells] from a cell over the way to a piece
    rest: NDArray[np.int32]  # [pieces] from a piece to the end
    far: NDArray[np.int16]  # [cells, cells] steps from a cell to another, bricks dug
    free: bool  # whether any piece may come next from which the others can be had


class Hunt(NamedTuple):
    """The workspace of a search."""

    game: GuardedGame
    before: GuardedGame  # the same, before a key is tried
    bare: NDArray[np.uint8]  # [cells] the level without men and gold
    packed: NDArray[np.int16]  # [nodes, words]
    parent: NDArray[np.int32]  # [nodes]
    key: NDArray[np.uint8]  # [nodes] that was pressed
    cost: NDArray[np.float32]  # [nodes]
    heap: NDArray[np.int32]  # [nodes]
    table: NDArray[np.uint64]  # [a power of two] the states that are known
    tally: NDArray[np.int64]  # [5]


# ----------------------------------------------------------------------------------------------------- moves


@part
def along(man, key):
    """Returns how far a man is beyond the middle of his cell, in the direction of a key."""
    if key == LEFT:
        return -man[DX]
    if key == RIGHT:
        return man[DX]
    return -man[DY] if key == UP else man[DY]


@part
def wait(game):
    stands = tick(game, NO_KEY)
    for _ in range(WAIT_TICKS - 1):
        if stands == PLAYING:
            stands = tick(game, -1)
    return stands


@part
def press(game, key):
    """Presses a key until the runner is a cell further, stands again, has dug or has waited.

    Returns how the game stands, or -1 where the key does nothing.
    """
    if key == NO_KEY:
        return wait(game)
    man = game.men[0]
    at, dy, dx, beyond = man[AT], man[DY], man[DX], along(man, key)
    stands = tick(game, key)
    if key >= DIG_LEFT:
        if game.counts[DIG_AT] == 0:
            return np.int64(-1)
        while stands == PLAYING and game.counts[DIG_AT] != 0:
            stands = tick(game, -1)
        return stands
    for i in range(FALL_TICKS):
        if stands != PLAYING:
            return stands
        if man[AT] == at and man[DY] == dy and man[DX] == dx:
            return np.int64(-1) if i == 0 else stands
        if game.counts[FALLING] == 0:
            arrived = along(man, key) >= 0 and (man[AT] != at or beyond < 0)
            if i >= MOVE_TICKS or arrived:
                return stands
        dy, dx = man[DY], man[DX]
        if man[AT] != at:
            at, beyond = man[AT], np.int32(-1)
        stands = tick(game, -1)
    return stands


# ------------------------------------------------------------------------------------------------------ costs


@part
def steps_left(game, guide):
    """Returns about how many steps it is to the end."""
    at, left = np.int64(game.men[0, AT]), np.int64(game.counts[LEFT_GOLD])
    if guide.free:
        return free_steps(game, guide, at)
    there, first = 0, -1
    for i in range(len(guide.gold)):
        if game.tile[guide.gold[i]] == GOLD:
            there += 1
            if first < 0:
                first = i
    loose = LOOSE * (left - there)
    if first >= 0:
        return guide.way[first, at] + guide.rest[first] + loose
    return min(steps_to_any(game, guide, at), steps_to_carried(game, guide, at)) + loose


@part
def steps_to_any(game, guide, at):
    """Returns the steps to the nearest gold, wherever it lies."""
    nearest = np.int64(FAR)
    for cell in range(len(game.tile)):
        if game.tile[cell] == GOLD:
            nearest = min(nearest, np.int64(guide.far[at, cell]))
    return nearest


@part
def steps_to_carried(game, guide, at):
    """Returns the steps to the nearest guard with gold."""
    nearest = np.int64(FAR)
    for i in range(1, len(game.men)):
        if game.men[i, COUNT] > 0:
            nearest = min(nearest, CARRIED_STEPS + np.int64(guide.far[at, game.men[i, AT]]))
    return nearest


@part
def free_steps(game, guide, at):
    """Returns the steps to the nearest gold from which all other gold can be had."""
    nearest, any_piece, there = np.int64(FAR), np.int64(FAR), 0
    for i in range(len(guide.gold)):
        cell = guide.gold[i]
        if game.tile[cell] != GOLD:
            continue
        there += 1
        steps = np.int64(guide.far[at, cell])
        any_piece = min(any_piece, steps)
        if steps < nearest and all_from(game, guide, cell):
            nearest = steps
    if nearest >= FAR and any_piece < FAR:
        nearest = any_piece + LOOSE
    if there < game.counts[LEFT_GOLD]:  # some was carried away
        nearest = min(nearest, steps_to_any(game, guide, at))
        if nearest >= FAR:
            nearest = steps_to_carried(game, guide, at)
    return nearest


@part
def all_from(game, guide, cell):
    """Returns whether ways lead from a cell to all gold that lies where it was."""
    for i in range(len(guide.gold)):
        other = guide.gold[i]
        if game.tile[other] == GOLD and guide.far[cell, other] >= FAR:
            return False
    return True


# ----------------------------------------------------------------------------------------------------- search


@part
def push(hunt, node):
    """Puts a node into the heap."""
    place = hunt.tally[HEAP]
    hunt.tally[HEAP] += 1
    while place > 0:
        above = (place - 1) // 2
        if hunt.cost[hunt.heap[above]] <= hunt.cost[node]:
            break
        hunt.heap[place] = hunt.heap[above]
        place = above
    hunt.heap[place] = node


@part
def pop(hunt):
    """Takes the node of least cost from the heap."""
    best = hunt.heap[0]
    hunt.tally[HEAP] -= 1
    size = hunt.tally[HEAP]
    last = hunt.heap[size]
    place = 0
    while 2 * place + 1 < size:
        below = 2 * place + 1
        if below + 1 < size and hunt.cost[hunt.heap[below + 1]] < hunt.cost[hunt.heap[below]]:
            below += 1
        if hunt.cost[hunt.heap[below]] >= hunt.cost[last]:
            break
        hunt.heap[place] = hunt.heap[below]
        place = below
    hunt.heap[place] = last
    return best


@part
def keep(hunt, parent, key, cost):
    """Makes the game, which stands packed behind the last node, a node."""
    node = hunt.tally[NODES]
    hunt.tally[NODES] += 1
    hunt.parent[node] = parent
    hunt.key[node] = key
    hunt.cost[node] = cost
    return node


@part
def cost_of(game, guide, weights):
    soon, greedy = weights[0], weights[1]
    return soon * game.counts[TICK] / 5.0 + steps_left(game, guide) + greedy * game.counts[LEFT_GOLD]


@kernel
def start_hunt(hunt):
    """Begins a search with the game as it stands."""
    for i in range(len(hunt.table)):
        hunt.table[i] = U(0)
    for i in range(len(hunt.tally)):
        hunt.tally[i] = 0
    hunt.tally[FOUND] = -1
    pack(hunt.game, hunt.packed[0])
    push(hunt, keep(hunt, -1, NO_KEY, 0.0))


@kernel
def hunt_on(hunt, guide, weights, nodes):
    """Expands nodes until a game is won, so many more are kept, or nothing is left.

    Returns whether to go on.
    """
    game, full = hunt.game, len(hunt.parent) - KEYS
    end = min(hunt.tally[NODES] + nodes, full)
    while hunt.tally[HEAP] > 0 and hunt.tally[NODES] < end:
        node = pop(hunt)
        unpack(hunt.before, hunt.bare, hunt.packed[node])
        for key in range(KEYS):
            copy(hunt.before, game)
            stands = press(game, key)
            hunt.tally[TRIED] += 1
            hunt.tally[DIED] += stands == DEAD
            if stands == WON:
                hunt.tally[FOUND] = keep(hunt, node, key, 0.0)
                return False
            if stands == PLAYING and game.counts[TICK] < LAST_TICK:
                row = hunt.packed[hunt.tally[NODES]]
                pack(game, row)
                if is_new(hunt.table, likeness(game, row)):
                    push(hunt, keep(hunt, node, key, cost_of(game, guide, weights)))
    return hunt.tally[HEAP] > 0 and hunt.tally[NODES] < full


@kernel
def exhaust(hunt, period, nodes):
    """Tries every key at every tick, the earliest games first, as `hunt_on` does."""
    game, full = hunt.game, len(hunt.parent) - KEYS
    end = min(hunt.tally[NODES] + nodes, full)
    while hunt.tally[HEAP] > 0 and hunt.tally[NODES] < end:
        node = pop(hunt)
        unpack(hunt.before, hunt.bare, hunt.packed[node])
        for key in range(KEYS):
            copy(hunt.before, game)
            stands = tick(game, key)
            hunt.tally[TRIED] += 1
            hunt.tally[DIED] += stands == DEAD
            if stands == WON:
                hunt.tally[FOUND] = keep(hunt, node, key, 0.0)
                return False
            if stands == PLAYING:
                game.counts[KEY] = NO_KEY  # the next tick has a key of its own
                row = hunt.packed[hunt.tally[NODES]]
                pack(game, row)
                if is_new(hunt.table, identity(game, row, period)):
                    push(hunt, keep(hunt, node, key, game.counts[TICK]))
    return hunt.tally[HEAP] > 0 and hunt.tally[NODES] < full
