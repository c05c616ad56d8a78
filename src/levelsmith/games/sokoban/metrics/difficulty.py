"""How hard a level is, as one number from 0 to 100, and as one of four tiers.

The number is fitted to people: to the share of those who began a level and solved it. Its weights are printed
by `tools/fit_people.py`, which also tries them on collections that they were not fitted to. It takes all
positions that can come up in a level. Where these are too many, or while a search looks at thousands of
levels, it is estimated from the solution alone, by weights that `tools/fit_estimate.py` prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from levelsmith.games.sokoban.metrics.kernels.difficulty import OFFSET, WEIGHTS
from levelsmith.kernels.maths import exp, log, log1p

MODEL = "people-1"  # by which levels were rated
Features = Mapping[str, float]
Term = Callable[[Features], float]


def _walks(features: Features) -> float:
    """Returns how far the player walks, in rounds of the whole board."""
    return float(log1p((features["moves"] - features["pushes"]) / features["floor"]))


# Each is larger where people solve a level more seldom, and grows ever more slowly.
TERMS: Mapping[str, Term] = {
    "walker": lambda f: log1p(-log(float(f["chance"]))),
    "walks": _walks,
    "lost": lambda f: -log(1.0 - f["lost_share"]),
    "detour": lambda f: log1p(float(f["detour"])),
}
PEOPLE = {"walker": 0.100, "walks": 0.760, "lost": 0.272, "detour": 0.130}
SOLVED = 2.31  # the logarithm of the odds that somebody solves what takes none of these
MIDDLE, WIDE = 0.967, 0.324  # of these odds: the number is 40 where 3 of 4 solve a level, 70 where 2 of 3 do
DIGITS = 2

ESTIMATED: Mapping[str, Term] = {name: TERMS[name] for name in WEIGHTS}

# From where on each tier reaches: where 3 of 4 solve a level, 2 of 3, and 3 of 5.
TIERS = {"easy": 0, "medium": 40, "hard": 70, "fiendish": 85}


def difficulty(features: Features) -> float:
    """Returns the number.

    Args:
        features: the metrics of a solution, and what the positions of the level tell, by name. Without the
            latter the number is estimated.
    """
    if not features["pushes"]:
        return 0.0  # solved from the start
    if "chance" not in features:
        return _scaled(OFFSET + sum(WEIGHTS[name] * term(features) for name, term in ESTIMATED.items()))
    odds = SOLVED - sum(PEOPLE[name] * term(features) for name, term in TERMS.items())
    return round(_scaled((MIDDLE - odds) / WIDE), DIGITS)


def _scaled(total: float) -> float:
    return float(100 / (1 + exp(-float(total))))


def tier(number: float) -> str:
    """Returns the name of the tier that a difficulty lies in."""
    return [name for name, least in TIERS.items() if number >= least][-1]
