"""Intervals and tests: what a number of runs says, and how surely.

Shares have Wilson's interval, their differences Tango's, means and what is made of means a bootstrap of the
runs. Paired tests are exact: McNemar's for shares, Wilcoxon's signed ranks for scores (by the normal
distribution for many runs), corrected by Holm.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

LEVEL = 0.95
TIMES = 2_000  # resamples of a bootstrap
SEED = 20  # of its random numbers: a report on the same file says the same each time
MOST_WEIGHTS = 6_000_000  # numbers that are drawn at a time
EXACT_PAIRS = 50  # pairs up to which Wilcoxon's test counts all signs


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, the interval that it lies in, and how many runs say so."""

    value: float
    low: float
    high: float
    runs: int = 0

    def __bool__(self) -> bool:
        return not math.isnan(self.value)

    def times(self, factor: float) -> Estimate:
        return Estimate(factor * self.value, factor * self.low, factor * self.high, self.runs)


NOTHING = Estimate(math.nan, math.nan, math.nan)


def z_of(level: float) -> float:
    return NormalDist().inv_cdf(0.5 + level / 2)


# ----------------------------------------------------------------------------------------------------- shares


def wilson(hits: int, runs: int, level: float = LEVEL) -> Estimate:
    """Returns a share with Wilson's score interval.

    >>> share = wilson(8, 10)
    >>> round(share.low, 3), round(share.high, 3)
    (0.49, 0.943)
    """
    if runs == 0:
        return NOTHING
    z = z_of(level)
    p = hits / runs
    middle = p + z * z / (2 * runs)
    half = z * math.sqrt(p * (1 - p) / runs + z * z / (4 * runs * runs))
    below = 1 + z * z / runs
    low = 0.0 if hits == 0 else (middle - half) / below
    high = 1.0 if hits == runs else (middle + half) / below
    return Estimate(p, low, high, runs)


def share(values: Numbers, level: float = LEVEL) -> Estimate:
    """Returns the share of ones among zeros and ones; missing runs are left out."""
    seen = values[~np.isnan(values)]
    return wilson(int(seen.sum()), len(seen), level)


def share_difference(first: Numbers, second: Numbers, level: float = LEVEL) -> Estimate:
    """Returns how much larger the first share is, of paired runs, with Tango's score interval (1998)."""
    first, second = together(first, second)
    runs, more, less = len(first), int((first > second).sum()), int((first < second).sum())
    if runs == 0:
        return NOTHING
    z = z_of(level)
    high = _where(lambda at: _score(at, runs, more, less) + z, (more - less) / runs, 1.0)
    low = -_where(lambda at: _score(at, runs, less, more) + z, (less - more) / runs, 1.0)
    return Estimate((more - less) / runs, low, high, runs)


def _score(difference: float, runs: int, more: int, less: int) -> float:
    """Returns how many deviations the observed pairs lie above a difference, if that is the true one."""
    if difference >= 1.0:
        return -math.inf
    a, c = 2 * runs, -less * difference * (1 - difference)
    b = (2 * runs - more + less) * difference - more - less
    q = (math.sqrt(max(0.0, b * b - 4 * a * c)) - b) / (2 * a)
    variance = runs * (2 * q + difference * (1 - difference))
    return (more - less - runs * difference) / math.sqrt(variance) if variance > 0 else 0.0


def _where(function: Callable[[float], float], low: float, high: float) -> float:
    """Returns where a function that falls from above 0 to below passes it."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return (low + high) / 2


def together(first: Numbers, second: Numbers) -> tuple[Numbers, Numbers]:
    """Just the runs that both have."""
    length = min(len(first), len(second))
    first, second = first[:length], second[:length]
    both = ~np.isnan(first) & ~np.isnan(second)
    return first[both], second[both]


# ------------------------------------------------------------------------------------------------------ means


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure and what it is in each resample of the runs; figures of paired runs stay paired."""

    value: float
    draws: Numbers  # [times]
    runs: int

    def __sub__(self, other: Spread) -> Spread:
        return Spread(self.value - other.value, self.draws - other.draws, min(self.runs, other.runs))

    def __truediv__(self, other: Spread) -> Spread:
        with np.errstate(divide="ignore", invalid="ignore"):
            draws = self.draws / other.draws
        ratio = self.value / other.value if other.value else math.nan
        return Spread(ratio, draws, min(self.runs, other.runs))

    def estimate(self, level: float = LEVEL) -> Estimate:
        draws = self.draws[np.isfinite(self.draws)]
        if math.isnan(self.value) or len(draws) == 0:
            return NOTHING
        tail = (1 - level) / 2
        low, high = np.quantile(draws, [tail, 1 - tail])
        return Estimate(self.value, float(low), float(high), self.runs)


def average(spreads: Sequence[Spread]) -> Spread:
    """Returns the mean of several figures, each counting the same; of those that are known."""
    known = [spread for spread in spreads if not math.isnan(spread.value)]
    if not known:
        return Spread(math.nan, np.full(TIMES, math.nan), 0)
    return Spread(
        float(np.mean([spread.value for spread in known])),
        np.mean([spread.draws for spread in known], axis=0),
        min(spread.runs for spread in known),
    )


def spread(values: Numbers) -> Spread:
    """Returns the mean of the runs that have a value."""
    return _spread(np.ascontiguousarray(values, np.float64).tobytes())


@lru_cache(maxsize=512)  # the same column stands in several tables and figures
def _spread(column: bytes) -> Spread:
    return Spread(*_drawn(np.frombuffer(column)[:, None]))


def mean(values: Numbers, level: float = LEVEL) -> Estimate:
    """Returns the mean of the runs that have a value, with its bootstrap interval."""
    return spread(values).estimate(level)


def means(values: Numbers, level: float = LEVEL) -> tuple[Numbers, Numbers, Numbers]:
    """Returns the means of columns with their intervals. values: `[runs, K]` -> three times `[K]`"""
    centres, draws, _ = _columns(values)
    tail = (1 - level) / 2
    low, high = np.quantile(draws, [tail, 1 - tail], axis=0)
    return centres, low, high


def _drawn(column: Numbers) -> tuple[float, Numbers, int]:
    centres, draws, runs = _columns(column)
    return float(centres[0]), draws[:, 0], int(runs[0])


def _columns(values: Numbers) -> tuple[Numbers, Numbers, NDArray[np.int64]]:
    """Means, resampled means and numbers of the values in each column."""
    known = ~np.isnan(values)
    runs = known.sum(0)
    filled = np.where(known, values, 0.0)
    draws = []
    with np.errstate(invalid="ignore", divide="ignore"):
        centres = filled.sum(0) / runs
        off = np.where(known, values - centres, 0.0).astype(np.float32)  # halves what is read, loses nothing
        for weights in _all_weights(len(values)):
            drawn = len(values) if known.all() else weights @ known.astype(np.float32)
            draws.append(centres + (weights @ off).astype(np.float64) / drawn)
    return centres, np.concatenate(draws), runs


def _all_weights(runs: int) -> list[Any]:
    """Returns how often each run is drawn in each resample, in pieces. Each: `[piece, runs]`"""
    if runs == 0:
        return [np.zeros((TIMES, 0))]
    piece = max(1, min(TIMES, MOST_WEIGHTS // runs))
    starts = range(0, TIMES, piece)
    return [_weights(runs, min(piece, TIMES - start), start) for start in starts]


@lru_cache(maxsize=4)
def _weights(runs: int, times: int, start: int) -> NDArray[np.float32]:
    rng = np.random.default_rng([SEED, runs, start])
    picks = rng.integers(0, runs, (times, runs)) + runs * np.arange(times)[:, None]
    return np.bincount(picks.ravel(), minlength=times * runs).reshape(times, runs).astype(np.float32)


# ------------------------------------------------------------------------------------------------------ tests


def mcnemar(first: Numbers, second: Numbers) -> float:
    """Returns the chance that paired zeros and ones differ so unevenly if both shares are the same;
    two-sided, exact.

    >>> round(mcnemar(np.array([1.0] * 6 + [0.0]), np.array([0.0] * 6 + [1.0])), 4)
    0.125
    """
    first, second = together(first, second)
    return sign_test(int((first > second).sum()), int((first < second).sum()))


def sign_test(more: int, less: int) -> float:
    """Returns the chance of so uneven a split of `more + less` coins; two-sided, exact."""
    n, k = more + less, min(more, less)
    if n == 0:
        return 1.0
    logs = [
        math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) - n * math.log(2)
        for i in range(k + 1)
    ]
    return min(1.0, 2 * math.fsum(map(math.exp, logs)))


def wilcoxon(first: Numbers, second: Numbers) -> float:
    """Returns the chance of such signed ranks if neither side is the larger; two-sided, equal pairs left
    out."""
    first, second = together(first, second)
    differences = (first - second)[first != second]
    if len(differences) == 0:
        return 1.0
    ranks = _doubled_ranks(np.abs(differences))
    total, mine = int(ranks.sum()), int(ranks[differences > 0].sum())
    extreme = min(mine, total - mine)
    if len(differences) <= EXACT_PAIRS:
        return min(1.0, 2 * _tail(ranks, extreme))
    deviation = math.sqrt(float((ranks.astype(np.float64) ** 2).sum())) / 2
    return min(1.0, 2 * NormalDist().cdf((extreme - total / 2) / deviation))


def _doubled_ranks(values: Numbers) -> NDArray[np.int64]:
    """Twice the rank of each value, so that the mean rank of equal ones is a whole number."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    doubled: NDArray[np.int64] = (2 * ends - counts + 1)[places]
    return doubled


def _tail(ranks: NDArray[np.int64], most: int) -> float:
    """Returns the share of all choices of signs whose positive ranks sum to `most` or less."""
    ways = np.zeros(int(ranks.sum()) + 1)
    ways[0] = 1.0
    for rank in ranks.tolist():
        ways[rank:] += ways[:-rank].copy()
        ways /= 2
    return float(ways[: most + 1].sum())


def holm(chances: Sequence[float]) -> list[float]:
    """Returns the chances, corrected for how many there are (Holm 1979).

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    corrected = [math.nan] * len(chances)
    largest = 0.0
    order = sorted((p, i) for i, p in enumerate(chances) if not math.isnan(p))
    for place, (p, i) in enumerate(order):
        largest = max(largest, min(1.0, p * (len(order) - place)))
        corrected[i] = largest
    return corrected
