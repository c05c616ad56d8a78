"""What is wrong with the file of an experiment: looked for thoroughly, once reading it has failed."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from levelsmith.errors import LevelsmithError, quoted
from levelsmith.experiment.spec import MOST_RUNS
from levelsmith.experiment.store import Reader, damaged

LARGEST_WHOLE = 2**53  # the last whole number that all floats before it can tell apart
LARGEST = 1e100  # its square and cube are numbers yet

Fits = Callable[[Any], bool]


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
            found = damage(reader)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            found = str(error)
    if found:
        raise damaged(os.fspath(path), found) from None


def damage(reader: Reader) -> str | None:
    """Returns the first thing that is not as it was written: pages, values, or what refers to what."""
    execute = reader.connection.execute
    (pages,) = execute("PRAGMA integrity_check(1)").fetchone()
    if pages != "ok":
        return str(pages)
    for table, columns in COLUMNS.items():
        for row in execute(f"SELECT {', '.join(columns)} FROM {table}"):  # noqa: S608
            for (name, fits), value in zip(columns.items(), row, strict=True):
                if not fits(value):
                    return f"{name} of its table {table} has the value {quoted(value)}"
    for table, _, other, _ in execute("PRAGMA foreign_key_check"):
        return f"its table {table} refers to a row that its table {other} does not have"
    for found in (BEYOND, TWICE):
        for part, name, number in execute(found):
            return f"expected run {number} of {part}/{name} to be one of those asked for, and once"
    return None


BEYOND = "SELECT part, name, number FROM runs JOIN cells ON cells.id = cell WHERE number >= runs"
TWICE = """SELECT part, name, number FROM runs JOIN cells ON cells.id = cell
GROUP BY cell, number HAVING count(*) > 1"""


# -------------------------------------------------------------------------------------------- what a value is


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _whole(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_WHOLE


def _number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and abs(value) <= LARGEST


def _or_none(fits: Fits) -> Fits:
    return lambda value: value is None or fits(value)


def _runs(value: Any) -> bool:
    return _whole(value) and 1 <= value <= MOST_RUNS


def _size(value: Any) -> bool:
    return _text(value) and re.fullmatch(r"\d{1,6}x\d{1,6}", value) is not None


def _time(value: Any) -> bool:
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except (TypeError, ValueError):
        return False


def _json(fits: Fits) -> Fits:
    """Returns whether a value is text in JSON of something that fits."""

    def check(value: Any) -> bool:
        try:
            return _text(value) and fits(json.loads(value))
        except (ValueError, RecursionError):
            return False

    return check


def _object(value: Any) -> bool:
    return isinstance(value, dict)


def _numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_number, value.values()))


def _names(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _setting(value: Any) -> bool:
    budget = ("evaluations", "seconds", "until")
    return isinstance(value, dict) and all(_number(value[name]) for name in budget if name in value)


def _history(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(step, list) and len(step) == 3 and all(map(_number, step)) for step in value
    )


COLUMNS: dict[str, dict[str, Fits]] = {
    "meta": {"name": _text, "value": _text},
    "machines": {"id": _whole, "description": _json(_object)},
    "cells": {
        "id": _whole,
        **dict.fromkeys(("part", "name", "game"), _text),
        "size": _size,
        "search": _text,
        "representation": _or_none(_text),
        "objective": _json(_names),
        "setting": _json(_setting),
        "varied": _json(_object),
        "runs": _runs,
    },
    "runs": {
        "id": _text,
        **dict.fromkeys(("cell", "number"), _whole),
        "seed": lambda value: type(value) is int and value >= 0,
        "turn": _json(_object),
        "solved": (0, 1).__contains__,
        "score": _number,
        "stopped": _text,
        "evaluations": _whole,
        "seconds": _number,
        "statistics": _json(_numbers),
        "history": _json(_history),
        "machine": _whole,
        "ended": _time,
    },
    "levels": {
        "run": _text,
        "place": _whole,
        "score": _number,
        "evaluations": _or_none(_whole),
        "text": _text,
        "solution": _or_none(_text),
        "metrics": _json(_numbers),
    },
}
