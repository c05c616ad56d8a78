"""Compiled Monte Carlo tree search, with several rules of selection.

A node holds no state: each iteration starts from the packed root and applies the actions on its way down.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.bits import count, nth, removed
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import apply, done, initial, legal, pack, unpack
from levelsmith.kernels.random import below
from levelsmith.search.kernels import CURRENT, EVALUATIONS, FIRST_FREE, judged, kept

ROOT_ROW, LEAF_ROW = 2, 3  # rows of packed states, after BEST and CURRENT
NODES, NODE, PHASE, STEP, ROLLOUT, ITERATIONS, DEPTH, FULL = range(FIRST_FREE, FIRST_FREE + 8)
DESCENDING, PLAYING = range(2)  # phases
PARENT, FIRST_CHILD, SIBLING, ACTION, UNTRIED, VISITS = range(6)  # columns of `links`
TOTAL, SQUARES, BEST_REWARD = range(3)  # columns of `worth`
UCB1, TUNED, UCB_V, SINGLE_PLAYER, ADAPTIVE = range(5)  # selection rules
# Places of the options, in the order of the parameters.
RULE, C, ZETA, SPREAD, LENGTH, ROLLOUTS, SCORED, REWARD = range(8)
ENDS, NEW_NODES, ALL_STATES = range(3)  # which states are scored
LAST, HIGHEST = range(2)  # what a rollout is worth
NONE = -1
ROOT = 0
SMALLEST_RANGE = 0.001


class Tree(NamedTuple):
    links: NDArray[np.int32]  # [capacity, 6]
    worth: NDArray[np.float64]  # [capacity, 3]


def make(capacity: int) -> Tree:
    return Tree(np.zeros((capacity, 6), np.int32), np.zeros((capacity, 3), np.float64))


@part
def add_node(tree, counts, parent, action):
    node = counts[NODES]
    counts[NODES] += 1
    links = tree.links[node]
    links[PARENT] = parent
    links[FIRST_CHILD] = NONE
    links[SIBLING] = NONE
    links[ACTION] = action
    links[UNTRIED] = NONE
    links[VISITS] = 0
    if parent != NONE:
        links[SIBLING] = tree.links[parent, FIRST_CHILD]
        tree.links[parent, FIRST_CHILD] = node
    tree.worth[node, TOTAL] = 0.0
    tree.worth[node, SQUARES] = 0.0
    tree.worth[node, BEST_REWARD] = -np.inf
    return node


@part
def own_range(tree, node):
    """How far apart the means of a node's children are."""
    low, high = np.inf, -np.inf
    child = tree.links[node, FIRST_CHILD]
    while child != NONE:
        mean = tree.worth[child, TOTAL] / tree.links[child, VISITS]
        low, high = min(low, mean), max(high, mean)
        child = tree.links[child, SIBLING]
    return high - low if high > low else SMALLEST_RANGE


@part
def selected(tree, node, options):
    """The child with the greatest upper bound; C multiplies sqrt(ln N / n) in every rule."""
    rule, c = options[RULE], options[C]
    if rule == ADAPTIVE:
        c = math.sqrt(2.0) * own_range(tree, node)
    log = math.log(tree.links[node, VISITS])
    best, top = NONE, -np.inf
    child = tree.links[node, FIRST_CHILD]
    while child != NONE:
        inverse = 1.0 / tree.links[child, VISITS]
        mean = tree.worth[child, TOTAL] * inverse
        if rule in (UCB1, ADAPTIVE):
            bound = mean + c * math.sqrt(log * inverse)
        else:
            variance = max(0.0, tree.worth[child, SQUARES] * inverse - mean * mean)
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
        child = tree.links[child, SIBLING]
    return best


@part
def untried_action(rep, run, tree, node, state):
    """One of the actions of a node that have no child yet."""
    actions = legal(rep, state).value
    child = tree.links[node, FIRST_CHILD]
    while child != NONE:
        actions = removed(actions, np.int64(tree.links[child, ACTION]))
        child = tree.links[child, SIBLING]
    return nth(actions, below(run.rng, np.int64(tree.links[node, UNTRIED])))


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
        links = tree.links[node]
        if links[UNTRIED] == NONE:
            links[UNTRIED] = 0 if done(rep, state) else count(legal(rep, state).value)
        if links[UNTRIED] > 0:
            action = untried_action(rep, run, tree, node, state)
            links[UNTRIED] -= 1
            node = add_node(tree, counts, node, action)
            new = True
        elif links[FIRST_CHILD] == NONE:
            break
        else:
            node = np.int64(selected(tree, node, options))
            action = np.int64(tree.links[node, ACTION])
        state = apply(rep, state, action)
    counts[NODE] = node
    counts[DEPTH] = max(counts[DEPTH], state.depth)
    pack(rep, state, run.rows[LEAF_ROW])
    return new


@part
def begin_rollout(run):
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
        tree.links[node, VISITS] += 1
        worth = tree.worth[node]
        worth[TOTAL] += reward
        worth[SQUARES] += reward * reward
        worth[BEST_REWARD] = max(worth[BEST_REWARD], reward)
        node = np.int64(tree.links[node, PARENT])


@kernel
def grow(rep, game, objective, run, tree, options, evaluations):
    """Iterations of descent, one new node, rollouts from it, and what they were worth told upwards."""
    counts, scores = run.counts, run.scores
    counts[FULL] = 0
    last = counts[EVALUATIONS] + evaluations
    if evaluations > 0 and counts[NODES] == 0:
        state = initial(rep, run.rng)
        pack(rep, state, run.rows[ROOT_ROW])
        add_node(tree, counts, NONE, 0)
        if options[SCORED] != ENDS and kept(rep, run, state, judged(rep, game, objective, run, state)):
            return
    while counts[EVALUATIONS] < last:
        best = scores[0]
        if counts[PHASE] == DESCENDING:
            if counts[NODES] >= len(tree.links):
                counts[FULL] = 1
                return
            new = descend(rep, run, tree, options)
            counts[PHASE], counts[ROLLOUT] = PLAYING, 0
            scores[LEAF_ROW] = 0.0  # what its rollouts were worth so far
            begin_rollout(run)
            if new and options[SCORED] != ENDS:
                state = unpack(rep, run.rows[LEAF_ROW])
                kept(rep, run, state, judged(rep, game, objective, run, state))
        elif rolled_out(rep, game, objective, run, options, last):
            scores[LEAF_ROW] += scores[CURRENT]
            counts[ROLLOUT] += 1
            if counts[ROLLOUT] < options[ROLLOUTS]:
                begin_rollout(run)
            else:
                back_up(run, tree, scores[LEAF_ROW] / options[ROLLOUTS])
                counts[ITERATIONS] += 1
                counts[PHASE] = DESCENDING
        if scores[0] > best:
            return
