"""One writer for a file or folder: a lock of the operating system on a file beside it, gone with the process.

The file beside it is empty and called like what it locks with `-writer` after it. Symbolic links are followed
first, so that all names of one place share one lock.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from typing import Self

from levelsmith.errors import LevelsmithError

# Nothing that somebody put in the place of the lock file is followed, and none of it is waited for.
FLAGS = os.O_RDWR | os.O_CREAT
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC"):  # Windows has none of them
    FLAGS |= getattr(os, _flag, 0)
NO_FILE = (errno.ELOOP, errno.EISDIR, errno.ENXIO, errno.EACCES)  # a link, a folder, a socket, another's


class Lock:
    """Held until `release` or the end of a `with` block; a second one is refused at once.

    Args:
        path: what is written, whether it is there yet or not.
        hint: what else a person who is refused may type.
    """

    def __init__(self, path: str | os.PathLike[str], hint: str = ""):
        self.path = f"{os.path.realpath(path)}-writer"
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
                if not _locked(file):
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
