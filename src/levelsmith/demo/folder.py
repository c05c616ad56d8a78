"""The folder of the demo: the page, the levels as files, and pictures of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from levelsmith.core import Level
from levelsmith.demo.make import PARTS, DemoLevels
from levelsmith.demo.page import MARK, page
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.files import is_temporary, write_files
from levelsmith.levels.files import save, writable

PAGE, ALL, FILM = "index.html", "levels.json", "solution.gif"
NAMES = (PAGE, ALL, *(f"{part.stem}{ending}" for part in PARTS for ending in part.files), FILM)
MARKED_BYTES = 4_000  # of a page, in which its mark stands


def check_folder(folder: Path) -> None:
    """Refuses a folder that holds something else than a demo, or cannot be written to, before any work."""
    if os.path.lexists(folder) and not folder.is_dir():
        raise LevelsmithError(f"expected a folder to write to, but {quoted(folder)} is a file; name another")
    writable(str(folder / ALL))
    if not folder.exists():
        return
    found = sorted(name for name in os.listdir(folder) if not is_temporary(name))
    strange = [name for name in found if name not in NAMES or not _is_plain(folder / name)]
    if found and not strange and not _is_marked(folder / PAGE):
        strange = found
    if strange:
        raise LevelsmithError(
            f"expected a new folder or one that the demo has written, but {quoted(folder)} holds "
            f"{quoted(strange[0])}; name another: levelsmith demo FOLDER"
        )


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _is_marked(path: Path) -> bool:
    """Tells whether a page is one that the demo has written."""
    try:
        with path.open("rb") as file:
            return MARK.encode() in file.read(MARKED_BYTES)
    except OSError:
        return False


def write(made: Sequence[DemoLevels], folder: Path) -> list[Path]:
    """Writes the demo to a folder and returns its files, the page first, for by its mark all is known."""
    check_folder(folder)
    write_files({folder / PAGE: page(made).encode()})
    save([level for each in made for level in each.levels], folder / ALL)
    for each in made:
        for ending in each.part.files:
            save(each.levels, folder / f"{each.part.stem}{ending}")
    save(_hardest(made), folder / FILM)
    return [folder / name for name in NAMES]


def _hardest(made: Sequence[DemoLevels]) -> Level:
    """Returns the last level of the first part that has several."""
    return next(each.levels[-1] for each in made if len(each.levels) > 1)
