"""The folder of the demo: the page, the levels as files, and pictures of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from levelsmith.core import Level
from levelsmith.demo.make import PARTS, DemoLevels
from levelsmith.demo.page import MARK, page
from levelsmith.files import write_files
from levelsmith.levels.files import save
from levelsmith.publish import folder as folders
from levelsmith.publish.folder import PAGE

ALL, FILM = "levels.json", "solution.gif"
NAMES = (PAGE, ALL, *(f"{part.stem}{ending}" for part in PARTS for ending in part.files), FILM)


def check_folder(folder: Path) -> None:
    """Refuses a folder that holds something else than a demo, or cannot be written to, before any work."""
    folders.check_folder(folder, NAMES, MARK, "the demo", "levelsmith demo FOLDER")


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
