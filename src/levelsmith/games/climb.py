"""A climb: step by step to candidates that come nearer to what is asked for, and by chance to others.

Whoever climbs finds the candidates, and says how far off each of them is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Generic, TypeVar

from levelsmith.kernels.maths import exp

Place = TypeVar("Place")
Chance = Callable[[], float]


class Climb(Generic[Place]):
    """Where a climb stands, how far off that is, and for how many candidates it has come no nearer.

    Args:
        here: where it begins.
        far: how far off that is.
        patience: candidates that come no nearer, after which it is stuck.
        heat: how readily it goes on from what is farther off.
    """

    def __init__(self, here: Place, far: float = math.inf, *, patience: float = math.inf, heat: float = 1.0):
        self.patience, self.heat = patience, heat
        self.begin(here, far)

    def begin(self, here: Place, far: float = math.inf) -> None:
        """Begins anew from a place."""
        self.here, self.far, self.stale = here, far, 0

    @property
    def is_stuck(self) -> bool:
        return self.stale >= self.patience

    def accepts(self, far: float, chance: Chance | None = None) -> bool:
        """Tells whether to go on from a candidate: from one that is farther off by `chance` alone, which
        draws from 0 to 1, as in simulated annealing."""
        return far <= self.far or (chance is not None and chance() < exp((self.far - far) / self.heat))

    def note(self, place: Place, far: float, chance: Chance | None = None) -> bool:
        """Goes on from a candidate, if it is accepted, and tells whether it was."""
        if far < self.far:
            self.stale = 0
        if accepted := self.accepts(far, chance):
            self.here, self.far = place, far
        return accepted


def outside(value: float, low: float, high: float) -> float:
    """Returns by how much a value is outside a range: less than 0 below it, more than 0 above."""
    return min(0.0, value - low) + max(0.0, value - high)


def far_off(value: float, low: float, high: float) -> float:
    """Returns how far a value is from a range, in parts of its end; 1 for one that is not known."""
    return 1.0 if math.isnan(value) else abs(outside(value, low, high)) / (low or max(1.0, high))
