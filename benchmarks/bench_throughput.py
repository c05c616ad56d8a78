"""Sokoban levels by the thousand, of Boxoban's size: levels a second, and how long one takes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import numpy as np

from levelsmith.making.driver import runs_of
from levelsmith.making.flow import flow
from levelsmith.making.run import maker_of
from levelsmith.request import Request

COUNTS = {True: 5_000, False: 100_000}  # with and without a proved optimum
ALONE = 1_000  # levels that are made one by one, each with its own time
WORDS = {True: "proved optimum", False: "replayed solution"}


def rates(optimal: bool, workers: int) -> Iterator[tuple[str, float, str]]:
    choices = {"preset": "boxoban", "set": {"optimal": optimal}, "seed": 0}
    runs = runs_of(Request("sokoban", count=COUNTS[optimal], workers=workers, **choices))
    started = time.perf_counter()
    ends, made = [], []
    for _, batch in flow(runs, workers):
        ends.append(time.perf_counter())
        made.append(len(batch))
    what = f"8x8, 4 boxes, 8 to 30 pushes, {WORDS[optimal]}, {workers} cores"
    # The first batches come once the workers have started, which takes seconds whatever is made.
    warm = len(made) // 10
    yield what, sum(made[warm + 1 :]) / (ends[-1] - ends[warm]), "levels/s"
    yield "  with the start of the workers", sum(made) / (ends[-1] - started), "levels/s"
    maker = maker_of(runs.task)
    taken = []
    for run in range(ALONE):
        began = time.perf_counter()
        list(maker.make([run], [np.random.SeedSequence(0, spawn_key=(run,))], 2_000, lambda: False))
        taken.append(time.perf_counter() - began)
    yield "  99 % of them take at most", sorted(taken)[int(0.99 * ALONE)], "s"


def measurements() -> Iterator[tuple[str, float, str]]:
    for optimal in (True, False):
        yield from rates(optimal, os.cpu_count() or 1)
