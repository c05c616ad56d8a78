"""What the tables of Koczorowski (2023) say, and the runs that stand beside them."""

from __future__ import annotations

import csv
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from levelsmith.experiment.papers import puzzles
from levelsmith.experiment.papers.puzzles import PuzzleRuns
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import UNKNOWN, Numbers, Spread, spread


class Said(NamedTuple):
    """A column of one of the thesis' tables."""

    iterations: int  # in 30 s; of bootstrapping, since its start
    score: float
    seconds: float  # until the best score
    deviation: float  # of the scores

    def rate(self, table: str, name: str) -> float:
        """Returns iterations a second."""
        return self.iterations / (SECONDS * (float(name) if table == "3.6" and name != "0" else 1))


def _tables() -> dict[str, dict[str, Said]]:
    """Returns the columns of each of the thesis' tables, by the setting that they are of."""
    found: dict[str, dict[str, Said]] = {}
    text = (files(__package__) / "tables.csv").read_text("utf-8")
    for table, setting, iterations, *numbers in list(csv.reader(text.splitlines()))[1:]:
        found.setdefault(table, {})[setting] = Said(int(iterations), *map(float, numbers))
    return found


THESIS = _tables()
RUNS = {"3.7": 30, "3.8": 30}  # of each column; 10 in the other tables
FEWER_RUNS = 10
SECONDS = 30  # of a run
BASE = ("3.4", "squares")  # the cell that has every optimisation
TEXT = "in the text"
Place = tuple[str, str]  # table or part, and setting


def label(cell: CellRuns) -> str:
    """Returns what sets a cell apart, as the thesis' tables head their columns."""
    told = [f"{value:g}" if isinstance(value, float) else str(value) for value in cell.varied.values()]
    return ", ".join(told) or cell.name


class ThesisRuns(PuzzleRuns):
    """The cells of an experiment's file by table and setting, and what their runs and levels are like."""

    def __init__(self, results: Results):
        super().__init__(results)
        self.cells = {
            (cell.part.split()[0] if cell.part[0].isdigit() else cell.part, label(cell)): cell
            for cell in results.cells
            if cell.runs
        }

    def has(self, *places: Place) -> bool:
        return all(place in self.cells for place in places)

    def of(self, part: str) -> dict[str, CellRuns]:
        return {name: cell for (where, name), cell in self.cells.items() if where == part}

    def text(self, section: str) -> list[str]:
        """Returns the settings that a section speaks of without a table."""
        return [name for name in self.of(TEXT) if name.startswith(section)]

    def score(self, part: str, name: str) -> Spread:
        """Returns the mean score of a cell; unknown where it has no runs."""
        if (part, name) not in self.cells:
            return UNKNOWN
        return spread(self.results.values(self.cells[part, name], "score"))

    def work(self, part: str, name: str) -> Spread:
        """Returns the actions of an iteration: those down the tree and those of its rollout."""
        return spread(self.actions(self.cells[part, name])) if self.has((part, name)) else UNKNOWN

    def actions(self, cell: CellRuns) -> Numbers:
        """Returns the actions of an iteration in each run, down the tree and in the rollout.

        A tree of bootstrapping begins at the least depth of a frozen board, which nobody walks down.
        """
        values = cell.setting.get("parameters", {})
        begun = values.get("play", {}).get("least_depth", 0) * values.get("mcts", {}).get("bootstrap", 0.0)
        depth = self.results.values(cell, "rollout_depth") - float(begun)
        return depth + self.results.values(cell, "rollout_length")

    def rate(self, cell: CellRuns) -> Numbers:
        """Returns iterations a second."""
        return self.results.values(cell, "iterations") / self.results.values(cell, "seconds")

    def to_best(self, cell: CellRuns) -> Numbers:
        """Returns after how many evaluations each run found its best level."""
        owners, steps = self.results.history(cell)
        when = np.full(cell.asked, np.nan)
        when[owners] = steps[:, 0]  # the last improvement stays
        return when

    def difficulties(self, cell: CellRuns) -> Numbers:
        """Returns the difficulty of the best level of each run."""
        return self.column(cell, lambda mine: puzzles.difficulty(mine[-1][0]))

    def growing(self) -> list[CellRuns]:
        """Returns the cells that differ in their budget alone, the smallest first."""
        return sorted(self.of("3.5").values(), key=lambda cell: int(cell.setting["evaluations"]))

    def stretches(self, name: str) -> list[Spread]:
        """Returns a figure of an iteration from one budget to the next, of runs that are alike up to there.

        A mean of all iterations is multiplied out; a number of nodes is a sum already.
        """
        cells = self.growing()
        iterations = [self.results.values(cell, "iterations") for cell in cells]
        values = [self.results.values(cell, name) for cell in cells]
        if name != "nodes":
            values = [mean * many for mean, many in zip(values, iterations, strict=True)]
        ends, sums = ([spread(each) for each in columns] for columns in (iterations, values))
        pairs = pairwise(zip(sums, ends, strict=True))
        return [sums[0] / ends[0], *((b[0] - a[0]) / (b[1] - a[1]) for a, b in pairs)]


def bootstrapping_begins(cell: CellRuns) -> float:
    """Returns after how many evaluations a run goes on from its best levels."""
    values = cell.setting["parameters"]["mcts"]
    return float(values["cycle"] * (1 - values["bootstrap"]))


@lru_cache(maxsize=2)
def runs_of(results: Results) -> ThesisRuns:
    """Returns the runs of a file; what was found out about their levels is kept."""
    return ThesisRuns(results)
