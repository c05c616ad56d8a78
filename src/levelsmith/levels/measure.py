"""The metrics of any level, by name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Literal, overload

import numpy as np

from levelsmith.contracts import Game, MeasuredBySolution, MeasuredOnGPU, WithRuleSets
from levelsmith.core import Level
from levelsmith.errors import LevelsmithError, option
from levelsmith.kernels.device import chosen
from levelsmith.levels.files import Levels, PathLike, given_levels
from levelsmith.registry import games

Metrics = dict[str, int | float | None]  # None where nobody knows, as of a level without a solution
Known = tuple[Metrics | None, str | None]  # the metrics of a level, where they are known, and its headline


@overload
def measure(levels: Level, rules: str | None = ..., device: str = ...) -> Metrics: ...
@overload
def measure(
    levels: Levels | PathLike,
    rules: str | None = ...,
    device: str = ...,
    *,
    game: str | None = ...,
    lazily: Literal[False] = ...,
) -> list[Metrics]: ...
@overload
def measure(
    levels: Levels | PathLike,
    rules: str | None = ...,
    device: str = ...,
    *,
    game: str | None = ...,
    lazily: Literal[True],
) -> Iterator[Metrics]: ...
def measure(
    levels: Level | Levels | PathLike,
    rules: str | None = None,
    device: str = "cpu",
    *,
    game: str | None = None,
    lazily: bool = False,
) -> Metrics | list[Metrics] | Iterator[Metrics]:
    """Returns what can be counted about a level, or about each of many.

    >>> import levelsmith
    >>> levelsmith.measure(levelsmith.parse("^.^\\n...", game="orchard"))
    {'trees': 2, 'crowded': 0}

    Args:
        levels: one level, many, the result of `generate`, or the path of a file.
        rules: the rule set to judge by, for a game that has several.
        device: "cuda" for a GPU, or "auto" for a GPU where there is one that can.
        game: the game of the levels, if the file does not name it.
        lazily: measures each level as you ask for it, instead of all at once.

    Returns:
        For one level its metrics by name; for many, a list of them, or an iterator with `lazily`. A metric is
        None if it is not known.
    """
    if isinstance(levels, Level):
        check_one(game, lazily)
        return _measured([levels], rules, device)[0]
    found = given_levels(levels, game)
    if lazily:
        return (_measured([level], rules, device)[0] for level in found)
    return _measured(list(found), rules, device)


def check_one(game: str | None, lazily: bool) -> None:
    """Refuses what says nothing about one level."""
    if game is not None:
        raise LevelsmithError("game= says which game a file is of, and a level says so itself: leave it out")
    if lazily:
        raise LevelsmithError("lazily=True is for several levels, and one was given: leave it out")


def details(level: Level, rules: str | None = None) -> dict[str, Any]:
    """Returns what a game tells about a level besides numbers, such as where the ends of its longest path
    are."""
    game = _game(level.game, rules)
    game.check(level)
    return game.details(level)


def headline(level: Level) -> str | None:
    """Returns what a reader wants to know of a level first, in one line; None where no game tells."""
    return games.get(level.game).headline(level) or None


def known(level: Level, measured: bool = True) -> Known:
    """Returns the metrics of a level, where they are to be measured, and its headline."""
    return measure(level) if measured else None, headline(level)


def _game(name: str, rules: str | None) -> Game:
    """Returns the game, under a rule set if one is named."""
    game = games.get(name)
    if rules is None:
        return game
    if not isinstance(game, WithRuleSets):
        raise LevelsmithError(f"{name} has no rule sets to choose from; leave out {option('rules')}")
    return game.under(rules)


def device_for(level: Level, asked: str) -> str:
    """Returns where a level is measured, and others of its size."""
    game = games.get(level.game)
    alone = f"{level.game} is measured on the processor alone: leave out {option('device')}"
    return chosen(asked, game.gpu_lacks(level.size) if isinstance(game, MeasuredOnGPU) else alone)


def _measured(levels: list[Level], rules: str | None, device: str) -> list[Metrics]:
    """Returns the metrics of each level; those of one game and size are measured in one batch."""
    found: list[Metrics] = [{} for _ in levels]
    groups: dict[tuple[str, tuple[int, int]], list[int]] = {}
    for i, level in enumerate(levels):
        groups.setdefault((level.game, level.size), []).append(i)
    for (name, _), members in groups.items():
        game = _game(name, rules)
        for i in members:
            game.check(levels[i])
        rows = _rows(game, [levels[i] for i in members], device)
        for i, row in zip(members, rows, strict=True):
            found[i] = {metric: _plain(float(value)) for metric, value in zip(game.metrics, row, strict=True)}
    return found


def _plain(value: float) -> int | float | None:
    """Returns a metric as it is told; what is not a number is not known."""
    if math.isnan(value):
        return None
    return int(value) if value.is_integer() else value


def _rows(game: Any, levels: list[Level], device: str) -> Iterable[Any]:
    """Returns the metrics of levels of one size, in the order of the game."""
    on_gpu = device_for(levels[0], device) == "cuda"
    by_solution = isinstance(game, MeasuredBySolution)
    if by_solution and not on_gpu:
        return [game.measure_level(level) for level in levels]
    grids = np.stack([level.grid for level in levels])
    rows: Iterable[Any] = game.measure(grids, "cuda") if on_gpu else game.measure(grids)
    return [game.with_solution(*pair) for pair in zip(levels, rows, strict=True)] if by_solution else rows
