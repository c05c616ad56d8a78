"""Pages on Thakkar et al., Autoencoder and Evolutionary Algorithm for Level Generation in Lode Runner."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from levelsmith.core import Level
from levelsmith.experiment import general
from levelsmith.experiment.figures import Figure, colours_of
from levelsmith.experiment.page import Gallery, Item, Section, Table
from levelsmith.experiment.panels import bars
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import NOTHING, Estimate, mean, share, wilson

# Table III: mean similarity, levels above 30 % and above 50 %, of 330.
PAPER = {"vae": (0.2536, 73, 3, 330), "ae": (0.2705, 130, 38, 330)}
NAMES = {"vae": "variational", "ae": "vanilla"}
ORIGINALS = "{game}-vglc/levels"
RAW = "before evolution"
COUNTED = ("ground", "ladders", "ropes", "gold", "enemies", "connectivity")
MOST = 330  # levels of a model that are compared, as in the paper


def sections(results: Results) -> list[Section]:
    cells = [cell for cell in results.cells if cell.runs]
    raw = [cell for cell in cells if cell.part.startswith(RAW)]
    evolved = [cell for cell in cells if cell not in raw]
    return [
        Section("Similarity to the originals", _similarity(results, evolved)),
        Section("Levels", [*_before(results, raw), *_after(results, evolved)]),
    ]


def model(cell: CellRuns) -> str:
    told = cell.setting.get("parameters", {}).get("latent", {}).get("model")
    return str(cell.varied.get("latent.model") or told or cell.name)


def _originals(game: str) -> list[Level]:
    """Returns the levels that the models learnt from, where `LEVELSMITH_DATA` has them."""
    from levelsmith.levels.files import load

    data = os.environ.get("LEVELSMITH_DATA")
    folder = Path(data or "", ORIGINALS.format(game=game))
    return load(folder, game=game) if data and folder.is_dir() else []


def _similarity(results: Results, cells: list[CellRuns]) -> list[Item]:
    from levelsmith.levels.compare import compare, similarities

    said = (
        "Table III: of 330 levels each, 25.36 % mean similarity for the variational autoencoder (73 above 30 "
        "%, 3 above 50 %), 27.05 % for the vanilla one (130 and 38). So variational levels are less like the "
        "originals."
    )
    game = results.cells[0].game
    originals = _originals(game)
    if not originals:
        folder = ORIGINALS.format(game=game)
        return [f"{said} These runs cannot be compared: `LEVELSMITH_DATA` names no folder with `{folder}`."]
    rows: list[list[Any]] = []
    shares = []
    measures: dict[str, dict[str, Any]] = {}
    for cell in cells:
        levels = [level for level, _ in results.levels(cell, MOST, kept=True)]
        nearest = similarities(levels, originals)
        name, number = model(cell), len(levels)
        above = [wilson(int((nearest > part).sum()), number) for part in (0.3, 0.5)]
        told = PAPER.get(name)
        theirs = [told[0], wilson(told[1], told[3]), wilson(told[2], told[3])] if told else [None] * 3
        rows.append([NAMES.get(name, name), "here", number, mean(nearest), *above])
        rows += [["", "paper", told[3], *theirs]] if told else []
        shares.append((NAMES.get(name, name), [mean(nearest), *above], theirs))
        measures[NAMES.get(name, name)] = compare(levels, originals)
    columns = {"autoencoder": "text", "": "text", "levels": "count", "similarity": "share"}
    columns |= {"above 30 %": "share", "above 50 %": "share"}
    note = (
        "Cells with the same tile, blank ones aside, over all cells; the nearest of the originals and their "
        "mirror images. The intervals of the paper's counts are Wilson's."
    )
    others = [name for name in next(iter(measures.values())) if name not in ("levels", "reference")]
    more = [[name, *(found[name] for found in measures.values())] for name in others]
    return [
        Table(
            "table-3", "Table III: similarity of the levels made to the originals", columns, rows, said, note
        ),
        _figure(shares),
        Table(
            "measures",
            "Other measures",
            {"measure": "text", **dict.fromkeys(measures, "number")},
            more,
            folded=True,
        ),
    ]


def _figure(shares: list[tuple[str, list[Estimate], list[Any]]]) -> Figure:
    colours = colours_of(["here", "in the paper"])
    panels = []
    for i, title in enumerate(("mean similarity", "above 30 %", "above 50 %")):
        groups = []
        for name, mine, theirs in shares:
            other = theirs[i]
            if isinstance(other, float):  # the paper gives no interval
                other = Estimate(other, other, other)
            pairs = [(colours["here"], mine[i]), (colours["in the paper"], other or NOTHING)]
            groups.append((name, [("", each.times(100), colour, 1.0) for colour, each in pairs]))
        panels.append(bars(title, groups, "%"))
    return Figure("table-3", "The same as a figure", panels, legend=colours)


def _before(results: Results, cells: list[CellRuns]) -> list[Item]:
    said = (
        "Figure 6: four samples of each autoencoder before evolution. Most raw levels cannot be played until "
        "the evolutionary step is carried out."
    )
    if not cells:
        return []
    shown = [
        (level, f"{NAMES.get(model(cell), model(cell))}: {_description(known)}")
        for cell in cells
        for level, known in results.levels(cell, 4, best=False, kept=True)
    ]
    note = "All gold can be collected in one walk in: " + ", ".join(
        _playable(results, cell) for cell in cells
    )
    return [Gallery("Figure 6: before evolution", shown, said, f"{note}.", side=230)]


def _playable(results: Results, cell: CellRuns) -> str:
    found = share(results.values(cell, "playable"))
    ends = f"{100 * found.low:.0f} … {100 * found.high:.0f}"
    return f"{NAMES.get(model(cell), model(cell))} {100 * found.value:.0f} % ({ends}) of {found.runs}"


def _after(results: Results, cells: list[CellRuns]) -> list[Item]:
    said = (
        "Figure 7: two of each after evolution. Those of the vanilla autoencoder are sparse and easy, those "
        "of the variational one dense and hard."
    )
    shown, rows = [], []
    for cell in cells:
        found = results.levels(cell, MOST, kept=True)
        name = NAMES.get(model(cell), model(cell))
        shown += [(level, f"{name}: {_description(known)}") for level, known in found[: min(4, len(found))]]
        keys = [key for key in COUNTED if key in found[0][1]["metrics"]]
        filled = np.array([float((level.grid != 0).mean()) for level, _ in found])
        counted = {key: mean(np.array([float(known["metrics"][key]) for _, known in found])) for key in keys}
        rows.append([name, len(found), mean(filled), *counted.values()])
    columns = {
        "autoencoder": "text",
        "levels": "count",
        "cells not blank": "share",
        **dict.fromkeys(counted, "number"),
    }
    table = Table("density", "How dense the levels are", columns, rows)
    return [Gallery("Figure 7: after evolution", shown, said, general.proof(shown), side=230), table]


def _description(known: dict[str, Any]) -> str:
    metrics = known["metrics"]
    parts = [f"score {known['score']:.3f}"] + [
        f"{metrics[key]} {key}" for key in ("gold", "enemies") if key in metrics
    ]
    return ", ".join(parts)
