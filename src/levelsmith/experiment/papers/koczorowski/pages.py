"""Pages on Koczorowski, Monte Carlo Tree Search Optimierungen für Sokoban Puzzle Generierung (2023).

Tables 3.1 to 3.8 and figures 3.2 to 3.7; the fit of the weights in section 3.1 is in `weights.py`.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from levelsmith.experiment import general
from levelsmith.experiment.figures import OTHERS, Figure, colours_of
from levelsmith.experiment.page import Gallery, Item, Section, Table
from levelsmith.experiment.panels import Line, curves
from levelsmith.experiment.papers.koczorowski import weights
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import Estimate, Numbers, mean, means, spread

# What the thesis' tables say: by table and setting, (iterations, score, seconds to the best, deviation).
THESIS: dict[str, dict[str, tuple[int, float, float, float]]] = {
    "3.1": {"pushes": (4498609, 1.1480, 11.7857, 0.0457), "steps": (4972319, 0.8199, 12.4690, 0.0245)},
    "3.2": {
        "none": (3600105, 1.1507, 15.8943, 0.0826),
        "20": (3632097, 1.1433, 16.0630, 0.0521),
        "15": (3650202, 1.1363, 12.3663, 0.0612),
        "10": (3709194, 1.2997, 17.4361, 0.0193),
        "5": (3950324, 1.3518, 14.7178, 0.0525),
    },
    "3.3": {
        "0": (3527152, 1.3678, 10.8055, 0.0635),
        "5": (3562598, 1.3710, 15.1329, 0.0825),
        "7": (3474843, 1.3605, 14.5628, 0.0415),
        "10": (3108058, 1.3931, 17.0468, 0.0403),
        "15": (2722091, 1.3654, 9.1510, 0.0260),
    },
    "3.4": {"keep": (3135409, 1.3557, 14.5781, 0.0516), "squares": (3091629, 1.4439, 10.6731, 0.0614)},
    "3.6": {
        "0": (3924687, 1.4350, 15.0072, 0.0506),
        "0.05": (1170963, 1.4705, 28.5884, 0.0780),
        "0.1": (2425516, 1.4516, 27.0664, 0.0725),
        "0.15": (3625749, 1.4583, 25.6074, 0.0749),
        "0.2": (4948784, 1.4769, 24.0890, 0.0685),
    },
    "3.7": {
        "2": (3939814, 1.4231, 17.7743, 0.0456),
        "4": (3807184, 1.4582, 16.4087, 0.0563),
        "6": (3760231, 1.4252, 14.1706, 0.0451),
        "8": (3737064, 1.4307, 13.9001, 0.0565),
        "10": (3722411, 1.4302, 12.8775, 0.0522),
        "12": (3715273, 1.4315, 16.4749, 0.0583),
    },
    "3.8": {
        "ucb1": (3773864, 1.4322, 18.1368, 0.0552),
        "ucb1-tuned": (3764409, 1.4407, 15.3107, 0.0762),
        "ucb-v": (3790436, 1.4344, 13.8132, 0.0564),
        "sp-mcts": (3774020, 1.4371, 15.0853, 0.0409),
    },
}
SAYS = {
    "3.1": "Pushes in place of steps do fewer iterations, yet reach far better levels.",
    "3.2": "The score rises as the limit of boxes falls; 5 is best, which surprised the author.",
    "3.3": "All scores are nearly the same; a deeper limit does fewer iterations. 10 was taken.",
    "3.4": "Removing boxes that cannot be moved is better, at little cost. `exact` did worse there (2.3.5).",
    "3.5": "The thesis compares two allocators; the better does 27 % more iterations. Arrays need none.",
    "3.6": "Bootstrapping raises the best score very soon. The thesis' iterations are from its start.",
    "3.7": "All scores are nearly the same; iterations fall with it. Its 1 to 6 is a c of 2 to 12.",
    "3.8": "Results are inconsistent; UCB1-Tuned may be an alternative.",
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
BEST = 6  # levels that figure 3.7 shows
MANY = 1_000_000


def sections(results: Results) -> list[Section]:
    found = [Section("Weights of the score", weights.items())]
    tables = [table for number in TITLES for table in _table(results, number)]
    found.append(Section("Tables 3.1 to 3.8", tables))
    cost = _begin(results, "3.5")
    if cost:
        found.append(Section("An iteration as the tree grows", _growth(results, cost)))
    boards = _begin(results, "larger boards")
    if boards:
        found.append(Section("Before and after bootstrapping", _bootstrapped(results, boards)))
    above = _begin(results, "levels above")
    if above:
        found.append(Section("Levels above a score", _above(results, above)))
    return [section for section in found if section.items]


def _begin(results: Results, name: str) -> list[CellRuns]:
    return [cell for cell in results.cells if cell.part.startswith(name) and cell.runs]


def label(cell: CellRuns) -> str:
    """Returns what sets a cell apart, as the thesis' tables head their columns."""
    told = [f"{value:g}" if isinstance(value, float) else str(value) for value in cell.varied.values()]
    return ", ".join(told) or cell.name


def seconds_to_best(results: Results, cell: CellRuns) -> Numbers:
    """Returns when each run found its best level."""
    owners, steps = results.history(cell)
    when = np.full(int(owners.max(initial=0)) + 1, np.nan)
    when[owners] = steps[:, 1]  # the last improvement stays
    return when


def deviation(values: Numbers) -> float:
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) if len(known) > 1 else math.nan


def _table(results: Results, number: str) -> list[Item]:
    cells = _begin(results, number)
    if not cells:
        return []
    if number == "3.5":
        return [_cost(results, cells)]
    rows: list[list[Any]] = []
    for cell in cells:
        score = results.values(cell, "score")
        mine = [
            mean(results.values(cell, "evaluations")).value,
            mean(score),
            mean(seconds_to_best(results, cell)),
        ]
        rows.append([label(cell), "here", cell.runs, *mine, deviation(score)])
        if label(cell) in THESIS[number]:
            rows.append(["", "thesis", 30 if number in ("3.7", "3.8") else 10, *THESIS[number][label(cell)]])
    columns = {"setting": "text", "": "text", "runs": "count", "iterations": "count", "score": "number"}
    columns |= {"to the best": "seconds", "σ": "number"}
    title = f"Table {number}: {TITLES[number].lower()}"
    note = f"Each run had {general.budget(cells[0])}; in the thesis, 30 s on a Ryzen 5 3600."
    table = Table(f"table-{number.replace('.', '-')}", title, columns, rows, SAYS[number], note)
    tests = general.paired_table(results, cells, f"table-{number.replace('.', '-')}-tests", folded=True)
    return [table, *([tests] if tests else [])]


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
                mean(sizes / spent),
                float(np.nanmean(sizes)),
            ]
        )
    columns = {
        "iterations": "count",
        "runs": "count",
        "µs an iteration": "number",
        "iterations a second": "count",
    }
    columns |= {"bytes an iteration": "number", "tree": "bytes"}
    title = "In place of table 3.5: time and memory of an iteration"
    return Table("table-3-5", title, columns, rows, SAYS["3.5"])


def _growth(results: Results, cells: list[CellRuns]) -> list[Item]:
    """Runs of the same number are the same as far as the shorter goes, so their difference is a stretch."""
    cells = sorted(cells, key=lambda cell: cell.setting["evaluations"])
    at = np.array([cell.setting["evaluations"] for cell in cells], np.float64)
    times = [spread(results.values(cell, "seconds")) for cell in cells]
    stretches = [times[0].estimate(), *((b - a).estimate() for a, b in pairwise(times))]
    sizes = np.diff(at, prepend=0.0)
    duration = [
        Estimate(*(1e6 * v / n for v in (e.value, e.low, e.high)))
        for e, n in zip(stretches, sizes, strict=True)
    ]
    memory = [mean(bytes_of(results, cell) / 1e6) for cell in cells]
    depth = [mean(results.values(cell, "depth_reached")) for cell in cells]
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
        "Figure 3.3: depth of the tree, and best score",
        [
            curves("depth of the tree", [_line("depth", at, depth, OTHERS[5])], "iterations", "depth"),
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
        values = cell.setting["parameters"]["mcts"]
        start = values["cycle"] * (1 - values["bootstrap"])
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
