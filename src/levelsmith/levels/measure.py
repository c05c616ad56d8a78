"""The metrics of any level, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, overload

import numpy as np

from levelsmith.core import Game, Level
from levelsmith.errors import LevelsmithError
from levelsmith.registry import games

Metrics = dict[str, int | float]


@overload
def measure(levels: Level, rules: str | None = ...) -> Metrics: ...
@overload
def measure(levels: Iterable[Level], rules: str | None = ...) -> list[Metrics]: ...
def measure(levels: Level | Iterable[Level], rules: str | None = None) -> Metrics | list[Metrics]:
    """What can be counted about a level, or about each of many.

    `rules` names a rule set to judge by, for a game that has several.

    >>> import levelsmith
    >>> levelsmith.measure(levelsmith.parse("^.^\\n...", game="orchard"))
    {'trees': 2, 'crowded': 0}
    """
    if isinstance(levels, Level):
        return _measured([levels], rules)[0]
    return _measured(list(levels), rules)


def details(level: Level, rules: str | None = None) -> dict[str, Any]:
    """What a game tells about a level besides numbers, such as where the ends of its longest path are."""
    game = _game(level.game, rules)
    tell = getattr(game, "details", None)
    if tell is None:
        return {}
    game.check(level)
    told: dict[str, Any] = tell(level)
    return told


def _game(name: str, rules: str | None) -> Game:
    """The game, under a rule set if one is named."""
    game = games.get(name)
    if rules is None:
        return game
    if not hasattr(game, "under"):
        raise LevelsmithError(f"{name} has no rule sets to choose from; leave out --rules")
    chosen: Game = game.under(rules)
    return chosen


def _measured(levels: list[Level], rules: str | None) -> list[Metrics]:
    """Levels of the same game and size are measured in one batch."""
    found: list[Metrics] = [{} for _ in levels]
    groups: dict[tuple[str, tuple[int, int]], list[int]] = {}
    for i, level in enumerate(levels):
        groups.setdefault((level.game, level.size), []).append(i)
    for (name, _), members in groups.items():
        game = _game(name, rules)
        for i in members:
            game.check(levels[i])
        alone = getattr(game, "measure_level", None)  # for a game where a level's solution matters
        rows: Iterable[Any] = (
            game.measure(np.stack([levels[i].grid for i in members]))
            if alone is None
            else [alone(levels[i]) for i in members]
        )
        for i, row in zip(members, rows, strict=True):
            found[i] = {
                metric: int(value) if float(value).is_integer() else float(value)
                for metric, value in zip(game.metrics, row, strict=True)
            }
    return found
