"""Grows trees on a GPU and on the processor from the same random words: each must end alike.

python tools/check_gpu.py [--trees 64] [--each 200]

Ten requests are tried. A tree ends alike if its best score and its next random words are the same, which hang
on every choice that it has made.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from levelsmith.making.build import start_run
from levelsmith.making.plan import plan
from levelsmith.request import Request
from levelsmith.search.kernels.run import BEST

RULES = ("ucb1", "ucb1-tuned", "ucb-v", "sp-mcts", "adaptive")
ASKED = [
    *(({"preset": "koczorowski2023", "size": (5, 5)}, {"selection": rule}) for rule in RULES),
    ({"preset": "koczorowski2023", "size": (4, 9)}, {"scored": "all", "length": 40}),
    ({"preset": "koczorowski2023", "size": (9, 9)}, {"expansion": "any"}),
    ({"preset": "kartal2016", "size": (5, 5)}, {}),
    ({"preset": "kartal2016", "size": (7, 7)}, {}),
    ({"preset": "koczorowski2023", "size": (5, 5)}, {"c": 0.1}),
]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trees", type=int, default=64)
    parser.add_argument("--each", type=int, default=200, help="evaluations of each tree")
    given = parser.parse_args()
    wrong = 0
    for asked, values in ASKED:
        chosen = {f"mcts.{name}": value for name, value in values.items()}
        chosen |= {"mcts.trees": given.trees, "mcts.memory": 512}
        task = plan(Request("sokoban", **asked, set=chosen, seed=1, device="cuda"))
        forest = start_run(task)
        words = forest._runs.rng.copy_to_host()
        while forest.evaluations < given.trees * given.each:
            forest.advance(given.trees * given.each - forest.evaluations)
        scores, after = forest._runs.scores.copy_to_host()[BEST], forest._runs.rng.copy_to_host()
        differ = 0
        for i in range(given.trees):
            alone = start_run(replace(task, device="cpu"))
            alone.run.rng[:] = words[:, i]
            while alone.evaluations < given.each:
                alone.advance(given.each - alone.evaluations)
            differ += alone.score != scores[i] or (alone.run.rng != after[:, i]).any()
        wrong += differ
        print(f"{asked} {values}: {given.trees} trees, {differ} differ; best {max(scores):.6f}", flush=True)
    print(f"{len(ASKED)} requests, {len(ASKED) * given.trees} trees, {wrong} differ")
    sys.exit(int(wrong > 0))


if __name__ == "__main__":
    main()
