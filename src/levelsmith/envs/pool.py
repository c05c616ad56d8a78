"""Levels that a thread makes before they are asked for, so that resetting an environment need not wait.

A level is named by its stage, a seed and a number, and is the one that `levelsmith generate … --seed SEED
--skip NUMBER` makes: when it is made, and among which others, does not matter.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np

from levelsmith.contracts import Maker
from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.making.flow import REPEATS, levels_of
from levelsmith.making.task import Task

CHUNK = 8  # levels that are made in one go


class Key(NamedTuple):
    """Names a level: its stage of difficulty, its seed, and which run of that seed it is."""

    stage: int
    seed: int
    number: int


Levels = dict[Key, Level]
Order = tuple[list[Key], "Future[Levels]"]


class Pool:
    """Makes levels by their keys, in a thread of its own, and those that will be asked for next.

    Args:
        tasks: what makes the levels of each stage.
        ahead: how many levels of a seed are made before they are asked for.
    """

    def __init__(self, tasks: Sequence[Task], ahead: int):
        self.stages = len(tasks)
        self.ahead = ahead
        self.jobs: dict[Key, Future[Levels]] = {}
        self.queue: SimpleQueue[Order | None] = SimpleQueue()
        self.closed = threading.Event()
        worker = threading.Thread(target=_work, args=(tasks, self.queue, self.closed), daemon=True)
        worker.start()

    def take(self, keys: Sequence[Key]) -> list[Level]:
        """Returns the levels of these keys, and has those that follow made in the background."""
        self._order(keys)
        jobs = [self.jobs[key] for key in keys]
        for key in keys:
            for stage in range(self.stages):
                self.jobs.pop(key._replace(stage=stage), None)
        self._order(later for key in keys for later in self._following(key))
        return [job.result()[key] for job, key in zip(jobs, keys, strict=True)]

    def _following(self, key: Key) -> Iterator[Key]:
        """Yields what to make next: some levels of the same stage, and one of the stage above."""
        if key._replace(number=key.number + max(1, self.ahead // 2)) not in self.jobs:
            for i in range(self.ahead):
                yield key._replace(number=key.number + 1 + i)
        if self.ahead and key.stage + 1 < self.stages:
            yield key._replace(number=key.number + 1, stage=key.stage + 1)

    def forget(self) -> None:
        """Calls off what was ordered and not taken."""
        for job in self.jobs.values():
            job.cancel()
        self.jobs.clear()

    def close(self) -> None:
        """Ends the thread."""
        self.closed.set()
        self.forget()
        self.queue.put(None)

    def __del__(self) -> None:
        self.close()

    def _order(self, keys: Iterable[Key]) -> None:
        """Puts those keys into the queue that are not in it yet."""
        wanted = [key for key in keys if key not in self.jobs]
        for i in range(0, len(wanted), CHUNK):
            job: Future[Levels] = Future()
            self.jobs.update(dict.fromkeys(wanted[i : i + CHUNK], job))
            self.queue.put((wanted[i : i + CHUNK], job))


def _work(tasks: Sequence[Task], orders: SimpleQueue[Order | None], closed: threading.Event) -> None:
    """Makes what is ordered until None comes."""
    makers: dict[int, Maker] = {}
    while (order := orders.get()) is not None:
        keys, future = order
        if not future.set_running_or_notify_cancel():
            continue
        try:
            made = {}
            for stage in sorted({key.stage for key in keys}):
                if stage not in makers:
                    makers[stage] = tasks[stage].maker()
                made.update(_made(tasks[stage], makers[stage], [k for k in keys if k.stage == stage], closed))
            future.set_result(made)
        except BaseException as error:  # it belongs to who waits for the level
            future.set_exception(error)


def _made(task: Task, maker: Maker, keys: Sequence[Key], closed: threading.Event) -> Levels:
    """Makes a level for each key; where its seed makes none in the budget, from the next seed of its run."""
    made: Levels = {}
    for again in range(REPEATS):
        left = [key for key in keys if key not in made]
        if not left or closed.is_set():
            return made
        seeds = [
            np.random.SeedSequence(key.seed, spawn_key=(key.number, again) if again else (key.number,))
            for key in left
        ]
        for some in maker.make(range(len(left)), seeds, task.budget.evaluations, closed.is_set):
            for level in levels_of(task, some):
                key = left[level.provenance["run"]]
                provenance = {**level.provenance, "seed": key.seed, "run": key.number}
                made[key] = replace(level, provenance=provenance)
    raise LevelsmithError("no level could be made in the budget; try a wider range or more evaluations")
