"""The compiled frontier searches: breadth-first, depth-first, best-first, A*, with a set of states seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels import problem
from levelsmith.kernels.bits import member_from
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.random import below
from levelsmith.kernels.words import U
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels.run import evaluate, keep

BREADTH, DEPTH_FIRST, BEST_FIRST = range(3)
NONE = -1
FIRST_TABLE = 8192
FREE = U(0)
LOW = U(0xFFFFFFFF)


class FrontierOptions(NamedTuple):
    mode: int  # BREADTH, DEPTH_FIRST or BEST_FIRST
    weight: float  # of the depth, against the score
    last_first: bool  # among equally good nodes
    shuffled: bool  # whether actions come in random order


class Frontier(NamedTuple):
    """The states met so far, and which of them wait to be expanded."""

    nodes: NDArray[np.uint64]  # [capacity, words] packed states in the order they were met
    table: NDArray[
        np.uint64
    ]  # [a power of two] a hash table, at most half full: half a hash, then the node's number + 1
    waiting: NDArray[np.int32]  # [capacity] a stack or a heap of node numbers; breadth-first needs none
    keys: NDArray[np.float64]  # [capacity] the smaller, the sooner; of best-first alone
    children: NDArray[
        np.uint64
    ]  # [slots, words] the open node's packed children that were not met when it opened
    hashes: NDArray[np.uint64]  # [slots] of them
    actions: NDArray[np.int32]  # [slots] that lead to them


@part
def hash_of(rep, packed):
    """Returns the hash of a packed state; its depth, the last word, does not count."""
    hashed = U(0x9E3779B97F4A7C15)
    for i in range(rep.words - 1):
        hashed = (hashed ^ packed[i]) * U(0xBF58476D1CE4E5B9)
        hashed ^= hashed >> U(32)
    return hashed


@part
def slot_of(rep, front, packed, hashed):
    """Returns where a packed state is in the table, or the free place where it belongs."""
    last = np.int64(len(front.table) - 1)
    place = np.int64(hashed & U(last))
    half = hashed & ~LOW
    while front.table[place] != FREE:
        entry = front.table[place]
        if (entry & ~LOW) == half:
            other = front.nodes[np.int64(entry & LOW) - 1]
            same = True
            for i in range(rep.words - 1):
                same = same and packed[i] == other[i]
            if same:
                return place
        place = (place + 1) & last
    return place


@part
def sooner(front, a, b, last_first):
    """Returns whether node a comes before node b."""
    if front.keys[a] != front.keys[b]:
        return front.keys[a] < front.keys[b]
    return a > b if last_first else a < b


@part
def push(front, counts, node, options):
    """Adds a node to those that wait: on top of the stack, or into the heap."""
    place = counts[at.WAITING]
    counts[at.WAITING] += 1
    front.waiting[place] = node
    if options.mode != BEST_FIRST:
        return
    while place > 0:
        above = (place - 1) // 2
        if not sooner(front, node, front.waiting[above], options.last_first):
            break
        front.waiting[place] = front.waiting[above]
        place = above
    front.waiting[place] = node


@part
def pop(front, counts, options):
    """Takes the next node to expand from those that wait; returns NONE where there is none."""
    if options.mode == BREADTH:  # nodes lie in the order they were met, which is the order they are due
        if counts[at.WAITING] >= counts[at.NODES]:
            return NONE
        counts[at.WAITING] += 1
        return counts[at.WAITING] - 1
    if counts[at.WAITING] == 0:
        return NONE
    counts[at.WAITING] -= 1
    if options.mode == DEPTH_FIRST:
        return np.int64(front.waiting[counts[at.WAITING]])
    first = np.int64(front.waiting[0])
    moved = front.waiting[counts[at.WAITING]]
    size = counts[at.WAITING]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= size:
            break
        last_first = options.last_first
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
def enter(rep, front, run, state, value, options):
    """Makes the state that was packed last a node, and lets it wait."""
    counts = run.counts
    node = counts[at.NODES]
    counts[at.NODES] += 1
    if options.mode == BEST_FIRST:
        front.keys[node] = options.weight * state.depth + (1.0 - value)
    if options.mode != BREADTH:
        push(front, counts, node, options)
    counts[at.DEPTH] = max(counts[at.DEPTH], state.depth)


@part
def pack_root(rep, run, front, state):
    """Packs a root as the newest node; returns False where it was met before: its tree has no nodes then."""
    counts = run.counts
    counts[at.BEGUN], counts[at.OPEN_NODE] = 1, NONE
    node = counts[at.NODES]
    root = front.nodes[node]
    problem.pack(rep, state, root)
    hashed = hash_of(rep, root)
    place = slot_of(rep, front, root, hashed)
    if front.table[place] != FREE:
        counts[at.DUPLICATES] += 1
        return False
    front.table[place] = (hashed & ~LOW) | U(node + 1)
    return True


@part
def begin(rep, game, objective, run, front, options):
    """Draws a root, scores it and enters it."""
    state = problem.initial(rep, run.rng)
    if pack_root(rep, run, front, state):
        value = evaluate(rep, game, objective, run, state)
        enter(rep, front, run, state, value, options)
        keep(rep, run, state, value)


@kernel
def plant(rep, run, front, options, packed, value):
    """Empties the frontier and makes a packed state, whose score is known, the root of a new tree."""
    counts = run.counts
    for i in range(len(front.table)):
        front.table[i] = FREE
    counts[at.OVER] = counts[at.NODES] = counts[at.WAITING] = 0
    state = problem.rooted(rep, problem.unpack(rep, packed), run.rng)
    pack_root(rep, run, front, state)
    enter(rep, front, run, state, value, options)


@part
def list_actions(rep, run, front, state, options):
    """Lists the actions open in a state in `front.actions`, by slot or shuffled; returns how many."""
    actions = problem.legal(rep, state).value
    found = np.int64(0)
    action = member_from(actions, 0)
    while action != NONE:
        front.actions[found] = action
        found += 1
        action = member_from(actions, action + 1)
    if options.shuffled:
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
    counts[at.OPEN_NODE] = node
    counts[at.WAITED] = counts[at.WAITING]
    counts[at.NEXT] = counts[at.CHILDREN] = 0
    if node == NONE:
        return False
    parent = front.nodes[node]
    state = problem.unpack(rep, parent)
    if problem.done(rep, state):
        return True
    made = list_actions(rep, run, front, state, options)
    for i in range(made):
        # A state is used up by `apply`, so each child starts from the packed parent.
        child = front.children[i]
        problem.pack(rep, problem.apply(rep, problem.unpack(rep, parent), np.int64(front.actions[i])), child)
        front.hashes[i] = hash_of(rep, child)
    unmet = 0
    for i in range(made):
        place = slot_of(rep, front, front.children[i], front.hashes[i])
        if front.table[place] == FREE:
            front.hashes[unmet] = front.hashes[i]
            for j in range(rep.words):
                front.children[unmet, j] = front.children[i, j]
            unmet += 1
    counts[at.CHILDREN] = unmet
    counts[at.DUPLICATES] += made - unmet
    return True


@kernel
def expand(rep, game, objective, run, front, options, evaluations):
    """Expands nodes in the order of the mode; a state is tested when it is met, and counted then."""
    counts = run.counts
    counts[at.FULL] = 0
    if evaluations > 0 and counts[at.BEGUN] == 0:
        begin(rep, game, objective, run, front, options)
        return
    last = counts[at.EVALUATIONS] + evaluations
    while counts[at.EVALUATIONS] < last:
        if counts[at.OPEN_NODE] == NONE and not open_next(rep, run, front, options):
            counts[at.OVER] = 1
            return
        while counts[at.NEXT] < counts[at.CHILDREN] and counts[at.EVALUATIONS] < last:
            node = counts[at.NODES]
            if node >= len(front.nodes) or 2 * node >= len(front.table):
                counts[at.FULL] = 1
                return
            child, hashed = front.children[counts[at.NEXT]], front.hashes[counts[at.NEXT]]
            counts[at.NEXT] += 1
            place = slot_of(rep, front, child, hashed)
            if front.table[place] != FREE:  # a sibling was the same
                counts[at.DUPLICATES] += 1
                continue
            front.table[place] = (hashed & ~LOW) | U(node + 1)
            for j in range(rep.words):
                front.nodes[node, j] = child[j]
            state = problem.unpack(rep, child)
            value = evaluate(rep, game, objective, run, state)
            enter(rep, front, run, state, value, options)
            if keep(rep, run, state, value):
                return
        if counts[at.NEXT] >= counts[at.CHILDREN]:
            counts[at.OPEN_NODE] = NONE
            if options.mode == DEPTH_FIRST:
                reverse(front.waiting, counts[at.WAITED], counts[at.WAITING])


@kernel
def enter_all(rep, front, nodes):
    """Fills a larger, empty table with the nodes there are."""
    for node in range(nodes):
        packed = front.nodes[node]
        hashed = hash_of(rep, packed)
        front.table[slot_of(rep, front, packed, hashed)] = (hashed & ~LOW) | U(node + 1)


def make(words: int, slots: int, capacity: int, mode: int) -> Frontier:
    """Returns a frontier of up to so many nodes; memory that none has touched is only promised, not taken."""
    return Frontier(
        np.empty((capacity, words), np.uint64),
        np.zeros(FIRST_TABLE, np.uint64),
        np.empty(1 if mode == BREADTH else capacity, np.int32),
        np.empty(capacity if mode == BEST_FIRST else 1, np.float64),
        np.zeros((slots, words), np.uint64),
        np.zeros(slots, np.uint64),
        np.zeros(slots, np.int32),
    )


def bytes_a_node(words: int, mode: int) -> int:
    """Returns the most that a node takes: its state, its place in line, four places in a table just grown."""
    return 8 * words + {BREADTH: 0, DEPTH_FIRST: 4, BEST_FIRST: 12}[mode] + 4 * 8
