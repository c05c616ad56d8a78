"""Ranges that metrics of a level shall lie in: `pushes` from 20 to 30, written 20..30."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from levelsmith.contracts import Game
from levelsmith.core import Size, Term
from levelsmith.errors import LevelsmithError, listed, option, quoted, unknown


class Want(NamedTuple):
    """What a metric shall be at least and at most."""

    metric: str
    low: float
    high: float

    def term(self, cells: int = 0) -> Term:
        """Returns a score that rises from 0 to 1 at `low` and falls behind `high`, up to the number of
        cells."""
        end = max(2 * self.high + 1, cells)
        return Term(
            self.metric,
            "ramp",
            zero=0.0 if self.low > 0 else -math.inf,
            low=self.low,
            high=self.high,
            end=end,
        )

    @property
    def range(self) -> str:
        """As it is written on the command line."""
        if self.low == self.high:
            return f"{self.low:g}"
        return f"{self.low:g}.." + ("" if self.high == math.inf else f"{self.high:g}")

    def step(self, number: int, steps: int) -> tuple[float, float]:
        """Returns the part of the range that is the one of that number, of so many of equal width."""
        width = (self.high - self.low) / steps
        return self.low + number * width, self.low + (number + 1) * width


def metric_called(game: Game, name: str) -> str | None:
    """Returns the metric that a name means, with dashes or underscores."""
    spelled = name.replace("-", "_")
    return spelled if spelled in game.metrics else None


def collisions(game: Game) -> list[str]:
    """Returns the metrics that a parameter of an objective of the game shares its name with."""
    named = [p.name.replace("-", "_") for o in game.objectives.values() for p in o.parameters]
    return sorted({name for name in named if name in game.metrics})


def wanted(game: Game, asked: Mapping[str, Any], sure: Collection[str] = ()) -> tuple[Want, ...]:
    """Returns the ranges that were asked for: as `20..30`, `8..`, `..5` or `12`, as a pair, or by a name.

    Of some metrics one number asks for that and more. What a game always asks for comes with them, but for
    metrics of which a generator is sure.
    """
    wants = []
    for name, value in asked.items():
        metric = metric_called(game, name)
        if metric is None:
            raise unknown(f"metric of {game.name}", name, game.metrics, hint="levelsmith list games")
        low, high = _range(name, value, game.ranges.get(metric, {}))
        alone = not isinstance(value, tuple | list) and ".." not in str(value)
        wants.append(Want(metric, low, math.inf if alone and metric in game.at_least else high))
    always = game.always if wants else {}
    told = {*sure, *(want.metric for want in wants)}
    return (*wants, *(Want(metric, *span) for metric, span in always.items() if metric not in told))


def _range(name: str, value: Any, named: Mapping[str, tuple[float, float]]) -> tuple[float, float]:
    if isinstance(value, str) and value in named:
        return named[value]
    try:
        if isinstance(value, str):
            first, dots, last = (part.strip() for part in value.partition(".."))
            low = named[first][0] if first in named else float(first) if first else 0.0
            high = named[last][1] if last in named else float(last) if last else math.inf if dots else low
        elif isinstance(value, tuple | list):
            first, last = value
            low, high = float(first or 0), math.inf if last is None else float(last)
        else:
            low = high = float(value)
    except (TypeError, ValueError, OverflowError):
        low, high = math.nan, math.nan
    if low > high:
        raise LevelsmithError(
            f"expected a low end that is not above the high end for {name}, got {low:g}..{high:g}"
        )
    if not 0 <= low <= high or low == math.inf:
        words = f", {listed(named)}" if named else ""
        raise LevelsmithError(
            f"expected a range such as 20..30, 8.. or ..5{words} for {name}, got {quoted(value)}"
        )
    return low, high


def check_measured(game: Game, wants: Collection[Want]) -> None:
    """Refuses ranges of metrics that no level of a game has."""
    for want in wants:
        if why := game.unmeasured.get(want.metric):
            raise LevelsmithError(f"no level has {want.metric} here: {why}; leave out {option(want.metric)}")


def check_possible(game: Game, wants: Collection[Want], size: Size) -> None:
    """Refuses ranges that no level of a size can lie in, alone or together."""
    most = game.most(size)
    for want in wants:
        if want.low > most.get(want.metric, math.inf):
            raise LevelsmithError(
                f"expected at most {most[want.metric]:g} for {want.metric} on {size[1]}x{size[0]}, "
                f"got {want.range}"
            )
    by_name = {want.metric: want for want in wants}
    for less, more in game.never_above:
        if less in by_name and more in by_name and by_name[less].low > by_name[more].high:
            raise LevelsmithError(
                f"{less} is never above {more}, so that these ranges cannot be met together: "
                f"{less} {by_name[less].range} and {more} {by_name[more].range}"
            )
