"""Repair of a level whose game knows its faults: the fewest small changes until a solver solves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Effort, Grid, Level
from levelsmith.editing.nudges import take_back
from levelsmith.editing.style import Style
from levelsmith.errors import LevelsmithError
from levelsmith.levels.solve import reason
from levelsmith.registry import games

WIDTH = 8  # grids that are gone on with
DEPTH = 8  # changes one after the other at most
STATES = 20_000  # that the solver may look at for each
SOLVES = 3_000  # at most
REMOVED = 3  # what taking one of the things away that a level shall keep counts, in changed cells


class Mender:
    """A level that is being mended, and how many grids were looked at."""

    def __init__(self, level: Level, free: NDArray[np.bool_], cancel: Callable[[], bool]):
        self.level, self.free, self.cancel = level, free, cancel
        game: Any = games.get(level.game)
        self.game = game
        self.style = Style(level)
        self.spent = self.solves = 0
        self.sure = True  # that what the solver did not solve cannot be solved
        self.things = self._things(level.grid)

    def mended(self) -> tuple[Grid, str, bool]:
        """Returns the grid, its solution, and whether all that change fewer cells were tried."""
        beam, seen = [self.level.grid], {self.level.grid.tobytes()}
        solution = self.solved(self.level.grid) if self.game.trouble(self.level.grid) == 0 else None
        if solution is not None:
            return self.level.grid, solution, True
        for _ in range(DEPTH):
            ways: list[tuple[float, tuple[int, int], int, Grid]] = []
            for grid in beam:
                for made in self.game.mendings(grid, self.free):
                    if made.tobytes() not in seen:
                        seen.add(made.tobytes())
                        ways.append((self.game.trouble(made), self.cost(made), len(ways), made))
            self.spent += len(ways)
            ways.sort(key=lambda way: way[:3])
            for trouble, _, _, grid in ways:
                if trouble or self.solves >= SOLVES or self.cancel():
                    break
                solution = self.solved(grid)
                if solution is not None:
                    grid, solution = self.needed(grid, solution)
                    changed = int((grid != self.level.grid).sum())
                    return grid, solution, changed == 1 or (changed == 2 and self.sure)
            beam = [way[3] for way in ways[:WIDTH]]
        raise LevelsmithError(
            f"no repair with up to {DEPTH} changes was found{self.why()}; draw more of it, or lock less"
        )

    def _things(self, grid: Grid) -> tuple[int, ...]:
        return tuple(self.game.things(grid))

    def cost(self, grid: Grid) -> tuple[int, int]:
        """Returns cells that changed, things that are gone among them more than once; then windows never
        seen."""
        gone = sum(max(0, was - now) for was, now in zip(self.things, self._things(grid), strict=True))
        changed = int((grid != self.level.grid).sum())
        return changed + REMOVED * gone, self.style.unseen(grid)

    def solved(self, grid: Grid) -> str | None:
        self.solves += 1
        level = replace(self.level, grid=grid, solution=None)
        try:
            self.game.check(level)
        except LevelsmithError:
            return None
        verdict = self.game.solve(level, Effort(states=STATES, seconds=None))
        self.sure &= verdict.status != "unknown"
        solution: str | None = verdict.solution
        return solution

    def needed(self, grid: Grid, solution: str) -> tuple[Grid, str]:
        """Returns the grid without changes that it does as well without."""

        def does(without: Grid, now: Grid) -> bool:
            nonlocal solution
            if self.cost(without) >= self.cost(now) or self.game.trouble(without):
                return False
            found = self.solved(without)
            solution = found or solution
            return found is not None

        return take_back(self.level.grid, grid, does), solution

    def why(self) -> str:
        """Returns what the rule book says of the level as it is."""
        try:
            self.game.check(self.level)
        except LevelsmithError as error:
            return f" ({reason(error, self.level).removeprefix(f'this is no level of {self.game.name}: ')})"
        return ""
