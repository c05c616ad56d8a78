"""The compiled part of MAP-Elites: an archive with the best met for each bin of two or three metrics."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels import problem
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.random import below, unit
from levelsmith.kernels.score import score
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels.evolution import FIRST, draw
from levelsmith.search.kernels.run import keep

METRIC, LOW, HIGH, BINS = range(4)  # columns of an axis


class Archive(NamedTuple):
    axes: NDArray[np.float64]  # [axes, 4] metric, low, high, bins
    filled: NDArray[np.int32]  # [bins] the numbers of those that are not empty
    away: NDArray[np.float64]  # [bins] how far their elites lie outside the ranges


class ElitesOptions(NamedTuple):
    samples: int
    crossover: float
    mutation: float


@part
def bin_of(game, cells, axes):
    """Returns the number of the bin that a board falls into, and how many ranges it lies outside of them.

    What lies outside a range belongs to its first or its last bin.
    """
    found, outside = 0, 0.0
    for i in range(len(axes)):
        low, high, bins = axes[i, LOW], axes[i, HIGH], np.int64(axes[i, BINS])
        share = (problem.metric(game, cells, np.int64(axes[i, METRIC])) - low) / (high - low)
        outside += max(0.0, -share, share - 1.0)
        found = found * bins + min(np.int64(min(max(share, 0.0), 1.0) * bins), bins - 1)
    return found, outside


@part
def make_child(rep, run, filled, options):
    """Makes a candidate of an elite, or of two crossed: mutated, or with a small part painted over."""
    late = max(below(run.rng, run.counts[at.FILLED]), below(run.rng, run.counts[at.FILLED]))
    mother = run.states[FIRST + filled[late]]
    if unit(run.rng) < options.crossover:
        father = run.states[FIRST + filled[below(run.rng, run.counts[at.FILLED])]]
        state = problem.cross(rep, mother, father, run.rng)
    else:
        state = problem.unpack(rep, mother)
    if unit(run.rng) < options.mutation:
        return problem.mutate(rep, state, 0.0, run.rng)
    return problem.brush(rep, state, run.rng)


@kernel
def illuminate(rep, game, objective, run, archive, options, evaluations):
    """Random candidates, then children of random elites.

    Each takes its bin where it lies nearer to the ranges than who is there, or as near and is no worse.
    """
    counts, filled, away = run.counts, archive.filled, archive.away
    for _ in range(evaluations):
        state = draw(rep, run) if counts[at.MADE] < options.samples else make_child(rep, run, filled, options)
        counts[at.EVALUATIONS] += 1
        counts[at.MADE] += 1
        cells = problem.board(rep, state).value
        value = score(game, objective, cells)
        place, outside = bin_of(game, cells, archive.axes)
        before = run.scores[FIRST + place]
        if outside < away[place] or (outside == away[place] and value >= before):
            if before == -np.inf:
                filled[counts[at.FILLED]] = place
                counts[at.FILLED] += 1
            away[place] = outside
            run.scores[FIRST + place] = value
            problem.pack(rep, state, run.states[FIRST + place])
        if keep(rep, run, state, value):
            return
