"""Sampling for learnability: levels that an agent solves sometimes, p(1 - p), come again.

Rutherford et al., *No Regrets: Investigating and Improving Regret Approximations for Curriculum Discovery*,
NeurIPS 2024 (their SFL).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from levelsmith.core import Level
from levelsmith.curricula.curriculum import MOST, Curriculum, as_data, as_levels
from levelsmith.curricula.episode import Episode
from levelsmith.curricula.replay import check_share
from levelsmith.curricula.sources import Levels
from levelsmith.errors import LevelsmithError
from levelsmith.numbers import whole_number


class Learnability(Curriculum):
    """Tries many new levels a few times each, and for a while trains on those with the highest p(1 - p).

    Args:
        levels: what has not been played yet.
        candidates: how many levels are tried, each time anew.
        tries: episodes on each of them; p is the share that was solved.
        keep: how many are trained on.
        period: how many levels are sampled before others are tried.
        replay: the share of these that comes from what was kept; the rest is new.
        seed: decides everything that is drawn.
    """

    def __init__(
        self,
        levels: Levels,
        *,
        candidates: int = 1000,
        tries: int = 8,
        keep: int = 100,
        period: int = 4000,
        replay: float = 0.5,
        seed: int = 0,
    ):
        super().__init__(levels, seed=seed)
        self.candidates = whole_number(candidates, "a number", 1, " of candidates", MOST)
        self.tries = whole_number(tries, "a number", 1, " of tries", MOST)
        self.keep = whole_number(keep, "a number", 1, " of levels to keep", MOST)
        self.period = whole_number(period, "a period", 1, " levels", MOST)
        check_share("replay", replay)
        if self.keep > self.candidates:
            raise LevelsmithError(f"expected to keep at most the {candidates} candidates, got {keep}")
        self.replay = replay
        self.kept: list[Level] = []
        self.left = 0  # levels to sample before others are tried
        self.queue: list[Level] = []  # to be tried
        self.tried: dict[Level, list[int]] = {}  # episodes and wins of each candidate

    def _sampled(self, count: int) -> list[Level]:
        if self.left <= 0 and not self.queue and not self.tried:
            fresh = self._new(self.candidates)
            self.tried = {level: [0, 0] for level in fresh}
            self.queue = [level for level in self.tried for _ in range(self.tries)]
        if self.queue:
            some, self.queue = self.queue[:count], self.queue[count:]
            self.counts["tried"] += len(some)
            self.learns = False
            return some + self._chosen(count - len(some))
        self._settle()
        self.left -= count
        return self._chosen(count)

    def _settle(self) -> None:
        """Keeps the candidates with the highest p(1 - p), once all were tried."""
        if self.tried:
            ranked = sorted(self.tried, key=lambda level: -learnability(*self.tried[level]))
            self.kept, self.tried, self.left = ranked[: self.keep], {}, self.period
            self.counts["rounds"] += 1

    def _chosen(self, count: int) -> list[Level]:
        """Returns levels to train on, some of those that are kept, the others new."""
        again = round(self.replay * count) if self.kept else 0
        self.counts["replayed"] += again
        drawn = self.rng.integers(len(self.kept), size=again).tolist() if again else []
        return [self.kept[i] for i in drawn] + (self._new(count - again) if count > again else [])

    def _heard(self, episodes: Sequence[Episode]) -> None:
        for episode in episodes:
            if episode.level in self.tried:
                self.tried[episode.level][0] += 1
                self.tried[episode.level][1] += bool(episode.solved)

    @property
    def statistics(self) -> dict[str, float]:
        """What was counted: also episodes in which levels were `tried`, `rounds` of that, levels `replayed`,
        and how many the `buffer` has."""
        counted = {name: self.counts[name] for name in ("tried", "rounds", "replayed")}
        return {**super().statistics, **counted, "buffer": len(self.kept)}

    def _kept(self) -> dict[str, Any]:
        return {
            "kept": as_data(self.kept),
            "left": self.left,
            "queue": as_data(self.queue),
            "tried": [as_data(list(self.tried)), list(self.tried.values())],
        }

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.kept, self.queue, self.left = as_levels(state["kept"]), as_levels(state["queue"]), state["left"]
        levels, told = state["tried"]
        self.tried = {level: list(each) for level, each in zip(as_levels(levels), told, strict=True)}


def learnability(episodes: int, solved: int) -> float:
    """Returns p(1 - p) of the share p that was solved; 0 for what was never played."""
    share = solved / episodes if episodes else 0.0
    return share * (1.0 - share)
