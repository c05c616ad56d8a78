"""What budgets and open decisions change in the runs on binary maps."""

from __future__ import annotations

from collections.abc import Sequence

from levelsmith.experiment import general
from levelsmith.experiment.figures import Figure
from levelsmith.experiment.page import Section, Table
from levelsmith.experiment.papers.maps.map_cells import Maps, search_bars
from levelsmith.experiment.results import CellRuns
from levelsmith.experiment.statistics import mean, share, share_difference, together


def by_the_clock(maps: Maps, clocked: Maps) -> Section:
    """Returns the same cells with a budget of time beside the budget of evaluations."""
    cells = clocked.cells.values()
    budgets = ", ".join(dict.fromkeys(map(general.budget, cells)))
    rows = []
    stopped = 0
    for key, cell in clocked.cells.items():
        memory = int((clocked.results.stopped[cell.start : cell.end] == "memory").sum())
        stopped += memory
        shares = [share(each.values(key, "solved")) for each in (clocked, maps)]
        spent = mean(clocked.values(key, "evaluations"))
        rows.append([*key, cell.runs, *shares, memory or None, spent])
    columns = {
        "search": "text",
        "on": "text",
        "goal": "text",
        "runs": "count",
        "solved by the clock": "share",
    }
    columns |= {"solved by evaluations": "share", "out of memory": "count", "evaluations": "count"}
    lead = (
        f"The paper gave each run 60 s. These runs had {budgets}, with a program that does far more in that "
        f"time. {stopped:,} of {sum(cell.runs for cell in cells):,} stopped because memory was used up."
    )
    panels = [
        search_bars(clocked, clocked.searches, goal, lambda key: share(clocked.values(key, "solved")))
        for goal in clocked.goals
    ]
    table = Table("by-the-clock", "Solved, by time and by evaluations", columns, rows, folded=True)
    return Section("By the clock", [lead, Figure("by-the-clock", "Solved by the clock", panels), table])


def sensitivity(maps: Maps, cells: Sequence[CellRuns]) -> Section:
    """Returns what the decisions that the papers leave open change."""
    rows = []
    for cell in cells:
        key = (cell.search, cell.representation, cell.goal)
        if key in maps.cells and maps.cells[key].setting == cell.setting:
            continue  # decided as in the paper
        decided = [
            str(value) if name == "row" else f"{name} {value}"
            for name, value in cell.varied.items()
            if name not in ("search", "representation", "objective")
        ]
        mine, main = together(maps.results.values(cell, "solved"), maps.values(key, "solved"))
        more = share_difference(mine, main).times(100)
        rows.append([", ".join(decided) or cell.name, *key, len(mine), share(mine), share(main), more])
    columns = {"decided so": "text", "search": "text", "on": "text", "goal": "text", "runs": "count"}
    columns |= {"solved": "share", "as in the paper": "share", "points more": "number"}
    lead = (
        "The paper leaves these decisions open. Each was decided another way, all else alike; the runs are "
        "paired with those above. Ties of ES, wins at the ends of rollouts and the time of a stuck HC are "
        "not among them, and the authors' later program decides them otherwise."
    )
    return Section("Sensitivity", [lead, Table("sensitivity", "Open decisions", columns, rows)])
