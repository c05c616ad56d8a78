"""Fits a difficulty of Sokoban levels to the people who played them, and tries it on collections unseen.

    python tools/fit_people.py levels.csv

takes the files that `tools/people.py` takes. Four terms are weighed, none with the wrong sign: how seldom a
walker solves the level before he begins again, how far the player walks, how many positions are lost, and
how many pushes are detours. The weights are those by which the logarithm of the odds of a solve is missed
least. Each level is then rated by weights that were fitted without any level of its collection, and by
weights fitted without any level of its author. The same is tried with one term more for each that could be
thought of, and with other sets of terms: one is worth its place where it helps with authors who were left out
by more than noise. For each author terms are also chosen anew among all, by the levels of the others alone.
The last table says of every large collection by how much the number that has not seen its author is ahead of
each single count. The weights of all levels stand in
`levelsmith/games/sokoban/metrics/difficulty.py`.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from people import COLLECTION, Numbers, alike, counted, draws, interval, looked_at, read, told
from scipy.optimize import nnls

from levelsmith import Level, LevelsmithError, Verdict
from levelsmith.games.sokoban.metrics.difficulty import TERMS
from levelsmith.games.sokoban.metrics.solution import pushes
from levelsmith.games.sokoban.rules.rules import SokobanBoard
from levelsmith.games.sokoban.space.space import Space

# Collections of one author, where a file has several.
AUTHORS = {
    "Skinner": {"Microban", "Microban-II", "Microban-III", "Microban-IV", "Sasquatch"},
    "du Peloux": {"Minicosmos", "Microcosmos", "Cosmonotes"},
    "Boxxle": {"boxxle", "boxxle-ii"},
}
OFF_GOALS, SOLUTIONS, POSITIONS, SAFE, NARROW = "off_goals", "solutions", "positions", "safe", "narrow"
PARTS = 10  # of levels, by author, among which terms are chosen
NO_GAIN = 0.0005  # in the rank correlation
LARGE = 20  # levels of a collection on which each single count is compared
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
    "share of the pushes that are detours": lambda f: f["detour"] / max(f["pushes"], 1),
    "few shortest solutions": lambda f: -math.log1p(math.log(f[SOLUTIONS])),
    "positions": lambda f: math.log(f[POSITIONS]),
    "few pushes before one can lose": lambda f: -math.log1p(f[SAFE]),
    "pushes in a row that must be": lambda f: math.log1p(f[NARROW]),
}
# Other sets of terms, of those above and of the number's own.
SETS = (
    ("walker", "walks", "lost", "share of the pushes that are detours"),
    ("walker", "walks", "lost", "detour", "few shortest solutions"),
    ("walker", "walks", "lost", "share of the pushes that are detours", "few shortest solutions"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("file", type=Path)
    given = parser.parse_args()
    try:
        rows = read(given.file)
        found = looked_at(rows)
        metrics = [measured(*each) for each in found]
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
    counts = counted(rows, found)
    told(fits | counts, solved, collections)
    del counts["difficulty"]
    print_ahead(unseen(terms, odds, authors), counts, solved, collections)


def odds_of(solved: int, played: int) -> float:
    """Returns the logarithm of the odds of a solve; half a play each way keeps it finite."""
    return math.log((solved + 0.5) / (played - solved + 0.5))


def author_of(collection: str) -> str:
    """Returns who drew a collection, where somebody drew several; else the collection stands for him."""
    return next((author for author, own in AUTHORS.items() if collection in own), collection)


def measured(level: Level, verdict: Verdict, space: Space | None) -> dict[str, Any]:
    """Returns the metrics of a level, how often its solution pushes a box off a goal, and what else its
    positions say."""
    more: dict[str, float] = {}
    if space is not None:
        more = {SOLUTIONS: space.solutions, POSITIONS: len(space.steps)}
        more |= {SAFE: space.safe_pushes, NARROW: space.narrow}
    return {**verdict.metrics, OFF_GOALS: off_goals(level, verdict.solution), **more}


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
    """Prints what one term more does, and what other sets of terms do, for levels whose collection, or whose
    author, was left out; and by how much each is ahead of the number where authors were."""
    known = np.asarray(np.isfinite(terms).all(axis=1))
    columns = dict(zip(TERMS, terms.T, strict=True))
    for name, term in CANDIDATES.items():
        pairs = zip(metrics, known.tolist(), strict=True)
        columns[name] = np.array([term(found) if here else math.nan for found, here in pairs])
    number = unseen(terms, odds, authors)[known]
    print("\n| terms | weights | collections left out | authors left out | ahead |\n|---|---|---|---|---|")
    for names in (tuple(TERMS), *((*TERMS, name) for name in CANDIDATES), *SETS):
        given = np.column_stack([columns[name] for name in names])
        weights = ", ".join(f"{weight:.3f}" for weight in fitted(given, odds)[1])
        hard = [unseen(given, odds, groups)[known] for groups in (collections, authors)]
        cells = " | ".join(f"{alike(each, solved[known]):.3f}" for each in hard)
        lead = ahead(hard[1], number, solved[known], authors[known])
        print(f"| {', '.join(names)} | {weights} | {cells} | {lead} |")
    every = np.column_stack(list(columns.values()))[known]
    free, often = unseen_choice(every, odds[known], solved[known], authors[known])
    lead = ahead(free, number, solved[known], authors[known])
    print("chosen without the author:", interval(free, solved[known], authors[known]), "ahead", lead)
    shares = sorted(zip(-often / known.sum(), columns, strict=True))
    print("for so many of the levels:", ", ".join(f"{-share:.0%} {name}" for share, name in shares if share))


def ahead(one: Numbers, other: Numbers, solved: Numbers, groups: NDArray[Any]) -> str:
    """Returns by how much one column ranks levels better than another, with its interval."""
    found = []
    for chosen in draws(groups):
        if all(np.ptp(column[chosen]) for column in (one, other, solved)):
            found.append(alike(other[chosen], solved[chosen]) - alike(one[chosen], solved[chosen]))
    low, high = np.quantile(found, [0.025, 0.975])
    return f"{alike(other, solved) - alike(one, solved):.3f} ({low:.2f} to {high:.2f})"


def print_ahead(
    hard: Numbers, counts: Mapping[str, Numbers], solved: Numbers, collections: NDArray[Any]
) -> None:
    """Prints by how much the number is ahead of each single count on each large collection."""
    names, sizes = np.unique(collections, return_counts=True)
    large = [str(name) for name, size in zip(names, sizes, strict=True) if size >= LARGE]
    print(f"\n| ahead of | {' | '.join(large)} |\n{'|---' * (1 + len(large))}|")
    for name, column in counts.items():
        cells = []
        for collection in large:
            own = (collections == collection) & np.isfinite(hard) & np.isfinite(column)
            cells.append(ahead(hard[own], column[own], solved[own], collections[own]))
        print(f"| {name} | {' | '.join(cells)} |")


def terms_of(metrics: Mapping[str, Any]) -> list[float]:
    """Returns the terms of a level, each larger where it is harder."""
    known = "chance" in metrics
    return [term(metrics) if known else math.nan for term in TERMS.values()]


def fitted(terms: Numbers, odds: Numbers) -> tuple[float, Numbers]:
    """Returns the offset and the weights, none below 0, of the levels whose terms are known."""
    known = np.isfinite(terms).all(axis=1)
    given, wanted = terms[known], odds[known]
    middle, mean = given.mean(axis=0), wanted.mean()
    weights: Numbers = nnls(middle - given, wanted - mean)[0]
    return float(mean + middle @ weights), weights


def unseen(terms: Numbers, odds: Numbers, collections: NDArray[Any]) -> Numbers:
    """Returns for each level how hard it is by weights fitted to all other collections."""
    hard = np.full(len(terms), np.nan)
    for name in np.unique(collections):
        own = collections == name
        offset, weights = fitted(terms[~own], odds[~own])
        hard[own] = terms[own] @ weights - offset
    return hard


def unseen_choice(
    terms: Numbers, odds: Numbers, solved: Numbers, authors: NDArray[Any]
) -> tuple[Numbers, Numbers]:
    """Returns for each level how hard it is by terms that were chosen, and weights that were fitted, without
    its author; and for how many levels each term was chosen."""
    hard, often = np.full(len(terms), np.nan), np.zeros(terms.shape[1])
    for name in np.unique(authors):
        own = authors == name
        chosen = chosen_of(terms[~own], odds[~own], solved[~own], authors[~own])
        offset, weights = fitted(terms[~own][:, chosen], odds[~own])
        hard[own] = terms[own][:, chosen] @ weights - offset
        often[chosen] += own.sum()
    return hard, often


def chosen_of(terms: Numbers, odds: Numbers, solved: Numbers, authors: NDArray[Any]) -> list[int]:
    """Returns which terms rank levels of unseen authors best, found by taking one in, or leaving one out, for
    as long as that helps."""
    parts, best = parts_of(authors), 0.0
    chosen: list[int] = []
    while True:
        after = [[*chosen, i] for i in range(terms.shape[1]) if i not in chosen]
        after += [[i for i in chosen if i != gone] for gone in chosen if len(chosen) > 1]
        tried = [(alike(unseen(terms[:, each], odds, parts), solved), each) for each in after]
        if min(tried)[0] >= best - NO_GAIN:
            return chosen
        best, chosen = min(tried)


def parts_of(authors: NDArray[Any]) -> NDArray[np.int64]:
    """Returns the number of a part for each level: parts are about as large, and no author is in two."""
    names, sizes = np.unique(authors, return_counts=True)
    sums, part = np.zeros(PARTS), {}
    for i in np.lexsort((names, -sizes)):
        part[names[i]] = int(sums.argmin())
        sums[part[names[i]]] += sizes[i]
    return np.array([part[name] for name in authors])


if __name__ == "__main__":
    main()
