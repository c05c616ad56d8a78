"""A folder of levels by the thousand: each shard appears once it is whole, and a manifest says how far it is.

Whatever ends its writer, the same command goes on after the last whole shard, to the same bytes.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from levelsmith.errors import LevelsmithError, quoted
from levelsmith.files import Lock, is_temporary, write_files

Item = TypeVar("Item")  # a level, as a shard takes it
NONE: Mapping[str, bytes] = MappingProxyType({})


class Folder(ABC, Generic[Item]):
    """Takes levels and writes a shard whenever one is full; it is the only writer until `close`.

    Args:
        path: a new folder, an empty one, or one that the same settings have begun.
        settings: all that decides about the levels; a folder of other settings is refused.
        size: levels of a shard.
        beside: files that lie beside the levels from the begin, by name.
    """

    manifest: ClassVar[str]  # the name of the file
    progress: ClassVar[Mapping[str, type]]  # what it has besides settings and `next_run`; first, whole shards

    def __init__(
        self, path: Path, settings: Mapping[str, Any], size: int, beside: Mapping[str, bytes] = NONE
    ):
        self.path, self.settings, self.size = path, dict(settings), size
        self.items: list[Item] = []  # of the shard in work
        self.counter = next(iter(self.progress))
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LevelsmithError(f"cannot make the folder {quoted(path)}: {error.strerror}") from None
        self.lock = Lock(path / self.manifest)
        try:
            self.begun = self._begun()
            self.whole: int = self.begun.get(self.counter, 0)
            self.next_run: int | None = self.begun.get("next_run")  # None for the first
            if not self.begun.get("files"):
                self._write({**self._manifest(), **beside})
        except BaseException:
            self.lock.release()
            raise

    @classmethod
    def read(cls, path: Path) -> dict[str, Any] | None:
        """Returns the manifest of a folder; None where it has none."""
        try:
            told = json.loads((path / cls.manifest).read_text(encoding="utf-8"))
            sound = "next_run" in told and all(isinstance(told[k], kind) for k, kind in cls.progress.items())
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return told if sound else None

    def _begun(self) -> dict[str, Any]:
        """Returns the manifest, of a new folder an empty one; clears what a killed writer left half
        written."""
        others = [path for path in self.path.iterdir() if path.name != Path(self.lock.path).name]
        for path in others:
            if is_temporary(path.name):
                path.unlink(missing_ok=True)
        if all(is_temporary(path.name) for path in others):
            return {}
        told = self.read(self.path)
        if told is None:
            raise LevelsmithError(
                f"{quoted(self.path)} holds something else already; expected a new folder or an empty one"
            )
        for name, value in json.loads(json.dumps(self.settings)).items():
            if told.get(name) != value:
                raise LevelsmithError(
                    f"{quoted(self.path)} holds levels made otherwise: {name} {told.get(name)}, "
                    f"now {value}; repeat that command to go on with them, or choose another folder"
                )
        return told

    @abstractmethod
    def shard(self) -> dict[str, bytes]:
        """Returns the files of the shard in work, by name."""

    def told(self) -> dict[str, Any]:
        """Returns what the manifest says besides the settings."""
        return {self.counter: self.whole, "next_run": self.next_run}

    def page(self) -> Mapping[str, bytes]:
        """Returns what tells people of the levels once it is closed, by name."""
        return NONE

    def add(self, item: Item, run: int) -> None:
        """Adds a level that was made by a run."""
        self.items.append(item)
        if len(self.items) == self.size:
            self._write(self.shard())
            self.whole, self.next_run, self.items = self.whole + 1, run + 1, []
            self._write(self._manifest())

    def close(self) -> None:
        """Writes what does not fill a shard, which going on replaces."""
        try:
            if self.items:
                self._write(self.shard())
            self.items = []
            self._write({**self.page(), **self._manifest()})
        finally:
            self.lock.release()

    def _manifest(self) -> dict[str, bytes]:
        return {self.manifest: (json.dumps({**self.settings, **self.told()}, indent=1) + "\n").encode()}

    def _write(self, files: Mapping[str, bytes]) -> None:
        write_files({self.path / name: data for name, data in files.items()})
