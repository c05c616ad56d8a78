"""A folder of levels by the thousand, laid out as Boxoban is: `000.txt`, `001.txt`, … of 1000 levels each.

Beside each lies a file with the solutions, a line each. `ORIGIN` says how the levels are made and how far
that went: the same command goes on where it was stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from levelsmith.contracts import Game
from levelsmith.core import UNSURE, Batch, Level
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.files import read_plain_file
from levelsmith.levels.folder import Folder
from levelsmith.levels.formats.format import ReadLimits, Source
from levelsmith.levels.formats.text import FORMAT
from levelsmith.registry import games, generators

A_FILE = 1000  # levels
ORIGIN = "ORIGIN"
LONGEST_ORIGIN = 1_000_000  # bytes
OF_A_LEVEL = ("run", "score", "evaluations")  # what is told of each level by itself


class Bulk(Folder[tuple[bytes, str]]):
    """Takes levels as text, each with its solution.

    Args:
        folder: a new one, an empty one, or one that the same command has begun.
        game: of the levels.
        origin: how they are made; a folder of another origin is refused.
    """

    manifest, progress = ORIGIN, {"files": int}

    def __init__(self, folder: str, game: Game, origin: Mapping[str, Any]):
        self.game = game
        self.symbols = np.frombuffer(game.tiles.symbols.encode("ascii"), np.uint8)
        super().__init__(Path(folder), origin, A_FILE)

    def there(self) -> Iterator[list[Level]]:
        """Yields the levels of each whole file."""
        for number in range(self.whole):
            file = self.path / f"{number:03}.txt"
            data = read_plain_file(file, "the file", ReadLimits().bytes)
            yield FORMAT.parse(data, Source(str(file), self.game))

    def add_batch(self, batch: Batch) -> None:
        rows = self.symbols[batch.grids]
        lines = np.concatenate([rows, np.full((*rows.shape[:2], 1), ord("\n"), np.uint8)], axis=2)
        for level, solution, run in zip(lines, batch.solutions, batch.runs.tolist(), strict=True):
            self.add((level.tobytes(), solution), run)

    def shard(self) -> dict[str, bytes]:
        text = b"".join(b"; %d\n%s\n" % (i, level) for i, (level, _) in enumerate(self.items))
        solutions = "".join(f"{solution}\n" for _, solution in self.items)
        return {f"{self.whole:03}.lurd": solutions.encode("ascii"), f"{self.whole:03}.txt": text}


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
        and generators.get(name).batches
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
    bulk = Bulk(folder, games.get(levels[0].game), {**_shared(levels[0]), "skip": int(runs[0])})
    none = np.zeros(len(levels), np.uint64)
    solutions = tuple(level.solution or "" for level in levels)
    grids = np.stack([level.grid for level in levels])
    try:
        bulk.add_batch(Batch(runs, grids, solutions, none, none.astype(np.int64)))
    finally:
        bulk.close()


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
