"""Files of one experiment read as one: published rows, and parts that were run apart from them.

`merge` joins the shares of one plan into a file that goes on. Here plans may differ in the parts that they
have, as when a part was added later; what is joined is read and judged, and not gone on with.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from typing import Any

from levelsmith.errors import LevelsmithError
from levelsmith.experiment import rows
from levelsmith.experiment.results import Place
from levelsmith.experiment.spec import compact
from levelsmith.experiment.store import SCHEMA, Reader, plain_errors

SAME = ("format", "levelsmith", "experiment", "quick")  # of what files say about themselves
CELLS = f"SELECT id, {', '.join(rows.OF_CELLS)}, runs FROM cells ORDER BY id"  # noqa: S608
RUNS = """SELECT runs.id, cell, number, seed, turn, solved, score, stopped, evaluations, seconds, statistics,
history, machine, ended FROM runs ORDER BY cell, number"""
LEVELS = """SELECT runs.id, place, levels.score, levels.evaluations, text, solution, metrics
FROM levels JOIN runs ON runs.id = run"""
GIVEN = ("seed", "solved", "score", "evaluations")  # of a run: what two files must agree on

Cell = tuple[str, str]  # part and name


def join(paths: Sequence[str | os.PathLike[str]]) -> Place:
    """Returns the place of the runs of several files; of one file its own.

    Args:
        paths: files of one experiment, or tables of rows; a run may be in several of them.
    """
    if len(paths) == 1:
        return Place.of(paths[0])
    name = os.path.basename(rows.stem_of(paths[0]) or os.fspath(paths[0])).removesuffix(".db")
    place = Place.temporary(f"{name}.db")
    with closing(sqlite3.connect(place.path, isolation_level=None)) as base:
        for statement in SCHEMA:
            base.execute(statement)
        base.execute("BEGIN")
        _Joined(base).add_all([os.fspath(path) for path in paths])
        base.execute("COMMIT")
    return place


class _Joined:
    def __init__(self, base: sqlite3.Connection):
        self.base = base
        self.meta: dict[str, str] = {}
        self.spec: dict[str, Any] = {}
        self.plans: dict[Cell, Any] = {}  # settings by cell, as the plans of all files have them
        self.cells: dict[Cell, tuple[int, tuple[Any, ...]]] = {}
        self.machines: dict[str, int] = {}

    def add_all(self, paths: Sequence[str]) -> None:
        with ExitStack() as stack:
            readers = {path: stack.enter_context(Reader(path)) for path in dict.fromkeys(paths)}
            for path, reader in readers.items():
                with plain_errors(path):
                    self._check(path, reader)
            for path, reader in readers.items():
                with plain_errors(path):
                    ids = self._add_cells(path, reader.connection)
                    self._add_runs(path, reader.connection, ids)
        told = {**self.meta, "spec": compact(self.spec), "shard": ""}
        self.base.executemany("INSERT INTO meta VALUES (?, ?)", told.items())

    def _check(self, path: str, reader: Reader) -> None:
        """Refuses a file of another experiment, or of another plan for the same cells."""
        spec = {name: value for name, value in reader.spec.items() if name != "cells"}
        if not self.meta:
            self.meta, self.spec = dict(reader.meta), spec
            self.meta.pop("digest", None)  # of all runs it is another
        if "digest" in reader.meta and not reader.connection.execute("SELECT 1 FROM levels").fetchone():
            raise LevelsmithError(
                f"{path} has no levels, only what was measured of them, so it cannot be joined: expected the "
                "file that it was made of"
            )
        for name in SAME:
            if reader.meta[name] != self.meta[name]:
                raise _unlike(path, f"has the {name} {reader.meta[name]}, and the first {self.meta[name]}")
        for name in {*spec, *self.spec}:
            if spec.get(name) != self.spec.get(name):
                raise _unlike(path, f"has another {name} in its plan than the first")
        for cell in reader.spec.get("cells", []):
            self._plan(path, (cell["part"], cell["name"]), cell["setting"])
        begun = min(self.meta.get("created", ""), reader.meta.get("created", ""))
        models = [json.loads(meta.get("models", "{}")) for meta in (self.meta, reader.meta)]
        self.meta |= {"created": begun} | ({"models": compact(models[0] | models[1])} if any(models) else {})

    def _plan(self, path: str, cell: Cell, setting: Mapping[str, Any]) -> None:
        if self.plans.setdefault(cell, setting) != setting:
            raise _unlike(path, f"has other settings of {'/'.join(cell)} than the files before it")

    def _add_cells(self, path: str, other: sqlite3.Connection) -> dict[int, int]:
        """Enters cells; returns the number here of each there."""
        ids = {}
        for number, *told, asked in other.execute(CELLS):
            named = dict(zip(rows.OF_CELLS, told, strict=True))
            named |= {name: compact(json.loads(named[name])) for name in rows.AS_JSON}
            cell, values = (named["part"], named["name"]), tuple(named.values())
            self._plan(path, cell, json.loads(named["setting"]))
            if cell not in self.cells:  # at its place in the plan
                self.cells[cell] = list(self.plans).index(cell), values
                self.base.execute(
                    f"INSERT INTO cells VALUES ({', '.join('?' * 11)})",  # noqa: S608
                    (self.cells[cell][0], *values, asked),
                )
            if self.cells[cell][1] != values:
                raise _unlike(path, f"has another cell {'/'.join(cell)} than the files before it")
            ids[number] = self.cells[cell][0]
            self.base.execute("UPDATE cells SET runs = max(runs, ?) WHERE id = ?", (asked, ids[number]))
        return ids

    def _add_runs(self, path: str, other: sqlite3.Connection, ids: Mapping[int, int]) -> None:
        """Enters runs that are not there yet, with their machines and levels."""
        machines = {}
        for number, description in other.execute("SELECT id, description FROM machines"):
            text = compact(json.loads(description))
            machines[number] = self.machines.setdefault(text, len(self.machines) + 1)
            with suppress(sqlite3.IntegrityError):
                self.base.execute("INSERT INTO machines VALUES (?, ?)", (machines[number], text))
        names: dict[str, str] = {}  # what a run that is new is called here
        for name, cell, number, *told in other.execute(RUNS):
            mine = f"{ids[cell]} {number}"
            seed, _, solved, score, _, spent, *_ = told
            there = self.base.execute(
                f"SELECT {', '.join(GIVEN)} FROM runs WHERE id = ?",  # noqa: S608
                (mine,),
            ).fetchone()
            if there is None:
                names[name] = mine
                told[-2] = machines[told[-2]]
                values = (mine, ids[cell], number, *told)
                self.base.execute(f"INSERT INTO runs VALUES ({', '.join('?' * 14)})", values)  # noqa: S608
            elif there != (seed, solved, score, spent):
                where = "/".join(next(each for each, (i, _) in self.cells.items() if i == ids[cell]))
                raise _unlike(path, f"has another result of {where} run {number} than the files before it")
        for name, *told in other.execute(LEVELS):
            if name in names:
                self.base.execute("INSERT INTO levels VALUES (?, ?, ?, ?, ?, ?, ?)", (names[name], *told))


def _unlike(path: str, why: str) -> LevelsmithError:
    return LevelsmithError(f"{path} {why}: expected files of one experiment")
