"""Levels from arrays: cells as numbers, names or symbols of tiles."""

import numpy as np
import pytest

from levelsmith import Level, LevelsmithError, parse

ORCHARD = parse("^.\n.^\n..", "orchard")


@pytest.mark.parametrize(
    "cells",
    [
        [[1, 0], [0, 1], [0, 0]],
        np.array([[1, 0], [0, 1], [0, 0]], np.int64),
        np.array([[True, False], [False, True], [False, False]]),
        np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]),
        [["tree", "grass"], ["grass", "tree"], ["grass", "grass"]],
        np.array([["^", "."], [".", "^"], [".", "."]]),
        [[1, "grass"], [".", "^"], [False, 0]],
    ],
)
def test_cells_are_numbers_names_or_symbols(cells):
    assert Level.from_grid("orchard", cells) == ORCHARD


def test_a_level_from_a_grid_keeps_what_it_is_told():
    level = Level.from_grid(
        "sokoban", parse("#####\n#@$.#\n#####", "sokoban").grid, title="One", author="A", solution="R"
    )
    assert (level.title, level.author, level.solution, level.provenance) == ("One", "A", "R", {})
    assert Level.from_grid("orchard", ORCHARD.grid, provenance={"by": "hand"}).provenance == {"by": "hand"}


def test_a_later_change_of_the_array_does_not_change_the_level():
    cells = np.array(ORCHARD.grid)
    level = Level.from_grid("orchard", cells)
    cells[:] = 0
    assert level == ORCHARD


@pytest.mark.parametrize(
    ("game", "cells", "message"),
    [
        ("orchrd", [[0]], "no game is called 'orchrd'"),
        (["orchard"], [[0]], "expected the name of a game, got a list"),
        ("orchard", [[2]], "expected cells from 0 to 1 for orchard (grass, tree), got 2"),
        ("orchard", [[-1]], "expected cells from 0 to 1 for orchard (grass, tree), got -1"),
        ("orchard", [["rock"]], "names or symbols of tiles of orchard (grass, tree), got 'rock'"),
        ("orchard", [[0.5]], "got '0.5'"),
        ("orchard", [[float("nan")]], "got 'nan'"),
        ("orchard", [[None]], "got 'None'"),
        ("orchard", [0, 1], "expected cells of shape (height, width), got an array of shape (2,)"),
        ("orchard", [], "expected cells of shape (height, width), got an array of shape (0,)"),
        ("orchard", 5, "expected cells of shape (height, width), got '5'"),
        ("orchard", [[0], [0, 1]], "expected rows of cells of equal length, got others"),
        ("orchard", [[10**30]], "expected whole numbers as cells"),
    ],
)
def test_what_is_no_level_is_named(game, cells, message):
    with pytest.raises(LevelsmithError) as caught:
        Level.from_grid(game, cells)
    assert message in str(caught.value)
