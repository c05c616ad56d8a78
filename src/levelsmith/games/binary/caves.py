"""The maker `caves`: chambers joined by a maze, worn smooth, with an entry and an exit far apart.

A maze over a coarse grid of chambers says where rock stands between two of them. Cells are drawn from that,
and then each becomes what most of the nine cells around it are, a few times over (cellular automata, as in
Johnson, Yannakakis and Togelius, "Cellular automata for real-time generation of infinite cave levels", 2010).
The largest region stays, and two openings are cut into the solid border where the way between them is long.
"""

from __future__ import annotations

from collections.abc import Collection
from math import sqrt
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from levelsmith.core import Grid, Level, Parameter, Parameters, Size
from levelsmith.errors import LevelsmithError, option
from levelsmith.games.drawn import Drawer

if TYPE_CHECKING:
    from levelsmith.games.binary.kernels.caves import CavePlan

SMALLEST: Size = (6, 6)  # less is no cave
AUTOMATIC = 0
CHAMBERS = (4, 7)  # cells across, on small maps and on large ones
WAY_PER_SIDE, WAY_SHARE = 1.1, 0.18  # of height + width; of the cells inside, for small maps
OPEN_SHARE = 0.3  # of the cells inside, at least
APART = 0.3  # of height + width, that the openings lie apart as the crow flies
SHORTEST = 0.5  # of height + width, that the way has where the chambers are of the asker's choice
# What caves are like, so that a search is asked for others: at most so much of height + width and of the
# cells inside; shares of the cells inside; shares of all neighbours.
LONGEST, LONGEST_SHARE, OPEN, SMOOTH = 1.7, 0.25, (0.35, 0.65), (0.75, 0.92)


def long_enough(size: Size, chamber: int = AUTOMATIC) -> int:
    """Returns the steps that the way through a cave has at least."""
    height, width = size
    if chamber != AUTOMATIC:
        return round(SHORTEST * (height + width))
    return round(min(WAY_PER_SIDE * (height + width), WAY_SHARE * (height - 2) * (width - 2)))


def draw(size: Size, dice: Random, chamber: int = AUTOMATIC, loops: float = 0.1) -> Grid | None:
    """Returns a cave; None where too little of it hangs together or the way through it is short."""
    from levelsmith.games.binary.kernels.caves import draw_cave

    version, words, gauss = dice.getstate()
    state, grid = np.array(words, np.uint32), np.empty(size, np.uint8)
    drawn = draw_cave(cave_plan(size, chamber, loops), state, grid.reshape(-1))
    dice.setstate((version, tuple(state.tolist()), gauss))
    return grid if drawn else None


def cave_plan(size: Size, chamber: int, loops: float) -> CavePlan:
    """Returns what caves of a size are to be like, with workspace of its own."""
    from levelsmith.games.binary.kernels.caves import CavePlan

    height, width = size
    side = chamber or min(max(round(sqrt(min(size))), CHAMBERS[0]), CHAMBERS[1])
    rows, columns = (max(1, round((length - 2) / side)) for length in size)
    cells = height * width
    return CavePlan(
        height,
        width,
        tops=np.array([1 + round(i * (height - 2) / rows) for i in range(rows + 1)], np.int64),
        lefts=np.array([1 + round(i * (width - 2) / columns) for i in range(columns + 1)], np.int64),
        wobbles=side > CHAMBERS[0],
        loops=float(loops),
        open_least=OPEN_SHARE * (height - 2) * (width - 2),
        apart_least=APART * (height + width),
        way_least=long_enough(size, chamber),
        right=np.zeros(rows * columns, np.uint8),
        below=np.zeros(rows * columns, np.uint8),
        seen=np.zeros(rows * columns, np.uint8),
        walk=np.zeros(rows * columns, np.int32),
        chance=np.zeros(cells, np.float64),
        other=np.zeros(cells, np.uint8),
        queue=np.zeros(cells, np.int32),
        distance=np.zeros(cells, np.int32),
        entered=np.zeros(cells, np.int32),
    )


class Caves(Drawer):
    game = "binary"
    summary = "caves with a solid border, an entry and an exit far apart, and smooth walls"
    parameters: ClassVar[Parameters] = (
        Parameter("chamber", AUTOMATIC, "cells across a chamber; 0 to suit the size", low=0, high=64),
        Parameter(
            "loops", 0.1, "share of the walls between chambers that get a door besides", low=0.0, high=1.0
        ),
    )
    batches = False
    default_size: ClassVar[Size] = (14, 20)

    def candidate(self, dice: Random) -> Level | None:
        grid = draw(self.size, dice, self.values["chamber"], self.values["loops"])
        if grid is None:
            return None
        level = Level(self.of.name, self.of.tiles, grid)
        return level if self.meets(level) else None

    def page_arguments(self) -> dict[str, Any]:
        """Returns what `draw_cave` takes first, for pages to lay out as it is here."""
        return {"plan": cave_plan(self.size, self.values["chamber"], self.values["loops"])}

    @staticmethod
    def serves(size: Size, wants: Collection[Any]) -> bool:
        """Tells whether caves have such a size, and often enough lie in the ranges (`making.wants.Want`).

        Refuses a way through that no cave has.
        """
        if size[0] < SMALLEST[0] or size[1] < SMALLEST[1]:
            return False
        sides, inside = size[0] + size[1], (size[0] - 2) * (size[1] - 2)
        longest = max(0.6 * sides, min(LONGEST * sides, LONGEST_SHARE * inside))
        path = (SHORTEST * sides, longest)
        for want in wants:
            if want.metric == "way" and want.low > longest:
                raise LevelsmithError(
                    f"expected a way of at most {longest:.0f} on {size[1]}x{size[0]}, got {want.low:g}; "
                    f"ask for a larger {option('size')}"
                )
        usual = {
            "empty": (OPEN[0] * inside, OPEN[1] * inside),
            "path": path,
            "way": path,
            "regions": (1, 1),
            "openings": (2, 2),
            "smoothness": SMOOTH,
        }
        return all(want.low <= usual[want.metric][1] and want.high >= usual[want.metric][0] for want in wants)
