"""What is asked for is what is made; what cannot be, or would be passed over, is said in a line."""

from __future__ import annotations

import math

import pytest

import levelsmith
from levelsmith.errors import LevelsmithError, MissingLevelsError
from levelsmith.making.driver import runs_of
from levelsmith.making.outcome import missed
from levelsmith.making.plan import plan
from levelsmith.making.wants import Want, wanted
from levelsmith.registry import games
from levelsmith.request import Request

SOKOBAN = games.get("sokoban")


@pytest.mark.parametrize(
    ("asked", "low", "high"),
    [
        ("easy..hard", 0, math.nextafter(85, 0)),
        ("medium..", 40, math.inf),
        ("..medium", 0, math.nextafter(70, 0)),
        ("20..hard", 20, math.nextafter(85, 0)),
        ("hard", 70, math.nextafter(85, 0)),
    ],
)
def test_names_of_ranges_are_ends_of_ranges(asked, low, high):
    assert wanted(SOKOBAN, {"difficulty": asked})[0] == Want("difficulty", low, high)


@pytest.mark.parametrize(
    ("game", "choices", "message"),
    [
        (
            "sokoban",
            {"want": {"difficulty": "hard"}, "set": {"mcts.trees": 3}},
            r"trees belongs to mcts, which this run does not use \(its parts are sa, rooms\)",
        ),
        ("sokoban", {"set": {"mcts.trees": 3}}, "leave it out, or ask for the search mcts"),
        ("sokoban", {"set": {"least_depth": 3}}, "least_depth belongs to play, .* the representation play"),
        ("binary", {"set": {"goal": 3}, "objective": "connectivity"}, "or ask for the objective path-length"),
        (
            "sokoban",
            {"preset": "boxoban", "objective": "pushes"},
            'carve builds .* leave out objective, or search="carve"',
        ),
        ("sokoban", {"search": "carve", "keep_above": 0.0}, "carve builds .* leave out keep_above"),
        ("sokoban", {"want": {"pushes": "20..", "moves": "..9"}}, "pushes is never above moves"),
        ("sokoban", {"want": {"difficulty": "101.."}}, r"at most 100 for difficulty on 7x6, got 101\.\."),
        ("sokoban", {"want": {"solved": "1.."}}, "starts with a box on a goal, .* the representation play"),
        ("binary", {"size": (5, 4), "want": {"path": 20}}, "at most 15 for path on 4x5, got 20"),
        ("loderunner", {"want": {"dig_share": "2..3"}}, r"at most 1 for dig_share on \d+x\d+, got 2\.\.3"),
    ],
)
def test_what_would_be_passed_over_or_cannot_be_is_refused_before_the_search(game, choices, message):
    with pytest.raises(LevelsmithError, match=message):
        plan(Request(game, seed=1, **choices))


def test_settings_of_a_game_and_a_preset_may_be_for_parts_that_are_not_used():
    assert "mcts" not in plan(Request("sokoban", want={"difficulty": "hard"}, seed=1)).values
    assert "play" not in plan(Request("sokoban", preset="kartal2016", representation="rooms", seed=1)).values


def test_a_ramp_without_a_range_goes_through_the_usual_one():
    steps = runs_of(Request("sokoban", count=4, ramp="difficulty", seed=1, want={"boxes": "2..6"})).steps
    ends = [want for step in steps for want in step.task.wants if want.metric == "difficulty"]
    assert [(want.low, want.high) for want in ends] == [(10, 30), (30, 50), (50, 70), (70, 90)]
    assert all((2, 6) in [(want.low, want.high) for want in step.task.wants] for step in steps)


def test_how_near_a_run_came_is_told():
    pushes, changes = Want("pushes", 40, math.inf), Want("box_changes", 0, 2)
    assert missed([pushes], {"pushes": 15}) == "15 pushes were the most found; asked for 40.."
    assert missed([changes], {"box_changes": 3}) == "3 box changes were the least found; asked for 0..2"
    assert missed([pushes, changes], {"pushes": 15, "box_changes": 3}) == (
        "the nearest level has pushes 15 (asked for 40..), box changes 3 (asked for 0..2)"
    )
    assert missed([Want("path", 9, 9)], {"path": 8}) == "path 8 was the most found; asked for 9"
    asked = {"size": (4, 4), "evaluations": 100, "seed": 1, "set": {"boxes": 1}}
    result = levelsmith.generate("sokoban", want={"pushes": "40.."}, partial=True, **asked)
    assert (result.levels, result.missing) == ((), 1)
    assert result.missed.endswith(" pushes were the most found; asked for 40..")


def test_a_run_that_finds_no_puzzle_hands_none_out():
    result = levelsmith.generate(
        "sokoban", size=(3, 3), set={"boxes": 4}, evaluations=100, seed=1, partial=True
    )
    assert (result.levels, result.missing) == ((), 1)
    assert result.missed == "no level of 4 boxes on 3x3 was found: try fewer boxes or a larger size"


def test_a_start_keeps_its_number_of_boxes_and_locks_that_allow_nothing_are_named():
    start = levelsmith.parse("#######\n#@$  .#\n#     #\n#######", "sokoban")
    asked = {"start": start, "evaluations": 50, "seed": 1}
    assert plan(Request("sokoban", **asked)).values["rooms"]["boxes"] == "1"
    stuck = levelsmith.parse("######\n#$ @.#\n#    #\n######", "sokoban")
    why = (
        r"the level could not be made in 50 evaluations \(no level of 1 box on 4x2 was found: try fewer locks"
    )
    with pytest.raises(MissingLevelsError, match=why) as refused:
        levelsmith.generate("sokoban", **{**asked, "start": stuck}, lock=["box", "goal"])
    assert refused.value.result.missing == 1


def test_one_region_is_reached_from_many():
    result = levelsmith.generate("binary", size=(14, 14), want={"regions": 1}, seed=1, search="hc")
    assert result.solved
    assert levelsmith.measure(result.best)["regions"] == 1


def test_elites_of_sokoban_all_have_boxes():
    asked = {"size": (4, 4), "set": {"boxes": 1, "samples": 50}, "evaluations": 100, "seed": 1}
    made = levelsmith.generate("sokoban", search="elites", **asked).levels
    assert made
    assert all("$" in level.text and level.solution for level in made)
