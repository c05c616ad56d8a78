"""Pages on binary maps: the figures of Bhaumik, Khalifa, Green and Togelius (FDG 2020), in both editions.

What the paper says stands beside each figure. Its statements are in `statements.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from levelsmith.experiment import general
from levelsmith.experiment.figures import COLOURS, SHADES, Figure, Panel
from levelsmith.experiment.page import Gallery, Item, Section
from levelsmith.experiment.panels import Line, bars, curves, span_of
from levelsmith.experiment.papers.maps.decisions import by_the_clock, sensitivity
from levelsmith.experiment.papers.maps.map_cells import (
    GOALS,
    METRICS,
    REPRESENTATIONS,
    TREES,
    WORDS,
    Key,
    Maps,
    colour,
    maps_of,
    search_bars,
    search_table,
)
from levelsmith.experiment.results import Results
from levelsmith.experiment.statistics import Estimate, Numbers, mean, means, share

EXAMPLES = 3  # maps of each cell, one from each kind of start
LETTERS = "Letters: narrow, turtle, wide."


def sections(results: Results) -> list[Section]:
    main, clocked, sensitive = maps_of(results)
    if not main.cells:
        return general.sections(results)
    made = [solved(main), depth(main), time(main), expressive(main), examples(main)]
    if clocked.cells:
        made.append(by_the_clock(main, clocked))
    if sensitive:
        made.append(sensitivity(main, sensitive))
    return [section for section in made if section.items]


# --------------------------------------------------------------------------------------------- figures 1 to 3


def solved(maps: Maps) -> Section:
    def figure(key: Key) -> Estimate:
        return share(maps.values(key, "solved"))

    paper = (
        "Figure 1: ES and GA solve most. MCTS does worse on wide than other tree searches. DFS does better "
        "than BFS in almost all experiments. Narrow seems the easiest for most, except for path length. "
    )
    paper += "A* and MCTS find more than" if maps.earlier else "Best-first and MCTS find as many as"
    panels = [search_bars(maps, maps.searches, goal, figure) for goal in maps.goals]
    items: list[Item] = [
        Figure("figure-1-solved", "Figure 1: solved runs", panels, f"{paper} HC and SA.", LETTERS),
        search_table(maps, "figure-1-solved", "The same as a table", "share", figure, maps.searches),
        _by_evaluations(maps),
    ]
    tests = general.paired_table(maps.results, list(maps.cells.values()), "tests", folded=True)
    return Section("Solved", [*items, *([tests] if tests else [])])


def _by_evaluations(maps: Maps) -> Figure:
    """Returns the share that is solved after so many evaluations; the best representation of each search."""
    most = max(float(np.nanmax(maps.values(key, "evaluations"))) for key in maps.cells)
    grid = np.geomspace(1, most, general.POINTS)
    panels = []
    for goal in maps.goals:
        lines = []
        for search in maps.searches:
            keys = [key for each in REPRESENTATIONS if (key := (search, each, goal)) in maps.cells]
            if not keys:
                continue
            key = max(keys, key=lambda key: float(np.nanmean(maps.values(key, "solved"))))
            done = maps.values(key, "solved")
            spent = np.where(done == 1, maps.values(key, "evaluations"), np.inf)[~np.isnan(done)]
            centre, low, high = means((spent[:, None] <= grid[None, :]) * np.float64(100))
            style = "-" if search in TREES else (0, (4, 2))
            lines.append(Line(search, grid, centre, colour(search), low, high, style))
        panels.append(curves(goal, lines, "evaluations", "solved, %", log=True, legend=False))
    note = "Each search on the representation where it solves most; optimisers are dashed. Not in the paper."
    legend = {search: colour(search) for search in maps.searches}
    return Figure("solved-by-evaluations", "Solved by evaluations", panels, note=note, legend=legend)


def depth(maps: Maps) -> Section:
    trees = maps.trees
    if not any(np.isfinite(maps.values(key, "depth_reached")).any() for key in maps.cells if key[0] in trees):
        return Section("Depth")

    def reached(key: Key) -> Estimate:
        return mean(maps.values(key, "depth_reached"))

    panels: list[Panel] = []
    if "bfs" in trees and not maps.earlier:
        groups = [
            (
                goal,
                [
                    (name[0], mean(maps.depth_needed(("bfs", name, goal))), COLOURS["bfs"], shade)
                    for name, shade in zip(REPRESENTATIONS, SHADES, strict=True)
                ],
            )
            for goal in maps.goals
        ]
        panels.append(bars("(a) depth of solutions, by BFS", groups, "depth"))
    for letter, goal in zip("bcd", maps.goals, strict=False):
        title = goal if maps.earlier else f"({letter}) depth reached, {goal}"
        panels.append(search_bars(maps, trees, goal, reached, "depth", title=title, log=True))
    paper = (
        "Figure 2: solutions on wide lie at low depth. BFS and MCTS reach almost half the depth required, "
        "above all on wide; DFS and best-first go deeper."
    )
    note = (
        "Where BFS found no solution, one level more than it reached is counted, as in the paper. The paper "
        "counts MCTS among the searches that find the shortest way; it is not, so BFS alone is used. "
    )
    title = "Figure 2: depth of solutions and depth reached"
    if maps.earlier:
        paper = "Figure 2: MCTS on wide does not go deep enough to find a solution. DFS goes deeper than BFS."
        note, title = "", "Figure 2: depth reached"
    figure = Figure("figure-2-depth", title, panels, paper, note + LETTERS, columns=2)
    table = search_table(maps, "figure-2-depth-reached", "Depth reached", "number", reached, trees)
    return Section("Depth", [figure, table])


def time(maps: Maps) -> Section:
    def counted(key: Key, name: str) -> Numbers:
        values = maps.values(key, name)
        return np.where(maps.values(key, "solved") == 1, values, np.nan) if maps.earlier else values

    def seconds(key: Key) -> Estimate:
        return mean(counted(key, "seconds"))

    def evaluations(key: Key) -> Estimate:
        return mean(counted(key, "evaluations"))

    paper = (
        "Figure 3, time of all runs: optimisers take a lot less time, except HC and ES on connectivity. "
        "Best-first takes about as little. MCTS is like best-first on empty tiles except on wide, else like "
        "BFS and DFS. Path length is slowest."
    )
    if maps.earlier:
        paper = "Figure 3, time to a solution: path length takes longest, empty tiles almost no time."
    which = "runs that solved" if maps.earlier else "all runs, solved or not"
    taken, spent = (
        [search_bars(maps, maps.searches, goal, figure, label, log=True) for goal in maps.goals]
        for figure, label in ((seconds, "seconds"), (evaluations, "evaluations"))
    )
    same = f"The same in evaluations, which no machine changes: {which}"
    return Section(
        "Time",
        [
            Figure(
                "figure-3-time", f"Figure 3: mean time of {which}", taken, paper, "Logarithmic. " + LETTERS
            ),
            Figure("figure-3-evaluations", same, spent),
            search_table(maps, "figure-3-time", "Seconds as a table", "seconds", seconds, maps.searches),
            search_table(maps, "figure-3-evaluations", "Evaluations", "count", evaluations, maps.searches),
        ],
    )


# --------------------------------------------------------------------------------------------- figures 4 to 9

RANGES = {
    "empty-tiles": """Most searches make like maps, except BFS on narrow (more connected, longer paths),
HC (more connected, medium paths), best-first and DFS on wide, and DFS on turtle (more connected, longer
paths).""",
    "path-length": """On narrow, BFS, DFS and MCTS have more empty tiles and are more connected than
best-first. On wide all tree searches but best-first make connected maps with many empty tiles;
optimisers span a wide range, except SA: average empty tiles, low connectivity. On turtle all but
best-first are highly connected.""",
    "connectivity": """All tree searches have the same empty tiles and path lengths, except best-first on
narrow and turtle, with fewer empty tiles. Optimisers vary in empty tiles; SA has slightly longer paths.""",
}
EARLIER_RANGES = {
    "empty-tiles": """Most make like maps, except BFS on narrow (more connected, longer paths), HC on
wide (more connected, shorter to medium paths), and DFS on turtle (more connected, longer paths).""",
    "path-length": """On narrow, BFS, DFS and A* have more empty tiles and are more connected than the
rest. On wide all are connected with many empty tiles, except SA. On turtle, tree searches are more
connected with more empty tiles.""",
    "connectivity": """On narrow, tree searches have more empty tiles and shorter paths. On wide SA has
slightly longer paths. On turtle, tree searches have more empty tiles but equal path lengths.""",
}


def expressive(maps: Maps) -> Section:
    """Returns figures 4 to 6: for each goal, the two other metrics of the maps made for it."""
    said = EARLIER_RANGES if maps.earlier else RANGES
    numbers = dict(zip(GOALS, (4, 6, 8) if maps.earlier else (4, 5, 6), strict=True))
    which = "best maps of all runs" if maps.earlier else "maps that solve"
    section = Section("Expressive range")
    for goal in maps.goals:
        names = [name for own, name in METRICS.items() if own != goal and name in maps.results.metrics]
        if len(names) < 2 or goal not in METRICS:
            continue
        labels = (WORDS[names[0]], WORDS[names[1]])
        keys = [key for key in maps.cells if key[2] == goal]
        both = [span_of(np.concatenate([maps.made(key, name) for key in keys])) for name in names]
        panels = []
        for search in maps.searches:
            each = maps.representations(search)
            for name in each:
                x, y = (maps.made((search, name, goal), metric) for metric in names)
                title = f"{search} {name}" if len(each) > 1 else search
                panels.append(general.range_panel(title, x, y, labels, both, colour(search)))
        title = f"Figure {numbers[goal]}: {goal}, {labels[0]} and {labels[1]} of the {which}"
        stem = f"figure-{numbers[goal]}-range-{goal}"
        section.items.append(Figure(stem, title, panels, said[goal], columns=4))
    return section


def examples(maps: Maps) -> Section:
    """Returns figures 7 to 9: maps of each cell."""
    numbers = dict(zip(GOALS, (5, 7, 9) if maps.earlier else (7, 8, 9), strict=True))
    section = Section("Maps")
    for goal in maps.goals:
        shown = []
        for search in maps.searches:
            for each in maps.representations(search):
                cell = maps.cells.get((search, each, goal))
                if cell is not None:
                    found = maps.results.levels(cell, EXAMPLES, best=False, solved=not maps.earlier)
                    shown += [(level, _about(search, each, known["metrics"])) for level, known in found]
        title = f"Figure {numbers.get(goal, '–')}: maps made for {goal}"
        section.items.append(Gallery(title, shown, note=f"The first {EXAMPLES} of each cell.", side=84))
    return section


def _about(search: str, representation: str, metrics: dict[str, Any]) -> str:
    told = [f"{metrics[name]} {name}" for name in ("empty", "path") if name in metrics]
    return " · ".join([f"{search} {representation}", *told])
