"""A search in plain Python whose every step a test can watch."""

from __future__ import annotations

import time
from typing import ClassVar

import numpy as np
import pytest

from levelsmith.registry import searches


class Counting:
    """Its score is its number of evaluations, divided by a thousand; options of the class make it odd."""

    summary = "counts"
    needs = "variation"
    parameters = ()
    exhausted = False

    seconds: ClassVar[float] = 0.0  # that an evaluation takes
    interrupted_at: ClassVar[int] = -1
    exhausted_at: ClassVar[int] = -1
    stuck_at: ClassVar[int] = -1  # spends nothing from there on
    portions: ClassVar[list[int]] = []

    def __init__(self, problem, seed, values):
        self.problem, self.evaluations, self.score = problem, 0, float("-inf")

    def advance(self, evaluations):
        type(self).portions.append(evaluations)
        for _ in range(evaluations):
            if self.evaluations == self.stuck_at:
                return
            if self.evaluations == self.interrupted_at:
                raise KeyboardInterrupt
            if self.evaluations == self.exhausted_at:
                self.exhausted = True
                return
            time.sleep(self.seconds)
            self.evaluations += 1
            self.score = self.evaluations / 1000

    def best(self):
        grid = np.zeros((8, 8), np.uint8)
        grid.flat[self.evaluations % 64] = 1
        return grid

    def statistics(self):
        return {"portions": len(self.portions)}


@pytest.fixture
def counting(entered):
    """The class, registered as the search `counting`; a test sets its options."""
    return entered(searches, "counting", type("CountingHere", (Counting,), {"portions": []}))
