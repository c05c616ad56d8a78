"""The nodes of Monte Carlo tree search: how they lie in memory, how a child is chosen, what is told up."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import kernel, part
from levelsmith.search.kernels import FIRST_FREE

NODES, MADE = FIRST_FREE, FIRST_FREE + 1  # places in `counts`: nodes there is room taken for, nodes there are
# Places of the options, in the order of the parameters.
RULE, C, ZETA, SPREAD, LENGTH, ROLLOUTS, SCORED, REWARD, EXPANSION, TREES, PATIENCE, BOOTSTRAP, CYCLE = range(
    13
)
UCB1, TUNED, UCB_V, SINGLE_PLAYER, ADAPTIVE = range(5)  # selection rules
NONE = -1
ROOT = 0
SMALLEST_RANGE = 0.001


class Tree(NamedTuple):
    """Nodes by number. What choosing a child looks at lies together, LINKS numbers a node."""

    links: NDArray[np.int32]  # [capacity * LINKS]
    values: NDArray[np.float64]  # [capacity * VALUES] a view of `links`
    actions: NDArray[np.int32]  # [capacity * 2]
    squares: NDArray[np.float64]  # [capacity] summed, of the rewards; only for rules that look at variance


LINKS, VALUES = 8, 4
LINE = 64  # bytes that memory hands out at once
FEW = 3  # children of a node that lie together; those after them lie together too, to be looked at at once
MEAN, RARITY = range(2)  # places in `values`: the mean reward, and 1 / sqrt(visits)
# Places in `links`, after those values. SIBLING is the next older child of the same parent, CHILD the newest.
VISITS, SIBLING, CHILD, PARENT = range(4, 8)
# Places in `actions`: that which leads here, and how many have no child yet (NONE before the first visit).
ACTION, UNTRIED = range(2)
BYTES_A_NODE = LINKS * 4 + 2 * 4 + 8


def make(capacity: int) -> Tree:
    """Room for so many nodes. Memory that no node has touched yet is only promised, not taken."""
    values = np.empty((capacity + 2) * VALUES, np.float64)
    values = values[-values.ctypes.data % LINE // 8 :][: capacity * VALUES]
    actions = np.empty(2 * capacity, np.int32)
    return Tree(values.view(np.int32), values, actions, np.empty(capacity, np.float64))


@part
def add_node(tree, counts, parent, action, siblings, more):
    """A new child of a node that has so many children and may get some more after this one."""
    before = np.int64(NONE) if parent == NONE else np.int64(tree.links[LINKS * parent + CHILD])
    node = before + 1
    if siblings == 0 or siblings == FEW:
        node = np.int64(counts[NODES])
        counts[NODES] += min(more + 1, FEW) if siblings == 0 else more + 1
    if parent != NONE:
        tree.links[LINKS * parent + CHILD] = node
    counts[MADE] += 1
    tree.links[LINKS * node + PARENT] = parent
    tree.links[LINKS * node + CHILD] = NONE
    tree.links[LINKS * node + SIBLING] = before
    tree.links[LINKS * node + VISITS] = 0
    tree.values[VALUES * node + MEAN] = 0.0
    tree.values[VALUES * node + RARITY] = np.inf
    tree.actions[2 * node + ACTION] = action
    tree.actions[2 * node + UNTRIED] = NONE
    return node


@part
def plant_root(tree, counts):
    counts[NODES] = counts[MADE] = 0
    return add_node(tree, counts, NONE, 0, 0, 0)


@part
def looks_at_variance(options):
    return options[RULE] != UCB1 and options[RULE] != ADAPTIVE


@part
def own_range(tree, node):
    """How far apart the means of a node's children are."""
    low, high = np.inf, -np.inf
    child = np.int64(tree.links[LINKS * node + CHILD])
    while child != NONE:
        mean = tree.values[VALUES * child + MEAN]
        low, high = min(low, mean), max(high, mean)
        child = np.int64(tree.links[LINKS * child + SIBLING])
    return high - low if high > low else SMALLEST_RANGE


@part
def selected(tree, node, options):
    """The child with the greatest upper bound; C multiplies sqrt(ln N / n) in every rule."""
    rule, c = options[RULE], options[C]
    first = np.int64(tree.links[LINKS * node + CHILD])
    if node == ROOT and options[BOOTSTRAP] > 0.0:  # only the children of such a root were never visited
        child = first
        while child != NONE:
            if tree.links[LINKS * child + VISITS] == 0:
                return child
            child = np.int64(tree.links[LINKS * child + SIBLING])
    if rule == ADAPTIVE:
        c = math.sqrt(2.0) * own_range(tree, node)
    log = math.log(tree.links[LINKS * node + VISITS])
    root = math.sqrt(log)
    best, top = np.int64(NONE), -np.inf
    child = first
    if rule in (UCB1, ADAPTIVE):
        while child != NONE:
            bound = tree.values[VALUES * child + MEAN] + c * root * tree.values[VALUES * child + RARITY]
            if bound > top:
                best, top = child, bound
            child = np.int64(tree.links[LINKS * child + SIBLING])
        return best
    while child != NONE:
        mean, rarity = tree.values[VALUES * child + MEAN], tree.values[VALUES * child + RARITY]
        inverse = rarity * rarity
        variance = max(0.0, tree.squares[child] * inverse - mean * mean)
        if rule == TUNED:
            widest = min(0.25, variance + math.sqrt(2.0) * root * rarity)
            bound = mean + c * root * rarity * math.sqrt(widest)
        elif rule == UCB_V:
            e = options[ZETA] * log * inverse
            bound = mean + math.sqrt(2.0 * variance * e) + 3.0 * c * e
        else:
            bound = mean + c * root * rarity + math.sqrt(variance + options[SPREAD] * inverse)
        if bound > top:
            best, top = child, bound
        child = np.int64(tree.links[LINKS * child + SIBLING])
    return best


@part
def back_up(tree, node, reward, options):
    """Tells a reward to a node and every node above it; squares only to rules that look at the variance."""
    varies = looks_at_variance(options)
    while node != NONE:
        tree.links[LINKS * node + VISITS] += 1
        visits = float(tree.links[LINKS * node + VISITS])
        inverse = 1.0 / visits
        tree.values[VALUES * node + MEAN] += (reward - tree.values[VALUES * node + MEAN]) * inverse
        tree.values[VALUES * node + RARITY] = math.sqrt(inverse)
        if varies:
            before = tree.squares[node] if visits > 1.0 else 0.0
            tree.squares[node] = before + reward * reward
        node = np.int64(tree.links[LINKS * node + PARENT])


@kernel
def prune(tree, smaller, counts, options, origins):
    """Copies a tree without the children of nodes that were visited seldom, so that at most half is left.

    Nor do those keep theirs that have an untried action, for its turn goes by the node's number, which
    changes here. A node that lost its children tries its actions anew. `origins` has a place for each node.
    """
    most = counts[NODES] // 2
    least = 2
    while not copied(tree, smaller, counts, options, origins, least, most):
        least *= 2


@part
def copied(tree, smaller, counts, options, origins, least, most):
    """Whether a copy of all nodes whose parents were visited `least` times takes no more than `most`."""
    plant_root(smaller, counts)
    origins[ROOT] = ROOT
    node = np.int64(ROOT)
    while node < counts[NODES]:  # parents come before their children, and no place is left free
        old = np.int64(origins[node])
        visits = tree.links[LINKS * old + VISITS]
        smaller.links[LINKS * node + VISITS] = visits
        smaller.values[VALUES * node + MEAN] = tree.values[VALUES * old + MEAN]
        smaller.values[VALUES * node + RARITY] = tree.values[VALUES * old + RARITY]
        if looks_at_variance(options):
            smaller.squares[node] = tree.squares[old]
        if tree.actions[2 * old + UNTRIED] == 0 and (node == ROOT or visits >= least):
            copy_children(tree, smaller, counts, origins, old, node)
            if counts[NODES] > most and node != ROOT:
                return False
        node += 1
    return True


@part
def copy_children(tree, smaller, counts, origins, old, node):
    more = np.int64(NONE)
    child = np.int64(tree.links[LINKS * old + CHILD])
    while child != NONE:
        more += 1
        child = np.int64(tree.links[LINKS * child + SIBLING])
    smaller.actions[2 * node + UNTRIED] = 0
    child = np.int64(tree.links[LINKS * old + CHILD])
    siblings = np.int64(0)
    while child != NONE:
        copy = add_node(smaller, counts, node, tree.actions[2 * child + ACTION], siblings, more)
        origins[copy] = child
        siblings += 1
        more -= 1
        child = np.int64(tree.links[LINKS * child + SIBLING])
