"""Runs spread over processes: the same levels in the same order as in one, whatever the number of workers."""

from __future__ import annotations

import multiprocessing
import queue
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any

from levelsmith import processes
from levelsmith.core import Progress, Result
from levelsmith.errors import LevelsmithError
from levelsmith.making.run import EVENT_SECONDS, follow_one
from levelsmith.making.task import Task
from levelsmith.registry import ALL

AHEAD = 4  # jobs that are begun before what comes of earlier ones is told, for each worker
TRIES = 3  # a run whose worker died is given to another so many times

_events: Any = None  # in a worker: where its progress goes


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
        yield from spread(_work, tasks[done:], workers, cancel)


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


def spread(
    work: Callable[[Any], Any],
    jobs: Iterable[Any],
    workers: int,
    cancel: Callable[[], bool] | None,
) -> Iterator[Any]:
    """What `work` makes of each job, in their order, and progress in between.

    Only so many jobs are begun ahead of what was told, so that an endless row of them takes little memory.
    """
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    later = enumerate(jobs)
    begun: dict[int, Any] = dict(islice(later, AHEAD * workers))  # and not told yet
    results: dict[int, Any] = {}
    told = 0
    for _ in range(TRIES):
        events = context.Queue()  # a new one each time: a killed worker may have died holding its lock
        missing = [i for i in begun if i not in results]
        pool = processes.started(max(1, min(workers, len(missing))), _listen, events, stop)
        try:
            waiting = {pool.submit(work, begun[i]): i for i in missing}
            while waiting:
                try:
                    done, _ = wait(waiting, timeout=EVENT_SECONDS, return_when=FIRST_COMPLETED)
                    if cancel is not None and cancel():
                        stop.set()
                except KeyboardInterrupt:
                    stop.set()
                    done = set()
                if stop.is_set():
                    waiting = _withdrawn(waiting)
                yield from _drained(events)
                for future in done & set(waiting):
                    results[waiting.pop(future)] = future.result()
                while told in results:
                    del begun[told]
                    yield results.pop(told)
                    told += 1
                if not stop.is_set():
                    for i, job in islice(later, AHEAD * workers - len(begun)):
                        begun[i] = job
                        waiting[pool.submit(work, job)] = i
            break
        except BrokenProcessPool:
            continue  # a worker was killed; what is missing is done again
        except BaseException:  # nobody listens any more, or a run failed: the others need not go on
            stop.set()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    else:
        raise LevelsmithError(
            f"a worker process died {TRIES} times (killed, or out of memory?); try --workers 1"
        )
    yield from (results[i] for i in sorted(results))  # after an interruption, the results behind a gap


def _withdrawn(waiting: dict[Future[Any], int]) -> dict[Future[Any], int]:
    """What is left to wait for once runs that have not begun are called off."""
    return {future: i for future, i in waiting.items() if not future.cancel()}


def _drained(events: Any) -> Iterator[Progress]:
    while True:
        try:
            yield events.get_nowait()
        except queue.Empty:
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


def _listen(events: Any, stop: Any) -> None:
    global _events
    _events = events
    processes.settle_in(stop)
    events.cancel_join_thread()  # progress that nobody has read must not keep a worker from ending


def _work(task: Task) -> Result:
    last = 0.0
    for event in follow_one(task, processes.stopped):
        if isinstance(event, Result):
            return event
        if time.monotonic() - last >= EVENT_SECONDS:
            last = time.monotonic()
            _events.put(event)
    raise AssertionError("a run ends with its result")
