"""The compiled frontier searches: breadth-first, depth-first, best-first, A*, with a set of states seen."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.bits import U, member_from
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import apply, done, initial, legal, pack, unpack
from levelsmith.search.kernels import EVALUATIONS, judged, kept

FIRST_FREE = 3  # places in `counts` after those that every search has
NODES, WAITING, OPEN_NODE, SLOT, DUPLICATES, DEPTH, FULL, EMPTY = range(FIRST_FREE, FIRST_FREE + 8)
BREADTH, DEPTH_FIRST, BEST_FIRST = range(3)
MODE, WEIGHT, LAST_FIRST = range(3)  # places in `options`
NONE = -1
ROOT = 0


class Frontier(NamedTuple):
    """The states met so far, and which of them wait to be expanded."""

    nodes: NDArray[np.uint64]  # [capacity, row] packed states in the order they were met
    table: NDArray[np.int32]  # [a power of two] a hash table of node numbers, -1 where free
    waiting: NDArray[np.int32]  # [capacity] a stack or a heap of node numbers; breadth-first needs none
    keys: NDArray[np.float64]  # [capacity] the smaller, the sooner; of best-first alone


@part
def slot_of(rep, front, node):
    """Where a node is in the table, or the free place where it belongs; its depth does not count."""
    hashed = U(0x9E3779B97F4A7C15)
    for i in range(rep.row - 1):
        hashed = (hashed ^ front.nodes[node, i]) * U(0xBF58476D1CE4E5B9)
        hashed ^= hashed >> U(29)
    size = len(front.table)
    place = np.int64(hashed & U(size - 1))
    while front.table[place] >= 0:
        other = front.table[place]
        same = True
        for i in range(rep.row - 1):
            if front.nodes[node, i] != front.nodes[other, i]:
                same = False
                break
        if same:
            return place
        place = (place + 1) & (size - 1)
    return place


@part
def sooner(front, a, b, last_first):
    """Whether node a comes before node b."""
    if front.keys[a] != front.keys[b]:
        return front.keys[a] < front.keys[b]
    return a > b if last_first else a < b


@part
def push(front, counts, node, options):
    place = counts[WAITING]
    counts[WAITING] += 1
    front.waiting[place] = node
    if options[MODE] != BEST_FIRST:
        return
    while place > 0:
        above = (place - 1) // 2
        if not sooner(front, node, front.waiting[above], options[LAST_FIRST] > 0):
            break
        front.waiting[place] = front.waiting[above]
        place = above
    front.waiting[place] = node


@part
def pop(front, counts, options):
    """The next node to expand, or NONE."""
    if options[MODE] == BREADTH:  # nodes lie in the order they were met, which is the order they are due
        if counts[WAITING] >= counts[NODES]:
            return NONE
        counts[WAITING] += 1
        return counts[WAITING] - 1
    if counts[WAITING] == 0:
        return NONE
    counts[WAITING] -= 1
    if options[MODE] == DEPTH_FIRST:
        return np.int64(front.waiting[counts[WAITING]])
    first = np.int64(front.waiting[0])
    moved = front.waiting[counts[WAITING]]
    size = counts[WAITING]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= size:
            break
        last_first = options[LAST_FIRST] > 0
        if below + 1 < size and sooner(front, front.waiting[below + 1], front.waiting[below], last_first):
            below += 1
        if not sooner(front, front.waiting[below], moved, last_first):
            break
        front.waiting[place] = front.waiting[below]
        place = below
    front.waiting[place] = moved
    return first


@part
def met(rep, front, run, state, value, options):
    """Enters the state that was packed as the newest node."""
    counts = run.counts
    node = counts[NODES]
    counts[NODES] += 1
    if options[MODE] == BEST_FIRST:
        front.keys[node] = options[WEIGHT] * state.depth + (1.0 - value)
    if options[MODE] != BREADTH:
        push(front, counts, node, options)
    counts[DEPTH] = max(counts[DEPTH], state.depth)


@part
def begin(rep, game, objective, run, front, options):
    """Meets the root; whether it was kept (it always is)."""
    state = initial(rep, run.rng)
    pack(rep, state, front.nodes[ROOT])
    front.table[slot_of(rep, front, ROOT)] = ROOT
    run.counts[OPEN_NODE] = NONE
    value = judged(rep, game, objective, run, state)
    met(rep, front, run, state, value, options)
    return kept(rep, run, state, value)


@kernel
def expand(rep, game, objective, run, front, options, evaluations):
    """Expands nodes in the order of the mode; a state is tested when it is met, and counted then."""
    counts = run.counts
    counts[FULL] = 0
    if evaluations > 0 and counts[EVALUATIONS] == 0:
        begin(rep, game, objective, run, front, options)
        return
    last = counts[EVALUATIONS] + evaluations
    while counts[EVALUATIONS] < last:
        if counts[OPEN_NODE] == NONE:
            counts[OPEN_NODE] = pop(front, counts, options)
            counts[SLOT] = 0
            if counts[OPEN_NODE] == NONE:
                counts[EMPTY] = 1
                return
        state = unpack(rep, front.nodes[counts[OPEN_NODE]])
        if done(rep, state):
            counts[OPEN_NODE] = NONE
            continue
        actions = legal(rep, state).value
        action = member_from(actions, counts[SLOT])
        while action != NONE and counts[EVALUATIONS] < last:
            node = counts[NODES]
            if node >= len(front.nodes):
                counts[FULL] = 1
                return
            counts[SLOT] = action + 1
            # A state is used up by `apply`, so each child starts from the packed parent.
            state = apply(rep, unpack(rep, front.nodes[counts[OPEN_NODE]]), action)
            pack(rep, state, front.nodes[node])
            place = slot_of(rep, front, node)
            if front.table[place] >= 0:
                counts[DUPLICATES] += 1
            else:
                front.table[place] = node
                value = judged(rep, game, objective, run, state)
                met(rep, front, run, state, value, options)
                if kept(rep, run, state, value):
                    return
            action = member_from(actions, counts[SLOT])
        if action == NONE:
            counts[OPEN_NODE] = NONE


@kernel
def enter_again(rep, front, nodes):
    """Fills a larger, empty table with the nodes there are."""
    for node in range(nodes):
        front.table[slot_of(rep, front, node)] = node


def make(row: int, capacity: int, mode: int) -> Frontier:
    """Room for so many nodes; the table is at most half full."""
    slots = 1
    while slots < 2 * capacity:
        slots *= 2
    return Frontier(
        np.zeros((capacity, row), np.uint64),
        np.full(slots, NONE, np.int32),
        np.zeros(1 if mode == BREADTH else capacity, np.int32),
        np.zeros(capacity if mode == BEST_FIRST else 1, np.float64),
    )


def size_in_bytes(front: Any) -> int:
    return sum(array.nbytes for array in front)
