"""Levels by the thousand, in batches: distinct, in order, the same whatever the number of workers."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from math import inf
from typing import NamedTuple

import numpy as np

from levelsmith.core import Level
from levelsmith.levels.batch import Batch, Maker, joined
from levelsmith.making.task import Task
from levelsmith.making.workers import MOST_BEGUN, check_portable
from levelsmith.processes import spread, stopped
from levelsmith.registry import games

START_SECONDS = 3.0  # what it takes other processes to start
REPEATS = 100  # times that a level which repeats an earlier one is made anew before it is given up

Cancel = Callable[[], bool]


class Stretch(NamedTuple):
    """Runs of a task in a row."""

    task: Task
    first: int
    length: int | None  # None for no end

    @property
    def runs(self) -> range:
        return range(self.first, self.first + (self.length or 0))

    def jobs(self, most: int) -> Iterator[Stretch]:
        """The stretch in portions: the first of one level, each twice as long as the last, up to a most."""
        first, portion = self.first, 1
        while self.length is None or first < self.first + self.length:
            left = portion if self.length is None else self.first + self.length - first
            yield Stretch(self.task, first, min(portion, left))
            first, portion = first + portion, min(most, 2 * portion)


def flow(
    stretch: Stretch, workers: int = 1, cancel: Cancel | None = None, seen: set[int] | None = None
) -> Iterator[tuple[Batch, bool]]:
    """The levels of a stretch, none of them alike, and with each batch whether it is whole or was cut short.

    Run k of a seed has random numbers of its own. Where its level repeats an earlier one, or one in `seen`,
    it is made anew from the next numbers of the same run, so that other runs stay as they are.
    """
    seen = set() if seen is None else seen
    cancel = cancel or _never
    maker = stretch.task.maker()
    maker.make([0], [_seed(stretch.task, 0)], 1, _never)  # compiles, before every worker would
    for batch, whole in _made(stretch, maker, workers, cancel):
        yield _distinct(stretch.task, maker, batch, seen), whole
        if not whole:
            return  # what comes behind the gap that an interruption leaves is not told


def levels_of(task: Task, batch: Batch) -> Iterator[Level]:
    """The levels of a batch as values, with where they came from."""
    tiles, origin = games.get(task.game).tiles, task.provenance()
    for run, grid, solution, spent in zip(
        batch.runs.tolist(), batch.grids, batch.solutions, batch.evaluations.tolist(), strict=True
    ):
        told = {**origin, "run": run, "score": 1.0, "evaluations": spent}
        yield Level(task.game, tiles, grid, solution=solution, provenance=told)


def _made(stretch: Stretch, maker: Maker, workers: int, cancel: Cancel) -> Iterator[tuple[Batch, bool]]:
    """Batches in order, each with whether it is whole; in other processes where it takes longer to wait."""
    jobs = stretch.jobs(maker.portion)
    begun, done = time.perf_counter(), 0
    for job in jobs:
        yield _filled(job, maker, cancel)
        done += len(job.runs)
        left = inf if stretch.length is None else stretch.length - done
        if workers > 1 and left > 0 and (time.perf_counter() - begun) / done * left > START_SECONDS:
            check_portable(stretch.task)
            with contextlib.suppress(KeyboardInterrupt):
                yield from spread(_work, jobs, workers, cancel, MOST_BEGUN)


def _filled(job: Stretch, maker: Maker, cancel: Cancel) -> tuple[Batch, bool]:
    from levelsmith.kernels.seeds import Seeds  # numba, which a mistyped name need not wait for

    batch = maker.make(job.runs, Seeds(job.task.seed, job.runs), _tries(job.task), cancel)
    return batch, not cancel()


def _seed(task: Task, run: int, again: int = 0) -> np.random.SeedSequence:
    return np.random.SeedSequence(task.seed, spawn_key=(run, again) if again else (run,))


def _tries(task: Task) -> int:
    return task.budget.evaluations or 0


def _distinct(task: Task, maker: Maker, batch: Batch, seen: set[int]) -> Batch:
    """The batch with every level that repeats one replaced, or left out where that fails again and again."""
    parts, begin = [], 0
    for i, key in enumerate(batch.keys.tolist()):
        if key not in seen:
            seen.add(key)
            continue
        parts += [batch.part(begin, i), _made_anew(task, maker, int(batch.runs[i]), seen)]
        begin = i + 1
    return joined([*parts, batch.part(begin, len(batch))]) if parts else batch


def _made_anew(task: Task, maker: Maker, run: int, seen: set[int]) -> Batch:
    for again in range(1, REPEATS + 1):
        batch = maker.make([run], [_seed(task, run, again)], _tries(task), _never)
        if len(batch) and int(batch.keys[0]) not in seen:
            seen.add(int(batch.keys[0]))
            return batch
    return batch.part(0, 0)


def _never() -> bool:
    return False


_maker: tuple[Task, Maker] | None = None  # in a worker: the last one, which takes a while to make


def _work(job: Stretch) -> tuple[Batch, bool]:
    global _maker
    if _maker is None or _maker[0] != job.task:
        _maker = job.task, job.task.maker()
    return _filled(job, _maker[1], stopped)
