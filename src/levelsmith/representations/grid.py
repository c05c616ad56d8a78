"""A level as the grid itself, cell by cell; what may change next tells the three representations apart."""

from __future__ import annotations

from typing import Any

from levelsmith.core import Game, Grid, Parameter, Parameters, Size, Values
from levelsmith.kernels.boards import tiles_of
from levelsmith.representations import kernels

FILL = Parameter("fill", 0.5, "share of cells that start as the game's first tile", low=0.0, high=1.0)


class GridRepresentation:
    """What the three have in common; any number of tile kinds, any size."""

    name: str
    kind: int
    offers = frozenset({"steps", "variation"})

    def depth(self, cells: int, values: Values) -> int:
        """The most actions on a path."""
        raise NotImplementedError

    def build(self, game: Game, size: Size, values: Values) -> Any:
        depth = self.depth(size[0] * size[1], values)
        pairs = values.get("actions") == "pairs"
        return kernels.make(self.kind, size, len(game.tiles), values["fill"], depth, pairs)

    def grid(self, built: Any, board: Any) -> Grid:
        cells: Grid = tiles_of(board, built.height * built.width)
        return cells.reshape(built.height, built.width)


class Narrow(GridRepresentation):
    name = "narrow"
    kind = kernels.NARROW
    summary = "cell after cell in a random order, each kept or changed"
    parameters: Parameters = (FILL, Parameter("passes", 1, "how often every cell comes by", low=1, high=1000))

    def depth(self, cells: int, values: Values) -> int:
        return cells * int(values["passes"])


class Turtle(GridRepresentation):
    name = "turtle"
    kind = kernels.TURTLE
    summary = "a turtle that steps from cell to cell and changes where it stands"
    parameters: Parameters = (
        FILL,
        Parameter("actions", "single", "step or change, or both at once", choices=("single", "pairs")),
        Parameter("depth", 0, "most actions on a path; 0 for no limit", low=0),
    )

    def depth(self, cells: int, values: Values) -> int:
        return int(values["depth"]) or kernels.NO_LIMIT


class Wide(GridRepresentation):
    name = "wide"
    kind = kernels.WIDE
    summary = "any cell may change at any time, each once on a path"
    parameters: Parameters = (
        FILL,
        Parameter("depth", 0, "most changes on a path; 0 for as many as there are cells", low=0),
    )

    def depth(self, cells: int, values: Values) -> int:
        return min(int(values["depth"]) or cells, cells)


NARROW, TURTLE, WIDE = Narrow(), Turtle(), Wide()
