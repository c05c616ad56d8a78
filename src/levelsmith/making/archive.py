"""The levels that a run keeps besides its best: all above a score, up to a number, no two alike."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from levelsmith.contracts import Game
from levelsmith.core import Level
from levelsmith.registry import games


class RunArchive:
    """Takes good levels from a search as they come; `make` turns what it tells into levels."""

    def __init__(self, search: Any, game: Game, bar: float, most: int, make: Callable[..., Level]):
        self.search, self.game, self.most, self.make = search, game, most, make
        self.levels: dict[bytes, Level] = {}
        search.keep(bar)

    def take(self) -> list[Level]:
        """Takes what has come; returns what is new."""
        new = []
        for score, grid, prove, after in self.search.taken():
            name = self.game.canonical(grid)
            if name not in self.levels and len(self.levels) < self.most:
                self.levels[name] = self.make(grid, score, prove(), after)
                new.append(self.levels[name])
        if len(self.levels) >= self.most:
            self.search.keep(inf)
        return new

    def with_best(self, best: Level) -> tuple[Level, ...]:
        """Returns what was kept, best scores first, and the best of the run in any case."""
        name = self.game.canonical(best.grid)
        kept = {**self.levels, name: best}
        return tuple(sorted(kept.values(), key=lambda level: -level.provenance["score"]))[: max(1, self.most)]


def distinct(levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """Returns the levels without those that repeat an earlier one."""
    seen: dict[bytes, Level] = {}
    for level in levels:
        seen.setdefault(games.get(level.game).canonical(level.grid), level)
    return tuple(seen.values())
