"""Levels joined into one: the whole is a level, and a solution of it is accepted by the rule book."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from levelsmith import LevelsmithError, chain, load, parse
from levelsmith.games.loderunner.rules.plan import win
from levelsmith.games.sokoban.rules.rules import check, replay
from reference.binary import metrics

DOCS = Path(__file__).parents[2] / "docs" / "levels"

ROOMS = [
    parse(text, game="sokoban")
    for text in (
        "######\n#@$ .#\n######",
        "  ####\n###  #\n#  $ #\n# .@ #\n######",
        "#####\n#+  #\n# $ #\n#   #\n#####",
        "######\n#.  ##\n# $  #\n# $  #\n#.@  #\n######",
    )
]


@pytest.mark.parametrize("order", list(permutations(range(len(ROOMS)))))
def test_sokoban_rooms_are_solved_one_after_the_other(order):
    rooms = [ROOMS[i] for i in order]
    whole = chain(rooms)
    check(whole.grid)
    assert replay(whole, whole.solution) == whole.solution
    tiles = [Counter(room.text) for room in rooms]
    assert Counter(whole.text)["$"] == sum(each["$"] for each in tiles)
    assert whole.provenance["rooms"] == [room.text for room in rooms]


def test_a_solution_that_a_room_has_is_kept():
    assert chain([replace(ROOMS[0], solution="RlrR"), ROOMS[0]]).solution.startswith("RlrR")


@pytest.mark.parametrize("seed", range(20))
def test_binary_maps_stay_one_region(seed):
    rng = np.random.default_rng(seed)
    maps = []
    for _ in range(3):
        grid = np.ones(rng.integers(2, 9, 2), np.uint8)
        row, column = (int(rng.integers(0, side)) for side in grid.shape)
        for _ in range(30):  # a random walk is one region
            grid[row, column] = 0
            row = int(np.clip(row + rng.integers(-1, 2), 0, grid.shape[0] - 1))
            grid[row, column] = 0
            column = int(np.clip(column + rng.integers(-1, 2), 0, grid.shape[1] - 1))
        grid[row, column] = 0
        maps.append(parse("\n".join("".join(".#"[cell] for cell in line) for line in grid), game="binary"))
    whole = chain(maps)
    assert metrics(whole.grid)[2] == 1
    assert (whole.grid == 0).sum() >= sum((each.grid == 0).sum() for each in maps)
    assert whole.solution is None


def test_lode_runner_levels_have_a_plan_for_the_whole():
    (level,) = load(DOCS / "loderunner.txt")
    whole = chain([level, level])
    win(whole, whole.solution)
    assert whole.text.count("G") == 2 * level.text.count("G")
    assert whole.text.count("M") == 1


def test_a_ladder_stands_between_levels_that_no_way_joins():
    rock = ["BBBBBB"] * 3
    left = parse("\n".join(["......", "......", ".MG...", *rock]), game="loderunner")
    right = parse("\n".join(["......", "BBB...", "B.M.G.", *rock]), game="loderunner")
    whole = chain([left, right])
    assert whole.size == (6, 13)
    assert {line[6] for line in whole.text.split("\n")} == {"#"}
    win(whole, whole.solution)


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ([ROOMS[0]], "expected at least 2 levels to join, got 1"),
        ([ROOMS[0], parse("..", game="binary")], "expected levels of one game to join"),
        ([parse("^.", game="orchard")] * 2, "levels of orchard cannot be joined; expected one of: binary"),
        (
            [ROOMS[0], parse("####\n#@$#\n#. #\n####", game="sokoban")],
            "level 2 cannot be joined .* unsolvable",
        ),
        ([parse(".#.", game="binary")] * 2, "expected maps of one region, got one of 2"),
        ([parse("." * 100, game="binary")] * 2, "at most 128x128 cells, got 200x1 with level 2"),
    ],
)
def test_what_cannot_be_joined_is_named(levels, message):
    with pytest.raises(LevelsmithError, match=message):
        chain(levels)
