"""One run, advanced in short chunks of evaluations: between two of them live the clock, the progress and the
cancel button. An interrupted run gives its best so far."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from levelsmith.contracts import Maker, Populated, Resumable, WithGuards, WithStart
from levelsmith.core import (
    LACKS,
    NOT_WON,
    SOLVED,
    Budget,
    Cancel,
    Event,
    Grid,
    Level,
    Member,
    Progress,
    Result,
)
from levelsmith.errors import LevelsmithError
from levelsmith.games.drawn import Draw
from levelsmith.levels.measure import measure
from levelsmith.levels.proof import WithShortest, check_replay, proved
from levelsmith.making.archive import RunArchive
from levelsmith.making.interrupts import interruption
from levelsmith.making.truth import ALMOST, TrueLevels, is_needed, true_level
from levelsmith.making.wants import missed
from levelsmith.registry import games

if TYPE_CHECKING:
    from levelsmith.making.task import Task

CHUNK_SECONDS = 0.05  # how long a search may go without looking up
EVENT_SECONDS = 0.1  # how often progress is told when nothing improves
RUNS = 10  # of which the first whose level is won makes it
SOME = 10  # members of a population whose proofs tell how long those of all will take
FIRST_CHUNK = 1  # then twice as many each time, for a score may take long


class OneByOne(Maker):
    """The maker of tasks whose runs are advanced one by one: by a search on a representation, or by draws.

    Where levels are to be won and the one of a run is not, it is thrown away and the run begun anew, from
    other random numbers.
    """

    chunk = 1

    def __init__(self, task: Task):
        self.task = task

    @cached_property
    def own(self) -> Any:
        """The maker of the game's own that the task takes; None for a search."""
        return self.task.own_maker() if self.task.representation is None else None

    def repeats(self, level: Level, earlier: Sequence[Level]) -> bool:
        """Returns whether a level is too much like one of some earlier ones."""
        repeated: bool = self.own.repeats(level, earlier)
        return repeated

    def make(
        self,
        runs: Sequence[int],
        seeds: Sequence[np.random.SeedSequence],
        evaluations: int | None,
        cancel: Cancel,
    ) -> Iterator[Event]:
        """Yields the progress of each run, and then its result."""
        budget = replace(self.task.budget, evaluations=evaluations)
        for run, seed in zip(runs, seeds, strict=True):
            yield from self._won(replace(self.task, run=run, budget=budget), seed, cancel)

    def _won(self, task: Task, seed: np.random.SeedSequence, cancel: Cancel) -> Iterator[Event]:
        """Yields the progress of a run, begun anew as long as its level is not won, and its result."""
        thrown, spent, seconds = 0, 0, 0.0
        for again in range(1, RUNS + 1):
            search = task.start(seed) if self.own is None else self.own.start(seed)
            for event in advance(task, search, cancel):
                if not isinstance(event, Result):
                    yield event
                    continue
                lost = int(event.statistics.get(NOT_WON, 0))
                thrown, spent, seconds = thrown + lost, spent + event.evaluations, seconds + event.seconds
                late = task.budget.seconds is not None and seconds >= task.budget.seconds
                made = event.solved and event.levels
                if made or not thrown or late or cancel() or again == RUNS:
                    if thrown:
                        told = {**event.statistics, NOT_WON: thrown}
                        event = replace(event, evaluations=spent, seconds=seconds, statistics=told)
                    yield event
                    return
            seed = task.seeds([task.run], again)[0]

    def known(self, levels: Sequence[Level]) -> set[int]:
        if self.task.unlike:  # which its maker tells apart by itself
            return set()
        raise LevelsmithError(f"{self.task.search} makes each level alone: it cannot tell it from others")


class Clock:
    """The time that a run takes; a button that holds the run costs it none."""

    def __init__(self, limit: float | None = None, cancel: Cancel | None = None):
        self.limit, self.cancel = limit, cancel or (lambda: False)
        self.begun = time.perf_counter()

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.begun

    def is_cancelled(self) -> bool:
        asked = time.perf_counter()
        cancelled = self.cancel()
        self.begun += time.perf_counter() - asked
        return cancelled

    def is_over(self) -> bool:
        """Tells whether time is up, or the run was cancelled."""
        return (self.limit is not None and self.seconds >= self.limit) or self.is_cancelled()


class Drive(ABC):
    """A search that is advanced in chunks until its budget is spent: the one loop with a clock."""

    number = 0  # which of several runs it is

    def __init__(self, search: Resumable, budget: Budget, cancel: Cancel | None):
        self.search, self.budget = search, budget
        self.history: list[tuple[int, float, float]] = []
        self.kept: tuple[Level, ...] = ()  # besides the best, since the last progress
        self.clock = Clock(budget.seconds, cancel)

    def events(self) -> Iterator[Event]:
        """Yields its progress, then its result."""
        search, clock = self.search, self.clock
        chunk = search.chunk or FIRST_CHUNK
        told, stopped = 0.0, ""
        while not stopped:
            before, score, begun = search.evaluations, search.score, clock.seconds
            try:
                search.advance(_within(chunk, before, self.budget))
            except KeyboardInterrupt as interrupt:  # it belongs to the program: what was found goes with it
                with suppress(LevelsmithError):  # there may be nothing yet
                    if search.evaluations:
                        raise interruption(self.result("cancelled")) from interrupt
                raise
            except LevelsmithError as error:
                if isinstance(error.__cause__, KeyboardInterrupt):  # while a game in plain Python was asked
                    raise error.__cause__ from None
                raise
            now, spent = clock.seconds, search.evaluations - before
            if search.chunk is None:  # one that has its own takes no other
                chunk = _next_chunk(chunk, spent, now - begun)
            better = search.score > score
            if better:
                self.history.append((search.evaluations, now, search.score))
            self.look(better)
            stopped = self.why_stop(now, spent)
            if not stopped and (better or self.kept or now - told >= EVENT_SECONDS):
                told = now
                best = self.best() if search.evaluations else None
                score = search.score if search.score > -math.inf else 0.0  # nothing was found yet
                yield Progress(self.number, search.evaluations, now, score, best, self.kept)
        yield self.result(stopped)

    def look(self, better: bool) -> None:
        """Sees to what else is kept, after each chunk."""
        return

    def why_stop(self, seconds: float, spent: int) -> str:
        """Returns why the run ends; "" where it goes on."""
        search, budget = self.search, self.budget
        if budget.score is not None and search.score >= budget.score:
            return "score"
        if budget.evaluations is not None and search.evaluations >= budget.evaluations:
            return "evaluations"
        if search.exhausted:
            return search.ended_by
        if budget.seconds is not None and seconds >= budget.seconds:
            return "seconds"
        if self.clock.is_cancelled():
            return "cancelled"
        return "" if spent else search.ended_by

    @abstractmethod
    def best(self) -> Level:
        """Returns the best so far."""

    @abstractmethod
    def result(self, stopped: str) -> Result:
        """Returns what the run found."""


def advance(task: Task, search: Resumable, cancel: Cancel) -> Iterator[Event]:
    """Spends the budget of one run: yields its progress, then its result."""
    search.advance(0)  # compiles what is not compiled yet, off the clock
    return TaskDrive(task, search, cancel).events()


class TaskDrive(Drive):
    """The drive of a run of a task."""

    def __init__(self, task: Task, search: Resumable, cancel: Cancel):
        super().__init__(search, task.budget, cancel)
        self.task, self.number = task, task.run
        self.gains: list[Level] = []
        self.archive: RunArchive | None = None
        self.true: TrueLevels | None = None
        made = partial(_made, task)
        if task.keep_above is not None:
            self.archive = RunArchive(search, games.get(task.game), task.keep_above, task.keep_most, made)
        elif is_needed(task) and (task.wants or not isinstance(search, Populated)):
            self.true = TrueLevels(task, search, made)
        self.proofs = Proofs(task, search)
        if isinstance(search, Draw):
            search.cancel = self.clock.is_over

    def look(self, better: bool) -> None:
        kept = self.archive.take() if self.archive is not None else []
        self.kept = () if self.task.wants else tuple(kept)  # whether they count is known at the end
        if self.true is not None:
            self.true.look(self.clock.is_over)
        if better and self.task.keep_gains:
            self.gains.append(_best(self.task, self.search))

    def why_stop(self, seconds: float, spent: int) -> str:
        task, search, true = self.task, self.search, self.true
        if true is not None:
            if task.has_goal and true.found is not None:
                return "solved"
            if true.found is None and true.spent:
                return "exhausted"
        elif task.has_goal and search.score >= SOLVED and search.settled:
            return "solved"
        return super().why_stop(seconds + self.proofs.seconds(seconds), spent)

    def best(self) -> Level:
        task, search = self.task, self.search
        grid = task.finished(search.best())
        tiles = games.get(task.game).tiles
        return Level(task.game, tiles, grid, provenance={**task.provenance(), "score": search.score})

    def result(self, stopped: str) -> Result:
        task, search, archive = self.task, self.search, self.archive
        told, seconds = search.statistics(), self.clock.seconds
        if search.evaluations == 0 and LACKS not in told:
            raise LevelsmithError("interrupted before the first evaluation; nothing was made")
        level = _best(task, search)
        solved = task.has_goal and search.score >= SOLVED
        if solved or not (task.has_goal or task.wins):
            fresh = task.start_level is None and not isinstance(search, Populated)
            level = proved(level, task.played, elsewhere=fresh)
        levels = (*self.gains[:-1], level) if archive is None else archive.with_best(level)
        if task.needs_proof and archive is not None:
            levels = tuple(proved(each, task.played) if _is_solved(task, each) else each for each in levels)
        if isinstance(search, Populated):  # of a search whose whole population is asked for
            levels = tuple(_members(task, search.everyone()))
        thrown = 0
        if task.needs_proof and not task.keep_gains:
            won = tuple(each for each in levels if each.solution is not None or not _is_solved(task, each))
            levels, thrown = won, len(levels) - len(won)
            if thrown and levels:
                level = max(levels, key=lambda each: float(each.provenance["score"]))
        if task.wants or task.representation is None:
            levels = tuple(
                level for level in levels if level.provenance["score"] >= SOLVED and _fits(task, level)
            )
        if archive is not None and is_needed(task):
            levels = tuple(true for level in levels if (true := true_level(task, level)) is not None)
        if task.no_level:
            levels = tuple(level for level in levels if level.solution is not None)
        result = Result(
            best=level,
            levels=levels,
            score=search.score,
            solved=solved and not (task.needs_proof and level.solution is None),
            stopped=stopped,
            evaluations=search.evaluations,
            seconds=seconds,
            history=tuple(self.history),
            statistics={**told, **({NOT_WON: thrown} if thrown else {})},
            missed="" if levels else told.get(LACKS) or _missed(task, level) or _spent(task, search, stopped),
        )
        return result if self.true is None else _truly(task, result, self.true)


class Proofs:
    """The seconds of a run that the proofs of a whole population will take, told from those of a few."""

    def __init__(self, task: Task, search: Any):
        self.task, self.search = task, search
        self.told, self.next = 0.0, 0.0 if isinstance(search, Populated) else math.inf

    def seconds(self, taken: float) -> float:
        """Returns them, estimated anew each time that half of what was left has gone by."""
        if self.task.budget.seconds is None or taken < self.next:
            return self.told
        begun = time.perf_counter()
        some = len(list(_members(self.task, islice(self.search.everyone(), SOME))))
        each = (time.perf_counter() - begun) / max(1, some)
        self.told = each * sum(1 for _ in self.search.everyone())
        self.next = (taken + self.task.budget.seconds) / 2
        return self.told


def _within(chunk: int, spent: int, budget: Budget) -> int:
    return chunk if budget.evaluations is None else min(chunk, budget.evaluations - spent)


def _next_chunk(chunk: int, spent: int, seconds: float) -> int:
    """Returns as many evaluations as fit the time between two looks at the clock; at most twice the last."""
    if spent == 0:
        return chunk
    fitting = int(spent * CHUNK_SECONDS / max(seconds, 1e-6))
    return max(1, min(fitting, 2 * chunk))


def _made(task: Task, grid: Grid, score: float, proof: str | None, after: int | None = None) -> Level:
    """Makes the level that is handed out of a grid; a proof is played by the game's own rule book first."""
    game = games.get(task.game)
    origin = {**task.provenance(), "score": score, **({} if after is None else {"evaluations": after})}
    grid = task.finished(_completed(task, grid))
    level = Level(task.game, game.tiles, grid, solution=proof, provenance=origin)
    if proof is not None:
        check_replay(level)
    return level


def _completed(task: Task, grid: Grid) -> Grid:
    """Returns a grid with what its game places; enemies of a level that was given stay where they are."""
    game = task.played
    if task.start_level is not None and isinstance(game, WithGuards):
        game = game.against("still")
    return game.completed(grid, task.counted) if isinstance(game, WithStart) else grid


def _best(task: Task, search: Resumable) -> Level:
    """Returns the best so far, with its proof and what was spent until now."""
    made = _made(task, search.best(), search.score, search.proof(), search.evaluations)
    return replace(made, provenance={**made.provenance, **search.told})


def _members(task: Task, members: Iterable[Member]) -> Iterator[Level]:
    """Yields the members of a population as levels, with a solution where they meet the goal."""
    for score, grid, proof, told in members:
        if proof is None and task.no_level:
            continue
        level = _made(task, grid, score, proof)
        level = replace(level, provenance={**level.provenance, **told})
        yield proved(level, task.played) if _is_solved(task, level) else level


def _fits(task: Task, level: Level) -> bool:
    """Tells whether a level still lies in its ranges, where its game has placed something in it."""
    game = games.get(task.game)
    if not isinstance(game, WithStart):
        return True
    found = dict(zip(game.metrics, game.measure(level.grid[None])[0], strict=True))
    return all(want.low <= found[want.metric] <= want.high for want in task.wants)


def _truly(task: Task, result: Result, true: TrueLevels) -> Result:
    """Returns the result with the level that lies in its ranges by a shortest solution; without any, if
    ranges were asked for, else with the one that comes nearest to what its objective is about.

    Its evaluations are those until the level that ends the run, whenever the search was looked at after it.
    """
    if true.found is not None:
        found = true.found
        until = found.provenance["evaluations"] if task.has_goal else result.evaluations
        return replace(result, best=found, levels=(found,), evaluations=until, missed="")
    if true.nearest is None and not task.wants:
        return replace(result, score=min(result.score, ALMOST), solved=False)
    best = true.nearest or result.best
    return replace(
        result,
        best=best,
        levels=() if task.wants else (best,),
        score=true.score if true.nearest is not None else min(result.score, ALMOST),
        solved=False,
        missed=_missed(task, best) if best.solution is None else missed(true.wants, measure(best)),
    )


def _is_solved(task: Task, level: Level) -> bool:
    return task.has_goal and bool(level.provenance["score"] >= SOLVED)


def _spent(task: Task, search: Resumable, stopped: str) -> str:
    """Tells what a run had that made no level, where nothing else is known of it."""
    tried = f"none of {search.evaluations:,} candidates would do"
    return f"{tried} in {task.budget.seconds:g} s" if stopped == "seconds" and task.budget.seconds else tried


def _missed(task: Task, level: Level) -> str:
    """Tells how near the best of a run came to being a level that was asked for."""
    if task.no_level and level.solution is None:
        return task.no_level
    if task.wins and level.solution is None:
        return "the agent did not win it against the guards"
    if task.needs_proof and level.solution is None and _is_solved(task, level):
        return f"{task.game} finds no solution of a level that meets all that was asked for"
    if task.representation is None and level.solution is None and isinstance(task.played, WithShortest):
        return "no candidate was proved"
    return missed(task.wants, measure(level))
