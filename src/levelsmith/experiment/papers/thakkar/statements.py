"""The numbers behind the statements L1 to L12 of Thakkar et al., which `statements.toml` has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from levelsmith.experiment.claims import Asked, Claim, Numbered, Paper, Statement, within
from levelsmith.experiment.papers.thakkar.measured import (
    AFTER,
    BEFORE,
    KINDS,
    VANILLA,
    VARIATIONAL,
    Group,
    group,
    groups,
    learned_from,
)
from levelsmith.experiment.results import Results
from levelsmith.experiment.statistics import Numbers, Spread, difference, spread
from levelsmith.experiment.verdicts import Statements
from levelsmith.levels.compare import compare

# Table III: mean similarity, levels above 30 % and above 50 %, of 330.
PAPER = {VARIATIONAL: (0.2536, 73, 3), VANILLA: (0.2705, 130, 38)}
OF = 330
COUNTED = ("similarity", "similarity above 30%", "similarity above 50%")
SAID = Paper(__package__)
THRESHOLDS = SAID.thresholds


class Read(NamedTuple):
    """The runs, with what a reading has in the place of those after evolution."""

    results: Results
    reading: str = ""

    def group(self, part: str, kind: str) -> Group | None:
        others = [each for each in groups(self.results) if each.reading and part == AFTER]
        found = (each for each in others if (each.kind, each.reading) == (kind, self.reading))
        return next(found, None) or group(self.results, part, kind)

    def column(self, part: str, kind: str, name: str) -> Numbers:
        found = self.group(part, kind)
        return np.zeros(0) if found is None else found.columns[name]


def statements(results: Results, t: Mapping[str, float], reading: str = "") -> list[Statement]:
    """Returns L1 to L12; a reading takes the place of the first where it has runs."""
    return SAID.statements(SAID.rows, NUMBERS, Read(results, reading), t)


def readings(results: Results) -> dict[str, Statements]:
    """Returns the statements under each reading that there are runs of."""
    names = dict.fromkeys(each.reading for each in groups(results) if each.reading)
    return {name: partial(statements, results, reading=name) for name in names}


def _mean(runs: Read, part: str, kind: str, name: str) -> Spread:
    return spread(runs.column(part, kind, name))


def _apart(runs: Read, name: str, one: str, other: str, part: str = AFTER) -> Spread:
    """Returns how much larger a measure is of one autoencoder than of the other."""
    return difference(*(runs.column(part, kind, name) for kind in (one, other)))


def _less_similar(name: str) -> Asked:
    return lambda runs, t: {"vanilla less variational": _apart(runs, name, VANILLA, VARIATIONAL)}


def _more(runs: Read, name: str, *parts: str) -> Numbered:
    return {
        f"variational less vanilla, {part}": _apart(runs, name, VARIATIONAL, VANILLA, part) for part in parts
    }


def _row(runs: Read, t: Mapping[str, float], kind: str) -> list[Claim]:
    """Returns that the similarity of levels, and how many are similar, is as in table III."""
    mean, *counts = PAPER[kind]
    claims = []
    for name, told in zip(COUNTED, (mean, *(count / OF for count in counts)), strict=True):
        far = t["similarity" if name == "similarity" else "count"]
        claims.append(within(name, _mean(runs, AFTER, kind, name), told - far, told + far, "share"))
    return claims


def _different(runs: Read, kind: str) -> Spread:
    """Returns how far two levels of a run differ, against those that their model learned from."""
    found = runs.group(AFTER, kind)
    reference = learned_from(found.cell.game, found.models[0]) if found else ()
    among = compare(reference)["hamming"] if reference else np.nan
    return spread(runs.column(AFTER, kind, "apart") / among)


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
