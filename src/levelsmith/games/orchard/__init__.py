"""Orchard, the example game: plant trees so that none stands right beside another.

It is the smallest complete game, meant to be copied: tiles and objectives here, compiled metrics in
`kernels.py`, the sprites in `look.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game
from levelsmith.core import Grid, Level, Objective, Parameter, Size, Term, Tile, Tiles, Values
from levelsmith.errors import LevelsmithError
from levelsmith.levels.look import Look


def _spaced(size: Size, values: Values) -> list[Term]:
    cells = size[0] * size[1]
    return [
        Term("trees", "ramp", low=values["share"] * cells),
        Term("crowded", "ramp", zero=-1, low=0, high=0, end=cells),
    ]


class Orchard(Game):
    name = "orchard"
    summary = "trees that stand apart, the example game to copy"
    tiles = Tiles(Tile("grass", ".", tags=("passable", "empty")), Tile("tree", "^", tags=("solid",)))
    metrics: Mapping[str, str] = {
        "trees": "cells with a tree",
        "crowded": "trees with another tree above, below, left or right",
    }
    objectives: Mapping[str, Objective] = {
        "spaced": Objective(
            "spaced",
            "trees on a share of the cells, none beside another",
            _spaced,
            (Parameter("share", 0.4, "least share of cells with a tree", low=0.0, high=0.5),),
        )
    }
    defaults: Mapping[str, str] = {"search": "hc", "representation": "wide", "objective": "spaced"}
    default_size: Size = (8, 8)
    smallest: Size = (2, 2)
    largest: Size = (16, 16)

    def measure(self, grids: Grid) -> NDArray[np.float64]:
        from levelsmith.games.orchard.kernels import measure

        return measure(grids)

    def check(self, level: Level) -> None:
        """Every grid of grass and trees is an orchard, up to the size that fits four words."""
        height, width = level.size
        if height > self.largest[0] or width > self.largest[1]:
            most = f"{self.largest[1]}x{self.largest[0]}"
            raise LevelsmithError(f"expected an orchard of at most {most} cells, got {width}x{height}")

    def compiled(self, size: Size) -> Any:
        from levelsmith.games.orchard.kernels import make

        return make(size)

    def look(self) -> Look:
        from levelsmith.games.orchard.look import LOOK

        return LOOK


GAME = Orchard()
