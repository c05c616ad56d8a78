"""What all curricula share: a seed, levels that were not played yet, counts, a state that can be kept."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from levelsmith.core import Level, Size
from levelsmith.curricula.episode import Episode, check_episodes
from levelsmith.curricula.sources import Levels, Place, source_of
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.levels.formats.format import Source as TextSource
from levelsmith.levels.formats.json import as_object, from_object
from levelsmith.numbers import check_seed, whole_number

DRAWS = 1  # spawn key of the random numbers that choose among levels
MOST = 1_000_000  # levels at a time


class Curriculum(ABC):
    """Chooses levels. Ask for some with `sample`, play them in any order, and tell `update` what came of it.

    The same seed and the same episodes give the same levels again.

    Args:
        levels: what has not been played yet: `Fresh(…)`, several of them in turn, files, or levels.
        seed: decides everything that is drawn.
    """

    stages = 1  # into which levels of a set are cut

    def __init__(self, levels: Levels, *, seed: int = 0):
        self.source = source_of(levels, self.stages)
        self.seed = check_seed(seed)
        self.rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(DRAWS,)))
        self.counts: Counter[str] = Counter()
        self.learns = True  # whether the levels that were sampled last are there to learn from
        self.drawn = 0  # levels of the source

    @property
    def size(self) -> Size:
        """(height, width) of a board that has room for every level."""
        return self.source.size

    def sample(self, count: int = 1) -> list[Level]:
        """Returns the levels to play next."""
        count = whole_number(count, "a number", 1, " of levels", MOST)
        self.learns = True
        levels = self._sampled(count)
        self.counts["sampled"] += count
        return levels

    def update(self, episodes: Sequence[Episode]) -> None:
        """Takes note of episodes that ended, of levels that were sampled at any time."""
        found = check_episodes(episodes)
        self._heard(found)
        self.counts["episodes"] += len(found)
        self.counts["solved"] += sum(bool(episode.solved) for episode in found)

    @abstractmethod
    def _sampled(self, count: int) -> list[Level]: ...

    def _heard(self, episodes: Sequence[Episode]) -> None:
        """By default nothing is made of them."""
        return

    def _new(self, count: int, stage: int = 0) -> list[Level]:
        """Returns levels that come next from the source."""
        places = [Place(self.seed, self.drawn + i) for i in range(count)]
        self.drawn += count
        self.counts["new"] += count
        return self.source.take(places, stage)

    @property
    def statistics(self) -> dict[str, float]:
        """What was counted: levels `sampled`, `new` ones among them, `episodes` heard of, those `solved`."""
        return {name: self.counts[name] for name in ("sampled", "new", "episodes", "solved")}

    @property
    def state(self) -> dict[str, Any]:
        """All that changes, as plain data that JSON can hold."""
        return {
            "curriculum": type(self).__name__,
            "seed": self.seed,
            "rng": self.rng.bit_generator.state,
            "counts": dict(self.counts),
            "drawn": self.drawn,
            **self._kept(),
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Goes on from a `state` of a curriculum that was made with the same arguments."""
        whose = (state.get("curriculum"), state.get("seed")) if isinstance(state, Mapping) else quoted(state)
        if whose != (type(self).__name__, self.seed):
            raise LevelsmithError(
                f"expected the state of a {type(self).__name__} with seed {self.seed}, got {whose}"
            )
        self.rng.bit_generator.state = state["rng"]
        self.counts = Counter(state["counts"])
        self.drawn = state["drawn"]
        self._restore(state)

    def _kept(self) -> dict[str, Any]:
        """Returns what the state has besides."""
        return {}

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Takes what the state has besides."""
        return


class Uniform(Curriculum):
    """Every level once before any comes again, or new ones for ever: domain randomization."""

    def _sampled(self, count: int) -> list[Level]:
        return self._new(count)


def as_data(levels: Sequence[Level]) -> list[str]:
    """Returns levels as text that `as_levels` reads."""
    return [json.dumps(as_object(level)) for level in levels]


def as_levels(data: Sequence[str]) -> list[Level]:
    """Returns the levels that `as_data` wrote."""
    return [from_object(json.loads(text), TextSource("a state")) for text in data]
