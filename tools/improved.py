"""Makes Lode Runner levels harder with `improve`, and tells how hard each is before and after.

python tools/improved.py --count 20        levels that `construct` makes
python tools/improved.py FILE              the levels of a file

The difficulty before is by the plan that the level carries, or one that is found; after by the plan that won
the new level. The last lines count: no level that is handed out may be easier.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace

import levelsmith
from levelsmith import Level, LevelsmithError
from levelsmith.numbers import check_seed, whole_number
from levelsmith.registry import games

NAMES = ("difficulty", "ticks", "digs")
COLUMNS = ("level", "cells", *NAMES, "seconds")


def row(level: Level, seed: int) -> tuple[list[str], float | None]:
    """Returns what `improve` makes of a level, as cells of a table, and by how much its difficulty grew."""
    begun, plan = time.process_time(), level.solution or levelsmith.solve(level).solution
    if plan is None:
        return ["no plan that wins was found"], None
    before = levelsmith.measure(replace(level, solution=plan))
    try:
        made = levelsmith.improve(level, seed=seed)
    except LevelsmithError as error:
        return [str(error).split(";")[0]], None
    after = levelsmith.measure(made.best)
    games.get("loderunner").verify(made.best)
    grown = [f"{before[name]:.4g} to {after[name]:.4g}" for name in NAMES]
    spent = f"{time.process_time() - begun:.1f}"
    told = [str(made.statistics["changed"]), *grown, spent]
    return told, float(after["difficulty"] or 0) - float(before["difficulty"] or 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n\n")[0])
    parser.add_argument("file", nargs="?", help="a file of levels; without one they are made")
    parser.add_argument("--count", type=int, default=20, help="levels to make (20)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    try:
        count, seed = whole_number(asked.count, "a number", 1, " of levels", 100_000), check_seed(asked.seed)
        levels = (
            list(levelsmith.load(asked.file, game="loderunner"))
            if asked.file
            else list(levelsmith.generate("loderunner", count=count, seed=seed).levels)
        )
        print(*COLUMNS, sep=" | ")
        grown = list[float]()
        for number, level in enumerate(levels, start=1):
            told, more = row(level, seed)
            print(number, *told, sep=" | ", flush=True)
            grown += [] if more is None else [more]
    except LevelsmithError as error:
        sys.exit(f"improved: {error}")
    easier = sum(more < 0 for more in grown)
    print(f"{len(grown)} of {len(levels)} levels are handed out, {easier} of them easier")
    if grown:
        print(f"difficulty: {min(grown):+.1f} to {max(grown):+.1f}, mean {sum(grown) / len(grown):+.1f}")


if __name__ == "__main__":
    main()
