"""The proofs that are kept between builds: answers to questions about levels, in one SQLite file.

Any number of builds may use one file at once. A row whose checksum is not that of its content is passed
over. A file that is damaged gets another name, and one is begun anew: what was in it is proved again. One
that holds something else is never touched.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from levelsmith.core import Effort
from levelsmith.errors import LevelsmithError, option, quoted
from levelsmith.files import Lock

BUSY_SECONDS = 30.0  # how long to wait for another build that writes
ASIDE = ".damaged"  # how the name ends that a damaged file gets
DAMAGE = "malformed", "corrupt", "disk I/O"  # words of errors that it is damaged, or was put aside just now
TEXT = frozenset(range(32, 256)) | set(b"\t\n\f\r")  # bytes that a file of text may hold
AT_ONCE = 500  # answers that one query asks for
FORMAT = 1
SCHEMA = """CREATE TABLE IF NOT EXISTS answers (
  question BLOB PRIMARY KEY, answer TEXT NOT NULL, seconds REAL, states INTEGER, memory INTEGER,
  final INTEGER NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID"""
Answer = dict[str, Any]


class Proofs:
    """Answers by their questions.

    Args:
        path: of the file, which need not be there; None for none, so that nothing is kept.
    """

    def __init__(self, path: str | None):
        self.path, self.trouble = path, ""  # what a person is told about the file
        self.connection: sqlite3.Connection | None = None
        if path is not None:
            self._open(path)

    def _open(self, path: str) -> None:
        """Opens the file. A damaged one keeps its content under another name; what another process that has
        it open would still keep is lost."""
        try:
            Path(os.path.realpath(path)).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LevelsmithError(f"cannot write {quoted(Path(path))}: {error.strerror}") from None
        with Lock(path, seconds=BUSY_SECONDS):
            self.connection = _opened(path)
            if self.connection is None or (self.trouble and not _is_sound(self.connection)):
                self.close()
                self.trouble = f"{path} was damaged: what it had is proved again"
                _put_aside(path)
                self.connection = _opened(path)

    def known(self, questions: Iterable[bytes], effort: Effort) -> dict[bytes, Answer]:
        """Returns the answers that hold: those that are final, and those for which no less was spent than may
        be spent now."""
        if self.connection is None:
            return {}
        asked, found = list(questions), {}
        try:
            for first in range(0, len(asked), AT_ONCE):
                some = asked[first : first + AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT * FROM answers WHERE question IN ({marks})"  # noqa: S608
                rows = self.connection.execute(query, some)
                found.update({row[0]: json.loads(row[1]) for row in rows if _holds(row, effort)})
        except (sqlite3.Error, ValueError, TypeError):
            self._mend()
        return found

    def keep(self, answers: Mapping[bytes, Answer], effort: Effort) -> None:
        """Keeps answers for the next time; where that cannot be done it is told, and the check goes on."""
        if not answers:
            return
        rows = []
        for asked, answer in answers.items():
            row = (json.dumps(answer), effort.seconds, effort.states, effort.memory, int(answer["final"]))
            rows.append((asked, *row, _checksum((asked, *row))))
        for _ in range(2):
            if self.connection is None:
                return
            try:
                with self.connection:
                    self.connection.executemany(
                        "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", rows
                    )
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    self.trouble = (
                        f"proofs are not kept: cannot write {quoted(Path(self.path or ''))}: {error}"
                    )
                    self.close()
                    return
                self._mend()
            else:
                return

    def _mend(self) -> None:
        """Opens the file again, once it shows that it is damaged; another build may have mended it."""
        self.close()
        self.trouble = f"{self.path} was damaged: what it had is proved again"
        self._open(self.path or "")

    def close(self) -> None:
        if self.connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self.connection.close()
            self.connection = None


def _opened(path: str) -> sqlite3.Connection | None:
    """Returns a file of proofs, made where there is none; None where it is damaged."""
    place = Path(os.path.realpath(path))
    try:
        if _is_text(place):
            raise _other(path)
        connection = sqlite3.connect(place, timeout=BUSY_SECONDS, isolation_level="IMMEDIATE")
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise LevelsmithError(f"cannot write {quoted(place)}: {why}") from None
    try:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        if tables and tables != [("answers",)]:
            raise _other(path)
        (format_,) = connection.execute("PRAGMA user_version").fetchone()
        columns = connection.execute("PRAGMA table_info(answers)").fetchall()
        if format_ not in (0, FORMAT) or (columns and len(columns) != 7):
            raise sqlite3.DatabaseError("of another kind")
        if not format_:
            connection.execute(SCHEMA)
            connection.execute(f"PRAGMA user_version = {FORMAT}")
    except sqlite3.DatabaseError as error:
        connection.close()
        if _is_damage(error):
            return None
        raise LevelsmithError(f"cannot write {quoted(place)}: {error}") from None
    except LevelsmithError:
        connection.close()
        raise
    return connection


def _other(path: str) -> LevelsmithError:
    """Returns the error for a file that holds something else than proofs."""
    return LevelsmithError(
        f"expected {quoted(Path(path))} to be a file of proofs or not to be there, and it holds something "
        f"else; take another name, such as {option('proofs', 'proofs.db')}"
    )


def _is_text(place: Path) -> bool:
    """Tells whether a file holds text, such as levels: no damage makes that of a database."""
    if not place.is_file():
        return False
    with place.open("rb") as file:
        head = file.read(200)
    return bool(head) and TEXT.issuperset(head)


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Tells whether an error says that a file is damaged, and not that it cannot be written now."""
    said = str(error)
    return not isinstance(error, sqlite3.OperationalError) or any(word in said for word in DAMAGE)


def _is_sound(connection: sqlite3.Connection) -> bool:
    """Tells whether a file is as it should be, by reading all of it."""
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.Error:
        return False


def _put_aside(path: str) -> None:
    """Gives a damaged file another name, and removes what SQLite has beside it."""
    place = os.path.realpath(path)
    with contextlib.suppress(FileNotFoundError):
        os.replace(place, place + ASIDE)
    for ending in ("-journal", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(place + ending)


def _holds(row: tuple[Any, ...], effort: Effort) -> bool:
    """Tells whether a row is as it was written, and its answer one that holds."""
    *content, checksum = row
    if _checksum(content) != checksum:
        return False
    _, _, seconds, states, memory, final = content
    if final:
        return True
    enough = (
        (effort.seconds, seconds),
        (effort.states, states),
    )
    return memory >= effort.memory and all(
        spent is None or (limit is not None and spent >= limit) for limit, spent in enough
    )


def _checksum(content: Iterable[Any]) -> bytes:
    return blake2b(repr(list(content)).encode("utf-8", "backslashreplace"), digest_size=8).digest()
