"""The studio's file: jobs and levels in one SQLite database of the kind that experiments have."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from levelsmith import __version__
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.experiment.store import FORMAT, Writer
from levelsmith.studio.limits import Refusal, missing

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
UNFINISHED = ("queued", "running", "paused")
JSON = ("setting", "plan", "history", "metrics", "provenance", "tags")
COLUMNS = ("id", "score", "created", "game", "size", "title", "job", "starred")  # to sort by; else a metric
LARGEST = 2**63 - 1


class Shelf(Writer):
    """All of its methods are to be called from the thread that opened it."""

    schema = SCHEMA

    def __init__(self, path: str | Path):
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

    # ------------------------------------------------------------------------------------------------- jobs

    def add_job(self, setting: Mapping[str, Any], plan: Mapping[str, Any]) -> dict[str, Any]:
        with self.transaction() as connection:
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

    def jobs(self, states: Sequence[str] = (), limit: int = 100) -> list[dict[str, Any]]:
        """The newest first, without their curves."""
        marks = ", ".join("?" for _ in states)
        where = f"NOT deleted AND state IN ({marks})" if states else "NOT deleted"
        names = "id, state, setting, plan, created, score, evaluations, seconds, stopped, error, text"
        query = f"SELECT {names} FROM jobs WHERE {where} ORDER BY id DESC LIMIT ?"  # noqa: S608
        return self._rows(query, (*states, limit))

    def update_job(self, number: int, **values: Any) -> None:
        with self.transaction() as connection:
            names = ", ".join(f"{name} = ?" for name in values)
            row = [_dumped(value) if name in JSON else value for name, value in values.items()]
            connection.execute(f"UPDATE jobs SET {names} WHERE id = ?", (*row, number))  # noqa: S608

    # ----------------------------------------------------------------------------------------------- levels

    def add_levels(self, levels: Iterable[Mapping[str, Any]], job: int | None = None) -> list[dict[str, Any]]:
        """Keeps levels; one that a job has made already, before a restart, is not kept twice."""
        added = []
        with self.transaction() as connection:
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
        """A page of the levels, and how many there are in all; see `filters` for `where`."""
        order, direction = sort.lstrip("-"), "DESC" if sort.startswith("-") else "ASC"
        by = order if order in COLUMNS else "json_extract(metrics, ?)"
        extra = () if order in COLUMNS else (_path(order),)
        total = self.connection.execute(f"SELECT count(*) FROM levels {where}", values).fetchone()[0]  # noqa: S608
        rows = self._levels(
            f"{where} ORDER BY {by} {direction} NULLS LAST, id {direction} LIMIT ? OFFSET ?",
            (*values, *extra, limit, offset),
        )
        return rows, int(total)

    def pairs(self, where: str, values: Sequence[Any], x: str, y: str) -> list[tuple[Any, ...]]:
        """Of each level: id, score and two metrics."""
        return self.connection.execute(
            "SELECT id, score, json_extract(metrics, ?), json_extract(metrics, ?) "  # noqa: S608
            f"FROM levels {where} LIMIT 100000",
            (_path(x), _path(y), *values),
        ).fetchall()

    def texts_like(self, number: int, most: int) -> tuple[dict[str, Any], list[tuple[int, str]]]:
        """A level, and the texts of others of its game and size."""
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
            for name, value in values.items():
                stored = _dumped(value) if name in JSON else value
                connection.execute(f"UPDATE levels SET {name} = ? WHERE id = ?", (stored, number))  # noqa: S608
        return self.level(number)

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


def filters(query: Mapping[str, str]) -> tuple[str, list[Any]]:
    """What the query of a page asks of levels, as SQL and its values: `min.pushes=3`, `starred=1`, …"""
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


def _number(number: int) -> int:
    return number if 0 <= number <= LARGEST else -1


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
