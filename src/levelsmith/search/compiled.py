"""What every compiled search has: its state in arrays, so that it can stop and go on at any evaluation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from levelsmith.core import Grid, Parameters, Problem, Values
from levelsmith.kernels.problem import board, unpack
from levelsmith.kernels.random import seeded
from levelsmith.search.kernels import BEST, EVALUATIONS, RESTARTS, Run


class CompiledSearch:
    """Hands the run to a kernel `(rep, game, objective, run, options, evaluations)`.

    The kernel spends at most that many evaluations and returns right after an improvement, so that the
    history has each one at its exact evaluation.
    """

    kernel: ClassVar[Callable[..., None]]
    summary: ClassVar[str]
    needs: ClassVar[str]
    parameters: ClassVar[Parameters]
    states: ClassVar[int] = 2

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        self.problem = problem
        self.options = np.array([float(values[p.name]) for p in self.parameters if p.name in values])
        self.run = Run(
            seeded(seed),
            np.zeros((self.states, problem.representation.row), np.uint64),
            np.full(self.states, -np.inf),
            np.zeros(16, np.int64),
        )
        self.exhausted = False

    @property
    def evaluations(self) -> int:
        return int(self.run.counts[EVALUATIONS])

    @property
    def score(self) -> float:
        return float(self.run.scores[BEST])

    def advance(self, evaluations: int) -> None:
        problem = self.problem
        type(self).kernel(
            problem.representation, problem.game, problem.objective, self.run, self.options, evaluations
        )

    def best(self) -> Grid:
        representation = self.problem.representation
        return self.problem.grid(board(representation, unpack(representation, self.run.rows[BEST])).value)

    def statistics(self) -> dict[str, Any]:
        return {"restarts": int(self.run.counts[RESTARTS])}
