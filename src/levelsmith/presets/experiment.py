"""The table `[experiment]` of a preset: which keys there are, and what each of them takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from levelsmith.errors import LevelsmithError, listed, quoted, unknown

Check = Callable[[Any], bool]


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and bool(value) and all(map(check, value))


def _one_or_list(check: Check) -> Check:
    return lambda value: check(value) or _list_of(check)(value)


def _table_of(check: Check) -> Check:
    return lambda value: isinstance(value, dict) and all(map(check, value.values()))


def _plain(value: Any) -> bool:
    return isinstance(value, str | int) or (isinstance(value, float) and isfinite(value))


BUDGET: dict[str, tuple[str, Check]] = {
    "runs": ("a whole number", _whole),
    "evaluations": ("a whole number, or a list of them", _one_or_list(_whole)),
    "seconds": ("a number", _number),
}
CELL: dict[str, tuple[str, Check]] = {
    **BUDGET,
    "size": ("text such as '10x8', or a list of it", _one_or_list(_text)),
    "search": ("a name, or a list of names", _one_or_list(_text)),
    "representation": ("a name, or a list of names", _one_or_list(_text)),
    "objective": ("a name, or a list of names", _one_or_list(_one_or_list(_text))),
    "combine": ("text", _text),
    "until": ("a number", _number),
    "keep_above": ("a number", _number),
    "keep_most": ("a whole number", _whole),
    "keep_gains": ("true or false", lambda value: isinstance(value, bool)),
    "want": ("a table of ranges", _table_of(_plain)),
    "set": ("a table of values, or of lists of them", _table_of(_one_or_list(_plain))),
    "turns": ("a table of lists", _table_of(_list_of(_plain))),
}
PART: dict[str, tuple[str, Check]] = {
    **CELL,
    "name": ("text", _text),
    "game": ("text", _text),
    "rows": ("a table of tables", _table_of(lambda value: isinstance(value, dict))),
    "quick": ("a table", lambda value: isinstance(value, dict)),
}
EXPERIMENT: dict[str, tuple[str, Check]] = {
    **BUDGET,
    "title": ("text", _text),
    "pages": ("text", _text),
    "seed": ("a whole number", _whole),
    "quick": ("a table", lambda value: isinstance(value, dict)),
    "metrics": ("a list of names", _list_of(_text)),
    "part": ("tables [[experiment.part]]", _list_of(lambda value: isinstance(value, dict))),
}


def checked(name: str, table: Any) -> dict[str, Any]:
    """The table, if it has nothing in it that is unknown or of the wrong kind."""
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


def _check(where: str, table: Mapping[str, Any], known: Mapping[str, tuple[str, Check]]) -> None:
    for key, value in table.items():
        if key not in known:
            raise LevelsmithError(f"{where}: {unknown('setting', key, known)}")
        expected, fits = known[key]
        if not fits(value):
            raise LevelsmithError(f"{where}: expected {expected} for {key}, got {quoted(value)}")
