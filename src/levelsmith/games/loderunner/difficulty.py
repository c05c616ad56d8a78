"""How hard a level is against its guards, as one number from 0 to 100.

Most of it comes from the level itself: guards, gold that takes digs, layers of brick; and from the steps that
the plan takes which wins it. Of how close guards come, and of slips that are not forgiven, other plans tell
something else: they count little, so that another plan, or the plan of the mirror image, gives nearly the
same number. The weights are chosen by hand, so that levels which `construct` builds spread over the tiers. No
people have confirmed them. `difficulties` gives the number by several plans of a level.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Effort, Level
from levelsmith.kernels.maths import exp, log1p

if TYPE_CHECKING:
    from levelsmith.games.loderunner.rules.plan import Press

SHIFTS = (-3, -2, -1, 1, 2, 3)  # ticks by which a change of keys comes too early or too late
CHANGES = 20  # of a plan that are shifted, one at a time
NEAR = 2  # times the distance at which a guard catches the runner
PLANS, PLAN_STATES = 4, 16_000  # of a level at most, and games in which others than its own are looked for
Features = Mapping[str, float]

# Each grows with its count, ever more slowly, but for layers and the share of plans that end badly.
TERMS: Mapping[str, Callable[[Features], float]] = {
    "steps": lambda f: log1p(float(f["ticks"])),
    "guards": lambda f: log1p(float(f["enemies"])),
    "dug": lambda f: log1p(float(f["dig_gold"])),
    "timed": lambda f: log1p(float(f["timed_gold"])),
    "layers": lambda f: float(f["layers"]),
    "near": lambda f: log1p(float(f["near_misses"])),
    "slips": lambda f: 1.0 - f["forgiven"],
}
WEIGHTS = {
    "steps": 1.1,
    "guards": 0.8,
    "dug": 0.5,
    "timed": 0.6,
    "layers": 0.2,
    "near": 0.15,
    "slips": 0.5,
}
OFFSET = -8.3
TIERS = {"easy": 0, "medium": 45, "hard": 70, "fiendish": 90}  # from where on each reaches, as in Sokoban
TIER_RANGES = {  # each up to where the next begins
    name: (float(least), math.nextafter([*TIERS.values(), 101][i + 1], 0.0))
    for i, (name, least) in enumerate(TIERS.items())
}


def difficulty(features: Features) -> float:
    """Returns a number from 0 to 100.

    Args:
        features: `enemies`, `dig_gold`, `timed_gold` and `layers` of the level; the steps (`ticks`) and
            `near_misses` of a plan that wins it, and which share of plans with a slip is `forgiven`.
    """
    total = OFFSET + sum(WEIGHTS[name] * term(features) for name, term in TERMS.items())
    return float(100 / (1 + exp(-float(total))))


def difficulty_of(level: Level, facts: Mapping[str, Any]) -> float:
    """Returns the difficulty of a level, from the metrics of its board and what `rules.solution.fought` tells
    of the plan it carries."""
    return difficulty({**facts, "forgiven": forgiven(level, level.solution or "")})


def difficulties(level: Level, board: Features) -> list[float]:
    """Returns the difficulty of a level by the plan against its guards that it carries, and by others that
    the agent finds. board: the metrics of the level without a plan"""
    from levelsmith.games.loderunner.agent.chase.win import Winner

    others = Winner(replace(level, solution=None), Effort(PLAN_STATES, None)).plans()
    found = dict.fromkeys([level.solution or "", *islice(others, PLANS)])  # its own is often among them
    return [difficulty({**board, **features_of(level, plan)}) for plan in list(found)[:PLANS]]


def features_of(level: Level, plan: str) -> dict[str, float]:
    """Returns what the difficulty takes from a plan, as the compiled rules play it."""
    from levelsmith.games.loderunner.game import game as played  # compiled, once it is asked for
    from levelsmith.games.loderunner.rules.plan import STEP, read

    keys = played.keys_of(read(plan))
    game = played.CompiledGame(level.text.splitlines())
    places = [game.board.men.copy()]
    for i in range(len(keys)):
        if game.status == "playing":
            game.press_on(keys[i : i + 1])
            places.append(game.board.men.copy())
    steps, near = -(-(len(places) - 1) // STEP), near_misses(np.array(places), level.size[1] + 2)
    return {"ticks": steps, "near_misses": near, "forgiven": forgiven(level, plan)}


def near_misses(places: NDArray[np.int32], stride: int) -> int:
    """Returns how often a guard on the loose comes hardly farther away than he catches from.

    Args:
        places: `[ticks, men, MAN]` the men of a game, the runner first.
        stride: cells of a row, with the ring around the level.
    """
    from levelsmith.games.loderunner.game.kernels import men

    rows, columns = np.divmod(places[:, :, men.AT], stride)
    down = rows * men.CELL_HEIGHT + places[:, :, men.DY]
    right = columns * men.CELL_WIDTH + places[:, :, men.DX]
    close = abs(down[:, 1:] - down[:, :1]) <= NEAR * men.CATCH_Y
    close &= abs(right[:, 1:] - right[:, :1]) <= NEAR * men.CATCH_X
    close &= places[:, 1:, men.MODE] == men.FREE
    return int(close[0].sum() + (close[1:] & ~close[:-1]).sum())


def tier(number: float) -> str:
    """Returns the name of the tier that a difficulty lies in."""
    return [name for name, least in TIERS.items() if number >= least][-1]


def forgiven(level: Level, plan: str) -> float:
    """Returns the share of small timing mistakes that the runner survives: one key too early or too late."""
    from levelsmith.games.loderunner.game import game as played  # compiled, once it is asked for
    from levelsmith.games.loderunner.rules.plan import read

    presses = read(plan)
    keys, ends = played.keys_of(presses), np.cumsum([ticks for _, ticks in presses])
    changes = range(len(presses) - 1)
    game, begun, outlived = played.CompiledGame(level.text.splitlines()), 0, list[bool]()
    for change in changes[:: -(-len(changes) // CHANGES)] if changes else changes:
        alike = max(begun, int(ends[change]) + min(SHIFTS))  # up to there slips change nothing
        game.press_on(keys[begun:alike])
        begun = alike
        for shift in SHIFTS:
            slip = slipped(presses, change, shift)
            if slip is not None:
                outlived.append(game.copy().press_on(played.keys_of(slip)[begun:]) != "dead")
    return sum(outlived) / len(outlived) if outlived else 1.0


def slipped(presses: list[Press], change: int, shift: int) -> list[Press] | None:
    """Returns a plan with one change of keys so many ticks later; None where a press would last none."""
    (first, ticks), (second, more) = presses[change : change + 2]
    if ticks + shift < 1 or more - shift < 1:
        return None
    return [*presses[:change], (first, ticks + shift), (second, more - shift), *presses[change + 2 :]]
