"""Levels by number: level `n` of seed `s` is the one that `levelsmith generate --seed s --skip n` makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Protocol, TypeVar

import numpy as np

from levelsmith.contracts import Maker, Provable
from levelsmith.core import Cancel, Level, Result
from levelsmith.errors import LevelsmithError, MissingLevelsError
from levelsmith.levels.splits import Allowed
from levelsmith.making.apart import MOST_IN_BATCHES
from levelsmith.making.outcome import levels_of, shortfall
from levelsmith.making.task import Task
from levelsmith.registry import games

ALL = Allowed()


class Numbered(Protocol):
    """Names a level: its seed, and which run of that seed it is."""

    @property
    def seed(self) -> int: ...
    @property
    def number(self) -> int: ...


Key = TypeVar("Key", bound=Numbered)


def make_numbered(
    task: Task, maker: Maker, keys: Sequence[Key], cancel: Cancel, allowed: Allowed = ALL
) -> dict[Key, Level]:
    """Makes a level for each key; fewer where it is cancelled.

    Where a seed makes no level in the budget, or one that is not allowed, the next seed of its run is taken.
    """
    made: dict[Key, Level] = {}
    failed: Counter[Key] = Counter()
    for again in range(ceil(MOST_IN_BATCHES / allowed.share)):
        left = [key for key in keys if key not in made]
        if not left or cancel():
            return made
        seeds = [
            np.random.SeedSequence(key.seed, spawn_key=(key.number, again) if again else (key.number,))
            for key in left
        ]
        failed.update(left)
        for some in maker.make(range(len(left)), seeds, task.budget.evaluations, cancel):
            if isinstance(some, Result) and not _is_done(task, some):
                continue
            levels = list(levels_of(task, some))
            for level, good in zip(levels, allowed(levels), strict=True):
                key = left[level.provenance["run"]]
                failed[key] -= 1
                if good:
                    provenance = {**level.provenance, "seed": key.seed, "run": key.number}
                    made[key] = replace(level, provenance=provenance)
        if failed and max(failed.values()) >= MOST_IN_BATCHES:
            raise MissingLevelsError(shortfall(task, 1, 1))
    if all(key in made for key in keys):
        return made
    part = "that is unlike the others" if allowed.split is None else f"of the split {allowed.split}"
    raise LevelsmithError(f"no level {part} was made; try a larger size or a wider range")


def _is_done(task: Task, result: Result) -> bool:
    """Tells whether a search found a level; of a game that has solutions, one that is met and solved."""
    if not isinstance(games.get(task.game), Provable):
        return True
    return result.best.solution is not None and (result.solved or not task.has_goal)
