"""The compiled part of MAP-Elites: one row for each bin of two or three metrics, with the best met there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import board, brush, cross, metric, mutate, pack, unpack
from levelsmith.kernels.random import below, unit
from levelsmith.kernels.score import score
from levelsmith.search.kernels.evolution import FIRST, MADE, born
from levelsmith.search.kernels.local import EVALUATIONS, FIRST_FREE, kept

FILLED = FIRST_FREE + 2
SAMPLES, CROSSOVER, MUTATION = range(3)  # places of the options
METRIC, LOW, HIGH, BINS = range(4)  # columns of an axis


class Archive(NamedTuple):
    axes: NDArray[np.float64]  # [axes, 4] metric, low, high, bins
    filled: NDArray[np.int32]  # [bins] the numbers of those that are not empty
    away: NDArray[np.float64]  # [bins] how far their elites lie outside the ranges


@part
def bin_of(game, cells, axes):
    """The number of the bin that a board falls into, and how many ranges away it lies outside of them.

    What lies outside a range belongs to its first or its last bin.
    """
    found, outside = 0, 0.0
    for i in range(len(axes)):
        low, high, bins = axes[i, LOW], axes[i, HIGH], np.int64(axes[i, BINS])
        share = (metric(game, cells, np.int64(axes[i, METRIC])) - low) / (high - low)
        outside += max(0.0, -share, share - 1.0)
        found = found * bins + min(np.int64(min(max(share, 0.0), 1.0) * bins), bins - 1)
    return found, outside


@part
def child(rep, run, filled, options):
    """Of an elite, or of two that are crossed: mutated, or with a small part of it painted over."""
    late = max(below(run.rng, run.counts[FILLED]), below(run.rng, run.counts[FILLED]))
    mother = run.rows[FIRST + filled[late]]
    if unit(run.rng) < options[CROSSOVER]:
        father = run.rows[FIRST + filled[below(run.rng, run.counts[FILLED])]]
        state = cross(rep, mother, father, run.rng)
    else:
        state = unpack(rep, mother)
    if unit(run.rng) < options[MUTATION]:
        return mutate(rep, state, 0.0, run.rng)
    return brush(rep, state, run.rng)


@kernel
def illuminate(rep, game, objective, run, archive, options, evaluations):
    """Random candidates, then children of random elites.

    Each takes its bin where it lies nearer to the ranges than who is there, or as near and is no worse.
    """
    counts, filled, away = run.counts, archive.filled, archive.away
    for _ in range(evaluations):
        state = born(rep, run) if counts[MADE] < options[SAMPLES] else child(rep, run, filled, options)
        counts[EVALUATIONS] += 1
        counts[MADE] += 1
        cells = board(rep, state).value
        value = score(game, objective, cells)
        place, outside = bin_of(game, cells, archive.axes)
        before = run.scores[FIRST + place]
        if outside < away[place] or (outside == away[place] and value >= before):
            if before == -np.inf:
                filled[counts[FILLED]] = place
                counts[FILLED] += 1
            away[place] = outside
            run.scores[FIRST + place] = value
            pack(rep, state, run.rows[FIRST + place])
        if kept(rep, run, state, value):
            return
