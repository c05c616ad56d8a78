"""How levels stop being made: by a `cancel` that is asked, or by Ctrl-C.

A command ends with its best so far; a program gets a KeyboardInterrupt that carries it.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any

from levelsmith.core import Cancel
from levelsmith.errors import LevelsmithError, quoted


@contextlib.contextmanager
def interruptible(*others: signal.Signals) -> Iterator[Cancel]:
    """Gives a `cancel` that the first Ctrl-C makes true, so that a run ends with its best so far; so do other
    signals that are named.

    The second one stops at once. Only the main thread hears signals, and only those that nobody hears yet: a
    program keeps a handler of its own, and what runs in the background goes on ignoring Ctrl-C.
    """
    asked = False

    def ask(number: int, frame: Any) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    unheard = []
    if threading.current_thread() is threading.main_thread():
        usual = (signal.default_int_handler, signal.SIG_DFL)
        unheard = [number for number in (signal.SIGINT, *others) if signal.getsignal(number) in usual]
    before = {number: signal.signal(number, ask) for number in unheard}
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def interruption(result: Any) -> KeyboardInterrupt:
    """Returns what Ctrl-C raises in a program, with what there was until then as its `result`."""
    interrupt = KeyboardInterrupt()
    interrupt.result = result  # type: ignore[attr-defined]
    return interrupt


def check_cancel(cancel: Any) -> None:
    """Refuses a `cancel` that cannot be asked."""
    if cancel is not None and not callable(cancel):
        raise LevelsmithError(f"expected a function without arguments as cancel, got {quoted(cancel)}")
