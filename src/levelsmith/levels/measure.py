"""The metrics of any level, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import overload

import numpy as np

from levelsmith.core import Level
from levelsmith.registry import games

Metrics = dict[str, int | float]


@overload
def measure(levels: Level) -> Metrics: ...
@overload
def measure(levels: Iterable[Level]) -> list[Metrics]: ...
def measure(levels: Level | Iterable[Level]) -> Metrics | list[Metrics]:
    """What can be counted about a level, or about each of many.

    >>> import levelsmith
    >>> levelsmith.measure(levelsmith.parse("^.^\\n...", game="orchard"))
    {'trees': 2, 'crowded': 0}
    """
    if isinstance(levels, Level):
        return _measured([levels])[0]
    return _measured(list(levels))


def _measured(levels: list[Level]) -> list[Metrics]:
    """Levels of the same game and size are measured in one batch."""
    found: list[Metrics] = [{} for _ in levels]
    groups: dict[tuple[str, tuple[int, int]], list[int]] = {}
    for i, level in enumerate(levels):
        groups.setdefault((level.game, level.size), []).append(i)
    for (name, _), members in groups.items():
        game = games.get(name)
        for i in members:
            game.check(levels[i])
        for i, row in zip(members, game.measure(np.stack([levels[i].grid for i in members])), strict=True):
            found[i] = {
                metric: int(value) if float(value).is_integer() else float(value)
                for metric, value in zip(game.metrics, row, strict=True)
            }
    return found
