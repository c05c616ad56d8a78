"""Folders that pages are written to: nothing of anybody else's is replaced."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from levelsmith.errors import LevelsmithError, quoted
from levelsmith.files import is_temporary
from levelsmith.levels.files import writable

PAGE = "index.html"
MARKED_BYTES = 4_000  # of a page, in which its mark stands


def check_folder(folder: Path, names: Collection[str], mark: str, whose: str, again: str) -> None:
    """Refuses a folder that holds something else than what was written there before, or cannot be written to.

    Args:
        folder: there already or not.
        names: of the files that it may hold.
        mark: what a page begins with that may be replaced.
        whose: what has written it, for the message.
        again: what to type with another folder.
    """
    if os.path.lexists(folder) and not folder.is_dir():
        raise LevelsmithError(f"expected a folder to write to, but {quoted(folder)} is a file; name another")
    writable(str(folder / "levels.json"))
    if not folder.exists():
        return
    found = sorted(name for name in os.listdir(folder) if not is_temporary(name))
    strange = [name for name in found if name not in names or not _is_plain(folder / name)]
    if found and not strange and not is_marked(folder / PAGE, mark):
        strange = found
    if strange:
        raise LevelsmithError(
            f"expected a new folder or one that {whose} has written, but {quoted(folder)} holds "
            f"{quoted(strange[0])}; name another: {again}"
        )


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def is_marked(path: Path, mark: str) -> bool:
    """Tells whether a page bears a mark."""
    try:
        with path.open("rb") as file:
            return mark.encode() in file.read(MARKED_BYTES)
    except OSError:
        return False
