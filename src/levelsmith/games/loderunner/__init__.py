"""Lode Runner: collect all the gold over ladders and ropes, digging where nothing else helps."""

from levelsmith.core import Tile, Tiles
from levelsmith.games.plain import PlainGame
from levelsmith.levels.look import Look


def _look() -> Look:
    from levelsmith.games.loderunner.look import LOOK

    return LOOK


# Symbols and tags are those of the VGLC, so its files are plain text to us.
GAME = PlainGame(
    name="loderunner",
    summary="collect all the gold over ladders and ropes",
    tiles=Tiles(
        Tile("empty", ".", " ", tags=("passable", "empty")),
        Tile("brick", "b", tags=("solid", "diggable", "ground")),
        Tile("solid", "B", tags=("solid", "ground")),
        Tile("ladder", "#", tags=("passable", "climbable", "ladder")),
        Tile("rope", "-", tags=("passable", "climbable", "rope")),
        Tile("gold", "G", tags=("passable", "pickupable", "gold")),
        Tile("enemy", "E", tags=("damaging", "enemy")),
        Tile("player", "M", tags=("passable", "spawn")),
    ),
    counts={
        "gold": ("gold",),
        "enemies": ("enemy",),
        "players": ("player",),
        "ground": ("brick", "solid"),
        "ladders": ("ladder",),
        "ropes": ("rope",),
        "empty": ("empty",),
    },
    default_size=(22, 32),
    smallest=(6, 6),
    largest=(64, 64),
    looks=_look,
    mirrors=True,
    alike={"solid": "brick", "player": "empty"},
    channels=("brick", "rope", "ladder", "gold", "enemy"),
    placed_after=("player",),
)
