"""What is known of a level before it is played: its shortest solution, its best return, its difficulty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import Any

from levelsmith.core import Level, Size
from levelsmith.errors import LevelsmithError, unknown
from levelsmith.games.arena import Arena, ByMoves
from levelsmith.games.by_moves import arena_of
from levelsmith.levels.measure import measure
from levelsmith.levels.solve import against
from levelsmith.registry import arenas, arenas_by_game, games

FEWEST_STEPS = 200  # of an episode whose end depends on the level
TIMES = 2  # the steps of the known solution, where that is more
NO_END = 1 << 40  # steps of an arena that cuts off nothing
DIFFICULTY = "difficulty"  # the metric of that name, of games that have one


@dataclass(frozen=True, slots=True)
class Dealt:
    """A level to play, and what is known of it."""

    level: Level
    solution: str | None  # as the letters of its steps
    index: int | None  # which of a set or file; of fresh ones the number; None of one that was handed in
    optimal: int | None  # steps of a shortest solution, where it is proved
    best: float  # the highest return of an episode; nan where it is not known
    difficulty: float | None
    most: int  # steps after which an episode is cut off


def arena_kind(game: str) -> type[Arena]:
    """Returns the arena of a game: its own, or one that plays by its rules."""
    named = arenas_by_game()
    if game in named:
        return arenas.get(named[game])
    if not isinstance(games.get(game), ByMoves):
        by_moves = [name for name in games if name not in named and isinstance(games.get(name), ByMoves)]
        raise unknown("game to play", game, [*named, *by_moves])
    return arena_of(game)


@dataclass(frozen=True)
class Known:
    """Finds out what is known of levels.

    Args:
        game: whose levels.
        most: steps of an episode; None for as many as the solution of each level takes twice, 200 at least.
        rewards: of the arena, by name.
        exact: whether to search for what is not known already.
        guards: of the arena, where it has a choice of them.
    """

    game: str
    most: int | None
    rewards: Mapping[str, float]
    exact: bool
    guards: str | None = None

    def __post_init__(self) -> None:
        if self.exact and not self.kind.proves:
            raise LevelsmithError(
                f"no shortest solutions of {self.game} can be proved: leave out exact, "
                f"or set rewards={{'step': 0}}, for which any solution is the best"
            )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("arena", "kind")}

    @cached_property
    def kind(self) -> type[Arena]:
        """What the levels are played in."""
        against(games.get(self.game), self.guards)  # which refuses those that the game has not
        return arena_kind(self.game).against(self.guards)

    @cached_property
    def arena(self) -> Arena:
        """An arena without boards, which knows the rewards."""
        size: Size = (1, 1)
        return self.kind(0, size, self.longest, self.rewards)

    @property
    def longest(self) -> int:
        """The steps after which an arena of many levels cuts off."""
        return NO_END if self.most is None else self.most

    def most_of(self, solution: str | None, optimal: int | None) -> int:
        """Returns the steps after which an episode of a level is cut off."""
        if self.most is not None:
            return self.most
        return max(FEWEST_STEPS, TIMES * max(len(solution or ""), optimal or 0))

    def of(self, level: Level, index: int | None = None) -> Dealt:
        """Returns a level with all that is known of it; unless it must be exact, what takes no time."""
        optimal = self.arena.fewest_steps(level, self.exact)
        difficulty = None
        if self.exact and DIFFICULTY in games.get(self.game).metrics:
            difficulty = measure(level)[DIFFICULTY]
        solution = self.kind.moves(level)
        best = self.best(level, solution, optimal)
        return Dealt(level, solution, index, optimal, best, difficulty, self.most_of(solution, optimal))

    def best(self, level: Level, solution: str | None, optimal: int | None) -> float:
        """Returns the highest return of an episode, nan where it is not known.

        Every step costs, or costs nothing, and all solutions gain the same: so a shortest one is worth most,
        or where steps cost nothing any that fits into an episode.
        """
        step = self.rewards.get("step", 0.0)
        steps = len(solution or "") if optimal is None and step == 0 else optimal
        if not steps or steps > self.longest or step > 0:
            return nan
        gain = self.arena.gain(level)
        return nan if gain is None else step * steps + gain
