"""A game in plain Python is run by every search, and its mistakes are told in one line."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import levelsmith
from levelsmith.core import Level, Objective, Term, Tile, Tiles
from levelsmith.errors import LevelsmithError
from levelsmith.games.own import OwnGame, SolvableGame
from levelsmith.kernels import outside
from levelsmith.kernels.boards import board_of
from levelsmith.kernels.problem import metric
from levelsmith.registry import games
from levelsmith.testing import CheckFailed, check_game


def most_hills(size, values):
    return [
        Term("hills", "ramp", low=size[0] * size[1]),
        Term("lakes", "ramp", zero=-1, low=0, high=0, end=99),
    ]


class Hills(OwnGame):
    name = "hills"
    tiles = Tiles(Tile("plain", "."), Tile("hill", "^"), Tile("lake", "~"))
    metrics = {"hills": "cells that are hills", "lakes": "cells that are lakes"}  # noqa: RUF012
    objectives = {"high": Objective("high", "hills everywhere", most_hills)}  # noqa: RUF012
    default_size = (4, 4)

    def measured(self, grid):
        return {"lakes": (grid == 2).sum(), "hills": (grid == 1).sum()}


@pytest.fixture
def hills(entered):
    return entered(games, "hills", Hills())


def test_a_game_in_plain_python_keeps_the_promises_of_a_game(hills):
    check_game(hills)


def test_a_search_goes_on_with_what_python_measured(hills):
    result = levelsmith.generate("hills", seed=1, evaluations=2000)
    assert result.solved
    assert result.best.text == "\n".join(["^^^^"] * 4)
    assert levelsmith.measure(result.best) == {"hills": 16, "lakes": 0}


EVERY_SEARCH = """
import sys; sys.path.insert(0, sys.argv[1])
import levelsmith
from games.test_own import Hills
from levelsmith.registry import games, searches
games.register("hills", Hills())
for search in searches:
    steps = searches.get(search).needs == "steps"
    result = levelsmith.generate(
        "hills", search=search, representation="narrow" if steps else "turtle", seed=1, evaluations=150
    )
    found = levelsmith.measure(result.best)
    score = (found["hills"] / 16 + (1 - found["lakes"] / 99)) / 2
    assert abs(result.score - score) < 1e-9, (search, result)
"""


def test_every_search_runs_it(python):
    from pathlib import Path

    python(EVERY_SEARCH, Path(__file__).parents[1], NUMBA_DISABLE_JIT="1")


@pytest.mark.parametrize("kinds", [2, 3])
@pytest.mark.parametrize("size", [(3, 4), (20, 20)])
def test_python_sees_the_board_once_as_a_grid(size, kinds):
    seen = []

    def measured(grid):
        seen.append(grid.copy())
        return [1.5, 2.5]

    game = outside.make(size, 2, measured)
    grid = np.random.default_rng(1).integers(0, kinds, size, dtype=np.uint8)
    board = board_of(grid.ravel(), kinds)
    assert [metric(game, board, k) for k in (0, 1, 0)] == [1.5, 2.5, 1.5]
    assert len(seen) == 1
    assert np.array_equal(seen[0], grid)


def test_a_mistake_in_the_game_is_told_with_its_line(entered):
    class Broken(Hills):
        def measured(self, grid):
            return {"hills": 1 // int(grid[0, 0] != 1), "lakes": 0}

    entered(games, "hills", Broken())
    with pytest.raises(
        LevelsmithError,
        match=r"hills could not measure a level: ZeroDivisionError: .* \(line \d+ of .*test_own",
    ):
        levelsmith.generate("hills", seed=1, evaluations=2000)


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ({"hills": 1}, "KeyError: 'lakes'"),
        ({"hills": 1, "lakes": "many"}, "ValueError: could not convert"),
        ({"hills": 1, "lakes": 0, "seas": 0}, "hills measured seas, which its metrics do not name"),
        (None, "TypeError"),
    ],
)
def test_metrics_that_are_not_those_named_are_refused(found, message):
    game = Hills()
    game.measured = lambda grid: found
    with pytest.raises(LevelsmithError, match=message):
        game.measure(np.zeros((1, 4, 4), np.uint8))


def test_a_second_ctrl_c_in_a_measurement_gives_no_false_level(entered):
    class Stopped(Hills):
        def measured(self, grid):
            raise KeyboardInterrupt

    entered(games, "hills", Stopped())
    with pytest.raises(LevelsmithError, match="interrupted while a level was measured"):
        levelsmith.generate("hills", seed=1, evaluations=2000)


def test_the_way_to_python_is_given_back_with_the_game():
    class Owner:
        def measured(self, grid):
            return [0.0]

    owner = Owner()
    game, gone = outside.make((2, 2), 1, owner.measured), weakref.ref(owner)
    del owner
    gc.collect()
    assert gone() is not None
    del game
    gc.collect()
    assert gone() is None


def test_tiles_are_painted_with_the_colours_of_the_house():
    class Red(Hills):
        colours = {"hill": "rose", "lake": "wine"}  # noqa: RUF012

    with pytest.raises(LevelsmithError, match=r"no colour is called wine \(hills\); expected some of: floor"):
        Red().look()
    Red.colours = {"hill": "rose"}
    look = Red().look()
    assert look.sprites["hill"][0].colour == "rose"
    assert look.terminal["plain"] == ("floor", "ink")


class March(SolvableGame):
    """As many steps to the right as there are cells beside the first."""

    name = "march"
    tiles = Tiles(Tile("road", "."), Tile("wall", "#"), Tile("walker", "@"))
    walker = "walker"

    def solution(self, grid):
        return None if (grid == 1).any() else "r" * (grid.shape[1] - 1)

    def played(self, grid, moves):
        if len(moves) != grid.shape[1] - 1:
            raise LevelsmithError("not at the end")
        return [np.roll(grid, i) for i in range(len(moves) + 1)]


def test_a_solution_is_one_that_the_rules_accept(entered):
    entered(games, "march", March())
    level = Level("march", March.tiles, [[2, 0, 0]])
    verdict = levelsmith.solve(level)
    assert (verdict.status, verdict.solution, verdict.metrics["moves"]) == ("solved", "rr", 2)
    assert March().trail(Level("march", March.tiles, level.grid, solution="rr")) == [(0, 0), (0, 1), (0, 2)]
    with pytest.raises(LevelsmithError, match="not at the end"):
        March().verify(Level("march", March.tiles, level.grid, solution="r"))
    assert levelsmith.solve(Level("march", March.tiles, [[2, 1, 0]])).status == "unsolvable"


def test_a_game_without_its_methods_says_which():
    with pytest.raises(LevelsmithError, match="has no method `measured`"):
        check_game(type("Empty", (Hills,), {"measured": OwnGame.measured})())
    with pytest.raises(NotImplementedError, match="has no method `solution`"):
        SolvableGame().solution(np.zeros((1, 1), np.uint8))
    with pytest.raises(CheckFailed, match="known search, got 'luck'"):
        check_game(type("Lucky", (Hills,), {"search": "luck"})())
