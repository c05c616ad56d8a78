"""The maker `construct`: levels drawn in one of several styles, furnished, and played by the agent.

What hangs in the air, is out of reach or cannot be played is thrown away.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from random import Random
from typing import Any, ClassVar

from levelsmith.core import Effort, Grid, Level, Parameter, Parameters, Size
from levelsmith.games.drawn import Drawer
from levelsmith.games.loderunner.agent.still.solve import solve
from levelsmith.games.loderunner.construct import furnish
from levelsmith.games.loderunner.construct.compose import STYLES, composed
from levelsmith.games.loderunner.construct.pieces import Misfit, faults
from levelsmith.games.loderunner.judge.judge import judge

ANY, YES, NO = "any", "yes", "no"
STATES = 200_000  # that the agent may look at
# Between which eight in ten levels of 32x22 cells lie, all styles together.
CELLS = 704
USUAL: dict[str, tuple[float, float]] = {
    "gold": (8, 27),
    "enemies": (2, 5),
    "players": (1, 1),
    "ground": (130, 240),
    "ladders": (45, 100),
    "ropes": (0, 36),
    "empty": (350, 475),
    "ground_share": (0.19, 0.34),
    "ladder_share": (0.064, 0.142),
    "rope_share": (0, 0.051),
    "density": (0.32, 0.5),
    "gold_share": (1, 1),
    "connectivity": (0.65, 0.88),
    "playable": (1, 1),
    "moves": (110, 220),
    "ticks": (110, 230),
    "digs": (0, 1),
    "difficulty": (0, 100),
}
BY_AREA = ("gold", "enemies", "ground", "ladders", "ropes", "empty", "moves", "ticks", "digs")


def draw(size: Size, dice: Random, style: str = ANY, mirrored: str = ANY) -> Grid | None:
    """Returns a level, furnished but not played; None where the style found no room or made a fault."""
    name = dice.choice(STYLES) if style == ANY else style
    mirror = dice.random() < 0.3 if mirrored == ANY else mirrored == YES
    try:
        grid, prizes = composed(size, dice, name, mirror)
    except Misfit:
        return None
    furnish.materials(grid, dice)
    furnish.ropes(grid, dice, mirror)
    furnished = furnish.furnished(grid, prizes, dice, mirror)
    good = furnished and furnish.uses_top(grid) and not faults(grid)
    return grid if good else None


class Construct(Drawer):
    game = "loderunner"
    summary = "levels built in one of several styles, each with the plan of an agent that played it"
    parameters: ClassVar[Parameters] = (
        Parameter("style", ANY, "the architecture", choices=(ANY, *STYLES)),
        Parameter("mirrored", ANY, "whether one half is the other's mirror image", choices=(ANY, YES, NO)),
    )
    sure = ("gold_share", "connectivity", "players")  # a level with a plan need not be asked for these
    default_size: ClassVar[Size] = (22, 32)

    def candidate(self, dice: Random) -> Level | None:
        """Builds the next candidate, or the same without what lies too deep; returns it if it will do."""
        drawn = draw(self.size, dice, self.values["style"], self.values["mirrored"])
        if drawn is None:
            return None
        for grid in (drawn, furnish.without_deep(drawn)):
            if not furnish.enough(grid) or not judge(grid, "relaxed").playable:
                return None
            level = Level(self.of.name, self.of.tiles, grid)
            plan = solve(level, Effort(states=STATES, seconds=None)).solution
            if plan is not None:
                return self.won(level) if self.of.guards == "chase" else self.fitting(level, plan)
        return None

    def won(self, level: Level) -> Level | None:
        """Returns the level with a plan that wins against its guards, here or in other places."""
        for each in chain([level], self.of.variants(level)):
            plan = self.of.prove(each)
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
        built."""
        for want in wants:
            if want.metric not in USUAL:
                return False
            scale = size[0] * size[1] / CELLS if want.metric in BY_AREA else 1.0
            low, high = USUAL[want.metric]
            if want.low > scale * high or want.high < scale * low:
                return False
        return True
