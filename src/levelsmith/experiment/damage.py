"""What is wrong with the file of an experiment: looked for thoroughly, once reading it has failed."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from levelsmith.errors import LevelsmithError, quoted
from levelsmith.experiment.spec import BUDGET, MOST_RUNS
from levelsmith.experiment.store import SCHEMA, Reader, damaged

TABLES = [statement.split()[2] for statement in SCHEMA if statement.startswith("CREATE TABLE")]
LARGEST_WHOLE = 2**53  # the last whole number that all floats before it can tell apart
LARGEST = 1e100  # its square and cube are numbers yet

BEYOND = "SELECT part, name, number FROM runs JOIN cells ON cells.id = cell WHERE number >= runs"
TWICE = """SELECT part, name, number FROM runs JOIN cells ON cells.id = cell
GROUP BY cell, number HAVING count(*) > 1"""


@contextlib.contextmanager
def damage_explained(*paths: str | os.PathLike[str]) -> Iterator[None]:
    """Tells in one line what is damaged where reading fails; a file that is whole shows a mistake of ours."""
    try:
        yield
    except LevelsmithError:
        raise
    except Exception:
        for path in paths:
            check_whole(path)
        raise


def check_whole(path: str | os.PathLike[str]) -> None:
    """Refuses a file of which anything is damaged."""
    with Reader(Path(path)) as reader:
        try:
            found = next(_damage(reader.connection), None)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            found = str(error)
    if found:
        raise damaged(os.fspath(path), found) from None


def _damage(connection: sqlite3.Connection) -> Iterator[str]:
    """Yields what is not as it was written: pages, values, or what refers to what."""
    execute = connection.execute
    for (said,) in execute("PRAGMA integrity_check(1)"):
        if said != "ok":
            yield said
    for table in TABLES:
        columns = execute(f"PRAGMA table_info({table})").fetchall()
        for row in execute(f"SELECT * FROM {table}"):  # noqa: S608
            for (_, name, kind, never_null, _, key), value in zip(columns, row, strict=True):
                if not (_fits(name, kind, value) or (value is None and not never_null and not key)):
                    yield f"{name} of its table {table} has the value {quoted(value)}"
    for table, _, other, _ in execute("PRAGMA foreign_key_check"):
        yield f"its table {table} refers to a row that its table {other} does not have"
    for query in (BEYOND, TWICE):
        for part, name, number in execute(query):
            yield f"expected run {number} of {part}/{name} to be one of those asked for, and once"


def _fits(name: str, kind: str, value: Any) -> bool:
    """Returns whether a column can have a value: one of its kind, which keeps what else is known of it."""
    try:
        return KINDS[kind](value) and bool(COLUMNS[name](value) if name in COLUMNS else True)
    except (TypeError, ValueError, RecursionError):
        return False


def _number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and abs(value) <= LARGEST


def _numbers(values: Iterable[Any]) -> bool:
    return all(map(_number, values))


def _json(kind: type, fits: Callable[[Any], bool] = lambda found: True) -> Callable[[str], bool]:
    """Returns whether a text is JSON of this kind that fits."""
    return lambda text: isinstance(found := json.loads(text), kind) and fits(found)


KINDS: dict[str, Callable[[Any], bool]] = {
    "TEXT": lambda value: isinstance(value, str),
    "INTEGER": lambda value: type(value) is int and value >= 0,
    "REAL": _number,
}
COLUMNS: dict[str, Callable[[Any], object]] = {
    **dict.fromkeys(("description", "varied", "turn"), _json(dict)),
    "setting": _json(dict, lambda told: _numbers(told.get(name, 0) for name in (*BUDGET, "until"))),
    "objective": _json(list, lambda names: all(isinstance(name, str) for name in names)),
    **dict.fromkeys(("statistics", "metrics"), _json(dict, lambda told: _numbers(told.values()))),
    "history": _json(list, lambda steps: all(map(_step, steps))),
    "size": lambda text: re.fullmatch(r"\d{1,6}x\d{1,6}", text),
    "runs": lambda number: 1 <= number <= MOST_RUNS,
    "solved": lambda number: number <= 1,
    "evaluations": lambda number: number <= LARGEST_WHOLE,
    "ended": lambda text: datetime.fromisoformat(text).tzinfo,
}


def _step(step: Any) -> bool:
    return isinstance(step, list) and len(step) == 3 and _numbers(step)
