"""A level as the grid itself, cell by cell: wide, where any cell may change at any time."""

from __future__ import annotations

from typing import Any

import numpy as np

from levelsmith.core import Game, Grid, Parameter, Size, Values
from levelsmith.errors import LevelsmithError
from levelsmith.kernels.bits import BY_VALUE, WORD, to_members

MOST_CELLS = BY_VALUE[-1] * WORD


class Wide:
    name = "wide"
    summary = "any cell may change at any time, each once on a path"
    parameters = (
        Parameter("fill", 0.5, "share of cells that start as the game's first tile", low=0.0, high=1.0),
        Parameter("depth", 0, "most changes on a path; 0 for as many as there are cells", low=0),
    )
    offers = frozenset({"steps", "variation"})

    def build(self, game: Game, size: Size, values: Values) -> Any:
        from levelsmith.representations.kernels import make_wide

        if len(game.tiles) != 2 or size[0] * size[1] > MOST_CELLS:
            raise LevelsmithError(
                f"wide takes games of 2 tile kinds and up to {MOST_CELLS} cells, "
                f"got {len(game.tiles)} kinds and {size[1]}x{size[0]} cells for {game.name}"
            )
        return make_wide(size, values["fill"], values["depth"])

    def grid(self, built: Any, board: Any) -> Grid:
        cells = np.zeros(built.height * built.width, np.uint8)
        cells[to_members(board)] = 1
        return cells.reshape(built.height, built.width)


WIDE = Wide()
