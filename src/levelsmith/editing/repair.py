"""Repair: the fewest cells of a level to change until it meets a goal.

What there is to collect stays, wherever opening a way to it will do. All single changes are tried, and pairs
of the best of them. Then, change after change, all are tried on the few best boards until one meets the goal
(a beam search), every change that is not needed is taken back, and the other pairs are tried. Of changes that
do as well, one that looks most like the level is taken.

A level with guards must then be won against them, if need be with them in other places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Mendable, Openable, Provable, WithGuards
from levelsmith.core import SOLVED, Budget, Cancel, Grid, Level, check_level
from levelsmith.editing.kernels.repair import try_changes
from levelsmith.editing.mend import Mender
from levelsmith.editing.nudges import take_back
from levelsmith.editing.style import Style
from levelsmith.errors import LevelsmithError, listed, option
from levelsmith.kernels.boards import board_of, store_board
from levelsmith.levels.proof import proof_of, proved
from levelsmith.levels.solve import against
from levelsmith.making.build import build_problem, start_run
from levelsmith.making.canvas import canvas, lock_words
from levelsmith.making.interrupts import check_cancel
from levelsmith.making.plan import plan
from levelsmith.making.run import Clock
from levelsmith.making.task import Task
from levelsmith.numbers import check_seed
from levelsmith.registry import games
from levelsmith.request import REPAIR, Keywords, Request

WIDTH = 4  # boards that are gone on with
PROMISING = 200  # changes whose pairs are tried before anything else
TRIES = 3  # beams, which differ in what they take among equals
PLANS = 12  # grids that are played, of those that meet the goal
STUCK = 5  # steps without a gain before hill climbing takes over
CLIMBING = {"hc.patience": 0}

Cells = tuple[tuple[int, int], ...]  # (row, col)


@dataclass(frozen=True, slots=True)
class Repair:
    """A repaired level, and what was changed."""

    level: Level
    edits: Cells  # the cells that changed
    fewest: bool  # whether fewer changes were all tried in vain
    evaluations: int


def repair(level: Level, *, cancel: Cancel | None = None, **asked: Unpack[Keywords]) -> Repair:
    """Changes as few cells of a level as possible until it meets a goal.

    Args:
        level: of a game that is searched cell by cell.
        cancel: asked now and then; True stops.
        asked: of what `generate` takes:

            - objective: what to meet; by default what the game asks of any level.
            - want: ranges of metrics.
            - set: parameters of the objectives.
            - lock: cells that must stay.
            - evaluations: candidates to try, by default 500,000; a few more where the last ones are tried
              together.
            - seconds: a time limit.
            - seed: decides among changes that are equally good, by default 0.
            - guards: who the level must be won against: `chase` (the default) or `still`.
    """
    request = Request(check_level(level).game, **asked).at(REPAIR)
    game = games.get(level.game)
    check_cancel(cancel)
    stop = Clock(Budget(request.evaluations, request.seconds).seconds, cancel).is_over
    free = free_cells(level, request.lock)
    check_seed(request.seed)
    if isinstance(game, Mendable):
        if request.objective is not None or request.want or request.set:
            raise LevelsmithError(
                f"a level of {level.game} is repaired until it can be solved; `improve` takes ranges"
            )
        against(game, request.guards)
        return _mended(level, free, stop)
    if request.objective is None and not request.want:
        request = request.but(objective=game.defaults.get("repair", game.defaults.get("objective")))
    values = {**(request.set or {}), **CLIMBING}
    request = request.but(search="hc", representation="wide", set=values, start=level, seconds=None)
    task = plan(request)
    if not task.has_goal:
        raise LevelsmithError(f"{listed(task.objectives)} has no goal, so nothing says what is broken")
    keep = np.isin(level.grid, [level.tiles.index_of(name) for name in game.keeps]) & free
    if keep.any() and not keep[free].all():
        try:
            return _RepairSearch(level, task, stop, keep).done()
        except NotFoundError:
            pass
    return _RepairSearch(level, task, stop, np.zeros_like(keep)).done()


class NotFoundError(LevelsmithError):
    """No repair was found in the budget."""


def free_cells(level: Level, lock: str | Sequence[str]) -> NDArray[np.bool_]:
    """Returns the cells that may change; where those that must stay leave no hope, that is told."""
    words = lock_words(lock)
    locked = canvas(level.size, level, words).locked
    free = np.ones(level.size, np.bool_) if locked is None else ~locked
    why = games.get(level.game).hopeless(level, free) if words else None
    if why is not None:
        raise LevelsmithError(why)
    return free


def _mended(level: Level, free: NDArray[np.bool_], cancel: Callable[[], bool]) -> Repair:
    mender = Mender(level, free, cancel)
    grid, solution, fewest = mender.mended()
    edits = edits_between(level.grid, grid)
    origin = {"repaired": level.text, "cells": len(edits)} if edits else level.provenance
    made = replace(level, grid=grid, solution=solution, provenance=origin)
    return Repair(made, edits, fewest, mender.spent)


def edits_between(before: Grid, after: Grid) -> Cells:
    return tuple((row, col) for row, col in np.argwhere(before != after).tolist())


class _RepairSearch:
    """A level that is being repaired, and what has been spent and proved."""

    def __init__(self, level: Level, task: Task, cancel: Callable[[], bool], kept: NDArray[np.bool_]):
        """Begins a repair in which the cells of `kept` stay, although they are not locked."""
        self.level, self.task, self.cancel, self.kept = level, task, cancel, kept
        self.style = Style(level)
        self.provable = isinstance(games.get(level.game), Provable)
        self.problem = build_problem(task)
        self.rng = np.random.default_rng(task.sequence)
        self.spent = 0
        self.tried = 0  # all levels with so many changes were tried in vain
        self.cells, self.tiles = self._changes()

    def done(self) -> Repair:
        found = self.level.grid if self.met(self.level.grid) else self.searched()
        level = self._proved(found)
        edits = edits_between(self.level.grid, level.grid)
        fewest = len(edits) <= self.tried + 1 and bool((level.grid == found).all())
        return Repair(level, edits, fewest or not edits, self.spent)

    def searched(self) -> Grid:
        """Returns a grid that meets the goal, by as few changes as were found."""
        found = self.single()
        if found is None:
            found = self.paired(0, PROMISING)
        if found is None:
            ways = [self.opened(), *(self.beamed() for _ in range(TRIES))]
            if all(way is None for way in ways):
                ways = [self.climbed()]
            found = min((self.needed(way) for way in ways if way is not None), key=self.edits, default=None)
        if found is None or self.edits(found) > 2:
            pair = self.paired(PROMISING, len(self.cells))
            found = found if pair is None else pair
        if found is None:
            raise NotFoundError(
                "no repair was found in the budget; "
                f"try more {option('evaluations')} or fewer {option('lock')}"
            )
        return found

    def edits(self, grid: Grid) -> int:
        return len(edits_between(self.level.grid, grid))

    @property
    def usual(self) -> bool:
        """Whether the goal is what the game asks of any repair."""
        usual = games.get(self.level.game).defaults.get("repair")
        return self.task.objectives == (usual,) and not self.task.wants

    @property
    def places(self) -> NDArray[np.int64]:
        """The cells that are not locked."""
        return np.asarray(self.problem.representation.places, np.int64)

    @property
    def over(self) -> bool:
        return self.spent >= (self.task.budget.evaluations or 0) or self.cancel()

    def _changes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns cells and new tiles worth trying: a game may know that some tiles help no more than
        others."""
        game, names = games.get(self.level.game), self.level.tiles.names
        every = names[: self.level.tiles.kinds]
        useful = game.mends(self.level.grid) if self.usual and isinstance(game, Openable) else every
        free = self.places
        free = free[~self.kept.flat[free]]
        cells = np.repeat(free, len(useful))
        tiles = np.tile([names.index(name) for name in useful], len(free))
        real = self.level.grid.flat[cells] != tiles
        return cells[real], tiles[real]

    def scores(self, grid: Grid, most: int | None = None) -> NDArray[np.float64]:
        """Returns what each change makes of a grid, or each of the first ones."""
        problem = self.problem
        packed = np.zeros(problem.representation.words, np.uint64)
        store_board(board_of(grid.ravel(), self.level.tiles.kinds), packed)
        cells, tiles = self.cells[:most], self.tiles[:most]
        found = np.zeros(len(cells))
        try_changes(
            problem.representation.board, problem.game, problem.objective, packed, cells, tiles, found
        )
        self.spent += len(cells)
        return found

    def met(self, grid: Grid) -> bool:
        """Tells whether a grid meets the goal: that of a change which changes nothing."""
        cells, tiles = self.cells, self.tiles
        self.cells, self.tiles = np.zeros(1, np.int64), grid.ravel()[:1].astype(np.int64)
        found = self.scores(grid)[0] >= SOLVED
        self.cells, self.tiles = cells, tiles
        return bool(found)

    def changed(self, grid: Grid, number: int) -> Grid:
        grid = grid.copy()
        grid.flat[self.cells[number]] = self.tiles[number]
        return grid

    def single(self) -> Grid | None:
        """Returns a grid with one change that meets the goal; from now on changes are in order, the best
        first."""
        scores = self.scores(self.level.grid)
        order = np.argsort(-scores, kind="stable")
        self.cells, self.tiles = self.cells[order], self.tiles[order]
        if scores.max(initial=0.0) >= SOLVED:
            return self.likest(self.level.grid, range(int((scores >= SOLVED).sum())))
        self.tried = 1
        return None

    def likest(self, grid: Grid, numbers: Iterable[int]) -> Grid:
        """Returns the grid, with one of some changes, that has few windows never seen, and a plan."""
        ways = sorted((self.changed(grid, int(number)) for number in numbers), key=self.style.unseen)
        if not self.provable:
            return ways[0]
        plans = (way for way in ways[:PLANS] if self._plan(way))
        return next(plans, ways[0])

    def paired(self, first: int, last: int) -> Grid | None:
        """Returns a grid with two changes that meets the goal, one of them from `first` on and both before
        `last`."""
        for one in range(max(1, first), min(last, len(self.cells))):
            if self.over:
                return None
            grid = self.changed(self.level.grid, one)
            scores = self.scores(grid, one)
            if scores.max() >= SOLVED:
                return self.likest(grid, np.flatnonzero(scores >= SOLVED).tolist())
        if last >= len(self.cells):
            self.tried = 2
        return None

    def opened(self) -> Grid | None:
        """Returns the grid with ways opened, of a game that knows where, if that meets the goal."""
        game = games.get(self.level.game)
        if not isinstance(game, Openable):
            return None
        free = np.zeros(self.level.size, np.bool_)
        free.flat[self.cells] = True
        grid = game.opened(self.level.grid, free)
        return grid if self.met(grid) else None

    def beamed(self) -> Grid | None:
        """Returns all changes of the few best grids, again and again."""
        beam, best, stuck = [self.level.grid], -np.inf, 0
        while not self.over and stuck < STUCK:
            ways = []
            for grid in beam:
                found = self.scores(grid)
                order = np.lexsort((self.rng.random(len(found)), -found))[:WIDTH]
                ways += [(float(found[i]), self.changed(grid, int(i))) for i in order]
            ways.sort(key=lambda way: -way[0])
            if ways[0][0] >= SOLVED:
                return ways[0][1]
            stuck = 0 if ways[0][0] > best else stuck + 1
            best = max(best, ways[0][0])
            beam = list({grid.tobytes(): grid for _, grid in ways}.values())[:WIDTH]
        return None

    def climbed(self) -> Grid | None:
        search = start_run(self.task)
        while not self.over and search.score < SOLVED:
            before = search.evaluations
            search.advance(1000)
            self.spent += search.evaluations - before
        return search.best() if search.score >= SOLVED else None

    def needed(self, grid: Grid) -> Grid:
        """Returns the grid with every change taken back that is not needed."""
        return take_back(self.level.grid, grid, lambda without, _: self.met(without))

    def _proved(self, grid: Grid) -> Level:
        """Returns the level with its plan, of a game whose agent finds one."""
        same, game = bool((grid == self.level.grid).all()), self.task.played
        origin = self.level.provenance if same else self.task.provenance()
        level = replace(self.level, grid=grid, solution=None, provenance=origin)
        if isinstance(game, WithGuards) and self.task.wins and self.usual:
            return self._won(level, game.variants(level))
        if same:
            return self.level
        found = proved(level, game)
        if found.solution is None and self.task.needs_proof and not self.task.wins:
            raise NotFoundError(f"what was found meets its goal, but {level.game} finds no solution of it")
        return found

    def _won(self, level: Level, others: Iterable[Level]) -> Level:
        """Returns the level, or one with enemies in other places, with the plan that wins it."""
        locked = np.ones(level.grid.size, np.bool_)
        locked[self.places] = False
        if plan := self._plan(level.grid):
            return replace(level, solution=plan)
        for each in others:
            stays = (each.grid == self.level.grid).ravel()[locked].all()
            if stays and (plan := self._plan(each.grid)):
                return replace(each, solution=plan, provenance=self.task.provenance())
        raise NotFoundError(
            "nothing that is won against its guards was found; move them, or leave them still "
            f"({option('guards', 'still')})"
        )

    def _plan(self, grid: Grid) -> str | None:
        return proof_of(replace(self.level, grid=grid, solution=None), self.task.played)
