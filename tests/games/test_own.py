"""A game in plain Python is run by every search, and its mistakes are told in one line."""

from __future__ import annotations

import gc
import re
import weakref
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

import levelsmith
from levelsmith.cli import cli
from levelsmith.core import Level, Objective, Parameter, Term, Tile, Tiles
from levelsmith.errors import LevelsmithError
from levelsmith.games.own import OwnGame, SolvableGame
from levelsmith.kernels import outside
from levelsmith.kernels.boards import board_of
from levelsmith.kernels.problem import metric
from levelsmith.registry import games
from levelsmith.request import Request
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

    python(EVERY_SEARCH, Path(__file__).parents[1], LEVELSMITH_KERNELS="plain")


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


def test_ctrl_c_in_a_measurement_gives_no_false_level(entered):
    class Stopped(Hills):
        def measured(self, grid):
            raise KeyboardInterrupt

    entered(games, "hills", Stopped())
    with pytest.raises(KeyboardInterrupt) as stopped:
        levelsmith.generate("hills", seed=1, evaluations=2000)
    assert stopped.value.result is None


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


STEPS = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}


def walk(size, values):
    ones = [Term(name, "ramp", low=1, high=1, end=99) for name in ("walkers", "exits")]
    return [*ones, Term("steps", "ramp", low=values["length"])]


class Walk(SolvableGame):
    """From the walker to the exit, over nothing."""

    name = "walk"
    tiles = Tiles(Tile("road", "."), Tile("walker", "@"), Tile("exit", "X"))
    metrics = {"walkers": "walkers", "exits": "exits", "steps": "steps to the exit"}  # noqa: RUF012
    objectives = {  # noqa: RUF012
        "walk": Objective("walk", "a long way", walk, (Parameter("length", 3, "least steps", low=1),))
    }
    default_size = (3, 5)
    smallest = (2, 3)
    largest = (4, 6)
    walker = "walker"
    mix = {"road": 6, "walker": 1, "exit": 1}  # noqa: RUF012

    def measured(self, grid):
        way = self.way(grid)
        return {"walkers": (grid == 1).sum(), "exits": (grid == 2).sum(), "steps": len(way or "")}

    def way(self, grid):
        starts, ends = np.argwhere(grid == 1), np.argwhere(grid == 2)
        if not len(starts) or not len(ends):
            return None
        down, right = (ends - starts[0])[np.abs(ends - starts[0]).sum(1).argmin()]
        return "d" * down + "u" * -down + "r" * right + "l" * -right

    def check_start(self, level):
        if (level.grid == 1).sum() != 1:
            raise LevelsmithError(f"expected one walker, got {(level.grid == 1).sum()}")

    def solution(self, grid):
        return self.way(grid)

    def played(self, grid, moves):
        frames, (y, x) = [grid.copy()], np.argwhere(grid == 1)[0]
        for letter in moves:
            if letter not in STEPS or grid[y, x] == 2:
                raise LevelsmithError("expected l, u, r or d until the exit")
            frames.append(np.where(grid == 1, 0, grid))
            y, x = y + STEPS[letter][0], x + STEPS[letter][1]
            if not (0 <= y < grid.shape[0] and 0 <= x < grid.shape[1]):
                raise LevelsmithError("leaves the grid")
            frames[-1][y, x] = 1
        if grid[y, x] != 2:
            raise LevelsmithError("not at the exit")
        return frames


ASKED = {"seed": 2, "evaluations": 3000}


def but(**methods):
    """The same game with other methods."""
    return type("Other", (Walk,), methods)()


def test_a_range_takes_the_place_of_its_own_term_and_of_nothing_else(entered):
    entered(games, "walk", Walk())
    check_game("walk")
    result = levelsmith.generate("walk", want={"steps": (2, 3)}, **ASKED)
    found = levelsmith.measure(result.best)
    assert (found["walkers"], found["exits"]) == (1, 1)
    assert found["steps"] in (2, 3)
    assert result.best.provenance["objective"] == ["walk"]
    assert levelsmith.solve(result.best).solution == result.best.solution
    again = Request.again(result.best.provenance)
    assert levelsmith.generate(again.game, **again.given).best == result.best
    with pytest.raises(LevelsmithError, match=r"length has no effect beside the range steps 2\.\.3"):
        levelsmith.generate("walk", want={"steps": (2, 3)}, set={"length": 4}, **ASKED)


def test_a_level_that_cannot_be_begun_gets_no_solution(entered):
    entered(games, "walk", Walk())
    crowd = levelsmith.parse("@@.\n.X.", "walk")
    assert Walk().prove(crowd) is None
    assert levelsmith.generate("walk", start=crowd, lock="walker", **ASKED).best.solution is None
    with pytest.raises(LevelsmithError, match="expected one walker, got 2"):
        levelsmith.save(replace(crowd, solution="d"), "crowd.gif")


def test_what_meets_its_objective_but_has_no_solution_is_not_handed_out(entered, tmp_path):
    entered(games, "walk", but(solution=lambda self, grid: None))
    with pytest.raises(LevelsmithError, match="walk finds no solution of a level that meets all") as error:
        levelsmith.generate("walk", **ASKED)
    assert not error.value.result.solved
    assert error.value.result.levels == ()
    done = CliRunner().invoke(cli, ["generate", "walk", "--seed", "2", "--evaluations", "3000"])
    assert "thrown away: 10 without a solution" in done.stderr
    assert "not made: walk finds no solution" in done.stderr
    with pytest.raises(LevelsmithError, match="walk finds no solution of it"):
        levelsmith.repair(levelsmith.parse("@@X\n...", "walk"), set={"length": 1})


def test_a_level_without_a_solution_is_made_anew_until_one_has_one(entered):
    def solution(self, grid):
        return Walk.solution(self, grid) if grid[0, 0] == 0 else None

    entered(games, "walk", but(solution=solution))
    result = levelsmith.generate("walk", count=6, **ASKED)
    assert result.solved
    assert all(level.solution is not None and level.grid[0, 0] == 0 for level in result.levels)
    assert len(result.levels) == 6


LIES = {
    "no way": (
        lambda self, grid: "llllll",
        "walk gives 'llllll' as the solution of a level that it does not solve",
    ),
    "no text": (lambda self, grid: ["l"], "or None from the `solution` of walk, got a list"),
    "a number": (lambda self, grid: 5, "or None from the `solution` of walk, got '5'"),
    "nothing done": (
        lambda self, grid: "",
        "walk gives '' as the solution of a level that it does not solve",
    ),
    "a crash": (lambda self, grid: {}["way"], r"walk could not solve a level: KeyError: 'way' \(line \d+ of"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_solution_that_solves_nothing_is_refused_by_all_that_hand_out_levels(lie, entered, tmp_path):
    solution, message = LIES[lie]
    game = entered(games, "walk", but(solution=solution))
    level = levelsmith.parse("@.X\n...", "walk")
    levelsmith.save(level, tmp_path / "level.json")
    levelsmith.save(levelsmith.parse("@@X\n...", "walk"), tmp_path / "broken.json")
    with pytest.raises(LevelsmithError, match=message):
        levelsmith.generate("walk", **ASKED)
    with pytest.raises(LevelsmithError, match=message):
        levelsmith.solve(level)
    with pytest.raises(LevelsmithError, match=message):
        levelsmith.repair(levelsmith.parse("@@X\n...", "walk"), set={"length": 1})
    with pytest.raises(CheckFailed, match=message):
        check_game(game)
    for words in (
        ["generate", "walk", "--seed", "2", "--evaluations", "3000"],
        ["solve", str(tmp_path / "level.json")],
        ["repair", str(tmp_path / "broken.json"), "--set", "length=1"],
    ):
        done = CliRunner().invoke(cli, words)
        told = f"{done.output} {done.exception}"
        assert re.search(message, told), words
        assert "solution:" not in told, words
    with pytest.raises(LevelsmithError, match=message):  # as the studio does
        list(levelsmith.stream("walk", **ASKED))


@pytest.mark.parametrize(
    ("played", "message"),
    [
        (lambda self, grid, moves: [grid] * (len(moves) + 1), "refuses a solution that is none"),
        (lambda self, grid, moves: [], "a grid after each of"),
        (lambda self, grid, moves: [1 - grid] * (len(moves) + 1), "of which the first is not the level"),
        (lambda self, grid, moves: 1 // 0, "ZeroDivisionError"),
    ],
)
def test_rules_that_accept_what_is_no_solution_fail_the_check(played, message):
    with pytest.raises(CheckFailed, match=message):
        check_game(but(played=played))


def test_a_game_of_which_no_level_is_solved_must_show_one(entered):
    game = but(solution=lambda self, grid: None)
    with pytest.raises(CheckFailed, match="give the game an `example`"):
        check_game(game)
    game.example = ("@.X", "rr")
    check_game(game)


def test_names_and_numbers_that_a_game_gets_wrong_are_told(entered):
    entered(games, "walk", but(objectives=spoilt(lambda size, values: [Term("stepps", "ramp")])))
    with pytest.raises(LevelsmithError, match="no metric of walk is called 'stepps'; did you mean 'steps'"):
        levelsmith.generate("walk", **ASKED)
    entered(
        games, "walk2", but(name="walk2", measured=lambda self, grid: dict.fromkeys(self.metrics, np.nan))
    )
    with pytest.raises(LevelsmithError, match="walk2 measured walkers as nan; expected a finite number"):
        levelsmith.generate("walk2", **ASKED)
    twice = but(
        name="walk3", objectives=spoilt(walk, (Parameter("steps", 5, ""), Parameter("length", 5, "")))
    )
    with pytest.raises(LevelsmithError, match="steps of walk3 is a metric and a parameter of an objective"):
        levelsmith.generate(entered(games, "walk3", twice).name, **ASKED)
    with pytest.raises(CheckFailed, match=r"is called as a metric is, got \['steps'\]"):
        check_game(twice)


def spoilt(terms, parameters=()):
    return {"walk": Objective("walk", "", terms, parameters)}
