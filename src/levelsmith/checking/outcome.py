"""What came of each level and each file as plain data, and how files that have not changed are remembered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from levelsmith import __version__
from levelsmith.checking.findings import Finding
from levelsmith.checking.proofs import Proofs
from levelsmith.checking.settings import Settings
from levelsmith.levels.files import OWN_FILES


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one level."""

    name: str
    title: str
    path: str
    line: int
    column: int
    game: str
    status: str = ""  # "" where it was not looked at
    told: str = ""  # the verdict in words
    solution: str | None = None
    metrics: dict[str, Any] = field(default_factory=dict)
    reason: dict[str, str] = field(default_factory=dict)  # `why`, and the `limit` that was reached
    seconds: float = 0.0
    kept: bool = True  # nothing about it was proved now
    unsure: list[str] = field(default_factory=list)  # questions that a limit left open
    alike: str | None = None  # what levels share that are the same, turned or mirrored
    cells: str = ""  # what levels share whose cells are the same


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What came of the levels of a file, and all that is found in it, whether it counts or not."""

    levels: list[Outcome]
    findings: list[Finding]


class Memory:
    """Remembers what came of files that are games with their levels, which take long to read.

    Args:
        proofs: where it is kept.
        settings: what is asked for, and the limits.
    """

    def __init__(self, proofs: Proofs, settings: Settings):
        self.proofs, self.effort = proofs, settings.effort
        asked = (settings.game, settings.guards, settings.every, settings.levels, settings.folder)
        tables = (sorted(settings.tiles.items()), sorted(settings.findings.items()))
        self.asked = f"{__version__}\n{asked}\n{tables}\n{self.effort}\n".encode()
        self.numbers: dict[str, bytes] = {}  # of the files that were asked for and not remembered

    def recall(self, path: str) -> FileOutcome | None:
        """Returns what came of a file; None where it is not known, or the file has changed."""
        if not path.lower().endswith(OWN_FILES) or self.proofs.path is None:
            return None
        try:
            data = Path(path).read_bytes()
        except OSError:
            return None
        number = blake2b(self.asked + f"{path}\n".encode() + data, digest_size=16).digest()
        self.numbers[path] = number
        found = self.proofs.known([number], self.effort).get(number, {})
        try:
            levels = [Outcome(**{**one, "kept": True}) for one in found["levels"]]
            return FileOutcome(levels, [Finding(**one) for one in found["findings"]])
        except (KeyError, TypeError):
            return None

    def keep(self, files: Iterable[tuple[str, FileOutcome]]) -> None:
        """Keeps what came of files whose levels are of the game that the file itself is."""
        fresh = {
            self.numbers[path]: {"final": True, **asdict(outcome)}
            for path, outcome in files
            if path in self.numbers and _is_whole(path, outcome)
        }
        self.proofs.keep(fresh, self.effort)


def _is_whole(path: str, outcome: FileOutcome) -> bool:
    """Tells whether all levels of a file were looked at, and hang on nothing but the file."""
    return all(one.status and one.game == path for one in outcome.levels)
