"""The statements L1 to L12 of Thakkar et al. on Lode Runner, read so that runs can say yes or no.

A run is a training with a seed of its own, so intervals are over trainings. The two autoencoders are trained
apart from each other and never paired; levels before and after evolution come from the same model, and are.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from levelsmith.experiment.claims import ALL, Claim, Statement, Threshold, above, below, within
from levelsmith.experiment.papers.thakkar.measured import (
    AFTER,
    BEFORE,
    KINDS,
    VANILLA,
    VARIATIONAL,
    column,
    group,
    learned_from,
)
from levelsmith.experiment.results import Results
from levelsmith.experiment.statistics import UNKNOWN, Spread, difference, spread
from levelsmith.levels.compare import compare

# Table III: mean similarity, levels above 30 % and above 50 %, of 330.
PAPER = {VARIATIONAL: (0.2536, 73, 3), VANILLA: (0.2705, 130, 38)}
OF = 330
COUNTED = ("similarity", "similarity above 30%", "similarity above 50%")
THRESHOLDS = {
    "most": Threshold(0.5, (0.25, 0.75), "“most” are not playable: less than this share is"),
    "playable": Threshold(0.95, (0.99, 0.8), "levels “are playable”: at least this share"),
    "similarity": Threshold(0.02, (0.01, 0.04), "a mean similarity as in table III: so far from it at most"),
    "count": Threshold(0.1, (0.05, 0.2), "a share of levels as in table III: so far from it at most"),
    "different": Threshold(
        0.75, (0.9, 0.5), "“significantly different”: of how far levels learned from differ"
    ),
}


def statements(results: Results, t: Mapping[str, float]) -> list[Statement]:
    """Returns L1 to L12, as the first reading of the runs has them."""
    return [*_played(results, t), *_table_three(results, t), *_styles(results), _variety(results, t)]


def _played(results: Results, t: Mapping[str, float]) -> list[Statement]:
    raw = {kind: column(results, BEFORE, kind, "playable") for kind in KINDS}
    evolved = {kind: column(results, AFTER, kind, "playable") for kind in KINDS}
    gains = [
        above(f"{kind}: connectivity after less before", _gain(results, kind).estimate) for kind in KINDS
    ]
    return [
        Statement(
            "L1",
            "Most of the raw levels of the autoencoders are not playable (II).",
            [below(f"{k}: playable as drawn", spread(raw[k]).estimate, t["most"], "share") for k in KINDS],
            ALL,
            "Read: all gold can be collected, by a player who starts where most can be. The paper does not "
            "say where its player starts.",
        ),
        Statement(
            "L2",
            "After the evolutionary process the levels are playable (II, V).",
            [
                above(
                    f"{k}: playable after evolution", spread(evolved[k]).estimate, t["playable"], 0, "share"
                )
                for k in KINDS
            ],
            ALL,
        ),
        Statement(
            "L3",
            "Evolution increases the playability score of the levels: the more blocks are connected, the "
            "higher (II, III-C2).",
            gains,
            ALL,
            "Read: the share of cells within reach, after evolution and of the levels as drawn.",
        ),
    ]


def _gain(results: Results, kind: str) -> Spread:
    first, last = (_spread(column(results, part, kind, "connectivity")) for part in (BEFORE, AFTER))
    return last - first


def _spread(values: np.ndarray) -> Spread:
    return spread(values) if len(values) else UNKNOWN


def _apart(results: Results, name: str, part: str = AFTER) -> Spread:
    """Returns how much larger a measure is of the vanilla autoencoder than of the variational one."""
    first, second = (column(results, part, kind, name) for kind in (VANILLA, VARIATIONAL))
    return difference(first, second) if len(first) and len(second) else UNKNOWN


def _table_three(results: Results, t: Mapping[str, float]) -> list[Statement]:
    said = (
        ("L4", "Levels of the vanilla autoencoder are more similar to the originals on average (table III)."),
        ("L5", "More of them are over 30 % similar to an original (table III)."),
        ("L6", "More of them are over 50 % similar to an original (table III)."),
    )
    order = [
        Statement(name, text, [above("vanilla less variational", _apart(results, measure).estimate)], ALL)
        for (name, text), measure in zip(said, COUNTED, strict=True)
    ]
    return order + [_row(results, t, name, kind) for name, kind in (("L7", VARIATIONAL), ("L8", VANILLA))]


def _row(results: Results, t: Mapping[str, float], name: str, kind: str) -> Statement:
    mean, thirty, fifty = PAPER[kind]
    wanted = zip(
        COUNTED, (mean, thirty / OF, fifty / OF), (t["similarity"], t["count"], t["count"]), strict=True
    )
    claims: list[Claim] = [
        within(
            measure, _spread(column(results, AFTER, kind, measure)).estimate, told - far, told + far, "share"
        )
        for measure, told, far in wanted
    ]
    text = (
        f"Of the {kind} autoencoder: {mean:.2%} mean similarity, {thirty} of {OF} levels over 30 % and "
        f"{fifty} over 50 % (table III)."
    )
    return Statement(
        name, text, claims, ALL, "Read: cells with the same tile, blank ones aside, over all cells."
    )


def _styles(results: Results) -> list[Statement]:
    def more(name: str, part: str = AFTER) -> Claim:
        apart = _apart(results, name, part)
        turned = Spread(-apart.value, -apart.errors, apart.runs, apart.variance)
        return above(
            f"variational less vanilla, {part}",
            turned.estimate,
            kind="number" if name == "moves" else "points",
        )

    return [
        Statement(
            "L9",
            "After evolution levels of the vanilla autoencoder are sparse, those of the variational one "
            "dense (IV-B).",
            [more("density")],
            ALL,
            "Read: the share of cells that hold something.",
        ),
        Statement(
            "L10",
            "They are easy for rookies, and those of the variational one hard (IV-B).",
            [more("moves")],
            ALL,
            "Read: moves of the agent's plan for the levels that it can play.",
        ),
        Statement(
            "L11",
            "Variational autoencoders are prone to generate more complex levels (I), with more details after "
            "evolution (IV-B1).",
            [more("edges", BEFORE), more("edges")],
            ALL,
            "Read: the share of neighbouring cells that hold different tiles.",
        ),
    ]


def _variety(results: Results, t: Mapping[str, float]) -> Statement:
    claims = []
    for kind in KINDS:
        found = group(results, AFTER, kind)
        reference = learned_from(found.cell.game, found.models[0]) if found else ()
        among = compare(reference)["hamming"] if reference else np.nan
        apart = _spread(column(results, AFTER, kind, "apart") / among)
        claims.append(above(f"{kind}: how far two levels differ", apart.estimate, t["different"], 0, "share"))
    return Statement(
        "L12",
        "The method can create large amounts of significantly different playable levels (V).",
        claims,
        ALL,
        "Read: the share of cells in which two levels of a run differ, against that of the levels learned "
        "from.",
    )
