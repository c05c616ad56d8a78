"""Compiled Monte Carlo tree search, with several rules of selection.

A node holds no state: each iteration starts from the packed root and applies the actions on its way down.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.bits import WORD, U, count, nth, popcount
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import apply, done, initial, legal, pack, reopened, unpack
from levelsmith.kernels.random import below
from levelsmith.search.kernels import (
    BEST,
    CURRENT,
    EVALUATIONS,
    FIRST_FREE,
    PAUSED,
    RESTARTS,
    STALE,
    judged,
    kept,
)

ROOT_ROW, LEAF_ROW, GOOD_ROW = 2, 3, 4  # rows of packed states, after BEST and CURRENT
MOST_GOOD = 4  # improvements kept to start from again
BASE_ROW = GOOD_ROW + MOST_GOOD  # those that the tree grows on: they stay while it does
SPARE_ROW = BASE_ROW + MOST_GOOD
ROWS = SPARE_ROW + 1
NODES, NODE, PHASE, STEP, ROLLOUT, ITERATIONS, DEPTH, SALT, FULL, CYCLE_START, ON_BEST, GOOD = range(
    FIRST_FREE, FIRST_FREE + 12
)
DESCENDING, PLAYING = range(2)  # phases
UCB1, TUNED, UCB_V, SINGLE_PLAYER, ADAPTIVE = range(5)  # selection rules
# Places of the options, in the order of the parameters.
RULE, C, ZETA, SPREAD, LENGTH, ROLLOUTS, SCORED, REWARD, EXPANSION, TREES, PATIENCE, BOOTSTRAP, CYCLE = range(
    13
)
ENDS, NEW_NODES, ALL_STATES = range(3)  # which states are scored
LAST, HIGHEST = range(2)  # what a rollout is worth
ANY, BY_KIND = range(2)  # which untried action is next
NONE = -1
ROOT = 0
SMALLEST_RANGE = 0.001


class Tree(NamedTuple):
    """Nodes by number. Arrays apart, because a walk over siblings then touches the least memory."""

    parent: NDArray[np.int32]  # [capacity]
    first_child: NDArray[np.int32]  # [capacity] the newest child
    sibling: NDArray[np.int32]  # [capacity] the next older child of the same parent
    action: NDArray[np.int32]  # [capacity] that leads here
    untried: NDArray[np.int32]  # [capacity] actions without a child; NONE before the first visit from here
    visits: NDArray[np.int32]  # [capacity]
    total: NDArray[np.float64]  # [capacity] of the rewards
    squares: NDArray[np.float64]  # [capacity] of the rewards


BYTES_A_NODE = 6 * 4 + 2 * 8


def make(capacity: int) -> Tree:
    """Room for so many nodes. Memory that no node has touched yet is only promised, not taken."""

    def numbers() -> NDArray[np.int32]:
        return np.empty(capacity, np.int32)

    def sums() -> NDArray[np.float64]:
        return np.empty(capacity, np.float64)

    return Tree(numbers(), numbers(), numbers(), numbers(), numbers(), numbers(), sums(), sums())


@part
def add_node(tree, counts, parent, action):
    node = counts[NODES]
    counts[NODES] += 1
    tree.parent[node] = parent
    tree.first_child[node] = NONE
    tree.sibling[node] = NONE
    if parent != NONE:
        tree.sibling[node] = tree.first_child[parent]
        tree.first_child[parent] = node
    tree.action[node] = action
    tree.untried[node] = NONE
    tree.visits[node] = 0
    tree.total[node] = 0.0
    tree.squares[node] = 0.0
    return node


@part
def own_range(tree, node):
    """How far apart the means of a node's children are."""
    low, high = np.inf, -np.inf
    child = tree.first_child[node]
    while child != NONE:
        mean = tree.total[child] / tree.visits[child]
        low, high = min(low, mean), max(high, mean)
        child = tree.sibling[child]
    return high - low if high > low else SMALLEST_RANGE


@part
def selected(tree, node, options):
    """The child with the greatest upper bound; C multiplies sqrt(ln N / n) in every rule."""
    rule, c = options[RULE], options[C]
    if node == ROOT and options[BOOTSTRAP] > 0.0:  # only the children of such a root were never visited
        child = tree.first_child[node]
        while child != NONE:
            if tree.visits[child] == 0:
                return child
            child = tree.sibling[child]
    if rule == ADAPTIVE:
        c = math.sqrt(2.0) * own_range(tree, node)
    log = math.log(tree.visits[node])
    best, top = NONE, -np.inf
    child = tree.first_child[node]
    while child != NONE:
        inverse = 1.0 / tree.visits[child]
        mean = tree.total[child] * inverse
        if rule in (UCB1, ADAPTIVE):
            bound = mean + c * math.sqrt(log * inverse)
        else:
            variance = max(0.0, tree.squares[child] * inverse - mean * mean)
            if rule == TUNED:
                widest = min(0.25, variance + math.sqrt(2.0 * log * inverse))
                bound = mean + c * math.sqrt(log * inverse * widest)
            elif rule == UCB_V:
                e = options[ZETA] * log * inverse
                bound = mean + math.sqrt(2.0 * variance * e) + 3.0 * c * e
            else:
                bound = mean + c * math.sqrt(log * inverse) + math.sqrt(variance + options[SPREAD] * inverse)
        if bound > top:
            best, top = child, bound
        child = tree.sibling[child]
    return best


@part
def untried_action(rep, run, tree, node, state, options):
    """The next action of a node that has no child yet, in an order of the node's own.

    The order is an arithmetic progression modulo the number of actions, started and paced by a hash of the
    node, so that it need not be kept.
    """
    actions = legal(rep, state).value
    size = count(actions)
    tried = size - np.int64(tree.untried[node])
    before = np.int64(0)
    if options[EXPANSION] == BY_KIND:  # kinds of actions are ranges of slots, and come one after the other
        kinds = np.int64(len(actions) * WORD) >> rep.shift
        for kind in range(kinds + 1):
            here = count_between(actions, kind << rep.shift, (kind + 1) << rep.shift)
            if tried < here:
                size = here
                break
            before += here
            tried -= here
    hashed = (U(node) + U(run.counts[SALT])) * U(0x9E3779B97F4A7C15)
    hashed = (hashed ^ (hashed >> U(29))) * U(0xBF58476D1CE4E5B9)
    start, pace = np.int64((hashed >> U(8)) & U(0xFFFFFF)), np.int64(hashed >> U(40))
    while divisor(pace % size, size) != 1:
        pace += 1
    return nth(actions, before + (start + tried * (pace % size)) % size)


@part
def divisor(a, b):
    """The greatest common divisor."""
    while b != 0:
        a, b = b, a % b
    return a


@part
def count_between(bits, low, high):
    """How many members lie from `low` up to `high`, both multiples of a word."""
    total = np.int64(0)
    for i in range(low >> 6, min(high >> 6, len(bits))):
        total += popcount(bits[i])
    return total


@part
def descend(rep, run, tree, options):
    """Goes down to a node that has an action left, tries one, and packs the state it leads to.

    A node at the end of a path has none: it is visited again. True if there is a new node.
    """
    counts = run.counts
    state = unpack(rep, run.rows[ROOT_ROW])
    node = np.int64(ROOT)
    new = False
    while not new:
        if tree.untried[node] == NONE:
            tree.untried[node] = 0 if done(rep, state) else count(legal(rep, state).value)
        if tree.untried[node] > 0:
            action = untried_action(rep, run, tree, node, state, options)
            tree.untried[node] -= 1
            node = add_node(tree, counts, node, action)
            new = True
        elif tree.first_child[node] == NONE:
            break
        else:
            node = np.int64(selected(tree, node, options))
            action = np.int64(tree.action[node])
        if action >= 0:
            state = apply(rep, state, action)
        else:
            state = reopened(rep, unpack(rep, run.rows[BASE_ROW - 1 - action]))
    counts[NODE] = node
    counts[DEPTH] = max(counts[DEPTH], state.depth)
    pack(rep, state, run.rows[CURRENT])
    if options[ROLLOUTS] > 1:
        pack(rep, state, run.rows[LEAF_ROW])
    return new


@part
def begin_again(run):
    """Another rollout from the same leaf."""
    run.counts[STEP] = 0
    for j in range(run.rows.shape[1]):
        run.rows[CURRENT, j] = run.rows[LEAF_ROW, j]


@part
def rolled_out(rep, game, objective, run, options, last):
    """Plays at random from the current state until the end, where the budget lasts; True at the end."""
    counts, scores = run.counts, run.scores
    state = unpack(rep, run.rows[CURRENT])
    while counts[STEP] < options[LENGTH] and not done(rep, state):
        actions = legal(rep, state).value
        open_actions = count(actions)
        if open_actions == 0:
            break
        state = apply(rep, state, nth(actions, below(run.rng, open_actions)))
        counts[STEP] += 1
        if options[SCORED] == ALL_STATES:
            value = judged(rep, game, objective, run, state)
            first = counts[STEP] == 1 or options[REWARD] == LAST
            scores[CURRENT] = value if first else max(value, scores[CURRENT])
            if kept(rep, run, state, value) or counts[EVALUATIONS] == last:
                pack(rep, state, run.rows[CURRENT])
                return False
    if counts[STEP] == 0 or options[SCORED] != ALL_STATES:
        scores[CURRENT] = judged(rep, game, objective, run, state)
        kept(rep, run, state, scores[CURRENT])
    return True


@part
def back_up(run, tree, reward):
    """Tells the reward to every node on the way."""
    node = np.int64(run.counts[NODE])
    while node != NONE:
        tree.visits[node] += 1
        tree.total[node] += reward
        tree.squares[node] += reward * reward
        node = np.int64(tree.parent[node])


@part
def plant(rep, run, tree):
    """Starts a tree from a fresh root."""
    counts = run.counts
    state = initial(rep, run.rng)
    pack(rep, state, run.rows[ROOT_ROW])
    counts[NODES] = counts[STALE] = 0
    counts[SALT] = below(run.rng, 2**31)
    run.scores[ROOT_ROW] = -np.inf  # the best reward of this tree
    add_node(tree, counts, NONE, 0)
    return state


@part
def plant_on_best(run, tree):
    """Starts a tree whose root leads to the last improvements, so that they are improved upon."""
    counts = run.counts
    counts[NODES] = counts[STALE] = 0
    run.scores[ROOT_ROW] = -np.inf
    root = add_node(tree, counts, NONE, 0)
    tree.untried[root] = 0
    for i in range(min(counts[GOOD], MOST_GOOD)):
        add_node(tree, counts, root, NONE - i)
        for j in range(run.rows.shape[1]):
            run.rows[BASE_ROW + i, j] = run.rows[GOOD_ROW + i, j]


@part
def turn_of_cycle(run, options):
    """Whether it is time to change between a tree from the start and one from the best so far."""
    counts = run.counts
    if options[BOOTSTRAP] <= 0.0 or counts[GOOD] == 0:
        return False
    spent = counts[EVALUATIONS] - counts[CYCLE_START]
    due = options[CYCLE] if counts[ON_BEST] > 0 else options[CYCLE] * (1.0 - options[BOOTSTRAP])
    return spent >= due


@part
def remember(rep, run):
    """Notes the state that became the best, unless the newest of those noted was built the same."""
    counts = run.counts
    newest = run.rows[GOOD_ROW + (counts[GOOD] - 1) % MOST_GOOD]
    if counts[GOOD] > 0:
        before, after = run.rows[LEAF_ROW], run.rows[SPARE_ROW]
        pack(rep, reopened(rep, unpack(rep, newest)), before)
        pack(rep, reopened(rep, unpack(rep, run.rows[BEST])), after)
        same = True
        for j in range(run.rows.shape[1]):
            same = same and before[j] == after[j]
        if same:
            counts[GOOD] -= 1
    row = run.rows[GOOD_ROW + counts[GOOD] % MOST_GOOD]
    for j in range(run.rows.shape[1]):
        row[j] = run.rows[BEST, j]
    counts[GOOD] += 1


@part
def told(run, tree, options):
    """The end of an iteration: what the rollouts were worth is told to the tree."""
    counts, scores = run.counts, run.scores
    reward = scores[LEAF_ROW] / options[ROLLOUTS]
    back_up(run, tree, reward)
    counts[ITERATIONS] += 1
    counts[PHASE] = DESCENDING
    counts[STALE] += 1
    if reward > scores[ROOT_ROW]:
        scores[ROOT_ROW] = reward
        counts[STALE] = 0


@kernel
def grow(rep, game, objective, run, tree, options, evaluations):
    """Iterations of descent, one new node, rollouts from it, and what they were worth told upwards."""
    counts, scores = run.counts, run.scores
    counts[FULL] = 0
    last = counts[EVALUATIONS] + evaluations
    while counts[EVALUATIONS] < last:
        best = scores[BEST]
        counts[PAUSED] = 0
        if counts[PHASE] == PLAYING:
            if rolled_out(rep, game, objective, run, options, last):
                scores[LEAF_ROW] += scores[CURRENT]
                counts[ROLLOUT] += 1
                if counts[ROLLOUT] < options[ROLLOUTS]:
                    begin_again(run)
                else:
                    told(run, tree, options)
        elif counts[NODES] == 0 or 0 < options[PATIENCE] <= counts[STALE]:
            if counts[NODES] > 0:
                counts[RESTARTS] += 1
            counts[ON_BEST] = 0
            state = plant(rep, run, tree)
            if options[SCORED] != ENDS:
                kept(rep, run, state, judged(rep, game, objective, run, state))
        elif turn_of_cycle(run, options):
            if counts[ON_BEST] > 0:
                counts[CYCLE_START] = counts[EVALUATIONS]
                counts[NODES] = 0
            else:
                counts[ON_BEST] = 1
                plant_on_best(run, tree)
        elif counts[NODES] >= len(tree.parent):
            counts[FULL] = 1
            return
        else:
            new = descend(rep, run, tree, options)
            counts[PHASE], counts[ROLLOUT], counts[STEP] = PLAYING, 0, 0
            scores[LEAF_ROW] = 0.0  # what its rollouts were worth so far
            if new and options[SCORED] != ENDS:
                state = unpack(rep, run.rows[CURRENT])
                kept(rep, run, state, judged(rep, game, objective, run, state))
        if scores[BEST] > best and options[BOOTSTRAP] > 0.0:
            remember(rep, run)
        if counts[PAUSED] > 0:
            return


@kernel
def prune(tree, counts, places):
    """Makes room: nodes that were visited seldom lose their children, until half of all nodes are gone.

    So do those with an untried action, whose order of actions goes by their number, which changes here. A
    node that lost its children tries its actions anew. `places` has room for a number a node.
    """
    nodes = counts[NODES]
    least = 2
    while True:
        left = 1
        for node in range(1, nodes):
            parent = tree.parent[node]
            if tree.visits[parent] >= least and tree.untried[parent] == 0:
                left += 1
        if 2 * left <= nodes or left == 1:
            break
        least *= 2
    counts[NODES] = 0
    for node in range(nodes):
        parent = np.int64(tree.parent[node])
        if node > 0 and (places[parent] == NONE or tree.untried[places[parent]] != 0):
            places[node] = NONE
            continue
        visits, untried = tree.visits[node], tree.untried[node]
        action = tree.action[node]
        total, squares = tree.total[node], tree.squares[node]
        kept_at = add_node(tree, counts, NONE if node == 0 else np.int64(places[parent]), action)
        places[node] = kept_at
        tree.visits[kept_at] = visits
        tree.untried[kept_at] = 0 if visits >= least and untried == 0 else NONE
        tree.total[kept_at] = total
        tree.squares[kept_at] = squares
