"""The maker `construct`: levels drawn in one of several styles, furnished, and played by the agent.

What hangs in the air, is out of reach or cannot be played is thrown away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

import numpy as np

from levelsmith.core import Effort, Grid, Level, Parameter, Parameters, Size
from levelsmith.games.drawn import Drawer
from levelsmith.games.loderunner.agent.solve import solve
from levelsmith.games.loderunner.construct import furnish, masses, monuments, styles
from levelsmith.games.loderunner.construct.pieces import Misfit, Sketch, faults
from levelsmith.games.loderunner.judge.judge import judge
from levelsmith.games.loderunner.rules.rules import EMPTY, Cell

Style = Callable[[Sketch], None]
ANY, YES, NO = "any", "yes", "no"
STATES = 200_000  # that the agent may look at
# Between which eight in ten levels of 32x22 cells lie, all styles together.
CELLS = 704
USUAL: dict[str, tuple[float, float]] = {
    "gold": (7, 24),
    "enemies": (2, 5),
    "players": (1, 1),
    "ground": (90, 280),
    "ladders": (32, 95),
    "ropes": (0, 40),
    "empty": (320, 510),
    "ground_share": (0.13, 0.4),
    "ladder_share": (0.045, 0.135),
    "rope_share": (0, 0.057),
    "density": (0.28, 0.53),
    "gold_share": (1, 1),
    "connectivity": (0.5, 0.83),
    "playable": (1, 1),
    "moves": (95, 250),
    "ticks": (95, 260),
    "digs": (0, 3),
}
BY_AREA = ("gold", "enemies", "ground", "ladders", "ropes", "empty", "moves", "ticks", "digs")

PLAIN: dict[str, Style] = {
    "terraces": styles.terraces,
    "zigzag": styles.zigzag,
    "chambers": styles.chambers,
    "towers": styles.towers,
    "bridges": styles.bridges,
    "islands": styles.islands,
    "stairs": styles.stairs,
    "comb": masses.comb,
    "vault": masses.vault,
    "net": styles.net,
    "mine": masses.mine,
}
MONUMENTS: dict[str, Style] = {  # symmetrical by themselves
    "pyramid": monuments.pyramid,
    "temple": monuments.temple,
    "diamond": monuments.diamond,
    "rings": monuments.rings,
    "emblem": monuments.emblem,
}
ALL = {**PLAIN, **MONUMENTS}
STYLES = tuple(ALL)


def draw(size: Size, dice: Random, style: str = ANY, mirrored: str = ANY) -> Grid | None:
    """Returns a level, furnished but not played; None where the style found no room or made a fault."""
    name = dice.choice(STYLES) if style == ANY else style
    mirror = dice.random() < 0.5 if mirrored == ANY else mirrored == YES
    try:
        grid, prizes = _architecture(size, dice, name, mirror)
    except Misfit:
        return None
    furnish.materials(grid, dice)
    furnish.ropes(grid, dice, mirror)
    good = furnish.furnished(grid, prizes, dice, mirror) and not faults(grid)
    return grid if good else None


def _architecture(size: Size, dice: Random, name: str, mirror: bool) -> tuple[Grid, list[Cell]]:
    height, width = size
    middle = -(-width // 2)
    whole = Sketch(np.zeros(size, np.uint8), dice)
    half = whole.part(0, 0, height - 1, middle - 1, half=True)
    if not mirror and (name in MONUMENTS or dice.random() < 0.3):
        _side_by_side(whole, name)
        return whole.grid, whole.prizes
    drawn = half if mirror and name in PLAIN else whole
    ALL[name](drawn)
    _crown(drawn)
    if mirror:
        whole.grid[:, width - middle :] = half.grid[:, ::-1]
    return whole.grid, whole.prizes


def _crown(d: Sketch) -> None:
    """Something high above a low building."""
    free = int((d.grid == EMPTY).all(axis=1).argmin())
    if free < 7 or d.chance(0.3):
        return
    row, last = d.between(3, free - 4), d.width - 1
    if d.half or d.chance(0.5):
        left, right = d.between(1, d.width // 3), last if d.half else last - d.between(1, d.width // 3)
        d.slab(row, left, right)
        d.climb(row, left)
        d.prize(row - 1, left + 2)
        if not d.half:
            d.climb(row, right)
            d.prize(row - 1, right - 2)
    else:
        left, right = d.width // 4, last - d.width // 4
        d.slab(row, 0, left)
        d.slab(row, right, last)
        d.bridge(row, left, right, d.chance(0.5))
        for column, end in ((1, left), (last - 1, right)):
            d.climb(row, column)
            d.prize(row - 1, end)


def _side_by_side(whole: Sketch, name: str) -> None:
    """A style beside another one."""
    cut = whole.width * whole.between(8, 12) // 20
    if name in MONUMENTS:
        cut = max(cut, min(20, whole.width - 6))
    names = [name, whole.pick(tuple(PLAIN))]
    if whole.chance(0.5):
        names, cut = names[::-1], whole.width - cut
    for style, left, right in zip(names, (0, cut), (cut - 1, whole.width - 1), strict=True):
        part = whole.part(0, left, whole.height - 1, right)
        ALL[style](part)
        if part.width >= 12:
            _crown(part)


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
                level = replace(level, solution=plan)
                return level if self.meets(level) else None
        return None

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
