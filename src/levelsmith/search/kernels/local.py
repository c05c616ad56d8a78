"""The compiled searches that keep one state: random play, hill climbing and simulated annealing."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import (
    board,
    done,
    initial,
    mutate,
    neighbour,
    neighbours,
    pack,
    sample,
    unpack,
    wandered,
)
from levelsmith.kernels.random import below, unit
from levelsmith.kernels.score import score

BEST, CURRENT, TOP = range(3)  # rows of packed states
# Places in `counts`. OVER: nothing is left to do. PAUSED: the driver wants to see what came.
EVALUATIONS, OVER, PAUSED, SHELVED, RESTARTS, STALE, SWEEP, TIES = range(8)
FIRST_FREE = 8  # the places that a search of another file may name
BAR = 0  # the place in `marks` of the score from which states are shelved; then come scores, then evaluations
LENGTH = 0  # the place of random play's one option
PATIENCE, RATE, PLATEAUS = range(3)  # the places of hill climbing's options
START, COOLING, FLOOR, CHANGES = range(4)  # the places of annealing's options


COUNTS = 24


class Run(NamedTuple):
    """The whole state of a search between two calls of its kernel."""

    rng: NDArray[np.uint64]  # [2]
    rows: NDArray[np.uint64]  # [states, row] packed states
    scores: NDArray[np.float64]  # [states]
    counts: NDArray[np.int64]  # [COUNTS]
    shelf: NDArray[np.uint64]  # [shelved, row] good states until the driver takes them
    marks: NDArray[np.float64]  # [1 + 2 * shelved]


@part
def judged(rep, game, objective, run, state):
    """The score of a state, counted as one evaluation."""
    run.counts[EVALUATIONS] += 1
    return score(game, objective, board(rep, state).value)


@part
def kept(rep, run, state, value):
    """Keeps a state better than the best, shelves one above the bar; whether the kernel must pause."""
    counts = run.counts
    better = value > run.scores[BEST]
    counts[PAUSED] = 1 if better else 0
    if better:
        run.scores[BEST] = value
        pack(rep, state, run.rows[BEST])
    if value >= run.marks[BAR] and counts[SHELVED] < len(run.shelf):
        pack(rep, state, run.shelf[counts[SHELVED]])
        counts[SHELVED] += 1
        run.marks[counts[SHELVED]] = value
        run.marks[counts[SHELVED] + len(run.shelf)] = counts[EVALUATIONS]
        if counts[SHELVED] == len(run.shelf):
            counts[PAUSED] = 1
    return counts[PAUSED] > 0


@kernel
def play(rep, game, objective, run, options, evaluations):
    """Random legal actions from a fresh start until the end; only the end is scored."""
    for _ in range(evaluations):
        state = initial(rep, run.rng)
        for _ in range(int(options[LENGTH])):
            if done(rep, state):
                break
            depth = state.depth
            state = wandered(rep, state, run.rng)
            if state.depth == depth:  # no action was open
                break
        if kept(rep, run, state, judged(rep, game, objective, run, state)):
            return


@part
def started(rep, run):
    """The start of the run, or later a random candidate to start again from."""
    if run.counts[EVALUATIONS] == 0:
        return initial(rep, run.rng)
    run.counts[RESTARTS] += 1
    run.counts[STALE] = 0
    return sample(rep, run.rng)


@part
def settled(rep, run, state, value):
    """Goes on from a state."""
    run.scores[CURRENT] = value
    pack(rep, state, run.rows[CURRENT])


@kernel
def climb(rep, game, objective, run, options, evaluations):
    """Mutates, keeps what is better (or as good), and starts afresh after `patience` tries without a gain."""
    counts = run.counts
    for _ in range(evaluations):
        fresh = counts[EVALUATIONS] == 0 or 0 < options[PATIENCE] <= counts[STALE]
        if fresh:
            state = started(rep, run)
        else:
            state = mutate(rep, unpack(rep, run.rows[CURRENT]), options[RATE], run.rng)
        value = judged(rep, game, objective, run, state)
        better = value > run.scores[CURRENT]
        if not fresh:
            counts[STALE] = 0 if better else counts[STALE] + 1
        if fresh or better or (options[PLATEAUS] > 0 and value == run.scores[CURRENT]):
            settled(rep, run, state, value)
        if kept(rep, run, state, value):
            return


@kernel
def ascend(rep, game, objective, run, options, evaluations):
    """Looks at every neighbour before it takes the best, one of them at random where several are.

    Where none is better (or as good) it starts afresh, or without `patience` has nothing left to do.
    """
    counts, scores = run.counts, run.scores
    for _ in range(evaluations):
        if counts[OVER] > 0:
            return
        fresh = counts[EVALUATIONS] == 0 or 0 < options[PATIENCE] <= counts[STALE]
        if fresh:
            state = started(rep, run)
        else:
            state = neighbour(rep, unpack(rep, run.rows[CURRENT]), counts[SWEEP])
        value = judged(rep, game, objective, run, state)
        if fresh:
            settled(rep, run, state, value)
            counts[SWEEP] = 0
            scores[TOP] = -np.inf
        else:
            counts[SWEEP] += 1
            if value > scores[TOP]:
                counts[TIES] = 0
            if value >= scores[TOP]:
                counts[TIES] += 1
            if value >= scores[TOP] and below(run.rng, counts[TIES]) == 0:
                scores[TOP] = value
                pack(rep, state, run.rows[TOP])
        improved = kept(rep, run, state, value)
        if counts[SWEEP] == neighbours(rep):
            turned(rep, run, options)
        if improved:
            return


@part
def turned(rep, run, options):
    """The end of a sweep over all neighbours: takes the best of them, or notices that none will do."""
    counts, scores = run.counts, run.scores
    if scores[TOP] > scores[CURRENT]:
        counts[STALE] = 0
    elif scores[TOP] == scores[CURRENT] and options[PLATEAUS] > 0:
        counts[STALE] += counts[SWEEP]
    elif options[PATIENCE] > 0:
        counts[STALE] = np.int64(options[PATIENCE])
    else:
        counts[OVER] = 1
    if scores[TOP] > scores[CURRENT] or (scores[TOP] == scores[CURRENT] and options[PLATEAUS] > 0):
        settled(rep, run, unpack(rep, run.rows[TOP]), scores[TOP])
    counts[SWEEP] = 0
    scores[TOP] = -np.inf


@kernel
def anneal(rep, game, objective, run, options, evaluations):
    """Mutates, keeps what is no worse, and what is worse by d with the chance exp(-d / T)."""
    for _ in range(evaluations):
        first = run.counts[EVALUATIONS] == 0
        temperature = max(options[FLOOR], options[START] * options[COOLING] ** run.counts[EVALUATIONS])
        if first:
            state = initial(rep, run.rng)
        else:
            state = mutate(rep, unpack(rep, run.rows[CURRENT]), options[CHANGES], run.rng)
        value = judged(rep, game, objective, run, state)
        loss = run.scores[CURRENT] - value
        if first or loss <= 0 or unit(run.rng) < math.exp(-loss / temperature):
            settled(rep, run, state, value)
        if kept(rep, run, state, value):
            return
