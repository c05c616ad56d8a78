"""What an experiment consists of: the cells that its parts make, each a task that is run many times."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from math import lcm, prod
from numbers import Integral
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np

from levelsmith import presets
from levelsmith.errors import LevelsmithError, listed, quoted, unknown
from levelsmith.making.plan import plan
from levelsmith.making.task import Task
from levelsmith.numbers import parse_size, whole_number
from levelsmith.registry import games
from levelsmith.request import (
    CELL,
    EXPERIMENT,
    SWEPT,
    Keywords,
    Request,
    fields_of,
    spelled,
    spelled_range,
)

BUDGET = ("evaluations", "seconds")  # who names one of them replaces both
MOST_RUNS = 10_000_000
MOST_CELLS = 10_000  # of a part
MOST_TURNS = 10_000


class Run(NamedTuple):
    """One run: which cell, and its number there. Runs of the same number have the same seed."""

    cell: int
    number: int


@dataclass(frozen=True)
class Cell:
    """One setting of an experiment, run again and again."""

    part: str
    name: str  # what sets it apart in its part
    varied: Mapping[str, Any]  # the same as values
    tasks: tuple[Task, ...]  # one for each turn
    turns: tuple[Mapping[str, Any], ...]  # what run 0, 1, 2, … gets, from the start again after the last
    setting: str  # JSON: everything that decides about a result, but for turn, seed and number
    runs: int
    timed: bool = False  # whether runs of the same number are done in one process, one after the other

    @property
    def kin(self) -> tuple[object, ...]:
        """The same for cells that need the same compiled functions."""
        task = self.tasks[0]
        return task.game, task.size, task.search, task.representation

    def task(self, number: int) -> Task:
        return replace(self.tasks[number % len(self.tasks)], run=number)

    def turn(self, number: int) -> str:
        return compact(self.turns[number % len(self.turns)])

    def id(self, number: int) -> str:
        told = compact([self.part, self.name, self.setting, self.turn(number), self.tasks[0].seed, number])
        return hashlib.sha256(told.encode()).hexdigest()[:20]


@dataclass(frozen=True)
class Spec:
    """A whole experiment, checked."""

    name: str
    title: str
    pages: str
    seed: int
    quick: bool
    metrics: tuple[str, ...]  # of each level; empty for all that the game has
    cells: tuple[Cell, ...]
    command: str  # that does its runs; empty where neither a preset nor a file has it

    @property
    def text(self) -> str:
        """JSON of all that decides about the results; how many runs there are does not."""
        cells = [
            {name: getattr(cell, name) for name in ("part", "name", "turns", "varied")}
            | {"setting": json.loads(cell.setting)}
            for cell in self.cells
        ]
        told = {name: getattr(self, name) for name in ("title", "pages", "seed", "metrics")}
        return compact({**told, "cells": cells})

    def chosen(self, only: Sequence[str]) -> list[int]:
        """Returns the cells of the parts, searches or cells (as PART/CELL) that are named; all where none
        is."""
        pairs = [(cell.part, cell.tasks[0].search) for cell in self.cells]
        names = [
            {part, search, f"{part}/{search}", f"{part}/{cell.name}"}
            for (part, search), cell in zip(pairs, self.cells, strict=True)
        ]
        for word in only:
            if not any(word in each for each in names):
                known = dict.fromkeys(name for several in zip(*pairs, strict=True) for name in several)
                raise unknown(f"part or search of {self.name}", word, known)
        return [i for i, each in enumerate(names) if not only or each & set(only)]


def compact(item: Any) -> str:
    return json.dumps(item, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def read(
    source: str | Path | Mapping[str, Any],
    *,
    name: str = "experiment",
    runs: int | None = None,
    quick: bool = False,
    **asked: Unpack[Keywords],
) -> Spec:
    """Returns an experiment by the name of its preset, from a file that ends in `.toml`, or from its tables.

    >>> from levelsmith import experiment
    >>> spec = experiment.read(
    ...     {
    ...         "orchard": {"size": (6, 6)},
    ...         "experiment": {"runs": 5, "part": [{"name": "searches", "search": ["random", "hc"]}]},
    ...     }
    ... )
    >>> [cell.name for cell in spec.cells]
    ['random', 'hc']

    Args:
        source: a name, a path, or the tables that such a file has, as a dictionary: there sizes may be pairs
            and ranges pairs too.
        name: of an experiment that is given by its tables.
        runs: of each cell.
        quick: whether the short form is wanted.
        asked: evaluations, the budget of a run; seconds, a time limit of a run; seed, of the runs.

    What is given here replaces what `[experiment]` says; what a part says for itself stays.
    """
    if isinstance(source, Mapping):
        preset = presets.made_of(name, _in_words(source))
    else:
        name = str(source)
        preset = presets.load(name)
    table = preset.experiment
    if table is None:
        able = [each for each in presets.names() if presets.load(each).experiment is not None]
        raise LevelsmithError(
            f"the preset {quoted(name)} has no table [experiment]; expected one of: {listed(able)}"
        )
    given: dict[str, Any] = {key: value for key, value in asked.items() if value is not None}
    Request("", **given).at(EXPERIMENT)
    if runs is not None:
        given["runs"] = whole_number(runs, "a number", 0, " of runs")
    own = ("runs", *fields_of(EXPERIMENT))
    ground = _over({"runs": 1}, {key: table[key] for key in own if key in table})
    ground = _over(ground, table.get("quick", {}) if quick else {})
    ground = _over(ground, given)
    metrics = tuple(table.get("metrics", ()))
    cells: list[Cell] = []
    for part in table["part"]:
        settings = _over(_over(ground, part), part.get("quick", {}) if quick else {})
        if settings["runs"] and part["name"] in {cell.part for cell in cells}:
            raise LevelsmithError(f"{name}: expected each part once, got {quoted(part['name'])} twice")
        cells += _cells(preset, settings) if settings["runs"] else []
    for game in dict.fromkeys(cell.tasks[0].game for cell in cells):
        for metric in metrics:
            if metric not in games.get(game).metrics:
                raise unknown(f"metric of {game}", metric, games.get(game).metrics)
    if not cells:
        raise LevelsmithError(f"{name}: expected at least one part with runs, got none")
    return Spec(
        name=Path(name).stem if name.endswith(".toml") else name,
        title=table.get("title", preset.summary),
        pages=table.get("pages", ""),
        seed=cells[0].tasks[0].seed,
        quick=quick,
        metrics=metrics,
        cells=tuple(cells),
        command="" if isinstance(source, Mapping) else _command(name, quick, given),
    )


def _command(name: str, quick: bool, given: Mapping[str, Any]) -> str:
    own = (word for key, value in given.items() for word in (f"--{key.replace('_', '-')}", spelled(value)))
    words = ["levelsmith", "experiment", "run", name, *["--quick"] * quick, *own]
    return shlex.join([*words, "-o", f"{Path(name).stem}.db"])


def _in_words(value: Any, key: str = "") -> Any:
    """Returns tables as a TOML file would have them: sizes, ranges and numbers that a program has are
    spelled."""
    if isinstance(value, Mapping):
        if key == "want":
            return {str(metric): spelled_range(each) for metric, each in value.items()}
        return {str(name): _in_words(each, str(name)) for name, each in value.items()}
    if key == "size" and not isinstance(value, str):
        several = isinstance(value, list) and not all(isinstance(each, Integral) for each in value)
        return [_in_words(each, key) for each in value] if several else spelled(parse_size(value))
    if isinstance(value, list | tuple):
        return [_in_words(each, key if key == "part" else "") for each in value]
    return value.item() if isinstance(value, np.generic) else value


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Returns settings with others on top; a budget of one kind takes the place of the other."""
    budgeted = any(key in above for key in BUDGET)
    return {key: below[key] for key in below if not (budgeted and key in BUDGET)} | dict(above)


def _cells(preset: presets.Preset, part: Mapping[str, Any]) -> Iterator[Cell]:
    """Yields every combination of what a part lists."""
    if not 1 <= part["runs"] <= MOST_RUNS:
        raise LevelsmithError(f"expected from 1 to {MOST_RUNS:,} runs, got {part['runs']:,}")
    seen: set[str] = set()
    for row, values in (part.get("rows") or {"": {}}).items():
        own = {key: value for key, value in values.items() if "." not in key}
        fixed = {key: value for key, value in values.items() if "." in key}
        merged = {**_over(part, own), "set": {**part.get("set", {}), **own.get("set", {}), **fixed}}
        swept = {key: _many(merged[key]) for key in fields_of(SWEPT) if key in merged}
        swept |= {f"set {key}": _many(value) for key, value in merged["set"].items()}
        combinations = prod(map(len, swept.values()))
        if len(seen) + combinations > MOST_CELLS:
            raise LevelsmithError(
                f"{preset.name}, {part['name']}: expected at most {MOST_CELLS:,} cells in a part, got more"
            )
        for combination in product(*swept.values()):
            asked = dict(zip(swept, combination, strict=True))
            varied = {key.removeprefix("set "): asked[key] for key in swept if len(swept[key]) > 1}
            name = " ".join([row] * bool(row) + [_word(key, value) for key, value in varied.items()])
            cell = _cell(preset, merged, asked, name, {**({"row": row} if row else {}), **varied})
            if cell.name in seen:
                raise LevelsmithError(
                    f"{preset.name}, {part['name']}: two cells are called {quoted(cell.name)}"
                )
            seen.add(cell.name)
            yield cell


def _cell(
    preset: presets.Preset,
    part: Mapping[str, Any],
    asked: Mapping[str, Any],
    name: str,
    varied: Mapping[str, Any],
) -> Cell:
    chosen = {key: value for key, value in asked.items() if not key.startswith("set ")}
    values = {key.removeprefix("set "): value for key, value in asked.items() if key.startswith("set ")}
    fixed = fields_of(CELL).keys() - fields_of(SWEPT).keys() - {"set"}
    chosen |= {key: part[key] for key in fixed if key in part}
    try:
        game = part.get("game", next(iter(preset.games)))
        turns = tuple(_named(turn, game) for turn in _turns(part.get("turns", {})))
        values = _named(values, game)
        tasks = tuple(
            plan(Request(game, preset=preset, set={**values, **turn}, seed=part.get("seed", 0), **chosen))
            for turn in turns
        )
    except LevelsmithError as error:
        raise LevelsmithError(
            f"{preset.name}, {part['name']}{name and ', ' + name}: {error.marked}"
        ) from None
    setting = _setting(tasks[0], turns[0])
    timed = part.get("timed", False)
    return Cell(part["name"], name or tasks[0].search, varied, tasks, turns, setting, part["runs"], timed)


def _named(values: Mapping[str, Any], game: str) -> dict[str, Any]:
    """Returns values of parameters; names of models that are trained say what they learn from."""
    from levelsmith.learn import trained

    return {
        key: trained.full_name(game, value) if trained.is_name(value) else value
        for key, value in values.items()
    }


def _setting(task: Task, turn: Mapping[str, Any]) -> str:
    told = dict(task.provenance())
    for name in ("levelsmith", "seed", "run"):
        told.pop(name, None)
    told["parameters"] = {
        owner: {key: value for key, value in values.items() if not {key, f"{owner}.{key}"} & turn.keys()}
        for owner, values in told["parameters"].items()
    }
    budget = asdict(task.budget)
    budget["until"] = budget.pop("score")
    told |= {key: value for key, value in budget.items() if value is not None}
    if task.keep_above is not None:
        told |= {"keep_above": task.keep_above, "keep_most": task.keep_most}
    if task.keep_gains:
        told["keep_gains"] = True
    return compact(told)


def _turns(table: Mapping[str, Sequence[Any]]) -> tuple[dict[str, Any], ...]:
    from levelsmith.learn import trained

    table = {
        key: [name for each in values for name in trained.each_of(each)] for key, values in table.items()
    }
    count = lcm(*(len(values) for values in table.values()))
    if count > MOST_TURNS:
        raise LevelsmithError(
            f"expected turns that come round after at most {MOST_TURNS:,} runs, got {count:,}; "
            "give them lists of the same length"
        )
    return tuple({key: values[i % len(values)] for key, values in table.items()} for i in range(count))


def _many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _word(key: str, value: Any) -> str:
    """Returns a value in the name of a cell."""
    if isinstance(value, list):
        return "+".join(map(str, value))
    text = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    return f"{key}={text}" if "." in key else text
