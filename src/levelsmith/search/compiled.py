"""What every compiled search has: its state in arrays, so that it can stop and go on at any evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Problem, Search
from levelsmith.core import Grid, Parameter, Parameters, Values
from levelsmith.kernels.outside import reraise
from levelsmith.kernels.problem import board, unpack
from levelsmith.kernels.random import seeded
from levelsmith.search.kernels.local import BEST, COUNTS, EVALUATIONS, OVER, SHELVED, Run

SHELF = 256  # states that wait for the driver at most


class CompiledSearch(Search):
    """Hands the run to a kernel `(rep, game, objective, run, *room, options, evaluations)`.

    `room` is what a search keeps besides a few states. The kernel spends at most that many evaluations and
    returns right after an improvement, so that the history has each one at its exact evaluation.
    """

    kernel: ClassVar[Callable[..., None]]
    summary: ClassVar[str]
    needs: ClassVar[str]
    parameters: ClassVar[Parameters]
    states: int = 2

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        self.problem = problem
        self.room: tuple[Any, ...] = ()
        self._seen: tuple[bytes, Grid] | None = None  # the best state, packed, and its grid
        self.options = options_of(self.parameters, values)
        self.run = Run(
            seeded(seed),
            np.zeros((self.states, problem.representation.row), np.uint64),
            np.full(self.states, -np.inf),
            np.zeros(COUNTS, np.int64),
            np.zeros((0, problem.representation.row), np.uint64),
            np.full(1, np.inf),
        )

    def keep(self, bar: float) -> None:
        """From now on states with a score of at least `bar` are kept for `taken`; infinity ends it."""
        row = self.problem.representation.row
        room = 0 if bar == np.inf else SHELF
        self.run.counts[SHELVED] = 0
        self.run = self.run._replace(
            shelf=np.zeros((room, row), np.uint64), marks=np.full(1 + 2 * room, bar, np.float64)
        )

    def taken(self) -> Iterator[tuple[float, Grid, Callable[[], str | None], int]]:
        """Scores, grids and proofs of the states kept since the last time, and after how many evaluations."""
        rep, marks = self.problem.representation, self.run.marks
        for i in range(self.run.counts[SHELVED]):
            row = self.run.shelf[i].copy()
            grid = self.problem.grid(board(rep, unpack(rep, row)).value)
            after = int(marks[1 + len(self.run.shelf) + i])
            yield float(marks[1 + i]), grid, partial(self.problem.proof, row), after
        self.run.counts[SHELVED] = 0

    @property
    def exhausted(self) -> bool:
        return bool(self.run.counts[OVER])

    @property
    def evaluations(self) -> int:
        return int(self.run.counts[EVALUATIONS])

    @property
    def score(self) -> float:
        return float(self.run.scores[BEST])

    def advance(self, evaluations: int) -> None:
        self.call(type(self).kernel, evaluations)

    def call(self, kernel: Callable[..., None], evaluations: int) -> None:
        problem = self.problem
        kernel(
            problem.representation,
            problem.game,
            problem.objective,
            self.run,
            *self.room,
            self.options,
            evaluations,
        )
        reraise(problem.game)

    def best(self) -> Grid:
        row = self.run.rows[BEST].tobytes()
        if self._seen is None or self._seen[0] != row:  # a board may take long to make
            rep = self.problem.representation
            self._seen = row, self.problem.grid(board(rep, unpack(rep, self.run.rows[BEST])).value)
        return self._seen[1].copy()

    def kept_in(self, row: int) -> tuple[float, Grid, str | None]:
        """Score, grid and proof of one of the states."""
        rep, packed = self.problem.representation, self.run.rows[row]
        grid = self.problem.grid(board(rep, unpack(rep, packed)).value)
        return float(self.run.scores[row]), grid, self.problem.proof(packed)

    def proof(self) -> str | None:
        return self.problem.proof(self.run.rows[BEST])

    def statistics(self) -> dict[str, Any]:
        return {}


def options_of(parameters: Parameters, values: Values) -> NDArray[np.float64]:
    """Values as a kernel takes them, in the order of the parameters."""
    return np.array([_number(p, values[p.name]) for p in parameters if p.name in values])


def _number(parameter: Parameter, value: Any) -> float:
    """A parameter as a kernel takes it: of choices, which one."""
    return float(parameter.choices.index(value) if parameter.choices else value)
