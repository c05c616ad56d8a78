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

LOST = -1  # steps to the end of a state from which none leads there
TINY = 1e-300  # below which chances are no longer told apart


class Graph(NamedTuple):
    """States by number, the first one first, and their moves."""

    first: NDArray[np.int64]  # [states + 1] where the moves of a state begin in `to`
    to: NDArray[np.int32]  # [moves] the state that a move leads to
    seems: NDArray[np.float64]  # [states] how far the end seems to be
    ended: NDArray[np.uint8]  # [states] whether it is an end


@kernel
def look_back(graph, steps, ways, count, back, queue):
    """Writes the fewest steps from every state to an end, or LOST, and in how many ways they can be made.

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
        steps[s], ways[s] = LOST, 0.0
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
def walk(graph, steps, eager, patience, rounds, share, chance):
    """Writes the chance of every state that a walker gets from there to an end before he begins again.

    Args:
        graph: its states and moves.
        steps: what `look_back` wrote; who is in a lost state does not get there.
        eager: by how much more he likes a move for every step that it seems to bring him nearer.
        patience: moves after which he begins again, in the mean.
        rounds: of the sum, at most; it ends sooner where nothing changes by more than a thousandth.
        share: scratch, [moves].
        chance: [states] where it is written.
    """
    states, on = len(graph.ended), 1.0 - 1.0 / patience
    for s in range(states):
        chance[s] = 1.0 if graph.ended[s] else 0.0
        total = 0.0
        for i in range(graph.first[s], graph.first[s + 1]):
            share[i] = np.exp(eager * (graph.seems[s] - graph.seems[graph.to[i]]))
            total += share[i]
        for i in range(graph.first[s], graph.first[s + 1]):
            share[i] /= total
    for turn in range(rounds):
        change = 0.0
        for s in range(states - 1, -1, -1):
            if steps[s] > 0:
                found = 0.0
                for i in range(graph.first[s], graph.first[s + 1]):
                    found += share[i] * chance[graph.to[i]]
                found *= on
                if found > TINY:
                    change = max(change, (found - chance[s]) / found)
                chance[s] = found
        if change < 1e-3:
            return turn + 1
    return rounds
