"""From easy to hard, as fast as an agent learns."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from levelsmith.core import Level
from levelsmith.curricula.curriculum import Curriculum
from levelsmith.curricula.episode import Episode
from levelsmith.curricula.sources import Levels
from levelsmith.errors import LevelsmithError
from levelsmith.making.driver import RAMP_STEPS

WINDOW = 20  # episodes that are looked at
ENOUGH = 0.8  # the share of them to be solved before it gets harder


class Stages:
    """Counts stages: it gets harder once enough of the last episodes were solved."""

    def __init__(self, stages: int):
        self.last = stages - 1
        self.restart()

    def restart(self) -> None:
        self.stage = 0
        self.won: deque[bool] = deque(maxlen=WINDOW)

    def record(self, solved: bool) -> None:
        self.won.append(solved)
        if self.stage < self.last and len(self.won) == WINDOW and sum(self.won) >= ENOUGH * WINDOW:
            self.stage += 1
            self.won.clear()


class Ramp(Curriculum):
    """The easiest levels first, harder ones once 16 of the last 20 episodes were solved.

    Args:
        levels: `Fresh(…, ramp=METRIC)`, which goes through the range of a metric in ten steps, or a set, of
            which the first tenth is the first stage.
        seed: decides the order.
    """

    stages = RAMP_STEPS

    def __init__(self, levels: Levels, *, seed: int = 0):
        super().__init__(levels, seed=seed)
        if self.source.stages == 1:
            raise LevelsmithError(
                "expected levels from easy to hard: Fresh(…, ramp=METRIC), or at least two levels"
            )
        self.climb = Stages(self.source.stages)

    @property
    def stage(self) -> int:
        """How far it is, from 0."""
        return self.climb.stage

    def _sampled(self, count: int) -> list[Level]:
        return self._new(count, self.stage)

    def _heard(self, episodes: Sequence[Episode]) -> None:
        for episode in episodes:
            self.climb.record(bool(episode.solved))

    @property
    def statistics(self) -> dict[str, float]:
        """What was counted, and the `stage`."""
        return {**super().statistics, "stage": self.stage}

    def _kept(self) -> dict[str, Any]:
        return {"stage": self.stage, "won": list(self.climb.won)}

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.climb.stage = state["stage"]
        self.climb.won = deque(state["won"], maxlen=WINDOW)
