"""The file of an experiment: one SQLite database with one writer, and any number of readers at any time."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from levelsmith import __version__
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.experiment import rows
from levelsmith.experiment.spec import MOST_RUNS, Run, Spec, compact
from levelsmith.experiment.work import WorkDone
from levelsmith.files import Lock

FORMAT = "1"
LONGEST = 300  # characters of what a file says about itself, but for its spec
BUSY_SECONDS = 10.0  # how long to wait for another program that holds the file

PLAINLY = {  # what SQLite says -> what it means
    "not a database": "{path} is no file of an experiment: {said}",
    "locked": "{path} is held by another program; close it there and type the same command again",
    "full": "the disk with {path} is full; what was done is kept: make room and type the same again",
    "readonly": "{path} can only be read: take another file with -o",
}
SCHEMA = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE machines (id INTEGER PRIMARY KEY, description TEXT NOT NULL UNIQUE)",
    """CREATE TABLE cells (
  id INTEGER PRIMARY KEY, part TEXT NOT NULL, name TEXT NOT NULL,
  game TEXT NOT NULL, size TEXT NOT NULL, search TEXT NOT NULL, representation TEXT, objective TEXT NOT NULL,
  setting TEXT NOT NULL, varied TEXT NOT NULL, runs INTEGER NOT NULL, UNIQUE (part, name))""",
    """CREATE TABLE runs (
  id TEXT PRIMARY KEY, cell INTEGER NOT NULL REFERENCES cells, number INTEGER NOT NULL, seed INTEGER NOT NULL,
  turn TEXT NOT NULL, solved INTEGER NOT NULL, score REAL NOT NULL, stopped TEXT NOT NULL,
  evaluations INTEGER NOT NULL, seconds REAL NOT NULL, statistics TEXT NOT NULL, history TEXT NOT NULL,
  machine INTEGER NOT NULL REFERENCES machines, ended TEXT NOT NULL)""",
    """CREATE TABLE levels (
  run TEXT NOT NULL REFERENCES runs, place INTEGER NOT NULL, score REAL NOT NULL, evaluations INTEGER,
  text TEXT NOT NULL, solution TEXT, metrics TEXT NOT NULL, PRIMARY KEY (run, place)) WITHOUT ROWID""",
    "CREATE INDEX runs_of_cell ON runs (cell, number)",
    """CREATE VIEW improvements AS
  SELECT runs.id AS run, json_extract(one.value, '$[0]') AS evaluations,
    json_extract(one.value, '$[1]') AS seconds, json_extract(one.value, '$[2]') AS score
  FROM runs, json_each(runs.history) AS one""",
    """CREATE VIEW statistic AS
  SELECT runs.id AS run, one.key AS name, one.value AS value FROM runs, json_each(runs.statistics) AS one""",
)


class Reader:
    """A file of an experiment to read: `connection` for SQL, `meta` for what it says about itself.

    All that is read is of the moment when it was opened, whatever a writer adds meanwhile.
    `spec` is what was asked for, as `Spec.text` tells it; `address` is what SQLite opens the file by, which
    depends on who may write there, and empty for tables of rows: those are read into memory.
    """

    def __init__(self, path: str | Path):
        self.path = str(real_name(path))
        place = real_place(self.path)
        if not os.path.exists(place):
            raise LevelsmithError(
                f"no file is called {quoted(Path(path))}; expected one made by levelsmith experiment run"
            )
        with plain_errors(self.path):
            tables = rows.stem_of(self.path) is not None
            self.address, self.connection = _from_rows(self.path) if tables else _opened(place)
        try:
            self.connection.execute("BEGIN")
            self.meta = _meta(self.path, self.connection)
            check_format(self.path, self.meta)
            self.spec = self._read_spec()
            if check_schema(self.path, self.connection):  # SQLite 3.40 trusts no JSON in the views of others
                self.connection.execute("PRAGMA trusted_schema = ON")
        except BaseException:
            self.connection.close()
            raise

    def _read_spec(self) -> dict[str, Any]:
        told = _object(self.path, self.meta["spec"])
        for name, value in {"title": told.get("title"), "pages": told.get("pages") or ""}.items():
            if not isinstance(value, str):
                raise damaged(self.path, f"expected text as the {name} of its spec")
        return told

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open(path: str | Path) -> Reader:
    """Returns a file of an experiment to read, while it is written or not."""
    return Reader(path)


def real_name(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Returns a path as it is, or refuses what is none."""
    if not isinstance(path, str | os.PathLike):
        raise LevelsmithError(f"expected the name of a file, such as runs.db, got {quoted(path)}")
    return path


def real_place(path: str) -> str:
    """Returns where a file really is, links followed, so that it has one lock and one log under all names."""
    if path in ("", ":memory:") or path.startswith("file:"):
        raise LevelsmithError(f"expected the name of a file, such as runs.db, got {quoted(path)}")
    place = os.path.realpath(path)
    if os.path.exists(place) and not os.path.isfile(place):
        kind = "a folder" if os.path.isdir(place) else "a device or a pipe"
        raise LevelsmithError(
            f"expected the name of a file, such as runs.db, but {quoted(Path(path))} is {kind}"
        )
    return place


def connect(address: str) -> sqlite3.Connection:
    """Opens a database of which nothing is trusted, neither what its views call nor that it is whole."""
    connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def _opened(place: str) -> tuple[str, sqlite3.Connection]:
    """Opens a file without writing if that can be; the log of a killed writer may have to be gone through."""
    for mode in ("mode=ro", "mode=rw", "immutable=1"):  # the last where nobody can write
        address = f"{Path(place).as_uri()}?{mode}"
        connection = connect(address)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            connection.execute("PRAGMA query_only = ON")
            return address, connection
        except sqlite3.OperationalError as error:
            connection.close()
            failed = error
        except BaseException:
            connection.close()
            raise
    raise failed


def _from_rows(path: str) -> tuple[str, sqlite3.Connection]:
    """Returns a database in memory with the runs of compressed tables."""
    connection = connect(":memory:")
    try:
        for statement in SCHEMA:
            connection.execute(statement)
        connection.execute("BEGIN")
        rows.fill(connection, path)
        connection.execute("COMMIT")
        connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return "", connection


class Writer:
    """A file to write, with one writer: made if it is not there, refused if `check` does."""

    schema: tuple[str, ...] = ()
    hint = ""  # what to type where there is a writer already

    def __init__(self, path: str | Path, meta: Mapping[str, str]):
        self.path = str(path)
        place = real_place(self.path)
        with contextlib.ExitStack() as undo, plain_errors(self.path):
            self.lock = Lock(self.path, self.hint.format(path=self.path))
            undo.callback(self.lock.release)
            self.connection = connect(f"{Path(place).as_uri()}?mode=rwc")
            undo.callback(self.connection.close)
            self._prepare(meta)
            undo.pop_all()

    def _prepare(self, meta: Mapping[str, str]) -> None:
        tables = self.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables:
            self.check(_meta(self.path, self.connection), meta)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = NORMAL")
        if not tables:
            with self.transaction():
                for statement in self.schema:
                    self.connection.execute(statement)
                self.connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())

    def check(self, there: Mapping[str, str], asked: Mapping[str, str]) -> None:
        """Refuses a file that says other things about itself than were asked for."""

    def close(self) -> None:
        try:
            self.connection.close()
        finally:
            self.lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        with plain_errors(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            except BaseException:
                self.connection.rollback()
                raise
            self.connection.execute("COMMIT")


class Store(Writer):
    """The file of an experiment to write; refused if it belongs to another experiment."""

    schema = SCHEMA
    hint = "levelsmith experiment status {path}"

    def __init__(self, path: str | Path, meta: Mapping[str, str]):
        if rows.stem_of(path) is not None and not os.path.exists(path):
            raise LevelsmithError(
                f"{path} is named as a table of runs is: choose another name, such as runs.db"
            )
        super().__init__(path, meta)

    def check(self, there: Mapping[str, str], asked: Mapping[str, str]) -> None:
        check_same(self.path, there, asked)
        check_schema(self.path, self.connection)

    def ask(self, spec: Spec, cells: Iterable[int], shard: str) -> dict[int, int]:
        """Enters cells, and returns how many runs of each there shall be: never fewer than before."""
        counts: dict[int, int] = {}
        with self.transaction() as connection:
            for i in cells:
                cell = spec.cells[i]
                task = cell.tasks[0]
                row = (
                    *(i, cell.part, cell.name, task.game, f"{task.size[1]}x{task.size[0]}", task.search),
                    *(task.representation, compact(task.objectives), cell.setting, compact(cell.varied)),
                    cell.runs,
                )
                connection.execute(
                    f"INSERT INTO cells VALUES ({_marks(row)}) "  # noqa: S608
                    "ON CONFLICT (id) DO UPDATE SET runs = max(runs, excluded.runs)",
                    row,
                )
                *found, counts[i] = connection.execute("SELECT * FROM cells WHERE id = ?", (i,)).fetchone()
                if tuple(found) != row[:-1] or type(counts[i]) is not int or counts[i] > MOST_RUNS:
                    raise damaged(self.path, f"cell {i} of its table cells is not as it was made")
            told = {"shard": shard, "command": spec.command}
            connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", told.items())
        return counts

    def note_models(self, told: Mapping[str, Any]) -> None:
        """Keeps how models were trained that runs draw from, by name, beside those told before."""
        if told:
            with self.transaction() as connection:
                row = connection.execute("SELECT value FROM meta WHERE name = 'models'").fetchone()
                models = {**(_object(self.path, row[0]) if row else {}), **told}
                connection.execute("INSERT OR REPLACE INTO meta VALUES ('models', ?)", (compact(models),))

    def done(self) -> set[tuple[int, int]]:
        """Returns the runs that are there, as cell and number."""
        with plain_errors(self.path):
            return set(self.connection.execute("SELECT cell, number FROM runs"))

    def add(self, spec: Spec, told: WorkDone, runs: Mapping[str, Run]) -> None:
        """Keeps results, all of them or none; `runs` says which run has which id."""
        entries, levels = [], []
        with self.transaction() as connection:
            machine = self._machine(told.machine)
            for row in told.rows:
                cell = spec.cells[runs[row.id].cell]
                number = runs[row.id].number
                entries.append(
                    (
                        *(row.id, runs[row.id].cell, number, cell.tasks[0].seed, cell.turn(number)),
                        *(int(row.solved), row.score, row.stopped, row.evaluations, row.seconds),
                        *(row.statistics, row.history, machine, row.ended),
                    )
                )
                levels += [(row.id, place, *level) for place, level in enumerate(row.levels)]
            connection.executemany(f"INSERT INTO runs VALUES ({_marks(range(14))})", entries)  # noqa: S608
            connection.executemany(f"INSERT INTO levels VALUES ({_marks(range(7))})", levels)  # noqa: S608

    def _machine(self, description: str) -> int:
        self.connection.execute("INSERT OR IGNORE INTO machines (description) VALUES (?)", (description,))
        found = self.connection.execute("SELECT id FROM machines WHERE description = ?", (description,))
        return int(found.fetchone()[0])


def meta_of(spec: Spec) -> dict[str, str]:
    """Returns what a new file says about itself."""
    return {
        "format": FORMAT,
        "levelsmith": __version__,
        "experiment": spec.name,
        "spec": spec.text,
        "command": spec.command,
        "quick": str(int(spec.quick)),
        "shard": "",
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def check_format(path: str, meta: Mapping[str, str]) -> None:
    """Refuses a file of another format than this version reads."""
    if meta["format"] != FORMAT:
        raise LevelsmithError(
            f"{path} has the format {meta['format']} of levelsmith {meta['levelsmith']}, "
            f"but this is {__version__}, which reads the format {FORMAT}"
        )


def check_schema(path: str, connection: sqlite3.Connection) -> bool:
    """Refuses a file whose tables are not as they were made; tells whether it has no others."""
    with plain_errors(path):
        found = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master")}
    for statement in SCHEMA:
        if statement not in found:
            kind, name = statement.split()[1:3]
            raise damaged(path, f"its {kind.lower()} {name} is missing or not as it was made")
    return found <= {*SCHEMA, None}


def check_same(path: str, there: Mapping[str, str], asked: Mapping[str, str]) -> None:
    """Refuses to mix what was made by other versions, or from other settings, into one file."""
    other = "take another file with -o"
    if there["format"] != asked["format"] or there["levelsmith"] != asked["levelsmith"]:
        raise LevelsmithError(
            f"{path} was made by levelsmith {there['levelsmith']}, and this is {asked['levelsmith']}: "
            f"{other}, or that version"
        )
    if there["experiment"] != asked["experiment"]:
        raise LevelsmithError(
            f"{path} holds the experiment {there['experiment']}, but {asked['experiment']} was asked for: "
            f"{other}"
        )
    if there["quick"] != asked["quick"]:
        begun = "with" if there["quick"] == "1" else "without"
        raise LevelsmithError(f"{path} was begun {begun} --quick: type it {begun} --quick again, or {other}")
    if there["spec"] != asked["spec"]:
        what = _difference(_object(path, there["spec"]), json.loads(asked["spec"]))
        raise LevelsmithError(f"{path} was begun with other settings, {what}: {other}, or type the old ones")


def _difference(there: Any, asked: Any, name: str = "") -> str:
    """Returns the first place where two documents differ."""
    if isinstance(there, dict) and isinstance(asked, dict):
        for key in sorted({*there, *asked}):
            if there.get(key) != asked.get(key):
                return _difference(there.get(key), asked.get(key), key)
    if isinstance(there, list) and isinstance(asked, list) and len(there) == len(asked):
        for old, new in zip(there, asked, strict=True):
            if old != new:
                return _difference(old, new, name)
    if isinstance(there, list) and isinstance(asked, list):
        return f"{len(there)} {name} and not {len(asked)}"
    old, new = ("none" if value is None else quoted(value).strip("'") for value in (there, asked))
    return f"{name[:LONGEST]} {old} and not {new}"


def _meta(path: str, connection: sqlite3.Connection) -> dict[str, str]:
    try:
        meta = dict(connection.execute("SELECT name, value FROM meta"))
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        meta = {}
    names = {"format", "levelsmith", "experiment", "quick"}
    texts = all(isinstance(value, str) for value in meta.values())
    if not (names | {"spec"} <= meta.keys() and texts and all(len(meta[name]) < LONGEST for name in names)):
        raise LevelsmithError(
            f"{path} is no file of an experiment; expected one made by levelsmith experiment run"
        )
    return meta


def _object(path: str, text: str) -> dict[str, Any]:
    """Returns what a file says it was begun with."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise damaged(path, "expected an object of JSON as its spec, got something else")
    return told


def _marks(row: Iterable[Any]) -> str:
    return ", ".join("?" for _ in row)


@contextlib.contextmanager
def plain_errors(path: str) -> Iterator[None]:
    """Tells what SQLite complains about in one line that says what to do; what was kept before stays kept."""
    try:
        yield
    except sqlite3.Error as error:
        said = str(error)
        if "malformed" in said or isinstance(error, sqlite3.IntegrityError):
            raise damaged(path, said) from None
        told = next((told for words, told in PLAINLY.items() if words in said), "cannot use {path}: {said}")
        raise LevelsmithError(told.format(path=path, said=said)) from None
    except UnicodeDecodeError:  # of a message that quotes what is in the file
        raise damaged(path, "expected text in UTF-8, got other bytes") from None


def damaged(path: str, what: str) -> LevelsmithError:
    """Returns the error for a file that is not as it was written."""
    return LevelsmithError(
        f"{path} is damaged: {what}; bring back a copy of it, or do its runs again in another file"
    )
