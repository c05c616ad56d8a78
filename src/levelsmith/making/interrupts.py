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
    signals that are named, where nobody hears them yet.

    The second Ctrl-C stops at once. Only the main thread hears signals, and a program that has a handler of
    its own keeps it: in these cases this does nothing.
    """
    asked = False

    def ask(number: int, frame: Any) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    elsewhere = threading.current_thread() is not threading.main_thread()
    if elsewhere or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    unheard = [number for number in others if signal.getsignal(number) is signal.SIG_DFL]
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, *unheard)}
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
