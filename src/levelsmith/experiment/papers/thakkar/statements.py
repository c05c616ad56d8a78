"""The numbers behind the statements L1 to L12 of Thakkar et al., which `statements.toml` has."""

from __future__ import annotations

from collections.abc import Mapping

from levelsmith.experiment.claims import Asked, Claim, Numbered, Paper, Statement, within
from levelsmith.experiment.papers.thakkar.measured import (
    AFTER,
    BEFORE,
    KINDS,
    VANILLA,
    VARIATIONAL,
    column,
)
from levelsmith.experiment.results import Results
from levelsmith.experiment.statistics import Spread, difference, spread

# Table III: mean similarity, levels above 30 % and above 50 %, of 330.
PAPER = {VARIATIONAL: (0.2536, 73, 3), VANILLA: (0.2705, 130, 38)}
OF = 330
COUNTED = ("similarity", "similarity above 30%", "similarity above 50%")
SAID = Paper(__package__)
THRESHOLDS = SAID.thresholds


def statements(results: Results, t: Mapping[str, float]) -> list[Statement]:
    """Returns L1 to L12, as the first reading of the runs has them."""
    return SAID.statements(SAID.rows, NUMBERS, results, t)


def _mean(results: Results, part: str, kind: str, name: str) -> Spread:
    return spread(column(results, part, kind, name))


def _apart(results: Results, name: str, one: str, other: str, part: str = AFTER) -> Spread:
    """Returns how much larger a measure is of one autoencoder than of the other."""
    return difference(*(column(results, part, kind, name) for kind in (one, other)))


def _less_similar(name: str) -> Asked:
    return lambda results, t: {"vanilla less variational": _apart(results, name, VANILLA, VARIATIONAL)}


def _more(results: Results, name: str, *parts: str) -> Numbered:
    return {
        f"variational less vanilla, {part}": _apart(results, name, VARIATIONAL, VANILLA, part)
        for part in parts
    }


def _row(results: Results, t: Mapping[str, float], kind: str) -> list[Claim]:
    """Returns that the similarity of levels, and how many are similar, is as in table III."""
    mean, *counts = PAPER[kind]
    claims = []
    for name, told in zip(COUNTED, (mean, *(count / OF for count in counts)), strict=True):
        far = t["similarity" if name == "similarity" else "count"]
        claims.append(within(name, _mean(results, AFTER, kind, name), told - far, told + far, "share"))
    return claims


def _different(results: Results, kind: str) -> Spread:
    """Returns how far two levels of a run differ, against those that their model learned from."""
    return spread(column(results, AFTER, kind, "apart") / column(results, AFTER, kind, "apart, learned from"))


NUMBERS: dict[str, Asked] = {
    "L1": lambda r, t: {f"{kind}: playable as drawn": _mean(r, BEFORE, kind, "playable") for kind in KINDS},
    "L2": lambda r, t: {
        f"{kind}: playable after evolution": _mean(r, AFTER, kind, "playable") for kind in KINDS
    },
    "L3": lambda r, t: {
        f"{kind}: connectivity after less before": _mean(r, AFTER, kind, "connectivity")
        - _mean(r, BEFORE, kind, "connectivity")
        for kind in KINDS
    },
    "L4": _less_similar("similarity"),
    "L5": _less_similar("similarity above 30%"),
    "L6": _less_similar("similarity above 50%"),
    "L7": lambda r, t: _row(r, t, VARIATIONAL),
    "L8": lambda r, t: _row(r, t, VANILLA),
    "L9": lambda r, t: _more(r, "density", AFTER),
    "L10": lambda r, t: _more(r, "moves", AFTER),
    "L11": lambda r, t: _more(r, "edges", BEFORE, AFTER),
    "L12": lambda r, t: {f"{kind}: how far two levels differ": _different(r, kind) for kind in KINDS},
}
