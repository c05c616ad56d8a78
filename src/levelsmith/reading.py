"""Reads files that a user names: at most so many bytes, and nothing that could be waited on for ever."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from levelsmith.errors import LevelsmithError, quoted

PIECE = 1_000_000  # bytes


def read_plain_file(path: str | Path, kind: str, most: int) -> bytes:
    """Returns the bytes of a plain file; one that is larger is refused, and so is a folder, pipe or device.

    Args:
        path: where it is.
        kind: what it should hold, for messages, such as `the preset`.
        most: bytes that are read.
    """
    try:
        with open(path, "rb", opener=_open_at_once) as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise LevelsmithError(f"cannot read {kind} {quoted(path)}: expected a plain file")
            data = read_at_most(stream, most + 1)
    except LevelsmithError:
        raise
    except (OSError, ValueError) as error:  # a name that no file can have is a ValueError
        reason = getattr(error, "strerror", None) or error
        raise LevelsmithError(f"cannot read {kind} {quoted(path)}: {reason}") from None
    if len(data) > most:
        raise LevelsmithError(
            f"cannot read {kind} {quoted(path)}: expected at most {most / 1e6:g} MB, got more"
        )
    return data


def read_at_most(stream: BinaryIO, most: int) -> bytes:
    """Returns at most so many bytes, read in pieces: a large limit takes no memory before data comes."""
    pieces: list[bytes] = []
    while most > 0 and (piece := stream.read(min(most, PIECE))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def _open_at_once(path: str, flags: int) -> int:
    """Opens a file without waiting: a pipe without a writer would be waited on for ever."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
