"""The folder of a dataset: shards of so many levels, a file for each split, and what says how far it is.

A shard appears once it is whole, with `dataset.json` last of its files. Whatever ends the process, the same
command goes on behind the last whole shard, to the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

from levelsmith.atomic import is_temporary, write_files
from levelsmith.contracts import RuleBook
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.levels.dataset.program import VERIFIER, program_files
from levelsmith.levels.dataset.rows import FIELDS, Row, as_jsonl, as_parquet
from levelsmith.lock import Lock

MANIFEST = "dataset.json"
README = "README.md"
FORMATS = ("jsonl", "parquet")


class Shards:
    """Takes rows and writes a shard whenever one is full; it is the only writer until `close`.

    Args:
        folder: a new one, an empty one, or one that the same settings have begun.
        settings: all that decides about the levels; a folder of other settings is refused.
        metrics: the names of those of the game.
        book: the rules that the verifier plays by; None where there are none.
        beside: files that lie beside the levels, by name.
    """

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, Any],
        metrics: Sequence[str],
        book: RuleBook | None = None,
        beside: Mapping[str, bytes] = MappingProxyType({}),
    ):
        self.folder, self.settings, self.metrics = folder, dict(settings), metrics
        self.book, self.beside = book, beside
        self.size, self.format = int(settings["shard"]), str(settings["format"])
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LevelsmithError(f"cannot make the folder {quoted(folder)}: {error.strerror}") from None
        self.lock = Lock(folder / MANIFEST)
        try:
            self._begin()
        except BaseException:
            self.lock.release()
            raise
        self.rows: list[Row] = []
        self.runs: list[int] = []

    def _begin(self) -> None:
        """Finds out how far it is; a new folder gets its verifier."""
        told = self._told()
        self.whole: int = told["whole"]  # shards
        self.next_run: int | None = told["next_run"]  # None for the first
        self.files: dict[str, dict[str, Any]] = {
            name: file for name, file in told["files"].items() if shard_of(name) < self.whole
        }
        if not told["files"]:
            others = {**program_files(self.book), **self.beside}
            write_files({self.folder / name: data for name, data in others.items()} | self._manifest())

    def _told(self) -> dict[str, Any]:
        there = [
            path
            for path in self.folder.iterdir()
            if not is_temporary(path.name) and path.name != Path(self.lock.path).name
        ]
        if not there:
            return {"whole": 0, "next_run": None, "files": {}}
        told = read_manifest(self.folder)
        if told is None:
            raise LevelsmithError(
                f"{quoted(self.folder)} holds something else already; expected a new folder or an empty one"
            )
        for name, value in json.loads(json.dumps(self.settings)).items():
            if told.get(name) != value:
                raise LevelsmithError(
                    f"{quoted(self.folder)} holds levels made otherwise: {name} {told.get(name)}, "
                    f"now {value}; repeat that command to go on with them, or choose another folder"
                )
        return told

    def keys(self) -> Iterator[int]:
        """Yields the key of each level that is there."""
        for name in self.files:
            yield from map(_key, self._read(name))

    def _read(self, name: str) -> list[Row]:
        path = self.folder / name
        try:
            if self.format == "parquet":
                import pyarrow.parquet

                rows: list[Row] = pyarrow.parquet.read_table(path, columns=["hash"]).to_pylist()
                return rows
            return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        except (OSError, ValueError) as error:
            raise LevelsmithError(
                f"cannot go on with {quoted(self.folder)}: {name}: {error}; remove it, or take another folder"
            ) from None

    @property
    def levels(self) -> int:
        """How many levels there are, those of the shard in work among them."""
        return sum(int(file["rows"]) for file in self.files.values()) + len(self.rows)

    @property
    def counts(self) -> dict[str, int]:
        """How many levels each split has."""
        found = Counter(dict.fromkeys(self.settings["splits"], 0))
        for name, file in self.files.items():
            found[split_of_file(name)] += file["rows"]
        return dict(found)

    def add(self, row: Row, run: int) -> None:
        self.rows.append(row)
        self.runs.append(run)
        if len(self.rows) == self.size:
            self._write()
            self.whole, self.next_run = self.whole + 1, run + 1
            write_files(self._manifest())
            self.rows, self.runs = [], []

    def close(self, command: str) -> None:
        """Writes what does not fill a shard, which going on replaces, and the page that tells of it all."""
        try:
            if self.rows:
                self._write()
            self.rows = []
            write_files({self.folder / README: self._readme(command).encode(), **self._manifest()})
        finally:
            self.lock.release()

    def _write(self) -> None:
        """Writes the shard in work, a file for each split that it has levels of."""
        data = {}
        for split in self.settings["splits"]:
            rows = [row for row in self.rows if row["split"] == split]
            if rows:
                name = f"{split}-{self.whole:05}.{self.format}"
                written = as_jsonl(rows) if self.format == "jsonl" else as_parquet(rows, self.metrics)
                data[self.folder / name] = written
                self.files[name] = {"rows": len(rows), "sha256": hashlib.sha256(written).hexdigest()}
        write_files(data)

    def _manifest(self) -> dict[Path, bytes]:
        """Returns the file that says how the levels are made and how far that went."""
        told = {
            **self.settings,
            "levels": sum(file["rows"] for file in self.files.values()),
            "counts": self.counts,
            "whole": self.whole,
            "next_run": self.next_run,
            "files": dict(sorted(self.files.items())),
        }
        return {self.folder / MANIFEST: (json.dumps(told, indent=1) + "\n").encode()}

    def _readme(self, command: str) -> str:
        settings, levels = self.settings, sum(file["rows"] for file in self.files.values())
        ranges = ", ".join(f"{name} {_range(*ends)}" for name, ends in settings["ranges"].items())
        splits = "\n".join(
            f"| {name} | {share:g} | {self.counts[name]:,} |" for name, share in settings["splits"].items()
        )
        fields = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in FIELDS.items())
        game, book = settings["game"], self.book
        note, plays = "", f"has no rules of {game}, whose solutions were played when the levels were made"
        if book is not None:
            note, plays = f" {book.note}".rstrip(), book.plays
        keyed = settings["alike"] == "plain" or (book is not None and hasattr(book.rules, "key_of"))
        return (
            f"# {levels:,} levels of {game}\n\n"
            f"Made by levelsmith {settings['levelsmith']}, no two alike up to symmetry, each with a solution "
            "that was played. The same command makes them again, byte for byte, whatever the number of "
            "workers:\n\n"
            f"```console\n$ {command}\n```\n\n"
            f"Ranges: {ranges or 'none'}.{note}\n\n"
            f"| split | share | levels |\n|---|---|---|\n{splits}\n\n"
            f"A level's split is decided by its hash alone. Files are `SPLIT-NUMBER.{self.format}`, in "
            f"shards of {self.size:,} levels; `{MANIFEST}` has all settings and the SHA-256 of each file.\n\n"
            f"| field | |\n|---|---|\n{fields}\n\n"
            f"`python {VERIFIER}` checks all of it with nothing but Python: it {plays}, "
            f"finds every {'hash and split' if keyed else 'split'} anew, and "
            "looks for two levels that are alike.\n"
        )


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """Returns what a folder says of its dataset; None where it holds none."""
    try:
        told = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        sound = isinstance(told["whole"], int) and isinstance(told["files"], dict) and "next_run" in told
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return told if sound else None


def check_format(name: str) -> str:
    """Returns the format of the files, if it can be written here."""
    if name not in FORMATS:
        raise LevelsmithError(f"expected jsonl or parquet for the format of a dataset, got {quoted(name)}")
    if name == "parquet" and find_spec("pyarrow") is None:
        raise LevelsmithError("parquet needs pyarrow, which is not there: pip install pyarrow, or take jsonl")
    return name


def shard_of(name: str) -> int:
    """Returns the number of the shard that a file belongs to."""
    return int(name.rpartition("-")[2].partition(".")[0])


def split_of_file(name: str) -> str:
    """Returns the split whose levels a file holds."""
    return name.rpartition("-")[0]


def _key(row: Row) -> int:
    return int(row["hash"], 16)


def _range(low: float | None, high: float | None) -> str:
    ends = ("" if end is None else f"{end:g}" for end in (low, high))
    return "..".join(ends)
