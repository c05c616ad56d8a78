"""What papers on Sokoban say of levels and no metric tells: floor out of reach, fewest pushes, likeness."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Solvable
from levelsmith.core import Effort, Level
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import Numbers
from levelsmith.games.touching import cells_where, reached
from levelsmith.registry import games

Kept = tuple[Level, dict[str, Any]]  # a level and what is known of it, as `Results.levels` gives them
Item = TypeVar("Item")
MANY = 1_000_000
STATES = 30_000  # that a solver may take for a level


class PuzzleRuns:
    """An experiment's file, with the levels that each run kept."""

    def __init__(self, results: Results):
        self.results = results
        self._kept: dict[int, dict[int, list[Kept]]] = {}

    def kept(self, cell: CellRuns) -> dict[int, list[Kept]]:
        """Returns the levels that each run kept by its number, read once."""
        if cell.id not in self._kept:
            self._kept[cell.id] = by_run(self.results, cell)
        return self._kept[cell.id]

    def column(self, cell: CellRuns, figure: Callable[[list[Kept]], float]) -> Numbers:
        """Returns a figure of the levels that each run kept, by the number of the run; nan for missing
        runs."""
        kept = self.kept(cell)
        made = np.full(max([cell.asked, *(number + 1 for number in kept)]), math.nan)
        for number, mine in kept.items():
            made[number] = figure(mine)
        return made


def by_run(results: Results, cell: CellRuns) -> dict[int, list[Kept]]:
    """Returns the levels that each run kept, in the order in which they were found, the best one last.

    The best carries the evaluations of its whole run; the history tells when it was found.
    """
    found: dict[int, list[Kept]] = {}
    for each in results.levels(cell, MANY, kept=True):  # the best come first
        found.setdefault(each[1]["number"], []).append(each)
    owners, steps = results.history(cell)
    for number, (best, *rest) in found.items():
        last = steps[owners == number][-1:, 0]
        best[1]["evaluations"] = int(last[0]) if len(last) else best[1]["evaluations"]
        found[number] = [*sorted(rest, key=lambda each: each[1]["evaluations"] or 0), best]
    return found


def until(kept: Sequence[Kept], evaluations: float) -> list[Kept]:
    """Returns what was found in so many evaluations."""
    return [each for each in kept if (each[1]["evaluations"] or 0) <= evaluations]


def open_cells(level: Level) -> tuple[int, int]:
    """Returns how many cells are no wall, and to how many of them the player could walk without boxes."""
    free = cells_where(~_holds(level, "solid"))
    return len(free), len(reached(cells_where(_holds(level, "spawn")), free))


def _holds(level: Level, tag: str) -> NDArray[np.bool_]:
    """Returns the cells whose tile has a tag."""
    return np.isin(level.grid, [i for i, tile in enumerate(level.tiles) if tag in tile.tags])


def unreachable(level: Level) -> int:
    """Returns how many cells are floor that walls keep the player from."""
    cells, walked = open_cells(level)
    return cells - walked


def fewest_pushes(level: Level) -> float:
    """Returns how many pushes a level needs; nan where that is not found out soon."""
    return _solved(level.game, level.text)[0]


def difficulty(level: Level) -> float:
    """Returns the difficulty of a solution with the fewest pushes; nan where none is found soon."""
    return _solved(level.game, level.text)[1]


@lru_cache(maxsize=20_000)
def _solved(game: str, text: str) -> tuple[float, float]:
    from levelsmith.levels.formats.text import parse

    solver = games.get(game)
    if not isinstance(solver, Solvable):
        return math.nan, math.nan
    found = solver.solve(parse(text, game), Effort(states=STATES, seconds=None))
    if not found.optimal or found.solution is None:
        return math.nan, math.nan
    return float(found.metrics["pushes"] or 0), float(found.metrics["difficulty"] or 0)


def pushes_needed(level: Level, metrics: dict[str, Any]) -> float:
    """Returns the fewest pushes, or where they are not known how many its boxes need one by one."""
    known = fewest_pushes(level)
    return metrics["pushes"] - metrics["detour"] if math.isnan(known) else known


def way(level: Level) -> float:
    """Returns how far a box is from where the solution leaves it, along rows and columns; the mean of all."""
    from levelsmith.levels.film import frames

    boxes = [_boxes(replace(level, grid=grid)) for grid in frames(level)]
    start_of = {box: box for box in boxes[0]}  # by where it is now
    for before, after in pairwise(boxes):
        for left, met in zip(before - after, after - before, strict=True):
            start_of[met] = start_of.pop(left)
    ways = [abs(now[0] - start[0]) + abs(now[1] - start[1]) for now, start in start_of.items()]
    return float(np.mean(ways)) if ways else math.nan


def _boxes(level: Level) -> set[tuple[int, int]]:
    return cells_where(_holds(level, "box"))


def spaced(items: Sequence[Item], most: int) -> list[Item]:
    """Returns so many of a sequence at most, from the first to the last."""
    places: Any = np.linspace(0, len(items) - 1, most).round().astype(int) if items else ()
    return [items[i] for i in dict.fromkeys(places)]


def likeness(levels: Sequence[Level]) -> float:
    """Returns the share of cells that are the same in two levels; the mean of all pairs."""
    shares = [float((one.grid == other.grid).mean()) for one, other in combinations(levels, 2)]
    return float(np.mean(shares)) if shares else math.nan
