"""A statement of a paper taken apart into claims: each a number, and the side that it must lie on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from levelsmith.experiment.page import Finding, Table, digits_of, plain
from levelsmith.experiment.statistics import Estimate

HOLDS, FAILS, OPEN, UNKNOWN = "holds", "fails", "open", "no data"
LEAST_RUNS = 10  # that a claim needs to be more than open: of fewer, intervals are too narrow
ALL = 1.0
MOST = 0.5
UNITS = {"points": "points", "share": "%", "ratio": "times", "depth": "levels", "number": "more"}
FACTORS = {"points": 100, "share": 100}


@dataclass(frozen=True, slots=True)
class Claim:
    """`low` to `high` is where the number must lie; it fails below `fails_below` and above `fails_above`.

    The number is asked for at a level of confidence, since that depends on how many claims there are.
    """

    label: str
    number: Callable[[float], Estimate]
    low: float
    high: float
    fails_below: float
    fails_above: float
    kind: str  # how to show it

    def judge(self, level: float) -> tuple[Estimate, str]:
        found = self.number(level)
        if not found:
            return found, UNKNOWN
        if found.runs < LEAST_RUNS:
            return found, OPEN
        if found.low >= self.low and found.high <= self.high:
            return found, HOLDS
        if found.high < self.fails_below or found.low > self.fails_above:
            return found, FAILS
        return found, OPEN

    @property
    def wanted(self) -> str:
        ends = [f"{FACTORS.get(self.kind, 1) * end:.3g}" for end in (self.low, self.high)]
        if self.high == math.inf:
            return f"above {ends[0]}"
        return f"below {ends[1]}" if self.low == -math.inf else f"{ends[0]} to {ends[1]}"


def above(
    label: str,
    number: Callable[[float], Estimate],
    than: float = 0.0,
    margin: float = 0.0,
    kind: str = "points",
) -> Claim:
    """More than `than`; with a margin, a little less is as good."""
    return Claim(label, number, than - margin, math.inf, than, math.inf, kind)


def below(label: str, number: Callable[[float], Estimate], than: float = 0.0, kind: str = "points") -> Claim:
    return Claim(label, number, -math.inf, than, -math.inf, than, kind)


def within(
    label: str, number: Callable[[float], Estimate], low: float, high: float, kind: str = "points"
) -> Claim:
    return Claim(label, number, low, high, low, high, kind)


def judge(name: str, statement: str, claims: Sequence[Claim], needed: float, reading: str) -> Finding:
    """Returns the verdict, where at least the share `needed` of the claims must hold.

    Claims without data are left out; where more than half are, nothing can be said.
    """
    level = 1 - 0.05 / max(1, len(claims))
    judged = [(claim, *claim.judge(level)) for claim in claims]
    known = [each for each in judged if each[2] != UNKNOWN]
    holds, fails = (sum(each[2] == word for each in known) for word in (HOLDS, FAILS))
    if not known or len(known) < len(claims) / 2:
        return Finding(name, statement, "cannot be said", f"These runs do not have what it takes. {reading}")
    least = math.floor(MOST * len(known)) + 1 if needed == MOST else math.ceil(needed * len(known) - 1e-9)
    if holds >= least:
        verdict = "confirmed"
    elif fails > len(known) - least:
        verdict = "not confirmed"
    else:
        verdict = "cannot be said"
    because = (
        f"{holds} of {len(known)} claims hold, {fails} fail, {len(known) - holds - fails} are open; {least} "
        f"must hold. {_deciding(known, verdict)}{reading}"
    )
    return Finding(name, statement, verdict, because, _details(name, judged))


def _deciding(known: Sequence[tuple[Claim, Estimate, str]], verdict: str) -> str:
    """Returns the claim that says most: the tightest that holds, or the clearest that does not."""
    word = {"confirmed": HOLDS, "not confirmed": FAILS, "cannot be said": OPEN}[verdict]
    chosen = [each for each in known if each[2] == word] or list(known)

    def room(each: tuple[Claim, Estimate, str]) -> float:
        claim, found, _ = each
        ends = [found.low - claim.low, claim.high - found.high]
        return min((end for end in ends if math.isfinite(end)), default=math.inf)

    claim, found, _ = min(chosen, key=room)
    told = {HOLDS: "The narrowest", FAILS: "The farthest off", OPEN: "The least sure"}[word]
    return f"{told}: {claim.label}, {_shown(found, claim.kind)}. "


def _shown(found: Estimate, kind: str) -> str:
    ends = [FACTORS.get(kind, 1) * each for each in (found.value, found.low, found.high)]
    digits = digits_of(ends[2] - ends[1], "number")
    value, low, high = (plain(each, "number", digits) for each in ends)
    return f"**{value}** {UNITS[kind]} ({low} … {high})"


def _details(name: str, judged: Sequence[tuple[Claim, Estimate, str]]) -> Table:
    rows = []
    for claim, found, word in judged:
        ends = found.times(FACTORS.get(claim.kind, 1))
        rows.append([claim.label, ends, UNITS[claim.kind], claim.wanted, word, found.runs or None])
    columns = {"claim": "text", "number": "number", "in": "text", "must be": "text", "so it": "text"}
    columns |= {"runs": "count"}
    return Table(f"statement-{name.lower()}", f"{len(rows)} claims", columns, rows)
