"""Writes files whole or not at all; what a killed process left half written is cleared by the next one."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

from levelsmith.errors import LevelsmithError, quoted

HOST = re.sub(r"[^A-Za-z0-9]", "", platform.node())[:32]
TEMPORARY = re.compile(r"\.levelsmith-([A-Za-z0-9]*)-(\d{1,9})-[0-9a-f]{16}")

_cleared: set[Path] = set()  # folders that this process has looked through


def write_files(files: Mapping[Path, bytes]) -> None:
    """Writes each file under a temporary name first, then renames; on an error nothing new is left.

    A link is followed, and what is no plain file (a terminal, a pipe) is written to as it is.
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
