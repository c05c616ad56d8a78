"""A game in plain Python: what the driver does a second when measuring is free, and one compiled."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import levelsmith
from levelsmith.core import Objective, Term, Tile, Tiles
from levelsmith.games.own import OwnGame
from levelsmith.registry import games

sys.path.insert(0, str(Path(__file__).parent.parent / "examples" / "dungeon" / "src"))
import dungeon

EVALUATIONS = 100_000
SEARCHES = ("random", "hc", "sa", "es", "ga", "elites", "best", "mcts")


class Free(OwnGame):
    """Its score costs nothing and is never met, so that only the way to Python and back is measured."""

    name = "free"
    tiles = Tiles(Tile("off", "."), Tile("on", "#"), Tile("high", "^"))
    metrics = {"nothing": "0"}  # noqa: RUF012
    objectives = {  # noqa: RUF012
        "more": Objective("more", "more than nothing", lambda size, values: [Term("nothing", "ramp")])
    }
    default_size = (10, 10)

    def measured(self, grid):
        return {"nothing": 0}


class PlainDungeon(dungeon.Dungeon):
    name = "plain_dungeon"
    compiled = OwnGame.compiled


def rate(game: str, **choices) -> float:
    result = levelsmith.generate(game, seed=1, evaluations=EVALUATIONS, **choices)
    return result.evaluations / result.seconds


def measurements() -> Iterator[tuple[str, float, str]]:
    for game in (Free(), PlainDungeon(), dungeon.GAME):
        if game.name not in games:
            games.register(game.name, game)
    for search in SEARCHES:
        yield f"plain Python, free score, 10x10: {search}", rate("free", search=search), "evaluations/s"
    hard = {"set": {"length": 1000}}  # never met
    plain, compiled = rate("plain_dungeon", **hard), rate("dungeon", **hard)
    yield "dungeon 10x8 in plain Python: hc", plain, "evaluations/s"
    yield "dungeon 10x8 compiled: hc", compiled, "evaluations/s"
    yield "compiled against plain", compiled / plain, "times"
