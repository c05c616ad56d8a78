"""The file of an experiment, read in columns: a number for each run, by cell and number of the run.

All columns of a cell are as long, and a run stands at the same place in all of them; what is missing is nan.
So runs of the same number are paired across cells.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError, quoted, unknown
from levelsmith.experiment.damage import LARGEST, damage_explained
from levelsmith.experiment.spec import MOST_RUNS
from levelsmith.experiment.statistics import Numbers
from levelsmith.experiment.store import Reader, plain_errors, real_name

RUNS = """SELECT cell, number, stopped, machine, solved, evaluations, score, seconds
FROM runs ORDER BY cell, number"""
CELLS = """SELECT id, part, name, game, size, search, representation, objective, setting, varied, runs
FROM cells ORDER BY id"""
GIVEN = """SELECT runs.number, seed, turn, solved, runs.score, stopped, runs.evaluations, text FROM runs
LEFT JOIN levels ON levels.run = runs.id AND levels.place = 0 WHERE runs.cell = ? ORDER BY runs.number"""
TURNS = "SELECT json_extract(turn, ?) FROM runs ORDER BY cell, number"
METRICS = "SELECT metrics FROM runs JOIN levels ON levels.run = runs.id WHERE runs.cell = ? LIMIT 1"
LEVELS = """SELECT levels.text, levels.solution, levels.metrics, levels.score, levels.evaluations, runs.seed,
runs.number, runs.seconds, runs.history, runs.turn
FROM runs JOIN levels ON levels.run = runs.id WHERE runs.cell = ?"""


@dataclass(frozen=True, slots=True)
class CellRuns:
    """One combination of settings; its runs stand at `start` to `end` of the file's."""

    id: int
    part: str
    name: str
    game: str
    size: str
    search: str
    representation: str
    objective: tuple[str, ...]
    setting: dict[str, Any]
    varied: dict[str, Any]
    asked: int
    start: int
    end: int

    @property
    def runs(self) -> int:
        return self.end - self.start

    @property
    def goal(self) -> str:
        return " + ".join(self.objective)


class Place:
    """Where the runs of an experiment are; a temporary file is removed when nobody has its place any more."""

    def __init__(self, path: Path):
        self.path = path

    @classmethod
    def of(cls, path: str | os.PathLike[str] | Place) -> Place:
        return path if isinstance(path, Place) else cls(Path(real_name(path)))

    @classmethod
    def temporary(cls, name: str = "runs.db") -> Place:
        folder = tempfile.mkdtemp(prefix="levelsmith-")
        place = cls(Path(folder, name))
        weakref.finalize(place, shutil.rmtree, folder, ignore_errors=True)
        return place


class Results:
    """An experiment's file, opened to read: `cells`, and for each a column of numbers by name.

    Args:
        path: the file.
    """

    def __init__(self, path: str | os.PathLike[str] | Place):
        self.place = Place.of(path)
        self.path = self.place.path
        self._statistics: dict[str, Numbers] = {}
        self._metrics: dict[str, Numbers] | None = None
        self.kept: dict[Any, Any] = {}  # what pages made of it and ask for again
        with damage_explained(self.path):
            self.reader = Reader(self.path)
            self.meta, self.spec = self.reader.meta, self.reader.spec
            self._read()

    def _read(self) -> None:
        rows = self._all(RUNS)
        if not rows:
            raise LevelsmithError(f"{self.path} holds no runs yet; levelsmith experiment run adds them")
        cells, numbers, stopped, machine, *columns = zip(*rows, strict=True)
        self.numbers, self.machine = _whole(numbers), _whole(machine)
        self.stopped = np.array(stopped)
        if self.stopped.dtype.kind != "U":
            raise ValueError("expected reasons in words")
        solved, evaluations, score, seconds = columns
        self._columns = {
            "solved": _whole(solved).astype(np.float64),
            "score": _column(score),
            "evaluations": _whole(evaluations).astype(np.float64),
            "seconds": _column(seconds),
        }
        owners = _whole(cells)
        self.cells = self._read_cells(owners)
        self._check_places(owners)
        self.machines = {i: json.loads(text) for i, text in self._all("SELECT id, description FROM machines")}

    def _check_places(self, owners: NDArray[np.int64]) -> None:
        """Refuses runs that have no place among those asked for, or that share one."""
        asked = {cell.id: cell.asked for cell in self.cells}
        if max(asked.values(), default=0) > MOST_RUNS:
            raise ValueError("more runs are asked for than there can be")
        beyond = self.numbers >= [asked.get(cell, 0) for cell in owners.tolist()]
        twice = (np.diff(owners) == 0) & (np.diff(self.numbers) == 0)
        if beyond.any() or twice.any():
            raise ValueError("there are runs that nobody asked for")

    def _all(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with plain_errors(str(self.path)):
            return self.reader.connection.execute(query, values).fetchall()

    def _read_cells(self, owners: NDArray[np.int64]) -> list[CellRuns]:
        cells = []
        for cell, part, name, game, size, search, representation, objective, *more in self._all(CELLS):
            setting, varied = (json.loads(text) for text in more[:2])
            texts = (part, name, game, size, search, representation or "")
            if not (
                isinstance(setting, dict) and isinstance(varied, dict) and set(map(type, texts)) == {str}
            ):
                raise ValueError("expected text, and settings by name")
            start, end = (int(np.searchsorted(owners, cell, side)) for side in ("left", "right"))
            goals = tuple(json.loads(objective))
            cells.append(CellRuns(cell, *texts, goals, setting, varied, more[2], start, end))
        return cells

    @property
    def parts(self) -> list[str]:
        return list(dict.fromkeys(cell.part for cell in self.cells))

    def of(self, *parts: str) -> list[CellRuns]:
        """Returns the cells of parts that have runs."""
        return [cell for cell in self.cells if cell.part in parts and cell.runs]

    # ------------------------------------------------------------------------------------------- columns

    def values(self, cell: CellRuns, name: str) -> Numbers:
        """Returns a number for each run: of the run, of its search's statistics, or of its best level."""
        if name in self._columns:
            return self.placed(cell, self._columns[name])
        if name in self.metrics:
            return self.placed(cell, self.metrics[name])
        return self.placed(cell, self.statistic(name))

    def columns(self) -> dict[str, NDArray[Any]]:
        """Returns all runs as columns of the same length, by name: whose each is, what it gave, its metrics.

        The metrics are those of a run's best level, then come the statistics of its search; what is missing
        is nan.
        """
        owners = [cell for cell in self.cells for _ in range(cell.runs)]
        told = ("part", "game", "size", "search", "representation", "goal")
        with damage_explained(self.path):
            found: dict[str, NDArray[Any]] = {
                "cell": np.array([cell.name for cell in owners]),
                **{name: np.array([getattr(cell, name) for cell in owners]) for name in told},
                "run": self.numbers,
                **self._columns,
                "stopped": self.stopped,
            }
            metrics = {
                f"metric {name}" if name in found else name: self.metrics[name] for name in self.metrics
            }
            statistics = {
                f"search {name}" if name in found or name in metrics else name: self.statistic(name)
                for name in self._statistic_names()
            }
            return {**found, **metrics, **statistics}

    def frame(self) -> Any:
        """Returns the same as a table of pandas, a row for each run."""
        try:
            from pandas import DataFrame  # type: ignore[import-untyped, unused-ignore]
        except ImportError:
            raise LevelsmithError(
                'a frame needs pandas: pip install "levelsmith[analysis]"; columns() needs nothing'
            ) from None
        return DataFrame(self.columns())

    def cell(self, name: str) -> CellRuns:
        """Returns a cell by its name, or by PART/CELL where parts have cells of the same name."""
        found = [cell for cell in self.cells if name in (cell.name, f"{cell.part}/{cell.name}")]
        if len(found) != 1:
            several = [f"{cell.part}/{cell.name}" for cell in found]
            raise unknown("cell", name, several or [cell.name for cell in self.cells])
        return found[0]

    def placed(self, cell: CellRuns, column: Numbers) -> Numbers:
        """Returns the runs of a cell by their numbers, nan for those that are not there."""
        mine = slice(cell.start, cell.end)
        numbers = self.numbers[mine]
        placed = np.full(max(cell.asked, int(numbers.max(initial=-1)) + 1), np.nan)
        placed[numbers] = column[mine]
        return placed

    def statistic(self, name: str) -> Numbers:
        if name not in self._statistics:
            query = "SELECT json_extract(statistics, ?) FROM runs ORDER BY cell, number"
            self._statistics[name] = _column([row[0] for row in self._all(query, [f'$."{name}"'])])
        return self._statistics[name]

    def turn(self, name: str) -> Numbers:
        """Returns what each run got of what its cell takes in turns."""
        return _column([row[0] for row in self._all(TURNS, [f'$."{name}"'])])

    @property
    def metrics(self) -> dict[str, Numbers]:
        """The metrics of each run's best level, by name."""
        if self._metrics is None:
            names = self._metric_names()
            chosen = ", ".join("json_extract(levels.metrics, ?)" for _ in names) or "NULL"
            rows = self._all(
                f"SELECT {chosen} FROM runs LEFT JOIN levels ON levels.run = runs.id AND levels.place = 0 "  # noqa: S608
                "ORDER BY runs.cell, runs.number",
                [f'$."{name}"' for name in names],
            )
            columns = zip(*rows, strict=True) if names else ()
            self._metrics = {name: _column(column) for name, column in zip(names, columns, strict=True)}
        return self._metrics

    def metric_names(self, cells: Iterable[CellRuns]) -> list[str]:
        """Returns the metrics that vary among the best levels of these cells."""
        spans = [(cell.start, cell.end) for cell in cells]
        return [
            name
            for name, column in self.metrics.items()
            if len(np.unique(np.concatenate([column[a:b] for a, b in spans] or [column[:0]]))) > 1
        ]

    def check_metric(self, name: str) -> None:
        if name not in self.metrics:
            raise unknown(f"metric in {quoted(self.path)}", name, self.metrics)

    def _metric_names(self) -> list[str]:
        """Returns all metrics, as the first level of each cell has them."""
        found: dict[str, None] = {}
        for cell in self.cells:
            for (text,) in self._all(METRICS, [cell.id]):
                found |= dict.fromkeys(json.loads(text).keys())
        return list(found)

    def _statistic_names(self) -> list[str]:
        """Returns what searches count, as the first run of each cell has it, as far as it is a number."""
        found: dict[str, None] = {}
        for cell in self.cells:
            for (text,) in self._all("SELECT statistics FROM runs WHERE cell = ? LIMIT 1", [cell.id]):
                told = json.loads(text)
                found |= dict.fromkeys(name for name in told if isinstance(told[name], int | float))
        return list(found)

    # ------------------------------------------------------------------------------------------- histories

    def history(self, cell: CellRuns) -> tuple[NDArray[np.int64], Numbers]:
        """Returns all improvements of a cell's runs: whose (by place), and (evaluations, seconds, score)
        of each."""
        rows = self._all("SELECT number, history FROM runs WHERE cell = ? ORDER BY number", [cell.id])
        told = json.loads("[" + ",".join(text for _, text in rows) + "]")
        owners = np.repeat([number for number, _ in rows], [len(steps) for steps in told])
        steps = np.array([step for steps in told for step in steps], np.float64).reshape(-1, 3)
        return owners.astype(np.int64), steps

    def anytime(self, cell: CellRuns, grid: Numbers, by: str = "evaluations") -> Numbers:
        """Returns the best score of each run after so many evaluations or seconds, 0 at first. → `[runs,
        G]`"""
        owners, steps = self.history(cell)
        numbers = self.numbers[cell.start : cell.end]
        when = steps[:, 0 if by == "evaluations" else 1]
        far = float(max(grid.max(), when.max(initial=0.0))) + 1.0
        keys = owners * far + when
        asked = numbers[:, None] * far + grid[None, :]
        places = np.searchsorted(keys, asked, "right") - 1
        scores = np.append(steps[:, 2], 0.0)
        mine = (places >= 0) & (np.append(owners, -1)[places] == numbers[:, None])
        return np.where(mine, scores[places], 0.0)

    # ------------------------------------------------------------------------------------------- levels

    def levels(
        self, cell: CellRuns, most: int, best: bool = True, solved: bool = False, kept: bool = False
    ) -> list[tuple[Level, dict[str, Any]]]:
        """Returns levels of a cell with what is known of each; the best ones, or those of its first runs."""
        query = LEVELS + (" AND runs.solved" if solved else "") + ("" if kept else " AND levels.place = 0")
        query += " ORDER BY levels.score DESC, runs.number" if best else " ORDER BY runs.number"
        rows = self._all(f"{query}, levels.place LIMIT ?", [cell.id, most])
        return [self._level(cell, row) for row in rows]

    def _level(self, cell: CellRuns, row: Sequence[Any]) -> tuple[Level, dict[str, Any]]:
        from levelsmith.levels.formats.text import parse

        text, solution, metrics, score, found, seed, number, seconds, history, turn = row
        times = [step[1] for step in json.loads(history) if step[2] >= score - 1e-12]
        known = {
            "score": score,
            "metrics": json.loads(metrics),
            "seed": seed,
            "number": number,
            "evaluations": found,  # None where nobody noted it
            "seconds": times[0] if times else seconds,
            "turn": json.loads(turn),
        }
        return replace(parse(text, cell.game), solution=solution), known

    def digest(self) -> str:
        """Returns a SHA-256 of what the runs gave: of all but what a clock decides.

        Tables of rows that have no levels tell the one of the file that they were written from.
        """
        if "digest" in self.meta:
            return self.meta["digest"]
        found = hashlib.sha256()
        for cell in self.cells:
            if "seconds" not in cell.setting:
                found.update(json.dumps([cell.part, cell.name, cell.setting], sort_keys=True).encode())
                with plain_errors(str(self.path)):
                    for row in self.reader.connection.execute(GIVEN, [cell.id]):
                        found.update(json.dumps(row, default=str).encode())
        return found.hexdigest()

    def stops(self) -> dict[str, int]:
        names, counts = np.unique(self.stopped, return_counts=True)
        return dict(zip(names.tolist(), counts.tolist(), strict=True))


def _column(values: Sequence[Any]) -> Numbers:
    """Returns numbers, nan for those that are missing; text that looks like a number is none."""
    if not {type(value) for value in values} <= {int, float, NoneType}:
        raise ValueError("expected numbers")
    column = np.array(values, np.float64)
    if np.nanmax(np.abs(column), initial=0.0) > LARGEST:
        raise ValueError("expected numbers that can be reckoned with")
    return column


def _whole(values: Sequence[Any]) -> NDArray[np.int64]:
    column = np.array(values)
    if column.dtype.kind != "i" or column.min() < 0:
        raise ValueError("expected whole numbers")
    return column
