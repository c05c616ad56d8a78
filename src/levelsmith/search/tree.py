"""Monte Carlo tree search: a tree that grows where random play from its leaves went well.

With the adaptive rule it is that of Bhaumik et al. (FDG 2020, section 3.1.4); `ucb1` is Kocsis and Szepesvári
(2006), `ucb1-tuned` Auer et al. (2002), `ucb-v` Audibert et al. (2007), `sp-mcts` Schadd et al. (2008).
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from levelsmith.core import Parameter, Parameters, Problem, Values
from levelsmith.search import tree_kernels as kernels
from levelsmith.search.compiled import CompiledSearch
from levelsmith.search.frontier import MEBIBYTE, MEMORY
from levelsmith.search.kernels import BEST, OVER

FIRST_CAPACITY = 4096
RULES = ("ucb1", "ucb1-tuned", "ucb-v", "sp-mcts", "adaptive")


class MonteCarloTreeSearch(CompiledSearch):
    kernel = kernels.grow
    summary = "grows a tree where random play from its leaves went well"
    needs = "steps"
    states = 4
    parameters: ClassVar[Parameters] = (
        Parameter("selection", "adaptive", "how a child is chosen", choices=RULES),
        Parameter("c", math.sqrt(2), "weight of exploration, times sqrt(ln N / n)", low=0.0),
        Parameter("zeta", 1.2, "of ucb-v: weight of ln N", low=0.0),
        Parameter("spread", math.sqrt(2), "of sp-mcts: variance of a child seen once", low=0.0),
        Parameter("length", 100, "most actions of a rollout", low=0),
        Parameter("rollouts", 1, "rollouts from each new node", low=1),
        Parameter(
            "scored",
            "all",
            "which states are scored: ends of rollouts, new nodes too, or all",
            choices=("ends", "nodes", "all"),
        ),
        Parameter(
            "reward", "last", "what a rollout is worth: its last score or its best", choices=("last", "best")
        ),
        MEMORY,
    )

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        super().__init__(problem, seed, values)
        self.most_bytes = values["memory"] * MEBIBYTE
        self.room = (kernels.make(FIRST_CAPACITY),)
        self.ended_by = "exhausted"

    def advance(self, evaluations: int) -> None:
        target = self.evaluations + evaluations
        while not self.exhausted:
            self.call(kernels.grow, target - self.evaluations)
            if not self.run.counts[kernels.FULL]:
                return
            self._grow()

    def _grow(self) -> None:
        """Twice the room, or the end of the search where that would be too much."""
        (old,) = self.room
        capacity = len(old.links)
        if 2 * sum(array.nbytes for array in old) > self.most_bytes or 2 * capacity > np.iinfo(np.int32).max:
            self.run.counts[OVER], self.ended_by = 1, "memory"
            return
        new = kernels.make(2 * capacity)
        new.links[:capacity], new.worth[:capacity] = old.links, old.worth
        self.room = (new,)

    def statistics(self) -> dict[str, Any]:
        counts = self.run.counts
        return {
            "nodes": int(counts[kernels.NODES]),
            "iterations": int(counts[kernels.ITERATIONS]),
            "depth_reached": int(counts[kernels.DEPTH]),
            "depth_of_best": int(self.run.rows[BEST][-1]),
        }
