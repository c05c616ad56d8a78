"""The cells of the experiment fdg20 beside the solved shares of an earlier program, at 50,000 evaluations.

    levelsmith experiment run fdg20 --only trees --only optimisers -o fdg20.db
    python tools/configurations.py fdg20.db

A cell is outside when by Fisher's exact test two programs alike would differ so much in less than 5 % (*) or
0.1 % (**) of cases.
"""

from __future__ import annotations

import json
import math
import sys

from levelsmith import experiment

CELLS = """SELECT search, objective, coalesce(representation, ''), count(*), sum(solved),
  avg(CASE WHEN solved THEN evaluations END), avg(json_extract(statistics, '$.depth_reached'))
FROM runs JOIN cells ON cells.id = cell WHERE part IN ('trees', 'optimisers') GROUP BY cell"""
OBJECTIVES = ("empty-tiles", "path-length", "connectivity")
REPRESENTATIONS = ("narrow", "turtle", "wide")
TREES = ("bfs", "dfs", "best", "mcts")
OPTIMISERS = ("hc", "sa", "es", "ga")
# Solved percentages of the earlier program at 50,000 evaluations: by search, objectives x representations.
BEFORE = {
    "bfs": ((53, 38, 38), (19, 40, 38), (14, 18, 31)),
    "dfs": ((100, 58, 100), (33, 35, 52), (33, 26, 40)),
    "best": ((100, 100, 100), (50, 100, 99), (52, 89, 98)),
    "mcts": ((100, 100, 48), (93, 87, 41), (97, 97, 23)),
    "hc": ((100,), (87,), (67,)),
    "sa": ((100,), (100,), (100,)),
    "es": ((100,), (100,), (100,)),
    "ga": ((100,), (100,), (99,)),
}
RUNS_BEFORE = {**dict.fromkeys(TREES, 105), "mcts": 24, **dict.fromkeys(OPTIMISERS, 300)}


def fisher(a: int, n: int, b: int, m: int) -> float:
    """How likely shares at least as far apart as a/n and b/m are where both programs do the same."""
    total = math.comb(n + m, a + b)

    def chance(k: int) -> float:
        return math.comb(n, k) * math.comb(m, a + b - k) / total

    seen = chance(a)
    return sum(
        p for k in range(max(0, a + b - m), min(n, a + b) + 1) if (p := chance(k)) <= seen * (1 + 1e-9)
    )


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with experiment.open(sys.argv[1]) as file:
        cells = file.connection.execute(CELLS).fetchall()
    chances = []
    print("search objective    representation  solved % (before)  evaluations to solve  depth reached")
    for search, objectives, representation, count, solved, spent, depth in cells:
        (objective,) = json.loads(objectives)
        row = BEFORE[search][OBJECTIVES.index(objective)]
        before = row[REPRESENTATIONS.index(representation) if search in TREES else 0]
        runs = RUNS_BEFORE[search]
        p = fisher(solved, count, round(before * runs / 100), runs)
        chances.append(p)
        mark = "**" if p < 0.001 else "*" if p < 0.05 else ""
        print(
            f"{search:6} {objective:12} {representation:14} {100 * solved / count:7.0f} ({before})"
            f"{mark:3} {spent or 0:18,.0f} {depth or 0:12.1f}"
        )
    print(f"{len(cells)} cells; outside 95 %: {sum(p < 0.05 for p in chances)}, ", end="")
    print(f"outside 99.9 %: {sum(p < 0.001 for p in chances)}")


if __name__ == "__main__":
    main()
