"""Slow twins of the evolution strategy, the genetic algorithm and islands: a population is a list."""

from __future__ import annotations

from typing import Any, NamedTuple

from levelsmith.kernels.problem import cross, initial, mutate, sample, unpack
from levelsmith.kernels.random import below, seeded, unit
from reference.states import packed, seen, shuffle


class One(NamedTuple):
    """A candidate of a population."""

    score: float
    row: Any


def ranked(people):
    """Best first; equals stay in order."""
    return sorted(people, key=lambda one: -one.score)


def es(problem, seed, evaluations, values):
    """What (mu + lambda) meets in so many evaluations, in order, and how many generations are complete."""
    rep, words, mu = problem.representation, seeded(seed), values["mu"]
    met, people, generations = [], [], 0
    while len(met) < evaluations:
        if len(people) < mu:
            state = sample(rep, words) if met else initial(rep, words)
        else:
            parent = people[below(words, mu)]
            state = mutate(rep, unpack(rep, parent.row), values["rate"], words)
        met.append(seen(problem, state))
        people.append(One(met[-1][0], packed(rep, state)))
        if len(people) == mu + values["lambda"]:
            if values["ties"] == "random":
                shuffle(people, words)
            if values["ties"] == "children":  # the youngest come first
                people.reverse()
            people = ranked(people)[:mu]
            generations += 1
    return met, generations


def drawn(parents, words):
    """A parent by rank, best first: of a hundred parents the best has 100 tickets and the worst has one."""
    tickets = [place for place in reversed(range(len(parents))) for _ in range(len(parents) - place)]
    return parents[tickets[below(words, len(tickets))]]


def ga(problem, seed, evaluations, values):
    """The same of the genetic algorithm."""
    rep, words = problem.representation, seeded(seed)
    met, parents, people, generations = [], [], [], 0
    while len(met) < evaluations:
        if not parents:
            state = sample(rep, words) if met else initial(rep, words)
        else:
            mother, father = drawn(parents, words), drawn(parents, words)
            if unit(words) < values["crossover"]:
                state = cross(rep, mother.row, father.row, words)
            else:
                state = unpack(rep, mother.row)
            if unit(words) < values["mutation"]:
                state = mutate(rep, state, values["rate"], words)
        met.append(seen(problem, state))
        people.append(One(met[-1][0], packed(rep, state)))
        if len(people) == values["population"]:
            parents = ranked(people)
            people = parents[: values["elite"]]
            generations += 1
    return met, generations


def islands(problem, seed, evaluations, values):
    """The same of islands, whose populations stand one after the other in one list, then the best of each.

    A place that nothing new was drawn for scores less than anything.
    """
    rep, words = problem.representation, seeded(seed)
    n, number = values["population"], values["islands"]
    everyone, to_the_end = n * number, values["ends"] == "generations"
    pool = max(everyone, values["pool"])
    apart = pool + everyone * values["generations"]
    last = apart + number * values["generations"]
    met, people, turn, children = [], [], 0, 0
    while len(met) < evaluations and not (to_the_end and turn == last):
        complete = turn < apart and turn >= everyone and (turn - pool) % everyone == 0
        if complete and not to_the_end and all(one.score >= 1 for one in people):
            turn = apart
        if turn < pool:
            state = sample(rep, words) if met else initial(rep, words)
            place = turn if turn < everyone else worst(people, range(everyone))
        else:
            if turn == apart:
                best = [max(people[i : i + n], key=lambda one: one.score) for i in range(0, everyone, n)]
                met_goal = 1.0 - 1e-9 if number > 1 else 1.0  # copies give way to children as good
                people += [One(min(one.score, met_goal), one.row) for one in best]
            first = n * ((turn - pool) % number) if turn < apart else everyone
            here = range(first, first + (n if turn < apart else number))
            good = [i for i in here if people[i].score >= 1]
            able = good if turn < apart else []
            mother, father = chosen(here, able, words), chosen(here, able, words)
            place = worst(people, here) if mother in good and len(good) < len(here) else mother
            if unit(words) < values["crossover"]:
                state = cross(rep, people[mother].row, people[father].row, words)
            else:
                state = unpack(rep, people[mother].row)
            if unit(words) < values["mutation"]:
                state = mutate(rep, state, values["rate"], words)
        met.append(seen(problem, state))
        made = One(met[-1][0], packed(rep, state))
        held = any((made.row == one.row).all() for one in people)
        if place == len(people):
            people.append(One(float("-inf"), made.row) if held else made)
        elif made.score > people[place].score and not held:
            people[place] = made
        children += pool <= turn < apart
        turn += 1
    return met, children // everyone


def worst(people, places):
    return min(places, key=lambda place: people[place].score)


def chosen(places, good, words):
    """Any of the places, but a good one where there are two."""
    while True:
        place = places[below(words, len(places))]
        if len(good) < 2 or place in good:
            return place
