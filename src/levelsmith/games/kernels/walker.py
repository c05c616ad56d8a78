"""A player who walks through the states of a puzzle: what is lost, and how likely he is to get to the end.

It knows nothing of any game: states have numbers, moves lead from one to another, and a game says how far
each state seems to be from its end. The walker sees no further than his next move. He is drawn to what seems
nearer, may turn back as moves allow it, and now and then begins again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import kernel
from levelsmith.kernels.maths import exp

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
    share = np.zeros(len(graph.to))
    choose(graph, eager, share)
    order = np.argsort(steps, kind="stable")
    layers = np.searchsorted(steps[order], np.arange(1, steps.max(initial=0) + 2))
    chance = graph.ended.astype(np.float64)
    on = 1.0 - 1.0 / patience
    walk(graph, order, layers, share, on, np.zeros(len(order)), chance)
    return chance


@kernel
def choose(graph, eager, share):
    """Writes the chance that a move is the one that is made, [moves]."""
    for s in range(len(graph.ended)):
        total = 0.0
        for i in range(graph.first[s], graph.first[s + 1]):
            share[i] = exp(eager * (graph.seems[s] - graph.seems[graph.to[i]]))
            total += share[i]
        for i in range(graph.first[s], graph.first[s + 1]):
            share[i] /= total


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
