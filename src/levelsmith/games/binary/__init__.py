"""Binary maps: each cell is empty or wall."""

from levelsmith.core import Tile, Tiles
from levelsmith.games.plain import PlainGame
from levelsmith.levels.look import Look


def _look() -> Look:
    from levelsmith.games.binary.look import LOOK

    return LOOK


GAME = PlainGame(
    name="binary",
    summary="maps of empty and wall cells",
    tiles=Tiles(Tile("empty", ".", tags=("passable", "empty")), Tile("wall", "#", tags=("solid",))),
    counts={"empty": ("empty",), "walls": ("wall",)},
    default_size=(10, 10),
    smallest=(2, 2),
    largest=(64, 64),
    looks=_look,
)
