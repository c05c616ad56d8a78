"""Pages on binary maps: the figures of Bhaumik, Khalifa, Green and Togelius (FDG 2020), in both editions.

What the paper says stands beside each figure. Its statements are in `statements.toml`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from levelsmith.core import Level
from levelsmith.experiment import general
from levelsmith.experiment.figures import COLOURS, SHADES, Figure, Panel
from levelsmith.experiment.page import Gallery, Item, Section, Table, plain_cell
from levelsmith.experiment.panels import Line, bars, curves, densest, heat, opacity, span_of
from levelsmith.experiment.papers.maps.decisions import by_the_clock, by_work, sensitivity
from levelsmith.experiment.papers.maps.judging import styles_of
from levelsmith.experiment.papers.maps.map_cells import (
    GOALS,
    METRICS,
    OPTIMISERS,
    REPRESENTATIONS,
    TREES,
    WORDS,
    Key,
    Maps,
    Reading,
    colour,
    maps_of,
    search_bars,
    search_table,
)
from levelsmith.experiment.papers.maps.styles import style_chance, style_distance
from levelsmith.experiment.results import Results
from levelsmith.experiment.statistics import NOTHING, Estimate, Numbers, holm, mean, means, share

EXAMPLES = 3  # maps of each cell, one from each kind of start
LOOKED_AT = 60  # maps of each cell that they are chosen from
STRIDE = 7  # of them, from the first that a cell looks at to the first of the next cell
FEW_UNTOUCHED = 0.05  # share of maps that no search changed, up to which one figure does
LETTERS = "Letters: narrow, turtle, wide."


def sections(results: Results) -> list[Section]:
    parts = maps_of(results)
    main = parts.main
    if not main.cells:
        return general.sections(results)
    made = [solved(main), depth(main), time(main), expressive(main), examples(main)]
    if parts.by_work.cells:
        made.append(by_work(main, parts.by_work))
    if parts.by_clock.cells and parts.by_clock is not main:
        made.append(by_the_clock(main, parts.by_clock))
    made.append(sensitivity(parts))
    return [section for section in made if section.items]


# --------------------------------------------------------------------------------------------- figures 1 to 3


def solved(maps: Maps) -> Section:
    def figure(key: Key) -> Estimate:
        return share(maps.values(key, "solved"))

    paper = (
        "Figure 1: ES and GA outperform the others, as was expected. MCTS does worse on wide than other "
        "tree searches. DFS does better than BFS in almost all experiments. Narrow seems the easiest for "
        "most, except for path length. "
    )
    paper += "A* and MCTS find more than" if maps.earlier else "Best-first and MCTS find the same amount as"
    chance = {goal: maps.chance(goal) for goal in maps.goals}
    panels = [search_bars(maps, maps.searches, goal, figure, level=chance[goal]) for goal in maps.goals]
    told = [f"{goal} {plain_cell(found, 'share')}" for goal, found in chance.items() if found]
    note = f"{LETTERS} The dashed line is chance: the share of start maps that solve as they are drawn"
    items: list[Item] = [
        Figure(
            "figure-1-solved",
            "Figure 1: solved runs",
            panels,
            f"{paper} HC and SA in most cases.",
            f"{note} ({', '.join(told)})." if told else LETTERS,
        ),
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
        "Where BFS found no solution, one level more than it reached is counted, as in the paper: a bound, "
        "for the nearest solution may lie far deeper. The paper counts MCTS among the searches that find "
        "the shortest way; it is not, so BFS alone is used. "
    )
    known = [maps.changes_needed(key) for key in [("bfs", "wide", GOALS[0])] if key in maps.cells]
    if known:
        told = plain_cell(mean(known[0]), "number")
        note += f"For empty tiles on wide the depth needed is known without a search: {told} on average. "
    title = "Figure 2: depth of solutions and depth reached"
    if maps.earlier:
        paper = "Figure 2: MCTS on wide does not go deep enough to find a solution. DFS goes deeper than BFS."
        note, title = "", "Figure 2: depth reached"
    figure = Figure("figure-2-depth", title, panels, paper, note + LETTERS, columns=2)
    table = search_table(maps, "figure-2-depth-reached", "Depth reached", "number", reached, trees)
    return Section("Depth", [figure, table])


def time(maps: Maps) -> Section:
    def counted(key: Key, values: Numbers) -> Numbers:
        return np.where(maps.values(key, "solved") == 1, values, np.nan) if maps.earlier else values

    def seconds(key: Key) -> Estimate:
        return mean(counted(key, maps.seconds(key)))

    def evaluations(key: Key) -> Estimate:
        return mean(counted(key, maps.spent(key)))

    paper = (
        "Figure 3, time of all runs: optimisers take a lot less time, except HC and ES on connectivity. "
        "Best-first takes about as little. MCTS is like best-first on empty tiles except on wide, else like "
        "BFS and DFS."
    )
    if maps.earlier:
        paper = "Figure 3, time to a solution: path length takes longest, empty tiles almost no time."
    which = "runs that solved" if maps.earlier else "all runs, solved or not"
    taken, spent = (
        [search_bars(maps, maps.searches, goal, figure, label, log=True) for goal in maps.goals]
        for figure, label in ((seconds, "seconds"), (evaluations, "evaluations"))
    )
    note = f"Logarithmic. {LETTERS} A stuck hill climber is charged its whole budget: the paper's ran on."
    return Section(
        "Time",
        [
            Figure("figure-3-evaluations", f"Figure 3: mean evaluations of {which}", spent, paper, note),
            Figure(
                "figure-3-time",
                "The same in seconds of the machines that ran it, for which no verdict goes",
                taken,
            ),
            search_table(
                maps, "figure-3-evaluations", "Evaluations as a table", "count", evaluations, maps.searches
            ),
            search_table(maps, "figure-3-time", "Seconds as a table", "seconds", seconds, maps.searches),
        ],
    )


# --------------------------------------------------------------------------------------------- figures 4 to 9

WHICH_MAPS = (
    "The maps are those that solve. Some of them are start maps that solve as they are drawn, before a "
    "search changes anything: they say nothing about a search, so they are counted here, and where they are "
    "many a second figure leaves them out."
)
RANGES = {
    "empty-tiles": """Most searches make like maps, except BFS on narrow (more connected, longer paths),
HC (more connected, medium paths), best-first and DFS on wide, and DFS on turtle (more connected, longer
paths).""",
    "path-length": """On narrow, BFS, DFS and MCTS have more empty tiles and are more connected than
best-first. On wide all tree searches but best-first make connected maps with many empty tiles;
optimisers span a wide range, except SA: average empty tiles, low connectivity. On turtle all tree
searches make highly connected maps with many empty tiles, but best-first has a bigger spectrum.""",
    "connectivity": """All tree searches have the same empty tiles and path lengths, except best-first on
narrow and turtle, with fewer empty tiles. Optimisers vary in empty tiles with similar path
lengths; SA has slightly longer paths, and its empty tiles do not span two intervals.""",
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
    section = Section("Expressive range", [WHICH_MAPS, _untouched_table(maps)])
    changed = maps.read_as(Reading(drawn=False))
    for goal in maps.goals:
        if goal not in METRICS or len(_metrics_beside(maps, goal)) < 2:
            continue
        section.items.append(_range_figure(maps, goal, "maps that solve", ""))
        if _share_untouched(maps, goal) > FEW_UNTOUCHED:
            section.items.append(_range_figure(changed, goal, "maps that solve and were changed", "-changed"))
    section.items.append(_styles_table(maps))
    return section


def _metrics_beside(maps: Maps, goal: str) -> list[str]:
    return [name for own, name in METRICS.items() if own != goal and name in maps.results.metrics]


def _range_figure(maps: Maps, goal: str, which: str, ending: str) -> Figure:
    """Returns a panel for each cell, four in a row as in the paper, with one scale of colour."""
    said = EARLIER_RANGES if maps.earlier else RANGES
    number = dict(zip(GOALS, (4, 6, 8) if maps.earlier else (4, 5, 6), strict=True))[goal]
    names = _metrics_beside(maps, goal)
    labels = (WORDS[names[0]], WORDS[names[1]])
    keys = [
        (search, each, goal)
        for family in (maps.trees, maps.optimisers)
        for each in REPRESENTATIONS
        for search in family
        if (search, each, goal) in maps.cells
    ]
    made = {key: (maps.made(key, names[0]), maps.made(key, names[1])) for key in keys}
    both = [span_of(np.concatenate([columns[i] for columns in made.values()])) for i in (0, 1)]
    spans = (both[0], both[1])
    most = max([densest(x, y, spans) for x, y in made.values()])
    panels = [
        heat(
            f"{search} {each} ({np.isfinite(made[search, each, goal][0]).sum():,})",
            *made[search, each, goal],
            labels,
            spans,
            most=most,
            width=2.4,
            height=2.3,
        )
        for search, each, _ in keys
    ]
    legend = {}
    for part in (0.01, 0.1, 1.0) if most else ():
        alpha = round(255 * float(opacity(part)))
        legend[f"{100 * part * most:.3g} % of a panel's maps"] = f"{COLOURS['bfs']}{alpha:02x}"
    title = f"Figure {number}: {goal}, {labels[0]} and {labels[1]} of the {which}"
    note = "In brackets, how many maps; the colour of a bin says which share of its panel's maps it holds."
    stem = f"figure-{number}-range-{goal}{ending}"
    return Figure(
        stem, title, panels, "" if ending else " ".join(said[goal].split()), note, columns=4, legend=legend
    )


def _share_untouched(maps: Maps, goal: str) -> float:
    found = np.concatenate([maps.untouched(key) for key in maps.cells if key[2] == goal])
    return float(np.nanmean(found)) if np.isfinite(found).any() else 0.0


def _untouched_table(maps: Maps) -> Table:
    """Returns how many of the maps that solve do so as they were drawn."""
    table = search_table(
        maps,
        "untouched",
        "Of the maps that solve, those that solve as they were drawn",
        "share",
        lambda key: share(maps.untouched(key)) if key in maps.cells else NOTHING,
        maps.searches,
    )
    all_cells = [100 * _share_untouched(maps, goal) for goal in maps.goals]
    told = ", ".join(f"{goal} {found:.0f} %" for goal, found in zip(maps.goals, all_cells, strict=True))
    return replace(table, note=f"Of the maps of all cells: {told}.", folded=False)


def _styles_table(maps: Maps) -> Table:
    """Returns how far the maps of each cell are from those of the other searches, and how sure that is."""
    rows: list[list[Any]] = []
    for key in maps.cells:
        others = [each for each in maps.cells if each[2] == key[2] and each != key]
        others = [
            each for each in others if each[1] == key[1] or (not maps.earlier and each[0] in OPTIMISERS)
        ]
        if others and len(_metrics_beside(maps, key[2])) == 2:
            sides = [styles_of(maps, [key]), styles_of(maps, others)]
            rows.append([*key, style_distance(*sides).estimate(), style_chance(*sides)])
    for row, corrected in zip(rows, holm([row[-1] for row in rows]), strict=True):
        row.append(corrected)
    columns = {"search": "text", "on": "text", "goal": "text", "energy distance": "number"}
    columns |= {"p": "chance", "p, corrected": "chance"}
    note = (
        "The energy distance of the two metrics between the maps of a cell and those of the other searches "
        "on the same representation (and of the optimisers), from 0 to 1; p by a permutation test, "
        "corrected by Holm."
    )
    return Table(
        "styles", "Do styles differ? Each cell against the others", columns, rows, note=note, folded=True
    )


def examples(maps: Maps) -> Section:
    """Returns figures 7 to 9: maps of each cell that the search changed, none of them twice."""
    numbers = dict(zip(GOALS, (5, 7, 9) if maps.earlier else (7, 8, 9), strict=True))
    section = Section("Maps")
    for goal in maps.goals:
        shown: list[tuple[Level, str]] = []
        seen: set[str] = set()
        for search in maps.searches:
            for each in maps.representations(search):
                if (search, each, goal) in maps.cells:
                    for level, metrics in _picked(maps, (search, each, goal), seen):
                        shown.append((level, _about(search, each, metrics)))
        title = f"Figure {numbers.get(goal, '–')}: maps made for {goal}"
        note = (
            f"Of each cell up to {EXAMPLES} maps that solve, from different kinds of start, no map twice; "
            "where there are any, maps that the search changed."
        )
        section.items.append(Gallery(title, shown, note=note, side=84))
    return section


def _picked(maps: Maps, key: Key, seen: set[str]) -> list[tuple[Level, dict[str, Any]]]:
    """Returns maps of a cell that were not seen yet: changed ones first, and of each kind of start one."""
    found = maps.results.levels(maps.cells[key], LOOKED_AT, best=False, solved=True)
    drawn = maps.drawn(key)
    begin = list(maps.cells).index(key) * STRIDE % max(1, len(found))  # cells share their start maps
    ranked = [*found[begin:], *found[:begin]]
    ranked.sort(key=lambda each: (each[1]["evaluations"] or 0) <= drawn)
    picked: dict[str, tuple[Level, dict[str, Any]]] = {}
    for level, known in ranked:
        start = str(known["turn"])
        if level.text not in seen and start not in picked:
            picked[start] = (level, known["metrics"])
            seen.add(level.text)
    return list(picked.values())[:EXAMPLES]


def _about(search: str, representation: str, metrics: dict[str, Any]) -> str:
    told = [f"{metrics[name]} {name}" for name in ("empty", "path") if name in metrics]
    return " · ".join([f"{search} {representation}", *told])
