"""Evolution: a population whose best are changed, and in the genetic algorithm crossed, again and again.

Bhaumik et al. (FDG 2020), sections 3.2.3 and 3.2.4; islands after Thakkar et al. (CoG 2019), section III.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from levelsmith.core import SOLVED, Member, Parameter, Parameters, Problem, Values
from levelsmith.errors import LevelsmithError
from levelsmith.search.compiled import CompiledSearch
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels.evolution import (
    AFTER_ALL,
    FIRST,
    GeneticOptions,
    IslandOptions,
    StrategyOptions,
    breed,
    evolve,
    settle,
)

MOST = 50_000  # candidates
ENDS = ("goal", "generations")
RATE = Parameter("rate", 0.01, "chance of each place to change; 0 for exactly one change", low=0.0, high=1.0)


class Population(CompiledSearch):
    needs = "variation"

    def __init__(
        self, problem: Problem, seed: np.random.SeedSequence, values: Values, candidates: int, sorted: int
    ):
        self.states = FIRST + candidates
        super().__init__(problem, seed, values)
        order = np.arange(FIRST, FIRST + 2 * sorted, dtype=np.int32)  # the second half: to sort in
        self.workspace = (order,)

    def statistics(self) -> dict[str, Any]:
        return {"generations": int(self.run.counts[at.GENERATION])}


class EvolutionStrategy(Population):
    kernel = evolve
    options_type = StrategyOptions
    summary = "mu parents, lambda children by mutation, the best of both live on"
    parameters: ClassVar[Parameters] = (
        Parameter("mu", 10, "parents", low=1, high=MOST),
        Parameter("lambda", 20, "children of a generation", low=1, high=MOST),
        RATE,
        Parameter("ties", "random", "who lives on among equals", choices=("parents", "children", "random")),
    )

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        everyone = values["mu"] + values["lambda"]
        super().__init__(problem, seed, values, candidates=everyone, sorted=everyone)


class GeneticAlgorithm(Population):
    kernel = breed
    options_type = GeneticOptions
    summary = "parents by rank, crossover at one point, mutation, an elite that lives on"
    parameters: ClassVar[Parameters] = (
        Parameter("population", 200, "candidates of a generation", low=2, high=MOST),
        Parameter("crossover", 0.8, "share of children with two parents", low=0.0, high=1.0),
        Parameter("mutation", 1.0, "share of children that are mutated", low=0.0, high=1.0),
        RATE,
        Parameter("elite", 1, "candidates that live on unchanged", low=0, high=MOST),
    )

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        population = values["population"]
        if values["elite"] >= population:
            raise LevelsmithError(
                f"expected an elite smaller than the population of {population}, got {values['elite']}"
            )
        super().__init__(problem, seed, values, candidates=2 * population, sorted=population)


class Islands(CompiledSearch):
    kernel = settle
    options_type = IslandOptions
    needs = "variation"
    summary = "populations apart from each other, then one of their best; everyone in them is a level"
    parameters: ClassVar[Parameters] = (
        Parameter("population", 32, "candidates of an island", low=1, high=MOST),
        Parameter("crossover", 0.78, "share of children with two parents", low=0.0, high=1.0),
        Parameter("mutation", 0.1, "share of children that are mutated", low=0.0, high=1.0),
        RATE,
        Parameter("islands", 10, "populations", low=1, high=1000),
        Parameter("generations", 150, "generations before the best of each meet", low=0),
        Parameter("pool", 3_200, "samples at the start, of which the best are taken", low=1),
        Parameter("ends", "goal", "once everyone meets the goal, or after all generations", choices=ENDS),
    )

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        self.states = FIRST + (values["population"] + 1) * values["islands"] + 1
        super().__init__(problem, seed, values)

    @property
    def settled(self) -> bool:
        """Whether everyone meets the goal, which ends a run, or all generations are done; the best alone does
        not."""
        if self.options.ends == AFTER_ALL:
            return self.exhausted
        return bool((self.run.scores[FIRST:-1] >= SOLVED).all())

    def everyone(self) -> Iterator[Member]:
        """Yields all populations, then what became of the best of each; none that repeats another."""
        seen: set[bytes] = set()
        for index in FIRST + np.flatnonzero(np.isfinite(self.run.scores[FIRST:-1])):
            if self.run.states[index].tobytes() not in seen:
                seen.add(self.run.states[index].tobytes())
                yield *self.kept_in(int(index)), {}

    def statistics(self) -> dict[str, Any]:
        counts = self.run.counts
        kept = [row.tobytes() for row in self.run.states[FIRST:-1][np.isfinite(self.run.scores[FIRST:-1])]]
        return {
            "generations": int(counts[at.GENERATION]),
            "samples": int(counts[at.EVALUATIONS] - counts[at.BRED]),
            "children": int(counts[at.BRED]),
            "crossed": int(counts[at.CROSSED]),
            "mutated": int(counts[at.MUTATED]),
            "accepted": int(counts[at.ACCEPTED]),
            "repeated": int(counts[at.REPEATED]),
            "duplicates": len(kept) - len(set(kept)),
        }
