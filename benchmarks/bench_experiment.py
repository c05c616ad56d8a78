"""Experiments: what runner and store cost, what a second worker gives, how long all of fdg20 would take."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from levelsmith import experiment
from levelsmith.experiment.executors import WorkerProcesses
from levelsmith.experiment.work import RunJob, work

# Runs of about 10 ms that no luck ends early, of as many kinds as an experiment has.
SPEC = """
summary = "runs of 10 ms"

[orchard]
size = "16x16"
objective = "spaced"

[experiment]
runs = {runs}
evaluations = {evaluations}

[[experiment.part]]
name = "random"
search = "random"
set = {{ "spaced.share" = [0.49, 0.5] }}
"""
SECONDS = 0.01
RUNS = 400  # of each of two cells
MORE = 6  # runs of each cell of fdg20, besides the one that compiles
ALL = 144_000


def measurements() -> Iterator[tuple[str, float, str]]:
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder) / "short.toml"
        spec.write_text(SPEC.format(runs=RUNS, evaluations=evaluations(spec)))
        whole = experiment.read(str(spec))
        alone = min(bare(whole) for _ in range(3))
        yield "a run by itself", 1000 * alone / (2 * RUNS), "ms"
        here = min(taken(whole, Path(folder) / f"here{i}.db", workers=1)[0] for i in range(3))
        yield "runner and store cost, in this process", 100 * (here - alone) / alone, "%"
        one, two = (min(pooled(whole, folder, n) for _ in range(3)) for n in (1, 2))
        yield "runner and store cost, beside one worker", 100 * one[1] / alone, "%"
        yield "two workers against one", one[0] / two[0], "times"
        yield from fdg20(Path(folder) / "fdg20.db")


def evaluations(spec: Path) -> int:
    """How many of them take about 10 ms here."""
    spec.write_text(SPEC.format(runs=20, evaluations=2000))
    whole = experiment.read(str(spec))
    bare(whole)
    return round(2000 * SECONDS / (bare(whole) / 40))


def bare(whole: experiment.Spec) -> float:
    """The seconds of a processor for all runs in a plain loop."""
    jobs = [RunJob("", cell.task(k), ()) for k in range(whole.cells[0].runs) for cell in whole.cells]
    started = time.process_time()
    work(jobs)
    return time.process_time() - started


def taken(whole: experiment.Spec, path: Path, **choices: Any) -> tuple[float, float]:
    """The seconds of this process' processor, and of a clock."""
    started = time.process_time(), time.perf_counter()
    experiment.run(whole, path, **choices)
    return time.process_time() - started[0], time.perf_counter() - started[1]


def pooled(whole: experiment.Spec, folder: str, workers: int) -> tuple[float, float]:
    """Seconds of a clock, and of this process, with workers that have done a run of each kind before."""
    pool = WorkerProcesses(workers, None)
    try:
        warm = [RunJob("", cell.task(0), ()) for cell in whole.cells]
        for future in [pool.submit(warm) for _ in range(4 * workers)]:
            future.result()
        path = Path(folder) / f"{workers}-{time.monotonic_ns()}.db"
        mine, clock = taken(whole, path, executor=pool.executor, workers=workers)
        return clock, mine
    finally:
        pool.close()


def fdg20(path: Path) -> Iterator[tuple[str, float, str]]:
    """All cells of the preset with the papers' budget, a few runs of each, on one processor."""
    chosen = {"evaluations": 50_000, "only": ("trees", "optimisers"), "workers": 1}
    before = experiment.run("fdg20", path, runs=1, **chosen).done  # compiles
    started = time.process_time()
    count = experiment.run("fdg20", path, runs=1 + MORE, **chosen).done - before
    seconds = time.process_time() - started
    yield f"fdg20, {count} runs of 50,000 evaluations", seconds, "s"
    yield f"  {ALL:,} of them", seconds / count * ALL / 3600, "core-hours"
