"""Fits a difficulty of Sokoban levels to the people who played them, and tries it on collections unseen.

    python tools/fit_people.py levels.csv

takes the files that `tools/people.py` takes. Four terms are weighed, none with the wrong sign: how seldom a
walker solves the level before he begins again, how far the player walks, how many positions are lost, and
how many pushes are detours. The weights are those by which the logarithm of the odds of a solve is missed
least. Each level is then rated by weights that were fitted without any level of its collection, and by
weights fitted without any level of its author. The same is tried with one term more for each that could be
thought of: a term is worth its place where it helps with authors who were left out. The weights of all levels
stand in `levelsmith/games/sokoban/metrics/difficulty.py`.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from people import COLLECTION, SECONDS, Numbers, Row, alike, counted, level_of, read, told
from scipy.optimize import lsq_linear

from levelsmith import Level, LevelsmithError, solve
from levelsmith.games.sokoban.metrics.difficulty import TERMS
from levelsmith.games.sokoban.metrics.solution import pushes
from levelsmith.games.sokoban.rules.rules import SokobanBoard

# Collections of one author, where a file has several.
AUTHORS = {
    "Skinner": {"Microban", "Microban-II", "Microban-III", "Microban-IV", "Sasquatch"},
    "du Peloux": {"Minicosmos", "Microcosmos", "Cosmonotes"},
    "Boxxle": {"boxxle", "boxxle-ii"},
}
OFF_GOALS = "off_goals"
# Terms that were tried besides, each larger where a level should be harder.
CANDIDATES: Mapping[str, Callable[[Mapping[str, Any]], float]] = {
    "box changes": lambda f: math.log1p(f["box_changes"]),
    "pushing sessions": lambda f: math.log1p(f["pushing_sessions"]),
    "player lines": lambda f: math.log1p(f["player_lines"]),
    "moves": lambda f: math.log(f["moves"]),
    "pushes": lambda f: math.log(f["pushes"]),
    "pushes away from goals": lambda f: math.log1p(f["counterintuitive"]),
    "boxes pushed off goals": lambda f: math.log1p(f[OFF_GOALS]),
    "decomposition": lambda f: math.log1p(f["decomposition"]),
    "boxes that are pushed often": lambda f: 1 - f["seldom_pushed"],
    "dead cells": lambda f: f["dead_share"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("file", type=Path)
    given = parser.parse_args()
    try:
        rows = read(given.file)
        metrics = measured(rows)
    except LevelsmithError as error:
        sys.exit(f"fit_people: {error}")
    solved = np.array([float(row["num_solved"]) / float(row["num_played"]) for row in rows])
    odds = np.array([odds_of(int(row["num_solved"]), int(row["num_played"])) for row in rows])
    collections = np.array([row.get(COLLECTION) or str(i) for i, row in enumerate(rows)])
    authors = np.array([author_of(name) for name in collections])
    terms = np.array([terms_of(found) for found in metrics])
    offset, weights = fitted(terms, odds)
    parts = [f"- {weight:.3f} {name}" for name, weight in zip(TERMS, weights, strict=True)]
    print("odds of a solve, as a logarithm:", f"{offset:.2f}", *parts)
    print_tried(metrics, terms, odds, solved, collections, authors)
    fits = {
        "fitted without its collection": unseen(terms, odds, collections),
        "fitted without its author": unseen(terms, odds, authors),
    }
    told(fits | counted(rows), solved, collections)


def odds_of(solved: int, played: int) -> float:
    """Returns the logarithm of the odds of a solve; half a play each way keeps it finite."""
    return math.log((solved + 0.5) / (played - solved + 0.5))


def author_of(collection: str) -> str:
    """Returns who drew a collection, where somebody drew several; else the collection stands for him."""
    return next((author for author, own in AUTHORS.items() if collection in own), collection)


def measured(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Returns the metrics of every level, and how often its solution pushes a box off a goal."""
    levels = [level_of(number, row) for number, row in enumerate(rows, 1)]
    verdicts = solve(levels, seconds=SECONDS, moves=True, workers=os.cpu_count() or 1)
    pairs = zip(levels, verdicts, strict=True)
    return [{**verdict.metrics, OFF_GOALS: off_goals(level, verdict.solution)} for level, verdict in pairs]


def off_goals(level: Level, solution: str | None) -> float:
    """Returns how often a solution pushes a box that stands on a goal off all of them."""
    if solution is None:
        return math.nan
    board = SokobanBoard(level.grid)
    return sum(start in board.goals and to not in board.goals for *_, start, to in pushes(board, solution))


def print_tried(
    metrics: Sequence[Mapping[str, Any]],
    terms: Numbers,
    odds: Numbers,
    solved: Numbers,
    collections: NDArray[Any],
    authors: NDArray[Any],
) -> None:
    """Prints what one term more does for levels whose collection, or whose author, was left out."""
    print("\n| terms | its weight | collections left out | authors left out |\n|---|---|---|---|")
    known = np.asarray(np.isfinite(terms).all(axis=1))
    extra: dict[str, Numbers] = {"none more": np.zeros((len(terms), 0))}
    for name, term in CANDIDATES.items():
        values = [
            term(found) if here else math.nan for found, here in zip(metrics, known.tolist(), strict=True)
        ]
        extra[name] = np.array(values)[:, None]
    for name, columns in extra.items():
        given = np.column_stack([terms, columns])
        weight = f"{fitted(given, odds)[1][-1]:.3f}" if columns.size else ""
        cells = [
            alike(unseen(given, odds, groups)[known], solved[known]) for groups in (collections, authors)
        ]
        print(f"| {name} | {weight} | {' | '.join(f'{cell:.3f}' for cell in cells)} |")


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
