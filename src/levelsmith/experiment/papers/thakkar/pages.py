"""Pages on Thakkar et al., Autoencoder and Evolutionary Algorithm for Level Generation in Lode Runner."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.experiment.figures import Figure, colours_of
from levelsmith.experiment.page import Item, Section, Table
from levelsmith.experiment.panels import bars
from levelsmith.experiment.papers.captions import Captions, Front
from levelsmith.experiment.papers.thakkar import pictures
from levelsmith.experiment.papers.thakkar.measured import (
    AFTER,
    BEFORE,
    COMPARED,
    COUNTED,
    STATISTICS,
    Group,
    groups,
)
from levelsmith.experiment.papers.thakkar.statements import PAPER, THRESHOLDS
from levelsmith.experiment.results import Results
from levelsmith.experiment.statistics import Estimate, mean, spread
from levelsmith.learn.trained import DATA, FOLDER
from levelsmith.levels.files import load

SHOWN = 4  # levels of each autoencoder in a gallery
SAMPLE = 13  # the level of the corpus in figures 1, 2 and 5
MAIN = "a tenth of the children mutated, samples alone in the pool, steps as far as the rate"
USUAL = {name: each.value for name, each in THRESHOLDS.items()}
CAPTIONS = Captions(__package__)
MEASURES = list(CAPTIONS.columns("readings"))[1:]


def sections(results: Results) -> list[Section]:
    found = groups(results)
    return [
        Section("What the paper leaves open", [CAPTIONS.text("unread")]),
        Section("Similarity to the levels learned from", _similarity(found)),
        Section("Evolution", [*_evolution(found), *_levels(results, found)]),
        Section("Models", _models(results, found)),
        Section("How a level is told and played", _told(found)),
    ]


def front(results: Results) -> Front:
    return CAPTIONS.front()


def _name(each: Group) -> str:
    return f"{each.kind}, {each.reading}" if each.reading else each.kind


# -------------------------------------------------------------------------------------------------- table III


def _similarity(found: list[Group]) -> list[Item]:
    known = [each for each in found if not np.isnan(each.columns["similarity"]).all()]
    if not known:
        folder = FOLDER.format(game=found[0].cell.game)
        paper = CAPTIONS.text("table-3", "paper")
        return [f"{paper} These runs cannot be compared: `LEVELSMITH_DATA` names no folder with `{folder}`."]
    evolved = [each for each in known if each.cell.part != BEFORE]
    raw = [each for each in known if each.cell.part == BEFORE]
    return [
        _table("table-3", evolved),
        _figure([each for each in evolved if not each.reading]),
        _table("table-3-raw", raw),
    ]


def _table(name: str, cells: list[Group]) -> Table:
    rows = []
    for each in cells:
        first = "as drawn" if each.cell.part == BEFORE else MAIN
        row: list[Any] = [each.kind, each.reading or first, each.cell.runs]
        for measure, told in zip(COUNTED, PAPER.get(each.kind, (np.nan,) * 3), strict=True):
            values = each.columns[measure] * (1 if measure == "similarity" else COMPARED)
            row += [mean(values), told, mean(values - told)]
        counts = [mean(COMPARED * each.columns[f"Jaccard above {share}"]) for share in ("30%", "50%")]
        rows.append([*row, mean(each.columns["Jaccard"]), *counts])
    return CAPTIONS.table(name, rows)


def _figure(cells: list[Group]) -> Figure:
    colours = colours_of(["here", "in the paper"])
    panels = []
    for i, measure in enumerate(COUNTED):
        groups = []
        for each in cells:
            told = PAPER.get(each.kind, (np.nan,) * 3)[i] / (1 if i == 0 else COMPARED)
            pairs = [("here", mean(each.columns[measure])), ("in the paper", Estimate(told, told, told))]
            groups.append((each.kind, [("", value.times(100), colours[who], 1.0) for who, value in pairs]))
        panels.append(bars(measure, groups, "%"))
    return CAPTIONS.figure("table-3-figure", panels, stem="table-3", legend=colours)


# -------------------------------------------------------------------------------------------------- evolution


def _evolution(found: list[Group]) -> list[Item]:
    bred = [each for each in found if each.cell.part != BEFORE]
    rows = [[_name(e), *(float(e.columns[n].mean()) for n in ("evaluations", *STATISTICS))] for e in bred]
    return [CAPTIONS.table("evolution", rows), *_before_and_after(found)]


def _before_and_after(found: list[Group]) -> list[Item]:
    """Returns measures of levels before and after evolution, and how far they went, of the same models."""
    raw = {each.kind: each for each in found if each.cell.part == BEFORE and not each.reading}
    rows = [
        [each.kind, name, mean(first), mean(last), (spread(last) - spread(first)).estimate()]
        for each in found
        if each.cell.part == AFTER and each.kind in raw
        for name in MEASURES
        for first, last in [(raw[each.kind].columns[name], each.columns[name])]
    ]
    tables: list[Item] = [_changed(found), CAPTIONS.table("before-and-after", rows)]
    others = [
        [_name(e), *(mean(e.columns[n]) for n in MEASURES)]
        for e in found
        if e.reading and e.cell.part != BEFORE
    ]
    return [*tables, CAPTIONS.table("readings", others)] if others else tables


def _changed(found: list[Group]) -> Figure:
    """Returns what figures 6 and 7 show as levels: what is drawn, and what evolution makes of it."""
    colours = colours_of([BEFORE, AFTER])
    main = [each for each in found if each.cell.part in colours and not each.reading]
    panels = []
    for name in ("playable", "connectivity", "density"):
        groups = [
            (kind, [("", mean(e.columns[name]), colours[e.cell.part], 1.0) for e in main if e.kind == kind])
            for kind in dict.fromkeys(each.kind for each in main)
        ]
        panels.append(bars(name, groups, "%", percent=True))
    return CAPTIONS.figure("changed", panels, legend=colours)


def _levels(results: Results, found: list[Group]) -> list[Item]:
    models = json.loads(results.meta.get("models", "{}")).values()
    ours = all(each["data"] == "corpus" for each in models)
    items: list[Item] = []
    for part, name in ((BEFORE, "figure-6"), (AFTER, "figure-7")):
        shown = [
            pair for each in found if each.cell.part == part and not each.reading for pair in _chosen(each)
        ]
        if shown or not ours:  # rows have no levels, and no page may show them
            items.append(CAPTIONS.gallery(name, shown, ours=ours))
    return items


def _chosen(each: Group) -> list[tuple[Level, str]]:
    """Returns some levels, drawn by lot from as many trainings as there are."""
    rng = np.random.default_rng(0)
    found = []
    for i in range(SHOWN if each.levels else 0):
        run = each.levels[i % len(each.levels)]
        level, known = run[int(rng.integers(len(run)))]
        metrics = known["metrics"]
        played = "playable" if metrics.get("playable") else "not playable"
        found.append((level, f"{_name(each)}: {metrics.get('gold', 0)} gold, {played}"))
    return found


# ----------------------------------------------------------------------------------------------------- models


def _models(results: Results, found: list[Group]) -> list[Item]:
    told = json.loads(results.meta.get("models", "{}"))
    rows = [
        [
            {"vae": "variational", "ae": "vanilla"}[each["model"]],
            each["bound"],
            each["seed"],
            DATA[each["data"]],
            *(each[name] for name in ("learned", "latent", "rate")),
            each.get("pace", "scaled"),
            *(each[name] for name in ("epochs", "batch", "nats", "code_nats")),
        ]
        for each in told.values()
    ]
    if not rows:
        paper = CAPTIONS.text("models", "paper")
        return [f"{paper} This file does not say how its models were trained."]
    data = {each["data"] for each in told.values()}
    levels = " and ".join(DATA[name] for name in sorted(data))
    which = CAPTIONS.text("models", "which") if data == {"corpus"} else ""
    hidden = next(iter(told.values()))["hidden"]
    lead = CAPTIONS.text("models", levels=levels, which=which, hidden=hidden)
    return [lead, replace(CAPTIONS.table("models", rows), folded=len(rows) > 12)]


def _told(found: list[Group]) -> list[Item]:
    try:
        level = load(f"{found[0].cell.game}:corpus", game=found[0].cell.game)[SAMPLE - 1]
    except LevelsmithError:
        return []
    return list(pictures.figures(CAPTIONS, level))
