"""What a solver has spent on a level, and the limits that end it."""

from __future__ import annotations

from collections.abc import Callable

from levelsmith.core import Cancel, Effort
from levelsmith.kernels.compile import clock


class SolverLimit(Exception):  # noqa: N818 - no error: it becomes the verdict `unknown`
    """A limit was reached: `states`, `seconds`, `memory` or `cancelled`."""


class Spending:
    """What all searches for one level have spent together."""

    def __init__(self, effort: Effort, cancel: Cancel | None):
        self.effort, self.cancel = effort, cancel
        self.started = clock()
        self.states = 0  # found so far

    @property
    def seconds(self) -> float:
        return clock() - self.started

    def aside(self, work: Callable[[], None]) -> None:
        """Does something off the clock."""
        started = clock()
        work()
        self.started += clock() - started

    def check(self) -> None:
        effort = self.effort
        if effort.states is not None and self.states >= effort.states:
            raise SolverLimit("states")
        if effort.seconds is not None and self.seconds >= effort.seconds:
            raise SolverLimit("seconds")
        if self.cancel is not None and self.cancel():
            raise SolverLimit("cancelled")
