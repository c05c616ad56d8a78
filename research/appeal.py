"""Says whether counts about Sokoban levels tell how much people like them.

    python research/appeal.py levels.csv

takes a file as `tools/people.py` does, with the columns `likes` and `dislikes` besides. For likes among plays
and likes among votes it prints the count that ranks levels most alike, and how well all counts together do:
weighed by ridge regression, each level by weights that saw no level of its collection. Only where the
interval of their difference, over collections drawn again and again, lies above 0 is the sum worth a number.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

from people import COLLECTION, DRAWS, STATES, Numbers, Row, alike, level_of, read

from levelsmith import LevelsmithError, solve

COUNTS = (
    "pushes", "moves", "box_lines", "box_changes", "pushing_sessions", "player_lines", "counterintuitive",
    "detour", "decomposition", "floor", "difficulty", "boxes",
)  # fmt: skip
PENALTY = 50.0


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("file", type=Path)
    given = parser.parse_args()
    try:
        rows = read(given.file)
        if missing := [name for name in ("likes", "dislikes") if name not in rows[0]]:
            raise LevelsmithError(f"{given.file}: expected the columns likes and dislikes, not {missing[0]}")
        counts = counted(rows)
    except LevelsmithError as error:
        sys.exit(f"appeal: {error}")
    known = np.isfinite(counts).all(axis=1)
    rows, counts = [row for row, use in zip(rows, known, strict=True) if use], counts[known]
    collections = np.array([row.get(COLLECTION) or str(i) for i, row in enumerate(rows)])
    likes, dislikes, played = (
        np.array([float(row[name] or 0) for row in rows]) for name in ("likes", "dislikes", "num_played")
    )
    print(f"{len(rows)} levels")
    told("likes among plays", counts, likes / played, collections)
    told("likes among votes", counts, (likes + 0.5) / (likes + dislikes + 1), collections)


def counted(rows: list[Row]) -> Numbers:
    """Returns the counts of every level as logarithms; NaN where nobody knows."""
    levels = [level_of(number, row) for number, row in enumerate(rows, 1)]
    table = []
    for level, verdict in zip(
        levels, solve(levels, seconds=None, states=STATES, workers=os.cpu_count() or 1), strict=True
    ):
        found: dict[str, Any] = {**verdict.metrics, "boxes": level.text.count("$") + level.text.count("*")}
        table.append([math.log1p(found.get(name, math.nan)) for name in COUNTS])
    return np.array(table)


def told(name: str, counts: Numbers, liked: Numbers, collections: NDArray[Any]) -> None:
    alone = [alike(column, liked) for column in counts.T]
    best = int(np.argmax(np.abs(alone)))
    one, all_of_them = counts[:, best] * np.sign(alone[best]), unseen(counts, liked, collections)
    groups = [np.flatnonzero(collections == each) for each in np.unique(collections)]
    rng, more = np.random.default_rng(0), []
    for _ in range(DRAWS):
        chosen = np.concatenate([groups[i] for i in rng.integers(0, len(groups), len(groups))])
        more.append(alike(all_of_them[chosen], liked[chosen]) - alike(one[chosen], liked[chosen]))
    low, high = np.quantile(more, [0.025, 0.975])
    print(
        f"{name}: {COUNTS[best]} {alone[best]:.3f}, all counts {alike(all_of_them, liked):.3f}; "
        f"difference of sizes {alike(all_of_them, liked) - abs(alone[best]):.3f} ({low:.3f} to {high:.3f})"
    )


def unseen(counts: Numbers, liked: Numbers, collections: NDArray[Any]) -> Numbers:
    """Returns a sum of the counts for each level, by weights fitted to all other collections."""
    found = np.zeros(len(liked))
    for name in np.unique(collections):
        own = collections == name
        mean, spread = counts[~own].mean(axis=0), counts[~own].std(axis=0)
        x = (counts - mean) / spread
        y = np.log(liked[~own] + 1e-3)
        inside = x[~own].T @ x[~own] + PENALTY * np.eye(x.shape[1])
        found[own] = x[own] @ np.linalg.solve(inside, x[~own].T @ (y - y.mean()))
    return found


if __name__ == "__main__":
    main()
