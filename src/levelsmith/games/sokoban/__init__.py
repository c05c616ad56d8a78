"""Sokoban: push every box onto a goal."""

from levelsmith.core import Tile, Tiles
from levelsmith.games.plain import PlainGame
from levelsmith.levels.look import Look


def _look() -> Look:
    from levelsmith.games.sokoban.look import LOOK

    return LOOK


GAME = PlainGame(
    name="sokoban",
    summary="push every box onto a goal",
    tiles=Tiles(
        Tile("floor", " ", "-_", tags=("passable", "empty")),
        Tile("wall", "#", tags=("solid",)),
        Tile("box", "$", "b", tags=("pushable", "box")),
        Tile("goal", ".", "o", tags=("passable", "goal")),
        Tile("box on goal", "*", "B", tags=("pushable", "box", "goal")),
        Tile("player", "@", "p", tags=("passable", "spawn")),
        Tile("player on goal", "+", "P", tags=("passable", "spawn", "goal")),
        blank="floor",
    ),
    counts={
        "boxes": ("box", "box on goal"),
        "goals": ("goal", "box on goal", "player on goal"),
        "solved boxes": ("box on goal",),
        "walls": ("wall",),
    },
    default_size=(7, 7),
    smallest=(3, 3),
    largest=(64, 64),
    looks=_look,
)
