"""A start and its locks: which cells a word names, what searches make of them, mistakes and their words."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import levelsmith
from levelsmith.core import Parameter
from levelsmith.errors import LevelsmithError
from levelsmith.making.build import start_run
from levelsmith.making.canvas import canvas
from levelsmith.making.plan import plan
from levelsmith.registry import generators
from levelsmith.request import Request

CAVE = levelsmith.parse("#####\n#...#\n#.#.#\n#####", "binary")
YARD = levelsmith.parse("######\n#@$ .#\n#   *#\n######", "sokoban")
ROOM = levelsmith.parse("\n".join(["#" * 10, *["#........#"] * 8, "#" * 10]), "binary")


def locked(start, *specs):
    """The locked cells, as rows of x and -."""
    cells = canvas(start.size, start, specs).locked
    return ["".join("x" if cell else "-" for cell in row) for row in cells]


@pytest.mark.parametrize(
    ("specs", "rows"),
    [
        ([], ["-----", "-----", "-----", "-----"]),
        (["border"], ["xxxxx", "x---x", "x---x", "xxxxx"]),
        (["wall"], ["xxxxx", "x---x", "x-x-x", "xxxxx"]),
        (["empty"], ["-----", "-xxx-", "-x-x-", "-----"]),
        (["0,0"], ["x----", "-----", "-----", "-----"]),
        (["4,3"], ["-----", "-----", "-----", "----x"]),
        (["1,2,3x1"], ["-----", "-----", "-xxx-", "-----"]),
        (["3,0,2x4"], ["---xx", "---xx", "---xx", "---xx"]),
        (["0,0", "1,1,2x2", "0,0"], ["x----", "-xx--", "-xx--", "-----"]),
        (["border", "empty"], ["xxxxx", "xxxxx", "xx-xx", "xxxxx"]),
    ],
)
def test_a_word_names_cells(specs, rows):
    assert locked(CAVE, *specs) == rows


def test_names_of_tiles_may_have_spaces():
    assert locked(YARD, "box on goal", "player") == ["------", "-x----", "----x-", "------"]
    assert locked(YARD, "box") == ["------", "--x---", "------", "------"]


def test_a_start_without_locks_may_change_anywhere_and_no_start_is_random():
    assert canvas((4, 5), CAVE, ()).start.tolist() == CAVE.grid.tolist()
    bare = canvas((3, 3), None, ())
    assert (bare.size, bare.start, bare.locked) == ((3, 3), None, None)


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        (["walls"], "no way to lock cells is called 'walls'; did you mean 'wall'?"),
        (["boarder"], "no way to lock cells is called 'boarder'; did you mean 'border'?"),
        (["zzz"], "no way to lock cells is called 'zzz'; expected one of: empty, wall, border, X,Y, X,Y,WxH"),
        ([""], "no way to lock cells is called ''; expected one of: empty, wall, border, X,Y, X,Y,WxH"),
        (["-1,0"], "no way to lock cells is called '-1,0'; "),
        (["1,1,2"], "no way to lock cells is called '1,1,2'; "),
        (["1,1,x2"], "no way to lock cells is called '1,1,x2'; "),
        (["1, 1"], "no way to lock cells is called '1, 1'; "),
        (["5,0"], "expected cells within 5x4 to lock, got '5,0'"),
        (["0,4"], "expected cells within 5x4 to lock, got '0,4'"),
        (["4,0,2x1"], "expected cells within 5x4 to lock, got '4,0,2x1'"),
        (["0,3,1x2"], "expected cells within 5x4 to lock, got '0,3,1x2'"),
        (["0,0,0x1"], "expected cells within 5x4 to lock, got '0,0,0x1'"),
        (["0,0,1x0"], "expected cells within 5x4 to lock, got '0,0,1x0'"),
        (["0,0,5x4"], "expected at least one cell that may change, but 0,0,5x4 lock them all"),
        (["wall", "empty"], "expected at least one cell that may change, but wall, empty lock them all"),
    ],
)
def test_a_mistake_in_a_lock_is_named(specs, message):
    with pytest.raises(LevelsmithError) as caught:
        plan(Request("binary", start=CAVE, lock=specs))
    assert str(caught.value).startswith(message)


class Digger:
    game = "binary"
    summary = ""
    parameters = (Parameter("rooms", 3, ""),)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"lock": "border"}, "lock keeps cells of a start, and none was given; add start"),
        ({"start": CAVE, "size": (5, 4)}, "the start is 5x4, but a size of 4x5 was asked for"),
        ({"start": YARD}, "the start is a level of sokoban, but binary was asked for"),
        ({"start": levelsmith.parse("#", "binary")}, "expected a size from 2x2 to 128x128 for binary, got "),
        ({"start": CAVE, "search": "digger"}, "digger builds levels of binary itself: it takes no start"),
        ({"lock": "border", "search": "digger"}, "digger builds levels of binary itself: it takes no start"),
    ],
)
def test_a_start_that_does_not_fit_is_named(arguments, message, entered):
    entered(generators, "digger", Digger)
    with pytest.raises(LevelsmithError) as caught:
        plan(Request("binary", **arguments))
    assert str(caught.value).startswith(message)


def test_a_start_brings_its_size_even_where_a_preset_has_another():
    assert plan(Request("binary", start=CAVE, lock="border")).size == (4, 5)
    assert plan(Request("binary", start=CAVE, size=(4, 5))).size == (4, 5)
    assert plan(Request("binary", start=CAVE, preset="fdg20", set={"goal": 3})).size == (4, 5)


def test_where_a_level_started_and_what_was_locked_is_recorded_and_travels():
    task = plan(Request("binary", start=CAVE, lock=["border", "2,1"], seed=1))
    assert pickle.loads(pickle.dumps(task)) == task
    told = json.loads(json.dumps(task.provenance()))
    assert levelsmith.parse(told["start"], "binary") == CAVE
    assert told["lock"] == ["border", "2,1"]
    assert plan(Request("binary", start=CAVE, lock="2,1")).provenance()["lock"] == ["2,1"]
    assert not {"start", "lock"} & set(plan(Request("binary")).provenance())


@pytest.mark.parametrize("representation", ["narrow", "turtle", "wide"])
@pytest.mark.parametrize("search", ["bfs", "dfs", "best", "astar", "mcts", "hc", "sa", "es", "ga"])
def test_every_search_begins_with_the_start_and_keeps_what_is_locked(search, representation, met):
    few = {"ga.population": 10} if search == "ga" else {}
    chosen = {"search": search, "representation": representation, "set": {"goal": 74, **few}}
    task = plan(Request("binary", start=ROOM, lock=["border", "2,2,3x3"], seed=1, **chosen))
    states = met(start_run(task), 150)
    grids = [np.frombuffer(grid, np.uint8).reshape(10, 10) for _, grid in states]
    keep = task.canvas.locked
    assert np.array_equal(grids[0], ROOM.grid)
    assert all(np.array_equal(grid[keep], ROOM.grid[keep]) for grid in grids)
    assert len(set(states)) > 5


def test_runs_from_one_start_still_differ():
    made = levelsmith.generate("binary", start=ROOM, lock="border", seed=1, count=3)
    assert len({level.text for level in made.levels}) == 3
