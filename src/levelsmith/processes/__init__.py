"""Worker processes: they leave Ctrl-C to their parent, stop when it tells them, and end when it ends."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from levelsmith.errors import LevelsmithError, option

SOON = 1.0  # seconds of work that a parent does itself, as it takes longer to start a process
LOOK_SECONDS = 0.1  # how often the cancel button is looked at, and events are collected
AHEAD = 4  # jobs for each worker that are handed out before earlier ones are done, so that none is idle
TRIES = 3  # a job whose worker died is given to another so many times

PRELOADED = "levelsmith.processes.preloaded"  # what a server of processes imports

_stop: Any = None  # in a worker: set when everyone shall stop
_events: Any = None  # in a worker: where `report` puts events


def spread(
    work: Callable[[Any], Any],
    jobs: Iterable[Any],
    workers: int,
    cancel: Callable[[], bool] | None = None,
    most_begun: int | None = None,
) -> Iterator[Any]:
    """Yields `work(job)` for each job in their order, done by processes, and between them what they `report`.

    A job whose worker was killed is done again. Once `cancel()` is true, jobs that have not begun are left
    out, and those that have are to return early (their `work` asks `stopped`). After Ctrl-C, which is raised
    as ever, or once nobody takes what is yielded, all workers have ended.

    Args:
        most_begun: how many jobs for each worker may be begun before their results are yielded: less memory.
    """
    later = enumerate(jobs)
    begun = dict(islice(later, workers))  # by their number: jobs whose results were not yielded
    if not begun:
        return
    missing = list(begun)  # those that no worker has
    waiting: dict[Future[Any], int] = {}
    results: dict[int, Any] = {}  # those that wait for the result of an earlier job
    next_one = deaths = 0
    stopping = False
    team = Workers(len(begun))
    try:
        while True:
            try:
                while missing and not stopping:
                    number = missing.pop(0)
                    waiting[team.submit(work, begun[number])] = number
                if not waiting:
                    break
                done, _ = wait(waiting, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
                stopping = stopping or (cancel is not None and cancel())
                for future in done:
                    results[waiting[future]] = future.result()
                    del waiting[future]
            except BrokenProcessPool:  # a worker was killed; what is missing is done again
                deaths += 1
                if deaths == TRIES:
                    message = (
                        f"a worker process died {TRIES} times (killed, or out of memory?); "
                        f"try {option('workers', 1)}"
                    )
                    raise LevelsmithError(message) from None
                team.renew()
                missing, waiting = [i for i in begun if i not in results], {}
            if stopping:
                team.stop()
                waiting = {future: i for future, i in waiting.items() if not future.cancel()}
            yield from team.reported()
            while next_one in results:
                del begun[next_one]
                yield results.pop(next_one)
                next_one += 1
            free = AHEAD * workers - len(waiting)
            if most_begun is not None:
                free = min(free, most_begun * workers - len(begun))
            for i, job in islice(later, 0 if stopping else max(0, free)):
                begun[i] = job
                missing.append(i)
    finally:
        team.close()


def start_method() -> Any:
    """Returns how processes are started: a context as `multiprocessing` has them.

    On Linux they are forks of a server that has imported what they need, once for all of them. It starts with
    the first of them and ends with this process. Elsewhere each is an interpreter of its own. None of them
    runs the program's file again, so that the program needs no `if __name__ == "__main__"`.
    """
    if sys.platform != "linux":
        return _Interpreters()
    from multiprocessing import forkserver

    if forkserver._forkserver._preload_modules == ["__main__"]:  # type: ignore[attr-defined]
        forkserver.set_forkserver_preload([PRELOADED])  # nobody else has said what to import
    return _Forks()


@contextlib.contextmanager
def _main_hidden() -> Iterator[None]:
    """Keeps a process that is started meanwhile from importing the file that this program began with: all
    that workers do is levelsmith's own."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


class _Interpreter(SpawnProcess):
    @staticmethod
    def _Popen(process: Any) -> Any:  # noqa: N802 (the name that multiprocessing calls)
        with _main_hidden():
            return SpawnProcess._Popen(process)


class _Interpreters(SpawnContext):
    Process = _Interpreter


if sys.platform != "win32":
    from multiprocessing.context import ForkServerContext, ForkServerProcess

    class _Fork(ForkServerProcess):
        @staticmethod
        def _Popen(process: Any) -> Any:  # noqa: N802
            with _main_hidden():
                return ForkServerProcess._Popen(process)

    class _Forks(ForkServerContext):
        Process = _Fork


class Workers(Executor):
    """Processes that have started, all of which stop when told to; one that dies takes the others with it."""

    def __init__(self, count: int):
        self.count = count
        self.context = start_method()
        self.halt = self.context.Event()
        self._start()

    def _start(self) -> None:
        self.events = self.context.Queue()  # a new one each time: a worker may have died holding its lock
        given = (self.halt, self.events, dict(os.environ))
        self.pool = ProcessPoolExecutor(self.count, self.context, initializer=settle_in, initargs=given)
        with _interrupts_blocked():
            for _ in range(
                self.count + 1
            ):  # one more makes the pool look at its processes again: one may die
                self.pool.submit(int)

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return self.pool.submit(work, *args, **kwargs)

    def reported(self) -> Iterator[Any]:
        """Takes out the events that workers have reported since the last call."""
        with contextlib.suppress(queue.Empty):
            while True:
                yield self.events.get_nowait()

    def renew(self) -> None:
        """Starts new processes in place of those that ended with a death; what they had not done is lost."""
        self.pool.shutdown(wait=True, cancel_futures=True)
        self._start()

    def stop(self) -> None:
        """Makes `stopped` true in every worker."""
        self.halt.set()

    def close(self) -> None:
        self.stop()
        self.pool.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Lets Ctrl-C wait: what is started meanwhile never hears it, not even before it has settled in."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def settle_in(stop: Any = None, events: Any = None, environment: Mapping[str, str] | None = None) -> None:
    """Makes this process a worker: it stops when `stop` is set, reports to `events`, ends with its parent.

    Args:
        environment: the parent's, which may have changed since the server was started.
    """
    global _stop, _events
    if environment is not None:
        os.environ.clear()
        os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent answers Ctrl-C and tells everyone
    _stop, _events = stop, events
    if events is not None:
        events.cancel_join_thread()  # events that nobody has read must not keep a worker from ending
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Waits for the parent's end: a parent that was killed can tell nobody to stop."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def stopped() -> bool:
    """Tells a worker whether everyone shall stop."""
    return _stop is not None and bool(_stop.is_set())


def report(event: Any) -> None:
    """Sends an event from a worker to whoever reads what `spread` yields."""
    _events.put(event)
