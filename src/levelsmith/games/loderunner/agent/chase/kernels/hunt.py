"""A search for a way to win against guards: best first, over moves of a cell, in the exact game.

A state is good if it is few steps to the end of a guide, if it is early, if little gold is left, and if the
runner was seldom where he is while a guard was where that one is: without the last, states that differ in
time alone drown all others. It is the novelty of best-first width search (Lipovetzky and Geffner, 2017), as a
count. Guards nearby may count too: then he leads them away before he digs. States that hardly differ are held
to be one, so that nothing is proved where none is left; that is for a search with a period, which tries every
key at every tick, the earliest games first, and forgets nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.loderunner.agent.chase.kernels.distances import FAR, Ways, measure_from
from levelsmith.games.loderunner.game.kernels import men, states
from levelsmith.games.loderunner.game.kernels.moves import press
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import U

KEYS = 7
LAST_TICK = 30_000  # of a game
NODES, HEAP, TRIED, DIED, FOUND = range(5)  # of `tally`
TIME, GOLD_LEFT, MET, NEAR = range(4)  # of weights
MOST_MET = 255
NOWHERE = -1  # on a plan
NEARBY = 24  # cells from the runner within which a guard counts as near
LOOSE = 60  # steps that a piece of gold costs which is no longer where it was
CARRIED_STEPS = 20  # to gold that a guard carries, besides the way to him


class Guide(NamedTuple):
    """How far it is to the end, in steps, by the gold that is left."""

    free: bool  # whether any piece may come next from which the others can be had; else along a plan
    ways: Ways  # bricks dug
    out: NDArray[np.int32]  # [cells] steps to the top row, once all gold is taken, where a level ends there
    gold: NDArray[np.int32]  # [pieces] where each lies, in the order in which the plan takes them
    way: NDArray[np.int32]  # [pieces, cells] from a cell over the way of the plan to a piece
    rest: NDArray[np.int32]  # [pieces] from a piece to the end
    taken: NDArray[np.int32]  # [pieces] after how many moves of the plan
    join: NDArray[np.int32]  # [pieces, cells] from which move on the plan goes on from a cell, or NOWHERE
    cell: NDArray[np.int32]  # [moves + 1] where the runner of the plan is
    left: NDArray[np.int32]  # [moves + 1] steps to the end of the plan
    move: NDArray[np.uint8]  # [moves] its keys


class Hunt(NamedTuple):
    """The workspace of a search."""

    game: men.GuardedGame
    before: men.GuardedGame  # the same, before a key is tried
    bare: NDArray[np.uint8]  # [cells] the level without men and gold
    packed: NDArray[np.int16]  # [nodes, words]
    parent: NDArray[np.int32]  # [nodes]
    key: NDArray[np.uint8]  # [nodes] that was pressed
    mark: NDArray[np.int32]  # [nodes] moves of the plan that were made, or NOWHERE off its way
    cost: NDArray[np.float32]  # [nodes]
    heap: NDArray[np.int32]  # [nodes]
    table: NDArray[np.uint64]  # [a power of two] the states that are known
    met: NDArray[np.uint8]  # [a power of two] how often the runner was here while a guard was there
    tally: NDArray[np.int64]  # [5]


# ------------------------------------------------------------------------------------------------------ costs


@part
def first_piece(game, guide):
    """Returns the first piece in the order of the guide that lies where it was, or NOWHERE."""
    for i in range(len(guide.gold)):
        if game.tile[guide.gold[i]] == men.GOLD:
            return np.int64(i)
    return np.int64(NOWHERE)


@part
def mark_after(game, guide, mark, key):
    """Returns how many moves of the plan are made after a key, or NOWHERE off its way.

    Off its way, or past gold that was not taken, it goes on from the last move at which the plan's runner
    was here and needed no hole that was open.
    """
    first = first_piece(game, guide)
    if guide.free or first == NOWHERE:
        return np.int64(NOWHERE)
    at = game.men[0, men.AT]
    if mark != NOWHERE and mark < len(guide.move):
        after = mark
        if guide.move[mark] == key:
            after += 1
            while after < len(guide.move) and guide.cell[after] != at and guide.move[after] == men.DOWN:
                after += 1  # he falls
        if guide.cell[after] != at:  # so far he has come to the middle of his cell
            after = mark
        if guide.cell[after] == at and after <= guide.taken[first]:
            return np.int64(after)
    return np.int64(guide.join[first, at])


@part
def steps_left(game, guide, mark):
    """Returns about how many steps it is to the end."""
    at, left = np.int64(game.men[0, men.AT]), np.int64(game.counts[men.LEFT_GOLD])
    if left == 0:
        return np.int64(guide.out[at])
    measure_from(guide.ways, at)
    if guide.free:
        return free_steps(game, guide, at)
    there = 0
    for i in range(len(guide.gold)):
        there += game.tile[guide.gold[i]] == men.GOLD
    loose = LOOSE * (left - there)
    if there == 0:
        return min(steps_to_any(game, guide, at), steps_to_carried(game, guide, at)) + loose
    if mark != NOWHERE:
        return guide.left[mark] + loose
    first = first_piece(game, guide)
    return guide.way[first, at] + guide.rest[first] + loose


@part
def times_met(hunt, mark):
    """Counts that the runner is here, so far on the plan, while each guard is there.

    Returns how often at least that was so before.
    """
    game, least = hunt.game, np.int64(MOST_MET)
    for i in range(min(1, len(game.men) - 1), len(game.men)):
        key = states.mixed(U(states.SEED), game.men[0, men.AT])
        key = states.mixed(key, game.men[i, men.AT] + (game.men[i, men.MODE] << 16))
        key = states.mixed(states.mixed(key, i + (game.counts[men.LEFT_GOLD] << 8)), mark)
        place = np.int64((key >> U(24)) & U(len(hunt.met) - 1))
        least = min(least, np.int64(hunt.met[place]))
        if hunt.met[place] < MOST_MET:
            hunt.met[place] += np.uint8(1)
    return least


@part
def steps_to_any(game, guide, at):
    """Returns the steps to the nearest gold, wherever it lies."""
    nearest = np.int64(FAR)
    for cell in range(len(game.tile)):
        if game.tile[cell] == men.GOLD:
            nearest = min(nearest, np.int64(guide.ways.far[at, cell]))
    return nearest


@part
def steps_to_carried(game, guide, at):
    """Returns the steps to the nearest guard with gold."""
    nearest = np.int64(FAR)
    for i in range(1, len(game.men)):
        if game.men[i, men.COUNT] > 0:
            nearest = min(nearest, CARRIED_STEPS + np.int64(guide.ways.far[at, game.men[i, men.AT]]))
    return nearest


@part
def free_steps(game, guide, at):
    """Returns the steps to the nearest gold from which all other gold can be had."""
    nearest, any_piece, there = np.int64(FAR), np.int64(FAR), 0
    for i in range(len(guide.gold)):
        cell = guide.gold[i]
        if game.tile[cell] != men.GOLD:
            continue
        there += 1
        steps = np.int64(guide.ways.far[at, cell])
        any_piece = min(any_piece, steps)
        if steps < nearest and all_from(game, guide, cell):
            nearest = steps
    if nearest >= FAR and any_piece < FAR:
        nearest = any_piece + LOOSE
    if there < game.counts[men.LEFT_GOLD]:  # some was carried away
        nearest = min(nearest, steps_to_any(game, guide, at))
        if nearest >= FAR:
            nearest = steps_to_carried(game, guide, at)
    return nearest


@part
def all_from(game, guide, cell):
    """Returns whether ways lead from a cell to all gold that lies where it was."""
    measure_from(guide.ways, cell)
    for i in range(len(guide.gold)):
        other = guide.gold[i]
        if game.tile[other] == men.GOLD and guide.ways.far[cell, other] >= FAR:
            return False
    return True


@part
def nearness(game):
    """Returns by how many cells, in all, guards on the loose are nearer to the runner than `NEARBY`."""
    stride, near = game.width + 2, np.int64(0)
    row = game.men[0, men.AT] // stride
    column = game.men[0, men.AT] - row * stride
    for i in range(1, len(game.men)):
        if game.men[i, men.MODE] == men.FREE:
            there = game.men[i, men.AT] // stride
            aside = abs(game.men[i, men.AT] - there * stride - column)
            near += max(0, NEARBY - abs(there - row) - aside)
    return near


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
def keep(hunt, parent, key, mark, cost):
    """Makes the game, which stands packed behind the last node, a node."""
    node = hunt.tally[NODES]
    hunt.tally[NODES] += 1
    hunt.parent[node] = parent
    hunt.key[node] = key
    hunt.mark[node] = mark
    hunt.cost[node] = cost
    return node


@part
def cost_of(hunt, guide, mark, weights):
    """Returns what makes a game come later: time, steps, gold left, guards nearby, and having been met
    before."""
    counts = hunt.game.counts
    cost = weights[TIME] * counts[men.TICK] / 5.0 + weights[GOLD_LEFT] * counts[men.LEFT_GOLD]
    if weights[NEAR] > 0.0:
        cost += weights[NEAR] * nearness(hunt.game)
    return cost + steps_left(hunt.game, guide, mark) + weights[MET] * times_met(hunt, mark)


@kernel
def start_hunt(hunt, guide):
    """Begins a search with the game as it stands, in a workspace whose tables are empty."""
    hunt.tally[FOUND] = NOWHERE
    states.pack(hunt.game, hunt.packed[0])
    push(hunt, keep(hunt, NOWHERE, men.NO_KEY, NOWHERE if guide.free else 0, 0.0))


@kernel
def hunt_on(hunt, guide, weights, period, nodes):
    """Expands nodes until a game is won, so many more are kept, or nothing is left.

    A period of 0 holds games that hardly differ to be one. Any other is the ticks after which guards draw the
    same again: then every key is tried at every tick, and where nothing is left nothing wins.

    Returns whether to go on.
    """
    game, full = hunt.game, len(hunt.parent) - KEYS
    end = min(hunt.tally[NODES] + nodes, full)
    while hunt.tally[HEAP] > 0 and hunt.tally[NODES] < end:
        node = pop(hunt)
        states.unpack(hunt.before, hunt.bare, hunt.packed[node])
        for key in range(KEYS):
            states.copy(hunt.before, game)
            stands = press(game, key, period > 0)
            hunt.tally[TRIED] += 1
            hunt.tally[DIED] += stands == men.DEAD
            if stands == men.WON:
                hunt.tally[FOUND] = keep(hunt, node, key, NOWHERE, 0.0)
                return False
            if stands != men.PLAYING or (period == 0 and game.counts[men.TICK] >= LAST_TICK):
                continue
            row, mark = hunt.packed[hunt.tally[NODES]], np.int64(NOWHERE)
            if period > 0:
                game.counts[men.KEY] = men.NO_KEY  # the next tick has a key of its own
            else:
                mark = mark_after(game, guide, hunt.mark[node], key)
            states.pack(game, row)
            known = (
                states.identity(game, row, period)
                if period > 0
                else states.mixed(states.likeness(game, row), mark)
            )
            if states.is_new(hunt.table, known | U(1)):  # a plan may wait for a hole
                cost = game.counts[men.TICK] if period > 0 else cost_of(hunt, guide, mark, weights)
                push(hunt, keep(hunt, node, key, mark, cost))
    return hunt.tally[HEAP] > 0 and hunt.tally[NODES] < full
