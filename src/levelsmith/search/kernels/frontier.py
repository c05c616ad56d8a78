"""The compiled frontier searches: breadth-first, depth-first, best-first, A*, with a set of states seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.bits import member_from
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import apply, done, initial, legal, pack, rooted, unpack
from levelsmith.kernels.random import below
from levelsmith.kernels.words import U
from levelsmith.search.kernels.local import EVALUATIONS, FIRST_FREE, OVER, judged, kept

NODES, DUPLICATES, DEPTH, FULL = range(FIRST_FREE, FIRST_FREE + 4)
BEGUN, WAITING, WAITED, OPEN_NODE, CHILDREN, NEXT = range(FULL + 1, FULL + 7)  # of one tree
BREADTH, DEPTH_FIRST, BEST_FIRST = range(3)
MODE, WEIGHT, LAST_FIRST, SHUFFLED = range(4)  # places in `options`
NONE = -1
FIRST_TABLE = 8192
FREE = U(0)
LOW = U(0xFFFFFFFF)


class Frontier(NamedTuple):
    """The states met so far, and which of them wait to be expanded."""

    nodes: NDArray[np.uint64]  # [capacity, row] packed states in the order they were met
    table: NDArray[
        np.uint64
    ]  # [a power of two] a hash table, at most half full: half a hash, then the node's number + 1
    waiting: NDArray[np.int32]  # [capacity] a stack or a heap of node numbers; breadth-first needs none
    keys: NDArray[np.float64]  # [capacity] the smaller, the sooner; of best-first alone
    children: NDArray[
        np.uint64
    ]  # [slots, row] the open node's packed children that were not met when it opened
    hashes: NDArray[np.uint64]  # [slots] of them
    actions: NDArray[np.int32]  # [slots] that lead to them


@part
def hash_of(rep, row):
    """Of a packed state; its depth, the last word, does not count."""
    hashed = U(0x9E3779B97F4A7C15)
    for i in range(rep.row - 1):
        hashed = (hashed ^ row[i]) * U(0xBF58476D1CE4E5B9)
        hashed ^= hashed >> U(32)
    return hashed


@part
def slot_of(rep, front, row, hashed):
    """Where a state is in the table, or the free place where it belongs."""
    last = np.int64(len(front.table) - 1)
    place = np.int64(hashed & U(last))
    half = hashed & ~LOW
    while front.table[place] != FREE:
        entry = front.table[place]
        if (entry & ~LOW) == half:
            other = front.nodes[np.int64(entry & LOW) - 1]
            same = True
            for i in range(rep.row - 1):
                same = same and row[i] == other[i]
            if same:
                return place
        place = (place + 1) & last
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
def reverse(waiting, start, end):
    """Turns a stretch of the stack around, so that of a node's children the first is expanded first."""
    for i in range((end - start) // 2):
        waiting[start + i], waiting[end - 1 - i] = waiting[end - 1 - i], waiting[start + i]


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
def entered_root(rep, run, front, state):
    """Packs a root as the newest node; False where it was met before, which leaves its tree without nodes."""
    counts = run.counts
    counts[BEGUN], counts[OPEN_NODE] = 1, NONE
    node = counts[NODES]
    root = front.nodes[node]
    pack(rep, state, root)
    hashed = hash_of(rep, root)
    place = slot_of(rep, front, root, hashed)
    if front.table[place] != FREE:
        counts[DUPLICATES] += 1
        return False
    front.table[place] = (hashed & ~LOW) | U(node + 1)
    return True


@part
def begin(rep, game, objective, run, front, options):
    """Meets a root."""
    state = initial(rep, run.rng)
    if entered_root(rep, run, front, state):
        value = judged(rep, game, objective, run, state)
        met(rep, front, run, state, value, options)
        kept(rep, run, state, value)


@kernel
def plant(rep, run, front, options, row, value):
    """Empties the frontier and makes a packed state, whose score is known, the root of a new tree."""
    counts = run.counts
    for i in range(len(front.table)):
        front.table[i] = FREE
    counts[OVER] = counts[NODES] = counts[WAITING] = 0
    state = rooted(rep, unpack(rep, row), run.rng)
    entered_root(rep, run, front, state)
    met(rep, front, run, state, value, options)


@part
def ordered_actions(rep, run, front, state, options):
    """Lists the actions open in a state, by slot or shuffled; how many there are."""
    actions = legal(rep, state).value
    found = np.int64(0)
    action = member_from(actions, 0)
    while action != NONE:
        front.actions[found] = action
        found += 1
        action = member_from(actions, action + 1)
    if options[SHUFFLED] > 0:
        for i in range(found - 1, 0, -1):
            j = below(run.rng, i + 1)
            front.actions[i], front.actions[j] = front.actions[j], front.actions[i]
    return found


@part
def open_next(rep, run, front, options):
    """Takes the next node and makes those of its children that were not met yet; False when no node waits.

    All children are looked up in one short loop, so that the memory they lie in is fetched at the same time.
    """
    counts = run.counts
    node = pop(front, counts, options)
    counts[OPEN_NODE] = node
    counts[WAITED] = counts[WAITING]
    counts[NEXT] = counts[CHILDREN] = 0
    if node == NONE:
        return False
    parent = front.nodes[node]
    state = unpack(rep, parent)
    if done(rep, state):
        return True
    made = ordered_actions(rep, run, front, state, options)
    for i in range(made):
        # A state is used up by `apply`, so each child starts from the packed parent.
        row = front.children[i]
        pack(rep, apply(rep, unpack(rep, parent), np.int64(front.actions[i])), row)
        front.hashes[i] = hash_of(rep, row)
    unmet = 0
    for i in range(made):
        place = slot_of(rep, front, front.children[i], front.hashes[i])
        if front.table[place] == FREE:
            front.hashes[unmet] = front.hashes[i]
            for j in range(rep.row):
                front.children[unmet, j] = front.children[i, j]
            unmet += 1
    counts[CHILDREN] = unmet
    counts[DUPLICATES] += made - unmet
    return True


@kernel
def expand(rep, game, objective, run, front, options, evaluations):
    """Expands nodes in the order of the mode; a state is tested when it is met, and counted then."""
    counts = run.counts
    counts[FULL] = 0
    if evaluations > 0 and counts[BEGUN] == 0:
        begin(rep, game, objective, run, front, options)
        return
    last = counts[EVALUATIONS] + evaluations
    while counts[EVALUATIONS] < last:
        if counts[OPEN_NODE] == NONE and not open_next(rep, run, front, options):
            counts[OVER] = 1
            return
        while counts[NEXT] < counts[CHILDREN] and counts[EVALUATIONS] < last:
            node = counts[NODES]
            if node >= len(front.nodes) or 2 * node >= len(front.table):
                counts[FULL] = 1
                return
            row, hashed = front.children[counts[NEXT]], front.hashes[counts[NEXT]]
            counts[NEXT] += 1
            place = slot_of(rep, front, row, hashed)
            if front.table[place] != FREE:  # a sibling was the same
                counts[DUPLICATES] += 1
                continue
            front.table[place] = (hashed & ~LOW) | U(node + 1)
            for j in range(rep.row):
                front.nodes[node, j] = row[j]
            state = unpack(rep, row)
            value = judged(rep, game, objective, run, state)
            met(rep, front, run, state, value, options)
            if kept(rep, run, state, value):
                return
        if counts[NEXT] >= counts[CHILDREN]:
            counts[OPEN_NODE] = NONE
            if options[MODE] == DEPTH_FIRST:
                reverse(front.waiting, counts[WAITED], counts[WAITING])


@kernel
def enter_again(rep, front, nodes):
    """Fills a larger, empty table with the nodes there are."""
    for node in range(nodes):
        row = front.nodes[node]
        hashed = hash_of(rep, row)
        front.table[slot_of(rep, front, row, hashed)] = (hashed & ~LOW) | U(node + 1)


def make(row: int, slots: int, capacity: int, mode: int) -> Frontier:
    """Room for so many nodes. Memory that no node has touched yet is only promised, not taken."""
    return Frontier(
        np.empty((capacity, row), np.uint64),
        np.zeros(FIRST_TABLE, np.uint64),
        np.empty(1 if mode == BREADTH else capacity, np.int32),
        np.empty(capacity if mode == BEST_FIRST else 1, np.float64),
        np.zeros((slots, row), np.uint64),
        np.zeros(slots, np.uint64),
        np.zeros(slots, np.int32),
    )


def bytes_a_node(row: int, mode: int) -> int:
    """The most that a node takes: its row, its place in line, and four places in a table just grown."""
    return 8 * row + {BREADTH: 0, DEPTH_FIRST: 4, BEST_FIRST: 12}[mode] + 4 * 8
