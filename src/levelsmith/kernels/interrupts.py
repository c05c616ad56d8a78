"""Ctrl-C while LLVM works: it waits until LLVM has returned.

LLVM calls Python back. An exception that is raised there is printed and forgotten, and what it was to do has
not been done: the next step then fails, or the process crashes.
"""

from __future__ import annotations

import signal
import threading
from typing import Any


class HeldInterrupts:
    """Keeps Ctrl-C from the handler that hears it, between `hold` and the `release` that belongs to it.

    Used as a context, or by these calls, which may be nested. Where this thread hears no signals, or nobody
    handles this one, it does nothing. Compilers take turns, so one such object serves all threads.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.handler: Any = None  # whose turn it is afterwards; None while nothing is kept from it
        self.heard = False

    def hold(self) -> None:
        self.depth += 1
        if self.depth > 1 or threading.current_thread() is not threading.main_thread():
            return
        handler = signal.getsignal(signal.SIGINT)
        if callable(handler):
            self.handler, self.heard = handler, False
            signal.signal(signal.SIGINT, self._hear)

    def _hear(self, number: int, frame: Any) -> None:
        self.heard = True

    def give(self) -> None:
        """Lets the handler have what was heard until now: for places where an exception does no harm."""
        if self.handler is not None and self.heard:
            self.heard = False
            self.handler(signal.SIGINT, None)

    def release(self) -> None:
        self.depth -= 1
        if self.depth == 0 and self.handler is not None:
            signal.signal(signal.SIGINT, self.handler)
            try:
                self.give()
            finally:
                self.handler = None

    def __enter__(self) -> None:
        self.hold()

    def __exit__(self, *failed: object) -> None:
        self.release()


held = HeldInterrupts()
