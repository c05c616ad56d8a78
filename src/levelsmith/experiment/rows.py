"""Every run of an experiment as compressed tables, which others can judge again, and their way back.

Five files share a stem, such as `fdg20`:

- `fdg20-about.json`: what the file of the experiment says about itself, its cells and machines;
- `fdg20-runs.csv.xz`: a row for each run, with its statistics;
- `fdg20-levels.csv.xz`: a row for each level that a run kept, with its metrics;
- `fdg20-times.csv.xz`: what a clock decides, so that the other two are the same bytes from any machine;
- `fdg20.sha256`: the SHA-256 of each, as `sha256sum --check` reads them.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import lzma
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from levelsmith import __version__
from levelsmith.errors import LevelsmithError
from levelsmith.experiment.spec import compact

FORMAT = 1
ABOUT, RUNS, LEVELS, TIMES = FILES = ("-about.json", "-runs.csv.xz", "-levels.csv.xz", "-times.csv.xz")
CHECKSUMS = ".sha256"
LINE = re.compile(r"([0-9a-f]{64}) [ *](.+)")
LARGEST = 2**30  # bytes of a table that is unpacked
PRESET = 6  # of lzma: more takes longer, and saves a hundredth

KEY = ("part", "cell", "run")
COLUMNS = {  # that every table of a kind has; then come statistics or metrics by name
    RUNS: (*KEY, "seed", "turn", "solved", "score", "stopped", "evaluations", "gains"),
    LEVELS: (*KEY, "place", "score", "evaluations", "text", "solution"),
    TIMES: (*KEY, "machine", "seconds", "gains"),
}
OF_CELLS = ("part", "name", "game", "size", "search", "representation", "objective", "setting", "varied")
AS_JSON = ("objective", "setting", "varied")

ALL_CELLS = f"SELECT id, {', '.join(OF_CELLS)}, runs FROM cells ORDER BY id"  # noqa: S608
ALL_RUNS = """SELECT cell, number, seed, turn, solved, score, stopped, evaluations, seconds, machine,
statistics, history FROM runs ORDER BY cell, number"""
ALL_LEVELS = """SELECT cell, number, place, levels.score, levels.evaluations, text, solution, metrics
FROM levels JOIN runs ON runs.id = run ORDER BY cell, number, place"""
NAMES = "SELECT DISTINCT key FROM {0}, json_each({0}.{1}) ORDER BY key"


class Kept(NamedTuple):
    """What the pages of an experiment read of its runs, and its tables therefore have."""

    gains: int | None = None  # of each run, the first ones; None for all
    levels: bool = True  # else only what was measured of them, as statistics


def stem_of(path: str | os.PathLike[str]) -> str | None:
    """Returns what the names of such files begin with, given any one of them; None for other names."""
    name = os.fspath(path)
    ending = next((each for each in (*FILES, CHECKSUMS) if name.endswith(each)), None)
    return None if ending is None else name.removesuffix(ending)


# ------------------------------------------------------------------------------------------------------ there


def files(
    connection: sqlite3.Connection,
    meta: Mapping[str, str],
    stem: str,
    kept: Kept,
    measured: Mapping[int, Sequence[Mapping[str, float]]],
) -> dict[str, bytes]:
    """Returns the tables of an experiment by file name, with their checksums.

    Args:
        connection: the file of the experiment, to read.
        meta: what it says about itself.
        stem: what all names begin with.
        kept: what the tables have of each run.
        measured: what else to tell of each run, in the order of a cell's runs, by the cell's number.
    """
    cells = connection.execute(ALL_CELLS).fetchall()
    owners = {cell[0]: cell[1:3] for cell in cells}
    made = {
        ABOUT: _about(connection, meta, cells),
        RUNS: _runs(connection, owners, kept, measured),
        LEVELS: _levels(connection, owners) if kept.levels else _packed(COLUMNS[LEVELS], []),
        TIMES: _times(connection, owners, kept),
    }
    named = {f"{stem}{ending}": data for ending, data in made.items()}
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in named.items())
    return named | {f"{stem}{CHECKSUMS}": sums.encode()}


def _about(connection: sqlite3.Connection, meta: Mapping[str, str], cells: Sequence[Any]) -> bytes:
    spec = {name: value for name, value in json.loads(meta["spec"]).items() if name != "cells"}
    told = []
    for _, *values, asked in cells:
        cell = dict(zip(OF_CELLS, values, strict=True))
        told.append({**cell, **{name: json.loads(cell[name]) for name in AS_JSON}, "runs": asked})
    machines = connection.execute("SELECT id, description FROM machines ORDER BY id")
    about = {
        "rows": FORMAT,
        "meta": {**meta, "spec": compact(spec)},
        "ended": connection.execute("SELECT max(ended) FROM runs").fetchone()[0],
        "machines": {str(number): json.loads(text) for number, text in machines},
        "cells": told,
    }
    return (json.dumps(about, ensure_ascii=False, indent=1) + "\n").encode()


def _runs(
    connection: sqlite3.Connection,
    owners: Mapping[int, Sequence[str]],
    kept: Kept,
    measured: Mapping[int, Sequence[Mapping[str, float]]],
) -> bytes:
    names = _names(connection, "runs", "statistics")
    names += sorted({name for runs in measured.values() for run in runs for name in run} - set(names))
    others = {cell: iter(runs) for cell, runs in measured.items()}

    def rows() -> Iterator[list[Any]]:
        for cell, number, *told, _, _, statistics, history in connection.execute(ALL_RUNS):
            values = json.loads(statistics) | dict(next(others[cell]) if cell in others else {})
            gains = [f"{spent}:{_plain(score)}" for spent, _, score in json.loads(history)[: kept.gains]]
            told[3] = _plain(told[3])
            found = (_plain(values.get(name)) for name in names)
            yield [*owners[cell], number, *told, " ".join(gains), *found]

    return _packed([*COLUMNS[RUNS], *names], rows())


def _times(connection: sqlite3.Connection, owners: Mapping[int, Sequence[str]], kept: Kept) -> bytes:
    def rows() -> Iterator[list[Any]]:
        for cell, number, *_, seconds, machine, _, history in connection.execute(ALL_RUNS):
            gains = [_plain(when) for _, when, _ in json.loads(history)[: kept.gains]]
            yield [*owners[cell], number, machine, _plain(seconds), " ".join(gains)]

    return _packed(COLUMNS[TIMES], rows())


def _levels(connection: sqlite3.Connection, owners: Mapping[int, Sequence[str]]) -> bytes:
    names = _names(connection, "levels", "metrics")

    def rows() -> Iterator[list[Any]]:
        for cell, number, place, score, spent, text, solution, metrics in connection.execute(ALL_LEVELS):
            values = json.loads(metrics)
            found = (_plain(values.get(name)) for name in names)
            yield [*owners[cell], number, place, _plain(score), spent, text, solution, *found]

    return _packed([*COLUMNS[LEVELS], *names], rows())


def _names(connection: sqlite3.Connection, table: str, column: str) -> list[str]:
    return [name for (name,) in connection.execute(NAMES.format(table, column))]


def _plain(value: float | None) -> str:
    """Returns a number in as few characters as give it back; nothing for none."""
    return "" if value is None else repr(value).removesuffix(".0")


def _packed(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """Returns a table as CSV, packed; the same rows are the same bytes, whenever that is."""
    out = io.BytesIO()
    with lzma.LZMAFile(out, "wb", preset=PRESET) as packed:
        text = io.TextIOWrapper(packed, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
        text.flush()
        text.detach()
    return out.getvalue()


# ------------------------------------------------------------------------------------------------------- back


def fill(connection: sqlite3.Connection, path: str) -> None:
    """Puts the runs of tables into a database that has an experiment's tables, all of them empty.

    Args:
        connection: the database.
        path: any of the files; the others lie beside it.
    """
    stem = stem_of(path) or ""
    data = _checked(stem)
    usual = csv.field_size_limit(LARGEST)  # a level may be longer than the usual limit
    try:
        with _plain_errors(stem + ABOUT):
            about = _about_of(stem + ABOUT, data[ABOUT])
            cells = _fill_about(connection, about)
        with _plain_errors(stem + RUNS):
            tables = _unpacked(data[RUNS], RUNS), _unpacked(data[TIMES], TIMES)
            _insert(connection, "runs", 14, _read_runs(cells, *tables, str(about["ended"])))
        with _plain_errors(stem + LEVELS):
            _insert(connection, "levels", 7, _read_levels(cells, _unpacked(data[LEVELS], LEVELS)))
    finally:
        csv.field_size_limit(usual)


def _insert(connection: sqlite3.Connection, table: str, columns: int, rows: Iterable[Sequence[Any]]) -> None:
    connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})", rows)  # noqa: S608


def _checked(stem: str) -> dict[str, bytes]:
    """Returns the files by their endings, each with the SHA-256 that was told of it."""
    sums = _sums(stem + CHECKSUMS)
    found = {}
    for ending in FILES:
        data, name = _bytes(stem + ending), os.path.basename(stem + ending)
        if name not in sums:
            raise LevelsmithError(
                f"{stem}{CHECKSUMS} has no SHA-256 of {name}: expected the name it was written under"
            )
        told = hashlib.sha256(data).hexdigest()
        if told != sums[name]:
            raise LevelsmithError(
                f"{stem}{ending} is not as it was written: its SHA-256 is {told[:12]}…, and "
                f"{name.removesuffix(ending)}{CHECKSUMS} says {sums[name][:12]}…; bring back a copy of both"
            )
        found[ending] = data
    return found


def _sums(path: str) -> dict[str, str]:
    lines = [LINE.fullmatch(line) for line in _bytes(path).decode("utf-8", "replace").splitlines() if line]
    found = {line[2]: line[1] for line in lines if line}
    if not lines or len(found) < len(lines):
        raise LevelsmithError(f"{path}: expected a SHA-256 and a name on each line, got another file")
    return found


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise LevelsmithError(
            f"cannot read {path}: {error.strerror}; expected the five files of an experiment's rows together"
        ) from None


@contextlib.contextmanager
def _plain_errors(path: str) -> Iterator[None]:
    """Tells in one line that a file is none of ours, or not as it was written."""
    wrong = (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError, RecursionError)
    try:
        yield
    except LevelsmithError:
        raise
    except (*wrong, csv.Error, OSError, EOFError, lzma.LZMAError, sqlite3.Error) as error:
        said = " ".join(str(error).split())[:200]
        raise LevelsmithError(
            f"{path}: expected what levelsmith experiment judge --rows wrote, got something else ({said})"
        ) from None


def _about_of(path: str, data: bytes) -> dict[str, Any]:
    about: dict[str, Any] = json.loads(data)
    if about["rows"] != FORMAT:
        raise LevelsmithError(
            f"{path} has rows of the format {str(about['rows'])[:20]}, but this is levelsmith {__version__}, "
            f"which reads the format {FORMAT}"
        )
    return about


def _fill_about(connection: sqlite3.Connection, about: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """Enters all but the runs; returns the number of each cell by its part and name."""
    _insert(connection, "meta", 2, about["meta"].items())
    machines = about["machines"].items()
    _insert(connection, "machines", 2, ((int(number), compact(told)) for number, told in machines))
    rows = [
        [i, *(compact(cell[name]) if name in AS_JSON else cell[name] for name in OF_CELLS), cell["runs"]]
        for i, cell in enumerate(about["cells"])
    ]
    _insert(connection, "cells", 11, rows)
    return {(row[1], row[2]): row[0] for row in rows}


def _unpacked(data: bytes, kind: str) -> Iterator[list[str]]:
    """Yields the rows of a table after the names of its columns; yields first those that not all have."""
    with lzma.LZMAFile(io.BytesIO(data)) as packed:
        text = packed.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise ValueError("too large a table")
    rows = csv.reader(io.StringIO(text.decode("utf-8"), newline=""), strict=True)
    head, fixed = next(rows, []), COLUMNS[kind]
    if tuple(head[: len(fixed)]) != fixed:
        raise ValueError(f"its columns are {', '.join(head)}")
    yield head[len(fixed) :]
    for row in rows:
        if len(row) != len(head):
            raise ValueError(f"line {rows.line_num} has {len(row)} values for {len(head)} columns")
        yield row


def _read_runs(
    cells: Mapping[tuple[str, str], int], runs: Iterator[list[str]], times: Iterator[list[str]], ended: str
) -> Iterator[list[Any]]:
    names, _ = next(runs), next(times)
    for row, clock in zip(runs, times, strict=True):
        if row[:3] != clock[:3]:
            raise ValueError(f"the table of times has another run beside line {row[:3]}")
        cell, number = cells[row[0], row[1]], int(row[2])
        seed, turn, solved, score, stopped, spent, gains, *values = row[3:]
        machine, seconds, when = clock[3:]
        steps = [gain.split(":") for gain in gains.split()]
        history = [
            [int(step[0]), float(second), float(step[1])]
            for step, second in zip(steps, when.split(), strict=True)
        ]
        fixed = (f"{cell} {number}", cell, number, int(seed), turn, int(solved), float(score), stopped)
        told = int(spent), float(seconds), _object(names, values), compact(history), int(machine), ended
        yield [*fixed, *told]


def _read_levels(cells: Mapping[tuple[str, str], int], rows: Iterator[list[str]]) -> Iterator[list[Any]]:
    names = next(rows)
    for part, name, number, place, score, spent, text, solution, *values in rows:
        run = f"{cells[part, name]} {int(number)}"
        after = int(spent) if spent else None
        yield [run, int(place), float(score), after, text, solution or None, _object(names, values)]


def _object(names: Sequence[str], values: Sequence[str]) -> str:
    """Returns numbers by name as JSON, without those that are missing."""
    pairs = zip(names, values, strict=True)
    return compact({name: _number(value) for name, value in pairs if value})


def _number(text: str) -> float:
    try:
        return int(text)
    except ValueError:
        return float(text)
