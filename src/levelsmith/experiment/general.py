"""Pages for any experiment: what was run, tables with intervals, curves, expressive range, levels, tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.experiment import models
from levelsmith.experiment.figures import Figure, colours_of
from levelsmith.experiment.page import Gallery, Item, Section, Table, file_stem
from levelsmith.experiment.panels import Line, curves, heat, span_of
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import (
    holm,
    mcnemar,
    mean,
    means,
    share,
    share_difference,
    spread,
    wilcoxon,
)

POINTS = 60  # of a curve
MOST_PANELS = 48
MOST_LINES = 9
MOST_LEVELS = 48
MOST_TESTS = 300
STOPS = {
    "solved": "solved",
    "score": "score reached",
    "evaluations": "evaluations used up",
    "seconds": "time used up",
    "exhausted": "nothing left to try",
    "memory": "out of memory",
    "cancelled": "cancelled",
}


# ----------------------------------------------------------------------------------------------- what was run


def what_was_run(results: Results) -> Section:
    meta = results.meta
    asked = sum(cell.asked for cell in results.cells)
    done = len(results.numbers)
    seconds = sum(float(np.nansum(results.values(cell, "seconds"))) for cell in results.cells if cell.runs)
    quick = " in its quick form" if meta.get("quick") == "1" else ""
    usual = "levelsmith experiment run {0}{1} -o {0}.db".format(  # of files that do not say it
        meta["experiment"], " --quick" if meta.get("quick") == "1" else ""
    )
    command = meta.get("command", usual)
    again = f" To run it again: `{command}`." if command else ""
    lead = (
        f"The experiment **{meta['experiment']}**{quick}, begun {meta.get('created', '?')[:10]} by "
        f"levelsmith {meta['levelsmith']}: **{done:,} runs** of {asked:,} in {len(results.cells)} cells, "
        f"{seconds / 3600:,.2f} core-hours of search{_training(results)}.{again} What runs with a budget of "
        f"evaluations gave has the SHA-256 `{results.digest()}`, and comes out again on a processor of the "
        "same kind. A run is paired with those of the same number, and seed, in other cells. "
        "Intervals are of 95 %: Wilson's for shares, Student's, corrected for skewness, for means."
    )
    return Section("What was run", [lead, _parts(results), _machines(results)])


def _training(results: Results) -> str:
    """Returns what its models took to train, beside the search."""
    told = models.seconds_of(results.meta)
    known = [each for each in told if each is not None]
    if not told:
        return ""
    some = "" if len(known) == len(told) else f" (of {len(known)} it is known)"
    return f", and {sum(known) / 3600:,.2f} of training {len(told)} models{some}"


def _parts(results: Results) -> Table:
    reasons = [name for name in dict.fromkeys([*STOPS, *results.stops()]) if name in results.stops()]
    columns = {"part": "text", "cells": "count", "runs": "count", "asked for": "count"}
    columns |= {"size": "text", "budget of a run": "text"}
    columns |= {STOPS.get(reason, reason): "count" for reason in reasons}
    rows = []
    for part in results.parts:
        cells = [cell for cell in results.cells if cell.part == part]
        stopped = np.concatenate([results.stopped[cell.start : cell.end] for cell in cells])
        done, asked = len(stopped), sum(cell.asked for cell in cells)
        sizes, budgets = _from_to(cell.size for cell in cells), _from_to(map(budget, cells))
        counts = [int((stopped == reason).sum()) for reason in reasons]
        rows.append([part, len(cells), done, asked, f"{cells[0].game} {sizes}", budgets, *counts])
    return Table("parts", "Parts, and why their runs stopped", columns, rows)


def budget(cell: CellRuns) -> str:
    """Returns how long a run of a cell may go on."""
    told = [f"{cell.setting['evaluations']:,} evaluations"] if "evaluations" in cell.setting else []
    told += [f"{cell.setting['seconds']:g} s"] if "seconds" in cell.setting else []
    return ", ".join(told) or "not told"


def _from_to(words: Iterable[str]) -> str:
    """Words, each once; of many the first and the last."""
    once = list(dict.fromkeys(words))
    return ", ".join(once) if len(once) < 3 else f"{once[0]} … {once[-1]}"


def _machines(results: Results) -> Table:
    keys = sorted({key for told in results.machines.values() for key in told})
    rows = []
    for number, told in results.machines.items():
        told = told | {"system": str(told.get("system", "–")).partition("-")[0]}
        rows.append([*(str(told.get(key, "–")) for key in keys), int((results.machine == number).sum())])
    return Table("machines", "Machines", {**dict.fromkeys(keys, "text"), "runs": "count"}, rows)


# ----------------------------------------------------------------------------------------------------- tables


def cells_table(
    results: Results, cells: Sequence[CellRuns], name: str, title: str, folded: bool = False
) -> Table:
    """Returns a row for each cell: shares and means with their intervals, and its part among several."""
    several = len({cell.part for cell in cells}) > 1
    goals = any(np.nansum(results.values(cell, "solved")) for cell in cells)
    columns = {"part": "text"} if several else {}
    columns |= {"cell": "text", "runs": "count", **({"solved": "share"} if goals else {}), "score": "number"}
    columns |= {"evaluations": "count", "seconds": "seconds", "a second": "count"}
    rows = []
    for cell in cells:
        score, spent, seconds = (results.values(cell, each) for each in ("score", "evaluations", "seconds"))
        solved = [share(results.values(cell, "solved"))] if goals else []
        rate = float(np.nansum(spent)) / max(float(np.nansum(seconds)), 1e-9)
        named = [cell.part, cell.name] if several else [cell.name]
        rows.append([*named, cell.runs, *solved, mean(score), mean(spent), mean(seconds), rate])
    return Table(name, title, columns, rows, folded=folded)


def paired_table(
    results: Results, cells: Sequence[CellRuns], name: str, folded: bool = False
) -> Table | None:
    """Searches, or else cells, two by two: the paired difference and how likely chance alone makes one."""
    pairs = list(_pairs(cells))[:MOST_TESTS]
    rows: list[list[Any]] = []
    for one, other, label in pairs:
        goals = any(np.nansum(results.values(cell, "solved")) for cell in (one, other))
        measure = "solved" if goals else "score"
        first, second = results.values(one, measure), results.values(other, measure)
        if goals:
            difference, chance = share_difference(first, second), mcnemar(first, second)
        else:
            difference = (
                (spread(first) - spread(second)).estimate() if len(first) == len(second) else mean(first[:0])
            )
            chance = wilcoxon(first, second)
        shown = ("solved, points", difference.times(100)) if goals else ("score", difference)
        rows.append([*label, *shown, chance])
    if not rows:
        return None
    add_corrected(rows)
    columns = dict.fromkeys(("cell", "first", "second", "measure"), "text")
    columns |= {"first − second": "number", "p": "chance", "p, corrected": "chance"}
    note = (
        f"{len(rows)} pairs; McNemar's exact test of what was solved, Wilcoxon's of scores where nothing is; "
        "corrected by Holm."
    )
    return Table(name, "Paired tests", columns, rows, note=note, folded=folded)


def add_corrected(rows: Sequence[list[Any]]) -> None:
    """Adds to each row, which ends in a chance, the same corrected for how many there are."""
    for row, corrected in zip(rows, holm([row[-1] for row in rows]), strict=True):
        row.append(corrected)


def _pairs(cells: Sequence[CellRuns]) -> list[tuple[CellRuns, CellRuns, tuple[str, str, str]]]:
    """Returns cells that differ in their search alone; where none do, all of a part or all against its
    first."""
    found = []
    for one, other in combinations(cells, 2):
        rests = [
            (cell.part, *((k, str(v)) for k, v in cell.varied.items() if k != "search"))
            for cell in (one, other)
        ]
        same_goal = (one.goal, one.size) == (other.goal, other.size)
        if one.search != other.search and same_goal and rests[0][1:] == rests[1][1:]:
            rest = " ".join(str(v) for k, v in one.varied.items() if k != "search") or one.goal
            found.append((one, other, (rest, one.search, other.search)))
    if found:
        return found
    several = len(cells) > MOST_LINES
    return [
        (one, other, (one.part, one.name, other.name))
        for one, other in combinations(cells, 2)
        if one.part == other.part and one.size == other.size and (not several or one is cells[0])
    ]


# ---------------------------------------------------------------------------------------------------- figures


def grid_of(results: Results, cells: Sequence[CellRuns], by: str) -> Any:
    """Returns points on a logarithmic axis as far as the runs of these cells went."""
    most = max(float(np.nanmax(results.values(cell, by))) for cell in cells)
    return np.geomspace(1 if by == "evaluations" else max(most, 1e-3) / 1e4, max(most, 1e-3), POINTS)


def curve(
    results: Results,
    cell: CellRuns,
    grid: Any,
    label: str,
    colour: str,
    style: Any = "-",
    by: str = "evaluations",
) -> Line:
    centre, low, high = means(results.anytime(cell, grid, by))
    return Line(label, grid, centre, colour, low, high, style)


def curves_figure(results: Results, cells: Sequence[CellRuns], name: str, title: str) -> Figure:
    """Returns the best score so far, a curve for each cell; a panel for each setting that curves share.

    Curves are told apart by their search, or else by all but the representation.
    """
    groups: dict[str, list[tuple[str, CellRuns]]] = {}
    by_search = len({cell.search for cell in cells}) > 1
    for cell in cells:
        group, label = [str(value) for key, value in cell.varied.items() if key != "search"], cell.search
        if not by_search:
            group = [cell.representation] if len(cell.varied) > 1 and "representation" in cell.varied else []
            label = " ".join(word for word in cell.name.split() if word not in group)
        groups.setdefault(" ".join(group) or cell.part, []).append((label, cell))
    colours = colours_of(list(dict.fromkeys(label for members in groups.values() for label, _ in members)))
    distinct = len(set(colours.values())) == len(colours)
    shared = distinct and len(groups) > 1
    most = len(colours) if distinct else MOST_LINES
    panels = []
    for group_name, members in list(groups.items())[:MOST_PANELS]:
        for start in range(0, len(members), most):
            some = members[start : start + most]
            grid = grid_of(results, [cell for _, cell in some], "evaluations")
            lines = [curve(results, cell, grid, label, colours[label]) for label, cell in some]
            panels.append(
                curves(group_name, lines, "evaluations", "best score so far", log=True, legend=not shared)
            )
    note = "Means over runs with 95 % bands; a run that ended keeps its score."
    return Figure(name, title, panels, note=note, legend=colours if shared else {})


def range_figure(
    results: Results, cells: Sequence[CellRuns], names: tuple[str, str], file: str, title: str
) -> Figure:
    """Returns two metrics of the best levels of each cell against each other."""
    columns = [[results.values(cell, name) for name in names] for cell in cells[:MOST_PANELS]]
    across, up = (span_of(np.concatenate(values)) for values in zip(*columns, strict=True))
    colours = colours_of(list(dict.fromkeys(cell.search for cell in cells)))
    panels = [
        heat(cell.name, x, y, names, (across, up), colours[cell.search], width=1.78, height=1.78)
        for cell, (x, y) in zip(cells, columns, strict=False)
    ]
    note = f"The first {len(panels)} of {len(cells)} cells." if len(panels) < len(cells) else ""
    return Figure(file, title, panels, note=note, columns=4)


# ----------------------------------------------------------------------------------------------------- levels


def duration(seconds: float) -> str:
    """Seconds in few characters."""
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms" if seconds >= 0.001 else "under 1 ms"
    return f"{seconds:,.3g} s" if seconds < 1000 else f"{seconds:,.0f} s"


def proved(level: Level) -> bool:
    """Tells whether the level's solution, played by the game's own rule book, solves it."""
    from levelsmith.levels.film import frames

    try:
        return level.solution is not None and sum(1 for _ in frames(level)) > 0
    except LevelsmithError:
        return False


def proof(shown: Sequence[tuple[Level, str]]) -> str:
    """Returns what playing the solutions of levels again says about them."""
    solved = [proved(level) for level, _ in shown if level.solution is not None]
    return (
        f"{sum(solved)} of {len(solved)} solutions were played again and solve their level." if solved else ""
    )


def gallery(
    results: Results, cells: Sequence[CellRuns], title: str, each: int = 1, paper: str = "", **choice: Any
) -> Gallery:
    shown = []
    for cell in cells:
        for level, known in results.levels(cell, each, **choice):
            shown.append((level, f"{cell.name} · {known['score']:.3g}"))
    return Gallery(title, shown[:MOST_LEVELS], paper, proof(shown[:MOST_LEVELS]))


# ------------------------------------------------------------------------------------------------ all of them


def sections(results: Results, axes: tuple[str, str] | None = None) -> list[Section]:
    """Returns a section for each part; `axes` names the metrics of its expressive range."""
    return [part_section(results, part, axes) for part in results.parts if results.of(part)]


def range_section(results: Results, axes: tuple[str, str]) -> Section:
    """Returns the expressive range of all cells."""
    figures: list[Item] = []
    for part in results.parts:
        cells = results.of(part)
        if cells:
            stem = f"{file_stem(part)}-range-{axes[0]}-{axes[1]}"
            figures.append(range_figure(results, cells, axes, stem, part))
    return Section(f"Expressive range of {axes[0]} and {axes[1]}", figures)


def part_section(results: Results, part: str, axes: tuple[str, str] | None) -> Section:
    cells = results.of(part)
    stem = file_stem(part)
    items: list[Item] = [cells_table(results, cells, f"{stem}-cells", "Cells")]
    items.append(curves_figure(results, cells, f"{stem}-curves", "Best score by evaluations"))
    metrics = results.metric_names(cells)
    names = axes or (metrics[0], metrics[1]) if len(metrics) > 1 else axes
    if names:
        title = f"Expressive range: {names[0]} and {names[1]} of each run's best level"
        items.append(range_figure(results, cells, names, f"{stem}-range", title))
    items.append(gallery(results, cells, "Best levels", each=max(1, 12 // len(cells))))
    tests = paired_table(results, cells, f"{stem}-tests")
    return Section(part, [*items, *([tests] if tests else [])])
