"""Lode Runner's difficulty: from the plan that wins against the guards, as one number with tiers."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import levelsmith
from levelsmith.editing.improve import Improvement, aim_of
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner.difficulty import (
    TIER_RANGES,
    difficulty,
    features_of,
    forgiven,
    slipped,
    tier,
)
from levelsmith.games.loderunner.rules.solution import fought
from levelsmith.levels.measure import details
from levelsmith.making.plan import plan
from levelsmith.registry import games
from levelsmith.request import Request

OPEN = levelsmith.parse("\n".join([*["............"] * 4, "M...G.......", "bbbbbbbbbbbb"]), "loderunner")
PIT = levelsmith.parse("\n".join(["......", "......", "......", "......", "M..E.G", "bbbbbb"]), "loderunner")
BOARD = {"enemies": 1, "dig_gold": 0, "timed_gold": 0, "layers": 0}
EASY = {**BOARD, "ticks": 50, "near_misses": 0, "forgiven": 1.0}


@pytest.mark.parametrize(
    ("what", "more"),
    [
        *[("ticks", 500), ("near_misses", 9), ("forgiven", 0.5)],
        *[("enemies", 4), ("dig_gold", 6), ("timed_gold", 2), ("layers", 2)],
    ],
)
def test_every_term_makes_a_level_harder(what, more):
    assert 0 < difficulty(EASY) < difficulty({**EASY, what: more}) < 100


def test_tiers_meet_without_a_gap():
    ranges = list(TIER_RANGES.values())
    assert ranges[0][0] == 0
    assert all(math.nextafter(high, 101) == low for (_, high), (low, _) in pairwise(ranges))
    assert [tier(low) for low, _ in ranges] == list(TIER_RANGES)
    assert [tier(high) for _, high in ranges] == list(TIER_RANGES)


def test_a_slip_moves_one_change_of_keys_and_keeps_the_length():
    presses = [("r", 5), ("L", 12), ("u", 3)]
    assert slipped(presses, 0, 2) == [("r", 7), ("L", 10), ("u", 3)]
    assert slipped(presses, 1, -3) == [("r", 5), ("L", 9), ("u", 6)]
    assert slipped(presses, 1, 3) is None


def test_slips_are_forgiven_where_nobody_is_near_and_not_where_a_guard_is():
    assert forgiven(OPEN, "r10 .5 r20") == 1.0
    assert forgiven(PIT, "r10 r20 r20") < 1.0  # he runs on into the guard


def test_the_difficulty_is_known_from_a_plan_against_guards_alone():
    assert levelsmith.measure(replace(OPEN, solution="r20"))["difficulty"] > 0
    assert levelsmith.measure(replace(OPEN, solution="rrrr"))["difficulty"] is None
    assert levelsmith.measure(OPEN)["difficulty"] is None


@pytest.mark.parametrize("number", [0, 57, 120])
def test_the_compiled_rules_tell_the_same_of_a_plan_as_the_rule_book(number):
    level = levelsmith.load("loderunner:corpus")[number]
    metrics, facts = fought(level, level.solution)
    features = features_of(level, level.solution)
    assert features["near_misses"] == facts["near_misses"] > 0
    assert features["ticks"] == metrics["ticks"]


def test_a_clumsy_plan_tells_more_than_the_least_of_several():
    clumsy = replace(OPEN, solution=".500 r30")
    own = levelsmith.measure(clumsy)["difficulty"]
    least, most = details(clumsy)["difficulty_range"]
    assert least < own == most
    assert "difficulty_range" not in details(OPEN)  # no plan is known
    assert "difficulty_range" not in details(replace(OPEN, solution="rrrrrr"))  # a plan while nobody moves


@pytest.mark.slow
def test_a_level_is_as_hard_as_its_mirror_image():
    levels = levelsmith.generate("loderunner", count=16, seed=5).levels
    mirrored = [replace(level, grid=level.grid[:, ::-1].copy(), solution=None) for level in levels]
    solved = [replace(each, solution=levelsmith.solve(each, seconds=20).solution) for each in mirrored]
    pairs = [
        [levelsmith.measure(each)["difficulty"] for each in pair] for pair in zip(levels, solved, strict=True)
    ]
    known = np.array([pair for pair in pairs if None not in pair])
    assert len(known) >= 14
    assert np.corrcoef(known.T)[0, 1] >= 0.85
    assert np.abs(known[:, 0] - known[:, 1]).mean() < 7


def test_levels_are_asked_for_by_a_tier():
    task = plan(Request("loderunner", want={"difficulty": "medium"}))
    (want,) = task.wants
    assert (task.search, want.low) == ("construct", TIER_RANGES["medium"][0])


def test_no_level_is_harder_than_the_scale_has_it():
    with pytest.raises(LevelsmithError, match="expected at most 100 for difficulty"):
        levelsmith.generate("loderunner", want={"difficulty": "200..300"}, seed=1)


def test_progress_is_told_while_no_level_comes(monkeypatch):
    monkeypatch.setattr("levelsmith.games.drawn.TELL_SECONDS", 0.0)
    events = levelsmith.stream(
        "loderunner", size=(12, 16), want={"difficulty": "99..100"}, seed=3, evaluations=6
    )
    told = [event.evaluations for event in events if isinstance(event, levelsmith.Progress)]
    assert told == [1, 2, 3, 4, 5, 6]


def test_a_level_is_graded_by_its_difficulty_where_that_is_known() -> None:
    game = games.get("loderunner")
    assert game.grade({"difficulty": 72.0}) == "hard"
    assert game.grade({"difficulty": None}) is None  # enemies stand still, or no plan is known


def test_what_is_graded_easier_is_not_handed_out_as_harder(monkeypatch):
    changed = OPEN.grid.copy()
    changed[0, 0] = 1
    grades = {OPEN.grid.tobytes(): 50.0, changed.tobytes(): 40.0}
    monkeypatch.setattr("levelsmith.editing.improve.proof_of", lambda level, game: "r5")
    monkeypatch.setattr(Improvement, "grade", lambda work, level: grades[level.grid.tobytes()])
    free = np.ones(OPEN.size, bool)
    harder, easier = (Improvement(OPEN, aim_of(OPEN, None), way, free, 0) for way in (False, True))
    with pytest.raises(LevelsmithError, match="graded easier once it is won"):
        harder.won([changed])
    assert easier.won([changed])[1] == "r5"
    grades[changed.tobytes()] = 60.0
    assert harder.won([changed])[1] == "r5"
    with pytest.raises(LevelsmithError, match="graded harder once it is won"):
        easier.won([changed])
