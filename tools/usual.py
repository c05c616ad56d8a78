"""Writes between which values eight in ten levels of a maker lie, as `serves` of that maker reads it.

`python tools/usual.py --count 160` makes levels of 32x22 cells with `construct` and writes
`src/levelsmith/games/loderunner/construct/usual.py`. `--levels FILE` reads levels that were made before.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

import levelsmith
from levelsmith import Level, LevelsmithError
from levelsmith.levels.measure import measure
from levelsmith.registry import games

FILE = Path(levelsmith.__file__).parent / "games" / "loderunner" / "construct" / "usual.py"
LOW, HIGH = 10, 90  # per cent
SEED = 2026
HEAD = '''"""Between which values eight in ten levels of 32x22 cells lie, all styles together.

`tools/usual.py` writes this file.
"""

from __future__ import annotations

USUAL: dict[str, tuple[float, float]] = {
'''


def ranges(levels: Sequence[Level]) -> Mapping[str, tuple[float, float]]:
    """Returns the tenth and the ninetieth per cent of each metric of levels, rounded away from each other."""
    found = [measure(level) for level in levels]
    told = {}
    for metric in games.get(levels[0].game).metrics:
        values = [float(each[metric] or 0.0) for each in found]
        low, high = np.percentile(values, [LOW, HIGH])
        digits = 0 if all(value == int(value) for value in values) else 3
        told[metric] = (_rounded(low, digits, math.floor), _rounded(high, digits, math.ceil))
    return told


def _rounded(value: float, digits: int, away: object) -> float:
    scaled = round(value * 10**digits, 6)
    whole = math.floor(scaled) if away is math.floor else math.ceil(scaled)
    return whole if digits == 0 else whole / 10**digits


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n\n")[0])
    parser.add_argument("--count", type=int, default=160, help="levels to make (160)")
    parser.add_argument("--levels", help="a file of levels to measure instead")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    try:
        if asked.levels:
            levels = list(levelsmith.load(asked.levels))
        else:
            made = levelsmith.generate(
                "loderunner", search="construct", count=asked.count, seed=SEED, workers=asked.workers
            )
            levels = list(made.levels)
    except LevelsmithError as error:
        sys.exit(f"usual: {error}")
    lines = [f'    "{metric}": ({low}, {high}),\n' for metric, (low, high) in ranges(levels).items()]
    FILE.write_text(HEAD + "".join(lines) + "}\n", encoding="utf-8")
    print(f"wrote {FILE} from {len(levels)} levels")


if __name__ == "__main__":
    main()
