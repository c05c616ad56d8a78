"""One writer for a file: a lock of the operating system on a file beside it, gone when the process is."""

from __future__ import annotations

import contextlib
import os
from typing import IO

from levelsmith.errors import LevelsmithError


class Lock:
    """Held until `release`; a second one is refused at once."""

    def __init__(self, path: str):
        self.path = f"{path}-writer"
        try:
            self.file = self._held(path)
        except OSError as error:
            raise LevelsmithError(f"cannot write {path}: {error.strerror}") from None

    def _held(self, path: str) -> IO[bytes]:
        while True:
            file = open(self.path, "ab")  # noqa: SIM115
            if not _locked(file):
                file.close()
                raise LevelsmithError(
                    f"{path} is being written by another process; wait for it to end, or take another file "
                    f"(levelsmith experiment status {path})"
                )
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), os.stat(self.path)):
                    return file
            file.close()  # its last holder has just removed it

    def release(self) -> None:
        with contextlib.suppress(OSError):  # Windows removes no open file
            os.unlink(self.path)
        self.file.close()


def _locked(file: IO[bytes]) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
