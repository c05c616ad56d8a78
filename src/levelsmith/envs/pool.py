"""Levels by name, and a thread that makes them before they are asked for, so that no reset need wait.

A level is named by its stage, a seed and a number, and is the one that `levelsmith generate … --seed SEED
--skip NUMBER` makes: when it is made, and among which others, does not matter.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from queue import SimpleQueue
from typing import Any, NamedTuple

from levelsmith.contracts import Maker
from levelsmith.core import Size
from levelsmith.curricula.sources import board_size
from levelsmith.envs.known import Dealt, Known
from levelsmith.levels.splits import Allowed
from levelsmith.making.numbered import ALL, make_numbered
from levelsmith.making.run import maker_of
from levelsmith.making.task import Task

CHUNK = 8  # levels that are made in one go
FORK_SECONDS = 60.0  # that a fork waits at most for a thread that compiles


class Key(NamedTuple):
    """Names a level: its stage of difficulty, its seed, and which run of that seed it is."""

    stage: int
    seed: int
    number: int


class Supply(ABC):
    """Levels by key, all shown at one size."""

    size: Size
    stages = 1

    @abstractmethod
    def take(self, keys: Sequence[Key]) -> list[Dealt]: ...

    def forget(self) -> None:
        """Calls off what was ordered and not taken."""
        return

    def close(self) -> None:
        """Ends what runs in the background."""
        return


Levels = dict[Key, Dealt]
Order = tuple[list[Key], "Future[Levels]"]
Orders = SimpleQueue[Order | None]

_compiling = threading.RLock()  # held while something may be compiled: a fork of that moment never ends


def _hold() -> None:
    _held.append(_compiling.acquire(timeout=FORK_SECONDS))


def _let_go() -> None:
    if _held.pop():
        _compiling.release()


_held: list[bool] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold, after_in_parent=_let_go, after_in_child=_let_go)


class Pool(Supply):
    """A new level for every episode: makes those that are asked for, and those that will be next, in a thread
    of its own.

    The thread is begun by the first level that is asked for, and again in a process that was forked, in a
    copy, and after `close`.

    Args:
        tasks: what makes the levels of each stage.
        ahead: how many levels of a seed are made before they are asked for.
        known: what is found out about each.
        allowed: which levels may appear.
    """

    process = 0  # the one that the thread is of

    def __init__(self, tasks: Sequence[Task], ahead: int, known: Known, allowed: Allowed = ALL):
        self.tasks, self.ahead, self.known, self.allowed = tasks, ahead, known, allowed
        self.stages, self.size = len(tasks), board_size(tasks[0])

    def __getstate__(self) -> dict[str, Any]:
        """Returns what a copy is made of: it makes the same levels, in a thread of its own."""
        own = ("jobs", "queue", "closed", "process")
        return {name: value for name, value in vars(self).items() if name not in own}

    def _begin(self) -> None:
        self.jobs: dict[Key, Future[Levels]] = {}
        self.queue: Orders = SimpleQueue()
        self.closed = threading.Event()
        self.process = os.getpid()
        arguments = self.tasks, self.allowed, self.known, self.queue, self.closed
        # In the context of who asks: what numpy warns of is the same there.
        threading.Thread(target=copy_context().run, args=(_work, *arguments), daemon=True).start()

    def take(self, keys: Sequence[Key]) -> list[Dealt]:
        """Returns the levels of these keys, and has those that follow made in the background."""
        if self.process != os.getpid():
            self._begin()
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
        if self.process == os.getpid():
            for job in self.jobs.values():
                job.cancel()
            self.jobs.clear()

    def close(self) -> None:
        if self.process and self.process == os.getpid():  # at the end of Python there is no os
            self.closed.set()
            self.forget()
            self.queue.put(None)
            self.process = 0

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
    tasks: Sequence[Task], allowed: Allowed, known: Known, orders: Orders, closed: threading.Event
) -> None:
    """Makes what is ordered until None comes."""
    makers: dict[int, Maker] = {}

    def make(stage: int, keys: Sequence[Key]) -> Levels:
        levels = make_numbered(tasks[stage], makers[stage], keys, closed.is_set, allowed)
        return {key: known.of(level, key.number) for key, level in levels.items()}

    while (order := orders.get()) is not None:
        keys, future = order
        if not future.set_running_or_notify_cancel():
            continue
        try:
            made: Levels = {}
            for stage in sorted({key.stage for key in keys}):
                named = [key for key in keys if key.stage == stage]
                if stage in makers:
                    made.update(make(stage, named))
                else:
                    with _compiling:
                        makers[stage] = maker_of(tasks[stage])
                        made.update(make(stage, named))
            future.set_result(made)
        except BaseException as error:  # it belongs to who waits for the level
            future.set_exception(error)
