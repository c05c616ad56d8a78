"""Pages on Kartal, Sohre and Guy, Generating Sokoban Puzzle Game Levels with Monte Carlo Tree Search (2016).

Figures 2 to 6: a solution frame by frame, the anytime behaviour, a set of levels, selection rules compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from levelsmith.core import Level
from levelsmith.experiment import general
from levelsmith.experiment.figures import Figure, colours_of
from levelsmith.experiment.page import Gallery, Item, Section, Table
from levelsmith.experiment.panels import Line, bars, curves
from levelsmith.experiment.papers import puzzles
from levelsmith.experiment.papers.captions import Captions, Front
from levelsmith.experiment.papers.kartal import growth
from levelsmith.experiment.papers.kartal.runs import RUNS_A_SIZE, KartalRuns, area, rule, runs_of
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import mean, share, spread, wilcoxon

CAPTIONS = Captions(__package__)
FRAMES = 20  # of a solution
ARROWS = str.maketrans("udlr", "↑↓←→")
STAGES = 8  # levels of one run that figure 3 shows
SMALLEST = "5x5"


def sections(results: Results) -> list[Section]:
    k = runs_of(results)
    chosen = k.chosen()
    smallest = next((cell for cell in chosen if cell.size == SMALLEST), chosen[0])
    found = [
        Section("Selection rules", _rules(k)),
        *growth.sections(k),
        Section("Any time", [*_stages(results, smallest), _anytime(results, chosen)]),
        Section("A set of levels", [_levels(results, chosen), _sizes(k)]),
        Section("Floor that nobody can reach", _pockets(k) if k.filled else []),
        Section("A solution", _solution(results, smallest)),
    ]
    return [section for section in found if section.items]


def front(results: Results) -> Front:
    return CAPTIONS.front(more=growth.briefly(runs_of(results)))


def _solution(results: Results, cell: CellRuns) -> list[Item]:
    """Returns figure 2: the board at each push of a solution."""
    from levelsmith.levels.film import frames

    found = [each for each in results.levels(cell, 50) if general.proved(each[0])]
    if not found:
        return [f"No level of {cell.name} carries a solution that solves it."]
    level, known = min(found, key=lambda each: abs(len(_pushes(each[0])) - FRAMES * 0.6))
    grids = list(frames(level))
    pushes = _pushes(level)
    shown, before = [(level, "start")], 0
    for number, move in enumerate(pushes[: FRAMES - 1], start=1):
        way = (level.solution or "")[before : move + 1].lower().translate(ARROWS)
        shown.append((replace(level, grid=grids[move + 1], solution=None), f"push {number}: {way}"))
        before = move + 1
    told = {"name": cell.name, "score": known["score"], "moves": len(grids) - 1, "pushes": len(pushes)}
    first = ", the first of which are shown" if len(pushes) >= FRAMES else ""
    return [CAPTIONS.gallery("figure-2-solution", shown, first=first, **told)]


def _pushes(level: Level) -> list[int]:
    return [i for i, letter in enumerate(level.solution or "") if letter.isupper()]


def _stages(results: Results, cell: CellRuns) -> list[Item]:
    """Returns figure 3: one run, and the levels it found on its way."""
    owners, steps = results.history(cell)
    score = results.values(cell, "score")
    run = int(np.nanargmax(score))
    track = steps[owners == run]
    line = Line(rule(cell), np.maximum(track[:, 1], 1e-4), track[:, 2], colours_of(["sa"])["sa"], steps=True)
    panel = curves(f"run {run} of {cell.name}", [line], "seconds", "best score so far", log=True, width=3.6)
    kept = [
        each
        for each in results.levels(cell, 10_000, best=False, kept=True)
        if each[1]["number"] == run and each[1]["score"] > 0
    ]
    kept.sort(key=lambda each: each[1]["score"])
    shown = [(level, _found(known)) for level, known in puzzles.spaced(kept, STAGES)]
    items: list[Item] = [CAPTIONS.figure("figure-3-anytime", [panel])]
    return [*items, CAPTIONS.gallery("figure-3-levels", shown)] if len(shown) > 1 else items


def _found(known: dict[str, Any]) -> str:
    pushes = known["metrics"].get("pushes", 0)
    after = general.duration(known["seconds"])
    return f"score {known['score']:.3f} after {after}, {pushes} push{'es' * (pushes != 1)}"


def _anytime(results: Results, cells: Sequence[CellRuns]) -> Figure:
    """Returns figure 4: means over the runs, a curve for each size."""
    ordered = sorted(cells, key=lambda cell: area(cell.size))
    colours = colours_of([cell.size for cell in ordered])
    panels = []
    for by in ("seconds", "evaluations"):
        grid = general.grid_of(results, ordered, by)
        lines = [general.curve(results, cell, grid, cell.size, colours[cell.size], by=by) for cell in ordered]
        panels.append(curves(f"by {by}", lines, by, "best score so far", log=True, width=3.6, height=2.7))
    told: dict[str, Any] = {"rule": rule(ordered[0]), "runs": min(cell.runs for cell in ordered)}
    return CAPTIONS.figure("figure-4-sizes", panels, budget=general.budget(ordered[0]), **told)


def _levels(results: Results, cells: Sequence[CellRuns]) -> Gallery:
    """Returns figure 5: the best of each size with score and time."""
    shown = [
        (level, f"{cell.size}: {_found(known)}, {known['metrics'].get('boxes', '?')} boxes")
        for cell in sorted(cells, key=lambda cell: area(cell.size))
        for level, known in results.levels(cell, 2)
    ]
    return CAPTIONS.gallery("figure-5-levels", shown)


def _sizes(k: KartalRuns) -> Table:
    """Returns what section 4.2 tells: what the runs of each size keep."""
    rows = []
    for cell in k.chosen():
        same = k.on(cell.size).values()
        kept = np.concatenate([k.boards(each) for each in same])
        rate = [k.results.values(each, "evaluations") / k.results.values(each, "seconds") for each in same]
        most = mean(np.concatenate([k.most_boxes(each) for each in same]))
        best = most, mean(k.used(cell)), mean(k.pushes_after(cell, np.inf))
        simulations = float(np.nanmean(np.concatenate(rate)))
        rows.append([cell.size, mean(RUNS_A_SIZE * kept), int(np.nansum(kept)), *best, simulations])
    return CAPTIONS.table("sizes", rows, preferred=k.preferred)


def _pockets(k: KartalRuns) -> list[Item]:
    """Returns what section 3.1 tells: floor that walls keep the player from, and levels without it."""
    rows, shown = [], []
    for cell in k.chosen():
        if cell.size not in k.filled:
            continue
        filled = k.filled[cell.size]
        spent = filled.setting["evaluations"]
        plain, closed = k.score_after(cell, spent), k.results.values(filled, "score")
        out = k.unreachable(cell)
        having = share(np.where(np.isnan(out), np.nan, out > 0))
        scores = mean(plain), mean(closed), (spread(closed) / spread(plain)).estimate()
        pushes = mean(k.pushes_after(cell, spent)), mean(k.pushes_after(filled, spent))
        rows.append([cell.size, having, mean(out), *scores, *pushes])
        for word, each in (("as it is", cell), ("filled", filled)):
            shown += [
                (level, f"{cell.size}, {word}: score {known['score']:.3f}")
                for level, known in k.results.levels(each, 1)
            ]
    budget = general.budget(next(iter(k.filled.values())))
    table = CAPTIONS.table("pockets", rows, preferred=k.preferred, budget=budget)
    return [table, CAPTIONS.gallery("pockets-levels", shown)]


def _rules(k: KartalRuns) -> list[Item]:
    """Returns figure 6: the best scores of the selection rules."""
    colours = colours_of(k.rules)
    groups = [
        (size, [("", mean(k.scores(name, size)), colours[name], 1.0) for name in k.on(size)])
        for size in k.sizes
    ]
    panel = bars("best score", groups, "score", width=6.4, height=2.6)
    rows: list[list[Any]] = []
    for size in k.sizes:
        for one, other in combinations(k.on(size), 2):
            first, second = k.scores(one, size), k.scores(other, size)
            ratio = (spread(first) / spread(second)).estimate()
            rows.append([size, f"{one} / {other}", mean(first), mean(second), ratio, wilcoxon(first, second)])
    general.add_corrected(rows)
    ordered = [cell for size in k.sizes for cell in k.on(size).values()]
    whole = general.cells_table(k.results, ordered, "figure-6-cells", "The same as a table", folded=True)
    figure = CAPTIONS.figure("figure-6-rules", [panel], legend=colours)
    return [figure, CAPTIONS.table("figure-6-ratios", rows), whole]
