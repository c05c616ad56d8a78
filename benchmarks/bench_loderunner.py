"""Lode Runner: the judge against plain Python, and the agent on the originals.

It needs LEVELSMITH_DATA, a folder of public levels."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from timing import best_of

from levelsmith import load, solve
from levelsmith.games.loderunner.judge.judge import judge_all
from levelsmith.games.loderunner.judge.kernels import judge as kernels

ACCEPTED = ("no-dig", "dig", "mmneat", "pcg-benchmark", "relaxed")
PLAIN = """
import sys, time
import numpy as np
from levelsmith.games.loderunner.judge.kernels import judge as kernels
grids = np.load(sys.argv[1])
game = kernels.make((22, 32), kernels.DIG)
started = time.perf_counter()
kernels.judge_all(game, grids, False, np.zeros((len(grids), 6), np.int64))
print((time.perf_counter() - started) / len(grids))
"""


def plain_seconds(grids: np.ndarray) -> float:
    """What the same source takes for a level when it is not compiled."""
    file = Path(os.environ.get("TMPDIR", "/tmp")) / f"levelsmith-judge-{os.getpid()}.npy"
    np.save(file, grids.reshape(len(grids), -1))
    try:
        told = subprocess.run(
            [sys.executable, "-c", PLAIN, file],
            env={**os.environ, "LEVELSMITH_KERNELS": "plain"},
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        file.unlink()
    return float(told.stdout)


def measurements() -> Iterator[tuple[str, float, str]]:
    if "LEVELSMITH_DATA" not in os.environ:
        return
    levels = load(Path(os.environ["LEVELSMITH_DATA"]) / "loderunner-vglc" / "levels", game="loderunner")
    grids = np.stack([level.grid for level in levels])
    for rules in ACCEPTED:
        yield f"originals accepted, {rules}", sum(told.playable for told in judge_all(grids, rules)), "of 150"
    boards, answers = grids.reshape(len(grids), -1), np.zeros((len(grids), 6), np.int64)
    game = kernels.make((22, 32), kernels.DIG)
    seconds = best_of(20, lambda: kernels.judge_all(game, boards, False, answers)) / len(boards)
    yield "judge with one-layer digging, a level", seconds * 1e6, "µs"
    yield "  plain Python over that", plain_seconds(grids[:30]) / seconds, "times"
    able = [level for level in levels if (level.grid == 7).sum() == 1]
    solve(able[:1], guards="still")  # compiled off the clock
    taken, status = [], []
    for level in able:
        started = time.perf_counter()
        status.append(solve(level, guards="still").status)
        taken.append(time.perf_counter() - started)
    yield "agent, originals solved", status.count("solved"), f"of {len(able)}"
    yield "  proved to have no plan", status.count("unsolvable"), "levels"
    yield "  median", 1000 * float(np.median(taken)), "ms"
    yield "  95 % within", 1000 * float(np.percentile(taken, 95)), "ms"
    yield "  slowest", 1000 * max(taken), "ms"
