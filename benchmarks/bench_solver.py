"""The Sokoban solver: Microban proved and solved, Boxoban levels a second, all on one core.

It needs LEVELSMITH_DATA, a folder of public levels."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from levelsmith import load, solve

BOXOBAN = {
    "unfiltered": "boxoban_unfiltered_valid_000.txt",
    "medium": "boxoban_medium_valid_000.txt",
    "hard": "boxoban_hard_003.txt",
}
LEVELS = 500
LIMITS = {False: 5.0, True: 60.0}  # seconds for a level, by whether any solution will do


def microban(folder: Path) -> Iterator[tuple[str, float, str]]:
    levels = load(folder / "microban_155.xsb", game="sokoban")
    for any, seconds in LIMITS.items():
        started = time.perf_counter()
        verdicts = list(solve(levels, any=any, seconds=seconds))
        taken = time.perf_counter() - started
        name = f"Microban, {'any solution' if any else 'fewest pushes'}, {seconds:.0f} s each"
        count = sum(v.status == "solved" if any else v.optimal for v in verdicts)
        yield f"{name}: {'solved' if any else 'proved'}", count, f"of {len(levels)}"
        yield f"{name}: in all", taken, "s"


def boxoban(folder: Path) -> Iterator[tuple[str, float, str]]:
    for tier, name in BOXOBAN.items():
        levels = load(folder / name, game="sokoban")[:LEVELS]
        started = time.perf_counter()
        verdicts = list(solve(levels))
        rate = len(levels) / (time.perf_counter() - started)
        times = [verdict.statistics["seconds"] * 1000 for verdict in verdicts]
        yield f"Boxoban {tier}, {len(levels)} levels: median", statistics.median(times), "ms"
        yield f"Boxoban {tier}: slowest", max(times), "ms"
        yield f"Boxoban {tier}, with metrics", rate, "levels/s"


def measurements() -> Iterator[tuple[str, float, str]]:
    if "LEVELSMITH_DATA" not in os.environ:
        return
    folder = Path(os.environ["LEVELSMITH_DATA"]) / "sokoban"
    next(iter(solve(load(folder / "microban_155.xsb#1", game="sokoban"))))  # compiled off the clock
    yield from boxoban(folder)
    yield from microban(folder)
