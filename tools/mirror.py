"""Holds the difficulty of Lode Runner levels against that of their mirror images, each solved anew.

python tools/mirror.py --count 60          levels that `construct` makes
python tools/mirror.py FILE                the levels of a file

Guards, gold that takes digs and layers of brick are the same in a level and its mirror image; the plans are
not. So `--plans` of each are found, and how far their numbers lie apart is told too.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

import levelsmith
from levelsmith import Level, LevelsmithError
from levelsmith.core import Effort
from levelsmith.games.loderunner.agent.chase.win import Winner
from levelsmith.games.loderunner.difficulty import tier
from levelsmith.numbers import check_seed, whole_number

STATES = 300_000  # games for each


def difficulties(level: Level, plans: int) -> list[float]:
    """Returns the difficulty of a level by the plan that it carries and by others, or by so many others."""
    found = [level.solution] if level.solution else []
    found += islice(Winner(level, Effort(STATES, None)).plans(), plans - len(found))
    return [float(levelsmith.measure(replace(level, solution=plan))["difficulty"]) for plan in found]


def told(pairs: NDArray[np.float64]) -> str:
    """Tells how alike the numbers of levels and of their mirror images are."""
    apart = np.abs(pairs[:, 0] - pairs[:, 1])
    others = sum(tier(a) != tier(b) for a, b in pairs)
    return (
        f"Pearson {np.corrcoef(pairs.T)[0, 1]:.2f}, mean difference {apart.mean():.1f}, "
        f"most {apart.max():.1f}, {others} of {len(pairs)} in another tier"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n\n")[0])
    parser.add_argument("file", nargs="?", help="a file of levels; without one they are made")
    parser.add_argument("--count", type=int, default=60, help="levels to make (60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plans", type=int, default=4, help="plans of each (4)")
    asked = parser.parse_args()
    try:
        count, seed = whole_number(asked.count, "a number", 2, " of levels", 100_000), check_seed(asked.seed)
        plans = whole_number(asked.plans, "a number", 1, " of plans", 100)
        levels = (
            list(levelsmith.load(asked.file, game="loderunner"))
            if asked.file
            else list(levelsmith.generate("loderunner", count=count, seed=seed).levels)
        )
        mirrored = [replace(each, grid=each.grid[:, ::-1].copy(), solution=None) for each in levels]
        found = [
            (difficulties(a, plans), difficulties(b, plans)) for a, b in zip(levels, mirrored, strict=True)
        ]
    except LevelsmithError as error:
        sys.exit(f"mirror: {error}")
    known = [pair for pair in found if all(pair)]
    if len(known) < 2:
        sys.exit(f"mirror: expected at least 2 levels that are won both ways, got {len(known)}")
    spans = [max(numbers) - min(numbers) for pair in known for numbers in pair if len(numbers) > 1]
    print(f"{len(known)} of {len(found)} levels are won, and their mirror images")
    print(f"one plan each: {told(np.array([[a[0], b[0]] for a, b in known]))}")
    if spans:
        print(f"least of {plans} plans: {told(np.array([[min(a), min(b)] for a, b in known]))}")
        ends = np.percentile(spans, [50, 95, 100])
        print(
            f"from the least to the most by {plans} plans of a level: "
            f"median {ends[0]:.1f}, 95 % within {ends[1]:.1f}, most {ends[2]:.1f}"
        )


if __name__ == "__main__":
    main()
