"""What can be found in levels: the names of all kinds, how grave each is, and a finding with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from levelsmith.contracts import Found, Inspectable
from levelsmith.errors import LevelsmithError, on_command_line, quoted, unknown, worded
from levelsmith.levels.files import Placed
from levelsmith.registry import games

ERROR, WARNING, OFF = "error", "warning", "off"
SEVERITIES = (ERROR, WARNING, OFF)
Kinds = Mapping[str, tuple[str, str]]  # by name: how grave where nobody says, and what it is

UNREADABLE, MALFORMED = "unreadable", "malformed"
GENERAL: Kinds = {
    UNREADABLE: (ERROR, "a file that cannot be read"),
    MALFORMED: (ERROR, "a grid that is no level of its game: its size, its player, its edge"),
    "unwinnable": (ERROR, "a level that nobody can win, which is proved"),
    "unknown": (ERROR, "a level for which a limit was reached before it was won or proved to be lost"),
    "unprovable": (WARNING, "a level that no solver can look at, and why"),
    "wrong-solution": (ERROR, "the solution in the file does not win"),
    "longer-solution": (WARNING, "the solution in the file is longer than the fewest"),
    "wrong-minimum": (ERROR, "the minimum that is written beside the level is not the fewest"),
    "needless": (ERROR, "a rule or a thing that the level is said to need, and can be won without"),
    "won-at-once": (WARNING, "a level that is won before anybody moves"),
    "duplicate": (WARNING, "a level that is another one, turned or mirrored where its game says so"),
    "out-of-order": (OFF, "a level that is easier than one before it in its file"),
    "behind-unwinnable": (OFF, "a level that comes after one that cannot be won, in the same file"),
    "stale-exception": (WARNING, "an exception that no finding needs any more"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found, and where."""

    name: str
    severity: str  # "" where it has none yet
    text: str
    path: str
    line: int = 1
    column: int = 1
    level: str = ""  # its name, such as pack.xsb#3
    known: str = ""  # the reason of the exception that it is
    fatal: bool = False  # the file cannot be read, or the grid is no level: the exit status is 2

    @property
    def counts(self) -> bool:
        """Whether it is no known exception."""
        return not self.known

    def as_object(self) -> dict[str, Any]:
        told = {name: getattr(self, name) for name in ("name", "severity", "text", "path", "line", "column")}
        return {**told, **{name: found for name in ("level", "known") if (found := getattr(self, name))}}


def every_game() -> list[Any]:
    """Returns all games that there are, and one of those that are files."""
    return [*games.working(), *map(games.get, games.findable[:1])]


def kinds_of(games: Iterable[Any]) -> dict[str, tuple[str, str]]:
    """Returns all kinds of findings that there are for levels of some games."""
    kinds = dict(GENERAL)
    for game in games:
        if isinstance(game, Inspectable):
            kinds |= {name: told for name, told in game.inspections.items() if name not in kinds}
    return kinds


class Severities:
    """How grave each kind of finding is.

    Args:
        chosen: by the name of a kind, `error`, `warning` or `off`.
        every: whether kinds that are off, and that nobody has chosen, are warnings.
    """

    def __init__(self, chosen: Mapping[str, str], every: bool = False):
        for name, severity in chosen.items():
            if severity not in SEVERITIES:
                raise unknown(f"severity of {name}", severity, SEVERITIES)
        self.chosen, self.every = dict(chosen), every

    def check(self, kinds: Kinds) -> None:
        """Refuses names that no kind has."""
        for name in self.chosen:
            if name not in kinds:
                raise unknown("kind of finding", name, kinds, hint="levelsmith check --list names them all")

    def of(self, name: str, kinds: Kinds) -> str:
        usual = kinds[name][0] if name in kinds else WARNING
        return self.chosen.get(name, WARNING if self.every and usual == OFF else usual)


def place_of(placed: Placed, found: Found | None = None) -> tuple[int, int]:
    """Returns the line and the column of a level, or of what was found in it."""
    lines, column = placed.place
    if found is not None and found.line:
        return found.line, found.column
    if found is None or found.cell is None or len(lines) != placed.level.size[0]:
        return lines[0], column
    return lines[found.cell[0]], column + found.cell[1]


def in_words(error: LevelsmithError | str) -> str:
    """Returns a message in the words of the command line."""
    return worded(error if isinstance(error, str) else error.marked, on_command_line)


def titled(title: str) -> str:
    """Returns a title in quotes, behind a blank; nothing for none."""
    return f" {quoted(title)}" if title else ""
