"""Proofs: a solution is handed out once the game's own rules have accepted it."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game, Playable, Provable, WithGuards
from levelsmith.core import Level
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.registry import games


@runtime_checkable
class WithShortest(Protocol):
    """A game whose metrics are those of a shortest solution, though a level may carry a longer one."""

    estimated: frozenset[str]  # metrics that take so long that a search estimates them

    def with_shortest(self, level: Level) -> Level | None:
        """Returns the level with a solution that is proved shortest; None where none is soon found."""

    def measure_carried(self, level: Level) -> NDArray[np.float64]:
        """Returns the metrics of a level by the solution that it carries, as its search has them."""


def proved(level: Level, game: Game | None = None, elsewhere: bool = False) -> Level:
    """Returns the level with a solution, where it has none and its game finds one that its rules accept.

    Args:
        game: as it is to be proved, where that is not its default.
        elsewhere: enemies may be put in other places where there is no solution as they are.
    """
    if level.solution is not None:
        return level
    game = games.get(level.game) if game is None else game
    others = game.variants(level) if elsewhere and isinstance(game, WithGuards) else ()
    for each in chain([level], others):
        if (found := proof_of(each, game)) is not None:
            return replace(each, solution=found)
    return level


def proof_of(level: Level, game: Game | None = None) -> str | None:
    """Returns a solution that the rules of the game have accepted; None where none is found, or where the
    level cannot be begun."""
    game = games.get(level.game) if game is None else game
    if not isinstance(game, Provable):
        return None
    try:
        game.check_start(level)
    except LevelsmithError:
        return None
    found = game.prove(level)
    if found is not None and isinstance(game, Playable):
        check_replay(replace(level, solution=found))
    return found


def check_replay(level: Level) -> None:
    """Raises LevelsmithError, which names the game, where its rules do not accept a solution of its own."""
    game = games.get(level.game)
    if not isinstance(game, Playable):
        return
    try:
        game.verify(level)
    except LevelsmithError as error:
        raise LevelsmithError(
            f"{level.game} gives {quoted(level.solution)} as the solution of a level that it does not solve: "
            f"{error.marked}"
        ) from error
