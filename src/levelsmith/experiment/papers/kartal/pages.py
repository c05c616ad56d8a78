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
from levelsmith.experiment.figures import Figure, Panel, colours_of
from levelsmith.experiment.page import Gallery, Item, Section, Table
from levelsmith.experiment.panels import Line, bars, curves
from levelsmith.experiment.papers.kartal.runs import RUNS_A_SIZE, KartalRuns, area, rule, runs_of
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import holm, mean, share, spread, wilcoxon

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
        Section("Any time", [*_stages(results, smallest), _anytime(results, chosen)]),
        Section("A set of levels", [_levels(results, chosen), _sizes(k)]),
        Section("Floor that nobody can reach", _pockets(k) if k.filled else []),
        Section("A solution", _solution(results, smallest)),
    ]
    return [section for section in found if section.items]


def _solution(results: Results, cell: CellRuns) -> list[Item]:
    """Figure 2: the board at each push of a solution."""
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
    note = (
        f"A level of {cell.name}: score {known['score']:.3f}, {len(grids) - 1} moves, "
        f"{len(pushes)} of them pushes{', the first of which are shown' if len(pushes) >= FRAMES else ''}. "
        "The frames are those of a rule book that knows nothing of the search."
    )
    said = (
        "Figure 2: a solution to a level (score 0.17), a frame for each push, with the moves of the agent "
        "in between."
    )
    return [Gallery("Figure 2: a solution, push by push", shown, said, note, side=96)]


def _pushes(level: Level) -> list[int]:
    return [i for i, letter in enumerate(level.solution or "") if letter.isupper()]


def _stages(results: Results, cell: CellRuns) -> list[Item]:
    """Figure 3: one run, and the levels it found on its way."""
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
    picks: Any = np.unique(np.linspace(0, len(kept) - 1, STAGES).round().astype(int)) if kept else []
    shown = [(kept[i][0], _found(kept[i][1])) for i in picks]
    said = (
        "Figure 3: the quality of levels improves over time (UCB-V, 5x5). The first two come at once and "
        "are trivial to solve; as time passes and scores increase, more interesting ones are found. One "
        "run makes a variety of levels."
    )
    items: list[Item] = [Figure("figure-3-anytime", "Figure 3: one run over time", [panel], said)]
    if len(shown) > 1:
        items.append(
            Gallery("Levels of that run, from the worst to the best", shown, note=general.proof(shown))
        )
    return items


def _found(known: dict[str, Any]) -> str:
    pushes = known["metrics"].get("pushes", 0)
    after = general.duration(known["seconds"])
    return f"score {known['score']:.3f} after {after}, {pushes} push{'es' * (pushes != 1)}"


def _anytime(results: Results, cells: Sequence[CellRuns]) -> Figure:
    """Figure 4: means over the runs, a curve for each size."""
    ordered = sorted(cells, key=lambda cell: area(cell.size))
    colours = colours_of([cell.size for cell in ordered])
    panels: list[Panel] = []
    for by in ("seconds", "evaluations"):
        grid = general.grid_of(results, ordered, by)
        lines = [general.curve(results, cell, grid, cell.size, colours[cell.size], by=by) for cell in ordered]
        panels.append(curves(f"by {by}", lines, by, "best score so far", log=True, width=3.6, height=2.7))
    said = (
        "Figure 4: the best score found so far by UCB-V, the average of 5 runs, by size of the board. "
        "Trivially solvable puzzles come within a second; given more time, more interesting ones are "
        "discovered."
    )
    runs = min(cell.runs for cell in ordered)
    note = f"{rule(ordered[0])}, {runs} runs each, {general.budget(ordered[0])}; 95 % bands."
    return Figure(
        "figure-4-sizes", "Figure 4: best score so far by size of the board", panels, said, note, columns=2
    )


def _levels(results: Results, cells: Sequence[CellRuns]) -> Gallery:
    """Figure 5: the best of each size with score and time."""
    shown = []
    for cell in sorted(cells, key=lambda cell: area(cell.size)):
        for level, known in results.levels(cell, 2):
            shown.append((level, f"{cell.size}: {_found(known)}, {known['metrics'].get('boxes', '?')} boxes"))
    said = (
        "Figure 5: a variety of puzzles of different sizes, with the score and the time of each. Larger "
        "amounts of board space are made use of."
    )
    return Gallery("Figure 5: the two best of each size", shown, said, general.proof(shown), side=150)


def _sizes(k: KartalRuns) -> Table:
    """Section 4.2: what the runs of each size keep."""
    rows = []
    for cell in k.chosen():
        same = k.on(cell.size).values()
        kept = np.concatenate([k.boards(each) for each in same])
        rate = [k.results.values(each, "evaluations") / k.results.values(each, "seconds") for each in same]
        rows.append(
            [
                cell.size,
                mean(RUNS_A_SIZE * kept),
                int(np.nansum(kept)),
                mean(k.most_boxes(cell)),
                mean(k.used(cell)),
                mean(k.pushes_after(cell, np.inf)),
                float(np.nanmean(np.concatenate(rate))),
            ]
        )
    columns = {"size": "text", **dict.fromkeys(("levels kept by 15 runs", "by all here"), "count")}
    columns |= dict.fromkeys(("most boxes", "cells in reach", "pushes needed"), "number")
    columns |= {"simulations a second": "count"}
    said = (
        "About 700 puzzles were kept, about 100 for each size, one at each improvement of the score; "
        "puzzles with 8 boxes or more are found within a few minutes; 5x5 has about 80,000 simulations a "
        "second."
    )
    note = (
        "Levels kept are those of all rules, and 15 are the paper's runs of a size; the rest is "
        f"{k.preferred}. Most boxes are those of any level that a run kept; cells in reach and pushes "
        "needed are those of its best, by a shortest solution or where none is found soon by what its "
        "boxes need one by one."
    )
    return Table("sizes", "Section 4.2: what runs keep, by size", columns, rows, said, note)


def _pockets(k: KartalRuns) -> list[Item]:
    """Section 3.1: floor that walls keep the player from, and levels without it."""
    rows, shown = [], []
    for cell in k.chosen():
        if cell.size not in k.filled:
            continue
        filled = k.filled[cell.size]
        spent = filled.setting["evaluations"]
        plain, closed = k.score_after(cell, spent), k.results.values(filled, "score")
        out = k.unreachable(cell)
        rows.append(
            [
                cell.size,
                share(np.where(np.isnan(out), np.nan, out > 0)),
                mean(out),
                mean(plain),
                mean(closed),
                (spread(closed) / spread(plain)).estimate(),
                mean(k.pushes_after(cell, spent)),
                mean(k.pushes_after(filled, spent)),
            ]
        )
        for word, each in (("as it is", cell), ("filled", filled)):
            shown += [
                (level, f"{cell.size}, {word}: score {known['score']:.3f}")
                for level, known in k.results.levels(each, 1)
            ]
    columns = {"size": "text", "levels with such floor": "share", "cells of it": "number"}
    columns |= dict.fromkeys(("score", "score, filled", "filled / as it is"), "number")
    columns |= dict.fromkeys(("pushes needed", "when filled"), "number")
    said = (
        "Obstacles are deleted only beside empty tiles, which prevents boards from containing unreachable "
        "hole shaped regions (section 3.1)."
    )
    note = (
        f"Of {k.preferred}. Boxes that are never pushed become obstacles before a level is evaluated, and "
        "wall floor off; such floor also counts for the terrain. `play.pockets = fill` makes it wall "
        "before the score is taken. Scores and pushes are those after "
        f"{general.budget(next(iter(k.filled.values())))}."
    )
    table = Table(
        "pockets", "Best levels with floor out of reach, and what filling it costs", columns, rows, said, note
    )
    gallery = Gallery(
        "The best level of each, as it is and filled", shown, note=general.proof(shown), side=130
    )
    return [table, gallery]


def _rules(k: KartalRuns) -> list[Item]:
    """Figure 6: the best scores of the selection rules."""
    colours = colours_of(k.rules)
    groups = [
        (size, [("", mean(k.scores(name, size)), colours[name], 1.0) for name in k.on(size)])
        for size in k.sizes
    ]
    said = (
        "Figure 6: UCB-V slightly outperforms UCB and UCB-Tuned. Means of 5 runs with different seeds, "
        "all with the same search budget; all perform statistically similarly (section 4.2)."
    )
    figure = Figure(
        "figure-6-rules",
        "Figure 6: best score of each selection rule",
        [bars("best score", groups, "score", width=6.4, height=2.6)],
        said,
        legend=colours,
    )
    rows: list[list[Any]] = []
    for size in k.sizes:
        for one, other in combinations(k.on(size), 2):
            first, second = k.scores(one, size), k.scores(other, size)
            ratio = (spread(first) / spread(second)).estimate()
            rows.append([size, f"{one} / {other}", mean(first), mean(second), ratio, wilcoxon(first, second)])
    for row, corrected in zip(rows, holm([row[-1] for row in rows]), strict=True):
        row.append(corrected)
    columns = dict.fromkeys(("size", "rules"), "text")
    columns |= dict.fromkeys(("first", "second", "first / second"), "number")
    columns |= dict.fromkeys(("p", "p, corrected"), "chance")
    note = "p: Wilcoxon's signed ranks of paired runs, that the two are the same; corrected by Holm."
    table = Table("figure-6-ratios", "The rules two by two", columns, rows, note=note)
    ordered = [cell for size in k.sizes for cell in k.on(size).values()]
    whole = general.cells_table(k.results, ordered, "figure-6-cells", "The same as a table", folded=True)
    return [figure, table, whole]
