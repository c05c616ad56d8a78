"""How the trees of each rule grow, and how their scores compare along the budget."""

from __future__ import annotations

import numpy as np

from levelsmith.experiment.figures import Figure, colours_of
from levelsmith.experiment.page import Item, Section, Table, plain_cell
from levelsmith.experiment.panels import curves, line_of
from levelsmith.experiment.papers.captions import Captions
from levelsmith.experiment.papers.kartal.runs import BASE, PREFERRED, KartalRuns, budget_of, by_rule
from levelsmith.experiment.papers.kartal.statements import THRESHOLDS, statements_of
from levelsmith.experiment.results import CellRuns
from levelsmith.experiment.statistics import mean
from levelsmith.experiment.verdicts import judge

CAPTIONS = Captions(__package__)
USUAL = {name: each.value for name, each in THRESHOLDS.items()}
STAGES = (100_000, 250_000, 500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000)  # evaluations
FROZEN = 0.5  # share of iterations at a finished leaf from which a tree has stopped
FIGURES = (("nodes_added", "nodes added, thousands", 1000), ("finished_share", "share at a finished leaf", 1))
POINTS = 40  # of a curve


def sections(k: KartalRuns) -> list[Section]:
    """Returns the sections on growth and on the budget, as far as there are runs for them."""
    found = [
        Section("How trees grow", _growth(k)),
        Section("The rules along the budget", _along(k)),
    ]
    return [section for section in found if section.items]


# ----------------------------------------------------------------------------------------------------- growth


def _growth(k: KartalRuns) -> list[Item]:
    """Returns what happened to trees in words, nodes along the budget, and a table of all cells."""
    cells = [cell for size in k.sizes for cell in k.on(size).values()]
    if not any(np.isfinite(k.results.values(cell, "nodes_added")).any() for cell in cells):
        return []  # a file of runs from before they were counted
    items: list[Item] = [_told(k)] if {BASE, PREFERRED} <= set(k.rules) else []
    figure = _nodes(k)
    return [*items, *([figure] if figure else []), _table(k, cells)]


def _told(k: KartalRuns) -> str:
    """Returns what became of the trees of UCB-V beside those of UCB, on the smallest board."""
    size = k.sizes[0]
    mine, other = (_statistic(k, k.compared[rule, size], "nodes_added") for rule in (PREFERRED, BASE))
    again = _statistic(k, k.compared[PREFERRED, size], "finished_share")
    stages = {budget_of(cell): cell for cell in _stages(k, PREFERRED, size)}
    early = max((stage for stage in stages if stage <= k.budget / 4), default=0.0)
    before = _statistic(k, stages[early], "nodes_added") if early else 0.0
    word, later = "frozen" if again > FROZEN else "growing", max(0.0, mine - before)
    told = {"early": early, "before": before, "later": later, "budget": k.budget}
    return CAPTIONS.text("growth", word, size=size, again=100 * again, other=other, **told)


def briefly(k: KartalRuns) -> str:
    """Returns why the rules come apart, if the trees of UCB-V froze; else nothing."""
    if not {BASE, PREFERRED} <= set(k.rules) or (PREFERRED, k.sizes[0]) not in k.compared:
        return ""
    again = _statistic(k, k.compared[PREFERRED, k.sizes[0]], "finished_share")
    if not (again > FROZEN and k.budget > STAGES[0]):
        return ""
    early, late = (
        plain_cell(at.ratio(PREFERRED, BASE).estimate(), "number") for at in (k.until(STAGES[0]), k)
    )
    told = {"size": k.sizes[0], "again": 100 * again, "early": early, "late": late, "soon": STAGES[0]}
    return CAPTIONS.text("growth", "briefly", **told)


def _statistic(k: KartalRuns, cell: CellRuns, name: str) -> float:
    return float(np.nanmean(k.results.values(cell, name)))


def _stages(k: KartalRuns, rule: str, size: str) -> list[CellRuns]:
    """Returns cells of the same runs by budget, the whole one last."""
    grown = [cell for cell in k.grown if (rule, size) in by_rule([cell])]
    return [*sorted(grown, key=budget_of), k.compared[rule, size]]


def _nodes(k: KartalRuns) -> Figure | None:
    """Returns nodes and the share of finished leaves along the budget, on two sizes."""
    if not k.grown:
        return None
    colours = colours_of(k.rules)
    panels = []
    for size in dict.fromkeys((k.sizes[0], k.sizes[-1])):
        for name, label, unit in FIGURES:
            lines = []
            for rule in k.on(size):
                cells = _stages(k, rule, size)
                found = [mean(k.results.values(cell, name) / unit) for cell in cells]
                lines.append(
                    line_of(rule, np.array([budget_of(cell) for cell in cells]), found, colours[rule])
                )
            panels.append(curves(size, lines, "evaluations", label, log=True, legend=False))
    return CAPTIONS.figure("growth-nodes", panels, legend=colours)


def _table(k: KartalRuns, cells: list[CellRuns]) -> Table:
    rows = []
    others = [cell for each in k.readings.values() for cell in each]
    for cell in sorted([*k.grown, *cells, *others], key=lambda cell: (cell.part, k.sizes.index(cell.size))):
        figures = ("nodes_added", "finished_share", "rollout_length", "restarts", "score")
        found = [mean(k.results.values(cell, name)) for name in figures]
        reading, _, rule = str(cell.varied.get("row", cell.name)).rpartition(", ")
        rows.append([reading, cell.size, rule, int(budget_of(cell)), cell.runs, *found])
    return CAPTIONS.table("growth-cells", rows)


# ------------------------------------------------------------------------------------------- along the budget


def _along(k: KartalRuns) -> list[Item]:
    """Returns how scores compare with those of UCB after each budget, and the verdicts then."""
    others = [rule for rule in k.rules if rule != BASE]
    if BASE not in k.rules or not others or not np.isfinite(k.budget):
        return []
    colours = colours_of(k.rules)
    views = {"as in the paper": k} | {
        name: k.read_as(name)
        for name, cells in k.readings.items()
        if {rule for rule, _ in by_rule(cells)} >= set(k.rules)
    }
    panels = []
    for name, view in views.items():
        budgets = np.geomspace(min(10_000, view.budget / 10), view.budget, POINTS)
        stages = [view.until(budget) for budget in budgets]
        lines = [
            line_of(
                f"{rule} / {BASE}", budgets, [at.ratio(rule, BASE).estimate() for at in stages], colours[rule]
            )
            for rule in others
        ]
        panels.append(curves(name, lines, "evaluations", f"score / {BASE}", log=True, least=None))
    rows = []
    for budget in [*(stage for stage in STAGES if stage < k.budget), k.budget]:
        view = k.until(budget)
        verdicts = _verdicts(view)
        for rule in others:
            ratios = view.ratios(rule, BASE)
            each = [ratios[size].estimate() if size in ratios else None for size in k.sizes]
            words = [verdicts[name] for name in ("K9", "K10")]
            rows.append([int(budget), f"{rule} / {BASE}", view.ratio(rule, BASE).estimate(), *each, *words])
    columns = {
        "evaluations": "count",
        "rules": "text",
        "all sizes": "number",
        **dict.fromkeys(k.sizes, "number"),
    }
    columns |= {"K9 then": "text", "K10 then": "text"}
    title, note = (CAPTIONS.text("budget-ratios", key) for key in ("title", "note"))
    return [
        CAPTIONS.figure("budget-curves", panels),
        Table("budget-ratios", title, columns, rows, note=note),
    ]


def _verdicts(k: KartalRuns) -> dict[str, str]:
    return {each.name: each.verdict for each in judge(statements_of(k, USUAL))}
