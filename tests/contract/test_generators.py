"""Every registered generator keeps the promises of its contract, and breaking one is seen."""

from __future__ import annotations

import itertools
import zlib

import numpy as np
import pytest

import levelsmith
from levelsmith.core import Batch
from levelsmith.errors import LevelsmithError
from levelsmith.registry import games, generators
from levelsmith.testing import CheckFailed, check_generator
from tiles_only import TilesOnly


@pytest.mark.parametrize("name", generators.names)
def test_a_registered_generator_keeps_its_promises(name):
    check_generator(name, "puzzlescript:rope" if name == "remix" else None)


class Scatter:
    """Throws walls on a map until enough of them lie there."""

    game = "loderunner"
    summary = "walls thrown at random"
    parameters = ()
    chunk = 10

    def __init__(self, game, size, values, terms):
        self.size = size

    def make(self, runs, seeds, evaluations, cancel):
        made = [self.one(np.random.default_rng(seed), evaluations) for seed in seeds]
        good = [i for i, (grid, _) in enumerate(made) if grid.mean() > 0.5]
        grids = np.array([made[i][0] for i in good], np.uint8).reshape(-1, *self.size)
        keys = np.array([key(grid) for grid in grids], np.uint64)
        spent = np.array([made[i][1] for i in good])
        yield Batch(np.asarray(runs)[good], grids, ("",) * len(good), keys, spent)

    def one(self, rng, evaluations):
        spent, grid = 0, np.zeros(self.size, np.uint8)
        while grid.mean() <= 0.5 and spent < evaluations:
            spent, grid = spent + 1, rng.integers(0, 2, self.size, dtype=np.uint8)
        return grid, spent

    def known(self, levels):
        return {key(level.grid) for level in levels}


def key(grid):
    return zlib.crc32(grid.tobytes())


def test_a_generator_that_keeps_its_promises_passes():
    check_generator(Scatter)


def test_a_game_without_objectives_says_what_can_be_generated(entered):
    entered(games, "tiles", TilesOnly("tiles", games.get("orchard")))
    with pytest.raises(
        LevelsmithError, match=r"tiles levels can be read, drawn .* expected one of: .*orchard"
    ):
        levelsmith.generate("tiles")


class Heap(Scatter):
    game = "tiles"


def test_a_registered_generator_makes_levels_of_a_game_without_objectives(entered):
    entered(games, "tiles", TilesOnly("tiles", games.get("orchard")))
    entered(generators, "scatter", Heap)
    result = levelsmith.generate("tiles", size=(6, 7), evaluations=50, seed=1)
    assert result.best.size == (6, 7)
    assert result.best.provenance["search"] == "scatter"
    assert (result.stopped, result.solved) == ("solved", True)
    again = levelsmith.generate("tiles", size=(6, 7), search="scatter", evaluations=50, seed=1)
    assert again.best == result.best


class Whimsical(Scatter):
    def one(self, rng, evaluations):
        return super().one(np.random.default_rng(next(COUNTER)), evaluations)


class Overspending(Scatter):
    def one(self, rng, evaluations):
        grid, _ = super().one(rng, evaluations)
        return grid, evaluations + 1


class Sharing(Scatter):
    """Draws all levels from the numbers of the first."""

    def make(self, runs, seeds, evaluations, cancel):
        rng = np.random.default_rng(seeds[0])
        return super().make(runs, [rng] * len(seeds), evaluations, cancel)


class Outsized(Scatter):
    def one(self, rng, evaluations):
        return np.ones((2, 2), np.uint8), 1

    def make(self, runs, seeds, evaluations, cancel):
        self.size = (2, 2)
        return super().make(runs, seeds, evaluations, cancel)


class Forgetful(Scatter):
    def known(self, levels):
        return set()


COUNTER = itertools.count()


@pytest.mark.parametrize(
    ("generator", "message"),
    [
        (Whimsical, "same from the same seed"),
        (Overspending, "spends at most"),
        (Sharing, "alone or among others"),
        (Outsized, "shape"),
        (Forgetful, "knows the levels that it made"),
    ],
)
def test_a_generator_that_breaks_a_promise_is_told_which(generator, message):
    with pytest.raises(CheckFailed, match=message):
        check_generator(generator)


class Orchards(Scatter):
    game = "orchard"


def test_a_generator_of_what_is_no_level_of_its_game_is_told(monkeypatch):
    def refuse(self, level):
        raise LevelsmithError("no orchard of mine")

    monkeypatch.setattr("levelsmith.games.orchard.Orchard.check", refuse)
    with pytest.raises(CheckFailed, match="Orchards makes levels of orchard, but no orchard of mine"):
        check_generator(Orchards)
