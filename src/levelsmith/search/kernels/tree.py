"""Compiled Monte Carlo tree search, with several rules of selection.

A node holds no state: each iteration starts from the packed root and applies the actions on its way down.
"""

from __future__ import annotations

import numpy as np

from levelsmith.kernels.bits import count, nth
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import (
    apply,
    done,
    initial,
    kind_bits,
    legal,
    pack,
    reopened,
    roamed,
    together,
    unpack,
)
from levelsmith.kernels.random import below
from levelsmith.kernels.words import WORD, ZERO, U, popcount
from levelsmith.search.kernels.local import BEST, CURRENT, EVALUATIONS, PAUSED, RESTARTS, STALE, judged, kept
from levelsmith.search.kernels.node import (
    ACTION,
    BACK,
    BOOTSTRAP,
    CHILD,
    CYCLE,
    EXPANSION,
    LENGTH,
    LINKS,
    MADE,
    MEANS,
    NODES,
    NONE,
    PATIENCE,
    REWARD,
    ROLLOUTS,
    ROOT,
    SCORED,
    add_node,
    back_up,
    copied,
    plant_root,
    selected,
)

ROOT_ROW, LEAF_ROW, GOOD_ROW = 2, 3, 4  # rows of packed states, after BEST and CURRENT
MOST_GOOD = 4  # improvements kept to start from again
BASE_ROW = GOOD_ROW + MOST_GOOD  # those that the tree grows on: they stay while it does
SPARE_ROW = BASE_ROW + MOST_GOOD
ROWS = SPARE_ROW + 1
NODE, PHASE, STEP, ROLLOUT, ITERATIONS, DEPTH, SALT, FULL, CYCLE_START, ON_BEST, GOOD, NEW, DUE = range(
    MADE + 1, MADE + 14
)
DESCENDING, STARTING, PLAYING = range(3)  # phases
ENDS, NEW_NODES, ALL_STATES = range(3)  # which states are scored
LAST = 0  # what a rollout is worth: its last score; else its best
ANY, BY_KIND = range(2)  # which untried action is next
HALF = U(0xFFFFFFFF)
# Primes beyond any number of actions, so that steps of such a length miss none.
PACES = (
    50025301, 60367519, 39104011, 50849543, 33067219, 44581357, 49639991, 55552369,
    17160349, 44520023, 49319989, 53737843, 55999721, 18955511, 24124873, 27489503,
)  # fmt: skip


@part
def untried_action(rep, run, node, actions, tried, options):
    """The next action of a node after so many that were tried, in an order of the node's own.

    The order is an arithmetic progression modulo the number of actions, started and paced by a hash of the
    node, so that it need not be kept.
    """
    size = count(actions)
    before = np.int64(0)
    if options[EXPANSION] == BY_KIND:  # kinds of actions are ranges of slots, and come one after the other
        shift = kind_bits(rep)
        kinds = np.int64(len(actions) * WORD) >> shift
        for kind in range(kinds + 1):
            here = count_between(actions, kind << shift, (kind + 1) << shift)
            if tried < here:
                size = here
                break
            before += here
            tried -= here
    hashed = (U(node) + U(run.counts[SALT])) * U(0x9E3779B97F4A7C15)
    hashed = (hashed ^ (hashed >> U(29))) * U(0xBF58476D1CE4E5B9)
    pace = U(PACES[np.int64(hashed >> U(60))])
    start = (hashed >> U(8)) & U(0xFFFFFF)
    return nth(actions, before + np.int64((start + U(tried) * pace) % U(size)))


@part
def count_between(bits, low, high):
    """How many members lie from `low` up to `high`, both multiples of half a word."""
    total = np.int64(0)
    for i in range(len(bits)):
        word = bits[i]
        if high - WORD * i < WORD:
            word &= HALF if high - WORD * i == WORD // 2 else ZERO
        if low - WORD * i > 0:
            word &= ~HALF if low - WORD * i == WORD // 2 else ZERO
        total += popcount(word)
    return total


@part
def descend(rep, run, tree, options):
    """Goes down to a node that has an action left and tries one; the state it leads to.

    A node at the end of a path has none: it is visited again.
    """
    counts = run.counts
    state = unpack(rep, run.rows[ROOT_ROW])
    node = np.int64(ROOT)
    new = False
    while not new:
        newest = np.int64(tree.links[LINKS * node + CHILD])
        if newest > 0:  # every action has been tried
            node = np.int64(selected(tree, node, newest, options))
            action = np.int64(tree.links[LINKS * node + ACTION])
        else:
            left = np.int64(0)
            if newest < 0 and not (newest == NONE and done(rep, state)):
                actions = legal(rep, state).value
                size = count(actions)
                left = size if newest == NONE else np.int64(tree.untried[node])
            if left == 0:
                tree.links[LINKS * node + CHILD] = 0
                break
            new = True
            action = untried_action(rep, run, node, actions, size - left, options)
            tree.untried[node] = left - 1
            node = add_node(tree, counts, node, action, size - left, left - 1)
        if action >= 0:
            state = apply(rep, state, action)
        else:
            state = reopened(rep, unpack(rep, run.rows[BASE_ROW - 1 - action]))
    counts[NODE] = node
    counts[NEW] = 1 if new else 0
    counts[DEPTH] = max(counts[DEPTH], state.depth)
    if options[ROLLOUTS] > 1:
        pack(rep, state, run.rows[LEAF_ROW])
    return state


@part
def played_on(rep, run, state, options):
    """Plays at random: to the end, or where all states are scored one action further."""
    counts = run.counts
    most = np.int64(options[LENGTH]) - counts[STEP]
    depth = state.depth
    state = roamed(rep, state, run.rng, min(most, 1) if options[SCORED] == ALL_STATES else most)
    counts[STEP] += state.depth - depth
    return state


@part
def plant(rep, run, tree):
    """Starts a tree from a fresh root."""
    counts = run.counts
    state = initial(rep, run.rng)
    pack(rep, state, run.rows[ROOT_ROW])
    counts[STALE] = 0
    counts[SALT] = below(run.rng, 2**31)
    run.scores[ROOT_ROW] = -np.inf  # the best reward of this tree
    plant_root(tree, counts)
    return state


@part
def plant_on_best(run, tree):
    """Starts a tree whose root leads to the last improvements, so that they are improved upon."""
    counts = run.counts
    counts[STALE] = 0
    run.scores[ROOT_ROW] = -np.inf
    root = plant_root(tree, counts)
    good = min(counts[GOOD], MOST_GOOD)
    for i in range(good):
        add_node(tree, counts, root, NONE - i, i, good - 1 - i)
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
def told(rep, run, tree, options, state):
    """The end of a rollout. After the last of a node, what they were worth is told to the tree."""
    counts, scores = run.counts, run.scores
    scores[LEAF_ROW] += scores[CURRENT]
    counts[ROLLOUT] += 1
    if counts[ROLLOUT] < options[ROLLOUTS]:
        counts[STEP] = 0
        return unpack(rep, run.rows[LEAF_ROW])
    reward = scores[LEAF_ROW] / options[ROLLOUTS]
    back_up(tree, np.int64(counts[NODE]), reward, options)
    counts[ITERATIONS] += 1
    counts[PHASE] = DESCENDING
    counts[STALE] += 1
    if reward > scores[ROOT_ROW]:
        scores[ROOT_ROW] = reward
        counts[STALE] = 0
    return state


@kernel
def grow(rep, game, objective, run, tree, options, evaluations):
    """Iterations of descent, one new node, rollouts from it, and what they were worth told upwards."""
    counts, scores = run.counts, run.scores
    counts[FULL] = counts[PAUSED] = 0
    last = counts[EVALUATIONS] + evaluations
    state = unpack(rep, run.rows[CURRENT])
    best = scores[BEST]
    all_scored = options[SCORED] == ALL_STATES
    while counts[EVALUATIONS] < last and counts[PAUSED] == 0:
        together()
        due = options[SCORED] != ENDS  # whether the state that comes now is scored
        ended = False
        if counts[PHASE] == PLAYING:
            before = counts[STEP]
            state = played_on(rep, run, state, options)
            ended = not all_scored or counts[STEP] == before
            due = not ended or not all_scored or counts[STEP] == 0
        elif 0 < counts[DUE] <= counts[EVALUATIONS]:  # it is time to commit to an action
            break
        elif counts[NODES] == 0 or 0 < options[PATIENCE] <= counts[STALE]:
            if counts[NODES] > 0:
                counts[RESTARTS] += 1
            counts[ON_BEST] = 0
            state = plant(rep, run, tree)
        elif turn_of_cycle(run, options):
            due = False
            if counts[ON_BEST] > 0:
                counts[CYCLE_START] = counts[EVALUATIONS]
                counts[NODES] = 0
            else:
                counts[ON_BEST] = 1
                plant_on_best(run, tree)
        elif counts[NODES] + WORD * len(rep.slots) > len(tree.squares):  # a node may have as many children
            counts[FULL] = 1
            break
        else:
            state = descend(rep, run, tree, options)
            counts[PHASE], counts[ROLLOUT], counts[STEP] = STARTING, 0, 0
            scores[LEAF_ROW] = 0.0  # what its rollouts were worth so far
            due = due and counts[NEW] > 0
        if due:  # in one place, for it is long
            value = judged(rep, game, objective, run, state)
            kept(rep, run, state, value)
            if counts[PHASE] == PLAYING:
                first = not all_scored or counts[STEP] <= 1 or options[REWARD] == LAST
                scores[CURRENT] = value if first else max(value, scores[CURRENT])
        if ended:
            state = told(rep, run, tree, options, state)
        if counts[PHASE] == STARTING:
            counts[PHASE] = PLAYING
    if counts[PHASE] == PLAYING:
        pack(rep, state, run.rows[CURRENT])
    if scores[BEST] > best and options[BOOTSTRAP] > 0.0:
        remember(rep, run)


@part
def favourite(tree):
    """The root's child with the best mean, the newest of equals; 0 where it has none."""
    child = np.int64(tree.links[LINKS * ROOT + CHILD])
    child = max(child, ~child)
    best, back = child, child
    while back > 0:
        if tree.means[MEANS * child] > tree.means[MEANS * best]:
            best = child
        back = np.int64(tree.links[LINKS * child + BACK])
        child -= back
    return best


@kernel
def commit(rep, run, tree, smaller, options, origins):
    """Takes the best action at the root for good, and copies the tree below it as `prune` does.

    Where no action is left there, the next tree starts afresh. `origins` has a place for each node.
    """
    counts = run.counts
    child = favourite(tree)
    if child > 0:
        action = np.int64(tree.links[LINKS * child + ACTION])
        state = apply(rep, unpack(rep, run.rows[ROOT_ROW]), action)
        pack(rep, state, run.rows[ROOT_ROW])
        if not done(rep, state):
            origins[ROOT] = child
            copied(tree, smaller, counts, options, origins, 1, counts[NODES])
            return
    counts[NODES] = 0
