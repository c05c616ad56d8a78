"""Fits a difficulty of Sokoban levels to the people who played them, and tries it on collections unseen.

    python tools/fit_people.py levels.csv

takes the files that `tools/people.py` takes. Four terms are weighed, none with the wrong sign: how seldom a
walker solves the level before he begins again, how far the player walks, how many positions are lost, and
how many pushes are detours. The weights are those by which the logarithm of the odds of a solve is missed
least. Each level is then rated by weights that were fitted without any level of its collection. The weights
of all levels stand in `levelsmith/games/sokoban/metrics/difficulty.py`.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from people import COLLECTION, SECONDS, Numbers, Row, counted, level_of, read, told
from scipy.optimize import lsq_linear

from levelsmith import LevelsmithError, solve
from levelsmith.games.sokoban.metrics.difficulty import TERMS


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("file", type=Path)
    given = parser.parse_args()
    try:
        rows = read(given.file)
        terms = termed(rows)
    except LevelsmithError as error:
        sys.exit(f"fit_people: {error}")
    solved = np.array([float(row["num_solved"]) / float(row["num_played"]) for row in rows])
    odds = np.array([odds_of(int(row["num_solved"]), int(row["num_played"])) for row in rows])
    collections = np.array([row.get(COLLECTION) or str(i) for i, row in enumerate(rows)])
    offset, weights = fitted(terms, odds)
    parts = [f"- {weight:.3f} {name}" for name, weight in zip(TERMS, weights, strict=True)]
    print("odds of a solve, as a logarithm:", f"{offset:.2f}", *parts)
    told({"fitted": unseen(terms, odds, collections)} | counted(rows), solved, collections)


def odds_of(solved: int, played: int) -> float:
    """Returns the logarithm of the odds of a solve; half a play each way keeps it finite."""
    return math.log((solved + 0.5) / (played - solved + 0.5))


def termed(rows: Sequence[Row]) -> Numbers:
    """Returns the terms of every level, a row each; NaN where nobody knows."""
    levels = [level_of(number, row) for number, row in enumerate(rows, 1)]
    verdicts = solve(levels, seconds=SECONDS, moves=True, workers=os.cpu_count() or 1)
    return np.array([terms_of(verdict.metrics) for verdict in verdicts])


def terms_of(metrics: Mapping[str, Any]) -> list[float]:
    """Returns the terms of a level, each larger where it is harder."""
    known = "chance" in metrics
    return [term(metrics) if known else math.nan for term in TERMS.values()]


def fitted(terms: Numbers, odds: Numbers) -> tuple[float, Numbers]:
    """Returns the offset and the weights, none below 0, of the levels whose terms are known."""
    known = np.isfinite(terms).all(axis=1)
    given = np.column_stack([np.ones(known.sum()), -terms[known]])
    low = np.r_[-np.inf, np.zeros(terms.shape[1])]
    found = lsq_linear(given, odds[known], bounds=(low, np.full(len(low), np.inf))).x
    return float(found[0]), found[1:]


def unseen(terms: Numbers, odds: Numbers, collections: NDArray[Any]) -> Numbers:
    """Returns for each level how hard it is by weights fitted to all other collections."""
    hard = np.full(len(terms), np.nan)
    for name in np.unique(collections):
        own = collections == name
        offset, weights = fitted(terms[~own], odds[~own])
        hard[own] = terms[own] @ weights - offset
    return hard


if __name__ == "__main__":
    main()
