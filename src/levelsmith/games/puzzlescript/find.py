"""PuzzleScript games by name: a file that holds one is a game, and some ship as `puzzlescript:NAME`."""

from __future__ import annotations

import logging
import os
import re
import stat
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levelsmith.errors import LevelsmithError, quoted, unknown
from levelsmith.registry import NO_FILES

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.game import PuzzleGame

SHIPPED = Path(__file__).parent / "shipped"
KIND = "PuzzleScript"
PREFIX = "puzzlescript:"
OWN, SHARED = ".puzzlescript", ".txt"  # extensions: always a game; a game or levels as text
MOST_BYTES = 2_000_000
LEFT_OUT = "left out"  # what a warning says that changes the game
MOST_TOLD, MOST_ODD = 20, 3  # lines about a game: of its mistakes, and of what is odd but right
HEADING = re.compile(
    r"^[ \t]*(objects|legend|collisionlayers|rules|winconditions|levels)[ \t]*\r?$", re.I | re.M
)
FIRST, HEADINGS = "objects", 2  # the heading that says it all, and how many different ones do without it


def names() -> list[str]:
    """Returns the names of the games that ship."""
    return sorted(PREFIX + file.stem for file in SHIPPED.glob("*.txt"))


def sources() -> dict[str, str]:
    """Returns the text of each game that ships, by its name."""
    return {name: _path(name).read_text(encoding="utf-8") for name in names()}


def _path(name: str) -> Path:
    return SHIPPED / f"{name.removeprefix(PREFIX)}.txt"


def explained(text: str) -> dict[str, Any]:
    """Returns what a source holds, as plain data: its mistakes, and the game if it can be played."""
    from levelsmith.games.puzzlescript.plain import explained

    return explained(text)


def of_text(text: str) -> PuzzleGame:
    """Returns the game that a source is."""
    from levelsmith.games.puzzlescript.game import PuzzleGame

    return PuzzleGame("the game", text)


def find(name: str) -> PuzzleGame | None:
    """Returns the game that a name or a path stands for; None where it stands for none."""
    path = name
    if name.startswith(PREFIX):
        if name not in names():
            raise unknown("PuzzleScript game", name, names())
        path = str(_path(name))
    elif not name.lower().endswith((OWN, SHARED)) or os.environ.get(NO_FILES):
        return None
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return _read(name, path, found.st_mtime_ns, found.st_size) if stat.S_ISREG(found.st_mode) else None


@lru_cache(maxsize=128)
def _read(name: str, path: str, changed: int, size: int) -> PuzzleGame | None:
    """Returns the game of a file as it is now; None for a text that is no game."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise LevelsmithError(f"cannot read {quoted(name)}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        text = ""  # it may be cut in the middle of a character
    headings = set(map(str.lower, HEADING.findall(text)))
    if not name.lower().endswith(OWN) and len(headings) < HEADINGS and FIRST not in headings:
        return None
    if len(data) > MOST_BYTES or not text:
        raise LevelsmithError(
            f"{name}: expected a PuzzleScript game in UTF-8, of at most {MOST_BYTES:,} bytes"
        )
    from levelsmith.games.puzzlescript.game import PuzzleGame

    try:
        game = PuzzleGame(name, text)
    except LevelsmithError as error:
        raise LevelsmithError(f"{name}: {error.marked}") from None
    if not name.startswith(PREFIX):
        _warn(name, game)
    return game


def _warn(name: str, game: PuzzleGame) -> None:
    """Tells the mistakes of a game that is played all the same, and what is odd in it, a line each."""
    faults = game.program.source.faults
    told = [f"{fault}; it is played without that" if fault.weight else str(fault) for fault in faults.told]
    odd = [str(fault) for fault in sorted(faults.warnings)]
    told += [text for text in odd if LEFT_OUT in text]
    odd = [text for text in odd if LEFT_OUT not in text]
    for found, most, what in ((told, MOST_TOLD, "mistakes"), (odd, MOST_ODD, "odd lines")):
        if len(found) > most + 1:
            found[most:] = [f"and {len(found) - most} more {what}; the studio marks each at its line"]
    for text in told + odd:
        logging.getLogger("levelsmith").warning("%s: %s", name, text)
