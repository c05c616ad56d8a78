"""The folder of a dataset: shards of so many levels with a file for each split, and what tells of them."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from levelsmith.contracts import RuleBook
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.levels.dataset.program import VERIFIER, program_files
from levelsmith.levels.dataset.rows import FIELDS, Row, as_jsonl, as_parquet
from levelsmith.levels.folder import NONE, Folder

FORMATS = ("jsonl", "parquet")


class Shards(Folder[Row]):
    """Takes rows, and writes a file for each split that a shard has levels of.

    Args:
        path: a new folder, an empty one, or one that the same settings have begun.
        settings: all that decides about the levels; a folder of other settings is refused.
        metrics: the names of those of the game.
        command: that makes the dataset, for its page.
        book: the rules that the verifier plays by; None where there are none.
        beside: further files that lie beside the levels, by name.
    """

    manifest, progress = "dataset.json", {"whole": int, "files": dict}

    def __init__(
        self,
        path: Path,
        settings: Mapping[str, Any],
        metrics: Sequence[str],
        command: str,
        book: RuleBook | None = None,
        beside: Mapping[str, bytes] = NONE,
    ):
        self.metrics, self.command, self.book = metrics, command, book
        self.format = str(settings["format"])
        self.files: dict[str, dict[str, Any]] = {}  # of each file its rows and its SHA-256
        super().__init__(path, settings, int(settings["shard"]), {**program_files(book), **beside})
        begun = self.begun.get("files", {})
        self.files |= {name: file for name, file in begun.items() if shard_of(name) < self.whole}

    def keys(self) -> Iterator[int]:
        """Yields the key of each level that is there."""
        for name in self.files:
            yield from map(_key, self._read(name))

    def _read(self, name: str) -> list[Row]:
        path = self.path / name
        try:
            if self.format == "parquet":
                import pyarrow.parquet

                rows: list[Row] = pyarrow.parquet.read_table(path, columns=["hash"]).to_pylist()
                return rows
            return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        except (OSError, ValueError) as error:
            raise LevelsmithError(
                f"cannot go on with {quoted(self.path)}: {name}: {error}; remove it, or take another folder"
            ) from None

    @property
    def levels(self) -> int:
        """How many levels there are, those of the shard in work among them."""
        return self.written + len(self.items)

    @property
    def written(self) -> int:
        return sum(int(file["rows"]) for file in self.files.values())

    @property
    def counts(self) -> dict[str, int]:
        """How many levels each split has."""
        found = Counter(dict.fromkeys(self.settings["splits"], 0))
        for name, file in self.files.items():
            found[split_of_file(name)] += file["rows"]
        return dict(found)

    def shard(self) -> dict[str, bytes]:
        found = {}
        for split in self.settings["splits"]:
            rows = [row for row in self.items if row["split"] == split]
            if rows:
                name = f"{split}-{self.whole:05}.{self.format}"
                data = as_jsonl(rows) if self.format == "jsonl" else as_parquet(rows, self.metrics)
                found[name] = data
                self.files[name] = {"rows": len(rows), "sha256": hashlib.sha256(data).hexdigest()}
        return found

    def told(self) -> dict[str, Any]:
        files = dict(sorted(self.files.items()))
        return {"levels": self.written, "counts": self.counts, **super().told(), "files": files}

    def page(self) -> dict[str, bytes]:
        settings = self.settings
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
        text = (
            f"# {self.written:,} levels of {game}\n\n"
            f"Made by levelsmith {settings['levelsmith']}, no two alike up to symmetry, each with a solution "
            "that was played. The same command makes them again, byte for byte, whatever the number of "
            "workers:\n\n"
            f"```console\n$ {self.command}\n```\n\n"
            f"Ranges: {ranges or 'none'}.{note}\n\n"
            f"| split | share | levels |\n|---|---|---|\n{splits}\n\n"
            f"A level's split is decided by its hash alone. Files are `SPLIT-NUMBER.{self.format}`, in "
            f"shards of {self.size:,} levels; `{self.manifest}` has all settings and the SHA-256 of each "
            "file.\n\n"
            f"| field | |\n|---|---|\n{fields}\n\n"
            f"`python {VERIFIER}` checks all of it with nothing but Python: it {plays}, "
            f"finds every {'hash and split' if keyed else 'split'} anew, and "
            "looks for two levels that are alike.\n"
        )
        return {"README.md": text.encode()}


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
