"""ACCEL: levels that are replayed are edited, and the edits that an agent can learn from are edited again.

Parker-Holder et al., *Evolving Curricula with Regret-Based Environment Design*, ICML 2022. The edits are the
small changes that `levelsmith improve` makes; a child is played only where the game's solver proves that it
can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from levelsmith.contracts import Mendable, Nudgeable, Playable, Provable, Solvable
from levelsmith.core import Effort, Grid, Level
from levelsmith.curricula.curriculum import as_data, as_levels
from levelsmith.curricula.episode import Episode
from levelsmith.curricula.replay import PrioritizedReplay, by_level
from levelsmith.curricula.sources import Levels
from levelsmith.editing.nudges import nudged
from levelsmith.errors import LevelsmithError
from levelsmith.levels.splits import Allowed
from levelsmith.numbers import whole_number
from levelsmith.registry import games

MOST_EDITS = 1000
TRIES = 20  # edits of a level that are tried for a child that can be played
STATES = 20_000  # that the solver may look at for each


class Accel(PrioritizedReplay):
    """Replays levels by the rank of their scores, and after each replay tries edits of the levels replayed.

    Args:
        levels: what has not been played yet.
        edits: small changes of a child, from one to so many.
        parents: how many of the levels replayed are edited, those with the lowest scores; None for all.
        replay: the share of calls that replay, edits apart.
        robust: nothing is to be learned from new levels and edits, which are only tried.
        options: `score`, `buffer`, `seed` and the others of `PrioritizedReplay`.
    """

    def __init__(
        self,
        levels: Levels,
        *,
        edits: int = 5,
        parents: int | None = None,
        replay: float = 0.8,
        robust: bool = True,
        **options: Any,
    ):
        super().__init__(levels, replay=replay, robust=robust, **options)
        self.edits = whole_number(edits, "a number", 1, " of edits", MOST_EDITS)
        self.parents = None if parents is None else whole_number(parents, "a number", 1, " of parents")
        self.waiting: list[Level] = []  # replayed, to be edited next
        self.replayed: set[Level] = set()  # replayed, and not heard of since

    def _sampled(self, count: int) -> list[Level]:
        if not self.waiting:
            levels = super()._sampled(count)
            if self.kind == "replayed":
                self.replayed.update(levels)
            return levels
        self.kind, self.learns = "edited", not self.robust
        children = self._children(count)
        self.counts["edited"] += len(children)
        return children + self._new(count - len(children)) if len(children) < count else children

    def _children(self, count: int) -> list[Level]:
        """Returns children of the levels that wait, each parent as often as the others; fewer where they
        fail."""
        parents, self.waiting = self.waiting, []
        chosen = [parents[i % len(parents)] for i in range(count)]
        found = (edited(parent, self.edits, self.source.allowed, self.rng, self.counts) for parent in chosen)
        return [child for child in found if child is not None]

    def _heard(self, episodes: Sequence[Episode]) -> None:
        children = [level for level in by_level(episodes) if "edited" in level.provenance]
        known = [level for level in children if level in self.buffer.places]
        super()._heard(episodes)
        self.counts["children"] += sum(level in self.buffer.places for level in children) - len(known)
        mine = [level for level in by_level(episodes) if level in self.replayed]
        self.replayed.difference_update(mine)
        mine = [level for level in mine if level in self.buffer.places]
        if self.parents is not None:
            mine.sort(key=lambda level: self.buffer.scores[self.buffer.places[level]])
            mine = mine[: self.parents]
        self.waiting += mine

    @property
    def statistics(self) -> dict[str, float]:
        """What was counted: also levels `edited` and sampled, `tries` to edit one, those `proved` to be
        playable, and `children` that were kept."""
        return {
            **super().statistics,
            **{name: self.counts[name] for name in ("edited", "tries", "proved", "children")},
        }

    def _kept(self) -> dict[str, Any]:
        replayed = sorted(self.replayed, key=lambda level: level.text)
        return {**super()._kept(), "waiting": as_data(self.waiting), "to_hear": as_data(replayed)}

    def _restore(self, state: Mapping[str, Any]) -> None:
        super()._restore(state)
        self.waiting, self.replayed = as_levels(state["waiting"]), set(as_levels(state["to_hear"]))


def edited(
    level: Level, edits: int, allowed: Allowed, rng: np.random.Generator, counts: dict[str, int]
) -> Level | None:
    """Returns a copy of a level with a few small changes that can be played; None where no try gives one.

    Args:
        edits: changes of a try, from one to so many.
        allowed: which levels may appear.
        counts: `tries` and `proved` are counted there.
    """
    game = games.get(level.game)
    height, width = (side - 2 * game.border for side in level.size)
    free = np.pad(np.ones((height, width), np.bool_), game.border)
    for _ in range(TRIES):
        counts["tries"] += 1
        grid = level.grid
        for _ in range(int(rng.integers(1, edits + 1))):
            if isinstance(game, Nudgeable):
                grid = game.nudged(grid, free, rng)
            else:
                grid = nudged(grid, free, [level.grid], level.tiles.kinds, rng)
        if np.array_equal(grid, level.grid):
            continue
        child = proved(level, grid)
        if child is not None and allowed([child])[0]:
            counts["proved"] += 1
            return child
    return None


def proved(level: Level, grid: Grid) -> Level | None:
    """Returns the level with another grid and its solution, replayed by the rules; None where it has none."""
    game: Any = games.get(level.game)
    if isinstance(game, Mendable) and game.trouble(grid) > 0:
        return None
    provenance = {"edited": level.text, "edits": int((grid != level.grid).sum())}
    child = replace(level, grid=grid, solution=None, title="", provenance=provenance)
    try:
        game.check(child)
        game.check_start(child)
        if isinstance(game, Solvable):
            solution = game.solve(child, Effort(states=STATES, seconds=None)).solution
        elif isinstance(game, Provable):
            solution = game.prove(child)
        else:
            return child  # the game has nothing to prove
        if solution is None:
            return None
        child = replace(child, solution=solution)
        if isinstance(game, Playable):
            game.verify(child)
    except LevelsmithError:
        return None
    return child
