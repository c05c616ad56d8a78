"""Online planning: Monte Carlo tree search that commits to an action after each slice of its budget."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from levelsmith.core import Parameter, Parameters, Problem, Values
from levelsmith.search.compiled import options_of
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels import node
from levelsmith.search.kernels import tree as kernels
from levelsmith.search.tree import MonteCarloTreeSearch

GROWING = MonteCarloTreeSearch.parameters
# Parameters of mcts that stay at their defaults.
FIXED = ("trees", "patience", "closed", "deepest", "bootstrap", "cycle")
SHORT: dict[str, Any] = {"length": 10, "scored": "ends"}  # defaults for trees that have a slice alone


class OnlinePlanning(MonteCarloTreeSearch):
    summary = "Monte Carlo tree search that commits to an action after each slice of evaluations"
    parameters: ClassVar[Parameters] = (
        Parameter("slice", 100, "evaluations before it commits to an action", low=1),
        Parameter("commits", 0, "actions before it starts again; 0 for as many as a path has", low=0),
        *(replace(p, default=SHORT.get(p.name, p.default)) for p in GROWING if p.name not in FIXED),
    )

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        super().__init__(problem, seed, values)
        self.slice, self.most = values["slice"], values["commits"]
        self.commits = self.on_path = 0
        self.due = self.slice  # evaluations when the next action is committed to

    def make_options(self, values: Values) -> node.TreeOptions:
        made: node.TreeOptions = options_of(node.TreeOptions, GROWING, values)
        return made

    def advance(self, evaluations: int) -> None:
        counts = self.run.counts
        if evaluations == 0:  # compiles what a commitment needs as well
            tiny = node.make(1)
            tiny.links[:] = 0
            aside = self.run._replace(counts=counts.copy())
            kernels.commit(
                self.problem.representation, aside, tiny, tiny, self.options, np.zeros(1, np.int32)
            )
        target = self.evaluations + evaluations
        while True:
            counts[at.DUE] = self.due
            super().advance(target - self.evaluations)
            if self.evaluations >= target or counts[at.PAUSED]:
                return
            self._commit()

    def _commit(self) -> None:
        """Takes the best action for good; at the end of a path the next tree starts afresh."""
        (tree,) = self.workspace
        below = node.make(len(tree.squares))
        origins = np.empty(len(tree.squares), np.int32)
        kernels.commit(self.problem.representation, self.run, tree, below, self.options, origins)
        self.commits += 1
        self.on_path += 1
        counts = self.run.counts
        if counts[at.NODES] and self.on_path != self.most:
            self.workspace = (below,)
        else:
            counts[at.NODES] = self.on_path = 0
            counts[at.RESTARTS] += 1
        self.due = self.evaluations + self.slice

    def statistics(self) -> dict[str, Any]:
        return {**super().statistics(), "commits": self.commits}
