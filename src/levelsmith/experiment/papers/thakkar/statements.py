"""The numbers behind the statements L1 to L15 of Thakkar et al., which `statements.toml` has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from levelsmith.experiment.claims import Asked, Claim, Numbered, Paper, Statement, within
from levelsmith.experiment.papers.thakkar.measured import (
    AFTER,
    BEFORE,
    COUNTED,
    KINDS,
    MAIN,
    READINGS,
    VANILLA,
    VARIATIONAL,
    Read,
    groups,
)
from levelsmith.experiment.results import Results
from levelsmith.experiment.statistics import Spread, difference, spread
from levelsmith.experiment.verdicts import Reading

# Table III: mean similarity, levels above 30 % and above 50 %, of 330.
PAPER = {VARIATIONAL: (0.2536, 73, 3), VANILLA: (0.2705, 130, 38)}
OF = 330
SAID = Paper(__package__)
THRESHOLDS = SAID.thresholds
# What the same runs say where the paper's words are taken otherwise: measures in place of others.
WORDS = {
    "similar: of the cells that are not blank in both": {
        name: name.replace("similarity", "Jaccard") for name in COUNTED
    },
    "hard: moves for each piece of gold": {"moves": "moves a piece"},
}
ONE = {f"over one of {size}": f"one population of {size}" for size in (32, 320)}


def statements(
    results: Results, t: Mapping[str, float], reading: str = "", instead: Mapping[str, str] = MAIN
) -> list[Statement]:
    """Returns L1 to L15, as the main reading of the runs has them, or another."""
    return SAID.statements(SAID.rows, NUMBERS, Read(results, reading, instead), t)


def readings(results: Results) -> dict[str, Reading]:
    """Returns the statements by reading: where other runs stand for the main ones, or other measures."""
    others = dict.fromkeys(each.reading for each in groups(results) if each.cell.part == READINGS)
    found = {name: Reading(partial(statements, results, reading=name)) for name in others}
    words = {name: Reading(partial(statements, results, instead=other)) for name, other in WORDS.items()}
    return found | words


def _mean(runs: Read, part: str, kind: str, name: str) -> Spread:
    return spread(runs.column(part, kind, name))


def _more_of(runs: Read, name: str, one: str, other: str, part: str = AFTER) -> Spread:
    """Returns how much larger a measure is of one autoencoder than of the other."""
    return difference(*(runs.column(part, kind, name) for kind in (one, other)))


def _less_similar(name: str) -> Asked:
    return lambda runs, t: {"vanilla less variational": _more_of(runs, name, VANILLA, VARIATIONAL)}


def _more(runs: Read, name: str, *parts: str) -> Numbered:
    return {
        f"variational less vanilla, {part}": _more_of(runs, name, VARIATIONAL, VANILLA, part)
        for part in parts
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
    return spread(runs.column(AFTER, kind, "apart") / runs.column(AFTER, kind, "apart, learned from"))


def _populations(runs: Read) -> Numbered:
    """Returns how much further apart the levels of ten populations are than those of one."""
    pairs = {
        f"{kind}: ten populations of 32 {over}": runs.without(what, kind, "apart")
        for kind in KINDS
        for over, what in ONE.items()
    }
    return {label: spread(ten) - spread(one) for label, (ten, one) in pairs.items()}


def _kept(runs: Read) -> Numbered:
    """Returns how much levels have from those learned from, over what they have without crossover, and as
    drawn."""
    found: dict[str, Spread] = {}
    for kind in KINDS:
        evolved, other = (spread(each) for each in runs.without("no crossover", kind, "familiar"))
        found[f"{kind}: with crossover over without"] = evolved / other
        found[f"{kind}: evolved over drawn"] = evolved / _mean(runs, BEFORE, kind, "familiar")
    return found


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
    "L13": lambda r, t: _more(r, "apart", BEFORE, AFTER),
    "L14": lambda r, t: _populations(r),
    "L15": lambda r, t: _kept(r),
}
