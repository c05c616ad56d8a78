"""A folder of levels by the thousand, laid out as Boxoban is: `000.txt`, `001.txt`, … of 1000 levels each.

A file appears once it is whole. Beside it lies one with the solutions, a line each. `ORIGIN`, written first,
says how the levels are made and how far that went: the same command goes on where it was stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from levelsmith.atomic import is_temporary, write_files
from levelsmith.contracts import Game
from levelsmith.core import UNSURE, Batch, Level
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.levels.files import load
from levelsmith.lock import Lock
from levelsmith.reading import read_plain_file
from levelsmith.registry import games, generators

A_FILE = 1000  # levels
ORIGIN = "ORIGIN"
LONGEST_ORIGIN = 1_000_000  # bytes
OF_A_LEVEL = ("run", "score", "evaluations")  # what is told of each level by itself


class Pack:
    """Takes batches of levels and writes a file whenever one is full; it is the only writer until `close`.

    Args:
        folder: a new one, an empty one, or one that the same command has begun.
        game: of the levels.
        origin: how they are made; a folder of another origin is refused.
    """

    def __init__(self, folder: str, game: Game, origin: Mapping[str, Any]):
        self.folder, self.game, self.origin = Path(folder), game, dict(origin)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LevelsmithError(f"cannot make the folder {quoted(self.folder)}: {error.strerror}") from None
        self.lock = Lock(self.folder / ORIGIN)
        try:
            self.files, self.next_run = self._begun()
        except BaseException:
            self.lock.release()
            raise
        self.symbols = np.frombuffer(game.tiles.symbols.encode("ascii"), np.uint8)
        self.texts: list[bytes] = []
        self.solutions: list[str] = []
        self.runs: list[int] = []

    def _begun(self) -> tuple[int, int | None]:
        """Returns how many files are whole, and the run to go on with; None for the first."""
        if not self._clear():
            write_files(self._bookkeeping(0, None))
            return 0, None
        try:
            told = json.loads((self.folder / ORIGIN).read_text(encoding="utf-8"))
            files, next_run = int(told.pop("files")), told.pop("next_run")
        except (OSError, ValueError, KeyError, AttributeError):
            raise LevelsmithError(
                f"{quoted(self.folder)} holds something else already; expected a new folder or an empty one"
            ) from None
        for name, value in json.loads(json.dumps(self.origin)).items():
            if told.get(name) != value:
                raise LevelsmithError(
                    f"{quoted(self.folder)} holds levels made otherwise: {name} {told.get(name)}, "
                    f"now {value}; repeat that command to go on with them, or choose another folder"
                )
        return files, next_run

    def _clear(self) -> list[str]:
        """Removes what a killed writer left half written; returns the names of all else that is there."""
        kept = []
        for path in self.folder.iterdir():
            if is_temporary(path.name):
                path.unlink(missing_ok=True)
            elif path.name != Path(self.lock.path).name:
                kept.append(path.name)
        return kept

    def _bookkeeping(self, files: int, next_run: int | None) -> dict[Path, bytes]:
        """Returns the file that says how the levels are made and how far that went."""
        origin = {**self.origin, "files": files, "next_run": next_run}
        return {self.folder / ORIGIN: (json.dumps(origin, indent=1) + "\n").encode()}

    def there(self) -> Iterator[list[Level]]:
        """Yields the levels of each whole file."""
        for number in range(self.files):
            yield load(self._path(number, ".txt"), game=self.game.name, format="text")

    def add(self, batch: Batch) -> None:
        rows = self.symbols[batch.grids]
        lines = np.concatenate([rows, np.full((*rows.shape[:2], 1), ord("\n"), np.uint8)], axis=2)
        self.texts += [level.tobytes() for level in lines]
        self.solutions += batch.solutions
        self.runs += batch.runs.tolist()
        while len(self.texts) >= A_FILE:
            self._write()

    def close(self) -> None:
        """Writes what does not fill a file; going on replaces that file."""
        try:
            if self.texts:
                self._write()
        finally:
            self.lock.release()

    def _write(self) -> None:
        whole = len(self.texts) >= A_FILE
        text = b"".join(b"; %d\n%s\n" % (i, level) for i, level in enumerate(self.texts[:A_FILE]))
        solutions = "".join(f"{solution}\n" for solution in self.solutions[:A_FILE])
        number = self.files
        if whole:
            self.files, self.next_run = number + 1, self.runs[A_FILE - 1] + 1
        write_files(
            {
                self._path(number, ".lurd"): solutions.encode("ascii"),
                self._path(number, ".txt"): text,
                **self._bookkeeping(self.files, self.next_run),
            }
        )
        del self.texts[:A_FILE], self.solutions[:A_FILE], self.runs[:A_FILE]

    def _path(self, number: int, extension: str) -> Path:
        return self.folder / f"{number:03}{extension}"


# -------------------------------------------------------------------------- the same from levels, and back


def made_together(levels: Sequence[Level]) -> bool:
    """Tells whether levels are those of one command that makes them by the thousand, all of them proved."""
    first = _shared(levels[0])
    name = first.get("search")
    if "representation" in first or not isinstance(name, str) or name not in generators:
        return False
    alike = all(level.size == levels[0].size and _shared(level) == first for level in levels)
    proved = all(level.solution is not None and "run" in level.provenance for level in levels)
    return (
        alike
        and proved
        and UNSURE not in first
        and generators.get(name).distinct
        and levels[0].tiles.symbols.isascii()
    )


def _shared(level: Level) -> dict[str, Any]:
    return {key: value for key, value in level.provenance.items() if key not in OF_A_LEVEL}


def write_levels(levels: Sequence[Level], folder: str) -> None:
    """Writes levels that were made together as the command that makes them does, into a new folder."""
    if Path(folder).exists() and any(Path(folder).iterdir()):
        raise LevelsmithError(
            f"{quoted(Path(folder))} holds something already; expected a new folder or an empty one"
        )
    runs = np.array([level.provenance["run"] for level in levels], np.int64)
    pack = Pack(folder, games.get(levels[0].game), {**_shared(levels[0]), "skip": int(runs[0])})
    none = np.zeros(len(levels), np.uint64)
    solutions = tuple(level.solution or "" for level in levels)
    grids = np.stack([level.grid for level in levels])
    try:
        pack.add(Batch(runs, grids, solutions, none, none.astype(np.int64)))
    finally:
        pack.close()


def game_of(folder: Path) -> str | None:
    """Returns the game of a folder's levels, where its `ORIGIN` says so."""
    if not (folder / ORIGIN).is_file():
        return None
    try:
        told = json.loads(read_plain_file(folder / ORIGIN, "the file", LONGEST_ORIGIN))
    except (LevelsmithError, ValueError, RecursionError):
        return None
    name = told.get("game") if isinstance(told, dict) else None
    return name if isinstance(name, str) and name in games else None


def with_solutions(levels: list[Level], file: Path, most: int) -> list[Level]:
    """Returns the levels of a file with the solutions of the one beside it, if that has one for each."""
    try:
        lines = read_plain_file(file.with_suffix(".lurd"), "the file", most).decode("ascii").splitlines()
    except (LevelsmithError, UnicodeDecodeError):
        return levels
    if len(lines) != len(levels):
        return levels
    return [replace(level, solution=line) for level, line in zip(levels, lines, strict=True)]
