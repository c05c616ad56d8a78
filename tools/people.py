"""Says how well the difficulty of Sokoban levels ranks them as people do, and what simpler counts would do.

    python tools/people.py levels.csv

takes any file with the columns `layout_string`, `num_played` and `num_solved`, and `Collection_Name` where
levels belong to collections. It prints Spearman's rank correlation with the share of plays in which a level
was solved: negative where harder levels are solved more seldom. Intervals are of 95 %, by drawing whole
collections again and again, or levels where there are none; those of a collection by drawing its levels.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from levelsmith import Level, LevelsmithError, Verdict, parse, solve
from levelsmith.games.sokoban.space.space import Space, space_of

COUNTS = (  # of a shortest solution
    "pushes",
    "moves",
    "box_changes",
    "box_lines",
    "player_lines",
    "pushing_sessions",
    "counterintuitive",
    "detour",
    "decomposition",
    "dead_share",
)
NEEDED = ("layout_string", "num_played", "num_solved")
COLLECTION = "Collection_Name"
ITERATIONS = "astar_iters"  # of whoever made the file, where there are any
LEAST = 10  # levels of a collection that is told of by itself
DRAWS = 1_000
STATES = 5_000_000  # to solve a level; the same on any machine
Row = dict[str, Any]
Numbers = NDArray[np.float64]
Looked = tuple[Level, Verdict, Space | None]  # a level, its solution, its positions where all can be met


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("file", type=Path)
    given = parser.parse_args()
    try:
        rows = read(given.file)
        table = counted(rows, looked_at(rows))
    except LevelsmithError as error:
        sys.exit(f"people: {error}")
    solved = np.array([float(row["num_solved"]) / float(row["num_played"]) for row in rows])
    told(table, solved, np.array([row.get(COLLECTION) or "" for row in rows]))


def read(path: Path) -> list[Row]:
    """Returns the rows of a file; one that is not as it should be is refused by its line."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows: list[Row] = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise LevelsmithError(f"{path}: expected a file of comma-separated values, got {error}") from None
    missing = [name for name in NEEDED if not rows or name not in rows[0]]
    if missing:
        raise LevelsmithError(
            f"{path}: expected the columns {', '.join(NEEDED)}, and {missing[0]} is missing"
        )
    for number, row in enumerate(rows, 1):
        played, solved = (row[name] or "" for name in NEEDED[1:])
        if not (played.isdigit() and solved.isdigit() and 0 < int(played) >= int(solved)):
            raise LevelsmithError(
                f"{path}: level {number}: expected plays and, at most as many, solves; got {played}, {solved}"
            )
    return rows


def looked_at(rows: Sequence[Row]) -> list[Looked]:
    """Solves every level, and meets its positions."""
    levels = [level_of(number, row) for number, row in enumerate(rows, 1)]
    verdicts = solve(levels, seconds=None, states=STATES, moves=True, workers=os.cpu_count() or 1)
    found = [(level, verdict, space_of(level)) for level, verdict in zip(levels, verdicts, strict=True)]
    print(f"{len(rows)} levels, {sum(v.solution is not None for v in verdicts)} of them solved")
    print(f"{sum(space is not None for *_, space in found)} whose positions were all met")
    return found


def counted(rows: Sequence[Row], found: Sequence[Looked]) -> dict[str, Numbers]:
    """Returns what is counted of every level, by name; NaN where nobody knows."""
    names = ("difficulty", *COUNTS)
    table = {name: [verdict.metrics.get(name, math.nan) for _, verdict, _ in found] for name in names}
    table["boxes"] = [float(level.text.count("$") + level.text.count("*")) for level, *_ in found]
    if ITERATIONS in rows[0]:
        table["A* iterations"] = [float(row[ITERATIONS] or math.nan) for row in rows]
    table["states met"] = [float(verdict.statistics["states"]) for _, verdict, _ in found]
    for name, count in WALKED.items():
        table[name] = [math.nan if space is None else count(space) for *_, space in found]
    return {name: np.array(column, float) for name, column in table.items()}


def level_of(number: int, row: Row) -> Level:
    try:
        return parse(row["layout_string"], "sokoban")
    except LevelsmithError as error:
        raise LevelsmithError(f"level {number}: {error}") from None


WALKED: dict[str, Callable[[Space], float]] = {
    "lost share": lambda space: space.lost_share,
    "narrow": lambda space: space.narrow,
    "safe pushes": lambda space: -space.safe_pushes,
    "walker": lambda space: -math.log(space.chance()),
}


def told(table: dict[str, Numbers], solved: Numbers, collections: NDArray[Any]) -> None:
    names, sizes = np.unique(collections, return_counts=True)
    large = [name for name, size in zip(names, sizes, strict=True) if size >= LEAST and name]
    parts = {"all": np.full(len(solved), True)} | {name: collections == name for name in large}
    print(f"\n| | {' | '.join(f'{name} ({part.sum()})' for name, part in parts.items())} |")
    print("|---" * (1 + len(parts)) + "|")
    for name, column in table.items():
        cells = [interval(column[part], solved[part], collections[part]) for part in parts.values()]
        print(f"| {name} | {' | '.join(cells)} |")


def alike(one: Numbers, other: Numbers) -> float:
    """Returns Spearman's rank correlation of two columns, neither of which is all the same."""
    return float(np.corrcoef(rankdata(one), rankdata(other))[0, 1])


def interval(column: Numbers, solved: Numbers, collections: NDArray[Any]) -> str:
    """Returns a rank correlation with its interval, of what is known."""
    known = np.isfinite(column)
    column, solved, collections = column[known], solved[known], collections[known]
    if len(column) < 3 or np.ptp(column) == 0 or np.ptp(solved) == 0:
        return "-"
    found = []
    for chosen in draws(collections):
        if np.ptp(column[chosen]) and np.ptp(solved[chosen]):
            found.append(alike(column[chosen], solved[chosen]))
    low, high = np.quantile(found, [0.025, 0.975])
    some = "" if known.all() else f", {known.sum()} known"
    return f"{alike(column, solved):.3f} ({low:.2f} to {high:.2f}{some})"


def draws(groups: NDArray[Any]) -> Iterator[NDArray[np.int64]]:
    """Yields the places of levels as they are drawn for intervals: whole groups again and again, or single
    levels where there are few groups."""
    members = [np.flatnonzero(groups == name) for name in np.unique(groups)]
    if len(members) < LEAST:
        members = [np.array([i]) for i in range(len(groups))]
    rng = np.random.default_rng(0)
    for _ in range(DRAWS):
        yield np.concatenate([members[i] for i in rng.integers(0, len(members), len(members))])


if __name__ == "__main__":
    main()
