"""One run, advanced in short chunks of evaluations: between two of them live the clock, the progress and the
cancel button. An interrupted run gives its best so far."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from levelsmith.contracts import Maker, Populated, Resumable, WithStart
from levelsmith.core import LACKS, NOT_WON, SOLVED, Budget, Cancel, Event, Level, Member, Progress, Result
from levelsmith.errors import LevelsmithError
from levelsmith.games.drawn import Draw
from levelsmith.kernels.compile import clock
from levelsmith.levels.measure import measure
from levelsmith.levels.proof import proved
from levelsmith.levels.splits import canonical_keys
from levelsmith.making.build import build_maker, start_run
from levelsmith.making.candidates import RunArchive, TrueLevels, is_unsure, true_level
from levelsmith.making.interrupts import interruption
from levelsmith.making.outcome import finished, level_of, meets_goal, missed, no_level, why_none
from levelsmith.making.task import Task
from levelsmith.registry import games

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
        return build_maker(self.task) if self.task.representation is None else None

    @property
    def compares(self) -> bool:
        """Whether the maker tells levels apart by more than their keys."""
        return self.own is not None and self.own.begins

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
            search = start_run(task, seed) if self.own is None else self.own.start(seed)
            for event in TaskDrive(task, search, cancel).events():
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
        if levels and not self.task.tells_apart:
            raise LevelsmithError(
                f"{self.task.search} looks for the highest score, whichever level has it; ask for ranges to "
                "keep levels out"
            )
        return set(canonical_keys(levels).tolist())


def maker_of(task: Task) -> Maker:
    """Returns what makes the levels of a task, whichever run they are of."""
    maker: Maker = build_maker(task) if task.batches else OneByOne(task)
    return maker


class Clock:
    """The time that a run takes; a button that holds the run costs it none."""

    def __init__(self, limit: float | None = None, cancel: Cancel | None = None):
        self.limit, self.cancel = limit, cancel or (lambda: False)
        self.begun = clock()

    @property
    def seconds(self) -> float:
        return clock() - self.begun

    def is_cancelled(self) -> bool:
        asked = clock()
        cancelled = self.cancel()
        self.begun += clock() - asked
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


class TaskDrive(Drive):
    """The drive of a run of a task."""

    def __init__(self, task: Task, search: Resumable, cancel: Cancel):
        search.advance(0)  # compiles what is not compiled yet, off the clock
        super().__init__(search, task.budget, cancel)
        self.task, self.number = task, task.run
        self.unsure = is_unsure(task)
        self.gains: list[Level] = []
        self.archive: RunArchive | None = None
        self.true: TrueLevels | None = None
        if task.keep_above is not None:
            self.archive = RunArchive(task, search)
        elif self.unsure and (task.wants or not isinstance(search, Populated)):
            self.true = TrueLevels(task, search)
        self.proofs = Proofs(task, search)
        if isinstance(search, Draw):
            search.cancel = self.clock.is_over

    def look(self, better: bool) -> None:
        kept = self.archive.take() if self.archive is not None else []
        self.kept = () if self.task.wants else tuple(kept)  # whether they count is known at the end
        if self.true is not None:
            self.true.look(self.clock.is_over)
        if better and self.task.keep_gains:
            self.gains.append(self._made())

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
        origin = {**task.provenance(), "score": search.score}
        return Level(task.game, games.get(task.game).tiles, finished(task, search.best()), provenance=origin)

    def result(self, stopped: str) -> Result:
        result = self._result(stopped)
        return result if self.true is None else self.true.result(result)

    def _made(self) -> Level:
        """Returns the best so far, with its proof and what was spent until now."""
        search = self.search
        level = level_of(self.task, search.best(), search.score, search.proof(), search.evaluations)
        return replace(level, provenance={**level.provenance, **search.told})

    def _result(self, stopped: str) -> Result:
        """Returns what was found, with the proofs that levels are handed out with."""
        task, search, seconds = self.task, self.search, self.clock.seconds
        told = search.statistics()
        if search.evaluations == 0 and LACKS not in told:
            raise LevelsmithError("interrupted before the first evaluation; nothing was made")
        best = self._made()
        solved = task.has_goal and search.score >= SOLVED
        if solved or not (task.has_goal or task.wins):
            fresh = task.start_level is None and not isinstance(search, Populated)
            best = proved(best, task.played, elsewhere=fresh)
        levels = found = self._found(best)
        if task.needs_proof and not task.keep_gains:
            levels = tuple(each for each in found if each.solution is not None or not meets_goal(task, each))
        thrown = len(found) - len(levels)
        if thrown and levels:
            best = max(levels, key=lambda each: float(each.provenance["score"]))
        levels = self._asked_for(levels)
        tried = f"none of {search.evaluations:,} candidates would do"
        if stopped == "seconds" and task.budget.seconds:
            tried += f" in {task.budget.seconds:g} s"
        return Result(
            best=best,
            levels=levels,
            score=search.score,
            solved=solved and not (task.needs_proof and best.solution is None),
            stopped=stopped,
            evaluations=search.evaluations,
            seconds=seconds,
            history=tuple(self.history),
            statistics={**told, **({NOT_WON: thrown} if thrown else {})},
            missed="" if levels else told.get(LACKS) or why_none(task, best) or tried,
        )

    def _found(self, best: Level) -> tuple[Level, ...]:
        """Returns the best with all that was kept, or the whole population where that is asked for."""
        task = self.task
        if isinstance(self.search, Populated):
            return tuple(_members(task, self.search.everyone()))
        if self.archive is None:
            return (*self.gains[:-1], best)
        kept = self.archive.with_best(best)
        if not task.needs_proof:
            return kept
        return tuple(proved(each, task.played) if meets_goal(task, each) else each for each in kept)

    def _asked_for(self, levels: Sequence[Level]) -> tuple[Level, ...]:
        """Returns those of the levels that are what was asked for."""
        task = self.task
        if task.wants or task.representation is None:
            levels = [each for each in levels if each.provenance["score"] >= SOLVED and _fits(task, each)]
        if self.archive is not None and self.unsure:
            levels = [true for each in levels if (true := true_level(task, each)) is not None]
        if no_level(task):
            levels = [each for each in levels if each.solution is not None]
        return tuple(levels)


class Proofs:
    """The seconds of a run that the proofs of a whole population will take, told from those of a few."""

    def __init__(self, task: Task, search: Any):
        self.task, self.search = task, search
        self.told, self.next = 0.0, 0.0 if isinstance(search, Populated) else math.inf

    def seconds(self, taken: float) -> float:
        """Returns them, estimated anew each time that half of what was left has gone by."""
        if self.task.budget.seconds is None or taken < self.next:
            return self.told
        begun = clock()
        some = len(list(_members(self.task, islice(self.search.everyone(), SOME))))
        each = (clock() - begun) / max(1, some)
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


def _members(task: Task, members: Iterable[Member]) -> Iterator[Level]:
    """Yields the members of a population as levels, with a solution where they meet the goal."""
    for score, grid, proof, told in members:
        if proof is None and no_level(task):
            continue
        level = level_of(task, grid, score, proof)
        level = replace(level, provenance={**level.provenance, **told})
        yield proved(level, task.played) if meets_goal(task, level) else level


def _fits(task: Task, level: Level) -> bool:
    """Tells whether a level still lies in its ranges, where its game has placed something in it."""
    if not isinstance(games.get(task.game), WithStart):
        return True
    found = measure(replace(level, solution=None))
    if any(found[want.metric] is None for want in task.wants):  # its solution alone tells
        found = measure(level)
    return not missed(task.wants, found)
