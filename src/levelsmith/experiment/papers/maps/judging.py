"""What claims about binary maps are made of: differences and ratios between cells, by search and goal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from levelsmith.experiment.claims import Claim, Number, above, below, near
from levelsmith.experiment.papers.maps.map_cells import (
    GOALS,
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
    Numbers,
    Spread,
    average,
    deviation_of,
    share,
    share_difference,
    spread,
)

MANY = 8  # cells that a label names one by one, at most
EMPTY, PATH, CONNECTED = GOALS
SIDES: dict[str, Callable[..., Claim]] = {"more": above, "less": below, "same": near}


class Judge:
    """Numbers from one comparison, the same by work where there is one, and the thresholds that are ours."""

    def __init__(self, maps: Maps, by_work: Maps, t: Mapping[str, float]):
        self.maps, self.by_work, self.t = maps, by_work, t

    def keys(self, searches: Sequence[str], goal: str, *representations: str) -> list[Key]:
        """Returns the cells there are of these searches, on these representations or on all."""
        return [
            key
            for search in searches
            for each in (representations or self.maps.representations(search))
            if (key := (search, each, goal)) in self.maps.cells
        ]

    def but(self, *searches: str) -> list[str]:
        """Returns the other searches."""
        return [search for search in self.maps.searches if search not in searches]

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

    def differences(self, pairs: Iterable[tuple[Key, Key]], margin: float = 0.0) -> list[Claim]:
        """Returns that the first of each pair solves more; with a margin, a little less is as good."""
        return [above(f"{named(a)} over {named(b)}", self.shares(a, b), -margin) for a, b in pairs]

    # -------------------------------------------------------------------------------------------------- means

    def mean(self, keys: Sequence[Key], name: str) -> Spread:
        return average([self._spread(self.maps, key, name) for key in keys if key in self.maps.cells])

    def ratio(self, ones: Sequence[Key], others: Sequence[Key], name: str = "spent") -> Spread:
        """Returns the evaluations that some cells take over those of others."""
        return self.mean(ones, name) / self.mean(others, name)

    def more(self, ones: Sequence[Key], others: Sequence[Key], name: str) -> Spread:
        return self.mean(ones, name) - self.mean(others, name)

    def mean_by_work(self, goal: str, name: str) -> Spread:
        """Returns the mean over all cells of a goal where every goal has the same budget of work."""
        keys = [key for key in self.by_work.cells if key[2] == goal]
        return average([self._spread(self.by_work, key, name) for key in keys])

    def _spread(self, maps: Maps, key: Key, name: str) -> Spread:
        return maps.remembered(name, [key], lambda: spread(maps.column(key, name)))

    # ------------------------------------------------------------------------------------------ maps compared

    def against(self, ones: Sequence[Key], others: Sequence[Key], *told: str) -> list[Claim]:
        """Returns how the maps of some cells differ from those of others.

        told: "more empty", "less regions", "same path" and so on.
        """
        claims = []
        for side, metric in map(str.split, told):
            label = f"{WORDS[metric]}: {_names(ones)} against {_names(others)}"
            apart = [self.t["tiles" if metric == "empty" else "steps"]] if side == "same" else []
            claims.append(SIDES[side](label, self.more(ones, others, metric), *apart, kind="number"))
        return claims

    def each_with(self, ones: Sequence[Key], others: Sequence[Key], *told: str) -> list[Claim]:
        """Returns the same of each of these cells alone."""
        return [claim for one in ones for claim in self.against([one], others, *told)]

    def with_each(self, one: Key, others: Sequence[Key], *told: str) -> list[Claim]:
        """Returns the same of one cell and each of the others alone."""
        return [claim for other in others for claim in self.against([one], [other], *told)]

    def two_by_two(self, keys: Sequence[Key], *told: str) -> list[Claim]:
        return [claim for a, b in combinations(keys, 2) for claim in self.against([a], [b], *told)]

    def in_the_middle(self, key: Key, metric: str) -> list[Claim]:
        """Returns that the mean of a cell lies above the low end and below the high end of those of all cells
        of its goal."""
        cells = [self.mean([each], metric) for each in self.maps.cells if each[2] == key[2]]
        known = [each for each in cells if not np.isnan(each.value)]
        if not known:
            return []
        least, most = (end(known, key=lambda cell: cell.value) for end in (min, max))
        label = f"{WORDS[metric]}: {named(key)} against the"
        low, high = (
            self.mean([key], metric) - (least.times(1 - at) - most.times(-at))
            for at in (self.t["middle"], 1 - self.t["middle"])
        )
        return [
            above(f"{label} low end of all cells", low, kind="number"),
            below(f"{label} high end of all cells", high, kind="number"),
        ]

    def is_wider(self, one: Key, other: Key, metric: str) -> Claim:
        """Returns that a metric varies more in one cell than in another."""
        label = f"deviation of {WORDS[metric]}: {named(one)} over {other[0]}"
        return above(label, self._deviation(one, metric) / self._deviation(other, metric), 1, kind="ratio")

    def _deviation(self, key: Key, metric: str) -> Spread:
        column = f"deviation of {metric}"
        return self.maps.remembered(column, [key], lambda: deviation_of(self.maps.made(key, metric)))

    def heaps(self, side: Callable[..., Claim], key: Key) -> Claim:
        """Returns whether the numbers of empty tiles of a cell's maps lie in two intervals."""
        found = self.maps.remembered("heaps", [key], lambda: two_intervals(self.maps.made(key, "empty")))
        return side(f"{named(key)}: second heap of empty tiles", found, self.t["two"], kind="number")

    def apart(self, ones: Sequence[Key], others: Sequence[Key]) -> Spread:
        """Returns how far apart the maps of some cells and of others are, by their figure's two metrics."""
        return self.maps.remembered(
            f"apart from {len(others)}",
            [*ones, *others],
            lambda: style_distance(*(styles_of(self.maps, keys) for keys in (ones, others))),
            replace(self.maps.reading, charged=True),
        )

    def differs(
        self,
        ones: Sequence[Key],
        others: Sequence[Key],
        threshold: str = "different",
        side: Callable[..., Claim] = above,
    ) -> Claim:
        """Returns that the styles of some cells and of others are far apart, or with `below` that they are
        not."""
        label = f"{ones[0][2] if ones else ''}: {_names(ones)} apart from {_names(others)}"
        return side(
            label,
            lambda level: self.apart(ones, others).estimate(level),
            self.t[threshold],
            kind="number",
        )

    def all_like(self, keys: Sequence[Key]) -> list[Claim]:
        """Returns that each cell has the style of the rest."""
        return [self.differs([key], [each for each in keys if each != key], side=below) for key in keys]


def styles_of(maps: Maps, keys: Sequence[Key]) -> list[Numbers]:
    """Returns the two metrics that the maps of these cells were not made for, a column each."""
    goal = keys[0][2] if keys and keys[0][2] in METRICS else GOALS[0]
    names = [name for other, name in METRICS.items() if other != goal]
    return [np.concatenate([maps.made(key, name) for key in keys] or [np.full(0, np.nan)]) for name in names]


def _names(keys: Sequence[Key]) -> str:
    """Returns cells in few words: their searches and representations, each once."""
    searches, representations = (list(dict.fromkeys(key[i] for key in keys)) for i in (0, 1))
    if len(keys) > MANY:
        family = "tree searches" if set(searches) <= set(TREES) else "cells"
        return f"{len(keys)} {'optimisers' if set(searches) <= set(OPTIMISERS) else family}"
    return f"{', '.join(searches)} {', '.join(representations)}" if keys else "none"


def named(key: Key) -> str:
    return " ".join(key)
