"""The comparisons of Koczorowski (2023), chapter 3: one optimisation after the other, on 5x5.

    python benchmarks/thesis.py [--evaluations N] [--runs N] [--table NAME]

Each row is the mean of the runs' best scores, with their standard deviation, and iterations a second.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from dataclasses import replace

from levelsmith.core import Result
from levelsmith.search.driver import follow
from levelsmith.search.task import plan

PLAIN = {
    "play.moves": "steps",
    "play.least_boxes": 0,
    "play.most_boxes": "none",
    "play.least_depth": 0,
    "play.immovable": "keep",
}
PUSHES = {**PLAIN, "play.moves": "pushes"}
LIMITED = {**PUSHES, "play.least_boxes": 1, "play.most_boxes": 9}
DEEP = {**LIMITED, "play.least_depth": 10}
FULL = {**DEEP, "play.immovable": "squares"}
TABLES = {
    "3.1 moves": {"steps": PLAIN, "steps, never back": {**PLAIN, "play.undo": False}, "pushes": PUSHES},
    "3.2 most boxes": {
        str(n): {**PUSHES, "play.least_boxes": 1, "play.most_boxes": n} for n in ("none", 20, 15, 10, 5)
    },
    "3.3 least depth": {str(n): {**LIMITED, "play.least_depth": n} for n in (0, 5, 7, 10, 15)},
    "3.4 immovable boxes": {name: {**DEEP, "play.immovable": name} for name in ("keep", "squares", "exact")},
    "3.6 bootstrapping": {
        f"{share:g}": {**FULL, "mcts.bootstrap": share} for share in (0, 0.05, 0.1, 0.15, 0.2)
    },
    "3.7 exploration": {f"{n} · 2": {**FULL, "mcts.c": 2.0 * n} for n in (0.1, 0.28, 1, 2, 3, 4, 5, 6)},
    "3.8 selection": {
        "ucb1": {**FULL, "mcts.c": 4.0},
        "ucb1-tuned": {**FULL, "mcts.selection": "ucb1-tuned", "mcts.c": 5.657},
        "ucb-v": {**FULL, "mcts.selection": "ucb-v", "mcts.c": 11.314},
        "sp-mcts": {**FULL, "mcts.selection": "sp-mcts", "mcts.c": 4.0},
    },
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evaluations", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--table", choices=TABLES)
    asked = parser.parse_args()
    for name, rows in TABLES.items():
        if asked.table not in (None, name):
            continue
        print(f"{name}\n  {'':18} score  deviation  iterations/s")
        for row, values in rows.items():
            task = plan(
                "sokoban", preset="koczorowski2023", set=values, evaluations=asked.evaluations, seed=0
            )
            tasks = [replace(task, run=i) for i in range(asked.runs)]
            started = time.perf_counter()
            results = [e for e in follow(tasks, os.cpu_count() or 1) if isinstance(e, Result)]
            rate = asked.evaluations * asked.runs / (time.perf_counter() - started)
            scores = [result.score for result in results]
            print(
                f"  {row:18} {statistics.mean(scores):5.3f}  {statistics.stdev(scores):9.3f}  {rate:12,.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
