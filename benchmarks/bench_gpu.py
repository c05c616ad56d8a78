"""Sokoban on a GPU beside a hand-written program (LEVELSMITH_PROBES, nvcc) and the cores of the processor."""

from __future__ import annotations

import gc
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from levelsmith.core import Result
from levelsmith.registry import games
from levelsmith.search import gpu
from levelsmith.search.driver import follow
from levelsmith.search.task import plan

TREES, ITERATIONS = 33_792, 50_000
SAME = {"mcts.c": 0.566, "mcts.expansion": "any"}
BEST = {**SAME, "mcts.bootstrap": 0.5}
ON_GPU = {**BEST, "mcts.cycle": 2_000}
ON_CORES = {**BEST, "mcts.cycle": 20_000, "mcts.trees": os.cpu_count() or 1}
SECONDS = 10
SEEDS = 5

Rows = Iterator[tuple[str, float, str]]


def probe() -> Rows:
    """The hand-written program; its first runs are with other numbers of trees."""
    folder = os.environ.get("LEVELSMITH_PROBES")
    if folder is None or shutil.which("nvcc") is None:
        return
    with tempfile.TemporaryDirectory() as place:
        program = Path(place) / "probe"
        source = Path(folder) / "sokoban_mcts.cu"
        subprocess.run(["nvcc", "-O3", "-arch=native", "-o", program, source], check=True)
        with subprocess.Popen([program], stdout=subprocess.PIPE, text=True) as running:
            for line in running.stdout:
                if line.startswith(f"trees {TREES} x {ITERATIONS} iterations C 0.20"):
                    rate, best = re.search(r"([\d.]+) M it/s, best ([\d.]+)", line).groups()
                    yield "5x5, 33,792 trees x 50,000, hand-written", float(rate), "M iterations/s"
                    yield "its best score", float(best), ""
                    running.kill()
                    break


def rate(what: str, trees: int, iterations: int, size: tuple[int, int] = (5, 5)) -> Rows:
    values = {**SAME, "mcts.trees": trees}
    forest = plan("sokoban", preset="koczorowski2023", size=size, set=values, seed=1, device="cuda").start()
    forest.advance(0)
    begun = time.perf_counter()
    while forest.evaluations < trees * iterations:
        forest.advance(min(10 * forest.portion, trees * iterations - forest.evaluations))
    taken = time.perf_counter() - begun
    yield what, trees * iterations / taken / 1e6, "M iterations/s"
    yield f"{what}: its best score", forest.score, ""
    yield f"{what}: trees begun again", forest.statistics()["restarts"], ""


def found(device: str, seed: int, **choices) -> Result:
    """One run, all levels of which are proved."""
    values = ON_GPU if device == "cuda" else ON_CORES
    task = plan("sokoban", preset="koczorowski2023", set=values, seed=seed, device=device, **choices)
    (result,) = [event for event in follow([task], os.cpu_count() or 1) if isinstance(event, Result)]
    for level in result.levels:
        games.get("sokoban").verify(level)
    gc.collect()
    return result


def scores() -> Rows:
    for device in ("cuda", "cpu"):
        runs = [found(device, seed, seconds=SECONDS) for seed in range(SEEDS)]
        name = f"5x5, {SECONDS} s, {device if device == 'cuda' else f'{os.cpu_count()} cores'}"
        yield f"{name}, mean best of {SEEDS}", statistics.mean(run.score for run in runs), ""
        yield f"{name}, least best", min(run.score for run in runs), ""
        taken = sum(run.seconds for run in runs) if device == "cuda" else SEEDS * SECONDS
        yield f"{name}, rate", sum(run.evaluations for run in runs) / taken / 1e6, "M/s"


def sizes() -> Rows:
    for side in (7, 10):
        for device in ("cuda", "cpu"):
            run = found(device, 1, size=(side, side), seconds=SECONDS)
            yield f"{side}x{side}, {SECONDS} s, {device}, best", run.score, ""
            taken = run.seconds if device == "cuda" else SECONDS
            yield f"{side}x{side}, {SECONDS} s, {device}, rate", run.evaluations / taken / 1e6, "M/s"


def again() -> Rows:
    asked = {"evaluations": 400_000_000, "keep_above": 1.4}
    first, second = found("cuda", 3, **asked), found("cuda", 3, **asked)
    same = [level.text for level in first.levels] == [level.text for level in second.levels]
    yield "levels kept above 1.4, each proved", len(first.levels), ""
    yield "the same seed gives the same levels", float(same), ""


def measurements() -> Rows:
    why = gpu.missing()
    if why is not None:
        print(f"  {why}", file=sys.stderr)
        return
    yield from probe()
    yield from rate("5x5, 33,792 trees x 50,000", TREES, ITERATIONS)
    gc.collect()
    yield from rate("5x5, 67,584 trees x 20,000", 2 * TREES, 20_000)
    gc.collect()
    yield from again()
    yield from scores()
    yield from sizes()
