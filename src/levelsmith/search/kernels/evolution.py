"""The compiled searches that keep a population: evolution strategy and genetic algorithm."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import cross, initial, mutate, pack, sample, unpack
from levelsmith.kernels.random import below, unit
from levelsmith.kernels.score import SOLVED
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels.run import evaluate, keep

FIRST = 1  # the index of the first candidate's packed state, after the best
TO_PARENTS, TO_CHILDREN, AT_RANDOM = range(3)  # who lives on among equals
NEARLY = SOLVED - 1e-9  # what the best of a population that meet the goal count at first among each other
ENOUGH = 2  # of a population that meet the goal, so that the others have no children any more
AT_GOAL, AFTER_ALL = range(2)  # when islands end: once everyone meets the goal, or after all generations


class StrategyOptions(NamedTuple):
    mu: int
    lambda_: int
    rate: float
    ties: int


class GeneticOptions(NamedTuple):
    population: int
    crossover: float
    mutation: float
    rate: float
    elite: int


class IslandOptions(NamedTuple):
    population: int
    crossover: float
    mutation: float
    rate: float
    islands: int
    generations: int
    pool: int
    ends: int


@part
def draw(rep, run):
    """Draws a first candidate: the start of the run, then random ones."""
    if run.counts[at.EVALUATIONS] == 0:
        return initial(rep, run.rng)
    return sample(rep, run.rng)


@part
def rank(order, scores, n, turned):
    """Sorts the first n indices in `order` by score, best first (a merge sort).

    Equals stay in order, or are turned around.
    """
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            middle, end = min(start + width, n), min(start + 2 * width, n)
            left, right = start, middle
            for place in range(start, end):
                take_left = left < middle
                if take_left and right < end:
                    one, other = scores[order[left]], scores[order[right]]
                    take_left = one > other or (one == other and not turned)
                order[n + place] = order[left] if take_left else order[right]
                left += 1 if take_left else 0
                right += 0 if take_left else 1
        for place in range(n):
            order[place] = order[n + place]
        width *= 2


@part
def shuffle(order, n, rng):
    """Puts the first n indices in `order` into a random order (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        order[i], order[j] = order[j], order[i]


@kernel
def evolve(rep, game, objective, run, order, options, evaluations):
    """(mu + lambda): children of random parents by mutation; the best of both are the next parents.

    `order` lists the indices of packed states, parents first; its second half is a buffer for the sort.
    """
    counts = run.counts
    parents, everyone = options.mu, options.mu + options.lambda_
    for _ in range(evaluations):
        if counts[at.MADE] < parents:
            state = draw(rep, run)
        else:
            parent = run.states[order[below(run.rng, parents)]]
            state = mutate(rep, unpack(rep, parent), options.rate, run.rng)
        value = evaluate(rep, game, objective, run, state)
        place = order[counts[at.MADE]]
        pack(rep, state, run.states[place])
        run.scores[place] = value
        counts[at.MADE] += 1
        if counts[at.MADE] == everyone:
            if options.ties == AT_RANDOM:
                shuffle(order, everyone, run.rng)
            rank(order, run.scores, everyone, options.ties == TO_CHILDREN)
            counts[at.MADE] = parents
            counts[at.GENERATION] += 1
        if keep(rep, run, state, value):
            return


@part
def by_rank(rng, n):
    """Returns a place from 0, the best, to n - 1: the chance falls in a straight line from n to 1."""
    drawn = below(rng, n * (n + 1) // 2)
    return n - 1 - np.int64((math.sqrt(8.0 * drawn + 1.0) - 1.0) / 2.0)


@part
def begin_generation(run, order, options):
    """Ranks the generation that is complete, and copies its elite into the next."""
    counts = run.counts
    n = options.population
    rank(order, run.scores, n, False)
    counts[at.GENERATION] += 1
    counts[at.MADE] = 0
    for place in range(options.elite):
        to = FIRST + n * (counts[at.GENERATION] % 2) + place
        run.scores[to] = run.scores[order[place]]
        for j in range(run.states.shape[1]):
            run.states[to, j] = run.states[order[place], j]
        counts[at.MADE] += 1


@kernel
def breed(rep, game, objective, run, order, options, evaluations):
    """Parents by rank, one child of two by crossover, mutated now and then; the elite lives on.

    Generations alternate between two halves of the packed states. `order` lists the last complete one.
    """
    counts = run.counts
    n = options.population
    for _ in range(evaluations):
        if counts[at.GENERATION] == 0:
            state = draw(rep, run)
        else:
            mother, father = order[by_rank(run.rng, n)], order[by_rank(run.rng, n)]
            if unit(run.rng) < options.crossover:
                state = cross(rep, run.states[mother], run.states[father], run.rng)
            else:
                state = unpack(rep, run.states[mother])
            if unit(run.rng) < options.mutation:
                state = mutate(rep, state, options.rate, run.rng)
        value = evaluate(rep, game, objective, run, state)
        place = FIRST + n * (counts[at.GENERATION] % 2) + counts[at.MADE]
        pack(rep, state, run.states[place])
        run.scores[place] = value
        counts[at.MADE] += 1
        if counts[at.MADE] == n:
            for place in range(n):
                order[place] = FIRST + n * (counts[at.GENERATION] % 2) + place
            begin_generation(run, order, options)
        if keep(rep, run, state, value):
            return


@part
def best_of(run, first, n):
    """Returns the index of the best score among n from `first` on."""
    best = first
    for i in range(first + 1, first + n):
        if run.scores[i] > run.scores[best]:
            best = i
    return best


@part
def worst_of(run, first, n):
    """Returns the index of the worst score among n from `first` on."""
    worst = first
    for i in range(first + 1, first + n):
        if run.scores[i] < run.scores[worst]:
            worst = i
    return worst


@part
def count_solved(run, first, n):
    """Returns how many of n candidates from `first` on meet the goal."""
    solved = 0
    for i in range(first, first + n):
        solved += 1 if run.scores[i] >= SOLVED else 0
    return solved


@part
def parent(run, first, n, solved):
    """Draws a candidate of a population; of those that meet the goal once there are enough."""
    drawn = first + below(run.rng, n)
    while solved >= ENOUGH and run.scores[drawn] < SOLVED:
        drawn = first + below(run.rng, n)
    return drawn


@part
def is_held(run, child, first, n):
    """Returns whether a packed state repeats one of n from `first` on."""
    for i in range(first, first + n):
        j = 0
        while j < run.states.shape[1] and run.states[child, j] == run.states[i, j]:
            j += 1
        if j == run.states.shape[1]:
            return True
    return False


@part
def gather_best(run, options):
    """Copies the best of each population behind them all, where they meet; their children take their place.

    What meets the goal counts a little less there, so that any new child that meets it is better.
    """
    n, islands = options.population, options.islands
    for island in range(islands):
        best, to = best_of(run, FIRST + island * n, n), FIRST + n * islands + island
        run.scores[to] = min(run.scores[best], NEARLY if islands > 1 else SOLVED)
        for j in range(run.states.shape[1]):
            run.states[to, j] = run.states[best, j]


@kernel
def settle(rep, game, objective, run, options, evaluations):
    """Evolves the best of a pool in populations apart from each other, then one of their best.

    A child takes its mother's place if it is better, so that a population does not become all alike (Mahfoud,
    1995: crowding); where its mother meets the goal and others do not, that of the worst. None that is there
    already is taken, so that no two are the same. The packed states are the populations one after the other,
    then the best of each, then a buffer for a child. A place that nothing new was drawn for has no score.
    """
    counts = run.counts
    n, islands = options.population, options.islands
    everyone = n * islands
    pool = max(options.pool, everyone)
    apart = pool + everyone * options.generations
    last = apart + islands * options.generations
    child = FIRST + everyone + islands
    for _ in range(evaluations):
        turn = counts[at.MADE]
        if (
            options.ends == AT_GOAL
            and everyone <= turn < apart
            and (turn - pool) % everyone == 0
            and count_solved(run, FIRST, everyone) == everyone
        ):
            turn = apart
        counts[at.MADE] = turn + 1
        if turn < pool:
            state = draw(rep, run)
            place = FIRST + turn if turn < everyone else worst_of(run, FIRST, everyone)
        else:
            if turn == apart:
                gather_best(run, options)
            first = FIRST + everyone if turn >= apart else FIRST + n * ((turn - pool) % islands)
            size = islands if turn >= apart else n
            solved = count_solved(run, first, size) if turn < apart else 0
            mother, father = parent(run, first, size, solved), parent(run, first, size, solved)
            place = worst_of(run, first, size)
            if run.scores[mother] < SOLVED or run.scores[place] >= SOLVED:
                place = mother
            counts[at.BRED] += 1
            if unit(run.rng) < options.crossover:
                counts[at.CROSSED] += 1
                state = cross(rep, run.states[mother], run.states[father], run.rng)
            else:
                state = unpack(rep, run.states[mother])
            if unit(run.rng) < options.mutation:
                counts[at.MUTATED] += 1
                state = mutate(rep, state, options.rate, run.rng)
        value = evaluate(rep, game, objective, run, state)
        better = turn < everyone or value > run.scores[place]
        taken = better
        if better:
            pack(rep, state, run.states[child])
            among = min(turn, everyone) if turn < apart else everyone + islands
            taken = not is_held(run, child, FIRST, among)
            counts[at.REPEATED] += 0 if taken else 1
        if pool <= turn < apart:
            counts[at.GENERATION] = (turn - pool + 1) // everyone
        settles = turn == apart or (taken and run.scores[place] < SOLVED <= value)
        if better:
            if taken or turn < everyone:
                for j in range(run.states.shape[1]):
                    run.states[place, j] = run.states[child, j]
                run.scores[place] = value if taken else -np.inf
            counts[at.ACCEPTED] += 1 if taken and turn >= pool else 0
        if options.ends == AFTER_ALL and turn + 1 == last:
            counts[at.OVER] = 1
        if keep(rep, run, state, value) or counts[at.OVER] > 0:
            return
        if turn >= apart and settles and count_solved(run, FIRST, everyone + islands) == everyone + islands:
            return  # the end, which the driver sees at once and not some evaluations later
