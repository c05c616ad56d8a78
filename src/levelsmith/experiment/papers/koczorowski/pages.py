"""Pages on Koczorowski, Monte Carlo Tree Search Optimierungen für Sokoban Puzzle Generierung (2023).

Tables 3.1 to 3.8 and figures 3.2 to 3.7; the fit of the weights in section 3.1 is in `weights.py`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from levelsmith.experiment import general
from levelsmith.experiment.figures import OTHERS, Figure, colours_of
from levelsmith.experiment.page import Gallery, Item, Section, Table
from levelsmith.experiment.panels import Line, curves
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

SAYS = {
    "3.1": "Pushes in place of steps do fewer iterations, yet reach far better levels.",
    "3.2": "The score rises as the limit of boxes falls; 5 is best, which surprised the author.",
    "3.3": "All scores are nearly the same; a deeper limit does fewer iterations. 10 was taken.",
    "3.4": "Removing boxes by 2x2 squares is better, at little cost. The naive implementation, which checks "
    "every box, performed significantly worse (2.3.5).",
    "3.5": "Two allocators are compared; the better does 27 % more iterations.",
    "3.6": "Bootstrapping raises even a very good score, very soon. Iterations are those since its start.",
    "3.7": "All scores are nearly the same; iterations fall as the factor rises.",
    "3.8": "Results are inconsistent; UCB1-Tuned can be an alternative.",
}
NOTES = {
    "3.4": "`each` and `exact` are two readings of the naive implementation: boxes that cannot be pushed as "
    "they stand, and boxes that can never be pushed.",
    "3.6": "The thesis' iterations a second are those of bootstrapping alone, ours those of the whole run.",
    "3.7": "The thesis' factor of 1 to 6 is a c of 2 to 12 here.",
}
TITLES = {
    "3.1": "Moves of the player",
    "3.2": "Most boxes",
    "3.3": "Least depth",
    "3.4": "Boxes that cannot be moved",
    "3.5": "Cost of an iteration",
    "3.6": "Bootstrapping",
    "3.7": "Exploration",
    "3.8": "Selection rules",
}
SCORES = {"setting": "text", "thesis": "number", "here": "number", "here − thesis": "number"}
SCORES |= {"σ, thesis": "number", "σ, here": "number", "runs, thesis": "count", "runs": "count"}
HOW = (
    "Scores are means of the best of each run; the interval of a difference has the deviations of both "
    "sides in it. Runs here had {budget}, in the thesis 30 s on a Ryzen 5 3600. How many iterations a "
    "second allows depends on the machine, so that it stands beside as a remark, also as a ratio to the "
    "first setting of the thesis' table; the actions that an iteration takes, down the tree and in its "
    "rollout, do not."
)
BEST = 6  # levels that figure 3.7 shows
MANY = 1_000_000


def sections(results: Results) -> list[Section]:
    k = runs_of(results)
    tables = [table for number in TITLES for table in _table(k, number)]
    cells = [cell for number in THESIS for cell in k.of(number).values()]
    lead = [HOW.format(budget=general.budget(cells[0]))] if cells else []
    found = [Section("Tables 3.1 to 3.8", [*lead, *tables] if tables else [])]
    found.append(Section("What the text says without a table", _text(k)))
    found.append(Section("Weights of the score", weights.items()))
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


def _table(k: ThesisRuns, number: str) -> list[Item]:
    cells = k.of(number)
    if not cells:
        return []
    if number == "3.5":
        return [_cost(k.results, list(cells.values()))]
    stem = f"table-{number.replace('.', '-')}"
    title, said = f"Table {number}: {TITLES[number].lower()}", SAYS[number]
    tests = general.paired_table(k.results, list(cells.values()), f"{stem}-tests", folded=True)
    scores = Table(stem, title, SCORES, _scores(k, number), said, NOTES.get(number, ""))
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
    """What the thesis' tables say on iterations in 30 s, as iterations a second."""
    cells, said = k.of(number), THESIS[number]
    first = next(iter(said))
    base = said[first].rate(number, first)
    rows: list[list[Any]] = []
    for name, cell in cells.items():
        theirs = said[name].rate(number, name) if name in said else None
        mine = spread(k.rate(cell))
        ratio = (mine / spread(k.rate(cells[first]))).estimate() if first in cells else None
        rows.append(
            [
                name,
                theirs,
                theirs and theirs / base,
                mine.value,
                ratio,
                mean(k.actions(cell)),
                mean(k.to_best(cell)),
            ]
        )
    columns = {"setting": "text", "thesis, a second": "count", f"of {first}": "number"}
    columns |= {"here, a second": "count", f"of {first} here": "number"}
    columns |= {"actions of one": "number", "those to the best": "count"}
    return Table(stem, f"Iterations of table {number}", columns, rows)


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
        rows.append(
            [
                name,
                score.estimate(),
                less,
                mean(k.results.values(cell, "diagonals")),
                mean(k.difficulties(cell)),
                mean(k.actions(cell)),
                cell.runs,
            ]
        )
    columns = {"setting": "text", "score": "number", "minus the first": "number", "diagonals": "number"}
    columns |= {"difficulty": "number", "actions of an iteration": "number", "runs": "count"}
    said = (
        "Kind by kind or at random, no significant difference was found (2.3.1); a soft limit of depth "
        "before a level is evaluated was no improvement (2.3.3); a score that favours a pattern makes "
        "levels that tend to be much less difficult (2.4)."
    )
    note = (
        "Difficulty is that of a shortest solution of the best level. A favoured pattern adds to the "
        "score itself."
    )
    table = Table("text", "Sections 2.3.1, 2.3.3 and 2.4", columns, rows, said, note)
    shown = [
        (level, f"{name}: score {known['score']:.3f}")
        for name, cell in cells.items()
        if name.startswith("2.4")
        for level, known in k.results.levels(cell, 3)
    ]
    pattern = Gallery(
        "Figure 2.15: diagonals favoured",
        shown,
        "A diagonal level, as an example.",
        general.proof(shown),
        side=150,
    )
    return [table, *([pattern] if shown else [])]


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
        rate = 1e6 / np.nanmean(times)
        rows.append(
            [
                float(np.nanmean(spent)),
                cell.runs,
                mean(times),
                rate,
                float(np.nanmean(sizes / spent)),
                float(np.nanmean(sizes)),
            ]
        )
    columns = {"iterations": "count", "runs": "count", "µs an iteration": "number"}
    columns |= {"iterations a second": "count", "bytes an iteration": "number", "tree": "bytes"}
    title = "In place of table 3.5: time and memory of an iteration"
    note = "Nodes are arrays here, so that there is nothing to allocate while a tree grows."
    return Table("table-3-5", title, columns, rows, SAYS["3.5"], note)


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
    said = (
        "The time of an iteration is nearly constant over 800,000, its regression line rises very little; "
        "memory grows linearly; rollouts begin near a depth of 7; high scores come very early."
    )
    first = Figure(
        "figure-3-2-cost",
        "Figure 3.2: duration of an iteration, and memory in all",
        [
            curves("duration", [_line("µs", at, duration, OTHERS[1])], "iterations", "µs an iteration"),
            curves("memory", [_line("MB", at, memory, OTHERS[0])], "iterations", "MB"),
        ],
        said,
        "The duration between two budgets is the difference of paired runs; the memory is that of the nodes.",
    )
    second = Figure(
        "figure-3-3-depth",
        "Figure 3.3: depth at which rollouts begin, and best score",
        [
            curves("depth of rollouts", [_line("depth", at, depth, OTHERS[5])], "iterations", "depth"),
            curves("best score", [best], "iterations", "score"),
        ],
        said,
    )
    return [first, second]


def _line(name: str, x: Numbers, figures: list[Estimate], colour: str) -> Line:
    value, low, high = (
        np.array([getattr(each, end) for each in figures]) for end in ("value", "low", "high")
    )
    return Line(name, x, value, colour, low, high)


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
        sides = [
            (f"before, {cell.size}", track[track[:, 0] <= start]),
            (f"after, {cell.size}", track[track[:, 0] > start]),
        ]
        panels = [
            curves(
                title,
                [Line("score", side[:, 0], side[:, 2], colour, steps=True)],
                "iterations",
                "best score",
                least=None,
            )
            for (title, side), colour in zip(sides, (OTHERS[0], OTHERS[1]), strict=True)
            if len(side)
        ]
        said = "The best level and how its score rose; the same after bootstrapping, in far less time."
        stem = f"figure-{number.replace('.', '-')}-bootstrapping"
        items.append(
            Figure(
                stem,
                f"Figure {number}: the best run on {cell.size}",
                panels,
                said,
                f"Bootstrapping begins after {start:,.0f} iterations.",
            )
        )
        items.append(Gallery(f"Its best level on {cell.size}", shown, side=160, note=general.proof(shown)))
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
    said = "All levels above 1.3 are kept on 7x7, beside new best ones."
    most = cell.setting.get("keep_most")
    note = f"{len(found):,} levels of {cell.runs} runs" + (f", at most {most:,} of each." if most else ".")
    panel = curves("levels found", lines, "iterations", "levels", legend=len(lines) < 7)
    shown = [
        (level, f"score {known['score']:.3f}, {known['metrics'].get('pushes', '?')} pushes")
        for level, known in found[:BEST]
    ]
    return [
        Figure("figure-3-6-above", f"Figure 3.6: levels above {least:g} on {cell.size}", [panel], said, note),
        Gallery(
            f"Figure 3.7: the {BEST} best", shown, "Six of the best on 7x7.", general.proof(shown), side=150
        ),
    ]
