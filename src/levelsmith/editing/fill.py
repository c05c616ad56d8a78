"""Fill: the free cells of a level made anew, in the style of the cells that stay.

Patches of the level itself and of the game's own levels are laid into the gap; those that meet the cells
around them with the fewest 3x3 windows that were never seen are gone on with, smoothed, and mended until the
level can be played. A game that knows how to furnish a gap itself (`furnished`) has it made harder instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Mendable, Openable, Provable
from levelsmith.core import Aim, Budget, Cancel, Event, Grid, Level, Result
from levelsmith.editing.change import Change, ChangeDrive
from levelsmith.editing.improve import Improvement, UnsolvedError
from levelsmith.editing.nudges import groups, nudged
from levelsmith.editing.repair import free_cells, repair
from levelsmith.editing.style import Style, shipped
from levelsmith.errors import LevelsmithError, amount
from levelsmith.games.climb import Climb
from levelsmith.levels.proof import proof_of
from levelsmith.making.driver import generate, stream
from levelsmith.numbers import check_seed
from levelsmith.registry import games
from levelsmith.request import FILL, Keywords, Request

TRIES = 1_500  # patches that are tried for a gap
BEST = 4  # gaps filled in different ways that are smoothed and mended
SMOOTHING = 1_500  # changes that are tried on each
SEAM = 2  # how far from the cells that stay
SOURCES = 40  # levels that patches are taken from
FRESH = 6  # levels that are made for it where little of the level stays
MUCH = 0.5  # share of free cells from which on little stays
ALIKE = 0.9  # share of the cells that equal their twins, in a level whose halves mirror each other
REPAIRS = 20_000  # candidates of a repair
FURNISHED = 40  # ways to furnish a gap until one can be solved
FURNISHING = 600  # levels looked at then
TIDY = 0.002  # what a cell of a furnished gap costs that differs from the first one


def filling(level: Level, *, cancel: Cancel | None = None, **asked: Unpack[Keywords]) -> Iterator[Event]:
    """Makes the cells that are not locked anew, and tells how it goes; see `improve.improving`."""
    request = Request(level.game, **asked).at(FILL)
    seed = check_seed(request.seed)
    budget = Budget(request.evaluations, request.seconds)
    game = games.get(level.game)
    free = free_cells(level, request.lock)
    if isinstance(game, Mendable):
        if request.evaluations is None and request.seconds is None:
            budget = Budget(FURNISHING)
        return _furnishing(level, free, seed, budget, cancel)
    if game.aims:
        return ChangeDrive(Quilt(level, free, seed), Budget(seconds=budget.seconds), cancel).events()
    return stream(level.game, start=level, cancel=cancel, **request.given)


def _told(free: NDArray[np.bool_], unseen: int) -> dict[str, Any]:
    cells = int(free.sum())
    return {
        "changed": cells,
        "unseen": unseen,
        "told": f"{amount(cells, 'cell')} filled; the others are as they were",
    }


def _furnishing(
    level: Level, free: NDArray[np.bool_], seed: int, budget: Budget, cancel: Cancel | None
) -> Iterator[Event]:
    """Yields what comes of making the gap: first a level that can be solved, then harder ones."""
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    game: Any = games.get(level.game)
    style = Style(level, free)
    aim: Aim = game.aims[0]
    for _ in range(FURNISHED):
        grid = game.furnished(level.grid, free, rng)
        if grid is None or game.trouble(grid):
            continue
        start = replace(level, grid=grid, solution=None)
        try:
            work = Improvement(start, Aim(aim.metric, same=aim.same, most=aim.most), False, free, seed)
        except UnsolvedError:
            continue
        work.style, work.cell, work.step, work.any_will_do = style, TIDY, np.inf, True
        for event in work.run(budget, cancel):
            if isinstance(event, Result):
                made = replace(event.best, grid=game.sealed(event.best.grid, free))
                told = {**_told(free, style.unseen(made.grid)), "after": event.statistics["after"]}
                event = replace(event, best=made, levels=(made,), statistics=told, solved=True)
            yield event
        return
    raise LevelsmithError(
        "nothing that can be solved was found for the cells that may change; unlock more of them"
    )


class Quilt(Change):
    """Gaps with patches laid into them in a few ways, each smoothed and then mended until it can be played.

    Small changes near the cells that stay smooth it: fewer windows were never seen then.
    """

    ended_by = "solved"

    def __init__(self, level: Level, free: NDArray[np.bool_], seed: int):
        self.free, self.seed, self.rng = free, seed, np.random.default_rng(np.random.SeedSequence(seed))
        self.twins = _Twins(level.grid, free)
        self.level = replace(level, grid=self.twins.seen(level.grid))
        self.style = Style(self.level, free)
        around = np.pad(~free, SEAM, constant_values=False)
        self.seam = free & np.lib.stride_tricks.sliding_window_view(around, (2 * SEAM + 1,) * 2).any((2, 3))
        self.made: Level | None = None

    def advance(self, evaluations: int) -> None:
        """Tries so many changes, or fewer where a way is done with; first of all lays the patches."""
        if not self.evaluations:
            self.sources = self._sources()
            ways = [self.level.grid]
            for gap in groups(np.zeros_like(self.level.grid), self.free.astype(np.uint8)):
                ways = self._laid(ways, gap)
            self.evaluations, self.ways = TRIES, iter(ways)
            self._begin(next(self.ways))
        for _ in range(0 if self.exhausted else evaluations):
            self.evaluations += 1
            if not self.changes or not self.climb.far:
                self._mend()
                self._begin(next(self.ways, None))
                return
            self.changes -= 1
            made = nudged(self.climb.here, self.seam, self.sources, self.style.tiles, self.rng)
            made = self.twins.matched(made)
            self.climb.note(made, self.style.unseen(made))

    def _begin(self, way: Grid | None) -> None:
        """Goes on to the next way, if there is one."""
        self.exhausted = way is None
        if way is not None:
            self.climb, self.changes = Climb(way, self.style.unseen(way)), SMOOTHING * self.seam.any()

    def _mend(self) -> None:
        """Keeps the way, made so that it can be played, if it is better than those before."""
        made = self._playable(self.climb.here)
        if made is not None and (score := 1.0 / (1.0 + self.style.unseen(made.grid))) > self.score:
            self.made, self.score = made, score

    def best(self) -> Grid:
        return self.level.grid if self.made is None else self.made.grid

    def outcome(self) -> tuple[Level, float, dict[str, Any]]:
        if self.made is None and not self.exhausted:
            self._mend()
        if self.made is None:
            raise LevelsmithError(
                "nothing that can be played was found for the cells that may change; unlock more of them"
            )
        made = replace(self.made, provenance={"filled": self.level.text, "seed": self.seed})
        return made, 1.0, _told(self.free, self.style.unseen(made.grid))

    def _sources(self) -> list[Grid]:
        """Grids to take patches from: where little of the level stays, new ones, so that none is copied."""
        if self.free.mean() >= MUCH:
            made = generate(self.level.game, size=self.level.size, count=FRESH, seed=self.seed)
            return [grid for one in made.levels for grid in (one.grid, one.grid[:, ::-1])]
        own = shipped(self.level.game)
        chosen = self.rng.permutation(len(own))[:SOURCES]
        grids = [self.level.grid, *(own[i].grid for i in chosen)]
        return [grid for one in grids for grid in (one, one[:, ::-1])]

    def _laid(self, ways: Sequence[Grid], gap: Sequence[tuple[int, int]]) -> list[Grid]:
        """Returns the best grids with a patch in the gap: each of a place and a source."""
        rows, columns = (np.array(side) for side in zip(*gap, strict=True))
        top, left = rows.min(), columns.min()
        height, width = int(rows.max() - top + 1), int(columns.max() - left + 1)
        found: dict[bytes, tuple[int, int, Grid]] = {}
        for number in range(TRIES):
            source = self.sources[int(self.rng.integers(len(self.sources)))]
            room = source.shape[0] - height, source.shape[1] - width
            if min(room) < 0:
                continue
            down, right = int(self.rng.integers(room[0] + 1)), int(self.rng.integers(room[1] + 1))
            if self.rng.random() < 0.5:  # the same place: what is at the bottom there is at the bottom here
                down, right = min(int(top), room[0]), min(int(left), room[1])
            grid = ways[number % len(ways)].copy()
            grid[rows, columns] = source[rows - top + down, columns - left + right]
            grid = self.twins.matched(grid)
            found.setdefault(grid.tobytes(), (self.style.unseen(grid), number, grid))
        best = sorted(found.values(), key=lambda one: one[:2])[:BEST]
        return [grid for _, _, grid in best] or list(ways)

    def _playable(self, grid: Grid) -> Level | None:
        """Returns a level with the ways opened that it lacks, mended and proved; None where it cannot be."""
        game, free = games.get(self.level.game), self.free
        grid = game.settled(grid, free) if isinstance(game, Openable) else grid
        level = replace(self.level, grid=grid, solution=None)
        if isinstance(game, Provable):
            opened = [game.opened(grid, free)] if isinstance(game, Openable) else []
            for each in (grid, *opened):
                made = replace(level, grid=each)
                if plan := proof_of(made):
                    return replace(made, solution=plan)
        lock = [f"{column},{row}" for row, column in np.argwhere(~free)]
        try:
            made = repair(
                level, lock=lock, evaluations=REPAIRS, seed=self.seed, cancel=self.clock.is_over
            ).level
        except LevelsmithError:
            return None
        return None if isinstance(game, Provable) and made.solution is None else made


class _Twins:
    """The cells of a level whose halves mirror each other; of one whose halves do not, none."""

    def __init__(self, grid: Grid, free: NDArray[np.bool_]):
        both = ~free & ~free[:, ::-1]
        same = (grid == grid[:, ::-1])[both]
        told = same.size > 0 and same.mean() >= ALIKE and (grid[both] != grid[both][0]).any()
        right = np.arange(grid.shape[1]) >= (grid.shape[1] + 1) // 2
        none = np.zeros_like(free)
        self.known = free & ~free[:, ::-1] if told else none  # its twin stays, and tells what is here
        self.later = free & free[:, ::-1] & right if told else none

    def seen(self, grid: Grid) -> Grid:
        """Returns the grid with free cells as their twins are."""
        return np.where(self.known, grid[:, ::-1], grid).astype(np.uint8)

    def matched(self, grid: Grid) -> Grid:
        """Returns the same, also where both are free."""
        return np.where(self.known | self.later, grid[:, ::-1], grid).astype(np.uint8)
