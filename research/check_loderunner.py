"""Checks of Lode Runner that take too long for the tests.

The judge against its slow twin on 2,000 levels, random ones and mutated originals; that nothing sound accepts
what the relaxed rules refuse; and the originals that the agent finds no plan for, with the reason.

    python research/check_loderunner.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from levelsmith import load, solve
from levelsmith.core import Level
from levelsmith.games.loderunner.judge.judge import judge_all
from levelsmith.games.loderunner.rules.rules import replay
from levelsmith.registry import games
from reference.loderunner import RULES, judged

TILES = games.get("loderunner").tiles
WEIGHTS = [0.5, 0.2, 0.04, 0.12, 0.06, 0.05, 0.03, 0.0]
NUMBER = 2_000


def some_levels(originals: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Half of them random, half of them originals with up to 60 cells changed; one player each."""
    size = originals.shape[1:]
    random = rng.choice(8, (NUMBER // 2, *size), p=WEIGHTS)
    mutated = originals[rng.integers(0, len(originals), NUMBER // 2)].copy()
    for grid in mutated:
        cells = rng.integers(0, grid.size, rng.integers(1, 61))
        grid.reshape(-1)[cells] = rng.choice(8, len(cells), p=WEIGHTS)
    grids = np.concatenate([random, mutated]).astype(np.uint8)
    for grid in grids:
        if (grid == 7).sum() != 1:
            grid[grid == 7] = 0
            grid[tuple(rng.integers(0, size))] = 7
    return grids


def main(folder: str) -> None:
    levels = sorted(load(folder, game="loderunner"), key=lambda level: int(level.title.split()[-1]))
    grids = some_levels(np.stack([level.grid for level in levels]), np.random.default_rng(1))
    collectable = {}
    for rules in RULES:
        told = judge_all(grids, rules)
        collectable[rules] = np.array([each.gold_collectable for each in told])
        wrong = 0
        for grid, each in zip(grids, told, strict=True):
            gold, reached = judged("\n".join(TILES.rows(grid)), rules)
            cells = (~np.isin(grid, (1, 2))).sum()
            wrong += (each.gold_collectable, each.connectivity) != (gold, reached / cells)
        print(f"{rules}: {len(grids)} levels, {wrong} judged otherwise than by the twin", flush=True)
    for rules in ("no-dig", "dig"):
        beyond = int((collectable[rules] > collectable["relaxed"]).sum())
        print(f"{rules} collects more than relaxed on {beyond} levels")
    able: list[Level] = [level for level in levels if (level.grid == 7).sum() == 1]
    plans = 0
    for level, verdict in zip(able, solve(able, guards="still"), strict=True):
        if verdict.solution is not None:
            replay(level, verdict.solution)
            plans += 1
        else:
            why = verdict.statistics.get("why") or f"no plan found, limit: {verdict.statistics['limit']}"
            print(f"{level.title}: {verdict.status}, {why}")
    print(f"{plans} of {len(able)} originals solved, every plan replayed")


if __name__ == "__main__":
    main(sys.argv[1])
