"""All 48 configurations of the FDG 2020 comparison, and A*, beside the solved shares of an earlier program.

    python benchmarks/configurations.py [RUNS] [--preset NAME] [--only SEARCH]

RUNS (30 by default) are spread over start maps of 25, 50 and 75 % empty tiles. A cell is outside when by
Fisher's exact test two programs alike would differ so much in less than 5 % (*) or 0.1 % (**) of cases.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from dataclasses import replace
from statistics import mean

from levelsmith.core import Result
from levelsmith.search.driver import follow
from levelsmith.search.task import plan

OBJECTIVES = ("empty-tiles", "path-length", "connectivity")
REPRESENTATIONS = ("narrow", "turtle", "wide")
TREES = ("bfs", "dfs", "best", "astar", "mcts")
OPTIMISERS = ("hc", "sa", "es", "ga")
FILLS = (0.25, 0.5, 0.75)
# Solved percentages of the earlier program at 50,000 evaluations: by search, objectives x representations.
BEFORE = {
    "bfs": ((53, 38, 38), (19, 40, 38), (14, 18, 31)),
    "dfs": ((100, 58, 100), (33, 35, 52), (33, 26, 40)),
    "best": ((100, 100, 100), (50, 100, 99), (52, 89, 98)),
    "astar": ((100, 100, 100), (20, 100, 100), (27, 50, 97)),
    "mcts": ((100, 100, 48), (93, 87, 41), (97, 97, 23)),
    "hc": ((100,), (87,), (67,)),
    "sa": ((100,), (100,), (100,)),
    "es": ((100,), (100,), (100,)),
    "ga": ((100,), (100,), (99,)),
}
RUNS_BEFORE = {**dict.fromkeys(TREES, 105), "astar": 24, "mcts": 24, **dict.fromkeys(OPTIMISERS, 300)}


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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="?", type=int, default=30)
    parser.add_argument("--preset", default="fdg20")
    parser.add_argument("--only", choices=BEFORE)
    parser.add_argument("--set", action="append", default=[], metavar="OWNER.NAME=VALUE")
    asked = parser.parse_args()
    given = dict(pair.split("=", 1) for pair in asked.set)
    cells = [
        (search, i, j, representation, objective)
        for search in ([asked.only] if asked.only else BEFORE)
        for i, objective in enumerate(OBJECTIVES)
        for j, representation in enumerate(REPRESENTATIONS if search in TREES else ("wide",))
    ]
    tasks = []
    for search, _, _, representation, objective in cells:
        own = {key: value for key, value in given.items() if key.split(".")[0] in (search, representation)}
        for k in range(asked.runs):
            task = plan(
                "binary",
                preset=asked.preset,
                search=search,
                representation=representation,
                objective=objective,
                set={**own, f"{representation}.fill": FILLS[k % len(FILLS)]},
                seed=0,
            )
            tasks.append(replace(task, run=k))
    started = time.perf_counter()
    results = [event for event in follow(tasks, os.cpu_count() or 1) if isinstance(event, Result)]
    seconds = time.perf_counter() - started
    outside = 0
    far = 0
    print("search objective    representation  solved % (before)  evaluations to solve  depth reached")
    for c, (search, i, j, representation, objective) in enumerate(cells):
        mine = results[c * asked.runs : (c + 1) * asked.runs]
        solved = [result for result in mine if result.solved]
        before = BEFORE[search][i][j]
        runs = RUNS_BEFORE[search]
        p = fisher(len(solved), len(mine), round(before * runs / 100), runs)
        outside += p < 0.05
        far += p < 0.001
        spent = f"{mean(r.evaluations for r in solved):,.0f}" if solved else "-"
        depth = mean(r.statistics.get("depth_reached", 0) for r in mine)
        mark = "**" if p < 0.001 else "*" if p < 0.05 else ""
        print(
            f"{search:6} {objective:12} {representation:14} {100 * len(solved) / len(mine):7.0f} ({before})"
            f"{mark:3} {spent:>18} {depth:12.1f}"
        )
    print(f"{len(cells)} cells, {len(tasks):,} runs in {seconds:.0f} s on {os.cpu_count()} cores")
    print(f"outside 95 %: {outside}; outside 99.9 %: {far}")


if __name__ == "__main__":
    main()
