"""What a trainer tells of an episode, and the scores by which curricula rank levels.

- `regret`: the return of a best episode, which is known where a shortest solution is proved, less this one's.
- `positive_value_loss`: the mean of the positive generalised advantages (Jiang, Grefenstette and Rocktäschel,
  *Prioritized Level Replay*, ICML 2021).
- `max_monte_carlo`: the highest return that was ever had on the level less the values of the states that were
  gone through (Jiang et al., *Replay-Guided Adversarial Environment Design*, NeurIPS 2021).
- `score`: the trainer's own number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError, quoted, unknown
from levelsmith.numbers import check_number


@dataclass(frozen=True, eq=False)
class Episode:
    """One episode that was played to its end.

    Args:
        level: the one that `sample` gave.
        solved: whether it was.
        steps: how many there were.
        reward: the sum of all rewards.
        regret: how much more a best episode has; None where that is not known.
        score: the trainer's own number for how much there is to learn.
        rewards: of each step, for the scores that go by the values of states.
        values: what the critic made of the state before each step; one more, of the last, if it was cut off.
    """

    level: Level
    solved: bool
    steps: int
    reward: float
    regret: float | None = None
    score: float | None = None
    rewards: Sequence[float] | NDArray[Any] | None = None
    values: Sequence[float] | NDArray[Any] | None = None


@dataclass(frozen=True)
class Scale:
    """How episodes are scored: by which of `SCORES`, and with which discount and lambda of the advantages."""

    name: str
    discount: float = 0.99
    smoothing: float = 0.95

    def __post_init__(self) -> None:
        if self.name not in SCORES:
            raise unknown("score", str(self.name), SCORES)

    def of(self, episodes: Sequence[Episode], best: float) -> float:
        """Returns the mean score of episodes on one level, of whose returns the highest ever was `best`."""
        best = max(best, *(episode.reward for episode in episodes))
        score = SCORES[self.name]
        return float(np.mean([score(self, episode, best) for episode in episodes]))


def advantages(episode: Episode, discount: float, smoothing: float) -> NDArray[np.float64]:
    """Returns the generalised advantage of each step (Schulman et al., ICLR 2016, eq. 16)."""
    rewards, values = _steps(episode)
    after = np.append(values[1:], 0.0)[: len(rewards)]
    errors = rewards + discount * after - values[: len(rewards)]
    found, sum_so_far = np.zeros(len(rewards)), 0.0
    for step in reversed(range(len(rewards))):
        found[step] = sum_so_far = errors[step] + discount * smoothing * sum_so_far
    return found


def _regret(scale: Scale, episode: Episode, best: float) -> float:
    if episode.regret is None:
        raise LevelsmithError(
            "the regret of an episode is not known, as no shortest solution of its level is proved; "
            "play with exact=True, or take another score such as max_monte_carlo"
        )
    return episode.regret


def _own(scale: Scale, episode: Episode, best: float) -> float:
    if episode.score is None:
        raise LevelsmithError("expected episodes with a score: Episode(…, score=…), got one without")
    return episode.score


def _positive_value_loss(scale: Scale, episode: Episode, best: float) -> float:
    return float(np.maximum(advantages(episode, scale.discount, scale.smoothing), 0.0).mean())


def _max_monte_carlo(scale: Scale, episode: Episode, best: float) -> float:
    rewards, values = _steps(episode)
    return float((best - values[: len(rewards)]).mean())


def _steps(episode: Episode) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if episode.rewards is None or episode.values is None:
        raise LevelsmithError(
            "expected episodes with the reward and the value of each step: "
            "Episode(…, rewards=…, values=…), got one without"
        )
    rewards, values = np.asarray(episode.rewards, np.float64), np.asarray(episode.values, np.float64)
    if rewards.ndim != 1 or len(rewards) == 0 or values.shape not in ((len(rewards),), (len(rewards) + 1,)):
        raise LevelsmithError(
            "expected a reward and a value for each step of an episode, "
            f"got {rewards.size} and {values.size} of them"
        )
    return rewards, values


SCORES: dict[str, Callable[[Scale, Episode, float], float]] = {
    "regret": _regret,
    "positive_value_loss": _positive_value_loss,
    "max_monte_carlo": _max_monte_carlo,
    "score": _own,
}


def check_episodes(episodes: Any) -> list[Episode]:
    """Returns the episodes as a list, once it is clear that they are some."""
    found = list(episodes) if isinstance(episodes, Sequence) else [episodes]
    for episode in found:
        if not isinstance(episode, Episode):
            raise LevelsmithError(f"expected episodes, curricula.Episode(level, …), got {quoted(episode)}")
        check_number(episode.reward, "the reward of an episode")
    return found
