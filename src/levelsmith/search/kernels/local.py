"""The compiled searches that keep one state: random play, hill climbing and simulated annealing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from levelsmith.kernels import problem
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.maths import exp, power
from levelsmith.kernels.random import below, unit
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels.run import CURRENT, evaluate, keep

TOP = CURRENT + 1  # the index of the best neighbour's packed state


class PlayOptions(NamedTuple):
    length: int


class ClimbOptions(NamedTuple):
    patience: int
    rate: float
    plateaus: bool


class AnnealOptions(NamedTuple):
    temperature: float
    cooling: float
    floor: float
    rate: float


@kernel
def play(rep, game, objective, run, options, evaluations):
    """Random legal actions from a fresh start until the end; only the end is scored."""
    for _ in range(evaluations):
        state = problem.initial(rep, run.rng)
        for _ in range(options.length):
            if problem.done(rep, state):
                break
            depth = state.depth
            state = problem.step_at_random(rep, state, run.rng)
            if state.depth == depth:  # no action was open
                break
        if keep(rep, run, state, evaluate(rep, game, objective, run, state)):
            return


@part
def start(rep, run):
    """Draws the start of the run, or later a random candidate; that is counted as a restart."""
    if run.counts[at.EVALUATIONS] == 0:
        return problem.initial(rep, run.rng)
    run.counts[at.RESTARTS] += 1
    run.counts[at.STALE] = 0
    return problem.sample(rep, run.rng)


@part
def move_to(rep, run, state, value):
    """Makes a state the current one, with its score."""
    run.scores[CURRENT] = value
    problem.pack(rep, state, run.states[CURRENT])


@kernel
def climb(rep, game, objective, run, options, evaluations):
    """Mutates, keeps what is better (or as good), and starts afresh after `patience` tries without a gain."""
    counts = run.counts
    for _ in range(evaluations):
        fresh = counts[at.EVALUATIONS] == 0 or 0 < options.patience <= counts[at.STALE]
        if fresh:
            state = start(rep, run)
        else:
            state = problem.mutate(rep, problem.unpack(rep, run.states[CURRENT]), options.rate, run.rng)
        value = evaluate(rep, game, objective, run, state)
        better = value > run.scores[CURRENT]
        if not fresh:
            counts[at.STALE] = 0 if better else counts[at.STALE] + 1
        if fresh or better or (options.plateaus and value == run.scores[CURRENT]):
            move_to(rep, run, state, value)
        if keep(rep, run, state, value):
            return


@kernel
def ascend(rep, game, objective, run, options, evaluations):
    """Looks at every neighbour before it takes the best, one of them at random where several are.

    Where none is better (or as good) it starts afresh, or without `patience` has nothing left to do.
    """
    counts, scores = run.counts, run.scores
    for _ in range(evaluations):
        if counts[at.OVER] > 0:
            return
        fresh = counts[at.EVALUATIONS] == 0 or 0 < options.patience <= counts[at.STALE]
        if fresh:
            state = start(rep, run)
        else:
            state = problem.neighbour(rep, problem.unpack(rep, run.states[CURRENT]), counts[at.SWEEP])
        value = evaluate(rep, game, objective, run, state)
        if fresh:
            move_to(rep, run, state, value)
            counts[at.SWEEP] = 0
            scores[TOP] = -np.inf
        else:
            counts[at.SWEEP] += 1
            if value > scores[TOP]:
                counts[at.TIES] = 0
            if value >= scores[TOP]:
                counts[at.TIES] += 1
            if value >= scores[TOP] and below(run.rng, counts[at.TIES]) == 0:
                scores[TOP] = value
                problem.pack(rep, state, run.states[TOP])
        improved = keep(rep, run, state, value)
        if counts[at.SWEEP] == problem.neighbours(rep):
            end_sweep(rep, run, options)
        if improved:
            return


@part
def end_sweep(rep, run, options):
    """Moves to the best of all neighbours, or notes that none is good enough."""
    counts, scores = run.counts, run.scores
    if scores[TOP] > scores[CURRENT]:
        counts[at.STALE] = 0
    elif scores[TOP] == scores[CURRENT] and options.plateaus:
        counts[at.STALE] += counts[at.SWEEP]
    elif options.patience > 0:
        counts[at.STALE] = options.patience
    else:
        counts[at.OVER] = 1
    if scores[TOP] > scores[CURRENT] or (scores[TOP] == scores[CURRENT] and options.plateaus):
        move_to(rep, run, problem.unpack(rep, run.states[TOP]), scores[TOP])
    counts[at.SWEEP] = 0
    scores[TOP] = -np.inf


@kernel
def anneal(rep, game, objective, run, options, evaluations):
    """Mutates, keeps what is no worse, and what is worse by d with the chance exp(-d / T)."""
    for _ in range(evaluations):
        first = run.counts[at.EVALUATIONS] == 0
        cooled = options.temperature * power(options.cooling, float(run.counts[at.EVALUATIONS]))
        temperature = max(options.floor, cooled)
        if first:
            state = problem.initial(rep, run.rng)
        else:
            state = problem.mutate(rep, problem.unpack(rep, run.states[CURRENT]), options.rate, run.rng)
        value = evaluate(rep, game, objective, run, state)
        loss = run.scores[CURRENT] - value
        if first or loss <= 0 or unit(run.rng) < exp(-loss / temperature):
            move_to(rep, run, state, value)
        if keep(rep, run, state, value):
            return
