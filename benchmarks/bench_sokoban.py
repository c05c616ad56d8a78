"""Sokoban by simulated play: iterations against an earlier program, memory, workers, score reached."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

from levelsmith.core import Result
from levelsmith.making.build import start_run
from levelsmith.making.flow import follow
from levelsmith.making.plan import plan
from levelsmith.making.runs import Runs
from levelsmith.request import Request
from levelsmith.search.kernels.counts import NODES
from levelsmith.search.kernels.node import BYTES_A_NODE

ITERATIONS = 1_000_000
PROBE_C = 0.2  # in its own terms; 0.566 in ours
SAME = {"mcts.c": 0.566, "mcts.expansion": "any"}


def probe():
    """The program to beat, where LEVELSMITH_PROBES names its folder."""
    folder = os.environ.get("LEVELSMITH_PROBES")
    if folder is None:
        return None
    sys.path.insert(0, folder)
    import sokoban_mcts

    return sokoban_mcts


def seconds_for(size: tuple[int, int], iterations: int, seed: int) -> float:
    task = plan(Request("sokoban", preset="koczorowski2023", size=size, set=SAME, seed=seed))
    search = start_run(task)
    search.advance(0)
    started = time.perf_counter()
    while search.evaluations < iterations:
        search.advance(iterations - search.evaluations)
    return time.perf_counter() - started


def rates() -> Iterator[tuple[str, float, str]]:
    other = probe()
    if other is not None:
        other.mcts(10, 1, PROBE_C, 9, 10)
    ours, theirs = [], []
    for seed in range(3):  # in turn, so that a noisy machine disturbs both
        ours.append(seconds_for((5, 5), ITERATIONS, seed))
        if other is not None:
            started = time.perf_counter()
            other.mcts(ITERATIONS, seed + 1, PROBE_C, 9, 10)
            theirs.append(time.perf_counter() - started)
    yield "5x5, pushes, thesis settings", ITERATIONS / min(ours), "iterations/s"
    if theirs:
        yield "5x5, the earlier program", ITERATIONS / min(theirs), "iterations/s"
        yield "5x5, against the earlier program", min(theirs) / min(ours), "times"
    for side in (7, 10):
        yield (
            f"{side}x{side}",
            300_000 / min(seconds_for((side, side), 300_000, s) for s in range(2)),
            "iterations/s",
        )


def memory() -> Iterator[tuple[str, float, str]]:
    """Places in the tree that were taken or set aside, whether nodes are there yet or not."""
    for side in (5, 10):
        request = Request("sokoban", preset="koczorowski2023", size=(side, side), set=SAME, seed=0)
        search = start_run(plan(request))
        while search.evaluations < ITERATIONS:
            search.advance(ITERATIONS - search.evaluations)
        taken = search.run.counts[NODES] * (BYTES_A_NODE - 8)  # squares are not kept by this rule
        yield f"{side}x{side}, memory an iteration", taken / ITERATIONS, "bytes"


def spread() -> Iterator[tuple[str, float, str]]:
    """Iterations of two workers against those of one, a second each, after the processes have started."""
    counted = {}
    for workers in (1, 2):
        task = plan(Request("sokoban", preset="koczorowski2023", set={"mcts.trees": 2}, seconds=8, seed=0))
        (result,) = [e for e in follow(Runs.of(task), workers) if isinstance(e, Result)]
        counted[workers] = result.evaluations
    yield "two workers against one, iterations", counted[2] / counted[1], "times"


def scores() -> Iterator[tuple[str, float, str]]:
    for millions, seeds in ((2, 30), (20, 30)):
        found = []
        for seed in range(seeds):
            task = plan(
                Request(
                    "sokoban", preset="koczorowski2023", set=BEST, evaluations=millions * 1_000_000, seed=seed
                )
            )
            found += [e.score for e in follow(Runs.of(task), os.cpu_count() or 1) if isinstance(e, Result)]
        yield (
            f"thesis score, 5x5, {millions} million evaluations, mean of {seeds}",
            statistics.mean(found),
            "",
        )


BEST = {
    "mcts.c": 0.566,
    "mcts.expansion": "any",
    "mcts.trees": 8,
    "mcts.bootstrap": 0.5,
    "mcts.cycle": 20_000,
}


def first_improvement() -> Iterator[tuple[str, float, str]]:
    program = (
        "import time; t = time.perf_counter()\n"
        "import levelsmith\n"
        "next(levelsmith.stream('sokoban', size=(5, 5), seed=1, evaluations=100000))\n"
        "print(time.perf_counter() - t)"
    )
    taken = [
        float(subprocess.run([sys.executable, "-c", program], capture_output=True).stdout) for _ in range(3)
    ]
    yield "first improvement after the start of the program", min(taken), "s"


def measurements() -> Iterator[tuple[str, float, str]]:
    yield from rates()
    yield from memory()
    yield from spread()
    yield from first_improvement()
    yield from scores()
