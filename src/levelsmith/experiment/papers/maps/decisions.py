"""What budgets and open decisions change in the runs on binary maps, and in the verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from levelsmith.experiment import general
from levelsmith.experiment.page import Item, Section, Table
from levelsmith.experiment.papers.maps.judging import Judge
from levelsmith.experiment.papers.maps.map_cells import CAPTIONS, GOALS, Maps, Parts, Reading, search_bars
from levelsmith.experiment.papers.maps.statements import THRESHOLDS, judged_by
from levelsmith.experiment.results import CellRuns
from levelsmith.experiment.statistics import (
    Estimate,
    Numbers,
    mean,
    share,
    share_difference,
    spread,
    together,
)
from levelsmith.experiment.verdicts import judge

USUAL = {name: each.value for name, each in THRESHOLDS.items()}
OURS = (
    "ES: children",
    "MCTS: the end of a rollout",
)  # how the decisions begin that earlier reports had taken
SHOWN = ("T9", "T13", "T14", "T16")  # statements that turn on them
SAMPLES = 300  # start maps of each kind that the cost of an evaluation is counted on
FILLS = (0.25, 0.5, 0.75)


# ---------------------------------------------------------------------------------------------------- budgets


def by_work(maps: Maps, worked: Maps) -> Section:
    """Returns the same cells with budgets of the same work for every goal."""
    rows = []
    for goal in worked.goals:
        keys = [key for key in worked.cells if key[2] == goal]
        budget = worked.budget(keys[0])
        solved = [_over_cells(each, goal, "solved") for each in (worked, maps)]
        spent = _over_cells(worked, goal, "work")
        if_solved = _over_cells(worked, goal, "work if solved")
        rows.append([goal, looks(goal), budget, len(keys), *solved, spent, if_solved])
    panels = [
        search_bars(worked, worked.searches, goal, lambda key: share(worked.values(key, "solved")))
        for goal in worked.goals
    ]
    lead = CAPTIONS.text("by-work", maps=3 * SAMPLES)
    figure = CAPTIONS.figure("by-work-figure", panels, stem="by-work")
    return Section("By work", [lead, CAPTIONS.table("by-work", rows), figure])


def _over_cells(maps: Maps, goal: str, name: str) -> Estimate:
    """Returns the mean of all cells of a goal, each counting the same."""
    j = Judge(maps, maps, USUAL)
    return j.mean([key for key in maps.cells if key[2] == goal], name).estimate()


def looks(goal: str) -> float:
    """Returns how many tiles an evaluation looks at that does no more than it must, on random start maps."""
    rng = np.random.default_rng(1)
    empty = np.concatenate([rng.random((SAMPLES, 10, 10)) < fill for fill in FILLS])
    tiles = empty.shape[1] * empty.shape[2]
    if goal == GOALS[0]:
        return float(tiles)
    if goal == GOALS[2]:
        return float(tiles + 4 * empty.sum(axis=(1, 2)).mean())
    sizes = np.array([(_region_sizes(grid) ** 2).sum() for grid in empty])
    return float(tiles + 4 * sizes.mean())


def _region_sizes(empty: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Returns how many tiles each region of empty tiles has."""
    labels = np.where(empty, np.arange(1, empty.size + 1).reshape(empty.shape), 0)
    while True:
        padded = np.pad(labels, 1)
        around = [padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]]
        spread_out = np.where(empty, np.maximum.reduce([labels, *around]), 0)
        if (spread_out == labels).all():
            return np.unique(labels[empty], return_counts=True)[1]
        labels = spread_out


def by_the_clock(maps: Maps, clocked: Maps) -> Section:
    """Returns the same cells with a budget of time beside the budget of evaluations."""
    cells = clocked.cells.values()
    budgets = ", ".join(dict.fromkeys(map(general.budget, cells)))
    rows = []
    stopped = 0
    for key, cell in clocked.cells.items():
        memory = int((clocked.results.stopped[cell.start : cell.end] == "memory").sum())
        stopped += memory
        shares = [share(each.values(key, "solved")) for each in (clocked, maps)]
        spent = mean(clocked.values(key, "evaluations"))
        rows.append([*key, cell.runs, *shares, memory or None, spent])
    panels = [
        search_bars(clocked, clocked.searches, goal, lambda key: share(clocked.values(key, "solved")))
        for goal in clocked.goals
    ]
    runs = sum(cell.runs for cell in cells)
    lead = CAPTIONS.text("by-the-clock", budgets=budgets, stopped=stopped, runs=runs)
    figure = CAPTIONS.figure("by-the-clock-figure", panels, stem="by-the-clock")
    return Section("By the clock", [lead, figure, CAPTIONS.table("by-the-clock", rows)])


# --------------------------------------------------------------------------------------------------- readings


def sensitivity(parts: Parts) -> Section:
    """Returns what becomes of verdicts and of cells where something is decided or counted otherwise."""
    items: list[Item] = [CAPTIONS.text("readings"), *_verdict_tables(parts)]
    if parts.fixed.cells:
        items.append(_fixed_table(parts))
    if parts.decisions:
        items.append(_cells_table(parts))
    return Section("Sensitivity", items)


def _verdict_tables(parts: Parts) -> list[Table]:
    """Returns which verdicts change with each reading; those that earlier reports had taken come first."""
    main = parts.main
    asis = _verdicts(main, parts.by_work)
    ours = [cell for name, cells in parts.decisions.items() if name.startswith(OURS) for cell in cells]
    uncharged = Reading(charged=False)
    tables = []
    if ours:
        runs = _runs_of(ours, main)
        before = main.with_cells(ours, runs).read_as(uncharged)
        here = asis if runs is None else _verdicts(main.with_cells([], runs), parts.by_work)
        tables.append(_side_by_side(here, _verdicts(before, before)))
    others = {
        "HC: a stuck run costs what it tried": (main.read_as(uncharged), parts.by_work),
        "Time: as many evaluations for every goal": (main, main),
        "Maps: only those that the search changed": (main.read_as(Reading(drawn=False)), parts.by_work),
        "Maps: the best of runs that failed too": (main.read_as(Reading(unsolved=True)), parts.by_work),
    }
    rows = [_changes(name, asis, _verdicts(*read)) for name, read in others.items()]
    usual: dict[int | None, Mapping[str, str]] = {None: asis}
    for name, cells in parts.decisions.items():
        runs = _runs_of(cells, main)
        if runs not in usual:
            usual[runs] = _verdicts(main.with_cells([], runs), parts.by_work)
        rows.append(_changes(name, usual[runs], _verdicts(main.with_cells(cells, runs), parts.by_work), runs))
    return [*tables, CAPTIONS.table("readings", rows)]


def _runs_of(cells: Sequence[CellRuns], maps: Maps) -> int | None:
    """Returns how many runs a decision has, where the main part has more."""
    mine = min(cell.runs for cell in cells)
    return mine if mine < max(cell.runs for cell in maps.cells.values()) else None


def _verdicts(maps: Maps, worked: Maps) -> dict[str, str]:
    return {each.name: each.verdict for each in judge(judged_by(Judge(maps, worked, USUAL)))}


def _changes(
    name: str, before: Mapping[str, str], after: Mapping[str, str], runs: int | None = None
) -> list[object]:
    changed = [f"{each} {before[each]} → {after[each]}" for each in before if before[each] != after[each]]
    return [name, runs, "; ".join(changed) or "none"]


def _side_by_side(authors: Mapping[str, str], ours: Mapping[str, str]) -> Table:
    """Returns the statements that turn on how the presets decided before, and all others that change."""
    rows = [
        [name, authors[name], ours[name]]
        for name in authors
        if name.startswith(SHOWN) or authors[name] != ours[name]
    ]
    return CAPTIONS.table("two-readings", rows)


def _fixed_table(parts: Parts) -> Table:
    """Returns what MCTS solves and how deep it gets with the papers' variable C, and with a fixed one."""
    rows = []
    for key in parts.fixed.cells:
        sides = [each.values(key, "solved") for each in (parts.main, parts.fixed)]
        variable, fixed = together(*sides)
        depths = [
            mean(each.values(cell, "depth_reached")[: len(sides[1])])
            for each, cell in ((parts.main, key), (parts.fixed, key), (parts.main, ("bfs", *key[1:])))
        ]
        shares = share(variable), share(fixed), share_difference(variable, fixed).times(100)
        rows.append([*key[1:], len(fixed), *shares, *depths])
    return CAPTIONS.table("fixed-c", rows)


def _cells_table(parts: Parts) -> Table:
    """Returns how many runs each cell solves where something is decided otherwise, beside the main part."""
    maps, rows = parts.main, []
    for name, cells in parts.decisions.items():
        for cell in cells:
            key = (cell.search, cell.representation, cell.goal)
            mine, main = together(maps.results.values(cell, "solved"), maps.values(key, "solved"))
            spent = [spread(each).estimate() for each in _spent(maps, cell)]
            more = share_difference(mine, main).times(100)
            rows.append([name, *key, len(mine), share(mine), share(main), more, *spent])
    return CAPTIONS.table("sensitivity", rows)


def _spent(maps: Maps, cell: CellRuns) -> tuple[Numbers, Numbers]:
    key = (cell.search, cell.representation, cell.goal)
    sides = [Maps(maps.results, [cell]), maps]
    mine, main = (each.spent(key) if key in each.cells else np.full(0, np.nan) for each in sides)
    return together(mine, main)
