"""Pages on Koczorowski, Monte Carlo Tree Search Optimierungen für Sokoban Puzzle Generierung (2023).

Tables 3.1 to 3.8 and figures 3.2 to 3.7; the fit of the weights in section 3.1 is in `weights.py`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from levelsmith.experiment import general
from levelsmith.experiment.figures import OTHERS, colours_of
from levelsmith.experiment.page import Item, Section, Table
from levelsmith.experiment.panels import Line, bars, curves, line_of
from levelsmith.experiment.papers.captions import Captions, Front
from levelsmith.experiment.papers.koczorowski import weights
from levelsmith.experiment.papers.koczorowski.thesis import (
    BASE,
    FEWER_RUNS,
    RUNS,
    TEXT,
    THESIS,
    ThesisRuns,
    bootstrapping_begins,
    runs_of,
)
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import Estimate, Numbers, deviation_of, mean, means, of_summary, spread

CAPTIONS = Captions(__package__)
TABLES = [f"3.{number}" for number in range(1, 9)]
BEST = 6  # levels that figure 3.7 shows
MANY = 1_000_000


def sections(results: Results) -> list[Section]:
    k = runs_of(results)
    tables = [*_beside(k), *(table for number in TABLES for table in _table(k, number))]
    cells = [cell for number in THESIS for cell in k.of(number).values()]
    lead = [CAPTIONS.text("how", budget=general.budget(cells[0]))] if cells else []
    found = [Section("Tables 3.1 to 3.8", [*lead, *tables] if tables else [])]
    found.append(Section("What the text says without a table", _text(k)))
    found.append(Section("Weights of the score", weights.items(CAPTIONS)))
    cost = k.growing()
    if len(cost) > 1:
        found.append(Section("An iteration as the tree grows", _growth(k, cost)))
    boards = list(k.of("larger boards").values())
    if boards:
        found.append(Section("Before and after bootstrapping", _bootstrapped(results, boards)))
    above = list(k.of("levels above 1.3").values())
    if above:
        found.append(Section("Levels above a score", _above(results, above)))
    return [section for section in found if section.items]


def front(results: Results) -> Front:
    return CAPTIONS.front()


def _beside(k: ThesisRuns) -> list[Item]:
    """Returns the scores of the tables as a figure: ours, and the thesis' with a deviation either way."""
    colours = colours_of(["here", "in the thesis"])
    panels = []
    for number, said in THESIS.items():
        groups = []
        for name, cell in k.of(number).items():
            if name in said:
                score, off = said[name].score, said[name].deviation
                pair = mean(k.results.values(cell, "score")), Estimate(score, score - off, score + off)
                bars_ = zip(pair, colours.values(), strict=True)
                groups.append((name, [("", figure, colour, 1.0) for figure, colour in bars_]))
        if groups:
            panels.append(bars(f"table {number}", groups, "score", width=3.2, height=2.0))
    return [CAPTIONS.figure("tables", panels, legend=colours)] if panels else []


def _table(k: ThesisRuns, number: str) -> list[Item]:
    cells = k.of(number)
    if not cells:
        return []
    if number == "3.5":
        return [_cost(k.results, list(cells.values()))]
    stem = f"table-{number.replace('.', '-')}"
    tests = general.paired_table(k.results, list(cells.values()), f"{stem}-tests", folded=True)
    scores = CAPTIONS.table(stem, _scores(k, number))
    return [scores, _iterations(k, number, f"{stem}-iterations"), *([tests] if tests else [])]


def _scores(k: ThesisRuns, number: str) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for name, cell in k.of(number).items():
        score, told = k.results.values(cell, "score"), THESIS[number].get(name)
        runs = RUNS.get(number, FEWER_RUNS)
        less = (spread(score) - of_summary(told.score, told.deviation, runs)).estimate() if told else None
        mine = [mean(score), less, told.deviation if told else None, deviation_of(score).value]
        rows.append([name, told.score if told else None, *mine, runs if told else None, cell.runs])
    return rows


def _iterations(k: ThesisRuns, number: str, stem: str) -> Table:
    """Returns what the thesis' tables say on iterations in 30 s, as iterations a second."""
    cells, said = k.of(number), THESIS[number]
    first = next(iter(said))
    base = said[first].rate(number, first)
    rows: list[list[Any]] = []
    for name, cell in cells.items():
        theirs = said[name].rate(number, name) if name in said else None
        mine = spread(k.rate(cell))
        ratio = (mine / spread(k.rate(cells[first]))).estimate() if first in cells else None
        actions = mean(k.actions(cell)), mean(k.to_best(cell))
        rows.append([name, theirs, theirs and theirs / base, mine.value, ratio, *actions])
    return CAPTIONS.table("iterations", rows, stem=stem, number=number, first=first)


def _text(k: ThesisRuns) -> list[Item]:
    """Sections 2.3.1, 2.3.3 and 2.4: what the thesis says without a table, beside the cell with every
    optimisation."""
    cells = k.of(TEXT)
    if not cells or not k.has(BASE):
        return []
    base = k.cells[BASE]
    rows = []
    for name, cell in {"all optimisations": base, **cells}.items():
        score = spread(k.results.values(cell, "score"))
        less = None if cell is base else (score - spread(k.results.values(base, "score"))).estimate()
        figures = k.results.values(cell, "diagonals"), k.difficulties(cell), k.actions(cell)
        rows.append([name, score.estimate(), less, *map(mean, figures), cell.runs])
    shown = [
        (level, f"{name}: score {known['score']:.3f}")
        for name, cell in cells.items()
        if name.startswith("2.4")
        for level, known in k.results.levels(cell, 3)
    ]
    return [CAPTIONS.table("text", rows), *([CAPTIONS.gallery("figure-2-15", shown)] if shown else [])]


# -------------------------------------------------------------------------------- table 3.5, figures 3.2, 3.3


def bytes_of(results: Results, cell: CellRuns) -> Numbers:
    """Returns what the tree of each run takes."""
    from levelsmith.search.kernels.node import BYTES_A_NODE

    return results.values(cell, "nodes") * BYTES_A_NODE


def _cost(results: Results, cells: list[CellRuns]) -> Table:
    rows = []
    for cell in cells:
        spent = results.values(cell, "evaluations")
        times, sizes = results.values(cell, "seconds") / spent * 1e6, bytes_of(results, cell)
        rate, memory = 1e6 / np.nanmean(times), float(np.nanmean(sizes / spent))
        mine = mean(times), rate, memory, float(np.nanmean(sizes))
        rows.append([float(np.nanmean(spent)), cell.runs, *mine])
    return CAPTIONS.table("table-3-5", rows)


def _growth(k: ThesisRuns, cells: list[CellRuns]) -> list[Item]:
    """Runs of the same number are the same as far as the shorter goes, so their difference is a stretch."""
    results = k.results
    at = np.array([cell.setting["evaluations"] for cell in cells], np.float64)
    times = [spread(results.values(cell, "seconds")) for cell in cells]
    stretches = [times[0].estimate(), *((b - a).estimate() for a, b in pairwise(times))]
    sizes = np.diff(at, prepend=0.0)
    duration = [
        Estimate(*(1e6 * v / n for v in (e.value, e.low, e.high)))
        for e, n in zip(stretches, sizes, strict=True)
    ]
    memory = [mean(bytes_of(results, cell) / 1e6) for cell in cells]
    depth = [each.estimate() for each in k.stretches("rollout_depth")]
    last = cells[-1]
    grid = np.linspace(1, at[-1], 200)
    centre, low, high = means(results.anytime(last, grid))
    best = Line("best score", grid, centre, OTHERS[2], low, high)
    cost = [
        curves("duration", [line_of("µs", at, duration, OTHERS[1])], "iterations", "µs an iteration"),
        curves("memory", [line_of("MB", at, memory, OTHERS[0])], "iterations", "MB"),
    ]
    depths = [
        curves("depth of rollouts", [line_of("depth", at, depth, OTHERS[5])], "iterations", "depth"),
        curves("best score", [best], "iterations", "score"),
    ]
    return [CAPTIONS.figure("figure-3-2-cost", cost), CAPTIONS.figure("figure-3-3-depth", depths)]


# ----------------------------------------------------------------------------------------- figures 3.4 to 3.7


def _bootstrapped(results: Results, cells: list[CellRuns]) -> list[Item]:
    items: list[Item] = []
    for number, cell in zip(("3.4", "3.5"), cells, strict=False):
        start = bootstrapping_begins(cell)
        found = results.levels(cell, MANY, kept=True)
        best_run = found[0][1]["number"]
        mine = [each for each in found if each[1]["number"] == best_run]
        before = [each for each in mine if (each[1]["evaluations"] or 0) <= start]
        pairs = [("before", before[0])] if before else []
        pairs.append(("after", mine[0]))
        shown = [(level, f"{word}: score {known['score']:.3f}") for word, (level, known) in pairs]
        owners, steps = results.history(cell)
        track = steps[owners == best_run]
        early = track[:, 0] <= start
        sides = ("before", track[early], OTHERS[0]), ("after", track[~early], OTHERS[1])
        panels = [
            curves(
                f"{word}, {cell.size}",
                [Line("score", side[:, 0], side[:, 2], colour, steps=True)],
                "iterations",
                "best score",
                least=None,
            )
            for word, side, colour in sides
            if len(side)
        ]
        stem = f"figure-{number.replace('.', '-')}-bootstrapping"
        told = {"number": number, "size": cell.size, "start": start}
        items.append(CAPTIONS.figure("bootstrapping", panels, stem=stem, **told))
        items.append(CAPTIONS.gallery("bootstrapping-levels", shown, size=cell.size))
    return items


def _above(results: Results, cells: list[CellRuns]) -> list[Item]:
    cell = cells[0]
    least = cell.setting.get("keep_above", 1.3)
    found = [each for each in results.levels(cell, MANY, kept=True) if each[1]["score"] > least]
    numbers = sorted({known["number"] for _, known in found})
    colours = colours_of([f"run {number}" for number in numbers])
    lines = []
    for number in numbers:
        mine = [known for _, known in found if known["number"] == number]
        told = [known["evaluations"] for known in mine if known["evaluations"] is not None]
        when = np.sort(np.array(told, np.float64))
        ranks = np.arange(1.0, len(when) + 1)
        lines.append(Line(f"run {number}", when, ranks, colours[f"run {number}"], steps=True))
    most = cell.setting.get("keep_most")
    limit = f", at most {most:,} of each" if most else ""
    panel = curves("levels found", lines, "iterations", "levels", legend=len(lines) < 7)
    shown = [
        (level, f"score {known['score']:.3f}, {known['metrics'].get('pushes', '?')} pushes")
        for level, known in found[:BEST]
    ]
    words = {"least": least, "size": cell.size, "found": len(found), "runs": cell.runs, "most": limit}
    return [
        CAPTIONS.figure("figure-3-6-above", [panel], **words),
        CAPTIONS.gallery("figure-3-7", shown, best=BEST),
    ]
