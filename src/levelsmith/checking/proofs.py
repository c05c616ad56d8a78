"""The proofs that are kept between builds: answers to questions about levels, in one SQLite file.

Any number of builds may use one file at once. A row whose checksum is not that of its content is passed over,
and a file that is damaged is begun anew: what was in it is proved again.
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
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.files import Lock

BUSY_SECONDS = 30.0  # how long to wait for another build that writes
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
        self.path, self.connection = path, None if path is None else _opened(path)
        self.damaged = False
        if path is not None and self.connection is None:
            self.damaged = True
            _remove(path)
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
            self._begin_anew()
        return found

    def keep(self, answers: Mapping[bytes, Answer], effort: Effort) -> None:
        """Keeps answers for the next time."""
        if self.connection is None or not answers:
            return
        rows = []
        for asked, answer in answers.items():
            row = (json.dumps(answer), effort.seconds, effort.states, effort.memory, int(answer["final"]))
            rows.append((asked, *row, _checksum((asked, *row))))
        for _ in range(2):
            try:
                with self.connection:
                    self.connection.executemany(
                        "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", rows
                    )
            except sqlite3.OperationalError as error:
                if "locked" in str(error) or "readonly" in str(error) or "full" in str(error):
                    raise LevelsmithError(f"cannot write {quoted(Path(self.path or ''))}: {error}") from None
                self._begin_anew()
            except sqlite3.DatabaseError:
                self._begin_anew()
            else:
                return

    def _begin_anew(self) -> None:
        """Puts an empty file in the place of a damaged one; another process that has it open loses nothing
        but what it would keep."""
        self.damaged = True
        self.close()
        if self.path is not None:
            _remove(self.path)
            self.connection = _opened(self.path)

    def close(self) -> None:
        if self.connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self.connection.close()
            self.connection = None


def _opened(path: str) -> sqlite3.Connection | None:
    """Returns a file of proofs, made where there is none; None where it is damaged."""
    place = Path(os.path.realpath(path))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(place, timeout=BUSY_SECONDS)
    except (OSError, sqlite3.Error) as error:
        raise LevelsmithError(f"cannot write {quoted(place)}: {error}") from None
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        (format_,) = connection.execute("PRAGMA user_version").fetchone()
        columns = connection.execute("PRAGMA table_info(answers)").fetchall()
        if format_ not in (0, FORMAT) or (columns and len(columns) != 7):
            raise sqlite3.DatabaseError("of another kind")
        with connection:
            connection.execute(SCHEMA)
            connection.execute(f"PRAGMA user_version = {FORMAT}")
    except sqlite3.OperationalError as error:
        connection.close()
        if "malformed" in str(error) or "corrupt" in str(error):
            return None
        raise LevelsmithError(f"cannot write {quoted(place)}: {error}") from None
    except sqlite3.DatabaseError:
        connection.close()
        return None
    return connection


def _remove(path: str) -> None:
    """Removes a damaged file, unless another process is doing that."""
    place = os.path.realpath(path)
    with contextlib.suppress(LevelsmithError), Lock(place):
        for ending in ("", "-wal", "-shm"):
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
