"""The first answer without a wait for the compiler: one process works uncompiled while another compiles.

Kernels run as plain Python too, to the same bytes and a hundred times slower. For a level or two that is
sooner than the compiler. So where a kernel is missing, two processes do the same work, one plainly, one
compiled, and the first answer counts. The one that compiles goes on: what it keeps serves the next command.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any

import numba

from levelsmith.kernels import compile

VARIABLE = "LEVELSMITH_FIRST"  # "compiled" for no plain answers: then a command waits for the compiler
MOST_SECONDS = 600  # that a process which nobody waits for any more may go on compiling
LOOK_SECONDS = 0.05
NOTICE = "first use: compiling in the background for the next time, and working uncompiled until then …"
NICE = 5  # how far what is compiled for later stands back

Work = Callable[..., Any]


class ColdError(Exception):
    """Raised in the place of a compilation."""


@contextlib.contextmanager
def refuse_compiling() -> Iterator[None]:
    """Raises ColdError for the first kernel that would have to be compiled, unless a user wants to wait."""

    def refuse(name: str) -> None:
        compile.before = None
        raise ColdError(name)

    compile.before = None if os.environ.get(VARIABLE) == "compiled" else refuse
    try:
        yield
    finally:
        compile.before = None


def follow(
    start: Callable[[], Iterator[Any]],
    work: Work,
    given: tuple[Any, ...],
    cancel: Callable[[], bool],
    say: Callable[[str], None],
) -> Iterator[Any]:
    """Yields what `start()` yields; where a kernel is missing, what `work(*given)` returned sooner."""
    events = start()
    try:
        with refuse_compiling():
            first = list(islice(events, 1))
    except ColdError:
        say(NOTICE)
        made = answer(work, *given, cancel=cancel)
        first, events = [], iter(made[0]) if made else start()
    yield from chain(first, events)


def answer(work: Work, *given: Any, cancel: Callable[[], bool] = lambda: False) -> tuple[Any] | None:
    """Returns what `work(*given)` returns, in a tuple, if that comes sooner uncompiled; else None.

    Args:
        work: a function of a module, which any process can import.
        given: what it gets, as plain data. It is called with `begun=...` besides, to be called once all
            that takes long to compile is compiled.
        cancel: asked again and again; True ends both processes.
    """
    messages: queue.SimpleQueue[tuple[bool, str, Any]] = queue.SimpleQueue()
    plain, compiled = _start(True, messages), _start(False, messages)
    request = pickle.dumps((work, given, os.getpid()))
    for process in (plain, compiled):
        threading.Thread(target=_send, args=(process, request), daemon=True).start()
    alive = {True, False}
    try:
        while alive and not cancel():
            try:
                plainly, word, data = messages.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                continue
            if word == "answer" and plainly:
                return (data,)
            if word == "gone":
                alive.discard(plainly)
            if not plainly:  # it has begun to work, or failed: here the same happens, and is told
                return None
        _end(compiled)
        return None
    except BaseException:  # Ctrl-C, where it is not asked for by `cancel`
        _end(compiled)
        raise
    finally:
        _end(plain)
        if compiled.returncode is None:
            compiled.returncode = 0  # it goes on: nobody waits for it, and nobody is warned that it does


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _start(plainly: bool, messages: Any) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1" if plainly else "0", VARIABLE: "compiled"}
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,  # Ctrl-C is for the command alone
    )
    listener = threading.Thread(target=_listen, args=(process, plainly, messages), daemon=True, name="cold")
    listener.start()
    return process


def _send(process: subprocess.Popen[bytes], request: bytes) -> None:
    with contextlib.suppress(OSError), process.stdin as stream:  # type: ignore[union-attr]
        stream.write(request)


def _listen(process: subprocess.Popen[bytes], plainly: bool, messages: Any) -> None:
    with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError), process.stdout as stream:  # type: ignore[union-attr]
        while True:
            messages.put((plainly, *pickle.load(stream)))  # noqa: S301
    messages.put((plainly, "gone", None))


def main() -> None:
    """Does the work that comes on standard input; tells when it has begun, and what came out."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever else is printed
    timer = threading.Timer(MOST_SECONDS, os._exit, (1,))
    timer.daemon = True
    timer.start()
    if hasattr(os, "nice"):
        os.nice(NICE)

    def tell(word: str, data: Any = None) -> None:
        with contextlib.suppress(OSError):  # nobody listens any more
            out.write(pickle.dumps((word, data)))

    work, given, asking = pickle.load(sys.stdin.buffer)  # noqa: S301
    if numba.config.DISABLE_JIT:  # nothing is kept of its work: it ends with who asked for it
        threading.Thread(target=_end_with, args=(asking,), daemon=True).start()
    tell("answer", work(*given, begun=lambda: tell("begun")))


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS * 10)
    os._exit(1)


if __name__ == "__main__":
    main()
