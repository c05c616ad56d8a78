"""The runs of Kartal, Sohre and Guy's experiment: by selection rule and size, with the levels each kept."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np

from levelsmith.experiment import general
from levelsmith.experiment.papers import puzzles
from levelsmith.experiment.papers.puzzles import Kept, PuzzleRuns
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import Numbers, Spread, average, rank_correlation, spread

PREFERRED = "ucb-v"  # what the paper's figures 3 and 4 show
BASE = "ucb"  # what the others are compared with
RATE = 80_000  # simulations a second for 5x5 (section 4.1)
RUNS_A_SIZE = 15  # five of each of three rules
SELECTION, GROWTH, FILLED = "selection", "growth", "pockets filled"  # parts
READINGS = "readings"  # how parts begin whose rows are `reading, rule`


def rule(cell: CellRuns) -> str:
    """Returns the selection rule of a cell: the name of its row, else its setting."""
    if "row" in cell.varied:
        return str(cell.varied["row"])
    return str(cell.setting.get("parameters", {}).get("mcts", {}).get("selection", cell.name))


def area(size: str) -> int:
    width, _, height = size.partition("x")
    return int(width) * int(height)


def budget_of(cell: CellRuns) -> float:
    """Returns the budget of a run of a cell."""
    return float(cell.setting.get("evaluations", np.inf))


def by_rule(cells: Iterable[CellRuns]) -> dict[tuple[str, str], CellRuns]:
    """Returns cells by rule and size; a rule is the last word of the name of a row."""
    return {(rule(cell).rpartition(", ")[2], cell.size): cell for cell in cells}


class KartalRuns(PuzzleRuns):
    """The cells of an experiment's file, and what their levels are like.

    `read_as` and `until` give the same runs with a decision taken otherwise, or as they were after a smaller
    budget: levels, scores and cells are then those.
    """

    def __init__(self, results: Results):
        super().__init__(results)
        cells = [cell for cell in results.cells if cell.runs]
        self.compared = by_rule(cell for cell in cells if cell.part.startswith(SELECTION))
        if not self.compared:  # somebody ran other parts alone
            self.compared = by_rule(cell for cell in cells if not cell.part.startswith(READINGS))
        self.filled = {cell.size: cell for cell in cells if cell.part == FILLED}
        self.grown = [cell for cell in cells if cell.part == GROWTH]
        self.readings: dict[str, list[CellRuns]] = {}
        for cell in cells:
            if cell.part.startswith(READINGS):
                self.readings.setdefault(rule(cell).rpartition(", ")[0], []).append(cell)
        self.rules = list(dict.fromkeys(each for each, _ in self.compared))
        self.sizes = sorted({size for _, size in self.compared}, key=area)
        self.preferred = PREFERRED if PREFERRED in self.rules else self.rules[0]
        self.budget = max(map(budget_of, self.compared.values()))
        self._proved: dict[int, Numbers] = {}

    def until(self, budget: float) -> KartalRuns:
        """Returns these runs as they were after so many evaluations."""
        found = copy.copy(self)
        found.budget = min(budget, self.budget)
        return found

    def read_as(self, name: str) -> KartalRuns:
        """Returns the runs of a reading, beside the main ones of rules and sizes that it leaves alone."""
        cells = by_rule(self.readings[name])
        found = self.until(min(map(budget_of, cells.values())))
        found.compared = self.compared | {key: cell for key, cell in cells.items() if key in self.compared}
        return found

    def chosen(self) -> list[CellRuns]:
        """Returns the cells of the rule that the paper's figures show, by size."""
        return [
            self.compared[self.preferred, size]
            for size in self.sizes
            if (self.preferred, size) in self.compared
        ]

    def on(self, size: str) -> dict[str, CellRuns]:
        """Returns the cells of a size by rule."""
        return {rule: self.compared[rule, size] for rule in self.rules if (rule, size) in self.compared}

    def limit(self, cell: CellRuns) -> float:
        """Returns how many evaluations the runs of a cell have, as they are looked at."""
        return min(self.budget, budget_of(cell))

    def column(self, cell: CellRuns, figure: Callable[[list[Kept]], float]) -> Numbers:
        """Returns a figure of the levels that each run kept until the budget; nan where there are none."""

        def early(mine: list[Kept]) -> float:
            mine = puzzles.until(mine, self.budget)
            return figure(mine) if mine else np.nan

        return super().column(cell, early)

    def scores(self, rule: str, size: str) -> Numbers:
        cell = self.compared[rule, size]
        return self.score_after(cell, self.limit(cell))

    def ratios(self, one: str, other: str) -> dict[str, Spread]:
        """Returns how many times the mean score of a rule that of another is, on each size that has both."""
        return {
            size: spread(self.scores(one, size)) / spread(self.scores(other, size))
            for size in self.sizes
            if {one, other} <= self.on(size).keys()
        }

    def ratio(self, one: str, other: str) -> Spread:
        """Returns the same of all sizes, each counting the same."""
        return average(list(self.ratios(one, other).values()))

    def score_after(self, cell: CellRuns, evaluations: float) -> Numbers:
        """Returns the best score of each run after so many evaluations; nan where it had fewer."""
        if evaluations == budget_of(cell):
            return self.results.values(cell, "score")
        made = np.full(cell.asked, np.nan)
        if evaluations <= self.limit(cell):
            numbers = self.results.numbers[cell.start : cell.end]
            made[numbers] = self.results.anytime(cell, np.array([float(evaluations)]))[:, 0]
        return made

    def pushes_after(self, cell: CellRuns, evaluations: float) -> Numbers:
        """Returns the pushes that the best level of each run needs after so many evaluations, else 0."""

        def figure(mine: list[Kept]) -> float:
            early = puzzles.until(mine, evaluations)
            return puzzles.pushes_needed(early[-1][0], early[-1][1]["metrics"]) if early else 0.0

        return self.column(cell, figure)

    def most_boxes(self, cell: CellRuns) -> Numbers:
        """Returns the most boxes of a level that a run kept."""
        return self.column(cell, lambda mine: max(each[1]["metrics"].get("boxes", 0) for each in mine))

    def unreachable(self, cell: CellRuns) -> Numbers:
        """Returns how many cells of the best level nobody can reach."""
        return self.column(cell, lambda mine: float(puzzles.unreachable(mine[-1][0])))

    def used(self, cell: CellRuns) -> Numbers:
        """Returns to how many cells of the best level the player could walk without boxes."""
        return self.column(cell, lambda mine: float(puzzles.open_cells(mine[-1][0])[1]))

    def boards(self, cell: CellRuns) -> Numbers:
        """Returns how many levels a run kept: one for each gain, but for those without a box."""
        return self.column(cell, lambda mine: float(sum(each[1]["score"] > 0 for each in mine)))

    def agreement(self, cell: CellRuns, metric: str) -> Numbers:
        """Returns how well the levels that a run kept are ranked alike by their scores and by a metric."""

        def figure(mine: list[Kept]) -> float:
            scored = [each for each in mine if each[1]["score"] > 0]
            told = [_told(each, metric) for each in scored]
            return rank_correlation([each[1]["score"] for each in scored], told)

        return self.column(cell, figure)

    @property
    def proved(self) -> Numbers:
        """Returns for the best level of each run whether its solution solves it, 1 or 0."""
        for cell in self.compared.values():
            if cell.id not in self._proved:
                best = [mine[-1][0] for mine in self.kept(cell).values()]
                self._proved[cell.id] = np.array([float(general.proved(level)) for level in best])
        return np.concatenate([self._proved[cell.id] for cell in self.compared.values()])


def _told(each: Kept, metric: str) -> float:
    level, known = each
    metrics = known["metrics"]
    if metric == "pushes needed":
        return puzzles.pushes_needed(level, metrics)
    if metric == "pushes one by one":
        return float(metrics["pushes"] - metrics["detour"])
    if metric == "congestion":  # with the paper's weights; a box's own corners are alpha + beta
        between = 4 * metrics["boxes_between"] + 4 * metrics["goals_between"] + metrics["walls_between"]
        return float(8 * metrics["boxes"] + between)
    return float(metrics[metric])


@lru_cache(maxsize=2)
def runs_of(results: Results) -> KartalRuns:
    """Returns the runs of a file; what was found out about their levels is kept."""
    return KartalRuns(results)
