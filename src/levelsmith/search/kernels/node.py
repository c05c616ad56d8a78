"""The nodes of Monte Carlo tree search: how they lie in memory, how one is chosen, what is backed up."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import kernel, part, replace_inside
from levelsmith.kernels.maths import log
from levelsmith.kernels.words import ONE, U
from levelsmith.search.kernels import counts as at

UCB1, TUNED, UCB_V, SINGLE_PLAYER, ADAPTIVE = range(5)  # selection rules
NONE = -1
ROOT = 0
SMALLEST_RANGE = 0.001


class TreeOptions(NamedTuple):
    selection: int  # UCB1 and so on
    c: float
    zeta: float
    spread: float
    length: int
    rollouts: int
    scored: int
    reward: int
    expansion: int
    patience: int
    bootstrap: float
    cycle: int
    closed: bool
    deepest: int  # 0 for no limit


class Tree(NamedTuple):
    """Nodes by number. What choosing a child looks at lies together, LINKS numbers a node."""

    links: NDArray[np.int32]  # [capacity * LINKS]
    means: NDArray[np.float64]  # [capacity * MEANS] a view of `links`: the mean reward comes first
    rarities: NDArray[np.float32]  # a view of `links`, with 1 / sqrt(visits) at RARITY
    untried: NDArray[np.int32]  # [capacity] how many actions have no child yet, once one has
    squares: NDArray[np.float64]  # [capacity] summed, of the rewards; only for rules that look at variance


LINKS, MEANS = 8, 4
LINE = 64  # bytes that memory hands out at once
FEW = 4  # children of a node that lie together; those after them lie together too, to be looked at at once
# Places in `links`, after the mean. BACK places before lies the next older child of its parent, 0 for none.
# CHILD is the newest child when every action has one (0: there is no action), else its complement (-1: none).
RARITY, VISITS, BACK, CHILD, PARENT, ACTION = range(2, LINKS)
CLOSED = np.float32(-np.inf)  # in the place of its rarity, of a node that is not chosen again
BYTES_A_NODE = LINKS * 4 + 4 + 8


def make(capacity: int) -> Tree:
    """Returns a tree of up to so many nodes. Memory that no node has touched is only promised, not taken."""
    means = np.empty((capacity + 2) * MEANS, np.float64)
    means = means[-means.ctypes.data % LINE // 8 :][: capacity * MEANS]
    untried, squares = np.empty(capacity, np.int32), np.empty(capacity, np.float64)
    return Tree(means.view(np.int32), means, means.view(np.float32), untried, squares)


@part
def add_node(tree, counts, parent, action, siblings, more):
    """Adds a child to a node that has so many children and may get some more after this one; returns it."""
    before = ~np.int64(tree.links[LINKS * parent + CHILD]) if siblings > 0 else np.int64(NONE)
    node = before + 1
    if siblings == 0 or siblings == FEW:
        node = np.int64(counts[at.NODES])
        counts[at.NODES] += min(more + 1, FEW) if siblings == 0 else more + 1
    if parent != NONE:
        tree.links[LINKS * parent + CHILD] = ~node if more > 0 else node
    counts[at.NODES_MADE] += 1
    tree.links[LINKS * node + PARENT] = parent
    tree.links[LINKS * node + CHILD] = NONE
    tree.links[LINKS * node + BACK] = node - before if siblings > 0 else 0
    tree.links[LINKS * node + VISITS] = 0
    tree.links[LINKS * node + ACTION] = action
    tree.means[MEANS * node] = 0.0
    tree.rarities[LINKS * node + RARITY] = np.inf
    return node


@part
def plant_root(tree, counts):
    """Empties a tree and adds its root, which is returned."""
    counts[at.NODES] = counts[at.NODES_MADE] = 0
    return add_node(tree, counts, NONE, 0, 0, 0)


@part
def looks_at_variance(options):
    """Returns whether the rule of selection needs the squares of rewards."""
    return options.selection != UCB1 and options.selection != ADAPTIVE


@part
def range_of_means(tree, node):
    """Returns how far apart the means of a node's children are."""
    low, high = np.inf, -np.inf
    child = np.int64(tree.links[LINKS * node + CHILD])
    back = np.int64(1)
    while back > 0:
        mean = tree.means[MEANS * child]
        low, high = min(low, mean), max(high, mean)
        back = np.int64(tree.links[LINKS * child + BACK])
        child -= back
    return high - low if high > low else SMALLEST_RANGE


def greatest(tree, newest, weight):
    """Returns the child with the greatest mean + weight / sqrt(visits)."""
    best, top = np.int64(NONE), -np.inf
    child, back = newest, np.int64(1)
    while back > 0:
        back = np.int64(1)
        while back == 1:  # so that the next child's memory is asked for before this one's is there
            at = U(LINKS) * U(child)  # unsigned, so that it need not be looked whether it is negative
            rarity = np.float64(tree.rarities[at + U(RARITY)])
            bound = tree.means[at >> ONE] + weight * rarity
            if bound > top:
                best, top = child, bound
            back = np.int64(tree.links[at + U(BACK)])
            child -= 1
        child -= back - 1
    return best


def greatest_by_four(tree, newest, weight):
    """Returns the same on a GPU, which does not prefetch: the memory of four children is read at once."""
    best, top = np.int64(NONE), -np.inf
    child, back = newest, np.int64(1)
    while back > 0:
        first, second = U(LINKS) * U(child), U(LINKS) * U(max(child - 1, 0))
        third, fourth = U(LINKS) * U(max(child - 2, 0)), U(LINKS) * U(max(child - 3, 0))
        a = tree.means[first >> ONE] + weight * np.float64(tree.rarities[first + U(RARITY)])
        b = tree.means[second >> ONE] + weight * np.float64(tree.rarities[second + U(RARITY)])
        c = tree.means[third >> ONE] + weight * np.float64(tree.rarities[third + U(RARITY)])
        d = tree.means[fourth >> ONE] + weight * np.float64(tree.rarities[fourth + U(RARITY)])
        back = np.int64(tree.links[first + U(BACK)])
        back_b, back_c = np.int64(tree.links[second + U(BACK)]), np.int64(tree.links[third + U(BACK)])
        back_d = np.int64(tree.links[fourth + U(BACK)])
        if a > top:
            best, top = child, a
        if back == 1:
            child, back = child - 1, back_b
            if b > top:
                best, top = child, b
            if back == 1:
                child, back = child - 1, back_c
                if c > top:
                    best, top = child, c
                if back == 1:
                    child, back = child - 1, back_d
                    if d > top:
                        best, top = child, d
        child -= back
    return best


replace_inside(greatest, lambda tree, newest, weight: greatest, lambda tree, newest, weight: greatest_by_four)


@part
def selected(tree, node, newest, options):
    """Returns the child with the greatest upper bound, or NONE where all are closed.

    C multiplies sqrt(ln N / n) in every rule. The bound of a closed child is minus infinity, or no number.
    """
    rule, c = options.selection, options.c
    if node == ROOT and options.bootstrap > 0.0:  # only the children of such a root were never visited
        child = newest
        while tree.links[LINKS * child + VISITS] > 0 and tree.links[LINKS * child + BACK] > 0:
            child -= tree.links[LINKS * child + BACK]
        if tree.links[LINKS * child + VISITS] == 0:
            return child
    if rule == ADAPTIVE:
        c = math.sqrt(2.0) * range_of_means(tree, node)
    log_visits = log(float(tree.links[LINKS * node + VISITS]))
    root = math.sqrt(log_visits)
    if rule in (UCB1, ADAPTIVE):
        return greatest(tree, newest, c * root)
    best, top = np.int64(NONE), -np.inf
    child, back = newest, np.int64(1)
    while back > 0:
        mean, rarity = tree.means[MEANS * child], np.float64(tree.rarities[LINKS * child + RARITY])
        inverse = 1.0 / tree.links[LINKS * child + VISITS]
        variance = max(0.0, tree.squares[child] * inverse - mean * mean)
        if rarity < 0.0:
            bound = -np.inf
        elif rule == TUNED:
            widest = min(0.25, variance + math.sqrt(2.0) * root * rarity)
            bound = mean + c * root * rarity * math.sqrt(widest)
        elif rule == UCB_V:
            e = options.zeta * log_visits * inverse
            bound = mean + math.sqrt(2.0 * variance * e) + 3.0 * c * e
        else:
            bound = mean + c * root * rarity + math.sqrt(variance + options.spread * inverse)
        if bound > top:
            best, top = child, bound
        back = np.int64(tree.links[LINKS * child + BACK])
        child -= back
    return best


@part
def back_up(tree, node, reward, options):
    """Adds a reward to a node and every node above it; its square only where the rule needs the variance."""
    varies = looks_at_variance(options)
    while node != NONE:
        at = U(LINKS) * U(node)
        tree.links[at + U(VISITS)] += 1
        visits = float(tree.links[at + U(VISITS)])
        inverse = 1.0 / visits
        tree.means[at >> ONE] += (reward - tree.means[at >> ONE]) * inverse
        tree.rarities[at + U(RARITY)] = math.sqrt(inverse)
        if varies:
            before = tree.squares[node] if visits > 1.0 else 0.0
            tree.squares[node] = before + reward * reward
        node = np.int64(tree.links[at + U(PARENT)])


@kernel
def prune(tree, smaller, counts, options, origins):
    """Copies a tree without the children of nodes that were visited seldom, so that at most half is left.

    Nor do those keep theirs that have an untried action, for its turn goes by the node's number, which
    changes here. A node that lost its children tries its actions anew. `origins` has a place for each node.
    """
    most = counts[at.NODES] // 2
    least = 2
    origins[ROOT] = ROOT
    while not copy_tree(tree, smaller, counts, options, origins, least, most):
        least *= 2


@part
def copy_tree(tree, smaller, counts, options, origins, least, most):
    """Copies the tree below `origins[ROOT]`: all nodes whose parents were visited `least` times.

    Gives up and returns False where they are more than `most`.
    """
    plant_root(smaller, counts)
    node = np.int64(ROOT)
    while node < counts[at.NODES]:  # parents come before their children, and no place is left free
        old = np.int64(origins[node])
        visits = tree.links[LINKS * old + VISITS]
        smaller.links[LINKS * node + VISITS] = visits
        smaller.means[MEANS * node] = tree.means[MEANS * old]
        smaller.rarities[LINKS * node + RARITY] = tree.rarities[LINKS * old + RARITY]
        if looks_at_variance(options):
            smaller.squares[node] = tree.squares[old]
        if tree.links[LINKS * old + CHILD] >= 0 and (node == ROOT or visits >= least):
            copy_children(tree, smaller, counts, origins, old, node)
            if counts[at.NODES] > most and node != ROOT:
                return False
        node += 1
    return True


@part
def copy_children(tree, smaller, counts, origins, old, node):
    """Adds the children of a node `old` to its copy `node`, and notes in `origins` which it copies."""
    newest = np.int64(tree.links[LINKS * old + CHILD])
    if newest == 0:
        smaller.links[LINKS * node + CHILD] = 0
        return
    child, more = newest, np.int64(0)
    while tree.links[LINKS * child + BACK] > 0:
        child -= tree.links[LINKS * child + BACK]
        more += 1
    child, siblings = newest, np.int64(0)
    while more >= 0:
        copy = add_node(smaller, counts, node, tree.links[LINKS * child + ACTION], siblings, more)
        origins[copy] = child
        siblings += 1
        more -= 1
        child -= tree.links[LINKS * child + BACK]
