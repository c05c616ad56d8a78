"""Pages on binary maps: the figures of Bhaumik, Khalifa, Green and Togelius (FDG 2020), in both editions.

What the paper says beside each figure is in `pages.toml`, its statements are in `statements.toml`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from levelsmith.core import Level
from levelsmith.experiment import general
from levelsmith.experiment.figures import COLOURS, SHADES, Figure, Panel
from levelsmith.experiment.page import Item, Section, Table, plain_cell
from levelsmith.experiment.panels import Line, bars, curves, densest, heat, opacity, span_of
from levelsmith.experiment.papers.captions import Front
from levelsmith.experiment.papers.maps.decisions import by_the_clock, by_work, sensitivity
from levelsmith.experiment.papers.maps.judging import styles_of
from levelsmith.experiment.papers.maps.map_cells import (
    CAPTIONS,
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
from levelsmith.experiment.statistics import NOTHING, Estimate, Numbers, mean, means, share

EXAMPLES = 3  # maps of each cell, one from each kind of start
LOOKED_AT = 60  # maps of each cell that they are chosen from
STRIDE = 7  # of them, from the first that a cell looks at to the first of the next cell
FEW_UNTOUCHED = 0.05  # share of maps that no search changed, up to which one figure does


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


def front(results: Results) -> Front:
    return CAPTIONS.front(_edition("front", maps_of(results).main))


# --------------------------------------------------------------------------------------------- figures 1 to 3


def _edition(name: str, maps: Maps) -> str:
    """Returns the name of what `pages.toml` says of the edition that was run."""
    return f"{name}-earlier" if maps.earlier else name


def solved(maps: Maps) -> Section:
    def figure(key: Key) -> Estimate:
        return share(maps.values(key, "solved"))

    chance = {goal: maps.chance(goal) for goal in maps.goals}
    panels = [search_bars(maps, maps.searches, goal, figure, level=chance[goal]) for goal in maps.goals]
    told = ", ".join(f"{goal} {plain_cell(found, 'share')}" for goal, found in chance.items() if found)
    name = "figure-1-solved"
    words = {
        "trees": CAPTIONS.text(name, _edition("trees", maps)),
        "chance": f" {CAPTIONS.text(name, 'chance', told=told)}" if told else "",
    }
    items: list[Item] = [
        CAPTIONS.figure(name, panels, **words),
        search_table(maps, name, "The same as a table", "share", figure, maps.searches),
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
    legend = {search: colour(search) for search in maps.searches}
    return CAPTIONS.figure("solved-by-evaluations", panels, legend=legend)


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
    name, known = "figure-2-depth", ""
    if ("bfs", "wide", GOALS[0]) in maps.cells:
        changes = mean(maps.changes_needed(("bfs", "wide", GOALS[0])))
        known = CAPTIONS.text(name, "known", told=plain_cell(changes, "number")) + " "
    figure = CAPTIONS.figure(_edition(name, maps), panels, stem=name, known=known)
    table = search_table(maps, "figure-2-depth-reached", "Depth reached", "number", reached, trees)
    return Section("Depth", [figure, table])


def time(maps: Maps) -> Section:
    def counted(key: Key, values: Numbers) -> Numbers:
        return np.where(maps.values(key, "solved") == 1, values, np.nan) if maps.earlier else values

    def seconds(key: Key) -> Estimate:
        return mean(counted(key, maps.seconds(key)))

    def evaluations(key: Key) -> Estimate:
        return mean(counted(key, maps.spent(key)))

    taken, spent = (
        [search_bars(maps, maps.searches, goal, figure, label, log=True) for goal in maps.goals]
        for figure, label in ((seconds, "seconds"), (evaluations, "evaluations"))
    )
    stem = "figure-3-evaluations"
    items: list[Item] = [
        CAPTIONS.figure(_edition(stem, maps), spent, stem=stem),
        CAPTIONS.figure("figure-3-time", taken),
        search_table(maps, stem, "Evaluations as a table", "count", evaluations, maps.searches),
        search_table(maps, "figure-3-time", "Seconds as a table", "seconds", seconds, maps.searches),
    ]
    return Section("Time", items)


# --------------------------------------------------------------------------------------------- figures 4 to 9


def expressive(maps: Maps) -> Section:
    """Returns figures 4 to 6: for each goal, the two other metrics of the maps made for it."""
    section = Section("Expressive range", [CAPTIONS.text("which-maps"), _untouched_table(maps)])
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
    words = {"number": number, "goal": goal, "x": labels[0], "y": labels[1], "which": which}
    words["said"] = "" if ending else CAPTIONS.text("range", _edition(goal, maps))
    return CAPTIONS.figure(
        "range", panels, stem=f"figure-{number}-range-{goal}{ending}", legend=legend, **words
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
    general.add_corrected(rows)
    return CAPTIONS.table("styles", rows)


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
        words: dict[str, Any] = {"number": numbers.get(goal, "–"), "goal": goal, "most": EXAMPLES}
        section.items.append(CAPTIONS.gallery("examples", shown, **words))
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
