"""What the runs on Thakkar et al. gave: columns with a number for each run, and each run is a training."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import Numbers
from levelsmith.learn import trained
from levelsmith.levels.compare import compare, kind_of, likeness
from levelsmith.registry import games

BEFORE, AFTER, READINGS = "before evolution", "after evolution", "readings"  # parts
VARIATIONAL, VANILLA = KINDS = ("variational", "vanilla")  # autoencoders
COMPARED = 330  # levels, as in table III
MOST = 100_000  # levels of a cell
SHARES = (0.3, 0.5)
ABOVE = tuple(f" above {share:.0%}" for share in SHARES)
OF_LEVELS = "levels: "  # how statistics begin that were measured of them
MEASURES = (
    *("levels", "playable", "connectivity", "connectivity of the playable", "moves", "edges", "apart"),
    *("apart, learned from", "density", "gold", "enemies"),
    *(f"{name}{ending}" for name in ("similarity", "Jaccard") for ending in ("", *ABOVE)),
)
STATISTICS = ("samples", "generations", "children", "crossed", "mutated", "accepted", "duplicates")


class Group(NamedTuple):
    """The runs of one autoencoder under one reading."""

    cell: CellRuns
    kind: str  # of KINDS
    reading: str  # empty for that of the main part
    columns: dict[str, Numbers]  # by measure: one number a run
    levels: list[list[tuple[Level, dict[str, Any]]]]  # of each run, with what is known of them; may be empty


@lru_cache(maxsize=4)
def groups(results: Results) -> list[Group]:
    """Returns the cells that have runs, measured."""
    return [_group(results, cell) for cell in results.of(BEFORE, AFTER, READINGS)]


def group(results: Results, part: str, kind: str) -> Group | None:
    """Returns the runs of an autoencoder in a part, in its first reading."""
    found = (
        each for each in groups(results) if (each.cell.part, each.kind, each.reading) == (part, kind, "")
    )
    return next(found, None)


def column(results: Results, part: str, kind: str, name: str) -> Numbers:
    """Returns a measure of each run; empty where there are no such runs."""
    found = group(results, part, kind)
    return np.zeros(0) if found is None else found.columns[name]


def _group(results: Results, cell: CellRuns) -> Group:
    kind, _, reading = cell.name.partition(", ")
    kind = kind if kind in KINDS else cell.name
    here = results.numbers[cell.start : cell.end]
    counted = {name: results.values(cell, name)[here] for name in ("evaluations", *STATISTICS)}
    rows = results.levels(cell, MOST, best=False, kept=True)
    runs = [list(each) for _, each in groupby(rows, key=lambda row: row[1]["number"])]
    models = [str(each[0][1]["turn"].get("latent.model", "")) for each in runs]
    measured = [
        _measured(cell.game, [row[0] for row in each], each, name)
        for each, name in zip(runs, models, strict=True)
    ]
    columns = {name: np.array([each[name] for each in measured]) for name in MEASURES}
    if not rows:  # of a table of rows, which has what was measured of them
        columns = {name: results.values(cell, OF_LEVELS + name)[here] for name in MEASURES}
    return Group(cell, kind, reading, columns | counted, runs)


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


def _measured(game: str, levels: list[Level], rows: Any, model: str) -> dict[str, float]:
    """Returns the measures of the levels of one run."""
    metrics = [known["metrics"] for _, known in rows]
    playable = np.array([each.get("playable", np.nan) for each in metrics], np.float64)
    reached = np.array([each.get("connectivity", np.nan) for each in metrics], np.float64)
    moves = [each["moves"] for each in metrics if each.get("moves")]
    found = {
        "levels": float(len(levels)),
        "playable": float(playable.mean()),
        "connectivity": float(reached.mean()),
        "connectivity of the playable": float(reached[playable > 0].mean())
        if (playable > 0).any()
        else np.nan,
        "moves": float(np.mean(moves)) if moves else np.nan,
        "edges": _edges(game, levels),
        "apart": float(compare(levels)["hamming"]) if len(levels) > 1 else np.nan,
    }
    found |= {
        name: float(np.mean([each.get(name, np.nan) for each in metrics]))
        for name in ("density", "gold", "enemies")
    }
    reference = learned_from(game, model)
    found["apart, learned from"] = _apart(reference)
    blank = np.full(len(levels), np.nan)
    same, jaccard = likeness(levels, list(reference)) if reference else (blank, blank)
    for name, values in (("similarity", same), ("Jaccard", jaccard)):
        found[name] = float(values.mean())
        for share, ending in zip(SHARES, ABOVE, strict=True):
            found[f"{name}{ending}"] = float((values > share).mean()) if reference else np.nan
    return found


@lru_cache(maxsize=4)
def _apart(levels: tuple[Level, ...]) -> float:
    """Returns how far two of the levels differ, the mean of all pairs."""
    return float(compare(levels)["hamming"]) if len(levels) > 1 else np.nan


def _edges(game: str, levels: list[Level]) -> float:
    """Returns the share of neighbouring cells that hold different tiles."""
    grids = kind_of(games.get(game))[np.stack([level.grid for level in levels])]
    across, down = grids[:, :, 1:] != grids[:, :, :-1], grids[:, 1:] != grids[:, :-1]
    return float((across.sum() + down.sum()) / (across.size + down.size))


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
