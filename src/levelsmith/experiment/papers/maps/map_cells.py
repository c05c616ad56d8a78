"""The cells of a comparison on binary maps, by search, representation and goal; their bars and tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from levelsmith.experiment.figures import COLOURS, SHADES, Panel
from levelsmith.experiment.page import Table
from levelsmith.experiment.panels import bars
from levelsmith.experiment.papers.captions import Captions
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import Estimate, Numbers, share

CAPTIONS = Captions(__package__)
TREES = ("bfs", "dfs", "best", "astar", "mcts")
OPTIMISERS = ("hc", "sa", "es", "ga")
REPRESENTATIONS = ("narrow", "turtle", "wide")
GOALS = ("empty-tiles", "path-length", "connectivity")
METRICS = {"empty-tiles": "empty", "path-length": "path", "connectivity": "regions"}
WORDS = {"empty": "empty tiles", "path": "path length", "regions": "regions"}
DRAWN = {"es": ("mu", 10), "ga": ("population", 200)}  # how many maps are drawn before one is changed

COUNTED = ("spent", "work", "depth_needed", "solution_depth", "changes_needed")  # in a way of their own

Key = tuple[str, str, str]  # search, representation, goal
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Reading:
    """How runs are counted where the papers leave it open; by default as the authors' program did."""

    charged: bool = True  # a run that had nothing left to try costs its whole budget: the authors' ran on
    unsolved: bool = False  # whether the best maps of runs that failed are compared too
    drawn: bool = True  # whether maps that solve as they were drawn, before any change, are compared


PAPERS = Reading()


class Maps:
    """The cells of one comparison by search, representation and goal; of each at most the first `runs`."""

    def __init__(
        self,
        results: Results,
        cells: Sequence[CellRuns],
        reading: Reading = PAPERS,
        runs: int | None = None,
    ):
        self.results, self.reading, self.runs = results, reading, runs
        self.cells: dict[Key, CellRuns] = {}
        for cell in cells:
            self.cells.setdefault((cell.search, cell.representation, cell.goal), cell)

    def read_as(self, reading: Reading) -> Maps:
        """Returns the same runs, counted otherwise."""
        return Maps(self.results, list(self.cells.values()), reading, self.runs)

    def with_cells(self, cells: Sequence[CellRuns], runs: int | None = None) -> Maps:
        """Returns the comparison with other cells in the place of its own."""
        return Maps(self.results, [*cells, *self.cells.values()], self.reading, runs)

    @cached_property
    def searches(self) -> list[str]:
        known = {search for search, _, _ in self.cells}
        return [search for search in (*TREES, *OPTIMISERS) if search in known] + sorted(
            known - {*TREES, *OPTIMISERS}
        )

    @property
    def trees(self) -> list[str]:
        return [search for search in self.searches if search in TREES]

    @property
    def optimisers(self) -> list[str]:
        return [search for search in self.searches if search in OPTIMISERS]

    @cached_property
    def goals(self) -> list[str]:
        known = dict.fromkeys(goal for _, _, goal in self.cells)
        return [goal for goal in GOALS if goal in known] + [goal for goal in known if goal not in GOALS]

    @cached_property
    def earlier(self) -> bool:
        """Whether these are runs of the earlier edition, which has A* in place of best-first."""
        return "astar" in self.searches and "best" not in self.searches

    def representations(self, search: str) -> list[str]:
        known = dict.fromkeys(each for name, each, _ in self.cells if name == search)
        return [each for each in REPRESENTATIONS if each in known]

    def remembered(
        self, what: str, keys: Sequence[Key], make: Callable[[], Made], read: Reading | None = None
    ) -> Made:
        """Returns what was made of these cells before, or makes it: pages ask for the same often.

        `read` has as much of the reading as matters to it; by default all.
        """
        cells = tuple(self.cells[key].id for key in keys if key in self.cells)
        name = ("maps", what, cells, read or self.reading, self.runs)
        if name not in self.results.kept:
            self.results.kept[name] = make()
        made: Made = self.results.kept[name]
        return made

    # ------------------------------------------------------------------------------------------- columns

    def values(self, key: Key, name: str) -> Numbers:
        cell = self.cells.get(key)
        return np.full(0, np.nan) if cell is None else self.results.values(cell, name)[: self.runs]

    def solved(self, key: Key, name: str) -> Numbers:
        """Returns a column of the runs that solved, nan for the others."""
        return np.where(self.values(key, "solved") == 1, self.column(key, name), np.nan)

    def spent(self, key: Key) -> Numbers:
        """Returns evaluations; for runs that had nothing left to try the whole budget, as they are read."""
        values = self.values(key, "evaluations")
        if not self.reading.charged or key not in self.cells:
            return values
        ended = self.results.placed(self.cells[key], (self.results.stopped == "exhausted").astype(np.float64))
        return np.where(ended[: self.runs] == 1, self.budget(key), values)

    def seconds(self, key: Key) -> Numbers:
        """Returns seconds; for runs that had nothing left to try what their budget would have taken."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.values(key, "seconds") * self.spent(key) / self.values(key, "evaluations")

    def budget(self, key: Key) -> float:
        """Returns the evaluations that a run may spend, nan where time is its budget."""
        return float(self.cells[key].setting.get("evaluations", np.nan))

    def work(self, key: Key) -> Numbers:
        """Returns the share of its budget that each run used up."""
        return self.spent(key) / self.budget(key)

    def column(self, key: Key, name: str) -> Numbers:
        """Returns a number for each run, as it is counted; with the ending `if solved` of those that did."""
        if name.endswith(" if solved"):
            return self.solved(key, name.removesuffix(" if solved"))
        if name in COUNTED:
            counted: Numbers = getattr(self, name)(key)
            return counted
        return self.made(key, name) if name in self.results.metrics else self.values(key, name)

    # --------------------------------------------------------------------------------------------- depth

    def depth_needed(self, key: Key) -> Numbers:
        """Returns the depth of a solution, or one more than was reached, as for the paper's figure 2a.

        Where nothing was found that is a bound: the solution may lie far deeper.
        """
        solved, reached = self.values(key, "solved"), self.values(key, "depth_reached")
        return np.where(solved == 1, self.solution_depth(key), reached + 1)

    def solution_depth(self, key: Key) -> Numbers:
        return self.solved(key, "depth_of_best")

    def changes_needed(self, key: Key) -> Numbers:
        """Returns how many tiles must change before a start map has as many empty ones as are asked for.

        On wide that is the depth of the nearest solution, max(0, r1 - e, e - r2). The number of empty tiles e
        is told by the score of the start map, and by how full it was drawn where two numbers have that score.
        """
        cell = self.cells[key]
        wanted = cell.setting.get("parameters", {}).get("empty-tiles", {})
        r1, r2 = (float(wanted.get(name, usual)) for name, usual in (("r1", 45), ("r2", 65)))
        width, height = (int(side) for side in cell.size.split("x"))
        missing = 1 - self._start_scores(cell)
        few, many = r1 * missing, (width * height - r2) * missing
        fill = self.results.placed(cell, self.results.turn("fill"))[: self.runs]
        whole_few, whole_many = (np.abs(each - np.round(each)) < 1e-6 for each in (few, many))
        is_many = whole_many & ~(whole_few & (fill <= 0.5))
        changes: Numbers = np.round(np.where(is_many, many, few)).astype(np.float64)
        return changes

    def _start_scores(self, cell: CellRuns) -> Numbers:
        """Returns the score of the map that each run began with, which is the first of its history."""
        owners, steps = self.results.history(cell)
        first = steps[:, 0] == 1
        scores = np.full(len(self.results.values(cell, "solved")), np.nan)
        scores[owners[first]] = steps[first, 2]
        return scores[: self.runs]

    # ---------------------------------------------------------------------------------------------- maps

    def untouched(self, key: Key) -> Numbers:
        """Returns 1 for runs whose map solves as it was drawn, 0 for the others that solved, else nan."""
        found = self.solved(key, "evaluations")
        return np.where(np.isnan(found), np.nan, found <= self.drawn(key))

    def drawn(self, key: Key) -> int:
        """Returns how many maps a run draws before it changes one: the start, or a whole population."""
        name, usual = DRAWN.get(key[0], ("", 1))
        return int(self.cells[key].setting.get("parameters", {}).get(key[0], {}).get(name, usual))

    def made(self, key: Key, metric: str) -> Numbers:
        """Returns a metric of the maps that are compared: those that solve, as the reading has it."""
        values = self.values(key, metric)
        if self.reading.unsolved or key not in self.cells:
            return values
        left_out = self.values(key, "solved") != 1
        if not self.reading.drawn:
            left_out |= self.untouched(key) == 1
        return np.where(left_out, np.nan, values)

    def chance(self, goal: str) -> Estimate:
        """Returns the share of start maps that meet a goal as they are drawn."""
        keys = [key for key in self.cells if key[0] in TREES and key[2] == goal]
        if not keys:
            return share(np.full(0, np.nan))
        solved = self.values(keys[0], "solved")
        at_once = (solved == 1) & (self.values(keys[0], "evaluations") == 1)
        return share(np.where(np.isnan(solved), np.nan, at_once))


SENSITIVITY = ("sensitivity", "open decisions")  # how parts begin that decide otherwise than the paper
BY_WORK = "by work"  # how parts end whose goals have budgets of the same work
FIXED = "fixed C"  # the part whose MCTS does without the papers' variable C


@dataclass(frozen=True, slots=True)
class Parts:
    """What a file has of the papers' comparison."""

    main: Maps
    by_work: Maps
    by_clock: Maps
    fixed: Maps
    decisions: dict[str, list[CellRuns]]  # what is decided otherwise -> the cells that it changes


def maps_of(results: Results) -> Parts:
    """Returns the main comparison, those by work and by the clock, and the cells of other decisions."""
    decisions: dict[str, list[CellRuns]] = {}
    kinds: dict[str, list[CellRuns]] = {"main": [], "work": [], "clock": [], "fixed": []}
    for cell in results.cells:
        if not cell.runs:
            continue
        if cell.part.startswith(SENSITIVITY):
            decisions.setdefault(str(cell.varied.get("row", cell.name)), []).append(cell)
        elif cell.part == FIXED:
            kinds["fixed"].append(cell)
        else:
            kind = "work" if cell.part.endswith(BY_WORK) else "clock" if "seconds" in cell.setting else "main"
            kinds[kind].append(cell)
    main, work, clock, fixed = (Maps(results, cells) for cells in kinds.values())
    return Parts(main if main.cells else clock, work, clock, fixed, decisions)


def colour(search: str) -> str:
    return COLOURS.get(search, COLOURS["random"])


def search_bars(
    maps: Maps,
    searches: Sequence[str],
    goal: str,
    figure: Callable[[Key], Estimate],
    label: str = "solved, %",
    **options: Any,
) -> Panel:
    """Returns bars by search, one for each representation; their letters are n, t and w."""
    groups = []
    for search in searches:
        each = maps.representations(search)
        members = []
        for name in each:
            letter, shade = (name[0], SHADES[REPRESENTATIONS.index(name)]) if len(each) > 1 else ("", 1.0)
            members.append((letter, figure((search, name, goal)), colour(search), shade))
        groups.append(("A*" if search == "astar" else search, members))
    return bars(options.pop("title", goal), groups, label, percent=label.endswith("%"), **options)


def search_table(
    maps: Maps, name: str, title: str, kind: str, figure: Callable[[Key], Estimate], searches: Sequence[str]
) -> Table:
    """Returns a row for each search and representation, a column for each goal."""
    rows = [
        [search, representation, *(figure((search, representation, goal)) for goal in maps.goals)]
        for search in searches
        for representation in maps.representations(search)
    ]
    columns = {"search": "text", "on": "text", **dict.fromkeys(maps.goals, kind)}
    return Table(name, title, columns, rows, folded=True)
