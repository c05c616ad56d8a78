"""Pages on Kartal, Sohre and Guy, Generating Sokoban Puzzle Game Levels with Monte Carlo Tree Search (2016).

Figures 2 to 6: a solution frame by frame, the anytime behaviour, a set of levels, selection rules compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from levelsmith.core import Level
from levelsmith.experiment import general
from levelsmith.experiment.figures import Figure, Panel, colours_of
from levelsmith.experiment.page import Gallery, Item, Section
from levelsmith.experiment.panels import Line, bars, curves
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import mean

PREFERRED = "ucb-v"  # what the paper's figures 3 and 4 show
FRAMES = 20  # of a solution
STAGES = 8  # levels of one run that figure 3 shows
SMALLEST = "5x5"


def sections(results: Results) -> list[Section]:
    cells = [cell for cell in results.cells if cell.runs]
    chosen = [cell for cell in cells if rule(cell) == PREFERRED] or cells
    smallest = next((cell for cell in chosen if cell.size == SMALLEST), chosen[0])
    return [
        Section("A solution", _solution(results, smallest)),
        Section("Any time", [*_stages(results, smallest), _anytime(results, chosen)]),
        Section("A set of levels", [_levels(results, chosen)]),
        Section("Selection rules", _rules(results, cells)),
    ]


def rule(cell: CellRuns) -> str:
    """Returns the selection rule of a cell: the name of its row, else its setting."""
    if "row" in cell.varied:
        return str(cell.varied["row"])
    return str(cell.setting.get("parameters", {}).get("mcts", {}).get("selection", cell.name))


def area(size: str) -> int:
    width, _, height = size.partition("x")
    return int(width) * int(height)


def _solution(results: Results, cell: CellRuns) -> list[Item]:
    """Figure 2: the board at each push of a solution."""
    from levelsmith.levels.film import frames

    found = [each for each in results.levels(cell, 50) if general.proved(each[0])]
    if not found:
        return [f"No level of {cell.name} carries a solution that solves it."]
    level, known = min(found, key=lambda each: abs(len(_pushes(each[0])) - FRAMES * 0.6))
    grids = list(frames(level))
    pushes = _pushes(level)
    shown = [(level, "start")]
    for number, move in enumerate(pushes[: FRAMES - 1], start=1):
        shown.append((replace(level, grid=grids[move + 1], solution=None), f"push {number}, move {move + 1}"))
    note = (
        f"A level of {cell.name}: score {known['score']:.3f}, {len(grids) - 1} moves, "
        f"{len(pushes)} of them pushes{', the first of which are shown' if len(pushes) >= FRAMES else ''}. "
        "The frames are those of a rule book that knows nothing of the search."
    )
    said = (
        "Figure 2 shows a solution (score 0.17), a frame for each push, with the player's moves in between."
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
        "Figure 3: the quality of levels improves over time. The first ones come at once and are trivial; "
        "more interesting ones follow within minutes, all from one run (UCB-V, 5x5)."
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
        "Figure 4: mean of 5 runs of UCB-V for 5x5 to 10x10 over 200 s. Trivial levels come within a second."
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
    said = "Figure 5: levels of all sizes with score and time; 8 boxes and more within a few minutes."
    return Gallery("Figure 5: the two best of each size", shown, said, general.proof(shown), side=150)


def _rules(results: Results, cells: Sequence[CellRuns]) -> list[Item]:
    """Figure 6: the best scores of the selection rules."""
    sizes = sorted({cell.size for cell in cells}, key=area)
    rules = list(dict.fromkeys(map(rule, cells)))
    colours = colours_of(rules)
    by_place = {(cell.size, rule(cell)): cell for cell in cells}
    groups = [
        (
            size,
            [
                ("", mean(results.values(by_place[size, name], "score")), colours[name], 1.0)
                for name in rules
                if (size, name) in by_place
            ],
        )
        for size in sizes
    ]
    said = "Figure 6: all rules do statistically the same; UCB-V is slightly ahead. Means of 5 runs."
    figure = Figure(
        "figure-6-rules",
        "Figure 6: best score of each selection rule",
        [bars("best score", groups, "score", width=6.4, height=2.6)],
        said,
        legend=colours,
    )
    ordered = sorted(cells, key=lambda cell: area(cell.size))
    tests = general.paired_table(results, ordered, "figure-6-tests", folded=True)
    table = general.cells_table(results, ordered, "figure-6-cells", "The same as a table", folded=True)
    return [figure, table, *([tests] if tests else [])]
