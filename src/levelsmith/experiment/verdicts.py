"""The verdicts on a paper's statements: how sure each is, what it rests on, and what would change it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from levelsmith.experiment.claims import FAILS, HOLDS, UNDECIDED, Claim, Statement, Threshold
from levelsmith.experiment.page import Finding, Item, Section, Table, digits_of, plain
from levelsmith.experiment.statistics import Estimate, benjamini_hochberg

CONFIRMED, CONTRADICTED, PARTLY, OPEN = VERDICTS = ("confirmed", "contradicted", "not everywhere", "open")
SIGNS = {CONFIRMED: "✓", CONTRADICTED: "✗", PARTLY: "◐", OPEN: "?"}
RATE = 0.05  # of false discoveries among the verdicts on one paper
UNITS = {"points": "points", "share": "%", "ratio": "times", "depth": "levels", "number": ""}
MOST_SIDES = 40  # rows of statements by reading, before those that none turns are left out
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

Statements = Callable[[Mapping[str, float]], list[Statement]]


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
    deciding = _deciding(statement, verdict)
    enough = verdict == OPEN and counts[HOLDS] >= statement.least
    because = (
        f"{counts[HOLDS]} of {len(words)} claims hold, {counts[FAILS]} fail, {counts[UNDECIDED]} are open; "
        f"{statement.least} must hold{', and not surely enough do' if enough else ''}. "
        f"{deciding[0].upper()}{deciding[1:]}. {statement.reading}".strip()
    )
    return Finding(statement.name, statement.text, verdict, because, _details(statement), rate, deciding)


def _deciding(statement: Statement, verdict: str) -> str:
    """Returns the claim that the verdict rests on: the least sure that holds, or the farthest off.

    Claims that are as sure as so many runs can be are told apart by how far inside they lie.
    """
    known = statement.known
    if verdict == CONFIRMED:
        order = sorted(known, key=lambda claim: (claim.chance_to_hold, -claim.inside))
        claim, word = order[statement.least - 1], "the least sure"
    elif verdict == OPEN:
        claim = max(known, key=lambda c: (min(c.chance_to_hold, c.chance_to_fail), -abs(c.inside)))
        word = "the most open"
    else:
        failing = [claim for claim in known if claim.word == FAILS] or known
        claim, word = min(failing, key=lambda claim: claim.inside), "the farthest off"
    return f"{word}: {claim.label}, {_shown(claim.found, claim.kind)}"


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


def box(found: Sequence[Finding], readings: Mapping[str, Sequence[Finding]] | None = None) -> Section:
    """Returns what a reader sees first: each statement with its verdict and the number that decides it."""
    rows = []
    for each in found:
        others = [other.verdict for _, other in _otherwise(each, readings or {})]
        signs = "".join(SIGNS[word] for word in dict.fromkeys(others) if word != each.verdict)
        verdict = f"{SIGNS[each.verdict]} {each.verdict}{signs and f'; read otherwise {signs}'}"
        rows.append([each.name, each.statement, verdict, each.deciding, each.rate])
    columns = {"": "text", "the paper says": "text", "verdict": "text", "rests on": "text", "q": "chance"}
    signs = ", ".join(f"{SIGNS[word]} {word}" for word in VERDICTS)
    return Section("Verdicts", [f"**{counted(found)}.**", Table("statements", "", columns, rows, note=signs)])


def details(found: Sequence[Finding], moves: Table | None, *more: Item | None) -> Section:
    """Returns each statement with its claims, and how verdicts move with the numbers that are ours."""
    items: list[Item] = [HOW, *found]
    items += [MOVES, moves] if moves else []
    return Section("Statements of the paper", items + [each for each in more if each])


def by_reading(found: Sequence[Finding], readings: Mapping[str, Sequence[Finding]]) -> Item | None:
    """Returns the statements that other readings touch, side by side; of many those whose verdict turns."""
    touched = {each.name: [("as judged", each), *_otherwise(each, readings)] for each in found}
    sides = [several for several in touched.values() if len(several) > 1]
    if sum(map(len, sides)) > MOST_SIDES:
        sides = [several for several in sides if len({one.verdict for _, one in several}) > 1]
    rows = [
        [one.name, name, f"{SIGNS[one.verdict]} {one.verdict}", one.deciding, one.rate]
        for several in sides
        for name, one in several
    ]
    tried = "; ".join(readings)
    if not rows:
        return f"No other reading turns a verdict. Tried: {tried}." if readings else None
    columns = {"": "text", "reading": "text", "verdict": "text", "rests on": "text", "q": "chance"}
    note = f"Tried on all statements: {tried}. Those whose verdict they leave alone may be left out."
    return Table("verdict-by-reading", "Verdict by reading", columns, rows, note=note)


def _otherwise(finding: Finding, readings: Mapping[str, Sequence[Finding]]) -> list[tuple[str, Finding]]:
    """Returns what the readings that touch a statement make of it."""
    same = {(name, each.name): each for name, found in readings.items() for each in found}
    others = [(name, same[name, finding.name]) for name in readings if (name, finding.name) in same]
    mine = finding.verdict, finding.deciding
    return [(name, each) for name, each in others if (each.verdict, each.deciding) != mine]


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
