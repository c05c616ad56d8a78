"""A level as the grid itself, cell by cell; what may change next tells the three representations apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from levelsmith.core import Game, Grid, Parameter, Parameters, Size, Values

FILL = Parameter("fill", 0.5, "share of cells that start as the game's first tile", low=0.0, high=1.0)


class GridRepresentation:
    """Narrow, turtle or wide, for any number of tile kinds and any size."""

    offers = frozenset({"steps", "variation"})

    def __init__(self, name: str, summary: str, parameters: Parameters):
        self.name, self.summary, self.parameters = name, summary, (FILL, *parameters)

    def build(self, game: Game, size: Size, values: Values) -> Any:
        from levelsmith.representations import kernels

        cells = size[0] * size[1]
        kind = {"narrow": kernels.NARROW, "turtle": kernels.TURTLE, "wide": kernels.WIDE}[self.name]
        depth = (
            values.get("depth", 0)
            or {
                "narrow": cells * values.get("passes", 1),
                "turtle": kernels.NO_LIMIT,
                "wide": cells,
            }[self.name]
        )
        return kernels.make(
            kind, size, len(game.tiles), values["fill"], depth, pairs=values.get("actions") == "pairs"
        )

    def grid(self, built: Any, board: Any) -> Grid:
        from levelsmith.kernels.boards import tile_at

        cells = [tile_at(board, cell) for cell in range(built.height * built.width)]
        return np.array(cells, np.uint8).reshape(built.height, built.width)


NARROW = GridRepresentation(
    "narrow",
    "cell after cell in a random order, each kept or changed",
    (Parameter("passes", 1, "how often every cell comes by", low=1, high=1000),),
)
TURTLE = GridRepresentation(
    "turtle",
    "a turtle that steps from cell to cell and changes where it stands",
    (
        Parameter("actions", "single", "step or change, or both at once", choices=("single", "pairs")),
        Parameter("depth", 0, "most actions on a path; 0 for no limit", low=0),
    ),
)
WIDE = GridRepresentation(
    "wide",
    "any cell may change at any time, each once on a path",
    (Parameter("depth", 0, "most changes on a path; 0 for as many as there are cells", low=0),),
)
