"""A statement of a paper taken apart into claims: each a number, and the side that it must lie on.

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

from levelsmith.experiment.statistics import LEVEL, Estimate

HOLDS, FAILS, OPEN, UNKNOWN = "holds", "fails", "open", "no data"
LEAST_RUNS = 5  # that a claim needs to be more than open
LEAST_CHANCE = 1e-9  # below which nobody asks how sure it is
STEPS = 11  # of halving the logarithms of chances
ALL = 1.0
MOST = 0.5

Number = Callable[[float], Estimate]  # of a level of confidence; a `Spread` is one
Numbered = Mapping[str, Number]  # what each number is -> the number


@dataclass(frozen=True)
class Claim:
    """`low` to `high` is where the number must lie; it fails below `fails_below` and above `fails_above`."""

    label: str
    number: Number
    low: float
    high: float
    fails_below: float
    fails_above: float
    kind: str  # how to show it: points, share, ratio, depth or number

    @cached_property
    def found(self) -> Estimate:
        return self.number(LEVEL)

    @property
    def word(self) -> str:
        """Returns what its interval alone says."""
        if not self.found:
            return UNKNOWN
        if self.found.runs < LEAST_RUNS:
            return OPEN
        return HOLDS if self._holds(self.found) else FAILS if self._fails(self.found) else OPEN

    @cached_property
    def chance_to_hold(self) -> float:
        """Returns the least share of error at which the interval lies where it must."""
        return self._least(self._holds)

    @cached_property
    def chance_to_fail(self) -> float:
        """Returns the least share of error at which the interval lies where it must not."""
        return self._least(self._fails)

    def _holds(self, found: Estimate) -> bool:
        return found.low >= self.low and found.high <= self.high

    def _fails(self, found: Estimate) -> bool:
        return found.high < self.fails_below or found.low > self.fails_above

    def _least(self, lies: Callable[[Estimate], bool]) -> float:
        if not self.found or self.found.runs < LEAST_RUNS or not lies(self.number(0.0)):
            return 1.0
        below, above = math.log(LEAST_CHANCE), 0.0
        for _ in range(STEPS):
            middle = (below + above) / 2
            below, above = (below, middle) if lies(self.number(1 - math.exp(middle))) else (middle, above)
        return math.exp(above)


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
        """Returns the chances to be wrong in calling it confirmed, and in calling it not confirmed.

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


def above(label: str, number: Number, than: float = 0.0, margin: float = 0.0, kind: str = "points") -> Claim:
    """More than `than`; with a margin, a little less is as good."""
    return Claim(label, number, than - margin, math.inf, than, math.inf, kind)


def below(label: str, number: Number, than: float = 0.0, kind: str = "points") -> Claim:
    return Claim(label, number, -math.inf, than, -math.inf, than, kind)


def within(label: str, number: Number, low: float, high: float, kind: str = "points") -> Claim:
    return Claim(label, number, low, high, low, high, kind)


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
