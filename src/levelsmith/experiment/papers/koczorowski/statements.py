"""The numbers behind the statements S1 to S27 of Koczorowski (2023), which `statements.toml` has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise

from levelsmith.experiment.claims import (
    Asked,
    Claim,
    Number,
    Numbered,
    Paper,
    Statement,
    above,
    below,
    each,
    within,
)
from levelsmith.experiment.papers.koczorowski import beyond, weights
from levelsmith.experiment.papers.koczorowski.thesis import BASE, TEXT, THESIS, ThesisRuns, runs_of
from levelsmith.experiment.results import Results
from levelsmith.experiment.statistics import UNKNOWN, Estimate, Spread, deviation_of, spread
from levelsmith.experiment.verdicts import Reading

PAPER = Paper(__package__)
THRESHOLDS = PAPER.thresholds
CERTAIN = 10**6  # runs of a figure that is reckoned, not measured
SHARES = [name for name in THESIS["3.6"] if name != "0"]  # of bootstrapping
TIMED = "iterations a second"
GROWTH = ("S24", "S25", "S26")  # what needs runs with several budgets


def statements(
    results: Results, t: Mapping[str, float], read: Mapping[str, Asked] | None = None
) -> list[Statement]:
    """Returns what the thesis says, each with the claims that decide about it; some read otherwise."""
    k = runs_of(results)
    rows = {name: row for name, row in PAPER.rows.items() if name not in GROWTH or len(k.growing()) > 1}
    return PAPER.statements(rows, NUMBERS | dict(read or {}), k, t)


def readings(results: Results) -> dict[str, Reading]:
    """Returns the statements where something that the thesis leaves open is read otherwise."""
    return {name: Reading(partial(statements, results, read=read)) for name, read in READINGS.items()}


def _exactly(value: float) -> Number:
    return lambda level: Estimate(value, value, value, CERTAIN)


def _weights(as_told: bool = False) -> list[Claim]:
    """Returns that the thesis' weights are the least of the grid, and that the w_b of the least is 1."""
    best, label = weights.grid(as_told=as_told), "deviation of the thesis' weights − least of the grid"
    more = weights.fitted(*weights.BEFORE).deviation - best.deviation
    return [
        within(label, _exactly(more), -1e-9, 1e-9, kind="number"),
        within("w_b of the least", _exactly(best.w_b), 1, 1, kind="number"),
    ]


def _more(k: ThesisRuns, part: str, names: Iterable[str], base: str) -> Numbered:
    """Returns how much higher mean scores are than that of one setting of the same table."""
    return {f"{name} − {base}": k.score(part, name) - k.score(part, base) for name in names if name != base}


def _work(k: ThesisRuns, part: str, pairs: Mapping[str, tuple[str, str]]) -> Numbered:
    """Returns how many times the actions of one setting an iteration of another takes."""
    return {
        f"{label}, actions of an iteration": k.work(part, one) / k.work(part, other)
        for label, (one, other) in pairs.items()
    }


def _seconds(k: ThesisRuns, name: str, before: str = "") -> Spread:
    """Returns the seconds of a timed run, or those that it takes more than another."""
    places = [(TIMED, each) for each in (name, before) if each]
    if not k.has(*places):
        return UNKNOWN
    took = [spread(k.results.values(k.cells[place], "seconds")) for place in places]
    return took[0] - took[1] if before else took[0]


def _in_order(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Returns each limit with the one before it."""
    return {f"limit {other} / {one}": (other, one) for one, other in pairwise(names)}


def _patterns(k: ThesisRuns) -> list[Claim]:
    """Returns that favoured patterns come, and that levels with them are less difficult."""
    claims = []
    for name in k.text("2.4") if k.has(BASE) else ():
        for side, what, figure in (
            (above, "diagonals", beyond.diagonals),
            (below, "difficulty", beyond.difficulty),
        ):
            more = figure(k, (TEXT, name)) - figure(k, BASE)
            claims.append(side(f"{name[4:]}, {what} − none", more, kind="number"))
    return claims


NUMBERS: dict[str, Asked] = {
    "S1": lambda k, t: _weights(),
    "S2": lambda k, t: {
        f"{part} {name}": deviation_of(k.results.values(k.cells[part, name], "score"))
        for part, said in THESIS.items()
        for name in said
        if k.has((part, name))
    },
    "S3": lambda k, t: _more(k, "3.1", ["pushes"], "steps"),
    "S4": lambda k, t: _more(k, "3.1", ["steps, never back"], "steps"),
    "S5": lambda k, t: [
        *each(above, _more(k, "3.2", ["10", "5"], "none"), t["clear"], kind="number"),
        *each(above, _more(k, "3.2", ["5"], "10"), kind="number"),
    ],
    "S6": lambda k, t: _work(k, "3.2", _in_order([*THESIS["3.2"]][::-1])),
    "S7": lambda k, t: _more(k, "3.3", THESIS["3.3"], "0"),
    "S8": lambda k, t: _work(k, "3.3", _in_order([*THESIS["3.3"]])),
    "S9": lambda k, t: _more(k, "3.4", ["squares"], "keep"),
    "S10": lambda k, t: _more(k, "3.4", ["squares"], "each"),
    "S11": lambda k, t: {
        "squares / keep, iterations a second": _seconds(k, "keep") / _seconds(k, "c 2"),
    },
    "S12": lambda k, t: {f"δ {name} − none": k.score("3.6", name) - k.score("3.6", "0") for name in SHARES},
    "S13": lambda k, t: {
        f"δ {name}, share of its iterations": spread(beyond.wait(k, name)) for name in SHARES
    },
    "S14": lambda k, t: {
        "δ 0.2 / none, iterations a second": _seconds(k, "c 2", "c 2, before")
        / _seconds(k, "c 2, δ 0.2", "c 2, before")
    },
    "S15": lambda k, t: {
        "C of 2 / C four times as large, iterations a second": _seconds(k, "c 8, δ 0.2", "c 8, before")
        / _seconds(k, "c 2, δ 0.2", "c 2, before")
    },
    "S16": lambda k, t: _more(k, "3.7", THESIS["3.7"], "2"),
    "S17": lambda k, t: {
        f"{name} / c 2, iterations a second": _seconds(k, "c 2") / _seconds(k, name)
        for name in ("c 12", "c 6")
    },
    "S18": lambda k, t: each(above, _more(k, "3.8", ["ucb1-tuned"], "ucb1"), -t["same"], kind="number"),
    "S19": lambda k, t: [
        above("share of like cells, after − before", spread(beyond.likeness(k, cell)), kind="share")
        for cell in k.of("alike").values()
    ],
    "S20": lambda k, t: [
        side(f"{size}, difficulty after − before", spread(beyond.change(k, k.cells[place])), kind="number")
        for side, size, place in ((below, "5x5", ("3.6", "0.2")), (above, "8x8", ("larger boards", "8x8")))
        if k.has(place)
    ],
    "S21": lambda k, t: {
        "any action − kind by kind": k.score(TEXT, "2.3.1 any action") - k.score(*BASE),
    },
    "S22": lambda k, t: {
        f"{name[6:]} − none": k.score(TEXT, name) - k.score(*BASE) for name in k.text("2.3.3")
    },
    "S23": lambda k, t: _patterns(k),
    "S24": lambda k, t: {
        f"up to {cell.setting['evaluations']:,}, depth": depth
        for cell, depth in zip(k.growing(), k.stretches("rollout_depth"), strict=True)
    },
    "S25": lambda k, t: {"best score after a tenth / at the end": beyond.early(k)},
    "S26": lambda k, t: {
        "nodes of an iteration, last stretch / first": k.stretches("nodes")[-1] / k.stretches("nodes")[0]
    },
    "S27": lambda k, t: beyond.ways(k),
}

READINGS: dict[str, dict[str, Asked]] = {
    "the naive test is one for boxes that can never be pushed (exact)": {
        "S10": lambda k, t: _more(k, "3.4", ["squares"], "exact")
    },
    "the grid ends at 2.0, as in the text": {"S1": lambda k, t: _weights(as_told=True)},
    "iterations are counted by the actions that one takes": {
        "S11": lambda k, t: _work(k, "3.4", {"squares / keep": ("squares", "keep")}),
        "S14": lambda k, t: {
            f"δ {name}: actions without / of bootstrapping's iterations": k.work("3.6", "0")
            / beyond.phase_work(k, ("3.6", name), "2")
            for name in SHARES
        },
        "S15": lambda k, t: {
            "C four times as large, actions of an iteration": beyond.phase_work(k, ("4.1.6", "mcts"), "8")
            / beyond.phase_work(k, ("3.6", "0.2"), "2")
        },
        "S17": lambda k, t: _work(k, "3.7", {"c 2 / c 12": ("2", "12"), "c 2 / c 6": ("2", "6")}),
    },
}
