"""Built kernels beside numba's: the same work in two processes, by what ships and by what numba makes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import levelsmith
from levelsmith.making.build import start_run
from levelsmith.making.plan import plan
from levelsmith.registry import games
from levelsmith.request import Request

ROUNDS = 3  # of which the fastest counts
TURNS = 3  # that each kind of kernels has in turn, for a machine is faster at one time than at another
EVALUATIONS = 10_000
CALLS = 10_000  # of `measure`, with a map each
THREADS = 2
LEVEL = "########\n#.    .#\n# $##$ #\n# $  @ #\n#.#  . #\n#  $$  #\n#  .   #\n########"
SEARCHES = {
    "hc, binary maps 14x14": {"game": "binary", "search": "hc", "size": (14, 14)},
    "mcts, Koczorowski's preset": {"game": "sokoban", "preset": "koczorowski2023"},
    "mcts, Kartal's preset": {"game": "sokoban", "preset": "kartal2016"},
    "ga, binary maps 10x10": {"game": "binary", "search": "ga", "representation": "narrow", "size": (10, 10)},
    "hc, Lode Runner 12x8": {"game": "loderunner", "search": "hc", "size": (8, 12), "guards": "still"},
    "hc, Sokoban rooms 5x5": {"game": "sokoban", "search": "hc", "representation": "rooms", "size": (5, 5)},
}


def advanced(asked: dict) -> float:
    """Returns the seconds of the processor for the same evaluations, by as many runs as it takes."""
    search = start_run(plan(Request(**asked, seed=1)))
    search.advance(200)
    made, seed, spent = 0, 1, 0.0
    while made < EVALUATIONS:
        if search.exhausted:
            seed += 1
            search = start_run(plan(Request(**asked, seed=seed)))
        before, started = search.evaluations, time.process_time()
        search.advance(2_000)
        spent += time.process_time() - started
        made += search.evaluations - before
    return spent


def solved(level: levelsmith.Level) -> float:
    levelsmith.solve(level, seconds=None)
    started = time.process_time()
    levelsmith.solve(level, seconds=None)
    return time.process_time() - started


def measured() -> float:
    """Returns the seconds of many small calls of a kernel."""
    grids, game = np.zeros((1, 10, 10), np.uint8), games.get("binary")
    game.measure(grids)
    started = time.process_time()
    for _ in range(CALLS):
        game.measure(grids)
    return time.process_time() - started


def threads() -> float:
    """Returns how many times as much as one thread several do in the same time."""
    level = levelsmith.parse(LEVEL, game="sokoban")

    def solve_often() -> None:
        for _ in range(20):
            levelsmith.solve(level, seconds=None)

    def seconds(n: int) -> float:
        started = time.perf_counter()
        with ThreadPoolExecutor(n) as pool:
            for done in [pool.submit(solve_often) for _ in range(n)]:
                done.result()
        return time.perf_counter() - started

    seconds(1)
    return max(THREADS * seconds(1) / seconds(THREADS) for _ in range(ROUNDS))


def work() -> dict[str, float]:
    """Returns the fewest seconds for each piece of work, by the kernels of this process."""
    sokoban = levelsmith.parse(LEVEL, game="sokoban")
    puzzle = max(levelsmith.load("puzzlescript:lasers"), key=lambda level: level.grid.size)
    pieces: dict[str, Callable[[], float]] = {
        name: lambda asked=asked: advanced(asked) for name, asked in SEARCHES.items()
    }
    pieces["a Sokoban level solved"] = lambda: solved(sokoban)
    pieces["a PuzzleScript level solved"] = lambda: solved(puzzle)
    pieces[f"{CALLS:,} maps measured one by one"] = measured
    return {name: min(piece() for _ in range(ROUNDS)) for name, piece in pieces.items()}


def by(which: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", "import bench_kernels, json; print(json.dumps(bench_kernels.work()))"],
        env={**os.environ, "LEVELSMITH_KERNELS": which, "PYTHONPATH": str(Path(__file__).parent)},
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout)


def measurements() -> Iterator[tuple[str, float, str]]:
    turns: dict[str, list[dict[str, float]]] = {"numba": [], "built": []}
    for _ in range(TURNS):
        for which, done in turns.items():
            done.append(by(which))
    numba, built = ({name: min(turn[name] for turn in done) for name in done[0]} for done in turns.values())
    for name, seconds in built.items():
        yield f"{name}, built", seconds * 1e3, "ms"
        yield f"{name}, against numba's", numba[name] / seconds, "times"
    yield f"a Sokoban level solved in {THREADS} threads, against one", threads(), "times"
