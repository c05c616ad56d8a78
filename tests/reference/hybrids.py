"""Slow twins of searches made of others: a population that tree searches vary, and trees with one table."""

from __future__ import annotations

import math

import numpy as np

from levelsmith.kernels.bits import to_members
from levelsmith.kernels.problem import apply, done, initial, legal, rooted, unpack
from levelsmith.kernels.random import seeded
from reference.states import packed, seen, shuffle


def best_first(rep, start, known, words, meet, shuffled):
    """Expands the best of what waits, from a root that is `(key, number, row)`; yields the key that is next.

    `meet` tells a child's key and number. What is in `known` is not met again.
    """
    waiting = [start]
    while waiting:
        waiting.sort(key=lambda node: node[:2])
        key, _, row = waiting.pop(0)
        state = unpack(rep, row)
        if done(rep, state):
            continue
        actions = to_members(legal(rep, state).value)
        if shuffled:
            shuffle(actions, words)
        rows = [packed(rep, apply(rep, unpack(rep, row), np.int64(action))) for action in actions]
        unmet = [child for child in rows if child[:-1].tobytes() not in known]
        for place, child in enumerate(unmet):
            if child[:-1].tobytes() in known:
                continue
            known.add(child[:-1].tobytes())
            waiting.append((*meet(unpack(rep, child)), child))
            rest = place + 1 < len(unmet)
            yield key if rest else min((node[:2] for node in waiting), default=(math.inf,))[0]


def graft(problem, seed, evaluations, values):
    """What is met in so many evaluations, in order, and how many generations are complete."""
    rep, words, mu = problem.representation, seeded(seed), values["mu"]
    met, people, generations = [], [], 0

    def meet(state):
        met.append(seen(problem, state))
        tree.append((1.0 - met[-1][0], packed(rep, state)))
        return tree[-1][0], len(tree)

    while len(met) < evaluations:
        tree = []
        if len(people) < mu:
            meet(initial(rep, words))
        else:
            key, row = people[(len(people) - mu) % mu]
            root = packed(rep, rooted(rep, unpack(rep, row), words))
            known = {root[:-1].tobytes()}
            for _ in best_first(rep, (key, 0, root), known, words, meet, shuffled=True):
                if len(tree) == values["slice"]:
                    break
        people.append(min(tree, key=lambda node: node[0]))
        if len(people) == mu + values["lambda"]:
            people.reverse()  # the youngest of equals live on
            people = sorted(people, key=lambda one: one[0])[:mu]
            generations += 1
    return met[:evaluations], generations


def roots(problem, seed, evaluations, values):
    """What is met in so many evaluations, in order."""
    rep, words = problem.representation, seeded(seed)
    met, known, trees, by_key = [], set(), [], values["turns"] == "best"

    def meet(state):
        met.append(seen(problem, state))
        return 1.0 - met[-1][0], len(met)

    for _ in range(values["roots"]):
        own = rep._replace(origin=rep.origin.copy())
        state = initial(own, words)
        row = packed(own, state)
        if row[:-1].tobytes() not in known:
            known.add(row[:-1].tobytes())
            start = (*meet(state), row)
            growth = best_first(own, start, known, words, meet, values["order"] == "random")
            trees.append([start[0] if by_key else 0.0, 1, growth])
    while len(met) < evaluations:
        tree = min(trees, key=lambda tree: tree[:2])
        for _ in range(values["slice"]):
            before = len(met)
            key = next(tree[2], math.inf)
            tree[0] = key if by_key or key == math.inf else 0.0
            if len(met) == before:
                break
        tree[1] += 1
    return met[:evaluations]
