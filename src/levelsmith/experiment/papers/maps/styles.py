"""How far apart the maps of two searches are: the energy distance of whole distributions, and its test.

Székely and Rizzo (2013): for samples X and Y, twice the mean distance between them less the mean distances
within each, divided by twice the mean distance between them. It is 0 for the same distribution and at most 1.
Maps are counted in the bins of a histogram, so that a resample is a draw of counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from levelsmith.experiment.statistics import UNKNOWN, Numbers, Spread

BINS = 25  # at most, for each metric
DRAWS = 2_000  # of a test
RESAMPLES = 400  # of a variance
SEED = 20  # of the random numbers: a report on the same file says the same each time
SMOOTH = 7  # neighbouring numbers of tiles that are counted together where a valley is looked for

Counts = NDArray[np.int64]


def style_distance(first: Sequence[Numbers], second: Sequence[Numbers]) -> Spread:
    """Returns the energy distance of two samples from 0 to 1, each a column for each metric.

    What chance alone adds is taken off, so that it may come out below 0 where the two are the same. Its
    variance is that of resamples.
    """
    ones, others, apart = _binned(first, second)
    n, m = int(ones.sum()), int(others.sum())
    if min(n, m) < 2:
        return UNKNOWN
    rng = np.random.default_rng([SEED, n, m])
    p, q = ones / n, others / m
    chance = (p @ apart @ p) / (n - 1) + (q @ apart @ q) / (m - 1)
    drawn = [rng.multinomial(size, each, RESAMPLES) / size for size, each in ((n, p), (m, q))]
    between = 2 * p @ apart @ q
    value = (_energy(p - q, apart) - chance) / between if between > 0 else 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = 2 * _product(drawn[0], drawn[1], apart)
        draws = np.where(spread > 0, _energy(drawn[0] - drawn[1], apart) / spread, 0.0)
    return Spread(float(value), np.zeros(0), min(n, m), float(draws.var()))


def style_chance(first: Sequence[Numbers], second: Sequence[Numbers]) -> float:
    """Returns the chance of an energy distance as large if both samples are drawn alike (a permutation test).

    All maps are thrown together and dealt out again, 2,000 times, always in the same way.
    """
    ones, others, apart = _binned(first, second)
    n, m = int(ones.sum()), int(others.sum())
    if min(n, m) < 2:
        return math.nan
    rng = np.random.default_rng([SEED, n, m, 1])
    both = ones + others
    dealt = rng.multivariate_hypergeometric(both, n, size=DRAWS, method="marginals")
    found = _energy(ones / n - others / m, apart)
    draws = _energy(dealt / n - (both - dealt) / m, apart)
    return float((1 + (draws >= found - 1e-12).sum()) / (1 + DRAWS))


def two_intervals(values: Numbers) -> Spread:
    """Returns how far a second heap of whole numbers rises above the valley before it, of the first's height.

    0 says that there is one heap, 1 that there are two of the same height with a gap between them. Numbers
    are counted with their neighbours.
    """
    known = values[~np.isnan(values)].astype(np.int64)
    if len(known) < 2:
        return UNKNOWN
    counts = np.bincount(known - known.min()).astype(np.float64)
    rng = np.random.default_rng([SEED, len(known), 2])
    draws = rng.multinomial(len(known), counts / counts.sum(), DRAWS).astype(np.float64)
    value = float(_valleys(counts[None, :])[0])
    return Spread(value, np.zeros(0), len(known), float(_valleys(draws).var()))


def _valleys(counts: Numbers) -> Numbers:
    """Returns the depth of the deepest valley in each row, below the lower of the heaps beside it."""
    sums = np.cumsum(np.pad(counts, ((0, 0), (SMOOTH // 2 + 1, SMOOTH // 2))), axis=1)
    smooth = sums[:, SMOOTH:] - sums[:, :-SMOOTH]
    left = np.maximum.accumulate(smooth, axis=1)
    right = np.maximum.accumulate(smooth[:, ::-1], axis=1)[:, ::-1]
    depths: Numbers = (np.minimum(left, right) - smooth).max(axis=1) / smooth.max(axis=1)
    return depths


def _binned(first: Sequence[Numbers], second: Sequence[Numbers]) -> tuple[Counts, Counts, Numbers]:
    """Returns how many of each sample lie in each bin that is not empty, and how far apart the bins are.

    Each metric is measured in deviations of both samples together.
    """
    samples = [np.stack(columns, axis=1) for columns in (first, second)]
    samples = [sample[~np.isnan(sample).any(axis=1)] for sample in samples]
    both = np.concatenate(samples)
    if len(both) == 0:
        return np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros((1, 1))
    low = both.min(axis=0)
    width = np.maximum(1.0, np.ceil((both.max(axis=0) - low + 1) / BINS))
    bins, places = np.unique(np.floor((both - low) / width), axis=0, return_inverse=True)
    deviation = both.std(axis=0)
    scaled = bins * width / np.where(deviation > 0, deviation, 1.0)
    apart = np.sqrt(((scaled[:, None, :] - scaled[None, :, :]) ** 2).sum(axis=2))
    split = len(samples[0])
    counts = [np.bincount(part, minlength=len(bins)) for part in (places[:split], places[split:])]
    return counts[0], counts[1], apart


def _energy(difference: Numbers, apart: Numbers) -> Numbers:
    """Returns the energy distance of pairs of shares, given how they differ. difference: `[..., bins]`"""
    return -_product(difference, difference, apart)


def _product(first: Numbers, second: Numbers, apart: Numbers) -> Numbers:
    product: Numbers = ((first @ apart) * second).sum(axis=-1)
    return product
