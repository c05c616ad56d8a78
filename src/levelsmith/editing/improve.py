"""Improve: a level made harder, longer or easier by as few changes as it takes, in its own style.

Simulated annealing over small changes. What a level gains is weighed against the cells that differ from the
level as it was and against the 3x3 windows that were never seen there or in the game's own levels. At the end
every change that the aim does not need is taken back.

Where guards chase, levels are weighed while these stand still, and the best of them that is won against them
is the result.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Nudgeable, Solvable, WithGuards
from levelsmith.core import Aim, Budget, Cancel, Effort, Event, Grid, Level, Result, check_level
from levelsmith.editing.change import Change, ChangeDrive
from levelsmith.editing.nudges import groups, nudged, put_back, take_back
from levelsmith.editing.repair import free_cells
from levelsmith.editing.style import Style, shipped
from levelsmith.errors import LevelsmithError, amount, listed, option, quoted, unknown
from levelsmith.games.climb import Climb, far_off
from levelsmith.kernels.maths import power
from levelsmith.levels.measure import measure
from levelsmith.levels.proof import proof_of
from levelsmith.levels.solve import against
from levelsmith.making.interrupts import check_cancel
from levelsmith.making.wants import Want, check_measured, check_possible
from levelsmith.making.wants import wanted as wants_of
from levelsmith.numbers import check_seed
from levelsmith.registry import games
from levelsmith.request import IMPROVE, Keywords, Request

STEP = 1.25  # how much more of the metric is aimed at
EASIER = 0.5, 0.8  # what part of the metric an easier level has
CELL = 0.02  # what a changed cell costs, where reaching the aim is worth 1
WINDOW, OWN_WINDOW = 0.03, 0.01  # what a window costs that was never seen; where only the level tells, less
HOT, COLD = 0.1, 0.005  # temperatures
WARMING = 100  # changes in a row that lead to no new level, after which it is twice as hot
ON_THE_WAY = 0.3  # what it costs while changing that a metric has not fallen which should; at the end 1
TRIES = 1_000  # levels looked at in a round
ROUNDS = 4  # at most, each from the level as it was, while not all has fallen that should
STALE = 250  # evaluations without a better level, after which an aim that is reached is left
DRAWS = 40  # changes that are drawn for each evaluation at most
STATES = 100_000  # that a solver may look at for the level as it was
MORE_STATES = 5  # times as many as that took, for each that is made of it
LEAST_STATES = 5_000
DIFFICULTY = "difficulty"  # the metric of that name, of games that have one
FOUGHT = 8  # of the best levels that are tried against guards
SOURCES = 12  # levels of the game's own that patches are copied from, besides the level

Facts = tuple[dict[str, float], str | None]  # metrics and a solution


def improve(
    level: Level,
    *,
    by: str | None = None,
    easier: bool = False,
    cancel: Cancel | None = None,
    **asked: Unpack[Keywords],
) -> Result:
    """Returns a version of a level with a quarter more of a metric and as few changes as possible.

    Ctrl-C raises KeyboardInterrupt, with the best so far, if there is one, as its `result`.

    Args:
        level: one that can be played.
        by: the metric to raise; by default the first of the game's `aims`.
        easier: lowers it instead, to between a half and four fifths.
        cancel: asked now and then; True stops.
        asked: of what `generate` takes:

            - want: ranges of metrics that the new level lies in.
            - lock: cells that must stay.
            - evaluations: levels to look at; by default 1,000, and up to four times as many where a harder
              one is not found in them that is solved by chance less often.
            - seconds: a time limit.
            - seed: decides what is tried, by default 0.
            - guards: who the level must be won against: `chase` (the default) or `still`.

    Returns:
        The new level as `best`. `statistics` has how many cells `changed`, how many 3x3 windows are `unseen`,
        the metrics `before` and `after`, and one line, `told`.
    """
    events = improving(level, by=by, easier=easier, cancel=cancel, **asked)
    (result,) = [event for event in events if isinstance(event, Result)]
    return result


def improving(
    level: Level,
    *,
    by: str | None = None,
    easier: bool = False,
    cancel: Cancel | None = None,
    **asked: Unpack[Keywords],
) -> Iterator[Event]:
    """Yields the progress of `improve`, and its result last."""
    request = Request(check_level(level).game, **asked).at(IMPROVE)
    aim = aim_of(level, by)
    free = free_cells(level, request.lock)
    if not isinstance(easier, bool):
        raise LevelsmithError(f"expected True or False for {option('easier')}, got {quoted(easier)}")
    given = request.evaluations is not None or request.seconds is not None
    rounds = 1 if given else ROUNDS
    budget = Budget(request.evaluations if given else TRIES * rounds, request.seconds)
    check_cancel(cancel)
    game = games.get(level.game)
    wants = wants_of(game, request.want or {})
    check_possible(game, wants, level.size)
    check_measured(against(game, request.guards), wants)
    improvement = Improvement(level, aim, easier, free, check_seed(request.seed), request.guards, wants)
    return improvement.run(budget, cancel, rounds)


def aim_of(level: Level, by: str | None) -> Aim:
    """Returns the aim of that name, or the first of the game."""
    aims = games.get(level.game).aims
    if by is not None and not isinstance(by, str):
        raise LevelsmithError(f"expected the name of a metric for {option('by')}, got {quoted(by)}")
    if not aims:
        able = [name for name in games if games.get(name).aims]
        raise LevelsmithError(
            f"nothing says what makes a level of {level.game} better; expected one of {listed(able)}"
        )
    for aim in aims:
        if by is None or by.replace("-", "_") == aim.metric:
            return aim
    raise unknown(f"aim of {level.game}", by or "", [aim.metric for aim in aims])


class UnsolvedError(LevelsmithError):
    """The level that shall get better cannot be played, as far as is known."""


class Improvement(Change):
    """A level that is being improved, and all that was found out on the way."""

    ended_by = "evaluations"

    def __init__(
        self,
        level: Level,
        aim: Aim,
        easier: bool,
        free: NDArray[np.bool_],
        seed: int,
        guards: str | None = None,
        wants: tuple[Want, ...] = (),
    ):
        self.wants = wants  # ranges that the new level lies in
        self.level, self.aim, self.easier, self.free, self.seed = level, aim, easier, free, seed
        self.played: Any = against(games.get(level.game), guards)
        fights = isinstance(self.played, WithGuards) and self.played.guards == "chase"
        self.game: Any = self.played.against("still") if fights else self.played
        self.fights = fights
        self.rng = np.random.default_rng(np.random.SeedSequence(seed))
        self.style = Style(level)
        own = shipped(level.game)
        chosen = self.rng.permutation(len(own))[:SOURCES]
        self.sources = [level.grid, level.grid[:, ::-1], *(own[i].grid for i in chosen)]
        self.window = WINDOW if own else OWN_WINDOW
        self.cell, self.step = CELL, STEP
        self.any_will_do = False  # whether the level as it is may be the result
        self.solver_tells: frozenset[str] = frozenset()  # the metrics of a solution
        self.known: dict[bytes, Facts | None] = {}
        self.before: Mapping[str, float] = {}
        self.effort = Effort(states=STATES, seconds=None)
        found = self.facts(level.grid)
        if found is None:
            raise UnsolvedError(
                "no solution was found, so that nothing says what is better; levelsmith repair may mend it"
            )
        self.before = found[0]
        self.bests: list[Grid] = []
        self.since = self.evaluations  # the best was found
        self.limit: float = math.inf  # levels that are looked at in a round
        self.rounds, self.first, self.draws = 1, 0, 0  # left; evaluations before this one; changes in it
        self.idle, self.looked = 0, 0  # changes in a row that led to no new level
        self.climb = Climb(level.grid, 0.0)

    def facts(self, grid: Grid) -> Facts | None:
        """Returns the metrics of a level that can be played and is no worse otherwise, with its solution."""
        key = grid.tobytes()
        if key not in self.known:
            self.known[key] = self._found(replace(self.level, grid=grid, solution=None))
        return self.known[key]

    def _found(self, level: Level) -> Facts | None:
        game = self.game
        if self.things(level.grid) != self.things(self.level.grid):
            return None
        try:
            game.check(level)
            game.check_start(level)
        except LevelsmithError:
            return None
        wanted = {want.metric for want in self.wants}
        names = {self.aim.metric, *self.aim.grows, *self.aim.at_least, *self.aim.at_most, *wanted}
        metrics: dict[str, float] = {}
        if not names <= self.solver_tells:
            metrics |= dict(zip(game.metrics, game.measure(level.grid[None])[0].tolist(), strict=True))
        if not isinstance(game, Solvable):
            self.evaluations += 1
            return (metrics, None) if self.holds(metrics, frozenset()) else None
        if not self.holds(metrics, self.solver_tells):
            return None
        self.evaluations += 1
        verdict = game.solve(level, self.effort)
        if verdict.solution is None:
            return None
        if not self.before:  # the level as it was: what is made of it may take some times as many states
            states = MORE_STATES * int(verdict.statistics.get("states", 0))
            self.effort = Effort(states=max(LEAST_STATES, states), seconds=None)
            self.solver_tells = frozenset(verdict.metrics)
        metrics |= {name: value or 0.0 for name, value in verdict.metrics.items()}
        return (metrics, verdict.solution) if self.holds(metrics, frozenset()) else None

    def things(self, grid: Grid) -> list[int]:
        """Returns how many cells there are of each kind of thing that stays as many."""
        tiles = [[i for i, tile in enumerate(self.level.tiles) if tag in tile.tags] for tag in self.aim.same]
        return [int(np.isin(grid, kinds).sum()) for kinds in tiles]

    def holds(self, metrics: Mapping[str, float], unknown: frozenset[str]) -> bool:
        """Tells whether nothing else got worse; metrics that are not known yet are passed over."""
        if not self.before:
            return True
        aim, before = self.aim, self.before
        return all(metrics[name] >= before[name] for name in aim.at_least if name not in unknown) and all(
            metrics[name] <= before[name] for name in aim.at_most if name not in unknown
        )

    def lacks(self, metrics: Mapping[str, float], each: float = 1.0) -> float:
        """Returns how much a harder level lacks of what should grow with the aim, and `each` for all that
        should have fallen and has not."""
        if self.easier:
            return 0.0
        less = (far_off(metrics[name], self.before[name], math.inf) for name in self.aim.grows)
        return sum(less) + each * len(self.unfallen(metrics))

    def off(self, metrics: Mapping[str, float]) -> float:
        """Returns how far a level is from its ranges, each in parts of its end."""
        known = (want for want in self.wants if want.metric not in self.game.unmeasured)
        return sum(far_off(metrics.get(want.metric, math.nan), want.low, want.high) for want in known)

    def unfallen(self, metrics: Mapping[str, float]) -> list[str]:
        """Returns the metrics that should be lower in a harder level and are not, where they are known."""
        known = [name for name in self.aim.falls if name in metrics and name in self.before]
        return [] if self.easier else [name for name in known if metrics[name] >= self.before[name]]

    def gain(self, metrics: Mapping[str, float]) -> float:
        """Returns how much of the aim is reached: 0 as the level was, 1 where it is enough."""
        now, before = metrics[self.aim.metric], self.before[self.aim.metric]
        if self.easier:
            least, wanted = (part * before for part in EASIER)
            return -1.0 if now < least else min(1.0, (before - now) / max(before - wanted, 1e-9))
        wanted = min(max(self.step * before, before + 1), (before + self.aim.most) / 2)
        return min(1.0, (now - before) / max(wanted - before, 1e-9))

    def cost(self, grid: Grid) -> float:
        return self.cell * int((grid != self.level.grid).sum()) + self.window * self.style.unseen(grid)

    def drawn(self, grid: Grid) -> Grid:
        """Returns the grid with a small change, or with one taken back."""
        if self.rng.random() < 0.15 and (changed := groups(self.level.grid, grid)):
            return put_back(self.level.grid, grid, changed[self.rng.integers(len(changed))])
        if isinstance(self.game, Nudgeable):
            return np.asarray(self.game.nudged(grid, self.free, self.rng))
        return nudged(grid, self.free, self.sources, self.level.tiles.kinds, self.rng)

    def run(self, budget: Budget, cancel: Cancel | None, rounds: int = 1) -> Iterator[Event]:
        """Yields the progress of up to `rounds` rounds, from the level as it was, as long as none is good in
        all respects; then the result."""
        self.limit, self.rounds = (budget.evaluations or math.inf) / rounds, rounds
        return ChangeDrive(self, budget, cancel).events()

    def best(self) -> Grid:
        return self.bests[-1] if self.bests else self.level.grid

    def advance(self, evaluations: int) -> None:
        """Looks at so many levels, or fewer where one is better than all before."""
        most, score = self.evaluations + evaluations, self.score
        while self.evaluations < most and self.score == score and not self.clock.is_over():
            done = max(self.evaluations - self.first, self.draws / DRAWS)
            if done >= self.limit:
                self.rounds -= 1
                self.exhausted = not self.rounds or (bool(self.bests) and self.fallen(self.best()))
                self.climb.begin(self.level.grid, 0.0)
                self.first, self.draws, done = self.evaluations, 0, 0
            elif self.evaluations - self.since > STALE and self.bests and self.reached(self.best()):
                self.exhausted, self.ended_by = True, "solved"
            if self.exhausted:
                return
            late = 0.0 if self.clock.limit is None else self.clock.seconds / self.clock.limit
            self.try_change(max(done / self.limit, late))

    def try_change(self, part: float) -> None:
        """Draws a change, and looks at the level if it is not too dear; `part` of the search has gone by."""
        self.draws += 1
        self.idle = 0 if self.evaluations > self.looked else self.idle + 1
        self.looked = self.evaluations
        climb = self.climb
        climb.heat = HOT * power(COLD / HOT, min(part, 1.0)) * (1.0 + self.idle / WARMING)
        chance = 1.0 - self.rng.random()  # drawn first: what is dearer than it allows is not looked at
        grid = self.drawn(climb.here)
        cost = self.cost(grid)
        if not climb.accepts(cost - 1.0, lambda: chance) or np.array_equal(grid, climb.here):
            return
        if (found := self.facts(grid)) is None:
            return
        metrics = found[0]
        gain, off = self.gain(metrics), self.off(metrics)
        worth = gain - self.lacks(metrics) - cost
        if worth > self.score and gain > 0 and not off:  # however much it costs, it is better than nothing
            self.score, self.since = worth, self.evaluations
            self.bests.append(grid)
        climb.note(grid, self.lacks(metrics, ON_THE_WAY) + off + cost - gain, lambda: chance)

    def won(self, grids: Sequence[Grid]) -> tuple[Grid, str]:
        """Returns the first of the grids that is won against its guards, within ranges that only a plan
        against them tells, and not graded the other way, with the plan."""
        before, others, outside = self.grade(self.level), 0, 0
        told = [want for want in self.wants if want.metric in self.game.unmeasured]
        for grid in grids[:FOUGHT]:
            level = replace(self.level, grid=grid, solution=None)
            plan = proof_of(level, self.played)
            if plan is None:
                continue
            level = replace(level, solution=plan)
            metrics = measure(level) if told else {}
            if any(not want.low <= (metrics[want.metric] or 0.0) <= want.high for want in told):
                outside += 1
                continue
            now = self.grade(level)
            if None in (before, now) or np.array_equal(grid, self.level.grid):
                return grid, plan
            if (now <= before) if self.easier else (now >= before):
                return grid, plan
            others += 1
        if outside and not others:
            ranges = listed(f"{want.metric} {want.range}" for want in told)
            raise LevelsmithError(
                f"what was found is won, but not with {ranges}; try wider ranges, or another seed"
            )
        why = (
            f"what was found is graded {'harder' if self.easier else 'easier'} once it is won"
            if others
            else "of what was found nothing is won"
        )
        raise LevelsmithError(
            f"{why} against its guards; try another seed, or leave these still ({option('guards', 'still')})"
        )

    def grade(self, level: Level) -> Any:
        """Returns the difficulty of a level by its own plan or one that is found; None where none is."""
        if DIFFICULTY not in self.played.metrics:
            return None
        plan = level.solution or proof_of(level, self.played)
        number = measure(replace(level, solution=plan))[DIFFICULTY]
        return None if number is None else float(number)

    def fallen(self, grid: Grid) -> bool:
        """Tells whether all has fallen that should."""
        found = self.facts(grid)
        return found is not None and not self.unfallen(found[0])

    def reached(self, grid: Grid) -> bool:
        found = self.facts(grid)
        return found is not None and self.gain(found[0]) >= 1.0 and self.fallen(grid)

    def needed(self, grid: Grid) -> Grid:
        """Returns the grid with every change taken back, in groups and one by one, that the aim does not
        need."""
        found = self.facts(grid)
        enough, lacks = (0.0, 0.0) if found is None else (self.gain(found[0]), self.lacks(found[0]))

        def does(without: Grid, now: Grid) -> bool:
            if self.cost(without) >= self.cost(now) or np.array_equal(without, self.level.grid):
                return False
            found = self.facts(without)
            return (
                found is not None
                and self.gain(found[0]) >= enough
                and self.lacks(found[0]) <= lacks
                and not self.off(found[0])
            )

        return take_back(self.level.grid, grid, does)

    def outcome(self) -> tuple[Level, float, dict[str, Any]]:
        grid, plan = self.best(), None
        if self.bests:
            grid = self.needed(grid)
        if self.fights and (self.bests or self.any_will_do):
            grid, plan = self.won([grid, *reversed(self.bests)])
        found = self.facts(grid)
        if found is None or (np.array_equal(grid, self.level.grid) and not self.any_will_do):
            way, wider = "less" if self.easier else "more", ", wider ranges" if self.wants else ""
            asked = listed(f"{want.metric.replace('_', ' ')} {want.range}" for want in self.wants)
            within = f", and with {asked}," if self.wants else ""
            raise LevelsmithError(
                f"nothing with {way} {self.aim.metric.replace('_', ' ')} than its "
                f"{self.before[self.aim.metric]:.4g}{within} was found in "
                f"{self.evaluations:,} tries; try longer{wider}, or lock fewer cells"
            )
        metrics, solution = found
        changed, unseen = int((grid != self.level.grid).sum()), self.style.unseen(grid)
        origin = {"improved": self.level.text, "by": self.aim.metric, "seed": self.seed, "cells": changed}
        level = replace(self.level, grid=grid, solution=plan or solution, provenance=origin)
        told = {"changed": changed, "unseen": unseen, "before": self.before, "after": metrics}
        still = " while guards stand still" if self.fights else ""
        told["told"] = f"{self.line(metrics)}{still}; {amount(changed, 'cell')} changed"
        return level, self.gain(metrics), told

    def line(self, metrics: Mapping[str, float]) -> str:
        """Returns what grew, as a line tells it, and what should have fallen and has not."""
        names = [self.aim.metric, *(name for name in self.aim.grows if metrics[name] != self.before[name])]
        grown = (f"{name.replace('_', ' ')} {self.before[name]:.3g} to {metrics[name]:.3g}" for name in names)
        return ", ".join([*grown, *(f"but {name} no less" for name in self.unfallen(metrics))])
