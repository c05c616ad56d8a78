"""Caves: what `generate binary` makes where nothing else is asked for."""

from __future__ import annotations

import time
from random import Random

import numpy as np
import pytest

import levelsmith
from levelsmith.errors import LevelsmithError, MissingLevelsError
from levelsmith.games.binary.caves import draw, long_enough
from levelsmith.games.binary.cells import openings, way
from levelsmith.levels.formats.picture import image, svg
from levelsmith.levels.look import SIGNS
from levelsmith.making.plan import plan
from levelsmith.registry import games
from levelsmith.request import Request
from reference import binary as twin
from reference.caves import Sets
from reference.caves import draw as draw_plainly

BINARY = games.get("binary")
SIZES = [(6, 6), (14, 14), (14, 20), (7, 30), (31, 24), (64, 64)]


def caves(size, count, seed=1):
    dice = Random(seed)
    found = []
    while len(found) < count:
        grid = draw(size, dice)
        found += [] if grid is None else [grid]
    return found


@pytest.mark.parametrize("size", SIZES)
def test_a_cave_has_a_solid_border_two_openings_far_apart_and_smooth_walls(size):
    for grid in caves(size, 4):
        border = np.ones(size, bool)
        border[1:-1, 1:-1] = False
        ends = openings(grid)
        assert len(ends) == 2 == (grid[border] == 0).sum()
        (a, b), (c, d) = ends
        assert abs(a - c) + abs(b - d) >= sum(size) // 4
        cells = Sets(size)
        assert len(list(cells.regions(cells.empty(grid)))) == 1
        assert way(grid) >= long_enough(size)
        wide = np.pad(grid, 1, constant_values=1)
        alike = sum((np.roll(wide, step, axis) == wide).astype(int) for step in (1, -1) for axis in (0, 1))
        inside = alike[2:-2, 2:-2]
        assert (inside == 0).mean() == 0  # no cell unlike all four beside it
        assert (inside <= 1).mean() < 0.03


@pytest.mark.parametrize(("chamber", "loops"), [(0, 0.1), (1, 0.5), (3, 0.1), (9, 1.0), (64, 0.0)])
def test_a_cave_is_drawn_as_by_its_twin_from_the_same_random_numbers(chamber, loops):
    drawn = 0
    for size in [(6, 6), (6, 30), (14, 20), (30, 9)]:
        dice, others = Random(5), Random(5)
        for _ in range(5):
            grid, expected = draw(size, dice, chamber, loops), draw_plainly(size, others, chamber, loops)
            assert (grid is None) == (expected is None)
            assert expected is None or (grid == expected).all()
            assert dice.getstate() == others.getstate()
            drawn += grid is not None
    assert drawn > 0


def test_ways_in_plain_python_are_those_of_the_twin():
    for grid in caves((9, 12), 5):
        told = twin.metrics(grid)
        assert (way(grid), len(openings(grid))) == (told[4], told[3])
    assert way(np.zeros((4, 4), np.uint8)) == 0
    assert way(np.array([[0, 1, 1], [1, 1, 1], [1, 1, 0]], np.uint8)) == 0


def test_caves_are_what_is_made_where_nothing_of_a_search_is_asked_for():
    assert (
        plan(Request("binary")).search
        == plan(Request("binary", size=(64, 64), seconds=1.0)).search
        == "caves"
    )
    assert plan(Request("binary", set={"loops": 0.5})).values == {"caves": {"chamber": 0, "loops": 0.5}}
    assert (plan(Request("binary")).size, plan(Request("binary", size="16x8")).size) == ((14, 20), (8, 16))
    for asked in (
        *(
            {"search": "ga"},
            {"representation": "narrow"},
            {"objective": "connectivity"},
            {"set": {"goal": 30}},
        ),
        *({"preset": "fdg20"}, {"size": (4, 4)}, {"start": levelsmith.parse("...\n.#.", "binary")}),
    ):
        assert plan(Request("binary", **asked)).search != "caves"


def test_the_papers_maps_are_a_preset_away():
    task = plan(Request("binary", preset="fdg20"))
    assert (task.search, task.representation, task.size) == ("hc", "wide", (10, 10))
    assert task.objectives == ("path-length",)


@pytest.mark.parametrize(
    ("want", "caves"),
    [
        ({"regions": 1}, True),
        ({"regions": "2.."}, False),
        ({"openings": 2, "way": "30..40"}, True),
        ({"path": "74.."}, False),
        ({"empty": "..20"}, False),
        ({"smoothness": "0.8.."}, True),
    ],
)
def test_ranges_that_caves_have_are_drawn_and_others_searched_for(want, caves):
    assert (plan(Request("binary", size=(14, 14), want=want)).search == "caves") == caves


@pytest.mark.parametrize(
    ("want", "message"),
    [
        ({"way": "60.."}, "expected a way of at most 36 on 14x14, got 60; ask for a larger size"),
        ({"path": (150, 200)}, "expected at most 146 for path on 14x14, got 150..200"),
    ],
)
def test_ways_that_cannot_be_are_named_before_the_search(want, message):
    with pytest.raises(LevelsmithError, match=message):
        plan(Request("binary", size=(14, 14), want=want))


def test_a_cave_lies_in_its_ranges():
    asked = {"regions": 1, "way": "28..32", "empty": "70..85"}
    result = levelsmith.generate("binary", size=(14, 14), want=asked, seed=3, count=2)
    for level in result.levels:
        told = levelsmith.measure(level)
        assert (told["regions"], told["openings"]) == (1, 2)
        assert 28 <= told["way"] <= 32
        assert 70 <= told["empty"] <= 85


def test_the_same_seed_gives_the_same_cave_and_a_clock_changes_nothing():
    once = levelsmith.generate("binary", seed=0, count=3)
    assert once.solved
    assert levelsmith.generate("binary", seed=0, skip=2, seconds=60.0).best == once.levels[2]
    assert len(set(once.levels)) == 3


def test_what_the_budget_does_not_suffice_for_is_nothing():
    with pytest.raises(MissingLevelsError, match=r"way 36\.\. could not be made in 2 evaluations") as caught:
        levelsmith.generate("binary", size=(14, 14), want={"way": "36.."}, seed=1, evaluations=2)
    assert (caught.value.result.levels, caught.value.result.solved) == ((), False)


def test_a_cave_is_made_at_once():
    begun = time.process_time()
    levelsmith.generate("binary", seed=5, size=(64, 64))
    assert time.process_time() - begun < 5


def test_a_headline_tells_the_way_and_pictures_show_its_ends():
    (grid,) = caves((14, 14), 1)
    level = levelsmith.Level("binary", BINARY.tiles, grid)
    assert BINARY.headline(level) == f"{way(grid)} steps from entry to exit"
    entry, exit_ = BINARY.marks(level)
    assert [(mark.row, mark.column) for mark in (entry, exit_)] == openings(grid)
    assert entry.column <= exit_.column
    palette = SIGNS["light"]
    assert svg(level).count(palette["rose"]) == svg(level).count(palette["jade"]) == 1
    pixels = np.asarray(image(level, "light", 32))
    for mark, colour in ((entry, "jade"), (exit_, "rose")):
        cell = pixels[mark.row * 32 + 4, mark.column * 32 + 16]
        assert cell.tolist() == [int(palette[colour][i : i + 2], 16) for i in (1, 3, 5)]


@pytest.mark.parametrize("chamber", [1, 2, 3, 8, 64])
def test_chambers_may_be_of_any_width(chamber):
    made = levelsmith.generate("binary", size=(16, 24), set={"chamber": chamber}, seed=1, evaluations=2_000)
    assert len(made.levels) == 1
