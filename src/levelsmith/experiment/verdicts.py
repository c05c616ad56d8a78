"""The verdicts on a paper's statements: how sure each is, what it rests on, and what would change it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from levelsmith.experiment.claims import FAILS, HOLDS, UNDECIDED, Claim, Statement, Threshold
from levelsmith.experiment.page import Finding, Item, Section, Table, digits_of, plain
from levelsmith.experiment.statistics import Estimate, benjamini_hochberg

CONFIRMED, CONTRADICTED, PARTLY, OPEN = VERDICTS = ("confirmed", "contradicted", "not everywhere", "open")
SIGNS = {CONFIRMED: "✓", CONTRADICTED: "✗", PARTLY: "◐", OPEN: "?"}
RATE = 0.05  # of false discoveries among the verdicts on one paper
UNITS = {"points": "points", "share": "%", "ratio": "times", "depth": "levels", "number": ""}
FACTORS = {"points": 100, "share": 100}
HOW = (
    "Each statement is taken apart into claims, a number each with an interval of 95 %. It is **confirmed** "
    "when as many claims hold as its words ask for. When too many fail for that, it is **contradicted** if "
    "more of its claims fail than hold, else it is so **not everywhere**. The chance to be wrong comes from "
    "all of its claims, and q is the rate of false discoveries among the paper's statements at which it "
    "still counts (Benjamini and Hochberg). Above 0.05, and where the runs do not have what it takes, it is "
    "**open**. No claim of n runs is surer than n tosses of a coin that fall alike: six runs are the fewest "
    "that decide."
)
MOVES = (
    "What “about as many” or “a lot less” means is ours to decide. Each of these numbers was made stricter "
    "and looser, all else alike; the last columns say which verdicts are then others."
)

BESIDE = (
    "Verdicts with the number that each rests on. A reading is compared with the main runs after as many "
    "evaluations; one that was tried on some settings alone leaves the others as they are."
)
LEADS = {  # what stands before clauses by their verdict
    CONFIRMED: "The runs confirm that",
    PARTLY: "They confirm in some cases, and not in others, that",
    CONTRADICTED: "They contradict that",
    OPEN: "They leave open whether",
}

Statements = Callable[[Mapping[str, float]], list[Statement]]


@dataclass(frozen=True)
class Reading:
    """A paper's statements where something that it leaves open is decided otherwise."""

    said: Statements
    beside: Statements | None = None  # what it is compared with: the main runs cut short; None for as judged
    meaning: str = ""
    figures: Mapping[str, tuple[str, Any]] = field(default_factory=dict)  # more to tell: kind and value


@dataclass(frozen=True)
class Turned:
    """What a reading makes of verdicts."""

    reading: Reading
    before: Mapping[str, Finding]  # of what it is compared with, by statement
    after: Mapping[str, Finding]

    @property
    def names(self) -> list[str]:
        """Returns the statements whose verdict it turns."""
        found = self.before.items()
        return [
            name for name, each in found if name in self.after and each.verdict != self.after[name].verdict
        ]


def judge(statements: Sequence[Statement]) -> list[Finding]:
    """Returns the verdict on each statement of one paper, with false discoveries among them controlled."""
    sides = [each.chances() for each in statements]
    rates = benjamini_hochberg([min(pair) if not math.isnan(pair[0]) else math.nan for pair in sides])
    return [_finding(each, *pair, rate) for each, pair, rate in zip(statements, sides, rates, strict=True)]


def _finding(statement: Statement, confirming: float, refuting: float, rate: float) -> Finding:
    if math.isnan(rate):
        because = f"These runs do not have what it takes. {statement.reading}".strip()
        return Finding(statement.name, statement.text, OPEN, because)
    words = [claim.word for claim in statement.known]
    counts = {word: words.count(word) for word in (HOLDS, FAILS, UNDECIDED)}
    refuted = CONTRADICTED if counts[FAILS] > counts[HOLDS] else PARTLY
    verdict = OPEN if rate > RATE else CONFIRMED if confirming <= refuting else refuted
    word, claim = _deciding(statement, verdict)
    number = _shown(claim.found, claim.kind)
    deciding = f"{word}: {claim.label}, {number}"
    enough = verdict == OPEN and counts[HOLDS] >= statement.least
    because = (
        f"{counts[HOLDS]} of {len(words)} claims hold, {counts[FAILS]} fail, {counts[UNDECIDED]} are open; "
        f"{statement.least} must hold{', and not surely enough do' if enough else ''}. "
        f"{deciding[0].upper()}{deciding[1:]}. {statement.reading}".strip()
    )
    said = statement.name, statement.text, verdict, because, _details(statement)
    return Finding(*said, rate, deciding, claim.label, number)


def _deciding(statement: Statement, verdict: str) -> tuple[str, Claim]:
    """Returns the claim that the verdict rests on, and which it is: the least sure that holds, or the
    farthest off.

    Claims that are as sure as so many runs can be are told apart by how far inside they lie.
    """
    known = statement.known
    if verdict == CONFIRMED:
        order = sorted(known, key=lambda claim: (claim.chance_to_hold, -claim.inside))
        return "the least sure", order[statement.least - 1]
    if verdict == OPEN:
        doubt = max(known, key=lambda c: (min(c.chance_to_hold, c.chance_to_fail), -abs(c.inside)))
        return "the most open", doubt
    failing = [claim for claim in known if claim.word == FAILS] or known
    return "the farthest off", min(failing, key=lambda claim: claim.inside)


def _shown(found: Estimate, kind: str) -> str:
    ends = [FACTORS.get(kind, 1) * each for each in (found.value, found.low, found.high)]
    digits = digits_of(ends[2] - ends[1], "number")
    value, low, high = (plain(each, "number", digits) for each in ends)
    around = "" if math.isinf(ends[2] - ends[1]) else f"({low} … {high})"
    return " ".join(f"**{value}** {UNITS[kind]} {around}".split())


def _details(statement: Statement) -> Table:
    rows = []
    for claim in statement.claims:
        ends = claim.found.times(FACTORS.get(claim.kind, 1))
        chance = min(claim.chance_to_hold, claim.chance_to_fail) if claim.found else None
        told = UNITS[claim.kind], _wanted(claim), claim.word
        rows.append([claim.label, ends, *told, chance, claim.found.runs or None])
    columns = {"claim": "text", "number": "number", "in": "text", "must be": "text", "so it": "text"}
    columns |= {"p": "chance", "runs": "count"}
    name = f"statement-{statement.name.lower()}"
    return Table(name, f"{len(rows)} claim{'s' * (len(rows) != 1)}", columns, rows)


def _wanted(claim: Claim) -> str:
    ends = [f"{FACTORS.get(claim.kind, 1) * end:.3g}" for end in (claim.low, claim.high)]
    if claim.high == math.inf:
        return f"above {ends[0]}"
    return f"below {ends[1]}" if claim.low == -math.inf else f"{ends[0]} to {ends[1]}"


# -------------------------------------------------------------------------------------------------- on a page


def counted(found: Sequence[Finding]) -> str:
    """Returns how many statements have each verdict, in words."""
    return ", ".join(f"{sum(each.verdict == word for each in found)} {word}" for word in VERDICTS)


def turned(
    readings: Mapping[str, Reading], usual: Mapping[str, float], found: Sequence[Finding]
) -> dict[str, Turned]:
    """Returns the verdicts of each reading beside those of the main runs."""
    sides: dict[Statements | None, dict[str, Finding]] = {None: _by_name(found)}
    made = {}
    for name, reading in readings.items():
        if reading.beside not in sides and reading.beside is not None:
            sides[reading.beside] = _by_name(judge(reading.beside(usual)))
        made[name] = Turned(reading, sides[reading.beside], _by_name(judge(reading.said(usual))))
    return made


def _by_name(found: Sequence[Finding]) -> dict[str, Finding]:
    return {each.name: each for each in found}


def word_of(finding: Finding, readings: Mapping[str, Turned]) -> str:
    """Returns a verdict with its sign, and the signs that other readings give it."""
    others = [each.after[finding.name].verdict for each in readings.values() if finding.name in each.names]
    signs = "".join(SIGNS[word] for word in dict.fromkeys(others) if word != finding.verdict)
    return f"{SIGNS[finding.verdict]} {finding.verdict}{signs and f'; read otherwise {signs}'}"


def box(
    found: Sequence[Finding], chosen: Mapping[str, Sequence[str]], readings: Mapping[str, Turned]
) -> Table:
    """Returns what a reader sees first: some statements with the paper's number, ours and the verdict.

    Args:
        found: all verdicts.
        chosen: by statement, how the paper says it in few words, and the number that it gives.
        readings: what other readings make of them.
    """
    known, rows = _by_name(found), []
    for name, (says, number) in chosen.items():
        if name in known:
            mine = known[name]
            here = f"{mine.number}: {mine.claim}" if mine.number else "–"
            rows.append([name, says, number, here, word_of(mine, readings)])
    columns = dict.fromkeys(("", "the paper says", "its number", "here", "verdict"), "text")
    return Table("box", "", columns, rows, linked=False)


def all_statements(found: Sequence[Finding], readings: Mapping[str, Turned]) -> Table:
    """Returns each statement with its verdict and the number that decides it."""
    rows = [[each.name, each.statement, word_of(each, readings), each.deciding, each.rate] for each in found]
    columns = {"": "text", "the paper says": "text", "verdict": "text", "rests on": "text", "q": "chance"}
    return Table(
        "statements", "", columns, rows, note=", ".join(f"{SIGNS[word]} {word}" for word in VERDICTS)
    )


def lesson(found: Sequence[Finding], clauses: Mapping[str, str]) -> str:
    """Returns what becomes of some statements, each told in a clause, by their verdicts."""
    parts: list[str] = []
    for word, lead in LEADS.items():
        told = [
            f"{clauses[each.name]} ({each.name})"
            for each in found
            if each.verdict == word and each.name in clauses
        ]
        if told:
            parts.append(f"**{lead}** {'; '.join(told)}.")
    return " ".join(parts)


def details(found: Sequence[Finding], moves: Table | None, *more: Item | None) -> Section:
    """Returns each statement with its claims, and how verdicts move with the numbers that are ours."""
    items: list[Item] = [HOW, *found]
    items += [MOVES, moves] if moves else []
    return Section("Statements of the paper", items + [each for each in more if each])


def by_reading(readings: Mapping[str, Turned]) -> list[Item]:
    """Returns the verdicts that each reading turns, and as a file every statement that it touches."""
    if not readings:
        return []
    figures = dict.fromkeys(name for each in readings.values() for name in each.reading.figures)
    kinds = {name: kind for each in readings.values() for name, (kind, _) in each.reading.figures.items()}
    rows, sides = [], []
    for name, each in readings.items():
        told = [each.reading.figures.get(figure, ("", None))[1] for figure in figures]
        changes = [f"{one} {_side(each.before[one])} → {_side(each.after[one])}" for one in each.names]
        rows.append([name, each.reading.meaning, *told, "; ".join(changes) or "none"])
        for one, after in each.after.items():
            before = each.before.get(one)
            if before and (before.verdict, before.deciding) != (after.verdict, after.deciding):
                both = [(side.verdict, side.deciding, side.rate) for side in (before, after)]
                sides.append([one, name, *both[0], *both[1]])
    columns = {"reading": "text", "what it means": "text", **{name: kinds[name] for name in figures}}
    if not any(each.reading.meaning for each in readings.values()):
        del columns["what it means"]
        rows = [[row[0], *row[2:]] for row in rows]
    table = Table(
        "verdict-by-reading",
        "Verdict by reading",
        columns | {"verdicts that change": "text"},
        rows,
        note=BESIDE,
    )
    columns = {"": "text", "reading": "text", "before": "text", "rested on": "text", "q": "chance"}
    columns |= {"so read": "text", "rests on": "text", "q, so read": "chance"}
    whole = Table(
        "statements-by-reading", "All statements that a reading touches", columns, sides, folded=True
    )
    return [table, whole]


def _side(finding: Finding) -> str:
    number = finding.number.partition(" (")[0]
    return f"{SIGNS[finding.verdict]} {finding.verdict}{number and f', {number}'}"


def moved(
    statements: Statements, thresholds: Mapping[str, Threshold], found: Sequence[Finding]
) -> Table | None:
    """Returns which verdicts are others where one of the thresholds is."""
    usual = {name: each.value for name, each in thresholds.items()}
    verdict_of = {each.name: each.verdict for each in found}
    known = {_key(each, claim): claim for each in statements(usual) for claim in each.claims}
    rows = []
    for name, threshold in thresholds.items():
        cells = []
        for other in threshold.others:
            judged = judge([_with_known(each, known) for each in statements(usual | {name: other})])
            changed = [f"{e.name} {e.verdict}" for e in judged if verdict_of.get(e.name) != e.verdict]
            cells.append(f"{other:g}: {', '.join(changed) or 'none'}")
        rows.append([threshold.meaning, threshold.value, *cells, *[""] * (2 - len(cells))])
    columns = {"what is ours": "text", "taken": "number", "stricter": "text", "looser": "text"}
    return Table("thresholds", "Verdicts that move with our thresholds", columns, rows) if rows else None


def _with_known(statement: Statement, known: dict[tuple[object, ...], Claim]) -> Statement:
    """Returns a statement with the claims that are known already, but for those that a threshold changed."""
    claims = [known.setdefault(_key(statement, claim), claim) for claim in statement.claims]
    return replace(statement, claims=claims)


def _key(statement: Statement, claim: Claim) -> tuple[object, ...]:
    return statement.name, claim.label, claim.low, claim.high, claim.strict
