"""A change of a level, advanced as any search is by the one loop with a clock."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import replace
from typing import Any

from levelsmith.contracts import Resumable
from levelsmith.core import SOLVED, Budget, Cancel, Level, Result
from levelsmith.making.run import Clock, Drive


class Change(Resumable):
    """A search among the versions of a level that a person has."""

    evaluations: int = 0
    score: float = -math.inf
    exhausted: bool = False
    level: Level  # as it was
    clock: Clock  # of its run, to be asked in the midst of a step

    @abstractmethod
    def outcome(self) -> tuple[Level, float, dict[str, Any]]:
        """Returns the version that is handed out, its score, and what there is to say of it; raises
        LevelsmithError where none will do."""


class ChangeDrive(Drive):
    """The drive of a change."""

    search: Change

    def __init__(self, change: Change, budget: Budget, cancel: Cancel | None):
        super().__init__(change, budget, cancel)
        change.clock = self.clock

    def best(self) -> Level:
        return replace(self.search.level, grid=self.search.best(), solution=None)

    def result(self, stopped: str) -> Result:
        level, score, told = self.search.outcome()
        spent, seconds, history = self.search.evaluations, self.clock.seconds, tuple(self.history)
        return Result(level, (level,), score, score >= SOLVED, stopped, spent, seconds, history, told)
