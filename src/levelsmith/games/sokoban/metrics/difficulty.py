"""How hard a level is, as one number from 0 to 100, from what is counted about its solution.

The weights are fitted on the tiers of Boxoban by `tools/fit_difficulty.py`, which prints them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from levelsmith.games.sokoban.metrics.kernels.difficulty import OFFSET, WEIGHTS

Features = Mapping[str, float]

# Each grows with its count, ever more slowly, so that levels far larger than Boxoban's keep their order.
TERMS: Mapping[str, Callable[[Features], float]] = {
    "pushes": lambda f: math.log1p(f["pushes"]),
    "walks": lambda f: math.log1p((f["moves"] - f["pushes"]) / f["floor"]),  # in rounds of the whole board
    "detour": lambda f: math.log1p(f["detour"]),
}

# From where on each tier reaches.
TIERS = {"easy": 0, "medium": 45, "hard": 70, "fiendish": 90}


def difficulty(features: Features) -> float:
    """From 0 to 100; 50 is as likely an unfiltered level of Boxoban as a hard one.

    Args:
        features: the metrics of a solution, by name.
    """
    if not features["pushes"]:
        return 0.0  # solved from the start
    total = OFFSET + sum(WEIGHTS[name] * term(features) for name, term in TERMS.items())
    return 100 / (1 + math.exp(-total))


def tier(number: float) -> str:
    """Returns the name of the tier that a difficulty lies in."""
    return [name for name, least in TIERS.items() if number >= least][-1]
