"""A game of your own in plain Python: tiles, a function that measures a grid, and what to search for.

Every search runs it at once: it stays compiled, and waits while Python measures. Where that is too slow, give
the game a `compiled` that implements `metric`, as the games that come with levelsmith do.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game
from levelsmith.core import UNSURE, Effort, Grid, Level, Objective, Size, Tiles, Verdict
from levelsmith.errors import LevelsmithError, listed, quoted
from levelsmith.levels.look import HOUSE, Look, Sprite, ground, palette

T = TypeVar("T")
PAINTS = ("floor", "stone", "wood", "jade", "rose", "sky", "gold", "brick", "leaf", "hemp")


class OwnGame(Game):
    """What a game needs besides its tiles, its metrics, its objectives and `measured`, filled in."""

    name: str
    summary: str = "a game of your own"
    tiles: Tiles
    metrics: Mapping[str, str]  # name -> what it counts
    objectives: Mapping[str, Objective] = {}
    default_size: Size = (8, 8)
    smallest: Size = (2, 2)
    largest: Size = (32, 32)
    search: ClassVar[str] = "hc"  # the ones to take where none is named
    representation: ClassVar[str] = "wide"
    ranges_suffice: bool = False  # the first objective says what a level is, whatever ranges are asked for
    colours: Mapping[str, str] = {}
    sprites: Mapping[str, Sprite] = {}

    def measured(self, grid: Grid) -> Mapping[str, float]:
        """Returns the metrics of one grid `[H, W]`, by name."""
        raise NotImplementedError(f"{type(self).__name__} has no method `measured`")

    @property
    def defaults(self) -> Mapping[str, str]:
        first = next(iter(self.objectives), "")
        return {"search": self.search, "representation": self.representation, "objective": first}

    def measure(self, grids: Grid) -> NDArray[np.float64]:
        rows = [self._row(grid) for grid in grids]
        return np.array(rows, np.float64).reshape(len(grids), len(self.metrics))

    def headline(self, level: Level) -> str:
        """Tells every metric; a game with more to say has a method of its own."""
        row = self._row(level.grid)
        return ", ".join(f"{name} {value:g}" for name, value in zip(self.metrics, row, strict=True))

    def _row(self, grid: Grid) -> list[float]:
        found, row = self._ask("could not measure a level", self._measured, grid)
        if len(found) != len(row):
            others = [name for name in found if name not in self.metrics]
            raise LevelsmithError(f"{self.name} measured {listed(others)}, which its metrics do not name")
        if not isfinite(sum(row)):
            name, value = next(pair for pair in zip(self.metrics, row, strict=True) if not isfinite(pair[1]))
            raise LevelsmithError(f"{self.name} measured {name} as {value}; expected a finite number")
        return row

    def _measured(self, grid: Grid) -> tuple[Mapping[str, float], list[float]]:
        found = self.measured(grid.copy())
        return found, [float(found[name]) for name in self.metrics]

    def _ask(self, trouble: str, method: Callable[..., T], *given: Any) -> T:
        """Returns what a method of the game returns; what it raises is told in one line that names the game,
        with the place to look at."""
        try:
            return method(*given)
        except LevelsmithError as error:
            raise LevelsmithError(f"{self.name} {trouble}: {error.marked}") from error
        except Exception as error:
            trace = error.__traceback__
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            code = trace.tb_frame.f_code if trace is not None else None
            where = f" (line {trace.tb_lineno} of {code.co_filename})" if trace and code else ""
            raise LevelsmithError(f"{self.name} {trouble}: {type(error).__name__}: {error}{where}") from error

    def check(self, level: Level) -> None:
        """Any grid of its tiles is a level."""

    def compiled(self, size: Size) -> Any:
        from levelsmith.kernels.outside import make

        return make(size, len(self.metrics), self._row)

    def look(self) -> Look:
        paints = {tile: PAINTS[i % len(PAINTS)] for i, tile in enumerate(self.tiles.names)} | {**self.colours}
        sprites = {tile: self.sprites.get(tile, ground(paints[tile])) for tile in self.tiles.names}
        used = {shape.colour for sprite in sprites.values() for shape in sprite} | {*paints.values(), "ink"}
        unknown = sorted(used - set(HOUSE))
        if unknown:
            raise LevelsmithError(
                f"no colour is called {listed(unknown)} ({self.name}); expected some of: {listed(HOUSE)}"
            )
        terminal = {tile: (paints[tile], "ink") for tile in self.tiles.names}
        return Look(sprites, palette(*sorted(used)), terminal)


class SolvableGame(OwnGame):
    """A game with a solver, and with rules of their own that replay what it finds."""

    solution_columns = ("moves",)
    proof_needed = True  # where `solution` gives None there is none
    walker: ClassVar[str]  # the tile of who moves

    def solution(self, grid: Grid) -> str | None:
        """Returns the shortest solution of a grid, a letter a move, or None where there is none."""
        raise NotImplementedError(f"{type(self).__name__} has no method `solution`")

    def played(self, grid: Grid, moves: str) -> Sequence[Grid]:
        """Returns the grid at the start and after each move; raises LevelsmithError where that is no
        solution."""
        raise NotImplementedError(f"{type(self).__name__} has no method `played`")

    def solve(self, level: Level, effort: Effort, **choices: Any) -> Verdict:
        self.check(level)
        self.check_start(level)
        begun = time.perf_counter()
        found = self._replayed(level.grid)
        spent = {"seconds": time.perf_counter() - begun}
        if found is None:
            return Verdict("unsolvable", False, None, {}, spent)
        return Verdict("solved", True, found, {"moves": len(found)}, spent)

    def prove(self, level: Level) -> str | None:
        """Returns a solution that `played` has accepted; None where there is none, or nothing to begin."""
        try:
            self.check(level)
            self.check_start(level)
        except LevelsmithError:
            return None
        return self._replayed(level.grid)

    def is_shortest(self, level: Level) -> bool:
        """Returns whether the level was made here: then its solution is what `solution` gave."""
        made = "search" in level.provenance and UNSURE not in level.provenance
        return level.solution is not None and made

    def _replayed(self, grid: Grid) -> str | None:
        """Returns the solution of a grid; one that the game's own rules do not accept is an error."""
        found = self._ask("could not solve a level", self.solution, grid.copy())
        if found is None:
            return None
        if not isinstance(found, str):
            raise LevelsmithError(
                f"expected text, a letter a move, or None from the `solution` of {self.name}, "
                f"got {quoted(found)}"
            )
        self._frames(grid, found, f"gives {quoted(found)} as the solution of a level that it does not solve")
        return found

    def _frames(self, grid: Grid, moves: str, trouble: str) -> Sequence[Grid]:
        """Returns the grids that `played` gives; one for the start and one for each move, or it is an
        error."""
        frames = list(self._ask(trouble, self.played, grid.copy(), moves))
        if len(frames) != len(moves) + 1 or not np.array_equal(frames[0], grid):
            raise LevelsmithError(
                f"expected of the `played` of {self.name} the level itself, then a grid after each of "
                f"{len(moves)} moves, got {len(frames)} grids"
                + ("" if len(frames) != len(moves) + 1 else ", of which the first is not the level")
            )
        return frames

    def verify(self, level: Level) -> None:
        """Plays the level's solution by the rules; raises where it is none."""
        if level.solution is not None:
            self.check_start(level)
            self._frames(level.grid, level.solution, "does not accept the solution of a level")

    def frames(self, level: Level) -> Iterator[Grid]:
        return iter(self._frames(level.grid, level.solution or "", "does not accept the solution of a level"))

    def trail(self, level: Level) -> list[tuple[int, int]]:
        """Returns the cells of the walker's way, to draw over a picture."""
        walker = self.tiles.index_of(self.walker)
        return [(int(y), int(x)) for frame in self.frames(level) for y, x in np.argwhere(frame == walker)]
