"""Statements of Koczorowski (2023) that no table has: levels of bootstrapping, patterns, growth, locality."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from levelsmith.core import Level
from levelsmith.experiment.claims import ALL, MOST, Statement, above, below, within
from levelsmith.experiment.papers import puzzles
from levelsmith.experiment.papers.koczorowski.thesis import BASE, TEXT, ThesisRuns, bootstrapping_begins
from levelsmith.experiment.papers.puzzles import Kept, mean_of
from levelsmith.experiment.results import CellRuns
from levelsmith.experiment.statistics import Numbers, spread

SIDES = ("5x5", "8x8")
SAMPLE = 40  # levels of a run that are compared two by two


def statements(k: ThesisRuns, t: Mapping[str, float]) -> list[Statement]:
    """Returns them, each with the claims that decide about it."""
    return [*_levels(k), *_text(k, t), *_growth(k, t), _local(k)]


def _levels(k: ThesisRuns) -> list[Statement]:
    alike = k.of("alike").values()
    first = Statement(
        "S19",
        "The levels of bootstrapping are very much alike, for they come from the same parents (4.1.6).",
        [
            above("share of like cells, after − before", mean_of(_likeness(k, cell)), 0, kind="share")
            for cell in alike
        ],
        ALL,
        "Read: two of the levels above a score that a run found while bootstrapping have more cells in "
        "common than two that it found before.",
    )
    small, large = k.of("3.6").get("0.2"), k.of("larger boards").get("8x8")
    claims = (
        [below("5x5, difficulty after − before", mean_of(_change(k, small)), 0, kind="number")]
        if small
        else []
    )
    claims += (
        [above("8x8, difficulty after − before", mean_of(_change(k, large)), 0, kind="number")]
        if large
        else []
    )
    second = Statement(
        "S20",
        "On small boards bootstrapping optimises the metrics too much, so that levels can get noticeably "
        "worse; on larger ones it does generally not (4.1.6).",
        claims,
        ALL,
        "Read: worse is a lower difficulty of a shortest solution of the best level. The thesis names no "
        "measure.",
    )
    return [first, second]


def _likeness(k: ThesisRuns, cell: CellRuns) -> Numbers:
    start = bootstrapping_begins(cell)

    def figure(mine: list[Kept]) -> float:
        sides = [
            [level for level, known in mine if (known["evaluations"] > start) == after]
            for after in (False, True)
        ]
        before, after = (puzzles.likeness(_sample(side)) for side in sides)
        return after - before

    return puzzles.column(cell, k.kept(cell), figure)


def _sample(levels: Sequence[Level]) -> list[Level]:
    picks: Any = np.unique(np.linspace(0, len(levels) - 1, SAMPLE).round().astype(int)) if levels else []
    return [levels[i] for i in picks]


def _change(k: ThesisRuns, cell: CellRuns) -> Numbers:
    """Returns how much more difficult the best level of each run is after bootstrapping than before."""
    start = bootstrapping_begins(cell)

    def figure(mine: list[Kept]) -> float:
        early = puzzles.until(mine, start)
        if not early:
            return np.nan
        return puzzles.difficulty(mine[-1][0]) - puzzles.difficulty(early[-1][0])

    return puzzles.column(cell, k.kept(cell), figure)


def _text(k: ThesisRuns, t: Mapping[str, float]) -> list[Statement]:
    first = Statement(
        "S21",
        "With all optimisations, trying actions kind by kind or at random makes no significant difference "
        "(2.3.1).",
        [
            within(
                "any action − kind by kind",
                k.more((TEXT, "2.3.1 any action"), BASE),
                -t["same"],
                t["same"],
                kind="number",
            )
        ],
        ALL,
        "",
    )
    soft = [name for name in k.of(TEXT) if name.startswith("2.3.3")]
    second = Statement(
        "S22",
        "A soft limit of depth before a level is evaluated brought no improvement (2.3.3).",
        [below(f"{name[6:]} − none", k.more((TEXT, name), BASE), t["clear"], kind="number") for name in soft],
        ALL,
        "Read: with none of three limits, of 15, 20 and 25 actions, is the score clearly higher. The "
        "thesis names none.",
    )
    names = [name for name in k.of(TEXT) if name.startswith("2.4")]
    claims = []
    for name in names:
        cell, base = k.cells[TEXT, name], k.cells.get(BASE)
        if base is None:
            continue
        pattern = [spread(k.results.values(each, "diagonals")) for each in (cell, base)]
        hardness = [spread(k.difficulties(each)) for each in (cell, base)]
        claims += [
            above(f"{name[4:]}, diagonals − none", (pattern[0] - pattern[1]).estimate, 0, kind="number"),
            below(f"{name[4:]}, difficulty − none", (hardness[0] - hardness[1]).estimate, 0, kind="number"),
        ]
    third = Statement(
        "S23",
        "A score that favours a pattern, such as diagonals, brings it; the levels tend to be much less "
        "difficult (2.4).",
        claims,
        ALL,
        "Read: a weight for each 2x2 square with walls on two opposite corners; the difficulty of a "
        "shortest solution of the best level. The thesis gives no formula.",
    )
    return [first, second, third]


def _growth(k: ThesisRuns, t: Mapping[str, float]) -> list[Statement]:
    cells = k.growing()
    if len(cells) < 2:
        return []
    depths, nodes = k.stretches("rollout_depth"), k.stretches("nodes")
    last = cells[-1]
    tenth = k.results.anytime(last, np.array([last.setting["evaluations"] / 10]))[:, 0]
    ended = k.results.values(last, "score")[: len(tenth)]
    claims = [
        within(
            f"up to {cell.setting['evaluations']:,}, depth",
            depth.estimate,
            7 - t["depth"],
            7 + t["depth"],
            kind="depth",
        )
        for cell, depth in zip(cells, depths, strict=True)
    ]
    first = Statement(
        "S24",
        "Rollouts begin near a depth of 7, where it settles (3.10, 4.1.8).",
        claims,
        MOST,
        "Read: in most of the stretches between two budgets; the first have small trees.",
    )
    second = Statement(
        "S25",
        "High scores are reached very early (3.10).",
        [
            above(
                "best score after a tenth / at the end",
                (spread(tenth) / spread(ended)).estimate,
                t["early"],
                kind="ratio",
            )
        ],
        ALL,
        "",
    )
    third = Statement(
        "S26",
        "Memory in all grows linearly (3.10).",
        [
            within(
                "nodes of an iteration, last stretch / first",
                (nodes[-1] / nodes[0]).estimate,
                1 - t["linear"],
                1 + t["linear"],
                kind="ratio",
            )
        ],
        ALL,
        "",
    )
    return [first, second, third]


def _local(k: ThesisRuns) -> Statement:
    second, first = "koczorowski2023", "kartal2016"
    ways = {
        (cell.goal, cell.size): spread(
            puzzles.column(cell, k.kept(cell), lambda mine: puzzles.way(mine[-1][0])) / int(cell.size[0])
        )
        for cell in k.of("local").values()
    }
    claims = [
        below(
            f"{size}, second form − first", (ways[second, size] - ways[first, size]).estimate, 0, kind="share"
        )
        for size in SIDES
        if (second, size) in ways and (first, size) in ways
    ]
    if all((second, size) in ways for size in SIDES):
        small, large = (ways[second, size] for size in SIDES)
        claims.append(below("8x8 − 5x5, second form", (large - small).estimate, 0, kind="share"))
    return Statement(
        "S27",
        "With the second form of congestion levels tend to be solved locally, above all larger ones; with "
        "the first, goals can be far from their boxes (4.3).",
        claims,
        ALL,
        "Read: the mean way from a box to its goal, as a share of the side of the board, is shorter than in "
        "levels by the score of Kartal et al., which has the first form; and shorter on 8x8 than on 5x5.",
    )
