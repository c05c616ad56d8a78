"""Files that a user names: read up to a limit, written whole or not at all, by one writer at a time.

What a killed process left half written is cleared by the next one, and a lock of the operating system is gone
with its process.
"""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import re
import secrets
import shutil
import stat
import time
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Self

from levelsmith.errors import LevelsmithError, quoted

PIECE = 1_000_000  # bytes
WAIT_SECONDS = 0.05  # between two looks whether a lock is free

HOST = re.sub(r"[^A-Za-z0-9]", "", platform.node())[:32]
TEMPORARY = re.compile(r"\.levelsmith-([A-Za-z0-9]*)-(\d{1,9})-[0-9a-f]{16}")

# Nothing that somebody put in the place of the lock file is followed, and none of it is waited for.
FLAGS = os.O_RDWR | os.O_CREAT
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC"):  # Windows has none of them
    FLAGS |= getattr(os, _flag, 0)
NO_FILE = (errno.ELOOP, errno.EISDIR, errno.ENXIO, errno.EACCES)  # a link, a folder, a socket, another's

_cleared: set[Path] = set()  # folders that this process has looked through


# ---------------------------------------------------------------------------------------------------- reading


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


# ---------------------------------------------------------------------------------------------------- writing


def write_files(files: Mapping[Path, bytes]) -> None:
    """Writes each file under a temporary name first, then renames; on an error nothing new is left.

    A file that is there keeps who may read it. A link is followed, and what is no plain file (a terminal, a
    pipe) is written to as it is.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        for path, data in files.items():
            path = Path(os.path.realpath(path))
            if _is_special(path):
                path.write_bytes(data)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.parent not in _cleared:
                _cleared.add(path.parent)
                clear_temporaries(path.parent)
            staged.append((path.parent / f".levelsmith-{HOST}-{os.getpid()}-{secrets.token_hex(8)}", path))
            _write(staged[-1][0], data)
        for temporary, path in staged:
            if path.exists():
                shutil.copymode(path, temporary)
            os.replace(temporary, path)
    except OSError as error:
        raise LevelsmithError(
            f"cannot write {quoted(path)}: {error.strerror or error}; "
            "expected a folder you may write to, with space left"
        ) from None
    finally:
        for temporary, _ in staged:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def is_temporary(name: str) -> bool:
    """Tells whether a file of this name is one that `write_files` makes on its way."""
    return TEMPORARY.fullmatch(name) is not None


def clear_temporaries(folder: Path) -> None:
    """Removes what processes of this machine that are no more have left half written in a folder."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            found = TEMPORARY.fullmatch(name)
            if found is not None and found[1] == HOST and not _is_alive(int(found[2])):
                with contextlib.suppress(OSError):
                    os.unlink(folder / name)


def _is_alive(process: int) -> bool:
    if os.name == "nt":  # there, asking would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        pass
    return True


def _is_special(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


# ------------------------------------------------------------------------------------------------- one writer


class Lock:
    """Held until `release` or the end of a `with` block; a second one is refused, at once where nobody waits.

    The lock is on an empty file beside what is written, called like it with `-writer` after it. Symbolic
    links are followed first, so that all names of one place share one lock.

    Args:
        path: what is written, whether it is there yet or not.
        hint: what else a person who is refused may type.
        seconds: how long to wait for the process that has it.
    """

    def __init__(self, path: str | os.PathLike[str], hint: str = "", seconds: float = 0.0):
        self.path, self.until = f"{os.path.realpath(path)}-writer", time.monotonic() + seconds
        try:
            self.file = self._held(os.fspath(path), hint)
        except OSError as error:
            if error.errno in NO_FILE and os.path.lexists(self.path):
                raise _taken(os.fspath(path), self.path) from None
            raise LevelsmithError(f"cannot write {os.fspath(path)}: {error.strerror}") from None

    def _held(self, path: str, hint: str) -> int:
        while True:
            file = os.open(self.path, FLAGS, 0o666)
            try:
                found = os.fstat(file)
                if not stat.S_ISREG(found.st_mode) or found.st_size:
                    raise _taken(path, self.path)
                if not self._locked_in_time(file):
                    more = f" ({hint})" if hint else ""
                    raise LevelsmithError(
                        f"{path} is being written by another process; wait for it to end, "
                        f"or take another name{more}"
                    )
                if self._is(file):
                    return file
            except BaseException:
                os.close(file)
                raise
            os.close(file)  # its last holder has just removed it

    def _locked_in_time(self, file: int) -> bool:
        while not _locked(file):
            if time.monotonic() >= self.until:
                return False
            time.sleep(WAIT_SECONDS)
        return True

    def _is(self, file: int) -> bool:
        """Tells whether an open file is the one that has the lock's name."""
        try:
            return os.path.samestat(os.fstat(file), os.lstat(self.path))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        with contextlib.suppress(OSError):  # Windows removes no open file
            if self._is(self.file):
                os.unlink(self.path)
        os.close(self.file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _taken(path: str, lock: str) -> LevelsmithError:
    """Returns the error for a lock file that is none: a link, a pipe, a file with something in it."""
    return LevelsmithError(
        f"cannot write {path}: expected {lock} to be an empty file of yours or not to be there; "
        "remove it, or take another name"
    )


def _locked(file: int) -> bool:
    """Locks an open file, and tells whether that could be done."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
