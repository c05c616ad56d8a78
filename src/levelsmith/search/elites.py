"""MAP-Elites: the best level for each kind of level, in bins of two or three metrics.

Mouret and Clune, "Illuminating search spaces by mapping elites" (2015).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from levelsmith.core import SOLVED, Member, Parameter, Parameters, Problem, Values
from levelsmith.errors import LevelsmithError, quoted, unknown
from levelsmith.search.compiled import CompiledSearch
from levelsmith.search.kernels.elites import Archive, ElitesOptions, illuminate
from levelsmith.search.kernels.evolution import FIRST

BINS = 10  # of an axis that does not say how many
MOST_AXES, MOST_BINS = 3, 100_000


class Axis(NamedTuple):
    """A metric and its range, in bins of equal width."""

    metric: str
    low: float
    high: float
    bins: int

    def bin_of(self, value: float) -> int:
        """Returns the bin of a value; what lies outside the range belongs to the first or the last."""
        share = (value - self.low) / (self.high - self.low)
        return min(int(min(max(share, 0.0), 1.0) * self.bins), self.bins - 1)

    def range(self, number: int) -> str:
        """Returns what the bin of a number holds, as ranges are written."""
        width = (self.high - self.low) / self.bins
        return f"{self.low + number * width:g}..{self.low + (number + 1) * width:g}"


def axes_of(text: str, metrics: Sequence[str], cells: int) -> tuple[Axis, ...]:
    """Axes from `path:0..50:10, regions:1..10, empty:0..60%`; without any, the first two metrics."""
    parts = [part.strip() for part in text.split(",")] if text.strip() else metrics[:2]
    axes = tuple(_axis(part, metrics, cells) for part in parts)
    if len({axis.metric for axis in axes}) != len(axes) or len(axes) > MOST_AXES:
        raise LevelsmithError(f"expected one to {MOST_AXES} different metrics for by, got {quoted(text)}")
    bins = math.prod(axis.bins for axis in axes)
    if bins > MOST_BINS:
        raise LevelsmithError(f"expected at most {MOST_BINS:,} bins in all for by, got {bins:,}")
    return axes


def _axis(text: str, metrics: Sequence[str], cells: int) -> Axis:
    name, _, rest = text.partition(":")
    span, _, bins = rest.partition(":")
    metric = name.strip().replace("-", "_")
    if metric not in metrics:
        raise unknown("metric", metric, metrics, hint="for by")
    try:
        low, high = (_number(end, cells) for end in (span or "0..100%").split(".."))
        axis = Axis(metric, low, high, int(bins or BINS))
        if not (-math.inf < low < high < math.inf and axis.bins >= 1):
            raise ValueError
    except ValueError:
        raise LevelsmithError(
            f"expected a metric with its range and bins such as {metric}:0..20:10 for by, got {quoted(text)}"
        ) from None
    return axis


def _number(text: str, cells: int) -> float:
    """Returns a number, or with a percent sign so much of the cells."""
    text = text.strip()
    return float(text[:-1]) * cells / 100 if text.endswith("%") else float(text)


class MapElites(CompiledSearch):
    kernel = illuminate
    options_type = ElitesOptions
    needs = "variation"
    summary = "the best of each kind of level, in bins of metrics; all of them are levels"
    parameters: ClassVar[Parameters] = (
        Parameter("samples", 500, "random candidates at the start", low=1),
        Parameter("crossover", 0.5, "share of children with two parents", low=0.0, high=1.0),
        Parameter("mutation", 0.0, "share of children that are mutated, not painted on", low=0.0, high=1.0),
        Parameter("by", "", "metrics, ranges, bins: empty:0..60%:10, path:0..50:10; else the first two"),
    )

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        self.axes = axes_of(values["by"], problem.metrics, problem.cells)
        bins = math.prod(axis.bins for axis in self.axes)
        self.states = FIRST + bins
        super().__init__(problem, seed, values)
        rows = [(problem.metrics.index(axis.metric), *axis[1:]) for axis in self.axes]
        archive = Archive(np.array(rows, np.float64), np.zeros(bins, np.int32), np.full(bins, np.inf))
        self.workspace = (archive,)

    @staticmethod
    def check(values: Values, metrics: Sequence[str], cells: int) -> None:
        """Refuses axes that cannot be, before a run starts."""
        axes_of(values["by"], metrics, cells)

    @property
    def settled(self) -> bool:
        """Whether every bin has a level that meets the goal."""
        return bool((self.run.scores[FIRST:] >= SOLVED).all())

    def everyone(self) -> Iterator[Member]:
        """Yields all elites, in the order of their bins, which are named."""
        shape = [axis.bins for axis in self.axes]
        for place in np.flatnonzero(np.isfinite(self.run.scores[FIRST:])):
            numbers = np.unravel_index(place, shape)
            told = {axis.metric: axis.range(int(n)) for axis, n in zip(self.axes, numbers, strict=True)}
            yield *self.kept_in(FIRST + int(place)), {"bin": told}

    def statistics(self) -> dict[str, Any]:
        scores = self.run.scores[FIRST:]
        filled = scores[np.isfinite(scores)]
        return {
            "bins": len(scores),
            "filled": len(filled),
            "solved_bins": int((filled >= SOLVED).sum()),
            "mean_score": float(filled.mean()) if len(filled) else 0.0,
        }
