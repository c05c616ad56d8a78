"""Searches with a frontier of states and a set of those seen: breadth-first, depth-first, best-first, A*.

Bhaumik et al. (FDG 2020, section 3.1); A* is that of the paper's earlier edition. A state is tested when it
is met, and every test is an evaluation.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from levelsmith.core import Parameter, Parameters, Problem, Values
from levelsmith.kernels.words import WORD
from levelsmith.search.compiled import CompiledSearch
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels import frontier
from levelsmith.search.kernels.run import BEST

MOST_NODES = 2**31 - 1
MEBIBYTE = 2**20
MEMORY = Parameter("memory", 2048, "MiB that nodes may take before the search stops", low=1)
ORDER = Parameter("order", "given", "the order of a state's actions", choices=("given", "random"))
TIES = Parameter("ties", "fifo", "which of equally good nodes comes first", choices=("fifo", "lifo"))


class FrontierSearch(CompiledSearch):
    """Grows its table as it goes, up to the memory it may take."""

    needs = "steps"
    mode: ClassVar[int]
    states = 1

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        super().__init__(problem, seed, values)
        rep = problem.representation
        nodes = values["memory"] * MEBIBYTE // frontier.bytes_a_node(rep.words, self.mode)
        self.workspace = (frontier.make(rep.words, WORD * len(rep.slots), min(nodes, MOST_NODES), self.mode),)
        self.ended_by = "exhausted"

    def make_options(self, values: Values) -> frontier.FrontierOptions:
        weight, last_first = float(values.get("weight", 0.0)), values.get("ties") == "lifo"
        return frontier.FrontierOptions(self.mode, weight, last_first, values["order"] == "random")

    @property
    def front(self) -> frontier.Frontier:
        front: frontier.Frontier = self.workspace[0]
        return front

    def advance(self, evaluations: int) -> None:
        if evaluations == 0:  # compiles what growing needs as well
            frontier.enter_all(self.problem.representation, self.front, 0)
        target = self.evaluations + evaluations
        while not self.exhausted:
            self.call(frontier.expand, target - self.evaluations)
            if not self.run.counts[at.FULL]:
                return
            self._grow()

    def _grow(self) -> None:
        """A table twice as large, or the end of the search where the memory for nodes is used up."""
        nodes = int(self.run.counts[at.NODES])
        if nodes >= len(self.front.nodes):
            self.run.counts[at.OVER], self.ended_by = 1, "memory"
            return
        slots = 2 * len(self.front.table)
        self.workspace = (self.front._replace(table=np.zeros(0, np.uint64)),)  # the old one goes first
        self.workspace = (self.front._replace(table=np.zeros(slots, np.uint64)),)
        frontier.enter_all(self.problem.representation, self.front, nodes)

    def statistics(self) -> dict[str, Any]:
        counts = self.run.counts
        return {
            "nodes": int(counts[at.NODES]),
            "duplicates": int(counts[at.DUPLICATES]),
            "depth_reached": int(counts[at.DEPTH]),
            "depth_of_best": int(self.run.states[BEST][-1]),
        }


class BreadthFirst(FrontierSearch):
    mode = frontier.BREADTH
    summary = "expands states in the order they were met"
    parameters: ClassVar[Parameters] = (MEMORY, ORDER)


class DepthFirst(FrontierSearch):
    mode = frontier.DEPTH_FIRST
    summary = "expands the state that was met last"
    parameters: ClassVar[Parameters] = (MEMORY, ORDER)


class BestFirst(FrontierSearch):
    mode = frontier.BEST_FIRST
    summary = "expands the state with the best score"
    parameters: ClassVar[Parameters] = (MEMORY, ORDER, TIES)


class AStar(FrontierSearch):
    mode = frontier.BEST_FIRST
    summary = "expands the state with the least weight · depth + (1 - score)"
    parameters: ClassVar[Parameters] = (
        MEMORY,
        ORDER,
        TIES,
        Parameter("weight", 0.01, "what a step costs against a score of 1", low=0.0),
    )
