"""Says how well the difficulty of Sokoban levels tells Boxoban's three tiers apart.

    LEVELSMITH_DATA=FOLDER python tools/boxoban.py

For each two tiers it prints how often a level of the harder one has the higher difficulty (the area under the
curve), with an interval of 95 % by drawing levels again and again; and how long the rating of a level took.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from levelsmith import Level, load, solve
from levelsmith.games.sokoban.metrics.solution import measured, rated

TIERS = {
    "unfiltered": "boxoban_unfiltered_valid_000.txt",
    "medium": "boxoban_medium_valid_000.txt",
    "hard": "boxoban_hard_003.txt",
}
PAIRS = (("unfiltered", "hard"), ("unfiltered", "medium"), ("medium", "hard"))
LEVELS = 400  # of each tier
DRAWS = 1_000
Numbers = NDArray[np.float64]


def main() -> None:
    folder = os.environ.get("LEVELSMITH_DATA")
    if not folder:
        sys.exit("boxoban: expected LEVELSMITH_DATA to name a folder of public levels")
    ratings, seconds = {}, []
    for tier, name in TIERS.items():
        levels = load(Path(folder) / "sokoban" / name, game="sokoban")[:LEVELS]
        ratings[tier], spent = rated_levels(levels)
        seconds += spent
    rng = np.random.default_rng(0)
    for low, high in PAIRS:
        one, other = ratings[low], ratings[high]
        drawn = [area(rng.choice(one, len(one)), rng.choice(other, len(other))) for _ in range(DRAWS)]
        ends = np.quantile(drawn, [0.025, 0.975])
        print(f"{low}, {high}: {area(one, other):.3f} ({ends[0]:.3f} to {ends[1]:.3f})")
    told = np.quantile(np.array(seconds) * 1000, [0.5, 0.95])
    print(f"{len(seconds)} levels, a rating in {told[0]:.1f} ms (median), {told[1]:.1f} ms (95 %)")


def rated_levels(levels: Sequence[Level]) -> tuple[Numbers, list[float]]:
    """Returns the difficulty of each level that is solved, and the seconds of processor that it took."""
    numbers, seconds = [], []
    for level, verdict in zip(levels, solve(levels, moves=True, workers=os.cpu_count() or 1), strict=True):
        if verdict.solution is not None:
            measured(level, verdict.solution)
            begun = time.process_time()
            numbers.append(rated(level, verdict.solution)["difficulty"])
            seconds.append(time.process_time() - begun)
    return np.array(numbers), seconds


def area(one: Numbers, other: Numbers) -> float:
    """Returns how often a number of the second is above one of the first; ties count half."""
    ranks = rankdata(np.concatenate([one, other]))[len(one) :]
    return float((ranks.sum() - len(other) * (len(other) + 1) / 2) / (len(one) * len(other)))


if __name__ == "__main__":
    main()
