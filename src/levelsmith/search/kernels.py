"""The compiled searches that keep one state: random play, hill climbing and simulated annealing."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.bits import count, nth
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import apply, board, done, initial, legal, mutate, pack, sample, unpack
from levelsmith.kernels.random import below, unit
from levelsmith.kernels.score import score

BEST, CURRENT = range(2)  # rows of packed states
EVALUATIONS, RESTARTS, STALE = range(3)  # places in `counts`
PATIENCE = 0  # the place of hill climbing's one option
LENGTH = 0  # the place of random play's one option
START, COOLING, FLOOR = range(3)  # the places of annealing's options


class Run(NamedTuple):
    """The whole state of a search between two calls of its kernel."""

    rng: NDArray[np.uint64]  # [2]
    rows: NDArray[np.uint64]  # [states, row] packed states
    scores: NDArray[np.float64]  # [states]
    counts: NDArray[np.int64]  # [16]


@part
def judged(rep, game, objective, run, state):
    """The score of a state, counted as one evaluation."""
    run.counts[EVALUATIONS] += 1
    return score(game, objective, board(rep, state).value)


@part
def kept(rep, run, state, value):
    """Keeps a state that is better than the best; whether it was."""
    if value <= run.scores[BEST]:
        return False
    run.scores[BEST] = value
    pack(rep, state, run.rows[BEST])
    return True


@kernel
def play(rep, game, objective, run, options, evaluations):
    """Random legal actions from a fresh start until the end; only the end is scored."""
    for _ in range(evaluations):
        state = initial(rep, run.rng)
        for _ in range(int(options[LENGTH])):
            if done(rep, state):
                break
            actions = legal(rep, state).value
            open_actions = count(actions)
            if open_actions == 0:
                break
            state = apply(rep, state, nth(actions, below(run.rng, open_actions)))
        if kept(rep, run, state, judged(rep, game, objective, run, state)):
            return


@kernel
def climb(rep, game, objective, run, options, evaluations):
    """Mutates, keeps what is no worse, and starts afresh after `patience` tries without a gain."""
    for _ in range(evaluations):
        fresh = run.counts[EVALUATIONS] == 0 or run.counts[STALE] >= options[PATIENCE]
        if fresh:
            if run.counts[EVALUATIONS] > 0:
                run.counts[RESTARTS] += 1
            run.counts[STALE] = 0
            state = sample(rep, run.rng)
        else:
            state = mutate(rep, unpack(rep, run.rows[CURRENT]), run.rng)
        value = judged(rep, game, objective, run, state)
        if not fresh:
            run.counts[STALE] = 0 if value > run.scores[CURRENT] else run.counts[STALE] + 1
        if fresh or value >= run.scores[CURRENT]:
            run.scores[CURRENT] = value
            pack(rep, state, run.rows[CURRENT])
        if kept(rep, run, state, value):
            return


@kernel
def anneal(rep, game, objective, run, options, evaluations):
    """Mutates, keeps what is no worse, and what is worse by d with the chance exp(-d / T)."""
    for _ in range(evaluations):
        first = run.counts[EVALUATIONS] == 0
        temperature = max(options[FLOOR], options[START] * options[COOLING] ** run.counts[EVALUATIONS])
        if first:
            state = sample(rep, run.rng)
        else:
            state = mutate(rep, unpack(rep, run.rows[CURRENT]), run.rng)
        value = judged(rep, game, objective, run, state)
        loss = run.scores[CURRENT] - value
        if first or loss <= 0 or unit(run.rng) < math.exp(-loss / temperature):
            run.scores[CURRENT] = value
            pack(rep, state, run.rows[CURRENT])
        if kept(rep, run, state, value):
            return
