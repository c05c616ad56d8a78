"""What claims about binary maps are made of: differences and ratios between cells, by search and goal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from levelsmith.experiment.claims import Claim, Number, above
from levelsmith.experiment.papers.maps.map_cells import Key, Maps
from levelsmith.experiment.statistics import (
    Numbers,
    Spread,
    average,
    share,
    share_difference,
    spread,
)

EMPTY, PATH, CONNECTED = "empty-tiles", "path-length", "connectivity"


class Judge:
    """Numbers from one comparison, and the thresholds that are ours."""

    def __init__(self, maps: Maps, t: Mapping[str, float]):
        self.maps, self.t = maps, t
        self.informed = "astar" if maps.earlier else "best"
        self.informed_name = "A*" if maps.earlier else "best-first"
        self.spreads: dict[tuple[Key, str], Spread] = {}

    def keys(self, searches: Sequence[str], goal: str, *representations: str) -> list[Key]:
        """Returns the cells there are of these searches, on these representations or on all."""
        return [
            key
            for search in searches
            for each in (representations or self.maps.representations(search))
            if (key := (search, each, goal)) in self.maps.cells
        ]

    def share(self, key: Key) -> Number:
        values = self.maps.values(key, "solved")
        return lambda level: share(values, level)

    def shares(self, one: Key, other: Key) -> Number:
        """Returns how much more of its runs one cell solves."""
        first, second = self.maps.values(one, "solved"), self.maps.values(other, "solved")
        return lambda level: share_difference(first, second, level)

    def differences(self, pairs: Sequence[tuple[Key, Key]], margin: float = 0.0) -> list[Claim]:
        """Returns the first of each pair solves more."""
        return [above(f"{named(a)} over {named(b)}", self.shares(a, b), margin=margin) for a, b in pairs]

    def mean(self, keys: Sequence[Key], name: str) -> Spread:
        return average([self._spread(key, name) for key in keys if key in self.maps.cells])

    def ratio(self, ones: Sequence[Key], others: Sequence[Key]) -> Number:
        """Returns the evaluations that some cells take over those of others."""
        return (self.mean(ones, "spent") / self.mean(others, "spent")).estimate

    def more(self, ones: Sequence[Key], others: Sequence[Key], name: str) -> Number:
        return (self.mean(ones, name) - self.mean(others, name)).estimate

    def _spread(self, key: Key, name: str) -> Spread:
        if (key, name) not in self.spreads:
            self.spreads[key, name] = spread(self._values(key, name))
        return self.spreads[key, name]

    def _values(self, key: Key, name: str) -> Numbers:
        if name in ("depth_needed", "spent"):
            own: Numbers = getattr(self.maps, name)(key)
            return own
        return self.maps.made(key, name) if name in self.maps.results.metrics else self.maps.values(key, name)


def named(key: Key) -> str:
    return " ".join(key)
