"""A player who walks through the states of a puzzle: what is lost, and how likely he is to get to the end.

It knows nothing of any game: states have numbers, moves lead from one to another, and a game says how far
each state seems to be from its end. The walker sees no further than his next move. He is drawn to what seems
nearer, may turn back as moves allow it, and now and then begins again.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import PLAIN, kernel

LOST = -1  # steps to the end of a state from which none leads there
TINY = 1e-300  # below which chances are no longer told apart
ROUNDS = 3_000  # of the sum, at most
ENOUGH = 1e-3  # it ends sooner where nothing changes by more than this share

Chances = NDArray[np.float64]


class Graph(NamedTuple):
    """States by number, the first one first, and their moves."""

    first: NDArray[np.int64]  # [states + 1] where the moves of a state begin in `to`
    to: NDArray[np.int32]  # [moves] the state that a move leads to
    seems: NDArray[np.float64]  # [states] how far the end seems to be
    ended: NDArray[np.uint8]  # [states] whether it is an end


def steps_to_end(graph: Graph) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Returns the fewest steps from every state to an end, or LOST, and in how many ways they can be made."""
    states, moves = len(graph.ended), len(graph.to)
    steps, ways = np.full(states, LOST, np.int32), np.zeros(states)
    if PLAIN:
        _looked_back(graph, steps, ways)
    else:
        count, back, queue = (np.zeros(n, np.int64) for n in (states + 1, moves, states))
        look_back(graph, steps, ways, count, back, queue)
    return steps, ways


def chance_of(graph: Graph, steps: NDArray[np.int32], eager: float, patience: float) -> Chances:
    """Returns the chance of every state that a walker gets from there to an end before he begins again.

    Args:
        graph: its states and moves.
        steps: what `steps_to_end` returns; who is in a lost state does not get there.
        eager: by how much more he likes a move for every step that it seems to bring him nearer.
        patience: moves after which he begins again, in the mean.
    """
    moves = np.diff(graph.first)
    here = np.repeat(np.arange(len(moves)), moves)
    likes = np.exp(eager * (graph.seems[here] - graph.seems[graph.to]))
    share = likes / np.bincount(here, likes, len(moves))[here]
    order = np.argsort(steps, kind="stable")
    layers = np.searchsorted(steps[order], np.arange(1, steps.max(initial=0) + 2))
    chance = graph.ended.astype(np.float64)
    on = 1.0 - 1.0 / patience
    if PLAIN:
        _walked(graph, order, layers, share, on, chance)
    else:
        walk(graph, order, layers, share, on, np.zeros(len(order)), chance)
    return chance


@kernel
def look_back(graph, steps, ways, count, back, queue):
    """Writes what `steps_to_end` returns, where a step of LOST and no way stand for every state.

    `count`, `back` and `queue` are scratch: [states + 1], [moves], [states].
    """
    states = len(graph.ended)
    count[:] = 0
    for i in range(len(graph.to)):
        count[graph.to[i] + 1] += 1
    for s in range(states):
        count[s + 1] += count[s]
    for s in range(states):  # the moves that lead to each state, one after another
        for i in range(graph.first[s], graph.first[s + 1]):
            back[count[graph.to[i]]] = s
            count[graph.to[i]] += 1
    end = 0
    for s in range(states):
        if graph.ended[s]:
            steps[s], ways[s] = 0, 1.0
            queue[end] = s
            end += 1
    begin = 0
    while begin < end:
        here = queue[begin]
        begin += 1
        for i in range(count[here - 1] if here > 0 else 0, count[here]):
            there = back[i]
            if steps[there] == LOST:
                steps[there] = steps[here] + 1
                queue[end] = there
                end += 1
            if steps[there] == steps[here] + 1:
                ways[there] += ways[here]


@kernel
def walk(graph, order, layers, share, on, fresh, chance):
    """Writes what `chance_of` returns, where 1 stands for every end and 0 for all else.

    Args:
        graph: its states and moves.
        order: [states] those nearest to an end first.
        layers: where in it those begin that are one step farther than the last, from one step on.
        share: [moves] the chance that a move is the one that is made.
        on: the chance that he does not begin again.
        fresh: scratch, [states].
        chance: [states] where it is written.
    """
    for turn in range(ROUNDS):
        change = 0.0
        for layer in range(len(layers) - 1):
            for k in range(layers[layer], layers[layer + 1]):
                s, found = order[k], 0.0
                for i in range(graph.first[s], graph.first[s + 1]):
                    found += share[i] * chance[graph.to[i]]
                fresh[k] = found * on
            for k in range(layers[layer], layers[layer + 1]):
                if fresh[k] > TINY:
                    change = max(change, (fresh[k] - chance[order[k]]) / fresh[k])
                chance[order[k]] = fresh[k]
        if change < ENOUGH:
            return turn + 1
    return ROUNDS


# ------------------------------------------------------------------------- the same where nothing is compiled


def _looked_back(graph: Graph, steps: NDArray[np.int32], ways: Chances) -> None:
    """Does what `look_back` does, a step for all states at once."""
    here = np.repeat(np.arange(len(graph.ended)), np.diff(graph.first))
    back = np.argsort(graph.to, kind="stable")
    begin = np.searchsorted(graph.to[back], np.arange(len(graph.ended) + 1))
    newest = np.flatnonzero(graph.ended)
    steps[newest], ways[newest] = 0, 1.0
    step = 0
    while len(newest):
        step += 1
        into, there = _all_between(begin[newest], begin[newest + 1], newest)
        before = here[back[into]]
        new = before[steps[before] == LOST]
        _, first = np.unique(new, return_index=True)
        newest_next = new[np.sort(first)]
        steps[newest_next] = step
        fits = steps[before] == step
        np.add.at(ways, before[fits], ways[there[fits]])
        newest = newest_next


def _all_between(
    begin: NDArray[np.int64], end: NDArray[np.int64], owner: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns all numbers of the ranges, one range after the other, and of each whose range it is in."""
    sizes = end - begin
    starts = np.repeat(begin - np.r_[0, np.cumsum(sizes)[:-1]], sizes)
    return starts + np.arange(len(starts)), np.repeat(owner, sizes)


def _walked(
    graph: Graph,
    order: NDArray[np.int64],
    layers: NDArray[np.int64],
    share: Chances,
    on: float,
    chance: Chances,
) -> None:
    """Does what `walk` does, a layer at once; sums are made in the same order."""
    tables = [
        (states, *_padded(graph, share, states))
        for begin, end in pairwise(layers)
        for states in [order[begin:end]]
    ]
    for _ in range(ROUNDS):
        change = 0.0
        for states, to, shares in tables:
            found = np.zeros(len(states))
            for k in range(len(to)):
                found += shares[k] * chance[to[k]]
            found *= on
            told = found > TINY
            change = max(change, np.max((found - chance[states])[told] / found[told], initial=0.0))
            chance[states] = found
        if change < ENOUGH:
            return


def _padded(graph: Graph, share: Chances, states: NDArray[np.int64]) -> tuple[NDArray[np.int64], Chances]:
    """Returns the k-th move of every state as row k, and its share; 0 of any for those that have fewer."""
    first, number = graph.first[states], np.diff(graph.first)[states]
    to = np.zeros((number.max(initial=0), len(states)), np.int64)
    shares = np.zeros(to.shape)
    for k in range(len(to)):
        has = number > k
        to[k, has] = graph.to[first[has] + k]
        shares[k, has] = share[first[has] + k]
    return to, shares
