"""Hard Sokoban levels: pushes of the best level after so many seconds, and levels a second within a range."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace

from levelsmith.core import Result
from levelsmith.making.flow import follow
from levelsmith.making.plan import plan
from levelsmith.making.runs import Runs
from levelsmith.request import Request

# Size, boxes, seconds a level; what an earlier program reached once: 30, 32, 63 and 79 pushes.
BOARDS = (((5, 5), 3, 30), ((5, 5), 4, 30), ((7, 7), 3, 30), ((8, 8), 4, 60))
SEEDS = 5
LEVELS = 400


def pushes() -> Iterator[tuple[str, float, str]]:
    for size, boxes, seconds in BOARDS:
        task = plan(
            Request("sokoban", size=size, objective="pushes", set={"boxes": boxes}, seconds=seconds, seed=0)
        )
        # One process: each run has a core of its own, as if it were alone.
        found = [
            100 * event.score
            for seed in range(SEEDS)
            for event in follow(Runs.of(replace(task, seed=seed)))
            if isinstance(event, Result)
        ]
        what = f"{size[1]}x{size[0]}, {boxes} boxes, {seconds} s"
        yield f"{what}: median of {SEEDS}", statistics.median(found), "pushes"
        yield f"{what}: least", min(found), "pushes"


def ranged() -> Iterator[tuple[str, float, str]]:
    """Levels of Boxoban's size with a proved optimum, and how long one takes."""
    task = plan(Request("sokoban", size=(8, 8), set={"boxes": 4}, want={"pushes": "8..30"}, seed=0))
    workers = os.cpu_count() or 1
    list(follow(Runs.of(replace(task, seed=1), length=workers), workers))  # compiles
    started = time.perf_counter()
    results = [event for event in follow(Runs.of(task, length=LEVELS), workers) if isinstance(event, Result)]
    taken = time.perf_counter() - started
    yield f"8x8, 4 boxes, 8 to 30 pushes, {workers} cores", sum(r.solved for r in results) / taken, "levels/s"
    yield "99 % of them take at most", sorted(r.seconds for r in results)[int(0.99 * LEVELS)], "s"


def measurements() -> Iterator[tuple[str, float, str]]:
    yield from ranged()
    yield from pushes()
