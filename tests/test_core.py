"""The values that everything passes around: immutable, equal by what they are, and strict about input."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import levelsmith
from levelsmith.core import Budget, Level, Parameter, Progress, Result, Tile, Tiles, settle
from levelsmith.errors import LevelsmithError
from levelsmith.registry import games

BINARY = games.get("binary").tiles
SOKOBAN = games.get("sokoban").tiles


def level(rows, **fields):
    return Level("binary", BINARY, rows, **fields)


# ---------------------------------------------------------------------------------------------------- tiles


def test_tiles_are_a_sequence_with_names_and_symbols():
    assert len(SOKOBAN) == 7
    assert SOKOBAN[1].name == "wall"
    assert [tile.symbol for tile in SOKOBAN] == list(SOKOBAN.symbols)
    assert SOKOBAN.by_character["-"] == SOKOBAN.by_character[" "] == SOKOBAN.blank == 0
    assert SOKOBAN.index_of("player") == 5
    with pytest.raises(LevelsmithError, match="no tile is called 'playr'; did you mean 'player'"):
        SOKOBAN.index_of("playr")


def test_tiles_are_equal_by_their_kinds_and_blank():
    kinds = (Tile("a", "a"), Tile("b", "b"))
    assert Tiles(*kinds) == Tiles(*kinds)
    assert hash(Tiles(*kinds)) == hash(Tiles(*kinds))
    assert Tiles(*kinds) != Tiles(*kinds, blank="a")
    assert Tiles(*kinds) != Tiles(*kinds[::-1])


def test_tiles_that_are_only_read_come_last_and_are_no_kinds_of_searches():
    tiles = Tiles(Tile("air", "."), Tile("rock", "#"), Tile("trap", "t", read_only=True))
    assert (len(tiles), tiles.kinds) == (3, 2)
    tiles.check_kinds(np.array([[0, 1]], np.uint8), "a search")
    with pytest.raises(LevelsmithError, match=r"tiles that a search knows \(air, rock\), got trap \(t\)"):
        tiles.check_kinds(np.array([[0, 2]], np.uint8), "a search")
    with pytest.raises(LevelsmithError, match="read only behind all others"):
        Tiles(Tile("trap", "t", read_only=True), Tile("air", "."))


def test_rows_are_written_in_any_characters():
    tiles = Tiles(Tile("snow", "❄"), Tile("owl", "🦉"))
    assert tiles.rows(np.array([[0, 1], [1, 1]])) == ["❄🦉", "🦉🦉"]


# --------------------------------------------------------------------------------------------------- levels


def test_a_level_cannot_be_changed_nor_can_the_array_it_was_made_of_change_it():
    grid = np.zeros((2, 3), np.uint8)
    made = level(grid)
    grid[0, 0] = 1
    assert made.grid[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        made.grid[0, 0] = 1
    with pytest.raises(FrozenInstanceError):
        made.title = "x"


@pytest.mark.parametrize(
    "copied", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy, replace]
)
def test_a_copy_of_a_level_is_whole_and_cannot_be_changed_either(copied):
    made = level([[0, 1]], title="t", author="a", solution="rl", provenance={"seed": 3})
    twin = copied(made)
    assert twin == made
    assert (twin.title, twin.author, twin.solution, twin.provenance) == ("t", "a", "rl", {"seed": 3})
    assert not twin.grid.flags.writeable


def test_levels_are_equal_when_game_and_grid_are():
    assert level([[0, 1]]) == level([[0, 1]], title="another", provenance={"seed": 1})
    assert hash(level([[0, 1]])) == hash(level([[0, 1]], title="another"))
    assert level([[0, 1]]) != level([[0], [1]])
    assert level([[0, 1]]) != Level("orchard", BINARY, [[0, 1]])
    assert level([[0, 1]]) != ".#"


@given(st.lists(st.text(".#", min_size=3, max_size=3), min_size=1, max_size=5))
def test_the_repr_of_a_level_makes_it_again(rows):
    made = levelsmith.parse("\n".join(rows), game="binary")
    assert eval(repr(made), {"levelsmith": levelsmith}) == made
    assert str(made) == made.text == "\n".join(rows)
    assert made.size == (len(rows), 3)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "at least 1x1"),
        ([[]], "at least 1x1"),
        ([0, 1], "at least 1x1"),
        ([[0, 2]], r"cells from 0 to 1 for binary \(empty, wall\), got '2'"),
        ([[0, -1]], "got '-1'"),
        ([[0, 300]], "got '300'"),
        ([[0, 256]], "got '256'"),
        ([[0, 0.5]], "got '0.5'"),
        (np.full((1, 1), 257), "got '257'"),
    ],
)
def test_a_grid_that_is_no_level_is_refused(rows, message):
    with pytest.raises(LevelsmithError, match=message):
        level(rows)


def test_titles_are_short_and_safe_for_a_terminal():
    made = level([[0]], title=" \x1b[31mred\n" + "x" * 500, author="a\u202eb", solution="l\x00r")
    assert made.title.startswith("[31mred x")
    assert len(made.title) <= 200
    assert (made.author, made.solution) == ("ab", "lr")


def test_a_level_draws_itself_in_a_notebook():
    assert level([[0, 1]])._repr_svg_().startswith("<svg")


# --------------------------------------------------------------------------------------- budgets and results


def test_a_budget_without_any_limit_is_50_000_evaluations():
    assert Budget().evaluations == 50_000
    assert Budget(score=0.5).evaluations == 50_000
    assert Budget(seconds=2).evaluations is None
    assert Budget(evaluations=1e6) == Budget(evaluations=1_000_000)
    assert isinstance(Budget(evaluations=1e6).evaluations, int)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"evaluations": 0}, "1 to .* evaluations, got '0'"),
        ({"evaluations": 2.5}, "1 to .* evaluations, got '2.5'"),
        ({"seconds": 0}, "more than 0 seconds, got 0"),
        ({"seconds": -1.5}, "more than 0 seconds, got -1.5"),
        ({"seconds": float("inf")}, "got inf"),
        ({"seconds": float("nan")}, "got 'nan'"),
        ({"score": float("nan")}, "got 'nan'"),
    ],
)
def test_a_budget_that_makes_no_sense_is_refused(fields, message):
    with pytest.raises(LevelsmithError, match=message):
        Budget(**fields)


def test_a_rate_is_evaluations_a_second_and_0_before_the_first():
    assert Progress(0, 100, 2.0, 0.5, None).rate == 50.0
    assert Progress(0, 0, 0.0, 0.5, None).rate == 0.0


def test_a_result_shows_its_level():
    result = Result(level([[0, 1]]), (), 0.75, False, "evaluations", 12_345, 1.5)
    assert (
        repr(result) == "<Result score 0.75 after 12,345 evaluations in 1.50 s, stopped by evaluations>\n.#"
    )


# ----------------------------------------------------------------------------------------------- parameters


@pytest.mark.parametrize(
    ("default", "given", "typed"),
    [
        (1, "7", 7),
        (1, 7.0, 7),
        (1, np.int64(7), 7),
        (1.0, 7, 7.0),
        (1.0, "1e-3", 0.001),
        (True, "no", False),
        (False, "ON", True),
        (False, True, True),
        ("a", "b", "b"),
    ],
)
def test_a_value_takes_the_type_of_the_default(default, given, typed):
    value = Parameter("p", default, "").check(given)
    assert value == typed
    assert type(value) is type(typed)


@pytest.mark.parametrize(
    ("parameter", "given", "message"),
    [
        (Parameter("p", 1, ""), "x", "expected a whole number for p, got 'x'"),
        (Parameter("p", 1, ""), 1.5, "expected a whole number for p, got '1.5'"),
        (Parameter("p", 1, ""), float("inf"), "expected a whole number for p, got 'inf'"),
        (Parameter("p", 1, ""), True, "expected a whole number for p, got 'True'"),
        (Parameter("p", 1, ""), None, "expected a whole number for p, got 'None'"),
        (Parameter("p", 1.0, ""), "nan", "expected a number for p, got 'nan'"),
        (Parameter("p", True, ""), "maybe", "expected true or false for p, got 'maybe'"),
        (Parameter("p", True, ""), 1, "expected true or false for p, got '1'"),
        (Parameter("p", 1, "", low=1), 0, "expected a whole number of at least 1 for p, got 0"),
        (Parameter("p", 1, "", high=9), 10, "expected a whole number of at most 9 for p, got 10"),
        (Parameter("p", 0.5, "", 0, 1), 1.5, "expected a number from 0 to 1 for p, got 1.5"),
        (
            Parameter("p", "a", "", choices=("apple", "pear")),
            "aple",
            "choice of p is called 'aple'; did you mean",
        ),
    ],
)
def test_a_value_out_of_range_or_type_is_refused(parameter, given, message):
    with pytest.raises(LevelsmithError) as caught:
        parameter.check(given)
    assert message in str(caught.value)


def test_settled_values_are_complete_and_checked():
    parameters = (Parameter("a", 1, ""), Parameter("b", 0.5, "", 0, 1))
    assert settle("it", parameters, {"b": "0.25"}) == {"a": 1, "b": 0.25}
    with pytest.raises(LevelsmithError, match="no parameter of it is called 'c'"):
        settle("it", parameters, {"c": 1})
