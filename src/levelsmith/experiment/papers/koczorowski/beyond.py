"""Numbers of Koczorowski (2023) that no table has: of bootstrapping, patterns, growth and locality."""

from __future__ import annotations

import numpy as np

from levelsmith.core import Level
from levelsmith.experiment.claims import Numbered
from levelsmith.experiment.papers import puzzles
from levelsmith.experiment.papers.koczorowski.thesis import Place, ThesisRuns, bootstrapping_begins
from levelsmith.experiment.papers.puzzles import Kept
from levelsmith.experiment.results import CellRuns
from levelsmith.experiment.statistics import UNKNOWN, Numbers, Spread, spread, together

SAMPLE = 40  # levels of a run that are compared two by two


def wait(k: ThesisRuns, share: str) -> Numbers:
    """Returns which share of the iterations of bootstrapping a run takes to its best level."""
    if not k.has(("3.6", share)):
        return np.full(1, np.nan)
    cell = k.cells["3.6", share]
    start, when = bootstrapping_begins(cell), k.to_best(cell)
    spent = k.results.values(cell, "evaluations") - start
    return np.where(when > start, (when - start) / spent, np.nan)


def phase_work(k: ThesisRuns, place: Place, without: str) -> Spread:
    """Returns the actions of an iteration of bootstrapping alone.

    A run tells the actions of all of its iterations; those before bootstrapping are as in the setting of
    table 3.7 that is without it.
    """
    if not k.has(place, ("3.7", without)):
        return UNKNOWN
    cell = k.cells[place]
    share = 1 - bootstrapping_begins(cell) / cell.setting["evaluations"]
    whole, first = together(k.actions(cell), k.actions(k.cells["3.7", without]))
    return spread((whole - (1 - share) * first) / share)


def likeness(k: ThesisRuns, cell: CellRuns) -> Numbers:
    """Returns how many more cells two levels of bootstrapping have in common than two from before, a run."""
    start = bootstrapping_begins(cell)

    def alike(levels: list[Level]) -> float:
        return puzzles.likeness(puzzles.spaced(levels, SAMPLE))

    def figure(mine: list[Kept]) -> float:
        before = [level for level, known in mine if known["evaluations"] <= start]
        after = [level for level, known in mine if known["evaluations"] > start]
        return alike(after) - alike(before)

    return k.column(cell, figure)


def change(k: ThesisRuns, cell: CellRuns) -> Numbers:
    """Returns how much more difficult the best level of each run is after bootstrapping than before."""
    start = bootstrapping_begins(cell)

    def figure(mine: list[Kept]) -> float:
        early = puzzles.until(mine, start)
        return puzzles.difficulty(mine[-1][0]) - puzzles.difficulty(early[-1][0]) if early else np.nan

    return k.column(cell, figure)


def diagonals(k: ThesisRuns, place: Place) -> Spread:
    return spread(k.results.values(k.cells[place], "diagonals"))


def difficulty(k: ThesisRuns, place: Place) -> Spread:
    return spread(k.difficulties(k.cells[place]))


def early(k: ThesisRuns) -> Spread:
    """Returns which share of the last best score there is after a tenth of the largest budget."""
    last = k.growing()[-1]
    tenth = k.results.anytime(last, np.array([last.setting["evaluations"] / 10]))[:, 0]
    return spread(tenth) / spread(k.results.values(last, "score")[: len(tenth)])


def ways(k: ThesisRuns) -> Numbered:
    """Returns how much shorter ways to goals are in one form of congestion than in another, and by size."""
    found = {
        (cell.goal, cell.size): spread(
            k.column(cell, lambda mine: puzzles.way(mine[-1][0])) / int(cell.size[0])
        )
        for cell in k.of("local").values()
    }
    first, second = (
        {size: way for (goal, size), way in found.items() if goal == form}
        for form in ("kartal2016", "koczorowski2023")
    )
    compared = {
        f"{size}, second form − first": second[size] - first[size]
        for size in ("5x5", "8x8")
        if size in first and size in second
    }
    if {"5x5", "8x8"} <= second.keys():
        compared["8x8 − 5x5, second form"] = second["8x8"] - second["5x5"]
    return compared
