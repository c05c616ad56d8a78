"""Runs spread over processes: the same levels in the same order as in one, whatever the number of workers."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence

from levelsmith import processes
from levelsmith.core import Progress, Result
from levelsmith.errors import LevelsmithError
from levelsmith.making.run import EVENT_SECONDS, follow_one
from levelsmith.making.task import Task
from levelsmith.registry import ALL

MOST_BEGUN = 4  # runs for each worker that are begun before the results of earlier ones are told


def follow_many(
    tasks: Sequence[Task], workers: int, cancel: Callable[[], bool] | None
) -> Iterator[Progress | Result]:
    """The events of tasks: of the first ones from here while they are short, of the others from processes."""
    check_portable(tasks[0])
    done = 0
    for event in _followed_soon(tasks, cancel):
        done += isinstance(event, Result)
        yield event
        if isinstance(event, Result) and event.stopped == "cancelled":
            return
    if done < len(tasks):
        with contextlib.suppress(KeyboardInterrupt):
            yield from processes.spread(_work, tasks[done:], workers, cancel, MOST_BEGUN)


def _followed_soon(tasks: Sequence[Task], cancel: Callable[[], bool] | None) -> Iterator[Progress | Result]:
    """What can be told before processes would have started; a run that is not over by then is left.

    It compiles and keeps what is needed, once, instead of in every worker at the same time.
    """
    begun = None
    for task in tasks:
        for event in follow_one(task, cancel):
            begun = begun or time.perf_counter()
            yield event
            if time.perf_counter() - begun > processes.SOON:
                return


def check_portable(task: Task) -> None:
    """A game or search registered by hand exists in this process only."""
    for kind, name in (
        ("games", task.game),
        ("searches" if task.representation else "generators", task.search),
        ("representations", task.representation),
    ):
        if name is not None and not ALL[kind].portable(name):
            raise LevelsmithError(
                f"{name} is registered in this process only, so other processes cannot run it; "
                "take one worker, or give it an entry point"
            )


def _work(task: Task) -> Result:
    last = 0.0
    for event in follow_one(task, processes.stopped):
        if isinstance(event, Result):
            return event
        if time.monotonic() - last >= EVENT_SECONDS:
            last = time.monotonic()
            processes.report(event)
    raise AssertionError("a run ends with its result")
