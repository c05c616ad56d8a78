"""The studio's file: jobs and levels in one SQLite database of the kind that experiments have."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from levelsmith import __version__
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.experiment.store import FORMAT, Writer, real_place
from levelsmith.studio.limits import MEGABYTE, Refusal, missing

SCHEMA = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT, state TEXT NOT NULL, setting TEXT NOT NULL, plan TEXT NOT NULL,
  created TEXT NOT NULL, score REAL, evaluations INTEGER NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0,
  history TEXT NOT NULL DEFAULT '[]', text TEXT, stopped TEXT, error TEXT,
  deleted INTEGER NOT NULL DEFAULT 0)""",
    """CREATE TABLE levels (
  id INTEGER PRIMARY KEY AUTOINCREMENT, job INTEGER REFERENCES jobs, game TEXT NOT NULL, size TEXT NOT NULL,
  text TEXT NOT NULL, title TEXT NOT NULL, author TEXT NOT NULL, solution TEXT, score REAL,
  metrics TEXT NOT NULL, tier TEXT, provenance TEXT NOT NULL, starred INTEGER NOT NULL DEFAULT 0,
  tags TEXT NOT NULL DEFAULT '[]', created TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0)""",
    "CREATE UNIQUE INDEX levels_of_job ON levels (job, text) WHERE job IS NOT NULL",
    "CREATE INDEX levels_of_game ON levels (game, deleted)",
)
DELETED = (  # when, in seconds since 1970; few rows are
    "CREATE INDEX IF NOT EXISTS deleted_levels ON levels (deleted) WHERE deleted",
    "CREATE INDEX IF NOT EXISTS deleted_jobs ON jobs (deleted) WHERE deleted",
)
PURGES = (  # levels of a job that is not over stay, or it would make them again
    """DELETE FROM levels WHERE id IN (
  SELECT id FROM levels WHERE deleted AND deleted <= ? AND (job IS NULL OR job NOT IN (
    SELECT id FROM jobs WHERE state IN ('queued', 'running', 'paused'))) LIMIT ?)""",
    "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE deleted AND deleted <= ? LIMIT ?)",
)
UNFINISHED = ("queued", "running", "paused")
JSON = ("setting", "plan", "history", "metrics", "provenance", "tags")
COLUMNS = ("id", "score", "created", "game", "size", "title", "job", "starred")  # to sort by; else a metric
CELLS = "CAST(size AS INTEGER) * CAST(substr(size, instr(size, 'x') + 1) AS INTEGER)"  # of 9x8: 72
LARGEST = 2**63 - 1
RESTORE_SECONDS = 3_600.0  # for what was deleted to be brought back
MOST_LISTED = 100_000  # levels of a map, or to go through
PURGED = 2_000  # rows at a time, so that nobody waits long
VACUUMED = 4_096  # pages at a time
FREE_SHARE = 0.25  # of a file that is made anew when it is opened

Added = TypeVar("Added")


class Full(Refusal):
    """The file has no room for more."""


class StudioStore(Writer):
    """All of its methods are to be called from the thread that opened it.

    Args:
        path: the file; a new one is for its owner alone.
        most: bytes that it may hold before levels and jobs are refused.
    """

    schema = SCHEMA

    def __init__(self, path: str | Path, most: int = LARGEST):
        self.most = most
        _make_private(path)
        super().__init__(
            path,
            {
                "format": FORMAT,
                "levelsmith": __version__,
                "experiment": "studio",
                "spec": "{}",
                "quick": "0",
                "created": _now(),
            },
        )

    def check(self, there: Mapping[str, str], asked: Mapping[str, str]) -> None:
        if there["experiment"] != "studio" or there["format"] != FORMAT:
            raise LevelsmithError(
                f"{quoted(self.path)} is no file of the studio of this version; take another with --store"
            )

    # ------------------------------------------------------------------------------------------------ space

    def _prepare(self, meta: Mapping[str, str]) -> None:
        self.connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # of an older file when it is made anew
        super()._prepare(meta)
        for statement in DELETED:
            self.connection.execute(statement)
        self._purge_all(time.time() - RESTORE_SECONDS)
        if self._pragma("freelist_count") > FREE_SHARE * self._pragma("page_count"):
            with contextlib.suppress(sqlite3.OperationalError):  # a disk without room for both files
                self.connection.execute("VACUUM")

    def close(self) -> None:
        with contextlib.suppress(LevelsmithError, sqlite3.Error):  # what stays goes at the next start
            self._purge_all(time.time() - RESTORE_SECONDS)
        super().close()

    def purge(self, before: float) -> bool:
        """Removes some rows that were deleted before a time for good, and tells whether more may wait."""
        with self.transaction() as connection:
            removed = sum(connection.execute(query, (int(before), PURGED)).rowcount for query in PURGES)
        free = self._pragma("freelist_count")
        self.connection.execute(f"PRAGMA incremental_vacuum({VACUUMED})").fetchall()
        freed = free - self._pragma("freelist_count")
        if freed:
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return removed + freed > 0

    def _purge_all(self, before: float) -> None:
        while self.purge(before):
            pass

    def size(self) -> int:
        """Returns the bytes that levels and jobs take."""
        return (self._pragma("page_count") - self._pragma("freelist_count")) * self._pragma("page_size")

    def _pragma(self, name: str) -> int:
        return int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])

    @contextlib.contextmanager
    def _adding(self) -> Iterator[sqlite3.Connection]:
        """Opens a transaction that is undone where the file would be larger than it may."""
        with self.transaction() as connection:
            yield connection
            size = self.size()
            if size > self.most:
                raise Full(
                    f"{self.path} is full: expected at most {self.most // MEGABYTE:,} megabytes, got "
                    f"{math.ceil(size / MEGABYTE):,}; delete levels in the gallery or jobs that are over, "
                    "or have the studio started with more room for them",
                    507,
                )

    def _fitted(self, add: Callable[[], Added]) -> Added:
        """Adds something; where it does not fit, what was deleted is removed for good, however lately."""
        while True:
            try:
                return add()
            except Full:
                if not self.purge(time.time()):
                    raise

    # ------------------------------------------------------------------------------------------------- jobs

    def add_job(self, setting: Mapping[str, Any], plan: Mapping[str, Any]) -> dict[str, Any]:
        return self._fitted(lambda: self._add_job(setting, plan))

    def _add_job(self, setting: Mapping[str, Any], plan: Mapping[str, Any]) -> dict[str, Any]:
        with self._adding() as connection:
            row = ("queued", _dumped(setting), _dumped(plan), _now())
            added = connection.execute(
                "INSERT INTO jobs (state, setting, plan, created) VALUES (?, ?, ?, ?)", row
            )
            return self.job(int(added.lastrowid or 0))

    def job(self, number: int) -> dict[str, Any]:
        found = self._rows("SELECT * FROM jobs WHERE id = ? AND NOT deleted", (_number(number),))
        if not found:
            raise missing("job", number)
        levels = self.connection.execute(
            "SELECT id FROM levels WHERE job = ? AND NOT deleted ORDER BY id", (number,)
        )
        return {**found[0], "levels": [row[0] for row in levels]}

    def made_by(self, number: int) -> list[tuple[int, str]]:
        """Returns the run and the text of each level that a job has made, of those that were deleted since,
        too."""
        return self.connection.execute(
            "SELECT json_extract(provenance, '$.run'), text FROM levels WHERE job = ? "
            "AND json_extract(provenance, '$.run') IS NOT NULL ORDER BY id",
            (_number(number),),
        ).fetchall()

    def jobs(self, states: Sequence[str] = (), limit: int = 100) -> list[dict[str, Any]]:
        """Returns the newest first, without their curves."""
        marks = ", ".join("?" for _ in states)
        where = "NOT jobs.deleted" + (f" AND state IN ({marks})" if states else "")
        where += "" if states else " AND json_extract(setting, '$.edit') IS NULL"  # proposals are no searches
        names = (
            "id, state, setting, plan, created, score, evaluations, seconds, stopped, error, text, "
            "(SELECT count(*) FROM levels WHERE job = jobs.id AND NOT levels.deleted) AS made"
        )
        query = f"SELECT {names} FROM jobs WHERE {where} ORDER BY id DESC LIMIT ?"  # noqa: S608
        return self._rows(query, (*states, limit))

    def update_job(self, number: int, **values: Any) -> None:
        with self.transaction() as connection:
            names = ", ".join(f"{name} = ?" for name in values)
            row = [_dumped(value) if name in JSON else value for name, value in values.items()]
            connection.execute(f"UPDATE jobs SET {names} WHERE id = ?", (*row, number))  # noqa: S608

    def delete_job(self, number: int) -> None:
        self.update_job(number, deleted=int(time.time()))

    # ----------------------------------------------------------------------------------------------- levels

    def add_levels(self, levels: Iterable[Mapping[str, Any]], job: int | None = None) -> list[dict[str, Any]]:
        """Keeps levels; one that a job has made already, before a restart, is not kept twice."""
        kept = list(levels)
        return self._fitted(lambda: self._add_levels(kept, job))

    def _add_levels(self, levels: Sequence[Mapping[str, Any]], job: int | None) -> list[dict[str, Any]]:
        added = []
        with self._adding() as connection:
            for level in levels:
                names = ("game", "size", "text", "title", "author", "solution", "score", "tier")
                row = [level.get(name) for name in names]
                row += [_dumped(level["metrics"]), _dumped(level["provenance"]), _now(), job]
                row[3], row[4] = row[3] or "", row[4] or ""
                done = connection.execute(
                    f"INSERT OR IGNORE INTO levels ({', '.join(names)}, metrics, provenance, created, job) "  # noqa: S608
                    f"VALUES ({', '.join('?' for _ in row)})",
                    row,
                )
                if done.rowcount:
                    added.append(self.level(int(done.lastrowid or 0)))
        return added

    def level(self, number: int) -> dict[str, Any]:
        found = self._levels("WHERE id = ?", (_number(number),))
        if not found:
            raise missing("level", number)
        return found[0]

    def levels_called(self, numbers: Sequence[int]) -> list[dict[str, Any]]:
        return [self.level(number) for number in numbers]

    def levels(
        self, where: str, values: Sequence[Any], sort: str, offset: int, limit: int
    ) -> tuple[list[dict[str, Any]], int]:
        """Returns a page of the levels, and how many there are in all; see `filters` for `where`."""
        total = self.connection.execute(f"SELECT count(*) FROM levels {where}", values).fetchone()[0]  # noqa: S608
        order, extra = _order(sort)
        rows = self._levels(f"{where} {order} LIMIT ? OFFSET ?", (*values, *extra, limit, offset))
        return rows, int(total)

    def order(self, where: str, values: Sequence[Any], sort: str) -> list[int]:
        """Returns the numbers of levels as a page of the gallery lists them, from the first to the last."""
        order, extra = _order(sort)
        query = f"SELECT id FROM levels {where} {order} LIMIT {MOST_LISTED}"  # noqa: S608
        return [row[0] for row in self.connection.execute(query, (*values, *extra))]

    def pairs(self, where: str, values: Sequence[Any], x: str, y: str) -> list[tuple[Any, ...]]:
        """Returns of each level its id, its score and two metrics."""
        return self.connection.execute(
            "SELECT id, score, json_extract(metrics, ?), json_extract(metrics, ?) "  # noqa: S608
            f"FROM levels {where} LIMIT {MOST_LISTED}",
            (_path(x), _path(y), *values),
        ).fetchall()

    def texts_like(self, number: int, most: int) -> tuple[dict[str, Any], list[tuple[int, str]]]:
        """Returns a level, and the texts of others of its game and size."""
        level = self.level(number)
        rows = self.connection.execute(
            "SELECT id, text FROM levels WHERE game = ? AND size = ? AND NOT deleted AND id != ? "
            "ORDER BY id DESC LIMIT ?",
            (level["game"], level["size"], number, most),
        )
        return level, rows.fetchall()

    def tags(self) -> list[str]:
        rows = self.connection.execute(
            "SELECT DISTINCT one.value FROM levels, json_each(levels.tags) AS one "
            "WHERE NOT deleted ORDER BY 1"
        )
        return [row[0] for row in rows]

    def counts(self) -> dict[str, int]:
        rows = self.connection.execute("SELECT game, count(*) FROM levels WHERE NOT deleted GROUP BY game")
        return dict(rows.fetchall())

    def update_level(self, number: int, **values: Any) -> dict[str, Any]:
        self.level(number)
        with self.transaction() as connection:
            _set_level(connection, number, values)
        return self.level(number)

    def redraw_level(self, number: int, level: Mapping[str, Any]) -> dict[str, Any]:
        """Gives a level another text, with what was measured of it; its stars, tags and place stay."""
        names = ("text", "size", "solution", "score", "metrics", "tier", "provenance")
        values = {name: level.get(name) for name in names}
        job = self.level(number)["job"]
        twin = "SELECT 1 FROM levels WHERE job = ? AND text = ? AND id != ?"
        if self.connection.execute(twin, (job, level["text"], number)).fetchone():
            values["job"] = None  # of a job no two levels are the same
        return self._fitted(lambda: self._redraw_level(number, values))

    def _redraw_level(self, number: int, values: Mapping[str, Any]) -> dict[str, Any]:
        with self._adding() as connection:
            _set_level(connection, number, values)
        return self.level(number)

    def delete_level(self, number: int) -> dict[str, Any]:
        """Hides a level; it can be restored until it is purged."""
        return self.update_level(number, deleted=int(time.time()))

    def restore_level(self, number: int) -> dict[str, Any]:
        return self.update_level(number, deleted=0)

    def _levels(self, rest: str, values: Sequence[Any]) -> list[dict[str, Any]]:
        rows = self._rows(f"SELECT * FROM levels {rest}", values)  # noqa: S608
        return [{**row, "starred": bool(row["starred"]), "deleted": bool(row["deleted"])} for row in rows]

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
        cursor = self.connection.execute(query, values)
        names = [column[0] for column in cursor.description]
        return [
            {
                name: json.loads(value) if name in JSON else value
                for name, value in zip(names, row, strict=True)
            }
            for row in cursor
        ]


def _set_level(connection: sqlite3.Connection, number: int, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        stored = _dumped(value) if name in JSON else value
        connection.execute(f"UPDATE levels SET {name} = ? WHERE id = ?", (stored, number))  # noqa: S608


def _order(sort: str) -> tuple[str, tuple[str, ...]]:
    """Returns what orders rows by a column, by their number of cells or by a metric, downwards behind a dash;
    and its values."""
    name, direction = sort.lstrip("-"), "DESC" if sort.startswith("-") else "ASC"
    by = CELLS if name == "cells" else name if name in COLUMNS else "json_extract(metrics, ?)"
    extra = (_path(name),) if "?" in by else ()
    return f"ORDER BY {by} {direction} NULLS LAST, id {direction}", extra


def filters(query: Mapping[str, str]) -> tuple[str, list[Any]]:
    """Returns what the query of a page asks of levels, as SQL and its values: `min.pushes=3`, `starred=1`,
    …"""
    conditions, values = ["NOT deleted"], list[Any]()
    for name, value in query.items():
        if name in ("game", "size"):
            conditions.append(f"{name} = ?")
            values.append(value)
        elif name == "job":
            conditions.append("job = ?")
            values.append(_number(int(value) if value.isdecimal() and len(value) < 20 else -1))
        elif name == "starred":
            conditions.append("starred = ?")
            values.append(int(value in ("1", "true")))
        elif name == "tag":
            conditions.append("EXISTS (SELECT 1 FROM json_each(levels.tags) AS one WHERE one.value = ?)")
            values.append(value)
        elif name == "text":
            conditions.append("(instr(lower(title), lower(?)) OR instr(lower(author), lower(?)))")
            values += [value, value]
        elif name.startswith(("min.", "max.")):
            kind, metric = name[:3], name[4:]
            column = "score" if metric == "score" else "json_extract(metrics, ?)"
            conditions.append(f"{column} {'>=' if kind == 'min' else '<='} ?")
            values += [] if metric == "score" else [_path(metric)]
            values.append(_float(name, value))
        elif name not in ("sort", "offset", "limit", "x", "y", "bins"):
            raise Refusal(f"no filter is called {quoted(name)}")
    return f"WHERE {' AND '.join(conditions)}", values


def _float(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise Refusal(f"expected a number for {quoted(name)}, got {quoted(value)}") from None


def _path(metric: str) -> str:
    if not metric.replace("_", "").isalnum() or not metric.isascii():
        raise Refusal(f"no metric is called {quoted(metric)}")
    return f'$."{metric}"'


def _make_private(path: str | Path) -> None:
    """Makes an empty file for its owner alone where there is none; SQLite's files beside it get its mode."""
    with contextlib.suppress(OSError):  # the lock says why it cannot be
        os.close(os.open(real_place(str(path)), os.O_RDWR | os.O_CREAT, 0o600))


def _number(number: int) -> int:
    return number if 0 <= number <= LARGEST else -1


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
