"""The slow twin of MAP-Elites: an archive is a dict of bins."""

from __future__ import annotations

from levelsmith.kernels.problem import board, brush, cross, initial, metric, mutate, sample, unpack
from levelsmith.kernels.random import below, seeded, unit
from reference.states import packed, seen


def elites(problem, seed, evaluations, values, axes):
    """What it meets in so many evaluations, in order, and the score and row of each bin."""
    rep, words = problem.representation, seeded(seed)
    met, archive = [], {}
    while len(met) < evaluations:
        if len(met) < values["samples"]:
            state = sample(rep, words) if met else initial(rep, words)
        else:
            known = list(archive.values())  # in the order in which bins were found
            mother = known[max(below(words, len(known)), below(words, len(known)))][1]
            if unit(words) < values["crossover"]:
                state = cross(rep, mother, known[below(words, len(known))][1], words)
            else:
                state = unpack(rep, mother)
            if unit(words) < values["mutation"]:
                state = mutate(rep, state, 0.0, words)
            else:
                state = brush(rep, state, words)
        met.append(seen(problem, state))
        place, away = where(problem, state, axes)
        if place not in archive or (-away, met[-1][0]) >= archive[place][0]:
            archive[place] = (-away, met[-1][0]), packed(rep, state)
    return met, {place: (score, row) for place, ((_, score), row) in archive.items()}


def where(problem, state, axes):
    """The numbers of the bin of a state, and how many ranges it lies outside."""
    numbers, away = [], 0.0
    for name, low, high, bins in axes:
        value = metric(problem.game, board(problem.representation, state).value, problem.metrics.index(name))
        away += max(0.0, low - value, value - high) / (high - low)
        number = int((value - low) / (high - low) * bins)
        numbers.append(min(max(number, 0), bins - 1))
    return tuple(numbers), away
