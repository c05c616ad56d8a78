"""The statements S1 to S27 of Koczorowski (2023), read so that runs can say yes or no.

Scores are compared after the same number of iterations. Where the thesis speaks of how many iterations 30 s
allow, the actions of an iteration decide: the more it takes, the fewer there are. Seconds are in the tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from levelsmith.experiment.claims import ALL, MOST, Claim, Number, Statement, Threshold, above, below, within
from levelsmith.experiment.papers.koczorowski import beyond, weights
from levelsmith.experiment.papers.koczorowski.thesis import (
    BASE,
    THESIS,
    Place,
    ThesisRuns,
    bootstrapping_begins,
    nothing,
    runs_of,
)
from levelsmith.experiment.papers.puzzles import mean_of
from levelsmith.experiment.results import Results
from levelsmith.experiment.statistics import (
    Estimate,
    Numbers,
    Spread,
    deviation_of,
    spread,
    together,
)

THRESHOLDS = {
    "clear": Threshold(0.05, (0.1, 0.02), "difference of mean scores that is clear"),
    "same": Threshold(0.05, (0.03, 0.1), "difference of mean scores that passes for nearly the same"),
    "cost": Threshold(0.05, (0.02, 0.1), "change of the actions of an iteration, as a share, that is small"),
    "drastic": Threshold(1.5, (2.0, 1.2), "factor of the actions of an iteration that is a drastic change"),
    "soon": Threshold(0.25, (0.1, 0.5), "share of the iterations of bootstrapping that is very soon"),
    "depth": Threshold(1.0, (0.5, 2.0), "how far from 7 a depth is near it"),
    "early": Threshold(
        0.9, (0.95, 0.8), "share of the last best score, after a tenth of the iterations, that is high"
    ),
    "linear": Threshold(
        0.1, (0.05, 0.2), "change of the nodes that an iteration adds, as a share, that is none"
    ),
}
CERTAIN = 10**6  # runs of a figure that is reckoned, not measured


def statements(results: Results, t: Mapping[str, float]) -> list[Statement]:
    """Returns what the thesis says, each with the claims that decide about it."""
    k = runs_of(results)
    return [
        _weights(),
        _spreads(k),
        *_moves(k, t),
        *_boxes(k, t),
        *_depth(k, t),
        *_immovable(k, t),
        *_bootstrapping(k, t),
        *_selection(k, t),
        *beyond.statements(k, t),
    ]


# ---------------------------------------------------------------------------------------- numbers of the runs


def _exactly(value: float) -> Number:
    return lambda level: Estimate(value, value, value, CERTAIN)


def _all_same(k: ThesisRuns, part: str, names: Sequence[str], first: Place, same: float) -> list[Claim]:
    return [
        within(f"{name} − {first[1]}", k.more((part, name), first), -same, same, kind="number")
        for name in names
        if (part, name) != first
    ]


def _falls(k: ThesisRuns, part: str, names: Sequence[str], more: str) -> list[Claim]:
    """Claims that an iteration takes more actions with each setting than with the one before."""
    return [
        above(
            f"{more} {other} / {one}, actions of an iteration",
            k.times_the_work((part, other), (part, one)),
            1,
            kind="ratio",
        )
        for one, other in pairwise(names)
    ]


# ------------------------------------------------------------------------------------------------- the tables


def _weights() -> Statement:
    best = weights.grid()
    told = weights.fitted(*weights.BEFORE)
    claims = [
        within(
            "deviation of the thesis' weights − least of the grid",
            _exactly(told.deviation - best.deviation),
            -1e-9,
            1e-9,
            kind="number",
        ),
        within("w_b of the least", _exactly(best.w_b), 1, 1, kind="number"),
    ]
    return Statement(
        "S1",
        "Of a grid of weights, those with the least deviation from five published scores were taken; "
        "their w_b was 1 (section 3.1).",
        claims,
        ALL,
        "Read: α, β and γ from 0.1 to 1.9. The text has 2.0 as the end, with which another is better by less "
        "than 0.0001. Nothing here is left to chance.",
    )


def _spreads(k: ThesisRuns) -> Statement:
    claims = [
        below(
            f"{part} {name}",
            deviation_of(k.results.values(k.cells[part, name], "score")).estimate,
            0.1,
            kind="number",
        )
        for part, said in THESIS.items()
        for name in said
        if k.has((part, name))
    ]
    return Statement(
        "S2",
        "In all experiments the standard deviation of the best scores is below 0.1 (section 3).",
        claims,
        ALL,
        "",
    )


def _moves(k: ThesisRuns, t: Mapping[str, float]) -> list[Statement]:
    first = Statement(
        "S3",
        "Pushes of boxes in reach instead of steps bring levels of a much better score (3.2, 4.1.1).",
        [above("pushes − steps", k.more(("3.1", "pushes"), ("3.1", "steps")), t["clear"], kind="number")],
        ALL,
        "The thesis has 1.148 and 0.820. That pushes allow fewer iterations is in the table, as "
        "iterations a second.",
    )
    second = Statement(
        "S4",
        "That a step may not undo the last one brought relatively little (2.3.2).",
        [
            within(
                "steps, never back − steps",
                k.more(("3.1", "steps, never back"), ("3.1", "steps")),
                -t["same"],
                t["same"],
                kind="number",
            )
        ],
        ALL,
        "",
    )
    return [first, second]


def _boxes(k: ThesisRuns, t: Mapping[str, float]) -> list[Statement]:
    rising = [
        above(f"{one} − {other}", k.more(("3.2", one), ("3.2", other)), than, kind="number")
        for one, other, than in (("10", "none", t["clear"]), ("5", "none", t["clear"]), ("5", "10", 0.0))
    ]
    first = Statement(
        "S5",
        "As the limit of boxes falls the best score rises very much, and a limit of 5 does best (3.3, "
        "4.1.3).",
        rising,
        ALL,
        "Read: 10 and 5 clearly above no limit, for in the thesis' table 20 and 15 are not; and 5 above 10.",
    )
    names = list(THESIS["3.2"])[::-1]
    second = Statement(
        "S6",
        "As the limit of boxes falls, iterations rise slowly, because ends are reached sooner (4.1.3).",
        _falls(k, "3.2", names, "limit"),
        MOST,
        "",
    )
    return [first, second]


def _depth(k: ThesisRuns, t: Mapping[str, float]) -> list[Statement]:
    names = list(THESIS["3.3"])
    first = Statement(
        "S7",
        "With limits of depth from 0 to 15 the scores are all nearly the same (3.4).",
        _all_same(k, "3.3", names, ("3.3", "0"), t["same"]),
        ALL,
        "",
    )
    second = Statement(
        "S8",
        "The higher the limit of depth, the fewer the iterations, because rollouts take longer (3.4, 4.1.2).",
        _falls(k, "3.3", names, "limit"),
        ALL,
        "",
    )
    return [first, second]


def _immovable(k: ThesisRuns, t: Mapping[str, float]) -> list[Statement]:
    keep = ("3.4", "keep")
    first = Statement(
        "S9",
        "Removing boxes that 2x2 squares hold fast is an improvement (3.5, 4.1.4).",
        [above("squares − keep", k.more(BASE, keep), 0, kind="number")],
        ALL,
        "",
    )
    second = Statement(
        "S10",
        "Checking for every box whether it can be moved, the naive implementation, performed "
        "significantly worse (2.3.5).",
        [above("squares − each", k.more(BASE, ("3.4", "each")), 0, kind="number")],
        ALL,
        "Read: worse than the 2x2 squares, where each box is removed that cannot be pushed as it stands. A "
        "test for boxes that can never be pushed (exact) would be another reading; table 3.4 has both.",
    )
    third = Statement(
        "S11",
        "Removing them has little influence on the number of iterations (4.1.4).",
        [
            within(
                "squares / keep, actions of an iteration",
                k.times_the_work(BASE, keep),
                1 - t["cost"],
                1 + t["cost"],
                kind="ratio",
            )
        ],
        ALL,
        "",
    )
    return [first, second, third]


def _bootstrapping(k: ThesisRuns, t: Mapping[str, float]) -> list[Statement]:
    shares = [name for name in THESIS["3.6"] if name != "0"]
    none = ("3.6", "0")
    first = Statement(
        "S12",
        "Bootstrapping gets the score of even a very good level higher (4.1.6).",
        [above(f"δ {name} − none", k.more(("3.6", name), none), 0, kind="number") for name in shares],
        ALL,
        "Read: with each of the thesis' shares the mean score is higher than without, of as many "
        "iterations in all.",
    )
    second = Statement(
        "S13",
        "While bootstrapping, the maximum is reached very soon (4.1.6).",
        [
            below(f"δ {name}, share of its iterations", mean_of(_wait(k, name)), t["soon"], kind="share")
            for name in shares
        ],
        ALL,
        "Read: from its start to the best level. Runs that gain nothing from it are left out.",
    )
    third = Statement(
        "S14",
        "Bootstrapping has extremely many iterations, because few actions are left and ends are reached "
        "sooner (4.1.6).",
        [
            below(
                f"δ {name} / none, actions of an iteration",
                k.times_the_work(("3.6", name), none),
                1,
                kind="ratio",
            )
            for name in shares
        ],
        ALL,
        "Read: the more of a run is bootstrapping, the fewer actions its iterations take.",
    )
    large, small = ("4.1.6", "mcts"), ("3.6", "0.2")
    fourth = Statement(
        "S15",
        "While bootstrapping, a larger C reduces the number of iterations drastically (4.1.6).",
        [
            above(
                "C four times as large, actions of an iteration",
                _phase_work(k, large, small),
                t["drastic"],
                kind="ratio",
            )
        ],
        ALL,
        "Read: δ of 0.2, and the actions of the iterations of bootstrapping alone. The thesis names no "
        "factor.",
    )
    return [first, second, third, fourth]


def _wait(k: ThesisRuns, name: str) -> Numbers:
    """Returns which share of the iterations of bootstrapping a run takes to its best level."""
    if not k.has(("3.6", name)):
        return np.full(1, np.nan)
    cell = k.cells["3.6", name]
    start, when = bootstrapping_begins(cell), k.to_best(cell)
    spent = k.results.values(cell, "evaluations") - start
    return np.where(when > start, (when - start) / spent, np.nan)


def _phase_work(k: ThesisRuns, one: Place, other: Place) -> Number:
    """How many times the actions of the second an iteration of bootstrapping takes with the first.

    A run tells the actions of all of its iterations; those before bootstrapping are as without it.
    """
    before = {one: ("3.7", "8"), other: ("3.7", "2")}
    if not k.has(one, other, *before.values()):
        return nothing

    def own(place: Place) -> Spread:
        cell = k.cells[place]
        share = 1 - bootstrapping_begins(cell) / cell.setting["evaluations"]
        whole, first = together(k.actions(cell), k.actions(k.cells[before[place]]))
        return spread((whole - (1 - share) * first) / share)

    return (own(one) / own(other)).estimate


def _selection(k: ThesisRuns, t: Mapping[str, float]) -> list[Statement]:
    factors, rules = list(THESIS["3.7"]), list(THESIS["3.8"])
    first = Statement(
        "S16",
        "With factors of exploration from 1 to 6 the scores are all nearly the same (3.8).",
        _all_same(k, "3.7", factors, ("3.7", "2"), t["same"]),
        ALL,
        "The thesis' factors 1 to 6 are a c of 2 to 12 here.",
    )
    second = Statement(
        "S17",
        "The number of iterations falls with a higher factor of exploration (3.8).",
        [
            above(
                "c 12 / c 2, actions of an iteration",
                k.times_the_work(("3.7", "12"), ("3.7", "2")),
                1,
                kind="ratio",
            ),
            above(
                "c 6 / c 2, actions of an iteration",
                k.times_the_work(("3.7", "6"), ("3.7", "2")),
                1,
                kind="ratio",
            ),
        ],
        ALL,
        "Read: an iteration takes more actions. Iterations a second are in table 3.7.",
    )
    third = Statement(
        "S18",
        "UCB1-Tuned can be an alternative to UCB1 (4.1.7).",
        [
            above(
                f"{rules[1]} − {rules[0]}",
                k.more(("3.8", rules[1]), ("3.8", rules[0])),
                -t["same"],
                kind="number",
            )
        ],
        ALL,
        "Read: its mean score is not lower. The thesis calls the results of the rules inconsistent; they "
        "are in table 3.8.",
    )
    return [first, second, third]
