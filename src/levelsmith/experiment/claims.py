"""A statement of a paper taken apart into claims: each a number, and the side that it must lie on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from levelsmith.experiment.statistics import LEVEL, Estimate

HOLDS, FAILS, OPEN, UNKNOWN = "holds", "fails", "open", "no data"
LEAST_RUNS = 5  # that a claim needs to be more than open
LEAST_CHANCE = 1e-9  # below which nobody asks how sure it is
STEPS = 11  # of halving the logarithms of chances
ALL = 1.0
MOST = 0.5

Number = Callable[[float], Estimate]  # of a level of confidence


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
