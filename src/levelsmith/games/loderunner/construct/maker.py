"""The maker `construct`: levels drawn in one of several styles, furnished, and played by the agent.

What hangs in the air, is out of reach or cannot be played is thrown away.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from math import inf
from random import Random
from typing import Any, ClassVar

from levelsmith.core import Effort, Grid, Level, Parameter, Parameters, Size
from levelsmith.games.drawn import Drawer
from levelsmith.games.loderunner.agent.still.solve import solve
from levelsmith.games.loderunner.construct import excavate, furnish, hidden
from levelsmith.games.loderunner.construct.compose import STYLES, composed
from levelsmith.games.loderunner.construct.furnish import Wishes
from levelsmith.games.loderunner.construct.pieces import Misfit, faults
from levelsmith.games.loderunner.construct.usual import USUAL
from levelsmith.games.loderunner.judge.judge import judge
from levelsmith.games.loderunner.rules.rules import GOLD

ANY, YES, NO = "any", "yes", "no"
DRAWN = 12  # levels of a style, so much of whose gold shall take digging, until one is clean
FEW, MORE = 9, 3  # gold of a level of 32x22 cells for which so many more are drawn, to have one with more
DUG = ("dig_gold", "timed_gold", "layers", "digs")  # metrics of levels with much gold that takes a dig
MUCH = 0.3  # share of it
STATES = 200_000  # that the agent may look at
CELLS = 704  # of the levels that `USUAL` tells of
BY_AREA = {
    *("gold", "gold_collectable", "dig_gold", "timed_gold", "enemies"),
    *("ground", "ladders", "ropes", "empty"),
    *("moves", "ticks", "digs", "trapped", "buried", "heads"),
}


def draw(
    size: Size, dice: Random, style: str = ANY, mirrored: str = ANY, wishes: Wishes | None = None
) -> Grid | None:
    """Returns a level, furnished but not played; None where none of a few tries is clean."""
    wishes = wishes or Wishes()
    name = dice.choice(STYLES) if style == ANY else style
    mirror = dice.random() < 0.3 if mirrored == ANY else mirrored == YES
    share = excavate.drawn_share(dice)
    if not wishes.share[0] <= share <= wishes.share[1]:
        share = dice.uniform(*wishes.share)
    best: Grid | None = None
    most, left = 0, DRAWN
    while left > 0 and most < FEW * size[0] * size[1] / CELLS:
        left -= 1
        grid = _drawn(size, dice, name, mirror, share, wishes)
        gold = 0 if grid is None else int((grid == GOLD).sum())
        if gold > most:
            best, most, left = grid, gold, min(left, MORE)
    return best


def _drawn(size: Size, dice: Random, name: str, mirror: bool, share: float, wishes: Wishes) -> Grid | None:
    try:
        grid, prizes = composed(size, dice, name, mirror)
    except Misfit:
        return None
    furnish.materials(grid, dice)
    furnish.ropes(grid, dice, mirror)
    furnished = furnish.furnished(grid, prizes, dice, mirror, share, wishes)
    good = furnished and furnish.uses_top(grid) and not faults(grid)
    return grid if good and judge(grid, "relaxed").playable else None


class Construct(Drawer):
    game = "loderunner"
    summary = "levels built in one of several styles, each with the plan of an agent that played it"
    parameters: ClassVar[Parameters] = (
        Parameter("style", ANY, "the architecture", choices=(ANY, *STYLES)),
        Parameter("mirrored", ANY, "whether one half is the other's mirror image", choices=(ANY, YES, NO)),
        Parameter("exit", NO, "whether it is won at the top, over ladders that come last", choices=(YES, NO)),
        Parameter("traps", NO, "whether some floors let fall who walks on them", choices=(YES, NO)),
    )
    sure = ("gold_share", "connectivity", "players")  # a level with a plan need not be asked for these
    default_size: ClassVar[Size] = (22, 32)

    def candidate(self, dice: Random) -> Level | None:
        """Builds the next candidate, or the same without what lies too deep; returns it if it will do."""
        drawn = draw(self.size, dice, self.values["style"], self.values["mirrored"], self.wishes())
        if drawn is None:
            return None
        dressed = [hidden.traps(drawn, dice)] if self.values["traps"] == YES else []
        dressed += [hidden.exits(drawn, dice)] if self.values["exit"] == YES else []
        if not all(dressed):
            return None
        for grid in (drawn, furnish.without_deep(drawn)):
            if not furnish.enough(grid) or not judge(grid, "relaxed").playable:
                return None
            level = Level(self.of.name, self.of.tiles, grid)
            plan = solve(level, Effort(states=STATES, seconds=None)).solution
            if plan is not None:
                return self.won(level) if self.of.guards == "chase" else self.fitting(level, plan)
        return None

    def wishes(self) -> Wishes:
        """Returns what of the ranges asked for is aimed at while a level is drawn."""
        spans = {"dig_share": (0.0, 1.0), "gold": (0.0, inf), "enemies": (0.0, inf)}
        for term in self.terms:
            low, high = spans.get(term.metric, (0.0, 1.0))
            if term.metric in spans:
                spans[term.metric] = max(low, term.low), min(high, term.high)
        low, high = spans["dig_share"]
        for term in self.terms:
            if term.metric in DUG and term.low > 0:
                low = max(low, MUCH)
            elif term.metric in DUG and term.high < 1:
                high = 0.0
        return Wishes((low, high) if low <= high else spans["dig_share"], spans["gold"], spans["enemies"])

    def won(self, level: Level) -> Level | None:
        """Returns the level with a plan that wins against its guards, here or in other places, and as steady
        as is asked for where one is found."""
        least = max((term.low for term in self.terms if term.metric == "steady"), default=0.0)
        for each in chain([level], self.of.variants(level)):
            plan = self.of.prove(each, steady=least)
            if plan is not None:
                return self.fitting(each, plan)
        self.not_won += 1
        return None

    def fitting(self, level: Level, plan: str) -> Level | None:
        level = replace(level, solution=plan)
        return level if self.meets(level) else None

    @staticmethod
    def serves(size: Size, wants: Iterable[Any]) -> bool:
        """Tells whether levels often enough lie in the ranges (`making.wants.Want`); any size can be
        built.

        What only a plan tells is left to it: no search knows that while it looks.
        """
        from levelsmith.games.loderunner import SOLUTION_METRICS

        for want in wants:
            if want.metric in SOLUTION_METRICS:
                continue
            if want.metric not in USUAL:
                return False
            scale = size[0] * size[1] / CELLS if want.metric in BY_AREA else 1.0
            low, high = USUAL[want.metric]
            if want.low > scale * high or want.high < scale * low:
                return False
        return True
