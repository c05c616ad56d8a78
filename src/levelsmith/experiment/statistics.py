"""Intervals and tests: what a number of runs says, and how surely.

Shares have Wilson's interval, their differences Tango's, means Student's, corrected for skewness, and ratios
of means that of their logarithm; where all runs are the same, the sign test's. Paired tests are exact:
McNemar's for shares, Wilcoxon's signed ranks for scores (by the normal distribution for many runs), corrected
by Holm.
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
ROUNDING = 1e-12  # so much of a deviation or a difference is none
SKEWED = 10  # runs from which they say something about the skewness of what they are drawn from
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


def _where(function: Callable[[float], float], low: float, high: float, halvings: int = 36) -> float:
    """Returns where a function that falls from above 0 to below passes it."""
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return (low + high) / 2


def together(first: Numbers, second: Numbers) -> tuple[Numbers, Numbers]:
    """Returns the runs that both have, and no others."""
    length = min(len(first), len(second))
    first, second = first[:length], second[:length]
    both = ~np.isnan(first) & ~np.isnan(second)
    return first[both], second[both]


# ------------------------------------------------------------------------------------------------------ means


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure made of means of runs, and what each run adds to its error, to first order.

    Runs of the same number are paired across cells, so the errors of two figures add up run by run. What
    comes from elsewhere, as a mean that a paper prints, is paired with nothing and has a variance alone.
    """

    value: float
    errors: Numbers  # [runs], 0 for runs that have no value
    runs: int  # of the mean with the fewest
    variance: float = 0.0  # of what is not made of these runs
    ratio: bool = False  # whether its interval is that of its logarithm

    def __sub__(self, other: Spread) -> Spread:
        errors = _added(self.errors, -other.errors)
        runs, variance = min(self.runs, other.runs), self.variance + other.variance
        return Spread(self.value - other.value, errors, runs, variance)

    def __truediv__(self, other: Spread) -> Spread:
        if not (self.value > 0 and other.value > 0):
            return UNKNOWN
        value = self.value / other.value
        errors = _added(self.errors / other.value, -other.errors * (value / other.value))
        variance = (self.variance + value**2 * other.variance) / other.value**2
        return Spread(value, errors, min(self.runs, other.runs), variance, ratio=True)

    def times(self, factor: float) -> Spread:
        return Spread(factor * self.value, factor * self.errors, self.runs, factor**2 * self.variance)

    def alone(self) -> Spread:
        """Returns the same figure as one that is paired with no other."""
        return Spread(self.value, np.zeros(0), self.runs, self._whole_variance(), self.ratio)

    def _whole_variance(self) -> float:
        return self.variance + float((self.errors**2).sum()) * self.runs / max(1, self.runs - 1)

    def estimate(self, level: float = LEVEL) -> Estimate:
        """Returns the figure with its interval; of a single run it is without ends.

        Runs that are all the same have the sign test's interval of the middle run: that figure alone, up to a
        level of 1 - 2^(1 - runs), and beyond it no ends.
        """
        if math.isnan(self.value):
            return NOTHING
        deviation, cubes = math.sqrt(self._whole_variance()), float((self.errors**3).sum())
        alike = deviation <= ROUNDING * max(1.0, abs(self.value))
        if self.runs < 2 or (alike and 1 - level < 2.0 ** (1 - self.runs)):
            return Estimate(self.value, -math.inf, math.inf, self.runs)
        if alike:
            return Estimate(self.value, self.value, self.value, self.runs)
        if self.ratio:
            factor = math.exp(deviation / self.value * t_of(level, self.runs - 1))
            return Estimate(self.value, self.value / factor, self.value * factor, self.runs)
        low, high = _ends(np.array([self.value]), np.array([deviation]), np.array([cubes]), self.runs, level)
        return Estimate(self.value, float(low[0]), float(high[0]), self.runs)

    __call__ = estimate  # so that claims ask for it at any level


UNKNOWN = Spread(math.nan, np.zeros(0), 0)


def _added(first: Numbers, second: Numbers) -> Numbers:
    """Returns the sum run by run; the shorter has no more runs."""
    total = np.zeros(max(len(first), len(second)))
    total[: len(first)] += first
    total[: len(second)] += second
    return total


def _ends(
    value: Numbers, deviation: Numbers, cubes: Numbers, runs: Any, level: float
) -> tuple[Numbers, Numbers]:
    """Returns the ends of intervals of means: Student's, corrected for skewness from some runs on (Hall)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        skewed = (deviation > 0) & (np.asarray(runs) >= SKEWED)
        skewness = np.where(skewed, cubes / deviation**3, 0.0)
        t = t_of(level, int(np.min(runs)) - 1) if np.ndim(runs) == 0 else _each_t(level, runs)
        sides = []
        for quantile in (t, -t):
            root = np.cbrt(1 + skewness * (quantile - skewness / 6))
            sides.append(np.where(np.abs(skewness) > 1e-6, 3 / skewness * (root - 1), quantile))
    return value - deviation * sides[0], value - deviation * sides[1]


def average(spreads: Sequence[Spread]) -> Spread:
    """Returns the mean of several figures, each counting the same; of those that are known."""
    known = [each for each in spreads if not math.isnan(each.value)]
    if not known:
        return UNKNOWN
    errors = np.zeros(0)
    for each in known:
        errors = _added(errors, each.errors / len(known))
    value, variance = (sum(numbers) for numbers in zip(*((e.value, e.variance) for e in known), strict=True))
    return Spread(value / len(known), errors, min(e.runs for e in known), variance / len(known) ** 2)


def spread(values: Numbers) -> Spread:
    """Returns the mean of the runs that have a value."""
    known = ~np.isnan(values)
    runs = int(known.sum())
    if runs == 0:
        return UNKNOWN
    centre = float(values[known].mean())
    return Spread(centre, np.where(known, values - centre, 0.0) / runs, runs)


def deviation_of(values: Numbers) -> Spread:
    """Returns the standard deviation of the runs that have a value."""
    known = ~np.isnan(values)
    runs = int(known.sum())
    if runs < 2:
        return UNKNOWN
    squares = np.where(known, (values - values[known].mean()) ** 2, 0.0)
    variance = float(squares.sum()) / runs
    if variance == 0:
        return Spread(0.0, np.zeros(len(values)), runs)
    errors = np.where(known, squares - variance, 0.0) / (2 * math.sqrt(variance) * runs)
    return Spread(math.sqrt(variance * runs / (runs - 1)), errors, runs)


def of_summary(mean: float, deviation: float, runs: int) -> Spread:
    """Returns a mean that somebody printed with the deviation of so many runs."""
    return Spread(mean, np.zeros(0), runs, deviation**2 / runs)


def difference(first: Numbers, second: Numbers) -> Spread:
    """Returns how much larger the mean of the first runs is, where none of them are pairs."""
    return spread(first).alone() - spread(second).alone()


def mean(values: Numbers, level: float = LEVEL) -> Estimate:
    """Returns the mean of the runs that have a value, with its interval."""
    return spread(values).estimate(level)


def means(values: Numbers, level: float = LEVEL) -> tuple[Numbers, Numbers, Numbers]:
    """Returns the means of columns with their intervals. values: `[runs, K]` -> three times `[K]`"""
    known = ~np.isnan(values)
    runs = known.sum(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        centres = np.where(known, values, 0.0).sum(0) / runs
        errors = np.where(known, values - centres, 0.0) / runs
        deviation = np.sqrt((errors**2).sum(0) * runs / np.maximum(1, runs - 1))
        low, high = _ends(centres, deviation, (errors**3).sum(0), runs, level)
    return centres, low, high


def _each_t(level: float, runs: NDArray[np.int64]) -> Numbers:
    """Returns the quantile for each number of runs; of a single one there is none."""
    found = {n: t_of(level, n - 1) if n > 1 else 0.0 for n in np.unique(runs).tolist()}
    return np.array([found[n] for n in runs.tolist()])


@lru_cache(maxsize=4096)
def t_of(level: float, freedom: int) -> float:
    """Returns how many deviations to either side hold a share `level` of Student's distribution.

    >>> round(t_of(0.95, 4), 4), round(t_of(0.95, 1000), 4)
    (2.7764, 1.9623)
    """
    low = z_of(level)
    high = 2.0 * low
    while _student(high, freedom) < level:
        high *= 2
    return _where(lambda t: level - _student(t, freedom), low, high, 60)


def _student(t: float, freedom: int) -> float:
    """Returns the share of Student's distribution within t of 0 (Abramowitz and Stegun 26.7.3 and 26.7.4).

    With more than 200 degrees of freedom, of the normal distribution at a value that is moved accordingly
    (26.7.8).
    """
    if freedom > 200:
        moved = t * (1 - 1 / (4 * freedom)) / math.sqrt(1 + t * t / (2 * freedom))
        return 2 * NormalDist().cdf(moved) - 1
    angle = math.atan2(t, math.sqrt(freedom))
    sine, square = math.sin(angle), math.cos(angle) ** 2
    odd = freedom % 2
    term = math.cos(angle) if odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(2 + odd, freedom - 1, 2):
        term *= square * (k - 1) / k
        total += term
    return (2 / math.pi) * (angle + sine * total) if odd else sine * total


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
    ranks = (2 * _ranks(np.abs(differences))).astype(np.int64)  # doubled, so that they are whole
    total, mine = int(ranks.sum()), int(ranks[differences > 0].sum())
    extreme = min(mine, total - mine)
    if len(differences) <= EXACT_PAIRS:
        return min(1.0, 2 * _tail(ranks, extreme))
    deviation = math.sqrt(float((ranks.astype(np.float64) ** 2).sum())) / 2
    return min(1.0, 2 * NormalDist().cdf((extreme - total / 2) / deviation))


def _ranks(values: Numbers) -> Numbers:
    """Returns the rank of each value from 1, the mean rank of equal ones."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Numbers = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def rank_correlation(x: Sequence[float] | Numbers, y: Sequence[float] | Numbers) -> float:
    """Returns how well two rankings agree, from -1 to 1 (Spearman); nan where one of them is all ties."""
    known = ~np.isnan(x) & ~np.isnan(y)
    first, second = (_ranks(np.asarray(each, np.float64)[known]) for each in (x, y))
    if known.sum() < 3 or min(first.std(), second.std()) == 0:
        return math.nan
    return float(np.corrcoef(first, second)[0, 1])


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
    return _corrected(chances, lambda p, rank: np.maximum.accumulate(p * (len(p) + 1 - rank)))


def benjamini_hochberg(chances: Sequence[float]) -> list[float]:
    """Returns for each chance the least rate of false discoveries at which it counts (1995).

    >>> [round(q, 3) for q in benjamini_hochberg([0.01, 0.04, 0.03])]
    [0.03, 0.04, 0.04]
    """
    return _corrected(chances, lambda p, rank: np.minimum.accumulate((p * len(p) / rank)[::-1])[::-1])


def _corrected(chances: Sequence[float], correct: Callable[[Numbers, Numbers], Numbers]) -> list[float]:
    """Returns chances corrected in their order from the smallest, at most 1; those that are nan stay so."""
    corrected = np.array(chances, np.float64)
    order = np.argsort(corrected, kind="stable")[: np.count_nonzero(~np.isnan(corrected))]
    corrected[order] = np.minimum(1.0, correct(corrected[order], np.arange(1.0, len(order) + 1)))
    return [float(each) for each in corrected]
