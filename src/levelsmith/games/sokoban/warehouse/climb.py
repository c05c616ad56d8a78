"""A climb over plans: some are drawn, and the best of them is changed for as long as that pays."""

from __future__ import annotations

import math

from levelsmith.games.sokoban.warehouse.plan import Plan, Start

Place = tuple[Plan, Start | None]  # where all starts of a plan are met, it has none of its own


class Climb:
    """The best plan so far, and for how long it has stayed that.

    Args:
        enough: plans to be drawn, of which the best is changed.
        stale: changes without a gain, after which plans are drawn again.
    """

    def __init__(self, enough: int, stale: int) -> None:
        self.enough, self.stale = enough, stale
        self._begin()

    def _begin(self) -> None:
        self.best: Place | None = None
        self.far = math.inf  # how far it is from what is asked for
        self.drawn = self.changes = 0  # plans so far, and changes since the last gain

    def to_change(self) -> Place | None:
        """Returns the plan to be changed next, or None where one is to be drawn."""
        if self.changes == self.stale:
            self._begin()
        if self.best is not None and self.drawn >= self.enough:
            self.changes += 1
            return self.best
        self.drawn += 1
        return None

    def note(self, plan: Plan, start: Start | None, far: float) -> None:
        """Keeps a plan that comes at least as near as the best."""
        if far < self.far:
            self.changes = 0
        if far <= self.far:
            self.best, self.far = (plan, start), far
