"""On a GPU: Sokoban beside a hand-written program (LEVELSMITH_PROBES, nvcc); `measure` beside the cores."""

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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from timing import best_of

from levelsmith import load
from levelsmith.core import Result
from levelsmith.kernels.device import missing
from levelsmith.making.build import start_run
from levelsmith.making.flow import follow
from levelsmith.making.plan import plan
from levelsmith.making.runs import Runs
from levelsmith.registry import games
from levelsmith.request import Request

CORES = os.cpu_count() or 1
TREES, ITERATIONS = 33_792, 50_000
SAME = {"mcts.c": 0.566, "mcts.expansion": "any"}
BEST = {**SAME, "mcts.bootstrap": 0.5}
ON_GPU = {**BEST, "mcts.cycle": 2_000}
ON_CORES = {**BEST, "mcts.cycle": 20_000, "mcts.trees": CORES}
SECONDS = 10
SEEDS = 5
WALLS = 0.4  # share of the cells of a random map
REDRAWN = 20  # one of so many cells of a level of Lode Runner

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
    forest = start_run(
        plan(Request("sokoban", preset="koczorowski2023", size=size, set=values, seed=1, device="cuda"))
    )
    forest.advance(0)
    begun = time.perf_counter()
    while forest.evaluations < trees * iterations:
        forest.advance(min(10 * forest.chunk, trees * iterations - forest.evaluations))
    taken = time.perf_counter() - begun
    yield what, trees * iterations / taken / 1e6, "M iterations/s"
    yield f"{what}: its best score", forest.score, ""
    yield f"{what}: trees begun again", forest.statistics()["restarts"], ""


def found(device: str, seed: int, **choices) -> Result:
    """One run, all levels of which are proved."""
    values = ON_GPU if device == "cuda" else ON_CORES
    task = plan(Request("sokoban", preset="koczorowski2023", set=values, seed=seed, device=device, **choices))
    (result,) = [event for event in follow(Runs.of(task), CORES) if isinstance(event, Result)]
    for level in result.levels:
        games.get("sokoban").verify(level)
    gc.collect()
    return result


def scores() -> Rows:
    for device in ("cuda", "cpu"):
        runs = [found(device, seed, seconds=SECONDS) for seed in range(SEEDS)]
        name = f"5x5, {SECONDS} s, {device if device == 'cuda' else f'{CORES} cores'}"
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


def maps(side: int, number: int) -> np.ndarray:
    return (np.random.default_rng(0).random((number, side, side), np.float32) < WALLS).astype(np.uint8)


def levels(number: int) -> np.ndarray:
    """Levels of the corpus, some cells of each drawn anew."""
    game, rng = games.get("loderunner"), np.random.default_rng(0)
    corpus = np.stack([level.grid for level in load(game.packs["corpus"], game="loderunner")])
    tiles = np.repeat([game.tiles.names.index(name) for name in game.mix], list(game.mix.values()))
    grids = corpus[rng.integers(len(corpus), size=number)]
    drawn = rng.integers(grids[0].size, size=(number, grids[0].size // REDRAWN))
    np.put_along_axis(grids.reshape(number, -1), drawn, rng.choice(tiles, drawn.shape), axis=1)
    return grids


def batch(what: str, name: str, grids: np.ndarray) -> Rows:
    """`measure` of many levels, with the copies there and back, beside the same on all cores."""
    game, parts = games.get(name), np.array_split(grids, 4 * CORES)
    game.measure(grids[:100])
    same = (game.measure(grids[:10_000], "cuda") == game.measure(grids[:10_000])).all()
    seconds = {"cuda": best_of(3, lambda: game.measure(grids, "cuda"))}
    with ThreadPoolExecutor(CORES) as pool:
        seconds[f"{CORES} cores"] = best_of(3, lambda: list(pool.map(game.measure, parts)))
    for where, taken in seconds.items():
        yield f"measure, {len(grids):,} {what}, {where}", len(grids) / taken / 1e6, "M/s"
    yield "  the same answers", float(same), ""


def batches() -> Rows:
    for number in (10_000, 100_000, 1_000_000):
        for side in (10, 14):
            yield from batch(f"maps of {side}x{side}", "binary", maps(side, number))
        yield from batch("levels of Lode Runner", "loderunner", levels(number))


def measurements() -> Rows:
    why = missing()
    if why is not None:
        print(f"  {why}", file=sys.stderr)
        return
    yield from batches()
    yield from probe()
    yield from rate("5x5, 33,792 trees x 50,000", TREES, ITERATIONS)
    gc.collect()
    yield from rate("5x5, 67,584 trees x 20,000", 2 * TREES, 20_000)
    gc.collect()
    yield from again()
    yield from scores()
    yield from sizes()
