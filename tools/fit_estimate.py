"""Fits what a search takes for the difficulty of a Sokoban level: an estimate from its solution alone.

    python tools/fit_estimate.py

makes levels of several kinds, rates each by all its positions, and weighs walks and detours so that the
number is missed least; none of the weights is below 0. It prints them, and how near they come on levels
that were set aside. They stand in `levelsmith/games/sokoban/metrics/kernels/difficulty.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import lsq_linear
from scipy.stats import spearmanr

import levelsmith
from levelsmith.games.sokoban.metrics.difficulty import ESTIMATED
from levelsmith.games.sokoban.metrics.solution import rated

LEVELS = 120  # of each kind
KINDS: tuple[dict[str, Any], ...] = (
    {"size": (6, 7)},
    {"size": (8, 8)},
    {"search": "carve", "size": (6, 7)},
    {"search": "carve", "size": (8, 8), "want": {"pushes": "10..60"}},
    {"representation": "rooms", "size": (5, 5), "evaluations": 300},
    {"representation": "rooms", "size": (7, 7), "evaluations": 3_000},
)
FARTHEST = 0.5  # from 0 and from 100
Numbers = NDArray[np.float64]


def main() -> None:
    rows = [features for kind in KINDS for features in features_of(kind)]
    terms = np.array([[term(row) for term in ESTIMATED.values()] for row in rows])
    number = np.clip([row["difficulty"] for row in rows], FARTHEST, 100 - FARTHEST)
    total = np.log(number / (100 - number))
    aside = np.arange(len(rows)) % 3 == 0
    offset, weights = fitted(terms, total)
    print(f"{len(rows)} levels")
    print("WEIGHTS =", {name: round(float(w), 3) for name, w in zip(ESTIMATED, weights, strict=True)})
    print(f"OFFSET = {offset:.3f}")
    offset, weights = fitted(terms[~aside], total[~aside])
    told = 100 / (1 + np.exp(-(offset + terms[aside] @ weights)))
    apart = np.abs(told - number[aside])
    print(
        f"{aside.sum()} levels set aside: rank correlation {spearmanr(told, number[aside]).statistic:.3f}, "
        f"{np.median(apart):.1f} apart in the median, {np.quantile(apart, 0.9):.1f} in nine of ten"
    )


def features_of(kind: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the metrics of levels of a kind, those whose positions were all met."""
    made = levelsmith.generate("sokoban", count=LEVELS, seed=1, partial=True, **kind)
    found = [rated(level, level.solution or "") for level in made.levels if level.solution]
    return [row for row in found if "chance" in row]


def fitted(terms: Numbers, total: Numbers) -> tuple[float, Numbers]:
    """Returns the offset and the weights of the terms."""
    given = np.column_stack([np.ones(len(terms)), terms])
    low = np.r_[-math.inf, np.zeros(terms.shape[1])]
    found = lsq_linear(given, total, bounds=(low, np.full(len(low), math.inf))).x
    return float(found[0]), found[1:]


if __name__ == "__main__":
    main()
