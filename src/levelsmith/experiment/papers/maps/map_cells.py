"""The cells of a comparison on binary maps, by search, representation and goal; their bars and tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from levelsmith.experiment.figures import COLOURS, SHADES, Panel
from levelsmith.experiment.page import Table
from levelsmith.experiment.panels import bars
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import Estimate, Numbers

TREES = ("bfs", "dfs", "best", "astar", "mcts")
OPTIMISERS = ("hc", "sa", "es", "ga")
REPRESENTATIONS = ("narrow", "turtle", "wide")
GOALS = ("empty-tiles", "path-length", "connectivity")
METRICS = {"empty-tiles": "empty", "path-length": "path", "connectivity": "regions"}
WORDS = {"empty": "empty tiles", "path": "path length", "regions": "regions"}

Key = tuple[str, str, str]  # search, representation, goal


class Maps:
    """The cells of one comparison by search, representation and goal."""

    def __init__(self, results: Results, cells: Sequence[CellRuns]):
        self.results = results
        self.cells: dict[Key, CellRuns] = {}
        for cell in cells:
            self.cells.setdefault((cell.search, cell.representation, cell.goal), cell)

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

    def values(self, key: Key, name: str) -> Numbers:
        cell = self.cells.get(key)
        return np.full(0, np.nan) if cell is None else self.results.values(cell, name)

    def spent(self, key: Key) -> Numbers:
        """Evaluations; the whole budget for runs that had nothing left to try: the paper's ran on."""
        cell = self.cells[key]
        ended = self.results.placed(cell, (self.results.stopped == "exhausted").astype(np.float64))
        values = self.results.values(cell, "evaluations")
        return np.where(ended == 1, cell.setting.get("evaluations", np.nan), values)

    def depth_needed(self, key: Key) -> Numbers:
        """Returns the depth of a solution, or one more than was reached, as for the paper's figure 2a."""
        solved, reached = self.values(key, "solved"), self.values(key, "depth_reached")
        return np.where(solved == 1, self.solution_depth(key), reached + 1)

    def solution_depth(self, key: Key) -> Numbers:
        return np.where(self.values(key, "solved") == 1, self.values(key, "depth_of_best"), np.nan)

    def made(self, key: Key, metric: str) -> Numbers:
        """Returns a metric of the maps that count: all in the earlier edition, else those that solve."""
        values = self.values(key, metric)
        return values if self.earlier else np.where(self.values(key, "solved") == 1, values, np.nan)


SENSITIVITY = ("sensitivity", "open decisions")  # how parts begin that decide otherwise than the paper


def maps_of(results: Results) -> tuple[Maps, Maps, list[CellRuns]]:
    """Returns the main comparison, the one by the clock, and the cells of open decisions."""
    done = [cell for cell in results.cells if cell.runs]
    sensitive = [cell for cell in done if cell.part.startswith(SENSITIVITY)]
    clocked = [cell for cell in done if "seconds" in cell.setting and cell not in sensitive]
    main = [cell for cell in done if cell not in sensitive and cell not in clocked]
    return Maps(results, main or clocked), Maps(results, clocked), sensitive


def main_maps(results: Results) -> Maps:
    return maps_of(results)[0]


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
