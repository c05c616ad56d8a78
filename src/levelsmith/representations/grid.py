"""A level as the grid itself, cell by cell; what may change next tells the three representations apart.

Optimisers get genomes of the same three: wide is the map itself, narrow a keep or change for each cell in the
order of the run, turtle a sequence of moves.
"""

from __future__ import annotations

from typing import Any

from levelsmith.contracts import Game, Representation
from levelsmith.core import Canvas, Grid, Parameter, Parameters, Values
from levelsmith.errors import LevelsmithError
from levelsmith.kernels.boards import tiles_of
from levelsmith.representations.kernels import grid as kernels
from levelsmith.representations.kernels import turtle

FILL = Parameter("fill", 0.5, "share of cells that start as the game's first tile", low=0.0, high=1.0)


def mix_of(game: Game) -> list[int]:
    """Tiles, each as often as it is drawn where a tile is drawn at random; none where all are as likely."""
    return [game.tiles.index_of(name) for name, often in game.mix.items() for _ in range(often)]


class GridRepresentation(Representation):
    """What the three have in common; any number of tile kinds, any size."""

    name: str
    kind: int
    offers = frozenset({"steps", "variation"})

    def depth(self, cells: int, values: Values) -> int:
        """Returns the most actions on a path over so many cells that may change."""
        raise NotImplementedError

    def build(self, game: Game, canvas: Canvas, values: Values, needs: str) -> Any:
        if canvas.locked is not None and canvas.locked.all():
            raise LevelsmithError("expected at least one cell that may change, but every cell is locked")
        free = canvas.size[0] * canvas.size[1] if canvas.locked is None else int((~canvas.locked).sum())
        depth = self.depth(free, values)
        pairs = values.get("actions") == "pairs"
        return kernels.make(self.kind, canvas, game.tiles.kinds, values["fill"], depth, pairs, mix_of(game))

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
        Parameter("moves", 0, "moves of a genome; 0 for as many as there are cells", low=0, high=100_000),
    )

    def depth(self, cells: int, values: Values) -> int:
        return int(values["depth"]) or kernels.NO_LIMIT

    def build(self, game: Game, canvas: Canvas, values: Values, needs: str) -> Any:
        walker = super().build(game, canvas, values, needs)
        if needs == "steps":
            return walker
        return turtle.make(walker, values["moves"] or canvas.size[0] * canvas.size[1])


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
