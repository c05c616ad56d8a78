"""Compiled Monte Carlo tree search, with several rules of selection.

A node holds no state: each iteration starts from the packed root and applies the actions on its way down.
"""

from __future__ import annotations

import numpy as np

from levelsmith.kernels import problem
from levelsmith.kernels.bits import count, nth
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.random import below
from levelsmith.kernels.words import WORD, ZERO, U, popcount
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels import node as nodes
from levelsmith.search.kernels.run import BEST, CURRENT, evaluate, keep

ROOT_STATE, LEAF_STATE, GOOD_STATES = 2, 3, 4  # indices of packed states, after BEST and CURRENT
MOST_GOOD = 4  # improvements kept to start from again
BASE_STATES = GOOD_STATES + MOST_GOOD  # those that the tree grows on: they stay while it does
SPARE_STATE = BASE_STATES + MOST_GOOD
STATES = SPARE_STATE + 1
DESCENDING, STARTING, PLAYING = range(3)  # phases
ENDS, NODES, NODES_AND_ENDS, ALL_STATES = range(4)  # which states may become the best
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
    """Returns the next action of a node after so many that were tried, in an order of the node's own.

    The order is an arithmetic progression modulo the number of actions, started and paced by a hash of the
    node, so that it need not be kept.
    """
    size = count(actions)
    before = np.int64(0)
    if options.expansion == BY_KIND:  # kinds of actions are ranges of slots, and come one after the other
        shift = problem.kind_bits(rep)
        kinds = np.int64(len(actions) * WORD) >> shift
        for kind in range(kinds + 1):
            here = count_between(actions, kind << shift, (kind + 1) << shift)
            if tried < here:
                size = here
                break
            before += here
            tried -= here
    hashed = (U(node) + U(run.counts[at.SALT])) * U(0x9E3779B97F4A7C15)
    hashed = (hashed ^ (hashed >> U(29))) * U(0xBF58476D1CE4E5B9)
    pace = U(PACES[np.int64(hashed >> U(60))])
    start = (hashed >> U(8)) & U(0xFFFFFF)
    return nth(actions, before + np.int64((start + U(tried) * pace) % U(size)))


@part
def count_between(bits, low, high):
    """Returns how many members lie from `low` up to `high`, both multiples of half a word."""
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
    """Goes down to a node that has an action left and tries one; returns the state it leads to.

    A node at the end of a path has none: it is visited again. Or else it is closed, as is one whose children
    all are, and the way down begins anew; a tree whose root is closed ends, and the state means nothing.
    """
    counts = run.counts
    state = problem.unpack(rep, run.states[ROOT_STATE])
    node = np.int64(nodes.ROOT)
    new = False
    while not new:
        newest = np.int64(tree.links[nodes.LINKS * node + nodes.CHILD])
        if newest > 0:  # every action has been tried
            newest = max(np.int64(nodes.selected(tree, node, newest, options)), np.int64(0))
        if newest > 0:
            node = newest
            action = np.int64(tree.links[nodes.LINKS * node + nodes.ACTION])
        else:
            left = np.int64(0)
            ends = newest == nodes.NONE and (problem.done(rep, state) or 0 < options.deepest <= state.depth)
            if newest < 0 and not ends:
                actions = problem.legal(rep, state).value
                size = count(actions)
                left = size if newest == nodes.NONE else np.int64(tree.untried[node])
            if left == 0:
                tree.links[nodes.LINKS * node + nodes.CHILD] = 0
                if not options.closed or tree.links[nodes.LINKS * node + nodes.VISITS] == 0:
                    counts[at.AGAIN] += 1
                    break
                if node == nodes.ROOT:
                    counts[at.NODES] = 0
                    counts[at.RESTARTS] += 1
                    break
                tree.rarities[nodes.LINKS * node + nodes.RARITY] = nodes.CLOSED
                node = np.int64(nodes.ROOT)
                state = problem.unpack(rep, run.states[ROOT_STATE])
                continue
            new = True
            action = untried_action(rep, run, node, actions, size - left, options)
            tree.untried[node] = left - 1
            node = nodes.add_node(tree, counts, node, action, size - left, left - 1)
        if action >= 0:
            state = problem.apply(rep, state, action)
        else:
            state = problem.reopened(rep, problem.unpack(rep, run.states[BASE_STATES - 1 - action]))
    counts[at.NODE] = node
    counts[at.NEW] = 1 if new else 0
    counts[at.DEPTH] = max(counts[at.DEPTH], state.depth)
    if options.rollouts > 1:
        problem.pack(rep, state, run.states[LEAF_STATE])
    return state


@part
def play_on(rep, run, state, options):
    """Plays at random: to the end, or where all states are scored one action further; returns the state."""
    counts = run.counts
    most = options.length - counts[at.STEP]
    depth = state.depth
    most = min(most, 1) if options.scored == ALL_STATES else most
    state = problem.walk_at_random(rep, state, run.rng, most)
    counts[at.STEP] += state.depth - depth
    return state


@part
def plant(rep, run, tree):
    """Starts a tree from a fresh root; returns its state."""
    counts = run.counts
    state = problem.initial(rep, run.rng)
    problem.pack(rep, state, run.states[ROOT_STATE])
    counts[at.STALE] = 0
    counts[at.SALT] = below(run.rng, 2**31)
    run.scores[ROOT_STATE] = -np.inf  # the best reward of this tree
    nodes.plant_root(tree, counts)
    return state


@part
def plant_on_best(run, tree):
    """Starts a tree whose root leads to the last improvements, so that they are improved upon."""
    counts = run.counts
    counts[at.STALE] = 0
    run.scores[ROOT_STATE] = -np.inf
    root = nodes.plant_root(tree, counts)
    good = min(counts[at.GOOD], MOST_GOOD)
    for i in range(good):
        nodes.add_node(tree, counts, root, nodes.NONE - i, i, good - 1 - i)
        for j in range(run.states.shape[1]):
            run.states[BASE_STATES + i, j] = run.states[GOOD_STATES + i, j]


@part
def is_turn_of_cycle(run, options):
    """Returns whether it is time to change between a tree from the start and one from the best so far."""
    counts = run.counts
    if options.bootstrap <= 0.0 or counts[at.GOOD] == 0:
        return False
    spent = counts[at.EVALUATIONS] - counts[at.CYCLE_START]
    due = options.cycle if counts[at.ON_BEST] > 0 else options.cycle * (1.0 - options.bootstrap)
    return spent >= due


@part
def remember(rep, run):
    """Notes the state that became the best, unless the newest of those noted was built the same."""
    counts = run.counts
    newest = run.states[GOOD_STATES + (counts[at.GOOD] - 1) % MOST_GOOD]
    if counts[at.GOOD] > 0:
        before, after = run.states[LEAF_STATE], run.states[SPARE_STATE]
        problem.pack(rep, problem.reopened(rep, problem.unpack(rep, newest)), before)
        problem.pack(rep, problem.reopened(rep, problem.unpack(rep, run.states[BEST])), after)
        same = True
        for j in range(run.states.shape[1]):
            same = same and before[j] == after[j]
        if same:
            counts[at.GOOD] -= 1
    state = run.states[GOOD_STATES + counts[at.GOOD] % MOST_GOOD]
    for j in range(run.states.shape[1]):
        state[j] = run.states[BEST, j]
    counts[at.GOOD] += 1


@part
def end_rollout(rep, run, tree, options, state):
    """Adds what a rollout was worth; after the last one of a node, backs up their mean.

    Returns the state to play on from, or else the one that was given.
    """
    counts, scores = run.counts, run.scores
    scores[LEAF_STATE] += scores[CURRENT]
    counts[at.ROLLOUT] += 1
    counts[at.ROLLOUTS_FROM] += state.depth - counts[at.STEP]
    counts[at.ROLLOUT_STEPS] += counts[at.STEP]
    if counts[at.ROLLOUT] < options.rollouts:
        counts[at.STEP] = 0
        return problem.unpack(rep, run.states[LEAF_STATE])
    reward = scores[LEAF_STATE] / options.rollouts
    nodes.back_up(tree, np.int64(counts[at.NODE]), reward, options)
    counts[at.ITERATIONS] += 1
    counts[at.PHASE] = DESCENDING
    counts[at.STALE] += 1
    if reward > scores[ROOT_STATE]:
        scores[ROOT_STATE] = reward
        counts[at.STALE] = 0
    return state


@kernel
def grow(rep, game, objective, run, tree, options, evaluations):
    """Runs iterations: a descent, one new node, rollouts from it, and what they were worth backed up."""
    counts, scores = run.counts, run.scores
    counts[at.FULL] = counts[at.PAUSED] = 0
    last = counts[at.EVALUATIONS] + evaluations
    state = problem.unpack(rep, run.states[CURRENT])
    best = scores[BEST]
    all_scored = options.scored == ALL_STATES
    while counts[at.EVALUATIONS] < last and counts[at.PAUSED] == 0:
        problem.sync_warp()
        due = options.scored != ENDS  # whether the state that comes now is scored
        ended = False
        if counts[at.PHASE] == PLAYING:
            before = counts[at.STEP]
            state = play_on(rep, run, state, options)
            ended = not all_scored or counts[at.STEP] == before
            due = not ended or not all_scored or counts[at.STEP] == 0
        elif 0 < counts[at.DUE] <= counts[at.EVALUATIONS]:  # it is time to commit to an action
            break
        elif counts[at.NODES] == 0 or 0 < options.patience <= counts[at.STALE]:
            if counts[at.NODES] > 0:
                counts[at.RESTARTS] += 1
            counts[at.ON_BEST] = 0
            state = plant(rep, run, tree)
        elif is_turn_of_cycle(run, options):
            due = False
            if counts[at.ON_BEST] > 0:
                counts[at.CYCLE_START] = counts[at.EVALUATIONS]
                counts[at.NODES] = 0
            else:
                counts[at.ON_BEST] = 1
                plant_on_best(run, tree)
        elif counts[at.NODES] + WORD * len(rep.slots) > len(tree.squares):  # a node may have as many children
            counts[at.FULL] = 1
            break
        else:
            state = descend(rep, run, tree, options)
            due = due and counts[at.NEW] > 0
            if counts[at.NODES] > 0:  # else nothing is left of this tree
                counts[at.PHASE], counts[at.ROLLOUT], counts[at.STEP] = STARTING, 0, 0
                scores[LEAF_STATE] = 0.0  # what its rollouts were worth so far
        if due:  # in one place, for it is long
            value = evaluate(rep, game, objective, run, state)
            if options.scored != NODES or counts[at.PHASE] != PLAYING:
                keep(rep, run, state, value)
            if counts[at.PHASE] == PLAYING:
                first = not all_scored or counts[at.STEP] <= 1 or options.reward == LAST
                scores[CURRENT] = value if first else max(value, scores[CURRENT])
        if ended:
            state = end_rollout(rep, run, tree, options, state)
        if counts[at.PHASE] == STARTING:
            counts[at.PHASE] = PLAYING
    if counts[at.PHASE] == PLAYING:
        problem.pack(rep, state, run.states[CURRENT])
    if scores[BEST] > best and options.bootstrap > 0.0:
        remember(rep, run)


@part
def favourite(tree):
    """Returns the root's child with the best mean, the newest of equals; 0 where it has none."""
    child = np.int64(tree.links[nodes.LINKS * nodes.ROOT + nodes.CHILD])
    child = max(child, ~child)
    best, back = child, child
    while back > 0:
        if tree.means[nodes.MEANS * child] > tree.means[nodes.MEANS * best]:
            best = child
        back = np.int64(tree.links[nodes.LINKS * child + nodes.BACK])
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
        action = np.int64(tree.links[nodes.LINKS * child + nodes.ACTION])
        state = problem.apply(rep, problem.unpack(rep, run.states[ROOT_STATE]), action)
        problem.pack(rep, state, run.states[ROOT_STATE])
        if not problem.done(rep, state):
            origins[nodes.ROOT] = child
            nodes.copy_tree(tree, smaller, counts, options, origins, 1, counts[at.NODES])
            return
    counts[at.NODES] = 0
