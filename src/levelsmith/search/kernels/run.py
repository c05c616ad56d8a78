"""A run between two calls of its kernel: its arrays, what it counts, how it scores and keeps states."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import part
from levelsmith.kernels.problem import board, pack
from levelsmith.kernels.score import score
from levelsmith.search.kernels import counts as at

BEST, CURRENT = range(2)  # indices of packed states
THRESHOLD = 0  # the index in `marks` of the score from which states are kept in the buffer


class RunState(NamedTuple):
    """The whole state of a search between two calls of its kernel."""

    rng: NDArray[np.uint64]  # [2]
    states: NDArray[np.uint64]  # [states, words] packed
    scores: NDArray[np.float64]  # [states]
    counts: NDArray[np.int64]  # [COUNTS] see `counts.py`
    buffer: NDArray[np.uint64]  # [capacity, words] good states, packed, until the driver takes them
    marks: NDArray[np.float64]  # [1 + 2 * capacity] the threshold, then their scores, then evaluations


class NoOptions(NamedTuple):
    """The options of a search without parameters."""


@part
def evaluate(rep, game, objective, run, state):
    """Returns the score of a state, and counts it as one evaluation."""
    run.counts[at.EVALUATIONS] += 1
    return score(game, objective, board(rep, state).value)


@part
def keep(rep, run, state, value):
    """Keeps a state better than the best or above the threshold; returns whether the kernel must pause."""
    counts = run.counts
    better = value > run.scores[BEST]
    counts[at.PAUSED] = 1 if better else 0
    if better:
        run.scores[BEST] = value
        pack(rep, state, run.states[BEST])
    if value >= run.marks[THRESHOLD] and counts[at.BUFFERED] < len(run.buffer):
        pack(rep, state, run.buffer[counts[at.BUFFERED]])
        counts[at.BUFFERED] += 1
        run.marks[counts[at.BUFFERED]] = value
        run.marks[counts[at.BUFFERED] + len(run.buffer)] = counts[at.EVALUATIONS]
        if counts[at.BUFFERED] == len(run.buffer):
            counts[at.PAUSED] = 1
    return counts[at.PAUSED] > 0
