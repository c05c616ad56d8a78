"""What claims about binary maps are made of: differences and ratios between cells, by search and goal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from levelsmith.experiment.claims import Claim, Number, above, below, within
from levelsmith.experiment.papers.maps.map_cells import (
    METRICS,
    OPTIMISERS,
    PAPERS,
    TREES,
    WORDS,
    Key,
    Maps,
)
from levelsmith.experiment.papers.maps.styles import style_distance, two_intervals
from levelsmith.experiment.statistics import (
    Estimate,
    Numbers,
    Spread,
    average,
    deviation_of,
    share,
    share_difference,
    spread,
)

MANY = 8  # cells that a label names one by one, at most
EMPTY, PATH, CONNECTED = "empty-tiles", "path-length", "connectivity"


class Judge:
    """Numbers from one comparison, the same by work where there is one, and the thresholds that are ours."""

    def __init__(self, maps: Maps, by_work: Maps, t: Mapping[str, float]):
        self.maps, self.by_work, self.t = maps, by_work, t
        self.informed = "astar" if maps.earlier else "best"

    def keys(self, searches: Sequence[str], goal: str, *representations: str) -> list[Key]:
        """Returns the cells there are of these searches, on these representations or on all."""
        return [
            key
            for search in searches
            for each in (representations or self.maps.representations(search))
            if (key := (search, each, goal)) in self.maps.cells
        ]

    def rest(self, one: Key, searches: Sequence[str] = ()) -> list[Key]:
        """Returns what other searches, or those named, have on the same representation for the same goal."""
        return [key for key in self.keys(searches or self.maps.searches, one[2], one[1]) if key != one]

    # ----------------------------------------------------------------------------------------- what is solved

    def share(self, key: Key) -> Number:
        values = self.maps.values(key, "solved")
        return lambda level: share(values, level)

    def shares(self, one: Key, other: Key) -> Number:
        """Returns how much more of its runs one cell solves."""
        first, second = self.maps.values(one, "solved"), self.maps.values(other, "solved")
        return lambda level: self.maps.remembered(
            f"shares at {level}", [one, other], lambda: share_difference(first, second, level), PAPERS
        )

    def differences(self, pairs: Sequence[tuple[Key, Key]], margin: float = 0.0) -> list[Claim]:
        """Returns that the first of each pair solves more."""
        return [above(f"{named(a)} over {named(b)}", self.shares(a, b), margin=margin) for a, b in pairs]

    # -------------------------------------------------------------------------------------------------- means

    def mean(self, keys: Sequence[Key], name: str) -> Spread:
        return average([self._spread(self.maps, key, name) for key in keys if key in self.maps.cells])

    def ratio(self, ones: Sequence[Key], others: Sequence[Key], name: str = "spent") -> Number:
        """Returns the evaluations that some cells take over those of others."""
        return (self.mean(ones, name) / self.mean(others, name)).estimate

    def more(self, ones: Sequence[Key], others: Sequence[Key], name: str) -> Number:
        return (self.mean(ones, name) - self.mean(others, name)).estimate

    def mean_by_work(self, goal: str, name: str) -> Spread:
        """Returns the mean over all cells of a goal where every goal has the same budget of work."""
        keys = [key for key in self.by_work.cells if key[2] == goal]
        return average([self._spread(self.by_work, key, name) for key in keys])

    def _spread(self, maps: Maps, key: Key, name: str) -> Spread:
        return maps.remembered(name, [key], lambda: spread(_column(maps, key, name)))

    # ------------------------------------------------------------------------------------------ maps compared

    def has_more(self, ones: Sequence[Key], others: Sequence[Key], metric: str) -> Claim:
        """Returns that the maps of some cells have more of a metric than those of others."""
        return above(_against(ones, others, metric), self.more(ones, others, metric), kind="number")

    def has_less(self, ones: Sequence[Key], others: Sequence[Key], metric: str) -> Claim:
        return below(_against(ones, others, metric), self.more(ones, others, metric), kind="number")

    def has_as_much(self, ones: Sequence[Key], others: Sequence[Key], metric: str) -> Claim:
        apart = self.t["tiles"] if metric == "empty" else self.t["steps"]
        number = self.more(ones, others, metric)
        return within(_against(ones, others, metric), number, -apart, apart, kind="number")

    def in_the_middle(self, key: Key, metric: str, only: str = "") -> list[Claim]:
        """Returns that the mean of a cell lies in the middle of those of all cells of its goal.

        `only` asks for one end: "above" the low quarter or "below" the high one.
        """
        cells = [self.mean([each], metric) for each in self.maps.cells if each[2] == key[2]]
        known = [each for each in cells if not np.isnan(each.value)]
        if not known:
            return []
        least, most = min(known, key=_value), max(known, key=_value)
        mine, edge = self.mean([key], metric), self.t["middle"]
        label = f"{WORDS[metric]}: {named(key)} against the"
        low, high = (mine - _between(least, most, at) for at in (edge, 1 - edge))
        claims = {
            "above": above(f"{label} low end of all cells", low.estimate, kind="number"),
            "below": below(f"{label} high end of all cells", high.estimate, kind="number"),
        }
        return [claim for side, claim in claims.items() if only in ("", side)]

    def is_wider(self, one: Key, other: Key, metric: str) -> Claim:
        """Returns that a metric varies more in one cell than in another."""
        quotient = self._deviation(one, metric) / self._deviation(other, metric)
        label = f"deviation of {WORDS[metric]}: {named(one)} over {other[0]}"
        return above(label, quotient.estimate, 1, kind="ratio")

    def _deviation(self, key: Key, metric: str) -> Spread:
        column = f"deviation of {metric}"
        return self.maps.remembered(column, [key], lambda: deviation_of(self.maps.made(key, metric)))

    def heaps(self, key: Key) -> Spread:
        """Returns whether the numbers of empty tiles of a cell's maps lie in two intervals."""
        return self.maps.remembered("heaps", [key], lambda: two_intervals(self.maps.made(key, "empty")))

    def apart(self, ones: Sequence[Key], others: Sequence[Key]) -> Spread:
        """Returns how far apart the maps of some cells and of others are, by their figure's two metrics."""
        return self.maps.remembered(
            f"apart from {len(others)}",
            [*ones, *others],
            lambda: style_distance(*(styles_of(self.maps, keys) for keys in (ones, others))),
            replace(self.maps.reading, charged=True),
        )

    def differs(self, ones: Sequence[Key], others: Sequence[Key], threshold: str = "different") -> Claim:
        return above(_styles(ones, others), self._lazy(ones, others), self.t[threshold], kind="number")

    def is_like(self, ones: Sequence[Key], others: Sequence[Key]) -> Claim:
        return below(_styles(ones, others), self._lazy(ones, others), self.t["different"], kind="number")

    def _lazy(self, ones: Sequence[Key], others: Sequence[Key]) -> Number:
        return lambda level: self.apart(ones, others).estimate(level)


def _column(maps: Maps, key: Key, name: str) -> Numbers:
    """Returns a number for each run: of those that solved where the name begins so."""
    own: dict[str, Callable[[Key], Numbers]] = {
        "spent": maps.spent,
        "work": maps.work,
        "spent if solved": lambda key: maps.solved(key, "spent"),
        "work if solved": lambda key: maps.solved(key, "work"),
        "depth_needed": maps.depth_needed,
        "depth of solutions": maps.solution_depth,
        "changes needed": maps.changes_needed,
    }
    if name in own:
        return own[name](key)
    return maps.made(key, name) if name in maps.results.metrics else maps.values(key, name)


def styles_of(maps: Maps, keys: Sequence[Key]) -> list[Numbers]:
    """Returns the two metrics that the maps of these cells were not made for, a column each."""
    names = [name for goal, name in METRICS.items() if goal != keys[0][2]] if keys else ["empty", "path"]
    return [np.concatenate([maps.made(key, name) for key in keys] or [np.full(0, np.nan)]) for name in names]


def at_most(number: Number) -> Number:
    """Returns a number whose true value is known to be no larger, and to be above 0."""

    def bounded(level: float) -> Estimate:
        found = number(level)
        return replace(found, low=0.0) if found else found

    return bounded


def _between(low: Spread, high: Spread, at: float) -> Spread:
    """Returns the figure that lies so far on the way from one to another."""
    runs = max(len(low.errors), len(high.errors))
    errors = np.zeros(runs)
    errors[: len(low.errors)] += (1 - at) * low.errors
    errors[: len(high.errors)] += at * high.errors
    value = (1 - at) * low.value + at * high.value
    return Spread(
        value, errors, min(low.runs, high.runs), (1 - at) ** 2 * low.variance + at**2 * high.variance
    )


def _value(figure: Spread) -> float:
    return figure.value


def _against(ones: Sequence[Key], others: Sequence[Key], metric: str) -> str:
    return f"{WORDS[metric]}: {_names(ones)} against {_names(others)}"


def _styles(ones: Sequence[Key], others: Sequence[Key]) -> str:
    return f"{ones[0][2] if ones else ''}: {_names(ones)} apart from {_names(others)}"


def _names(keys: Sequence[Key]) -> str:
    """Returns cells in few words: their searches and representations, each once."""
    searches, representations = (list(dict.fromkeys(key[i] for key in keys)) for i in (0, 1))
    if len(keys) > MANY:
        family = "tree searches" if set(searches) <= set(TREES) else "cells"
        return f"{len(keys)} {'optimisers' if set(searches) <= set(OPTIMISERS) else family}"
    return f"{', '.join(searches)} {', '.join(representations)}" if keys else "none"


def named(key: Key) -> str:
    return " ".join(key)
