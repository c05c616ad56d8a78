"""The runs of Kartal, Sohre and Guy's experiment: by selection rule and size, with the levels each kept."""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np

from levelsmith.experiment import general
from levelsmith.experiment.papers import puzzles
from levelsmith.experiment.papers.puzzles import Kept, PuzzleRuns
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import Numbers, rank_correlation

PREFERRED = "ucb-v"  # what the paper's figures 3 and 4 show
RATE = 80_000  # simulations a second for 5x5 (section 4.1)
RUNS_A_SIZE = 15  # five of each of three rules
FILLED = "pockets filled"


def rule(cell: CellRuns) -> str:
    """Returns the selection rule of a cell: the name of its row, else its setting."""
    if "row" in cell.varied:
        return str(cell.varied["row"])
    return str(cell.setting.get("parameters", {}).get("mcts", {}).get("selection", cell.name))


def area(size: str) -> int:
    width, _, height = size.partition("x")
    return int(width) * int(height)


class KartalRuns(PuzzleRuns):
    """The cells of an experiment's file, and what their levels are like."""

    def __init__(self, results: Results):
        super().__init__(results)
        cells = [cell for cell in results.cells if cell.runs]
        self.compared = {(rule(cell), cell.size): cell for cell in cells if cell.part != FILLED}
        self.filled = {cell.size: cell for cell in cells if cell.part == FILLED}
        self.rules = list(dict.fromkeys(each for each, _ in self.compared))
        self.sizes = sorted({size for _, size in self.compared}, key=area)
        self.preferred = PREFERRED if PREFERRED in self.rules else self.rules[0]

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

    def scores(self, rule: str, size: str) -> Numbers:
        return self.results.values(self.compared[rule, size], "score")

    def score_after(self, cell: CellRuns, evaluations: float) -> Numbers:
        """Returns the best score of each run after so many evaluations; nan where it had fewer."""
        made = np.full(cell.asked, np.nan)
        if evaluations <= cell.setting.get("evaluations", np.inf):
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

    @cached_property
    def proved(self) -> Numbers:
        """Returns for the best level of each run whether its solution solves it, 1 or 0."""
        best = [mine[-1][0] for cell in self.compared.values() for mine in self.kept(cell).values()]
        return np.array([float(general.proved(level)) for level in best])


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
