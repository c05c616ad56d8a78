"""A statement of a paper taken apart into claims: each a number, and the side that it must lie on.

A claim holds or fails, never both: it fails where it does not hold. "More than 0" is strict, so that runs
that are all 0 fail it. A number that can lie on one side alone, as what a best score so far gains, is no
claim: count the runs that gain instead.

How sure a claim can be at all depends on the runs. n runs that are all the same have no variance, and an
interval of no width would be sure of anything. What they do show is the sign test's: if as many as half of
all runs lay on the other side, n of n on this side would come with a chance of 2^-n, or 2^(1-n) where either
side would have been told. No claim is surer than that (`surest`), whatever its interval says: beyond it an
interval rests on the shape of a distribution that n runs cannot show. So five runs or fewer leave a claim
open, six have 0.03, twenty 0.000002.

A paper is a table of such statements: see `Paper`.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from typing import Any

from levelsmith.experiment.statistics import LEVEL, ROUNDING, Estimate

HOLDS, FAILS, UNDECIDED, UNKNOWN = "holds", "fails", "open", "no data"
LEAST_CHANCE = 1e-9  # below which nobody asks how sure it is
STEPS = 11  # of halving the logarithms of chances
ALL = 1.0
MOST = 0.5

Number = Callable[[float], Estimate]  # of a level of confidence; a `Spread` is one
Numbered = Mapping[str, Number]  # what each number is -> the number


@dataclass(frozen=True)
class Claim:
    """`low` to `high` is where the number must lie, with the ends unless `strict`; elsewhere it fails."""

    label: str
    number: Number
    low: float
    high: float
    kind: str  # how to show it: points, share, ratio, depth or number
    strict: bool = False

    @cached_property
    def found(self) -> Estimate:
        return self.number(LEVEL)

    @property
    def word(self) -> str:
        """Returns what its interval alone says."""
        if not self.found:
            return UNKNOWN
        if surest(self.found.runs) > 1 - LEVEL:
            return UNDECIDED
        return HOLDS if self._holds(self.found) else FAILS if self._fails(self.found) else UNDECIDED

    @cached_property
    def chance_to_hold(self) -> float:
        """Returns the least share of error at which the interval lies where it must."""
        return self._least(self._holds)

    @cached_property
    def chance_to_fail(self) -> float:
        """Returns the least share of error at which the interval lies where it must not."""
        return self._least(self._fails)

    @property
    def inside(self) -> float:
        """Returns how far inside the nearer end the number lies, below 0 outside; ratios by factors."""
        value, *ends = self.found.value, self.low, self.high
        if self.kind == "ratio" and value > 0 and self.high > 0:
            value, *ends = (math.log(each) if each > 0 else -math.inf for each in (value, *ends))
        return min(value - ends[0], ends[1] - value)

    def _holds(self, found: Estimate) -> bool:
        if self.strict:
            return found.low > self.low + ROUNDING and found.high < self.high - ROUNDING
        return found.low >= self.low and found.high <= self.high

    def _fails(self, found: Estimate) -> bool:
        if self.strict:
            return found.high <= self.low + ROUNDING or found.low >= self.high - ROUNDING
        return found.high < self.low or found.low > self.high

    def _least(self, lies: Callable[[Estimate], bool]) -> float:
        if not self.found or not lies(self.number(0.0)):
            return 1.0
        below, above = math.log(surest(self.found.runs)), 0.0
        for _ in range(STEPS):
            middle = (below + above) / 2
            below, above = (below, middle) if lies(self.number(1 - math.exp(middle))) else (middle, above)
        return math.exp(above)


def surest(runs: int) -> float:
    """Returns the least chance of an error that so many runs can show: the sign test's, two-sided.

    >>> surest(5), surest(6), surest(3000)
    (0.0625, 0.03125, 1e-09)
    """
    return min(1.0, max(LEAST_CHANCE, 2.0 ** (1 - runs)))


@dataclass(frozen=True)
class Statement:
    """What a paper says, in our words, and the share of its claims that must hold."""

    name: str
    text: str
    claims: Sequence[Claim]
    needed: float  # ALL, MOST or a share
    reading: str = ""  # how the words are taken

    @cached_property
    def known(self) -> list[Claim]:
        """Returns the claims that there is data for."""
        return [claim for claim in self.claims if claim.found]

    @property
    def least(self) -> int:
        """Returns how many of the claims with data must hold."""
        known = len(self.known)
        return known // 2 + 1 if self.needed == MOST else math.ceil(self.needed * known - 1e-9)

    def chances(self) -> tuple[float, float]:
        """Returns the chances to be wrong in saying that it is so, and in saying that it is not.

        That at least k of n claims hold is shown by the k-th smallest of their chances, n - k + 1 times
        (Benjamini and Heller 2008); that it is not so, by n - k + 1 claims that fail.
        """
        known, least = self.known, self.least
        if not known or len(known) < len(self.claims) / 2:
            return math.nan, math.nan
        holds = sorted(claim.chance_to_hold for claim in known)
        fails = sorted(claim.chance_to_fail for claim in known)
        spare = len(known) - least
        return min(1.0, (spare + 1) * holds[least - 1]), min(1.0, least * fails[spare])


@dataclass(frozen=True, slots=True)
class Threshold:
    """A number of ours that decides what a paper's words mean, and others that somebody might take."""

    value: float
    others: tuple[float, ...]  # the stricter first
    meaning: str


def above(label: str, number: Number, than: float = 0.0, kind: str = "points") -> Claim:
    return Claim(label, number, than, math.inf, kind, strict=True)


def below(label: str, number: Number, than: float = 0.0, kind: str = "points") -> Claim:
    return Claim(label, number, -math.inf, than, kind, strict=True)


def within(label: str, number: Number, low: float, high: float, kind: str = "points") -> Claim:
    return Claim(label, number, low, high, kind)


def near(label: str, number: Number, apart: float, of: float = 0.0, kind: str = "points") -> Claim:
    return within(label, number, of - apart, of + apart, kind)


def each(side: Callable[..., Claim], numbers: Numbered, *ends: float, **options: Any) -> list[Claim]:
    """Returns that each of these numbers lies on the same side."""
    return [side(label, number, *ends, **options) for label, number in numbers.items()]


SIDES: dict[str, Callable[..., Claim]] = {"above": above, "below": below, "near": near}


# -------------------------------------------------------------------------------------------------- the table

# What asks runs for the numbers of a statement, given thresholds; for claims, where sides differ.
Asked = Callable[[Any, Mapping[str, float]], Numbered | Sequence[Claim]]


class Paper:
    """What a paper says, as the file `statements.toml` of its package has it: a table of statements.

    thresholds: the `value` that is taken, `others` that somebody might take, the stricter first, and what it
        means.
    words: what is said in several places.
    All other tables are statements by name:
        text: what the paper says, in our words, with the section.
        above, below, near: where all of its numbers must lie, as a threshold or a number; near `of`, else 0.
        kind: how to show these numbers.
        needed: the share of its claims that must hold, as "2/3", or "most", else all; or `at_least` so many.
        reading: how the words are taken.
    In text and reading `{name}` is a threshold or a word, and `{name%}` a threshold times 100.
    """

    def __init__(self, package: str):
        table = tomllib.loads((files(package) / "statements.toml").read_text(encoding="utf-8"))
        self.thresholds = {
            name: Threshold(float(told["value"]), tuple(map(float, told["others"])), told["meaning"])
            for name, told in table.pop("thresholds").items()
        }
        self.words: dict[str, str] = table.pop("words", {})
        self.rows: dict[str, Any] = table

    def statements(
        self,
        rows: Mapping[str, Any],
        numbers: Mapping[str, Asked],
        runs: Any,
        t: Mapping[str, float],
        **words: str,
    ) -> list[Statement]:
        """Returns the statements of these rows with their claims, as the runs have them."""
        words |= {name: f"{value:g}" for name, value in t.items()}
        words |= {f"{name}%": f"{100 * value:g}" for name, value in t.items()} | self.words

        def told(text: str) -> str:
            return " ".join(text.format_map(words).split())

        found = []
        for name, row in rows.items():
            claims = numbers[name](runs, t)
            if isinstance(claims, Mapping):
                claims = _sided(row, claims, t)
            needed = MOST if row.get("needed") == "most" else float(Fraction(row.get("needed", ALL)))
            if "at_least" in row:
                needed = min(1.0, row["at_least"] / max(1, len(claims)))
            found.append(Statement(name, told(row["text"]), claims, needed, told(row.get("reading", ""))))
        return found


def _sided(row: Mapping[str, Any], numbers: Numbered, t: Mapping[str, float]) -> list[Claim]:
    (side,) = SIDES.keys() & row.keys()
    end = t[row[side]] if isinstance(row[side], str) else row[side]
    options = {name: row[name] for name in ("kind", "of") if name in row}
    return each(SIDES[side], numbers, end, **options)
