"""How much the studio takes on before it refuses, and the error that carries the status of a refusal."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import Any

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError, listed, quoted

MEGABYTE = 1_000_000
EXACT = 2**53 - 1  # the largest whole number that a page can send and show without rounding it


@dataclass(frozen=True, slots=True)
class StudioLimits:
    """All of them can be set on the command line."""

    jobs: int = max(1, (os.cpu_count() or 2) // 2)  # searches at the same time
    queue: int = 100  # jobs that wait
    cells: int = 4_096  # of a level to make
    count: int = 1_000  # levels of one job
    seconds: float = 600.0  # of one job
    megabytes: int = 2_000  # of memory of one job
    upload: int = 10  # megabytes of one file
    watchers: int = 1_000  # of all jobs together
    store_megabytes: int = 2_000  # of the file with levels and jobs

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not value > 0:
                raise LevelsmithError(f"expected a limit of more than 0 for {name}, got {value:g}")


class Refusal(LevelsmithError):  # noqa: N818
    """A wrong request: one sentence, and its HTTP status."""

    def __init__(self, message: str, status: int = 400):
        super().__init__(message)
        self.status = status


def check_cells(level: Level, most: int) -> None:
    """Refuses a level of more cells than the studio takes."""
    if level.grid.size > most:
        raise LevelsmithError(f"expected at most {most:,} cells, got {level.size[1]}x{level.size[0]}")


def missing(kind: str, number: object) -> Refusal:
    return Refusal(f"there is no {kind} {quoted(number)}", 404)


KINDS: dict[type, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
}


def typed(name: str, value: Any, *kinds: type) -> Any:
    """Returns the value, if it is of one of the kinds that JSON knows; a whole number is a number too."""
    if type(value) in kinds or (float in kinds and type(value) is int and abs(value) < 1e300):
        return value
    raise Refusal(f"expected {' or '.join(KINDS[kind] for kind in kinds)} for {name}, got {quoted(value)}")


def only(what: str, data: dict[str, Any], names: tuple[str, ...]) -> None:
    """Refuses keys that nobody would read."""
    for key in data:
        if key not in names:
            raise Refusal(f"no part of {what} is called {quoted(key)}; expected {listed(names)}")
