"""What to check and how: the table `[check]` of levelsmith.toml, or `[tool.levelsmith.check]` of
pyproject.toml, with the options of the command above it."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from levelsmith.checking.findings import Severities
from levelsmith.core import Effort
from levelsmith.errors import LevelsmithError, option, quoted, unknown
from levelsmith.files import read_plain_file
from levelsmith.numbers import check_seconds, check_workers, whole_number

OWN, SHARED = "levelsmith.toml", "pyproject.toml"
MOST_BYTES = 1_000_000
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Known:
    """An exception: a finding that is known, and why it may stay."""

    level: str  # a name such as pack.xsb#3, or a pattern such as drafts/*
    finding: str
    reason: str

    def covers(self, name: str, finding: str) -> bool:
        return self.finding == finding and matches(name, self.level)


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of a level outside its file."""

    level: str
    needs: tuple[str, ...] = ()  # lines of rules, or names of things
    minimum: int | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a check."""

    files: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    game: str | None = None  # of files that do not say theirs
    guards: str | None = None
    tiles: Mapping[str, str] = field(default_factory=dict)
    findings: Mapping[str, str] = field(default_factory=dict)
    every: bool = False  # kinds that are off are warnings
    known: tuple[Known, ...] = ()
    levels: tuple[Told, ...] = ()
    seconds: float | None = 10.0  # for each level
    states: int | None = None
    memory: int = 1000  # megabytes, for each level
    within: float | None = None  # seconds for all levels
    memory_all: int | None = None  # megabytes for all levels that are looked at at once
    workers: int | None = None  # processes; None for all cores
    proofs: str | None = None  # the file in which proofs are kept
    folder: str = ""  # that paths are relative to

    @property
    def effort(self) -> Effort:
        most = self.memory if self.memory_all is None else min(self.memory, self.memory_all)
        return Effort(self.states, self.seconds, most * MEGABYTE)

    @property
    def processes(self) -> int:
        """How many processes there may be: as many as were asked for and all their memory allows."""
        wanted = self.workers or os.cpu_count() or 1
        if self.memory_all is None:
            return wanted
        return max(1, min(wanted, self.memory_all // min(self.memory, self.memory_all)))

    @property
    def severities(self) -> Severities:
        return Severities(self.findings, self.every)

    def checked(self) -> Settings:
        """Returns the settings, or refuses what is wrong in them."""
        Effort(self.states, self.seconds, whole_number(self.memory, "a limit", 1, " megabytes") * MEGABYTE)
        if self.within is not None:
            check_seconds(self.within, "a limit")
        if self.memory_all is not None:
            whole_number(self.memory_all, "a limit", 1, " megabytes")
        if self.workers is not None:
            check_workers(self.workers)
        return self


def matches(name: str, pattern: str) -> bool:
    """Tells whether the name of a level, or of its file, is meant by a pattern."""
    names = {name, name.partition("#")[0]}
    return any(fnmatchcase(each.removeprefix("./"), pattern.removeprefix("./")) for each in names)


def found_settings(where: str | None) -> Settings:
    """Returns the settings of a file, or of the one in this folder; without any, those by default."""
    if where is not None:
        return _read(Path(where))
    for name in (OWN, SHARED):
        if Path(name).is_file():
            return _read(Path(name))
    return Settings()


def with_options(settings: Settings, options: Mapping[str, Any]) -> Settings:
    """Returns the settings with what the command line says in their place; None and nothing say nothing."""
    nothing: tuple[object, ...] = (None, (), {})
    given = {name: value for name, value in options.items() if value is not False and value not in nothing}
    if "findings" in given:
        given["findings"] = {**settings.findings, **given["findings"]}
    if "files" in given:  # as they are typed here, not from the folder of the settings
        given["folder"] = ""
    return replace(settings, **given).checked()


def _read(path: Path) -> Settings:
    try:
        document = tomllib.loads(read_plain_file(path, "the settings", MOST_BYTES).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LevelsmithError(f"{path}: expected TOML: {error}") from None
    table: Any = document
    for key in ("tool", "levelsmith", "check") if path.name == SHARED else ("check",):
        table = table.get(key, {}) if isinstance(table, dict) else {}
    if not isinstance(table, dict):
        raise LevelsmithError(f"{path}: expected a table [check], got {quoted(table)}")
    if path.name != SHARED and "check" not in document:
        raise LevelsmithError(f"{path}: expected a table [check], got none")
    folder = "" if path.parent == Path() else f"{path.parent}/"
    return replace(_settings(str(path), table), folder=folder).checked()


def _settings(where: str, table: Mapping[str, Any]) -> Settings:
    names = [each.name for each in fields(Settings) if each.name not in ("folder",)]
    given: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name not in names:
            raise unknown(f"setting of {where}", key, names)
        given[name] = _value(where, name, value)
    return Settings(**given)


def _value(where: str, name: str, value: Any) -> Any:
    """Returns the value of a setting in its type."""
    kind, expected = _KINDS[name]
    right = isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool)
    if name in ("files", "exclude") and right:
        right = all(isinstance(each, str) for each in value)
    if name in ("tiles", "findings") and right:
        right = all(isinstance(each, str) for each in value.values())
    if not right:
        raise LevelsmithError(f"{where}: expected {expected} for {name}, got {quoted(value)}")
    if name in ("known", "levels"):
        return tuple(_row(where, name, each) for each in value)
    return tuple(value) if isinstance(value, list) else value


_KINDS: dict[str, tuple[Any, str]] = {
    **dict.fromkeys(("files", "exclude"), (list, "a list of paths")),
    **dict.fromkeys(("game", "guards", "proofs"), (str, "text")),
    **dict.fromkeys(("tiles", "findings"), (dict, "a table of texts")),
    **dict.fromkeys(("known", "levels"), (list, "tables such as [[check.known]]")),
    **dict.fromkeys(("seconds", "within"), ((int, float), "a number")),
    **dict.fromkeys(("states", "memory", "memory_all", "workers"), (int, "a whole number")),
    "every": (bool, "true or false"),
}
_ROWS: dict[str, tuple[Any, dict[str, type]]] = {
    "known": (Known, {"level": str, "finding": str, "reason": str}),
    "levels": (Told, {"level": str, "needs": list, "minimum": int}),
}


def _row(where: str, name: str, row: Any) -> Any:
    made, columns = _ROWS[name]
    table = f"[[check.{name}]]"
    if not isinstance(row, dict):
        raise LevelsmithError(f"{where}: expected tables {table}, got {quoted(row)}")
    for key, value in row.items():
        if key not in columns:
            raise unknown(f"key of {table} in {where}", key, columns)
        if not isinstance(value, columns[key]):
            raise LevelsmithError(f"{where}: expected another kind of {key} in {table}, got {quoted(value)}")
    needed = columns if name == "known" else ("level",)
    for key in needed:
        if not row.get(key):
            raise LevelsmithError(f"{where}: expected {key} in each {table}, got none")
    if "needs" in row:
        row = {**row, "needs": tuple(map(str, row["needs"]))}
    return made(**row)


def parsed_findings(words: tuple[str, ...]) -> dict[str, str]:
    """Returns `NAME=SEVERITY` pairs by name."""
    pairs = [word.partition("=") for word in words]
    for (name, equals, severity), word in zip(pairs, words, strict=True):
        if not (name and equals and severity):
            raise LevelsmithError(f"expected {option('finding', 'NAME=off')}, got {quoted(word)}")
    return {name: severity for name, _, severity in pairs}
