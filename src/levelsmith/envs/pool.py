"""Levels that a thread makes before they are asked for, so that resetting an environment need not wait.

A level is named by its stage, a seed and a number, and is the one that `levelsmith generate … --seed SEED
--skip NUMBER` makes: when it is made, and among which others, does not matter.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import NamedTuple

from levelsmith.contracts import Maker
from levelsmith.core import Level
from levelsmith.levels.splits import Allowed
from levelsmith.making.numbered import ALL, make_numbered
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
        allowed: which levels may appear.
    """

    def __init__(self, tasks: Sequence[Task], ahead: int, allowed: Allowed = ALL):
        self.stages = len(tasks)
        self.ahead = ahead
        self.jobs: dict[Key, Future[Levels]] = {}
        self.queue: SimpleQueue[Order | None] = SimpleQueue()
        self.closed = threading.Event()
        worker = threading.Thread(target=_work, args=(tasks, allowed, self.queue, self.closed), daemon=True)
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


def _work(
    tasks: Sequence[Task], allowed: Allowed, orders: SimpleQueue[Order | None], closed: threading.Event
) -> None:
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
                named = [key for key in keys if key.stage == stage]
                made.update(make_numbered(tasks[stage], makers[stage], named, closed.is_set, allowed))
            future.set_result(made)
        except BaseException as error:  # it belongs to who waits for the level
            future.set_exception(error)
