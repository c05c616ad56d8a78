"""Pages on binary maps: the figures of Bhaumik, Khalifa, Green and Togelius (FDG 2020) and their earlier edition.

What the paper says stands beside each figure. The statements T1 to T20 are judged in `statements.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from levelsmith.experiment.figures import COLOURS, SHADES, Figure, Line, Panel, bars, curves, span_of
from levelsmith.experiment.page import Gallery, Item, Section, Table, Verdict
from levelsmith.experiment.pages import general
from levelsmith.experiment.results import Cell, Results
from levelsmith.experiment.statistics import Estimate, Numbers, mean, means, share

TREES = ("bfs", "dfs", "best", "astar", "mcts")
OPTIMISERS = ("hc", "sa", "es", "ga")
REPRESENTATIONS = ("narrow", "turtle", "wide")
GOALS = ("empty-tiles", "path-length", "connectivity")
METRICS = {"empty-tiles": "empty", "path-length": "path", "connectivity": "regions"}
WORDS = {"empty": "empty tiles", "path": "path length", "regions": "regions"}
SENSITIVITY = ("sensitivity", "open decisions")  # how parts begin that turn what the papers leave open
EXAMPLES = 3  # maps of each cell, one from each kind of start

Key = tuple[str, str, str]  # search, representation, goal


class Maps:
    """The cells of one comparison by search, representation and goal."""

    def __init__(self, results: Results, cells: Sequence[Cell]):
        self.results = results
        self.cells: dict[Key, Cell] = {}
        for cell in cells:
            self.cells.setdefault((cell.search, cell.representation, cell.goal), cell)

    @cached_property
    def searches(self) -> list[str]:
        known = {search for search, _, _ in self.cells}
        return [search for search in (*TREES, *OPTIMISERS) if search in known] + sorted(
            known - {*TREES, *OPTIMISERS}
        )

    @property
    def trees(self) -> list[str]:
        return [search for search in self.searches if search in TREES]

    @property
    def optimisers(self) -> list[str]:
        return [search for search in self.searches if search in OPTIMISERS]

    @cached_property
    def goals(self) -> list[str]:
        known = dict.fromkeys(goal for _, _, goal in self.cells)
        return [goal for goal in GOALS if goal in known] + [goal for goal in known if goal not in GOALS]

    @cached_property
    def earlier(self) -> bool:
        """Whether these are the runs of the earlier edition, with A* and optimisers on all representations."""
        return "astar" in self.searches and "best" not in self.searches

    def representations(self, search: str) -> list[str]:
        known = dict.fromkeys(each for name, each, _ in self.cells if name == search)
        return [each for each in REPRESENTATIONS if each in known]

    def values(self, key: Key, name: str) -> Numbers:
        cell = self.cells.get(key)
        return np.full(0, np.nan) if cell is None else self.results.values(cell, name)

    def depth_needed(self, key: Key) -> Numbers:
        """The depth of a solution, or one more than was reached, as for the paper's figure 2a."""
        solved, reached = self.values(key, "solved"), self.values(key, "depth_reached")
        return np.where(solved == 1, self.solution_depth(key), reached + 1)

    def solution_depth(self, key: Key) -> Numbers:
        return np.where(self.values(key, "solved") == 1, self.values(key, "depth_of_best"), np.nan)

    def made(self, key: Key, metric: str) -> Numbers:
        """A metric of the maps that count: all in the earlier edition, else those that solve."""
        values = self.values(key, metric)
        return values if self.earlier else np.where(self.values(key, "solved") == 1, values, np.nan)


def sections(results: Results) -> list[Section]:
    done = [cell for cell in results.cells if cell.runs]
    sensitive = [cell for cell in done if cell.part.startswith(SENSITIVITY)]
    clocked = [cell for cell in done if "seconds" in cell.setting and cell not in sensitive]
    main = Maps(results, [cell for cell in done if cell not in sensitive and cell not in clocked] or clocked)
    made = [solved(main), depth(main), time(main), *expressive(main), examples(main), judged(main)]
    if clocked and main.cells.keys():
        made.append(by_the_clock(main, Maps(results, clocked)))
    if sensitive:
        made.append(sensitivity(main, sensitive))
    return [section for section in made if section.items]


# ------------------------------------------------------------------------------------------------- figures 1 to 3


def _bars(maps: Maps, searches: Sequence[str], goal: str, figure: Callable[[Key], Estimate]) -> list[Any]:
    """Bars by search, one for each representation; their letters are n, t and w."""
    groups = []
    for search in searches:
        each = maps.representations(search)
        groups.append(
            (
                search,
                [
                    (
                        representation[0] if len(each) > 1 else "",
                        figure((search, representation, goal)),
                        COLOURS.get(search, COLOURS["random"]),
                        SHADES[REPRESENTATIONS.index(representation)] if len(each) > 1 else 1.0,
                    )
                    for representation in each
                ],
            )
        )
    return groups


def _table(
    maps: Maps, name: str, title: str, kind: str, figure: Callable[[Key], Estimate], searches: Sequence[str]
) -> Table:
    rows = [
        [search, representation, *(figure((search, representation, goal)) for goal in maps.goals)]
        for search in searches
        for representation in maps.representations(search)
    ]
    return Table(
        name, title, {"search": "text", "on": "text", **dict.fromkeys(maps.goals, kind)}, rows, folded=True
    )


def solved(maps: Maps) -> Section:
    def figure(key: Key) -> Estimate:
        return share(maps.values(key, "solved"))

    paper = (
        "Figure 1: ES and GA solve most. MCTS does worse on wide than other tree searches. DFS does better than BFS in "
        "almost all experiments. Narrow seems the easiest representation for most, except for path length. "
    )
    paper += (
        "A* and MCTS find more than HC and SA."
        if maps.earlier
        else "Best-first and MCTS find as many as HC and SA."
    )
    panels = [
        bars(goal, _bars(maps, maps.searches, goal, figure), "solved, %", percent=True) for goal in maps.goals
    ]
    items: list[Item] = [
        Figure("figure-1-solved", "Figure 1: solved runs", panels, paper, "Letters: narrow, turtle, wide."),
        _table(maps, "figure-1-solved", "The same as a table", "share", figure, maps.searches),
        _by_evaluations(maps),
    ]
    tests = general.tests_table(maps.results, list(maps.cells.values()), "tests", folded=True)
    return Section("Solved", [*items, *([tests] if tests else [])])


def _by_evaluations(maps: Maps) -> Figure:
    """The share that is solved after so many evaluations; the best representation of each search."""
    most = max(float(np.nanmax(maps.values(key, "evaluations"))) for key in maps.cells)
    grid = np.geomspace(1, most, general.POINTS)
    panels = []
    for goal in maps.goals:
        lines = []
        for search in maps.searches:
            keys = [(search, each, goal) for each in maps.representations(search)]
            keys = [key for key in keys if key in maps.cells]
            if not keys:
                continue
            key = max(keys, key=lambda key: float(np.nanmean(maps.values(key, "solved"))))
            known = ~np.isnan(maps.values(key, "solved"))
            spent = np.where(maps.values(key, "solved") == 1, maps.values(key, "evaluations"), np.inf)[known]
            centre, low, high = means(100.0 * (spent[:, None] <= grid[None, :]))
            colour = COLOURS.get(search, COLOURS["random"])
            lines.append(
                Line(search, grid, centre, colour, low, high, "-" if search in TREES else (0, (4, 2)))
            )
        panels.append(curves(goal, lines, "evaluations", "solved, %", log=True, legend=False))
    note = "Each search on the representation where it solves most; optimisers are dashed. Not in the paper."
    legend = {search: COLOURS.get(search, COLOURS["random"]) for search in maps.searches}
    return Figure("solved-by-evaluations", "Solved by evaluations", panels, note=note, legend=legend)


def depth(maps: Maps) -> Section:
    trees = maps.trees
    if not any(np.isfinite(maps.values(key, "depth_reached")).any() for key in maps.cells if key[0] in trees):
        return Section("Depth")

    def needed(key: Key) -> Estimate:
        return mean(maps.depth_needed(("bfs", *key[1:])))

    def reached(key: Key) -> Estimate:
        return mean(maps.values(key, "depth_reached"))

    panels: list[Panel] = []
    if "bfs" in trees and not maps.earlier:
        groups = [
            (
                goal,
                [
                    (r[0], needed(("bfs", r, goal)), COLOURS["bfs"], shade)
                    for r, shade in zip(REPRESENTATIONS, SHADES, strict=True)
                ],
            )
            for goal in maps.goals
        ]
        panels.append(bars("(a) depth of solutions, by BFS", groups, "depth"))
    for letter, goal in zip("bcd", maps.goals, strict=False):
        panels.append(
            bars(f"({letter}) depth reached, {goal}", _bars(maps, trees, goal, reached), "depth", log=True)
        )
    paper = (
        "Figure 2: solutions on wide lie at low depth. BFS and MCTS reach almost half the depth required, above all on "
        "wide; DFS and best-first go deeper."
    )
    if maps.earlier:
        paper = (
            "Figure 2: MCTS on wide does not go deep enough to find a solution. DFS goes far deeper than BFS."
        )
    note = (
        "Where BFS found no solution, one level more than it reached is counted, as in the paper. The paper counts MCTS "
        "among the searches that find the shortest way; it is not, so BFS alone is used here. Letters: narrow, turtle, wide."
    )
    figure = Figure(
        "figure-2-depth", "Figure 2: depth of solutions and depth reached", panels, paper, note, columns=2
    )
    return Section(
        "Depth", [figure, _table(maps, "figure-2-depth-reached", "Depth reached", "number", reached, trees)]
    )


def time(maps: Maps) -> Section:
    def seconds(key: Key) -> Estimate:
        return mean(maps.values(key, "seconds") if not maps.earlier else _if_solved(maps, key, "seconds"))

    def evaluations(key: Key) -> Estimate:
        return mean(
            maps.values(key, "evaluations") if not maps.earlier else _if_solved(maps, key, "evaluations")
        )

    paper = (
        "Figure 3, time of all runs: optimisers take a lot less time, except HC and ES on connectivity. Best-first takes "
        "about as little. MCTS is like best-first on empty tiles except on wide, else like BFS and DFS. Path length is "
        "slowest."
    )
    if maps.earlier:
        paper = "Figure 3, time to a solution: path length takes longest, empty tiles almost no time."
    which = "runs that solved" if maps.earlier else "all runs, solved or not"
    panels = [
        bars(goal, _bars(maps, maps.searches, goal, seconds), "seconds", log=True) for goal in maps.goals
    ]
    spent = [
        bars(goal, _bars(maps, maps.searches, goal, evaluations), "evaluations", log=True)
        for goal in maps.goals
    ]
    return Section(
        "Time",
        [
            Figure(
                "figure-3-time",
                f"Figure 3: mean time of {which}",
                panels,
                paper,
                "Note the logarithmic axis.",
            ),
            Figure(
                "figure-3-evaluations", f"The same in evaluations, which no machine changes: {which}", spent
            ),
            _table(maps, "figure-3-time", "Seconds as a table", "seconds", seconds, maps.searches),
            _table(
                maps, "figure-3-evaluations", "Evaluations as a table", "count", evaluations, maps.searches
            ),
        ],
    )


def _if_solved(maps: Maps, key: Key, name: str) -> Numbers:
    return np.where(maps.values(key, "solved") == 1, maps.values(key, name), np.nan)


# ------------------------------------------------------------------------------------------------- figures 4 to 9

RANGES = {
    "empty-tiles": "Most searches make like maps, except BFS on narrow (more connected, longer paths), HC (more connected, "
    "medium paths), best-first and DFS on wide, and DFS on turtle (more connected, longer paths).",
    "path-length": "On narrow, BFS, DFS and MCTS have more empty tiles and are more connected than best-first. On wide all "
    "tree searches but best-first make connected maps with many empty tiles; optimisers span a wide range, except SA: "
    "average empty tiles, low connectivity. On turtle all but best-first are highly connected.",
    "connectivity": "All tree searches have the same empty tiles and path lengths, except best-first on narrow and turtle, "
    "with fewer empty tiles. Optimisers vary in empty tiles; SA has slightly longer paths.",
}
EARLIER_RANGES = {
    "empty-tiles": "Most make like maps, except BFS on narrow (more connected, longer paths), HC on wide (more connected, "
    "shorter to medium paths), and DFS on turtle (more connected, longer paths).",
    "path-length": "On narrow, BFS, DFS and A* have more empty tiles and are more connected than the rest. On wide all are "
    "connected with many empty tiles, except SA. On turtle, tree searches are more connected with more empty tiles.",
    "connectivity": "On narrow, tree searches have more empty tiles and shorter paths. On wide SA has slightly longer "
    "paths. On turtle, tree searches have more empty tiles but equal path lengths.",
}


def expressive(maps: Maps) -> list[Section]:
    """Figures 4 to 6: for each goal, the two other metrics of the maps made for it."""
    said = EARLIER_RANGES if maps.earlier else RANGES
    numbers = dict(zip(GOALS, (4, 6, 8) if maps.earlier else (4, 5, 6), strict=True))
    items: list[Item] = []
    spans = {
        name: span_of(maps.results.metrics[name]) for name in METRICS.values() if name in maps.results.metrics
    }
    for goal in maps.goals:
        names = [name for own, name in METRICS.items() if own != goal and name in spans]
        if len(names) < 2 or goal not in METRICS:
            continue
        labels = (WORDS[names[0]], WORDS[names[1]])
        both = (spans[names[0]], spans[names[1]])
        panels = []
        for search in maps.searches:
            for each in maps.representations(search):
                x, y = (maps.made((search, each, goal), name) for name in names)
                title = f"{search} {each}" if len(maps.representations(search)) > 1 else search
                panels.append(
                    general.range_panel(title, x, y, labels, both, COLOURS.get(search, COLOURS["random"]))
                )
        which = "best maps of all runs" if maps.earlier else "maps that solve"
        title = f"Figure {numbers[goal]}: {goal}, {labels[0]} and {labels[1]} of the {which}"
        items.append(Figure(f"figure-{numbers[goal]}-range-{goal}", title, panels, said[goal], columns=4))
    return [Section("Expressive range", items)]


def examples(maps: Maps) -> Section:
    numbers = dict(zip(GOALS, (5, 7, 9) if maps.earlier else (7, 8, 9), strict=True))
    items: list[Item] = []
    for goal in maps.goals:
        shown = []
        for search in maps.searches:
            for each in maps.representations(search):
                cell = maps.cells.get((search, each, goal))
                found = (
                    []
                    if cell is None
                    else maps.results.levels(cell, EXAMPLES, best=False, solved=not maps.earlier)
                )
                shown += [(level, _about(search, each, known["metrics"])) for level, known in found]
        title = f"Figure {numbers.get(goal, '–')}: maps made for {goal}"
        items.append(Gallery(title, shown, note=f"The first {EXAMPLES} of each cell.", side=84))
    return Section("Maps", items)


def _about(search: str, representation: str, metrics: dict[str, Any]) -> str:
    told = [f"{metrics[name]} {name}" for name in ("empty", "path") if name in metrics]
    return " · ".join([f"{search} {representation}", *told])


# ---------------------------------------------------------------------------------------------------- judgements


def judged(maps: Maps) -> Section:
    from levelsmith.experiment.pages.statements import verdicts

    found = verdicts(maps)
    counts = {
        name: sum(each.verdict == name for each in found)
        for name in ("confirmed", "not confirmed", "cannot be said")
    }
    lead = (
        "Each statement is taken apart into claims with a number each. A claim holds, or fails, when its whole interval "
        "says so; the intervals of a statement are widened together (Bonferroni), so that all of them lie right in 95 % of "
        f"cases. **{counts['confirmed']} confirmed, {counts['not confirmed']} not confirmed, "
        f"{counts['cannot be said']} cannot be said from these runs.**"
    )
    rows = [[each.name, each.statement, each.verdict] for each in found]
    table = Table(
        "statements", "Verdicts", {"": "text", "statement": "text", "verdict": "text"}, rows, folded=True
    )
    return Section("Statements of the paper", [lead, *found, table])


def by_the_clock(maps: Maps, clocked: Maps) -> Section:
    """The same cells with a budget of time beside the budget of evaluations."""

    def figure(key: Key) -> Estimate:
        return share(clocked.values(key, "solved"))

    budgets = ", ".join(dict.fromkeys(general.budget(cell) for cell in clocked.cells.values()))
    rows = []
    stopped = sum(
        int((clocked.results.stopped[cell.start : cell.end] == "memory").sum())
        for cell in clocked.cells.values()
    )
    for key, cell in clocked.cells.items():
        memory = float((clocked.results.stopped[cell.start : cell.end] == "memory").mean())
        first = share(maps.values(key, "solved"))
        rows.append(
            [
                *key,
                cell.runs,
                share(clocked.values(key, "solved")),
                first,
                memory or None,
                mean(clocked.values(key, "evaluations")),
            ]
        )
    columns = {
        "search": "text",
        "on": "text",
        "goal": "text",
        "runs": "count",
        "solved by the clock": "share",
    }
    columns |= {"solved by evaluations": "share", "out of memory": "share", "evaluations": "count"}
    lead = f"The paper gave each run 60 s. These runs had {budgets}, on a machine and program that do far more in that time."
    lead += f" {stopped:,} of {sum(cell.runs for cell in clocked.cells.values()):,} runs stopped because memory was used up."
    panels = [
        bars(goal, _bars(clocked, clocked.searches, goal, figure), "solved, %", percent=True)
        for goal in clocked.goals
    ]
    table = Table("by-the-clock", "Solved, by time and by evaluations", columns, rows, folded=True)
    return Section("By the clock", [lead, Figure("by-the-clock", "Solved by the clock", panels), table])


def sensitivity(maps: Maps, cells: Sequence[Cell]) -> Section:
    """What the decisions that the papers leave open change."""
    rows = []
    for cell in cells:
        key = (cell.search, cell.representation, cell.goal)
        rest = ", ".join(
            f"{k} {v}" for k, v in cell.varied.items() if k not in ("search", "representation", "objective")
        )
        mine, main = maps.results.values(cell, "solved"), maps.values(key, "solved")
        difference: Any = None
        if len(main):
            found = general.share_difference(mine, main)
            difference = Estimate(*(100 * v for v in (found.value, found.low, found.high)), found.runs)
        if key in maps.cells and maps.cells[key].setting == cell.setting:
            continue  # decided as in the paper
        rows.append(
            [rest.removeprefix("row ") or cell.name, *key, cell.runs, share(mine), share(main), difference]
        )
    columns = {"decided so": "text", "search": "text", "on": "text", "goal": "text", "runs": "count"}
    columns |= {"solved": "share", "as in the paper": "share", "points more": "number"}
    lead = (
        "The paper leaves these decisions open. Each was decided another way, all else alike; the runs are paired with "
        "those above, which decide as the paper most likely did."
    )
    return Section("Sensitivity", [lead, Table("sensitivity", "Open decisions", columns, rows)])


__all__ = ["Maps", "Verdict", "sections"]
