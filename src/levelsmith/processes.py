"""Worker processes: they leave Ctrl-C to their parent, stop when it tells them, and end when it ends."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

SOON = 1.0  # seconds of work that a parent does itself, as it takes longer to start a process

_stop: Any = None  # in a worker: set when everyone shall stop


def started(workers: int, settle: Callable[..., None], *given: Any) -> ProcessPoolExecutor:
    """A pool whose processes have begun, each with `settle(*given)`."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=settle, initargs=given)
    with _held_back():
        for _ in range(workers + 1):  # one more makes the pool look at its processes again: one may die
            pool.submit(int)
    return pool


@contextlib.contextmanager
def _held_back() -> Iterator[None]:
    """Ctrl-C waits: what is started meanwhile never hears it, not even before it has settled in."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def settle_in(stop: Any) -> None:
    """The first thing a worker does: from now on it stops when `stop` is set, and ends with its parent."""
    global _stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent answers Ctrl-C and tells everyone
    _stop = stop
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that was killed can tell nobody to stop."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def stopped() -> bool:
    """In a worker: whether everyone shall stop."""
    return _stop is not None and bool(_stop.is_set())
