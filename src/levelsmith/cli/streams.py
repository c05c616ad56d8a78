"""The standard streams of a command, also where they are closed, full, or read by nobody any more."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any, TextIO

NAMES = ("stdin", "stdout", "stderr")  # of the descriptors 0, 1 and 2


class OutputError(Exception):
    """Says why standard output cannot be written; `unread` where its reader (head, less) has seen enough.

    No OSError, which click would take for one of its own, and which may as well come from a file.
    """

    def __init__(self, error: OSError):
        self.unread = isinstance(error, BrokenPipeError)
        super().__init__(f"cannot write the output: {error.strerror}; make room, or send it elsewhere")


class _Output(io.FileIO):
    """Standard output, with errors of its own."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OutputError(error) from None


class _Closed(_Output):
    """Standard output that was closed: what is written to it would be lost. It says so once."""

    said = False

    def write(self, data: Any) -> int:
        if self.said:
            return len(data)
        self.said = True
        raise OutputError(OSError(errno.EBADF, "standard output is closed"))


class _Notices(io.FileIO):
    """Standard error: where it cannot be written nothing can be said, and the command goes on."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def prepare() -> None:
    """Gives a process its three streams: those that are closed read nothing; nothing can be said where errors
    are closed, and to write to an output that is closed is an error.

    Without it the next file or socket would get the number of a closed one, and what is printed with it.
    """
    closed = set()
    for number in range(len(NAMES)):
        try:
            os.fstat(number)
        except OSError:
            closed.add(number)
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest free number is this one
    for number, name in enumerate(NAMES):
        if getattr(sys, name) is None:
            nothing = open(os.devnull, "w" if number else "r", encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, nothing)
    if 1 in closed:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed(1, "w", closefd=False)), encoding="utf-8")
    else:
        sys.stdout = _through(_Output, sys.stdout, 1)
    sys.stderr = _through(_Notices, sys.stderr, 2)


def _through(kind: type[io.FileIO], stream: Any, number: int) -> TextIO:
    """Returns a stream that writes as this one does, through a file of the kind given."""
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)  # there is no buffer with PYTHONUNBUFFERED
    if type(raw) is not io.FileIO or raw.fileno() != number:  # a console of Windows, a test that reads along
        return stream  # type: ignore[no-any-return]
    file = kind(number, "w", closefd=False)
    return io.TextIOWrapper(
        file if raw is buffer else io.BufferedWriter(file),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=raw is buffer,
    )


def discard_output() -> None:
    """Sends what is left to write nowhere, or it would fail once more when the process ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
