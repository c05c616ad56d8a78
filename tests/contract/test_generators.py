"""Every registered generator keeps the promises of its contract, and breaking one is seen."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import levelsmith
from levelsmith.errors import LevelsmithError
from levelsmith.registry import games, generators
from levelsmith.testing import CheckFailed, check_generator
from tiles_only import TilesOnly


@pytest.mark.parametrize("name", generators.names)
def test_a_registered_generator_keeps_its_promises(name):
    check_generator(name)


class Scatter:
    """Throws walls on a map and keeps the fullest one."""

    game = "loderunner"
    summary = "walls thrown at random"
    parameters = ()

    def __init__(self, game, size, seed, values):
        self.evaluations, self.score, self.exhausted = 0, -np.inf, False
        self.size, self.rng, self.grid = size, np.random.default_rng(seed), None

    def advance(self, evaluations):
        for _ in range(evaluations):
            grid = self.rng.integers(0, 2, self.size, dtype=np.uint8)
            self.evaluations += 1
            if grid.mean() > self.score:
                self.grid, self.score = grid, float(grid.mean())

    def best(self):
        return self.grid

    def statistics(self):
        return {}


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
    assert (result.evaluations, result.stopped, result.solved) == (50, "evaluations", False)
    again = levelsmith.generate("tiles", size=(6, 7), search="scatter", evaluations=50, seed=1)
    assert again.best == result.best


class Whimsical(Scatter):
    def __init__(self, game, size, seed, values):
        super().__init__(game, size, np.random.SeedSequence(next(COUNTER)), values)


class Overspending(Scatter):
    def advance(self, evaluations):
        super().advance(evaluations + 1)


class Portioned(Scatter):
    def advance(self, evaluations):
        self.rng.integers(5)
        super().advance(evaluations)


class Outsized(Scatter):
    def best(self):
        return np.zeros((2, 2), np.uint8)


COUNTER = itertools.count()


@pytest.mark.parametrize(
    ("generator", "message"),
    [
        (Whimsical, "same from the same seed"),
        (Overspending, "spends at most"),
        (Portioned, "in portions of"),
        (Outsized, "shape"),
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
