"""Tree search as the mutation of a population: a child is the best map that a short search meets."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from levelsmith.core import Parameter, Parameters, Problem, Values
from levelsmith.kernels.words import WORD
from levelsmith.search.compiled import CompiledSearch
from levelsmith.search.evolution import MOST
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels import frontier
from levelsmith.search.kernels.run import RunState

LONGEST = 100_000  # evaluations of one tree


class Graft(CompiledSearch):
    needs = "steps"
    summary = "a population whose children are made by short best-first searches"
    states = 1
    parameters: ClassVar[Parameters] = (
        Parameter("mu", 5, "parents", low=1, high=MOST),
        Parameter("lambda", 10, "children of a generation", low=1, high=MOST),
        Parameter("slice", 30, "evaluations of the tree that makes a child", low=1, high=LONGEST),
    )

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        super().__init__(problem, seed, values)
        self.mu, self.slice = values["mu"], values["slice"]
        rep = problem.representation
        self.front = frontier.make(rep.words, WORD * len(rep.slots), self.slice + 1, frontier.BEST_FIRST)
        slots = 1 << (2 * self.slice + 2).bit_length()
        self.front = self.front._replace(table=np.zeros(slots, np.uint64))
        self.workspace = (self.front,)
        everyone = self.mu + values["lambda"]
        self.population = np.zeros((everyone, rep.words), np.uint64)  # parents first
        self.keys = np.full(everyone, np.inf)  # 1 - score
        self.made = self.generations = 0
        self.due = 1  # evaluations when the tree at hand is complete

    def make_options(self, values: Values) -> frontier.FrontierOptions:
        return frontier.FrontierOptions(frontier.BEST_FIRST, 0.0, last_first=False, shuffled=True)

    def advance(self, evaluations: int) -> None:
        if evaluations == self.evaluations == 0:  # compiles what later trees need as well
            self._plant(self.run._replace(rng=self.run.rng.copy()), 0)
            self._clear()
        target = self.evaluations + evaluations
        self.call(frontier.expand, 0)
        while self.evaluations < target and not self.exhausted:
            before = self.evaluations
            self.call(frontier.expand, min(target, self.due) - before)
            if self.evaluations == self.due or self.exhausted:
                self._next_tree()
            if self.evaluations > before and self.run.counts[at.PAUSED]:
                return

    def _next_tree(self) -> None:
        """Takes the child that the tree has made, and begins the next one."""
        nodes = int(self.run.counts[at.NODES])
        first = 0 if self.made < self.mu else 1  # later trees have a parent as their root
        if nodes == first:
            return  # nothing can change: the search is over
        child = first + int(self.front.keys[first:nodes].argmin())
        self.population[self.made], self.keys[self.made] = self.front.nodes[child], self.front.keys[child]
        self.made += 1
        if self.made == len(self.population):
            order = np.argsort(self.keys[::-1], kind="stable")[: self.mu]  # the youngest of equals live on
            order = len(self.population) - 1 - order
            self.population[: self.mu], self.keys[: self.mu] = self.population[order], self.keys[order]
            self.made = self.mu
            self.generations += 1
        if self.made < self.mu:
            self._clear()
            self.due = self.evaluations + 1
        else:
            self._plant(self.run, (self.made - self.mu) % self.mu)
            self.due = self.evaluations + self.slice

    def _clear(self) -> None:
        """The next tree is a random start alone."""
        self.front.table[:] = 0
        for place in (at.OVER, at.NODES, at.WAITING, at.BEGUN):
            self.run.counts[place] = 0

    def _plant(self, run: RunState, parent: int) -> None:
        rep, packed = self.problem.representation, self.population[parent]
        frontier.plant(rep, run, self.front, self.options, packed, 1.0 - self.keys[parent])

    def statistics(self) -> dict[str, Any]:
        return {"generations": self.generations, "depth_reached": int(self.run.counts[at.DEPTH])}
