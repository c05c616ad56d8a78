"""What a run takes from its search on the way: candidates to keep, and those that lie in ranges indeed.

Some ranges are of the truth: of what a shortest solution tells, and all positions of a level, where a search
knows a longer solution alone. Each candidate that seems to lie in them is solved on the way out; the first
that does, by a solution which is proved shortest, is the level, and until then the search goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from levelsmith.contracts import Keeping
from levelsmith.core import SOLVED, Cancel, Level, Result
from levelsmith.levels.measure import Metrics, measure
from levelsmith.levels.proof import WithShortest
from levelsmith.making.build import terms_of
from levelsmith.making.outcome import level_of, missed, why_none
from levelsmith.making.task import Task
from levelsmith.making.wants import Want
from levelsmith.registry import games

MOST_SOLVED = 100  # candidates of a run that are solved
ALMOST = 0.999_999  # the score of what only seems to lie in its ranges, at most


class RunArchive:
    """Keeps good candidates of a search as levels, as they come."""

    def __init__(self, task: Task, search: Any):
        self.task, self.search, self.game = task, search, games.get(task.game)
        self.levels: dict[bytes, Level] = {}
        search.keep(task.keep_above)

    def take(self) -> list[Level]:
        """Takes what has come; returns what is new."""
        new = []
        for score, grid, prove, after in self.search.taken():
            name = self.game.canonical(grid)
            if name not in self.levels and len(self.levels) < self.task.keep_most:
                self.levels[name] = level_of(self.task, grid, score, prove(), after)
                new.append(self.levels[name])
        if len(self.levels) >= self.task.keep_most:
            self.search.keep(inf)
        return new

    def with_best(self, best: Level) -> tuple[Level, ...]:
        """Returns what was kept, best scores first, and the best of the run in any case."""
        name = self.game.canonical(best.grid)
        kept = sorted({**self.levels, name: best}.values(), key=lambda level: -level.provenance["score"])
        return tuple(kept[: self.task.keep_most])


def is_unsure(task: Task) -> bool:
    """Tells whether ranges are asked for that a search cannot be sure of: levels carry solutions that may not
    be shortest, or it only estimates a metric."""
    game = games.get(task.game)
    if not isinstance(game, WithShortest) or not (wants := ranges_of(task)):
        return False
    if task.representation is not None and any(want.metric in game.estimated for want in wants):
        return True
    blank = Level(
        task.game, game.tiles, np.zeros(task.size, np.uint8), solution="", provenance=task.provenance()
    )
    return not game.is_shortest(blank)


def ranges_of(task: Task) -> tuple[Want, ...]:
    """Returns the ranges that levels of a task are to lie in, with those of its objective that a search only
    estimates."""
    game = games.get(task.game)
    if not isinstance(game, WithShortest) or not task.has_goal:
        return task.wants
    asked = {want.metric for want in task.wants}
    terms = [term for term in terms_of(task) if term.metric in game.estimated and term.metric not in asked]
    return (*task.wants, *(Want(term.metric, term.low, term.high) for term in terms))


def true_level(task: Task, level: Level) -> Level | None:
    """Returns the level with a shortest solution where by that it lies in the ranges of a task, else None."""
    game: Any = games.get(task.game)
    solved: Level | None = game.with_shortest(level)
    return solved if solved is not None and share_met(ranges_of(task), measure(solved)) == SOLVED else None


def share_met(wants: tuple[Want, ...], found: Metrics) -> float:
    """Returns how near metrics are to ranges: the mean of the terms that these are to a search."""
    return sum(_near(want, found[want.metric]) for want in wants) / len(wants)


def _near(want: Want, value: float | None) -> float:
    if value is None:
        return 0.0
    if value < want.low:
        return value / want.low
    term = want.term()
    return 1.0 if value <= want.high else max(0.0, (term.end - value) / (term.end - term.high))


class TrueLevels:
    """Looks through the candidates of a search for one that lies in the ranges indeed."""

    def __init__(self, task: Task, search: Any):
        self.task, self.search = task, search
        self.wants = ranges_of(task)
        self.found: Level | None = None
        self.nearest: Level | None = None  # of those that were solved and lie in no range
        self.score = 0.0  # that of the nearest
        self.seen: set[bytes] = set()
        if isinstance(search, Keeping):
            search.keep(SOLVED)

    def look(self, is_over: Cancel) -> None:
        """Solves what the search has kept since the last time, until one will do or the run is over."""
        if not isinstance(self.search, Keeping):
            if self.search.score >= SOLVED:
                self._try(self.search.best(), self.search.score, self.search.proof, self.search.evaluations)
            return
        for score, grid, prove, after in self.search.taken():
            if is_over():
                return
            if self.found is None or (
                not self.task.has_goal and score > float(self.found.provenance["score"])
            ):
                self._try(grid, score, prove, after)

    @property
    def spent(self) -> bool:
        """Whether no more candidates are solved in this run."""
        return len(self.seen) >= MOST_SOLVED

    def result(self, made: Result) -> Result:
        """Returns the result of the run with the level that lies in its ranges by a shortest solution; else
        without any, if ranges were asked for, or with the one nearest to what its objective is about.

        Its evaluations are those until the level that ends the run, whenever the search was looked at after.
        """
        task, found = self.task, self.found
        if found is not None:
            until = found.provenance["evaluations"] if task.has_goal else made.evaluations
            return replace(made, best=found, levels=(found,), evaluations=until, missed="")
        score = self.score if self.nearest is not None else min(made.score, ALMOST)
        if self.nearest is None and not task.wants:
            return replace(made, score=score, solved=False)
        best = self.nearest or made.best
        why = why_none(task, best) if best.solution is None else missed(self.wants, measure(best))
        levels = () if task.wants else (best,)
        return replace(made, best=best, levels=levels, score=score, solved=False, missed=why)

    def _try(self, grid: Any, score: float, prove: Callable[[], str | None], after: int) -> None:
        game: Any = games.get(self.task.game)
        name = game.canonical(grid)
        if self.spent or name in self.seen:
            return
        self.seen.add(name)
        solved = game.with_shortest(level_of(self.task, grid, score, prove(), after))
        if solved is None:
            return
        near = share_met(self.wants, measure(solved))
        if near == SOLVED:
            self.found = solved
        elif near > self.score or self.nearest is None:
            near = min(near, ALMOST)
            told = {**solved.provenance, "score": near}
            self.nearest, self.score = replace(solved, provenance=told), near
