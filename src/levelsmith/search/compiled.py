"""What every compiled search has: its state in arrays, so that it can stop and go on at any evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar

import numpy as np

from levelsmith.contracts import Search
from levelsmith.core import Grid, Parameter, Parameters, Problem, Values
from levelsmith.kernels.outside import reraise
from levelsmith.kernels.problem import board, unpack
from levelsmith.kernels.random import seeded
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels.run import BEST, NoOptions, RunState

BUFFER = 256  # states that wait for the driver at most
LARGEST = 2**63 - 1  # that a kernel can take of an integer


class CompiledSearch(Search):
    """Hands the run to a kernel `(rep, game, objective, run, *workspace, options, evaluations)`.

    `workspace` is what a search keeps besides a few states, `options` a NamedTuple of the type `options_type`
    with the values of the parameters that its fields are named after (`lambda_` is `lambda`). The kernel
    spends at most that many evaluations and returns right after an improvement, so that the history has each
    one at its exact evaluation.
    """

    kernel: ClassVar[Callable[..., None]]
    summary: ClassVar[str]
    needs: ClassVar[str]
    parameters: ClassVar[Parameters]
    options_type: ClassVar[Any] = NoOptions
    states: int = 2

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        self.problem = problem
        self.workspace: tuple[Any, ...] = ()
        self._seen: tuple[bytes, Grid] | None = None  # the best state, packed, and its grid
        self.options: Any = self.make_options(values)
        self.run = RunState(
            seeded(seed),
            np.zeros((self.states, problem.representation.words), np.uint64),
            np.full(self.states, -np.inf),
            np.zeros(at.COUNTS, np.int64),
            np.zeros((0, problem.representation.words), np.uint64),
            np.full(1, np.inf),
        )

    def make_options(self, values: Values) -> Any:
        """Returns what the kernel takes of the values of the parameters."""
        return options_of(self.options_type, self.parameters, values)

    def keep(self, bar: float) -> None:
        """Has states with a score of at least `bar` kept for `taken` from now on; infinity ends it."""
        words = self.problem.representation.words
        capacity = 0 if bar == np.inf else BUFFER
        self.run.counts[at.BUFFERED] = 0
        self.run = self.run._replace(
            buffer=np.zeros((capacity, words), np.uint64), marks=np.full(1 + 2 * capacity, bar, np.float64)
        )

    def taken(self) -> Iterator[tuple[float, Grid, Callable[[], str | None], int]]:
        """Yields score, grid and proof of each state kept since the last time, and its evaluation."""
        rep, marks = self.problem.representation, self.run.marks
        for i in range(self.run.counts[at.BUFFERED]):
            packed = self.run.buffer[i].copy()
            grid = self.problem.grid(board(rep, unpack(rep, packed)).value)
            after = int(marks[1 + len(self.run.buffer) + i])
            yield float(marks[1 + i]), grid, partial(self.problem.proof, packed), after
        self.run.counts[at.BUFFERED] = 0

    @property
    def exhausted(self) -> bool:
        return bool(self.run.counts[at.OVER])

    @property
    def evaluations(self) -> int:
        return int(self.run.counts[at.EVALUATIONS])

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
            *self.workspace,
            self.options,
            evaluations,
        )
        reraise(problem.game)

    def best(self) -> Grid:
        packed = self.run.states[BEST].tobytes()
        if self._seen is None or self._seen[0] != packed:  # a board may take long to make
            rep = self.problem.representation
            self._seen = packed, self.problem.grid(board(rep, unpack(rep, self.run.states[BEST])).value)
        return self._seen[1].copy()

    def kept_in(self, index: int) -> tuple[float, Grid, str | None]:
        """Returns score, grid and proof of one of the states."""
        rep, packed = self.problem.representation, self.run.states[index]
        grid = self.problem.grid(board(rep, unpack(rep, packed)).value)
        return float(self.run.scores[index]), grid, self.problem.proof(packed)

    def proof(self) -> str | None:
        return self.problem.proof(self.run.states[BEST])

    def statistics(self) -> dict[str, Any]:
        return {}


def options_of(kind: Any, parameters: Parameters, values: Values) -> Any:
    """Returns a NamedTuple of a kind, each field the value or default of the parameter of that name."""
    known = {parameter.name: parameter for parameter in parameters}
    chosen = [known[field.rstrip("_")] for field in kind._fields]
    return kind(*(_number(parameter, values.get(parameter.name, parameter.default)) for parameter in chosen))


def _number(parameter: Parameter, value: Any) -> Any:
    """Returns a value as a kernel takes it, always of the same type: of choices, which one."""
    if parameter.choices:
        return parameter.choices.index(value)
    return type(parameter.default)(min(value, LARGEST))
