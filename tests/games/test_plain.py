"""Games that are only their tiles count them, and say that they cannot be generated."""

from __future__ import annotations

import numpy as np
import pytest

import levelsmith
from levelsmith.core import Tile, Tiles
from levelsmith.errors import LevelsmithError
from levelsmith.games.orchard import GAME as ORCHARD
from levelsmith.games.plain import PlainGame
from levelsmith.registry import games

MEADOW = PlainGame(
    name="meadow",
    summary="tiles alone",
    tiles=Tiles(Tile("grass", "."), Tile("tree", "^"), Tile("stone", "o")),
    counts={"green": ("grass", "tree"), "stones": ("stone",)},
    default_size=(5, 7),
    smallest=(2, 2),
    largest=(9, 9),
    looks=ORCHARD.look,
)


def test_metrics_count_the_cells_of_the_named_tiles():
    grids = np.random.default_rng(0).integers(0, 3, (4, 5, 7), dtype=np.uint8)
    expected = [[(grid < 2).sum(), (grid == 2).sum()] for grid in grids]
    assert MEADOW.measure(grids).tolist() == expected


def test_a_metric_says_what_it_counts():
    assert MEADOW.metrics == {"green": "cells that are grass or tree", "stones": "cells that are stone"}


def test_a_game_without_objectives_says_what_can_be_generated(entered):
    entered(games, "meadow", MEADOW)
    with pytest.raises(
        LevelsmithError, match=r"meadow levels can be read, drawn .* expected one of: .*orchard"
    ):
        levelsmith.generate("meadow")
