"""The statements K1 to K11 of Kartal, Sohre and Guy (2016), read so that runs can say yes or no."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from levelsmith.experiment.claims import (
    Asked,
    Claim,
    Number,
    Numbered,
    Paper,
    Statement,
    above,
    each,
    within,
)
from levelsmith.experiment.papers.captions import Captions
from levelsmith.experiment.papers.kartal.runs import BASE, PREFERRED, RATE, RUNS_A_SIZE, KartalRuns, runs_of
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import Numbers, share, spread
from levelsmith.experiment.verdicts import Reading, Statements

PAPER = Paper(__package__)
CAPTIONS = Captions(__package__)
THRESHOLDS = PAPER.thresholds
SECOND = RATE  # evaluations, figure 4
MANY_BOXES = 8  # section 4.2
BOARDS = 100  # kept for each size, section 4.2


def statements(results: Results, t: Mapping[str, float]) -> list[Statement]:
    """Returns what the paper says, each with the claims that decide about it."""
    return statements_of(runs_of(results), t)


def readings(results: Results) -> dict[str, Reading]:
    """Returns the statements by reading: where runs that decide otherwise stand for the main ones.

    A reading that was tried with a smaller budget is compared with the main runs as they were after it.
    """
    k = runs_of(results)
    usual: dict[float, Statements] = {}
    found = {}
    for name in k.readings:
        view = k.read_as(name)
        if view.budget < k.budget and view.budget not in usual:
            usual[view.budget] = partial(statements_of, k.until(view.budget))
        told = partial(statements_of, view), usual.get(view.budget), CAPTIONS.text("meanings", name)
        found[name] = Reading(*told, _figures(k, view))
    return found


def _figures(k: KartalRuns, view: KartalRuns) -> dict[str, tuple[str, Any]]:
    """Returns what a reading does to trees and to the ratio of the rules."""
    mine = [cell for (rule, _), cell in view.compared.items() if rule == view.preferred]
    again = float(np.mean([spread(k.results.values(cell, "finished_share")).value for cell in mine]))
    found: dict[str, tuple[str, Any]] = {
        "evaluations": ("count", int(view.budget)),
        f"share at a finished leaf, {k.preferred}": ("share", again),
    }
    before = k.until(view.budget)
    for rule in (PREFERRED, "ucb-tuned"):
        known = {rule, BASE} <= set(k.rules)
        for at, word in ((before, ""), (view, ", so read")):
            told = at.ratio(rule, BASE).estimate() if known else None
            found[f"{rule} / {BASE}{word}"] = "number", told
    return found


def statements_of(k: KartalRuns, t: Mapping[str, float]) -> list[Statement]:
    """Returns the same of runs that are read in a certain way."""
    return PAPER.statements(PAPER.rows, NUMBERS, k, t, soon=f"{t['few'] * RATE:,.0f}")


# ------------------------------------------------------------------------------------------------ the numbers


def _shares(k: KartalRuns, label: str, figure: Callable[[CellRuns], Numbers], least: float) -> Numbered:
    """Returns the share of runs that have at least so much of a figure, on each size."""
    return {f"{cell.size}, {label}": _share(figure(cell), least) for cell in k.chosen()}


def _boxes(k: KartalRuns) -> Numbered:
    """Returns the share of runs that kept a level of many boxes, of each rule on each size."""
    return {
        f"{size}, {rule}, runs with a level of {MANY_BOXES} boxes or more": _share(
            k.most_boxes(cell), MANY_BOXES
        )
        for size in k.sizes
        for rule, cell in k.on(size).items()
    }


def _share(values: Numbers, least: float = 1) -> Number:
    reached = np.where(np.isnan(values), np.nan, (values >= least).astype(np.float64))
    return lambda level: share(reached, level)


def _soon(k: KartalRuns, cell: CellRuns, t: Mapping[str, float]) -> Numbers:
    """Returns the pushes that the best levels need after a few seconds; nan where runs had fewer."""
    evaluations = t["few"] * RATE
    if evaluations > k.limit(cell):
        return np.full(cell.asked, np.nan)
    return k.pushes_after(cell, evaluations)


def _gains(k: KartalRuns, t: Mapping[str, float]) -> list[Claim]:
    """Returns how many runs find a better level after a few seconds, and what it gains in pushes.

    What the best score gains would be no claim: it cannot fall.
    """
    after = t["few"] * RATE
    better = {
        f"{cell.size}, runs with a better score than after {after:,.0f}": _share(
            k.score_after(cell, k.limit(cell)) - k.score_after(cell, after), 1e-9
        )
        for cell in k.chosen()
    }
    pushes = {
        f"{cell.size}, more pushes needed than after {after:,.0f}": spread(
            k.pushes_after(cell, np.inf) - _soon(k, cell, t)
        )
        for cell in k.chosen()
    }
    return [
        *each(above, better, t["runs"], kind="share"),
        *each(above, pushes, 0.0, kind="number"),
    ]


def _in_reach(k: KartalRuns) -> Numbered:
    """Returns how many more cells the player can get to on each size than on the one below."""
    return {
        f"{b.size} − {a.size}, cells in reach": spread(k.used(b)[: a.asked] - k.used(a)[: b.asked])
        for a, b in pairwise(k.chosen())
    }


def _boards(k: KartalRuns) -> Numbered:
    """Returns how many levels as many runs as the paper's keep on each size, of all rules."""
    kept = {size: np.concatenate([k.boards(cell) for cell in k.on(size).values()]) for size in k.sizes}
    return {size: spread(RUNS_A_SIZE * boards) for size, boards in kept.items()}


def _ratios(k: KartalRuns, pairs: Iterable[tuple[str, str]]) -> Numbered:
    """Returns how many times the mean score of one rule that of another is, on each size."""
    return {
        f"{size}, {one} / {other}": ratio
        for one, other in pairs
        for size, ratio in k.ratios(one, other).items()
    }


def _agreements(k: KartalRuns) -> Numbered:
    """Returns how alike scores and other figures rank levels; a solver's pushes on the smallest size."""
    figures = [(name, cell) for name in ("congestion", "moves", "pushes one by one") for cell in k.chosen()]
    figures += [("pushes needed", cell) for cell in k.chosen()[:1]]
    return {f"{cell.size}, {name} with the score": spread(k.agreement(cell, name)) for name, cell in figures}


NUMBERS: dict[str, Asked] = {
    "K1": lambda k, t: {"best levels whose solution solves them": _share(k.proved)},
    "K2": lambda k, t: _shares(k, "levels with floor out of reach", k.unreachable, 1),
    "K3": lambda k, t: _shares(
        k, f"runs with a level after {SECOND:,} evaluations", lambda cell: k.score_after(cell, SECOND), 1e-9
    ),
    "K4": lambda k, t: _shares(
        k,
        f"runs with more than {t['trivial']:g} pushes needed after {t['few'] * RATE:,.0f} evaluations",
        lambda cell: _soon(k, cell, t),
        t["trivial"] + 1,
    ),
    "K5": _gains,
    "K6": lambda k, t: _boxes(k),
    "K7": lambda k, t: _in_reach(k),
    "K8": lambda k, t: each(within, _boards(k), BOARDS / t["about"], BOARDS * t["about"], kind="number"),
    "K9": lambda k, t: _ratios(k, combinations(k.rules, 2)),
    "K10": lambda k, t: _ratios(k, [(PREFERRED, rule) for rule in k.rules if rule != PREFERRED]),
    "K11": lambda k, t: _agreements(k),
}
