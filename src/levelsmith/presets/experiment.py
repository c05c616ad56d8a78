"""The table `[experiment]` of a preset: which keys there are, and what each of them takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import isfinite
from typing import Any

from levelsmith.errors import LevelsmithError, listed, quoted, unknown
from levelsmith.request import CELL as CELLS
from levelsmith.request import EXPERIMENT as FOR_ALL
from levelsmith.request import FIELDS, fields_of

Check = Callable[[Any], bool]


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and bool(value) and all(map(check, value))


def _table_of(check: Check) -> Check:
    return lambda value: isinstance(value, dict) and all(map(check, value.values()))


def _plain(value: Any) -> bool:
    return isinstance(value, str | int) or (isinstance(value, float) and isfinite(value))


Known = dict[str, tuple[str, Check]]


def _known(*names: str) -> Known:
    """Returns what the fields of a request take in a part of an experiment."""
    return {
        name: (FIELDS[name].expected(swept=True), partial(FIELDS[name].fits, swept=True)) for name in names
    }


BUDGET: Known = {"runs": ("a whole number", _whole), **_known("evaluations", "seconds")}
CELL: Known = {
    **BUDGET,
    **_known(*fields_of(CELLS)),
    "turns": ("a table of lists", _table_of(_list_of(_plain))),
}
PART: Known = {
    **CELL,
    "name": ("text", _text),
    "game": ("text", _text),
    "timed": ("true or false", lambda value: isinstance(value, bool)),
    "rows": ("a table of tables", _table_of(lambda value: isinstance(value, dict))),
    "quick": ("a table", lambda value: isinstance(value, dict)),
}
EXPERIMENT: Known = {
    **BUDGET,
    "title": ("text", _text),
    "pages": ("text", _text),
    **_known(*fields_of(FOR_ALL)),
    "quick": ("a table", lambda value: isinstance(value, dict)),
    "metrics": ("a list of names", _list_of(_text)),
    "part": ("tables [[experiment.part]]", _list_of(lambda value: isinstance(value, dict))),
}


def checked(name: str, table: Any) -> dict[str, Any]:
    """Returns the table, if it has nothing in it that is unknown or of the wrong kind."""
    where = f"the preset {quoted(name)}, [experiment]"
    if not isinstance(table, dict) or "part" not in table:
        raise LevelsmithError(f"{where}: expected at least one table [[experiment.part]], got none")
    _check(where, table, EXPERIMENT)
    _check(f"{where} quick", table.get("quick", {}), BUDGET)
    for part in table["part"]:
        if not isinstance(part.get("name"), str):
            raise LevelsmithError(f"{where}: expected a name for each part, got {listed(part)}")
        _check(f"{where}, {part['name']}", part, PART)
        rows = part.get("rows", {})
        _check(f"{where}, {part['name']} quick", part.get("quick", {}), CELL | {"rows": PART["rows"]})
        for row, values in (rows | part.get("quick", {}).get("rows", {})).items():
            own = {key: value for key, value in values.items() if "." not in key}
            _check(f"{where}, {part['name']}, {row}", own, CELL)
    return table


def _check(where: str, table: Mapping[str, Any], known: Known) -> None:
    for key, value in table.items():
        if key not in known:
            raise LevelsmithError(f"{where}: {unknown('setting', key, known)}")
        expected, fits = known[key]
        if not fits(value):
            raise LevelsmithError(f"{where}: expected {expected} for {key}, got {quoted(value)}")
