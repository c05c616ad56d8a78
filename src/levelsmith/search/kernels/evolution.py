"""The compiled searches that keep a population: evolution strategy and genetic algorithm."""

from __future__ import annotations

import math

import numpy as np

from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import cross, initial, mutate, pack, sample, unpack
from levelsmith.kernels.random import below, unit
from levelsmith.kernels.score import SOLVED
from levelsmith.search.kernels.local import EVALUATIONS, FIRST_FREE, judged, kept

MADE, GENERATION = range(FIRST_FREE, FIRST_FREE + 2)
FIRST = 1  # the row of the first candidate, after the best
MU, LAMBDA, RATE, TIES = range(4)  # places of the evolution strategy's options
TO_PARENTS, TO_CHILDREN, AT_RANDOM = range(3)  # who lives on among equals
POPULATION, CROSSOVER, MUTATION, CHANGES, ELITE = range(5)  # places of the genetic algorithm's options
ISLANDS, GENERATIONS, POOL = range(ELITE, ELITE + 3)  # places of the islands' options, after those they share
NEARLY = SOLVED - 1e-9  # what the best of a population that meet the goal count at first among each other
ENOUGH = 2  # of a population that meet the goal, so that the others have no children any more


@part
def born(rep, run):
    """One of the first candidates: the start of the run, then random ones."""
    if run.counts[EVALUATIONS] == 0:
        return initial(rep, run.rng)
    return sample(rep, run.rng)


@part
def rank(order, scores, n, turned):
    """Sorts the first n row numbers of `order` by score, best first (a merge sort).

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
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        order[i], order[j] = order[j], order[i]


@kernel
def evolve(rep, game, objective, run, order, options, evaluations):
    """(mu + lambda): children of random parents by mutation; the best of both are the next parents.

    `order` lists rows, parents first; its second half is room to sort in.
    """
    counts = run.counts
    parents, everyone = np.int64(options[MU]), np.int64(options[MU] + options[LAMBDA])
    for _ in range(evaluations):
        if counts[MADE] < parents:
            state = born(rep, run)
        else:
            parent = run.rows[order[below(run.rng, parents)]]
            state = mutate(rep, unpack(rep, parent), options[RATE], run.rng)
        value = judged(rep, game, objective, run, state)
        row = order[counts[MADE]]
        pack(rep, state, run.rows[row])
        run.scores[row] = value
        counts[MADE] += 1
        if counts[MADE] == everyone:
            if options[TIES] == AT_RANDOM:
                shuffle(order, everyone, run.rng)
            rank(order, run.scores, everyone, options[TIES] == TO_CHILDREN)
            counts[MADE] = parents
            counts[GENERATION] += 1
        if kept(rep, run, state, value):
            return


@part
def by_rank(rng, n):
    """A place from 0, the best, to n - 1: the chance falls in a straight line from n to 1."""
    drawn = below(rng, n * (n + 1) // 2)
    return n - 1 - np.int64((math.sqrt(8.0 * drawn + 1.0) - 1.0) / 2.0)


@part
def next_generation(run, order, options):
    """Ranks the generation that is complete, and copies its elite into the next."""
    counts = run.counts
    n = np.int64(options[POPULATION])
    rank(order, run.scores, n, False)
    counts[GENERATION] += 1
    counts[MADE] = 0
    for place in range(np.int64(options[ELITE])):
        to = FIRST + n * (counts[GENERATION] % 2) + place
        run.scores[to] = run.scores[order[place]]
        for j in range(run.rows.shape[1]):
            run.rows[to, j] = run.rows[order[place], j]
        counts[MADE] += 1


@kernel
def breed(rep, game, objective, run, order, options, evaluations):
    """Parents by rank, one child of two by crossover, mutated now and then; the elite lives on.

    Generations alternate between two halves of the rows. `order` lists the rows of the last complete one.
    """
    counts = run.counts
    n = np.int64(options[POPULATION])
    for _ in range(evaluations):
        if counts[GENERATION] == 0:
            state = born(rep, run)
        else:
            mother, father = order[by_rank(run.rng, n)], order[by_rank(run.rng, n)]
            if unit(run.rng) < options[CROSSOVER]:
                state = cross(rep, run.rows[mother], run.rows[father], run.rng)
            else:
                state = unpack(rep, run.rows[mother])
            if unit(run.rng) < options[MUTATION]:
                state = mutate(rep, state, options[CHANGES], run.rng)
        value = judged(rep, game, objective, run, state)
        row = FIRST + n * (counts[GENERATION] % 2) + counts[MADE]
        pack(rep, state, run.rows[row])
        run.scores[row] = value
        counts[MADE] += 1
        if counts[MADE] == n:
            for place in range(n):
                order[place] = FIRST + n * (counts[GENERATION] % 2) + place
            next_generation(run, order, options)
        if kept(rep, run, state, value):
            return


@part
def best_row(run, first, n):
    """The row with the best score among some in a row."""
    best = first
    for row in range(first + 1, first + n):
        if run.scores[row] > run.scores[best]:
            best = row
    return best


@part
def worst_row(run, first, n):
    worst = first
    for row in range(first + 1, first + n):
        if run.scores[row] < run.scores[worst]:
            worst = row
    return worst


@part
def solved_of(run, first, n):
    solved = 0
    for row in range(first, first + n):
        solved += 1 if run.scores[row] >= SOLVED else 0
    return solved


@part
def parent(run, first, n, solved):
    """A random row of a population; of those that meet the goal once there are enough."""
    row = first + below(run.rng, n)
    while solved >= ENOUGH and run.scores[row] < SOLVED:
        row = first + below(run.rng, n)
    return row


@part
def is_new(run, row, mother, father):
    """Whether a row differs from those of its parents."""
    as_mother = as_father = True
    for j in range(run.rows.shape[1]):
        as_mother &= run.rows[row, j] == run.rows[mother, j]
        as_father &= run.rows[row, j] == run.rows[father, j]
    return not (as_mother or as_father)


@kernel
def settle(rep, game, objective, run, options, evaluations):
    """The best of a pool in populations apart from each other, then one of their best.

    A child takes its mother's place if it is better, so that a population does not become all alike (Mahfoud,
    1995: crowding); where its mother meets the goal, that of the worst. The best of each are copies until a
    child that is new takes their place. Rows: the populations one after the other, then the best of each,
    then room for a child.
    """
    counts = run.counts
    n, islands = np.int64(options[POPULATION]), np.int64(options[ISLANDS])
    everyone = n * islands
    pool = everyone * np.int64(options[POOL])
    apart = pool + everyone * np.int64(options[GENERATIONS])
    for _ in range(evaluations):
        turn = counts[MADE]
        if everyone <= turn < apart and turn % everyone == 0 and solved_of(run, FIRST, everyone) == everyone:
            turn = apart
        counts[MADE] = turn + 1
        if turn < pool:
            state = born(rep, run)
            place = FIRST + turn if turn < everyone else worst_row(run, FIRST, everyone)
        else:
            if turn == apart:
                for island in range(islands):
                    best = best_row(run, FIRST + island * n, n)
                    met = NEARLY if islands > 1 else SOLVED
                    run.scores[FIRST + everyone + island] = min(run.scores[best], met)
                    for j in range(run.rows.shape[1]):
                        run.rows[FIRST + everyone + island, j] = run.rows[best, j]
            size = n if turn < apart else islands
            first = FIRST + everyone if turn >= apart else FIRST + n * (turn % islands)
            solved = solved_of(run, first, size) if turn < apart else 0
            mother, father = parent(run, first, size, solved), parent(run, first, size, solved)
            place = mother if run.scores[mother] < SOLVED else worst_row(run, first, size)
            if unit(run.rng) < options[CROSSOVER]:
                state = cross(rep, run.rows[mother], run.rows[father], run.rng)
            else:
                state = unpack(rep, run.rows[mother])
            if unit(run.rng) < options[MUTATION]:
                state = mutate(rep, state, options[CHANGES], run.rng)
        value = judged(rep, game, objective, run, state)
        better = value > run.scores[place]
        if turn >= apart and better:
            child = FIRST + everyone + islands
            pack(rep, state, run.rows[child])
            better = is_new(run, child, mother, father)
        if pool <= turn < apart:
            counts[GENERATION] = (turn - pool + 1) // everyone
        settles = turn == apart or (better and run.scores[place] < SOLVED <= value)
        if turn < everyone or better:
            run.scores[place] = value
            pack(rep, state, run.rows[place])
        if kept(rep, run, state, value):
            return
        if turn >= apart and settles and solved_of(run, FIRST, everyone + islands) == everyone + islands:
            return  # the end, which the driver sees at once and not some evaluations later
