"""Two files of an experiment, cell by cell: other versions, settings or machines."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from levelsmith.errors import LevelsmithError
from levelsmith.experiment.damage import damage_explained
from levelsmith.experiment.page import Page, Section, Table, write
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import (
    NOTHING,
    Estimate,
    holm,
    mcnemar,
    share_difference,
    spread,
    together,
    wilcoxon,
)
from levelsmith.experiment.store import real_name

SURE = 0.05  # a corrected chance below which a difference counts


@dataclass(slots=True)
class Difference:
    """What the second of two cells, or of two files in one cell, has more than the first."""

    part: str
    cell: str
    runs: int  # that both have
    same: bool  # run for run, apart from the time
    solved: Estimate
    score: Estimate
    evaluations: Estimate
    seconds: Estimate  # as a ratio
    chance: float
    corrected: float = float("nan")

    @property
    def sure(self) -> bool:
        return self.corrected < SURE


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two files cell by cell: the difference in each, and the cells that only one of them has."""

    first: Results
    second: Results
    differences: list[Difference]
    only_first: list[tuple[str, str]]  # part and name
    only_second: list[tuple[str, str]]

    @property
    def alike(self) -> int:
        """Cells that are the same run for run."""
        return sum(each.same for each in self.differences)


def compare(first: str | os.PathLike[str] | Results, second: str | os.PathLike[str] | Results) -> Comparison:
    """Returns the cells of two files that have the same part and name; runs are paired by their numbers."""
    one, other = (each.path if isinstance(each, Results) else each for each in (first, second))
    with damage_explained(real_name(one), real_name(other)):
        return _compare(*(each if isinstance(each, Results) else Results(each) for each in (first, second)))


def compare_cells(results: Results, first: str, second: str) -> Difference:
    """Returns what one cell of a file has more than another, run by run: the second against the first.

    Args:
        results: the file.
        first: the name of a cell, as PART/CELL where parts have cells of the same name.
        second: the same of the other.
    """
    with damage_explained(results.path):
        found = _difference(results, results.cell(first), results, results.cell(second))
    found.corrected = found.chance
    return found


def _compare(one: Results, other: Results) -> Comparison:
    sides = [{(cell.part, cell.name): cell for cell in each.cells if cell.runs} for each in (one, other)]
    found = [
        _difference(one, cell, other, sides[1][key]) for key, cell in sides[0].items() if key in sides[1]
    ]
    if not found:
        raise LevelsmithError(
            f"expected cells of the same part and name in both files, got none in {one.path} and {other.path}"
        )
    for each, corrected in zip(found, holm([each.chance for each in found]), strict=True):
        each.corrected = corrected
    only = [[key for key in mine if key not in theirs] for mine, theirs in (sides, sides[::-1])]
    return Comparison(one, other, found, *only)


def _difference(one: Results, a: CellRuns, other: Results, b: CellRuns) -> Difference:
    solved, score, spent, seconds = (
        together(other.values(b, name), one.values(a, name))
        for name in ("solved", "score", "evaluations", "seconds")
    )
    goals = bool(np.concatenate(solved).any())
    by_goals = goals and not np.array_equal(*solved)
    return Difference(
        part=a.part,
        cell=a.name,
        runs=len(score[0]),
        same=all(np.array_equal(*each) for each in (solved, score, spent)) and a.runs == b.runs,
        solved=share_difference(*solved) if goals else NOTHING,
        score=(spread(score[0]) - spread(score[1])).estimate(),
        evaluations=(spread(spent[0]) - spread(spent[1])).estimate(),
        seconds=(spread(seconds[0]) / spread(seconds[1])).estimate(),
        chance=mcnemar(*solved) if by_goals else wilcoxon(*score),
    )


def table(found: Comparison) -> Table:
    """Returns the differences, a row for each cell."""
    columns = {"part": "text", "cell": "text", "runs": "count", "solved, points": "number", "score": "number"}
    columns |= {"evaluations": "number", "seconds, times": "number", "p, corrected": "chance", "": "text"}
    rows: list[list[Any]] = []
    for each in found.differences:
        more = each.solved.times(100), each.score, each.evaluations, each.seconds
        told = "same runs" if each.same else "differs" if each.sure else ""
        rows.append([each.part, each.cell, each.runs, *more, each.corrected, told])
    note = (
        "What the second has more than the first, with 95 % intervals of paired runs. McNemar's exact test "
        "where what was solved differs, else Wilcoxon's of the scores; corrected by Holm over all cells."
    )
    return Table("compare", "Second file against the first", columns, rows, note=note)


def summary(found: Comparison) -> list[str]:
    """Returns what a person wants to know first, a line each."""
    sure = sum(each.sure for each in found.differences)
    unsure = len(found.differences) - found.alike - sure
    told = (
        f"{found.alike} the same run for run, {sure} that differ for sure, {unsure} that chance may explain"
    )
    lines = [f"{len(found.differences)} cells in both files: {told}"]
    parts = {each.part for each in found.differences}
    for name, only in ((found.first.path, found.only_first), (found.second.path, found.only_second)):
        whole: dict[str, int] = {}
        for part, _ in only:
            whole[part] = whole.get(part, 0) + (part not in parts)
        named = [f"{part} ({number} cells)" for part, number in whole.items() if number]
        named += [f"{part}: {cell}" for part, cell in only if part in parts]
        if named:
            lines.append(f"only in {name}: {', '.join(named)}")
    return lines


def page(found: Comparison) -> str:
    """Returns the comparison as an HTML page."""
    files = []
    for name, each in (("first", found.first), ("second", found.second)):
        meta = each.meta["experiment"], each.meta["levelsmith"], each.meta.get("created", "")
        files.append([name, str(each.path), *meta, len(each.numbers)])
    columns = dict.fromkeys(("", "file", "experiment", "levelsmith", "begun"), "text") | {"runs": "count"}
    first, *others = summary(found)
    sections = [
        Section("Files", [Table("files", "What is compared", columns, files), *others]),
        Section("Cells", [table(found)]),
    ]
    return write(Page("Two experiments compared", f"{first}.", sections))
