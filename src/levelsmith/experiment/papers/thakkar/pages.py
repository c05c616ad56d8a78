"""Pages on Thakkar et al., Autoencoder and Evolutionary Algorithm for Level Generation in Lode Runner."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.experiment import general
from levelsmith.experiment.figures import Figure, colours_of
from levelsmith.experiment.page import Gallery, Item, Section, Table
from levelsmith.experiment.panels import bars
from levelsmith.experiment.papers.thakkar import pictures
from levelsmith.experiment.papers.thakkar.measured import (
    AFTER,
    BEFORE,
    COMPARED,
    READINGS,
    STATISTICS,
    Group,
    groups,
)
from levelsmith.experiment.papers.thakkar.statements import COUNTED, PAPER
from levelsmith.experiment.results import Results
from levelsmith.experiment.statistics import Estimate, mean, spread
from levelsmith.learn.trained import DATA, FOLDER
from levelsmith.levels.files import load

SHOWN = 4  # levels of each autoencoder in a gallery
SAMPLE = 13  # the level of the corpus in figures 1, 2 and 5
MAIN = "a tenth of the children mutated, samples alone in the pool"
UNREAD = (
    "The paper leaves open what bounds the codes of the vanilla autoencoder, whether a tenth of the "
    "children or a tenth of the numbers of every child is mutated, and whether the originals are in the "
    "pool. Each row changes one of these. `sigmoid`: codes from 0 to 1, in place of tanh, from -1 to 1. "
    "`every child mutated`: each child goes through its code, each number of which is drawn anew with a "
    "chance of 0.1. `originals in the pool`: the levels learned from and their mirror images are the first "
    "300 of the 10,000 samples."
)


def sections(results: Results) -> list[Section]:
    found = groups(results)
    return [
        Section("Similarity to the levels learned from", _similarity(found)),
        Section("Evolution", [*_evolution(found), *_levels(results, found)]),
        Section("Models", _models(results, found)),
        Section("How a level is told and played", _told(found)),
    ]


def _name(each: Group) -> str:
    return f"{each.kind}, {each.reading}" if each.reading else each.kind


# -------------------------------------------------------------------------------------------------- table III


def _similarity(found: list[Group]) -> list[Item]:
    said = (
        "Table III: of 330 levels each, 25.36 % mean similarity for the variational autoencoder (73 above "
        "30 %, 3 above 50 %), 27.05 % for the vanilla one (130 and 38)."
    )
    known = [each for each in found if not np.isnan(each.columns["similarity"]).all()]
    if not known:
        folder = FOLDER.format(game=found[0].cell.game)
        return [f"{said} These runs cannot be compared: `LEVELSMITH_DATA` names no folder with `{folder}`."]
    evolved = [each for each in known if each.cell.part != BEFORE]
    raw = [each for each in known if each.cell.part == BEFORE]
    note = (
        "Cells with the same tile, blank ones aside, over all cells; the nearest of the levels learned from "
        "and their mirror images. Counts are of 330 levels. Intervals are over trainings. Beside it "
        "Jaccard's measure, over cells that are not blank in both, for with the paper's a level that is "
        "half empty is never 50 % alike."
    )
    return [
        _table("table-3", "Table III: after evolution", evolved, said, note),
        UNREAD,
        _figure([each for each in evolved if not each.reading]),
        _table("table-3-raw", "The same before evolution", raw),
    ]


def _table(name: str, title: str, cells: list[Group], said: str = "", note: str = "") -> Table:
    columns = {"autoencoder": "text", "reading": "text", "trainings": "count"}
    for short in ("similarity", "> 30 %", "> 50 %"):
        kind = "share" if short == "similarity" else "number"
        columns |= {short: kind, f"{short} in the paper": kind, f"{short}: here less paper": kind}
    columns |= {"Jaccard": "share", "Jaccard > 30 %": "number", "Jaccard > 50 %": "number"}
    rows = []
    for each in cells:
        first = "as drawn" if each.cell.part == BEFORE else MAIN
        row: list[Any] = [each.kind, each.reading or first, each.cell.runs]
        for measure, told in zip(COUNTED, PAPER.get(each.kind, (np.nan,) * 3), strict=True):
            values = each.columns[measure] * (1 if measure == "similarity" else COMPARED)
            row += [mean(values), told, mean(values - told)]
        counts = [mean(COMPARED * each.columns[f"Jaccard above {share}"]) for share in ("30%", "50%")]
        rows.append([*row, mean(each.columns["Jaccard"]), *counts])
    return Table(name, title, columns, rows, said, note)


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
    return Figure("table-3", "Table III as a figure", panels, legend=colours)


# -------------------------------------------------------------------------------------------------- evolution


def _evolution(found: list[Group]) -> list[Item]:
    said = (
        "Ten populations of 32, crossover 0.78, mutation 0.1, 150 generations (table I), from a pool of "
        "10,000. Only playable levels are chosen to evolve; the more blocks are connected, the higher their "
        "fitness."
    )
    note = (
        "Means of the trainings. A generation is a child for each of the 320 places; the last children are "
        "those of the ten best, which meet for as many generations of ten. `accepted` are children that "
        "took a place, `duplicates` levels that repeat another."
    )
    bred = [each for each in found if each.cell.part != BEFORE]
    columns = {"autoencoder": "text", "evaluations": "count", **dict.fromkeys(STATISTICS, "count")}
    rows = [[_name(e), *(float(e.columns[n].mean()) for n in ("evaluations", *STATISTICS))] for e in bred]
    return [Table("evolution", "What evolution did", columns, rows, said, note), *_before_and_after(found)]


MEASURES = (
    *("playable", "connectivity", "connectivity of the playable", "density", "edges", "moves", "gold"),
    *("enemies", "apart"),
)


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
    note = (
        "`playable` and `connectivity` are shares of levels and of cells, `density` that of cells which "
        "hold something, `edges` that of neighbouring cells which hold different tiles, `apart` that of "
        "cells in which two levels of a run differ; `moves` is how long the agent's plans are."
    )
    columns = {"autoencoder": "text", "measure": "text"}
    columns |= dict.fromkeys(("before", "after", "change"), "number")
    tables: list[Item] = [Table("before-and-after", "Before and after evolution", columns, rows, note=note)]
    others = [[_name(e), *(mean(e.columns[n]) for n in MEASURES)] for e in found if e.cell.part == READINGS]
    if others:
        columns = {"autoencoder": "text"} | dict.fromkeys(MEASURES, "number")
        tables.append(Table("readings", "The other readings after evolution", columns, others))
    return tables


def _levels(results: Results, found: list[Group]) -> list[Item]:
    models = json.loads(results.meta.get("models", "{}")).values()
    ours = all(each["data"] == "corpus" for each in models)
    six = "Four levels of each autoencoder before evolution. Most are not playable until it is carried out."
    seven = (
        "Two of each after evolution: those of the vanilla autoencoder are sparse and easy for rookies, "
        "those of the variational one dense and hard."
    )
    items: list[Item] = []
    for part, title, said in (
        (BEFORE, "Figure 6: before evolution", six),
        (AFTER, "Figure 7: after evolution", seven),
    ):
        shown = [
            pair for each in found if each.cell.part == part and not each.reading for pair in _chosen(each)
        ]
        if shown:
            note = f"Drawn by lot. {general.proof(shown)}"
            items.append(Gallery(title, shown, said, note, side=230, ours=ours))
    return items


def _chosen(each: Group) -> list[tuple[Level, str]]:
    """Returns some levels, drawn by lot from as many trainings as there are."""
    rng = np.random.default_rng(0)
    found = []
    for i in range(SHOWN):
        run = each.levels[i % len(each.levels)]
        level, known = run[int(rng.integers(len(run)))]
        metrics = known["metrics"]
        played = "playable" if metrics.get("playable") else "not playable"
        found.append((level, f"{_name(each)}: {metrics.get('gold', 0)} gold, {played}"))
    return found


# ----------------------------------------------------------------------------------------------------- models


def _models(results: Results, found: list[Group]) -> list[Item]:
    said = "Table II: 300 levels, 16 numbers in a code, a rate of 1e-3, 1000 epochs."
    told = json.loads(results.meta.get("models", "{}"))
    kinds = {"autoencoder": "text", "bound": "text", "seed": "count", "learned from": "text"}
    kinds |= {"levels": "count", "code": "count", "rate": "number", "epochs": "count", "batch": "count"}
    kinds |= {"nats a level": "number", "nats of the code": "number"}
    rows = [
        [
            {"vae": "variational", "ae": "vanilla"}[each["model"]],
            each["bound"],
            each["seed"],
            DATA[each["data"]],
            *(each[name] for name in ("learned", "latent", "rate", "epochs", "batch", "nats", "code_nats")),
        ]
        for each in told.values()
    ]
    if not rows:
        return [f"{said} This file does not say how its models were trained."]
    data = {each["data"] for each in told.values()}
    levels = " and ".join(DATA[name] for name in sorted(data))
    lead = f"The models of this page were trained in the mode `paper` on {levels}"
    if data == {"corpus"}:
        lead += (
            ", for `LEVELSMITH_DATA` names no folder of the originals: what it says about similarity is "
            "about these levels, and not to be held against the paper's numbers"
        )
    one = next(iter(told.values()))
    net = (
        f"{lead}. Encoder and decoder have one dense layer of {one['hidden']} units each; the paper does "
        "not describe its networks. `nats a level` is the loss at the end, what it takes to tell all cells "
        "of a level from its code."
    )
    return [net, Table("models", "Table II: the models", kinds, rows, said, folded=len(rows) > 12)]


def _told(found: list[Group]) -> list[Item]:
    try:
        level = load(f"{found[0].cell.game}:corpus", game=found[0].cell.game)[SAMPLE - 1]
    except LevelsmithError:
        return []
    return list(pictures.figures(level))
