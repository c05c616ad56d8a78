"""Levels made ahead in the background, so that a reset need not wait; which level comes is settled before.

Level `number` of a seed is made from random numbers of its own, the same as those of
`levelsmith generate … --seed SEED --skip NUMBER`. When it is made, and among which others, changes nothing.
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
    """Which level: of which stage of difficulty, of which seed, the how manieth of it."""

    stage: int
    seed: int
    number: int


Made = dict[Key, Level]
Job = tuple[list[Key], "Future[Made]"]


class Pool:
    """Levels of one task for each stage.

    Args:
        tasks: what makes the levels of each stage.
        ahead: how many levels of a seed are made before they are asked for.
    """

    def __init__(self, tasks: Sequence[Task], ahead: int):
        self.stages = len(tasks)
        self.ahead = ahead
        self.jobs: dict[Key, Future[Made]] = {}
        self.line: SimpleQueue[Job | None] = SimpleQueue()
        self.gone = threading.Event()
        worker = threading.Thread(target=_work, args=(tasks, self.line, self.gone), daemon=True)
        worker.start()

    def take(self, keys: Sequence[Key]) -> list[Level]:
        """The levels of these keys; those that follow are then made in the background."""
        self._ask(keys)
        jobs = [self.jobs[key] for key in keys]
        for key in keys:
            for stage in range(self.stages):
                self.jobs.pop(key._replace(stage=stage), None)
        self._ask(later for key in keys for later in self._following(key))
        return [job.result()[key] for job, key in zip(jobs, keys, strict=True)]

    def _following(self, key: Key) -> Iterator[Key]:
        """What to make next: levels of the same stage, by the handful, and one that is harder."""
        if key._replace(number=key.number + max(1, self.ahead // 2)) not in self.jobs:
            for i in range(self.ahead):
                yield key._replace(number=key.number + 1 + i)
        if self.ahead and key.stage + 1 < self.stages:
            yield key._replace(number=key.number + 1, stage=key.stage + 1)

    def forget(self) -> None:
        """Leaves what was asked for and not taken."""
        for job in self.jobs.values():
            job.cancel()
        self.jobs.clear()

    def close(self) -> None:
        self.gone.set()
        self.forget()
        self.line.put(None)

    def __del__(self) -> None:
        self.close()

    def _ask(self, keys: Iterable[Key]) -> None:
        wanted = [key for key in keys if key not in self.jobs]
        for i in range(0, len(wanted), CHUNK):
            job: Future[Made] = Future()
            self.jobs.update(dict.fromkeys(wanted[i : i + CHUNK], job))
            self.line.put((wanted[i : i + CHUNK], job))


def _work(tasks: Sequence[Task], line: SimpleQueue[Job | None], gone: threading.Event) -> None:
    """The background: it does the jobs in their order until None comes."""
    makers: dict[int, Maker] = {}
    while (job := line.get()) is not None:
        keys, future = job
        if not future.set_running_or_notify_cancel():
            continue
        try:
            made = {}
            for stage in sorted({key.stage for key in keys}):
                if stage not in makers:
                    makers[stage] = tasks[stage].maker()
                made.update(_made(tasks[stage], makers[stage], [k for k in keys if k.stage == stage], gone))
            future.set_result(made)
        except BaseException as error:  # it belongs to who waits for the level
            future.set_exception(error)


def _made(task: Task, maker: Maker, keys: Sequence[Key], gone: threading.Event) -> Made:
    """A level for each key: where its own numbers make none in the budget, the next ones of the same."""
    made: Made = {}
    for again in range(REPEATS):
        left = [key for key in keys if key not in made]
        if not left or gone.is_set():
            return made
        seeds = [
            np.random.SeedSequence(key.seed, spawn_key=(key.number, again) if again else (key.number,))
            for key in left
        ]
        for some in maker.make(range(len(left)), seeds, task.budget.evaluations, gone.is_set):
            for level in levels_of(task, some):
                key = left[level.provenance["run"]]
                provenance = {**level.provenance, "seed": key.seed, "run": key.number}
                made[key] = replace(level, provenance=provenance)
    raise LevelsmithError("no level could be made in the budget; try a wider range or more evaluations")
