"""The statements K1 to K11 of Kartal, Sohre and Guy (2016), read so that runs can say yes or no."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations

import numpy as np

from levelsmith.experiment.claims import ALL, Claim, Number, Statement, Threshold, above, below, within
from levelsmith.experiment.papers.kartal.runs import PREFERRED, RATE, RUNS_A_SIZE, KartalRuns, runs_of
from levelsmith.experiment.papers.puzzles import mean_of
from levelsmith.experiment.results import CellRuns, Results
from levelsmith.experiment.statistics import Numbers, share, spread

THRESHOLDS = {
    "always": Threshold(
        0.98, (0.99, 0.95), "share of levels that is all of them, as far as so many can tell"
    ),
    "nearly": Threshold(0.8, (0.9, 0.5), "share of the runs that is nearly all"),
    "few": Threshold(5.0, (3.0, 10.0), "seconds that are a few, at the paper's 80,000 simulations a second"),
    "trivial": Threshold(4.0, (6.0, 2.0), "pushes that a trivial level needs at most"),
    "runs": Threshold(0.5, (0.75, 0.25), "share of the runs that must find what is said to be found"),
    "sealed": Threshold(0.05, (0.01, 0.25), "share of levels with floor out of reach that passes for none"),
    "same": Threshold(0.05, (0.02, 0.1), "difference of mean scores, as a share, that passes for the same"),
    "about": Threshold(2.0, (1.5, 3.0), "factor between two numbers that are about the same"),
    "rises": Threshold(0.3, (0.5, 0.1), "rank correlation from which one figure rises with another"),
}
TRIVIAL_BY = 1  # seconds, figure 4
MANY_BOXES = 8  # section 4.2
BOARDS = 100  # kept for each size, section 4.2


def statements(results: Results, t: Mapping[str, float]) -> list[Statement]:
    """Returns what the paper says, each with the claims that decide about it."""
    k = runs_of(results)
    return [
        _solvable(k, t),
        _sealed(k, t),
        _trivial(k, t),
        _soon(k, t),
        _later(k, t),
        _boxes(k, t),
        _space(k),
        _boards(k, t),
        _same(k, t),
        _ahead(k),
        _harder(k, t),
    ]


def _sizes(k: KartalRuns, claim: Callable[[str, CellRuns], Claim]) -> list[Claim]:
    return [claim(cell.size, cell) for cell in k.chosen()]


def _share(values: Numbers) -> Number:
    return lambda level: share(values, level)


def _whether(values: Numbers, least: float) -> Numbers:
    """Returns 1 for the runs that have at least so much, else 0; nan stays."""
    return np.where(np.isnan(values), np.nan, (values >= least).astype(np.float64))


def _solvable(k: KartalRuns, t: Mapping[str, float]) -> Statement:
    return Statement(
        "K1",
        "All generated levels are solvable (sections 1 and 3).",
        [above("best levels whose solution solves them", _share(k.proved), t["always"], kind="share")],
        ALL,
        "Read: a rule book that shares no code with the search plays the solution of the best level of every "
        "run. The interval of a share of 100 % ends below it, so that a little less is asked for.",
    )


def _sealed(k: KartalRuns, t: Mapping[str, float]) -> Statement:
    claims = _sizes(
        k,
        lambda size, cell: below(
            f"{size}, levels with floor out of reach",
            _share(_whether(k.unreachable(cell), 1)),
            t["sealed"],
            kind="share",
        ),
    )
    return Statement(
        "K2",
        "Deleting only obstacles beside an empty tile prevents boards from containing unreachable hole "
        "shaped regions (section 3.1).",
        claims,
        ALL,
        "Read: the best levels, as they are evaluated, have no floor that walls keep the player from. "
        "What is dug is always connected; but boxes that are never pushed become obstacles afterwards.",
    )


def _trivial(k: KartalRuns, t: Mapping[str, float]) -> Statement:
    after = TRIVIAL_BY * RATE
    claims = _sizes(
        k,
        lambda size, cell: above(
            f"{size}, runs with a level after {after:,} evaluations",
            _share(_whether(k.score_after(cell, after), 1e-9)),
            t["nearly"],
            kind="share",
        ),
    )
    reading = (
        f"Read: after {after:,} evaluations, a second of the paper's, at least {100 * t['nearly']:g} % of "
        "the runs have a level with a score."
    )
    return Statement(
        "K3", "Trivially solvable puzzles are found within a second (figure 4).", claims, ALL, reading
    )


def _soon(k: KartalRuns, t: Mapping[str, float]) -> Statement:
    after = t["few"] * RATE
    claims = _sizes(
        k,
        lambda size, cell: above(
            f"{size}, runs with more than {t['trivial']:g} pushes needed after {after:,.0f} evaluations",
            _share(_whether(_within_budget(cell, after, k.pushes_after), t["trivial"] + 1)),
            t["runs"],
            kind="share",
        ),
    )
    return Statement(
        "K4",
        "Non-trivial puzzles are generated within a few seconds (section 4.2).",
        claims,
        ALL,
        f"Read: a level that needs more than {t['trivial']:g} pushes, by a shortest solution or where none "
        "is found soon by what its boxes need one by one, is not trivial.",
    )


def _within_budget(
    cell: CellRuns, evaluations: float, figure: Callable[[CellRuns, float], Numbers]
) -> Numbers:
    """Returns a figure after so many evaluations; nan where runs had fewer."""
    if evaluations > cell.setting.get("evaluations", np.inf):
        return np.full(cell.asked, np.nan)
    return figure(cell, evaluations)


def _later(k: KartalRuns, t: Mapping[str, float]) -> Statement:
    after = t["few"] * RATE

    def gain(cell: CellRuns) -> Numbers:
        return k.results.values(cell, "score") - k.score_after(cell, after)

    def growth(cell: CellRuns) -> Numbers:
        early = _within_budget(cell, after, k.pushes_after)
        return k.pushes_after(cell, np.inf) - early

    claims = _sizes(
        k,
        lambda size, cell: above(
            f"{size}, score gained after {after:,.0f}", mean_of(gain(cell)), 0, kind="number"
        ),
    )
    claims += _sizes(
        k,
        lambda size, cell: above(
            f"{size}, more pushes needed than after {after:,.0f}", mean_of(growth(cell)), 0, kind="number"
        ),
    )
    return Statement(
        "K5",
        "The quality of the puzzles improves over time: more interesting ones come over the following "
        "minutes (section 4.2, figure 3).",
        claims,
        ALL,
        f"Read: from {after:,.0f} evaluations to the end of the run, the score of the best level rises, "
        "and so do the pushes that it needs.",
    )


def _boxes(k: KartalRuns, t: Mapping[str, float]) -> Statement:
    claims = _sizes(
        k,
        lambda size, cell: above(
            f"{size}, runs with a level of {MANY_BOXES} boxes or more",
            _share(_whether(k.most_boxes(cell), MANY_BOXES)),
            t["runs"],
            kind="share",
        ),
    )
    return Statement(
        "K6",
        "Puzzles with 8 boxes or more are found within a few minutes (section 4.2).",
        claims,
        1 / max(1, len(claims)),
        f"Read: on at least one of the sizes, more than {100 * t['runs']:g} % of the runs keep such a level; "
        "they have at most the paper's 200 s, as evaluations.",
    )


def _space(k: KartalRuns) -> Statement:
    claims = []
    for one, other in zip(k.chosen(), k.chosen()[1:], strict=False):
        more = k.used(other)[: one.asked] - k.used(one)[: other.asked]
        claims.append(above(f"{other.size} − {one.size}, cells in reach", mean_of(more), 0, kind="number"))
    return Statement(
        "K7",
        "The algorithm makes use of larger amounts of board space (figure 5).",
        claims,
        ALL,
        "Read: on each size, the player can get to more cells of the best level than on the size below.",
    )


def _boards(k: KartalRuns, t: Mapping[str, float]) -> Statement:
    claims = []
    for size in k.sizes:
        kept = [k.boards(k.compared[rule, size]) for rule in k.rules if (rule, size) in k.compared]
        number = RUNS_A_SIZE * np.concatenate(kept)
        claims.append(within(size, mean_of(number), BOARDS / t["about"], BOARDS * t["about"], kind="number"))
    return Statement(
        "K8",
        "About 100 boards are kept for each size (section 4.2), one at each improvement of the score.",
        claims,
        ALL,
        f"Read: {RUNS_A_SIZE} times what a run keeps, for the paper had five runs of three rules.",
    )


def _compared(k: KartalRuns, pairs: Iterable[tuple[str, str]]) -> list[tuple[str, Number]]:
    """Returns how many times the mean score of one rule that of another is, on each size."""
    found: list[tuple[str, Number]] = []
    for one, other in pairs:
        for size in k.sizes:
            if (one, size) in k.compared and (other, size) in k.compared:
                first, second = spread(k.scores(one, size)), spread(k.scores(other, size))
                found.append((f"{size}, {one} / {other}", (first / second).estimate))
    return found


def _same(k: KartalRuns, t: Mapping[str, float]) -> Statement:
    claims = [
        within(label, number, 1 - t["same"], 1 + t["same"], kind="ratio")
        for label, number in _compared(k, combinations(k.rules, 2))
    ]
    return Statement(
        "K9",
        "All selection methods perform statistically similarly (section 4.2, figure 6).",
        claims,
        ALL,
        "Read as equivalence: the whole interval of each ratio of mean scores must lie within "
        f"{100 * t['same']:g} % of 1. That no test finds a difference would not do: of few runs, none ever "
        "does.",
    )


def _ahead(k: KartalRuns) -> Statement:
    others = [(PREFERRED, rule) for rule in k.rules if rule != PREFERRED]
    claims = [above(label, number, 1, kind="ratio") for label, number in _compared(k, others)]
    return Statement(
        "K10",
        "UCB-V slightly outperforms the other techniques consistently across board sizes (section 4.2).",
        claims,
        ALL,
        "Read: its mean score is above that of each other rule on each size.",
    )


def _harder(k: KartalRuns, t: Mapping[str, float]) -> Statement:
    def of(metric: str, cell: CellRuns) -> Claim:
        label = f"{cell.size}, {metric} with the score"
        return above(label, mean_of(k.agreement(cell, metric)), t["rises"], kind="number")

    cells = k.chosen()
    claims = [of(metric, cell) for metric in ("congestion", "moves", "pushes one by one") for cell in cells]
    claims += [of("pushes needed", cell) for cell in cells[:1]]
    return Statement(
        "K11",
        "In general, higher scores led to higher congestion and a larger number of required moves "
        "(section 5).",
        claims,
        ALL,
        "Read: among the levels that a run kept, score and figure have a rank correlation of at least "
        f"{t['rises']:g}; the mean of the runs. Moves are those of the play that made the level, an upper "
        "bound; what boxes need one by one is a lower bound of the pushes, which a solver tells exactly "
        "on the smallest size.",
    )
