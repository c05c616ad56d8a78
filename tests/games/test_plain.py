"""Games that are only their tiles count them, and say that they cannot be generated."""

from __future__ import annotations

import numpy as np
import pytest

import levelsmith
from levelsmith.errors import LevelsmithError
from levelsmith.games.plain import PlainGame
from levelsmith.registry import games

PLAIN = [name for name in games if isinstance(games.get(name), PlainGame)]


@pytest.mark.parametrize("name", PLAIN)
def test_metrics_count_the_cells_of_the_named_tiles(name):
    game = games.get(name)
    grids = np.random.default_rng(0).integers(0, len(game.tiles), (4, 5, 7), dtype=np.uint8)
    measured = game.measure(grids)
    for column, tiles in enumerate(game.counts.values()):
        kinds = [game.tiles.names.index(tile) for tile in tiles]
        for row, grid in zip(measured, grids, strict=True):
            assert row[column] == sum(int(cell) in kinds for line in grid for cell in line)


@pytest.mark.parametrize("name", PLAIN)
def test_a_metric_says_what_it_counts(name):
    for metric, meaning in games.get(name).metrics.items():
        assert metric
        assert meaning.startswith("cells that are ")


@pytest.mark.parametrize("name", [name for name in PLAIN if not games.get(name).objectives])
def test_a_game_without_objectives_says_what_can_be_generated(name):
    with pytest.raises(
        LevelsmithError, match=f"{name} levels can be read, drawn .* expected one of: .*orchard"
    ):
        levelsmith.generate(name)
