"""Holds the difficulty of Lode Runner levels against that of their mirror images, each solved anew.

python tools/mirror.py --count 60          levels that `construct` makes
python tools/mirror.py FILE                the levels of a file
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

import numpy as np

import levelsmith
from levelsmith import Level, LevelsmithError
from levelsmith.games.loderunner.difficulty import tier

STATES = 300_000  # games for each


def difficulty(level: Level) -> float | None:
    plan = level.solution or levelsmith.solve(level, states=STATES, seconds=None).solution
    number = levelsmith.measure(replace(level, solution=plan))["difficulty"]
    return None if number is None else float(number)


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n\n")[0])
    parser.add_argument("file", nargs="?", help="a file of levels; without one they are made")
    parser.add_argument("--count", type=int, default=60, help="levels to make (60)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    try:
        levels = (
            list(levelsmith.load(asked.file, game="loderunner"))
            if asked.file
            else list(levelsmith.generate("loderunner", count=asked.count, seed=asked.seed).levels)
        )
        mirrored = [replace(each, grid=each.grid[:, ::-1].copy(), solution=None) for each in levels]
        pairs = [(difficulty(a), difficulty(b)) for a, b in zip(levels, mirrored, strict=True)]
    except LevelsmithError as error:
        sys.exit(f"mirror: {error}")
    known = np.array([pair for pair in pairs if None not in pair], np.float64)
    if len(known) < 2:
        sys.exit(f"mirror: expected at least 2 levels that are won both ways, got {len(known)}")
    apart = np.abs(known[:, 0] - known[:, 1])
    others = sum(tier(a) != tier(b) for a, b in known)
    print(f"{len(known)} of {len(pairs)} levels are won, and their mirror images")
    print(
        f"Pearson {np.corrcoef(known.T)[0, 1]:.2f}, "
        f"mean difference {apart.mean():.1f}, most {apart.max():.1f}"
    )
    print(f"{others} of {len(known)} in another tier")


if __name__ == "__main__":
    main()
