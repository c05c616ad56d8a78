"""Prioritized Level Replay: levels from which much can be learned come again.

Jiang, Grefenstette and Rocktäschel, *Prioritized Level Replay*, ICML 2021. With `robust` nothing is learned
from levels that are only tried: Jiang et al., *Replay-Guided Adversarial Environment Design*, NeurIPS 2021.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Level
from levelsmith.curricula.curriculum import MOST, Curriculum, as_data, as_levels
from levelsmith.curricula.episode import Episode, Scale
from levelsmith.curricula.sources import Levels
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.numbers import check_number, whole_number

ROWS = ("scores", "best", "played")  # of a buffer, beside its levels


class Buffer:
    """Levels with their scores: those with the highest that were met, up to a number.

    Args:
        room: how many levels at most.
        temperature: beta of the paper; the lower, the more the first ranks count.
        staleness: rho of the paper, the share of those that were not played for long.
    """

    def __init__(self, room: int, temperature: float, staleness: float):
        self.room, self.temperature, self.staleness = room, temperature, staleness
        self.places: dict[Level, int] = {}
        self.levels: list[Level] = []
        self.scores: list[float] = []
        self.best: list[float] = []  # the highest return on each level
        self.played: list[int] = []  # the clock when it was played last
        self.clock = 0

    def __len__(self) -> int:
        return len(self.levels)

    def weights(self) -> NDArray[np.float64]:
        """Returns the chance of each level to be replayed."""
        scores = np.array(self.scores)
        ranks = np.empty(len(scores), np.int64)
        ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
        by_score = (1.0 / ranks) ** (1.0 / self.temperature)  # P_S, by rank
        since = self.clock - np.array(self.played, np.float64)
        by_age = since / since.sum() if since.sum() > 0 else np.full(len(since), 1.0 / len(since))  # P_C
        weights: NDArray[np.float64] = (1 - self.staleness) * by_score / by_score.sum()
        return weights + self.staleness * by_age  # P_replay

    def draw(self, count: int, rng: np.random.Generator) -> list[Level]:
        """Returns levels to be replayed, none twice if there are enough."""
        weights = self.weights()
        again = count > int(np.count_nonzero(weights))
        drawn = rng.choice(len(weights), count, replace=again, p=weights)
        return [self.levels[i] for i in drawn.tolist()]

    def tell(self, level: Level, score: float, best: float) -> bool:
        """Takes the score of a level that was played; returns whether it is a new one that is kept."""
        self.clock += 1
        place = self.places.get(level)
        if place is None and len(self.levels) == self.room:
            place = int(np.argmin(self.scores))
            if score <= self.scores[place]:
                return False
            del self.places[self.levels[place]]
        elif place is not None:
            self.scores[place], self.best[place], self.played[place] = score, best, self.clock
            return False
        else:
            place = len(self.levels)
        self.places[level] = place
        here = slice(place, place + 1)
        self.levels[here], self.scores[here] = [level], [score]
        self.best[here], self.played[here] = [best], [self.clock]
        return True

    def best_on(self, level: Level) -> float:
        """Returns the highest return on a level, as far as it is remembered."""
        place = self.places.get(level)
        return -np.inf if place is None else self.best[place]


class PrioritizedReplay(Curriculum):
    """Replays levels by the rank of their scores, or tries new ones; each `sample` does one or the other.

    Args:
        levels: what has not been played yet.
        score: "regret", "positive_value_loss", "max_monte_carlo", or "score" for the trainer's own number.
        replay: the share of calls that replay, once there is enough to choose from.
        buffer: how many levels are remembered.
        fill: the share of these that must be there before any is replayed.
        temperature: the lower, the more often the highest scores are replayed.
        staleness: the share of replays that goes by how long ago a level was played.
        robust: nothing is to be learned from new levels, which are only tried: `learns` is False for them.
        discount, smoothing: gamma and lambda of the advantages in "positive_value_loss".
        seed: decides everything that is drawn.
    """

    def __init__(
        self,
        levels: Levels,
        *,
        score: str = "regret",
        replay: float = 0.5,
        buffer: int = 4000,
        fill: float = 0.5,
        temperature: float = 0.3,
        staleness: float = 0.3,
        robust: bool = False,
        discount: float = 0.99,
        smoothing: float = 0.95,
        seed: int = 0,
    ):
        super().__init__(levels, seed=seed)
        shares = {"replay": replay, "fill": fill, "staleness": staleness}
        for name, share in (shares | {"discount": discount, "smoothing": smoothing}).items():
            check_share(name, share)
        check_number(temperature, "the temperature of a curriculum")
        if temperature <= 0:
            raise LevelsmithError(f"expected a temperature above 0, got {quoted(temperature)}")
        room = whole_number(buffer, "room", 1, " levels in the buffer", MOST)
        self.scale = Scale(score, discount, smoothing)
        self.replay, self.robust = replay, robust
        self.least = max(1, round(fill * room))
        self.buffer = Buffer(room, temperature, staleness)
        self.kind = "new"  # of the levels that were sampled last

    def _sampled(self, count: int) -> list[Level]:
        self.kind = self._next_kind()
        self.learns = self.kind == "replayed" or not self.robust
        if self.kind == "replayed":
            self.counts["replayed"] += count
            return self.buffer.draw(count, self.rng)
        return self._new(count)

    def _next_kind(self) -> str:
        drawn = self.rng.random()
        return "replayed" if len(self.buffer) >= self.least and drawn < self.replay else "new"

    def _heard(self, episodes: Sequence[Episode]) -> None:
        for level, some in by_level(episodes).items():
            best = self.buffer.best_on(level)
            score = self.scale.of(some, best)
            self.counts["kept"] += self.buffer.tell(level, score, max(best, *(each.reward for each in some)))

    @property
    def statistics(self) -> dict[str, float]:
        """What was counted: also levels `replayed`, new ones that were `kept`, and how many the `buffer` has
        with which `mean_score`."""
        return {
            **super().statistics,
            "replayed": self.counts["replayed"],
            "kept": self.counts["kept"],
            "buffer": len(self.buffer),
            "mean_score": float(np.mean(self.buffer.scores)) if len(self.buffer) else 0.0,
        }

    def _kept(self) -> dict[str, Any]:
        held = self.buffer
        rows = {name: list(getattr(held, name)) for name in ROWS}
        return {"levels": as_data(held.levels), **rows, "clock": held.clock}

    def _restore(self, state: Mapping[str, Any]) -> None:
        held = self.buffer
        held.levels = as_levels(state["levels"])
        held.places = {level: i for i, level in enumerate(held.levels)}
        for name in ROWS:
            setattr(held, name, list(state[name]))
        held.clock = state["clock"]


def by_level(episodes: Sequence[Episode]) -> dict[Level, list[Episode]]:
    """Returns the episodes of each level, in the order of their first."""
    found: dict[Level, list[Episode]] = {}
    for episode in episodes:
        found.setdefault(episode.level, []).append(episode)
    return found


def check_share(name: str, share: float) -> None:
    """Refuses what is no share of something."""
    check_number(share, name)
    if not 0 <= share <= 1:
        raise LevelsmithError(f"expected a share from 0 to 1 for {name}, got {quoted(share)}")
