"""What the runs on Thakkar et al. gave: columns with a number for each run, and each run is a training."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import Numbers
from levelsmith.learn import trained
from levelsmith.levels.compare import compare, hamming, kind_of, likeness, windows
from levelsmith.registry import games

PARTS = BEFORE, AFTER, READINGS, WITHOUT = "before evolution", "after evolution", "readings", "without"
VARIATIONAL, VANILLA = KINDS = ("variational", "vanilla")  # autoencoders
COMPARED = 330  # levels, as in table III
COUNTED = ("similarity", "similarity above 30%", "similarity above 50%")  # of it
MOST = 100_000  # levels of a cell
SHARES = (0.3, 0.5)
ABOVE = tuple(f" above {share:.0%}" for share in SHARES)
OF_LEVELS = "levels: "  # how statistics begin that were measured of them
MEASURES = (
    *(
        "levels",
        "playable",
        "connectivity",
        "connectivity of the playable",
        "moves",
        "moves a piece",
        "edges",
    ),
    *("apart", "apart, learned from", "familiar", "density", "gold", "enemies"),
    *(f"{name}{ending}" for name in ("similarity", "Jaccard") for ending in ("", *ABOVE)),
)
MAIN: Mapping[str, str] = MappingProxyType({})  # each measure as it is named
WINDOW = 3  # cells along each side of what a level may have from the levels learned from
STATISTICS = ("samples", "generations", "children", "crossed", "mutated", "accepted", "duplicates")


class Group(NamedTuple):
    """The runs of one autoencoder under one reading."""

    cell: CellRuns
    kind: str  # of KINDS
    reading: str  # empty for that of the main part
    columns: dict[str, Numbers]  # by measure: one number a run
    levels: list[list[tuple[Level, dict[str, Any]]]]  # of each run that is shown, with what is known of them


@lru_cache(maxsize=4)
def groups(results: Results) -> list[Group]:
    """Returns the cells that have runs, measured."""
    return [_group(results, cell) for cell in results.of(*PARTS)]


class Read:
    """The runs under one reading of what the paper leaves open.

    Args:
        results: the file.
        reading: how cells are named that stand in the place of the main ones.
        instead: measures that stand in the place of others.
    """

    def __init__(self, results: Results, reading: str = "", instead: Mapping[str, str] = MAIN):
        self.reading, self.instead = reading, instead
        self.groups = {(each.cell.part, each.kind, each.reading): each for each in groups(results)}

    def group(self, part: str, kind: str) -> Group | None:
        """Returns the runs of an autoencoder before or after evolution."""
        other = self.groups.get((READINGS if part == AFTER else part, kind, self.reading))
        return other or self.groups.get((part, kind, ""))

    def column(self, part: str, kind: str, name: str) -> Numbers:
        """Returns a measure of each run; empty where there are no such runs."""
        found = self.group(part, kind)
        return np.zeros(0) if found is None else found.columns[self.instead.get(name, name)]

    def without(self, what: str, kind: str, name: str) -> tuple[Numbers, Numbers]:
        """Returns a measure of the method as it is, and of it without a part of it."""
        both = [self.groups.get(key) for key in ((AFTER, kind, ""), (WITHOUT, kind, what))]
        first, second = (np.zeros(0) if each is None else each.columns[name] for each in both)
        return first, second


def _group(results: Results, cell: CellRuns) -> Group:
    kind, _, reading = cell.name.partition(", ")
    kind = kind if kind in KINDS else cell.name
    here = results.numbers[cell.start : cell.end]
    counted = {name: results.values(cell, name)[here] for name in ("evaluations", *STATISTICS)}
    rows = results.levels(cell, MOST, best=False, kept=True)
    runs = [list(each) for _, each in groupby(rows, key=lambda row: row[1]["number"])]
    models = [str(each[0][1]["turn"].get("latent.model", "")) for each in runs]
    measured = [_measured(cell.game, each, name) for each, name in zip(runs, models, strict=True)]
    columns = {name: np.array([each[name] for each in measured]) for name in MEASURES}
    if not rows:  # of a table of rows, which has what was measured of them
        columns = {name: results.values(cell, OF_LEVELS + name)[here] for name in MEASURES}
    return Group(cell, kind, reading, columns | counted, [] if reading else runs)


def of_levels(results: Results) -> dict[int, list[dict[str, float]]]:
    """Returns what a table of rows tells of the levels of each run, by the number of its cell."""
    told, data = {}, {each["data"] for each in json.loads(results.meta.get("models", "{}")).values()}
    for each in groups(results):
        if np.isnan(each.columns["similarity"]).any() and "originals" in data:
            raise LevelsmithError(
                "expected the levels that its models learned from, which rows are compared with, in "
                f"LEVELSMITH_DATA as {trained.FOLDER.format(game=each.cell.game)}; got none or others there"
            )
        values = zip(*(each.columns[name].tolist() for name in MEASURES), strict=True)
        named = [zip(MEASURES, row, strict=True) for row in values]
        told[each.cell.id] = [{OF_LEVELS + n: v for n, v in row if not np.isnan(v)} for row in named]
    return told


def _measured(game: str, rows: list[tuple[Level, dict[str, Any]]], model: str) -> dict[str, float]:
    """Returns the measures of the levels of one run."""
    levels = [level for level, _ in rows]
    grids = kind_of(games.get(game))[np.stack([level.grid for level in levels])]
    metrics = [known["metrics"] for _, known in rows]
    playable = np.array([each.get("playable", np.nan) for each in metrics], np.float64)
    reached = np.array([each.get("connectivity", np.nan) for each in metrics], np.float64)
    played = [each for each in metrics if each.get("moves")]
    moves, pieces = (float(np.sum([each.get(name, np.nan) for each in played])) for name in ("moves", "gold"))
    found = {
        "levels": float(len(levels)),
        "playable": float(playable.mean()),
        "connectivity": float(reached.mean()),
        "connectivity of the playable": float(reached[playable > 0].mean())
        if (playable > 0).any()
        else np.nan,
        "moves": moves / len(played) if played else np.nan,
        "moves a piece": moves / pieces if pieces else np.nan,
        "edges": _edges(grids),
        "apart": hamming(grids) if len(levels) > 1 else np.nan,
    }
    found |= {
        name: float(np.mean([each.get(name, np.nan) for each in metrics]))
        for name in ("density", "gold", "enemies")
    }
    reference = learned_from(game, model)
    found["apart, learned from"] = _apart(reference)
    blank = np.full(len(levels), np.nan)
    same, jaccard = likeness(levels, list(reference)) if reference else (blank, blank)
    known = _windows_of(reference) if reference else blank
    found["familiar"] = float(np.isin(windows(grids, WINDOW), known).mean()) if reference else np.nan
    for name, values in (("similarity", same), ("Jaccard", jaccard)):
        found[name] = float(values.mean())
        for share, ending in zip(SHARES, ABOVE, strict=True):
            found[f"{name}{ending}"] = float((values > share).mean()) if reference else np.nan
    return found


@lru_cache(maxsize=4)
def _apart(levels: tuple[Level, ...]) -> float:
    """Returns how far two of the levels differ, the mean of all pairs."""
    return float(compare(levels)["hamming"]) if len(levels) > 1 else np.nan


def _edges(grids: Grid) -> float:
    """Returns the share of neighbouring cells that hold different tiles."""
    across, down = grids[:, :, 1:] != grids[:, :, :-1], grids[:, 1:] != grids[:, :-1]
    return float((across.sum() + down.sum()) / (across.size + down.size))


@lru_cache(maxsize=4)
def _windows_of(levels: tuple[Level, ...]) -> NDArray[np.int64]:
    """Returns what the windows of levels and of their mirror images show, each once."""
    grids = kind_of(games.get(levels[0].game))[np.stack([level.grid for level in levels])]
    return np.unique(windows(np.concatenate([grids, grids[:, :, ::-1]]), WINDOW))


@lru_cache(maxsize=4)
def _reference(game: str, data: str, digest: str) -> tuple[Level, ...]:
    try:
        return tuple(trained.levels_of(game, data)) if trained.digest_of(game, data) == digest else ()
    except LevelsmithError:
        return ()


def learned_from(game: str, model: str) -> tuple[Level, ...]:
    """Returns the levels that a model learned from; none where they are not at hand."""
    if not trained.is_name(model):
        return ()
    recipe = trained.parse(model)
    return _reference(game, recipe.data, recipe.digest)
