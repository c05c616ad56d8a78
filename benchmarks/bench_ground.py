"""The ground: how soon a command answers, and what compiling is worth."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from timing import best_of

from levelsmith.making.build import start_run
from levelsmith.making.plan import plan
from levelsmith.registry import games
from levelsmith.request import Request
from reference import orchard as plain_orchard

COMMAND = [sys.executable, "-m", "levelsmith"]
# A search that never ends early: the goal is out of reach within the budget.
HARD = {"size": (10, 10), "set": {"share": 0.5, "patience": 10}, "seed": 0}


def plain_metrics(grid: np.ndarray) -> tuple[int, int]:
    return plain_orchard.trees(grid), plain_orchard.crowded(grid)


def process(*words: str) -> None:
    subprocess.run([*COMMAND, *words], check=True, capture_output=True)


def evaluations_per_second(search: str, evaluations: int) -> float:
    given = {**HARD, "set": {"share": 0.5} if search == "random" else HARD["set"]}
    running = start_run(plan(Request("orchard", search=search, **given)))
    running.advance(0)
    started = time.perf_counter()
    while running.evaluations < evaluations:
        running.advance(evaluations - running.evaluations)
    return evaluations / (time.perf_counter() - started)


def plain_evaluations_per_second(search: str, evaluations: int) -> float:
    """The same source without the compiler, in a process of its own."""
    code = f"import bench_ground as b; print(b.evaluations_per_second({search!r}, {evaluations}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "LEVELSMITH_KERNELS": "plain", "PYTHONPATH": str(Path(__file__).parent)},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def measurements() -> Iterator[tuple[str, float, str]]:
    yield "levelsmith --help, best of 10", best_of(10, lambda: process("--help")), "s"
    generate = ("generate", "orchard", "--seed", "1")
    process(*generate)
    yield (
        "levelsmith generate orchard, second process, best of 5",
        best_of(5, lambda: process(*generate)),
        "s",
    )

    grids = np.random.default_rng(0).integers(0, 2, (20_000, 10, 10), np.uint8)
    game = games.get("orchard")
    game.measure(grids[:2])
    fast = len(grids) / best_of(3, lambda: game.measure(grids))
    slow = 500 / best_of(3, lambda: [plain_metrics(grid) for grid in grids[:500]])
    yield "measure, 10x10 orchards", fast, "levels/s"
    yield "measure, against its plain Python twin", fast / slow, "times"

    for search, short in (("hc", 3_000), ("random", 300)):
        rate = evaluations_per_second(search, 300_000)
        yield f"{search}, 10x10 orchards", rate, "evaluations/s"
        yield (
            f"{search}, against the same source uncompiled",
            rate / plain_evaluations_per_second(search, short),
            "times",
        )
