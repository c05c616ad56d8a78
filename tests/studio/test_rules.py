"""What plays in the browser and the rule books in Python go through the same moves to the same states."""

import importlib.util
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from guards import SITUATIONS, recorded_in
from levelsmith import parse
from studio.traces import traces

TOOL = Path(__file__).parents[2] / "tools" / "check_plans.py"
spec = importlib.util.spec_from_file_location("check_plans", TOOL)
plays = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plays)
REPLAY = (Path(__file__).parent / "replay.js").read_text()
NOTHING = {"sokoban": [], "still": [], "guards": []}


@pytest.fixture(scope="module")
def made():
    return traces()


def test_every_state_is_the_same(made, javascript):
    replayed = javascript(REPLAY, made)
    assert replayed["wrong"] == []
    assert replayed["steps"] > 10_000


def test_recorded_games_are_played_as_they_were(data_folder, javascript):
    replayed = javascript(REPLAY, {**NOTHING, "guards": recorded_in(data_folder)})
    assert replayed == {"steps": 1387 + 79, "wrong": [], "count": 0}


def test_a_wrong_trace_is_told(javascript):
    first = SITUATIONS[0]
    states = [*first["states"][:-1], {**first["states"][-1], "left": 7}]
    wrong = javascript(REPLAY, {**NOTHING, "guards": [{**first, "states": states, "crc32": "00000000"}]})
    assert [one["what"] for one in wrong["wrong"]] == ["dig-and-fall at 60", "dig-and-fall, all ticks"]


def test_the_traces_show_what_the_rules_have_to_say(made):
    reasons = {step[1] for trace in made["still"] for step in trace["steps"]}
    assert {"no brick is there to dig", "gold lies on that brick", "something lies on that brick"} <= reasons
    assert {"the runner falls, which is d", "no ladder leads up from here"} <= reasons
    assert {"something hard is in the way", "the hole fills while the runner is in it"} <= reasons
    seen = [state for trace in made["guards"] for state in trace["states"]]
    assert {guard[4] for state in seen for guard in state["guards"]} == {"free", "hole", "climb", "reborn"}
    assert {state["status"] for state in seen} == {"playing", "won", "dead"}
    assert any(guard[5] > 0 for state in seen for guard in state["guards"])  # gold is carried
    walked = [step for trace in made["sokoban"] for step in trace["steps"]]
    assert {step[1] for step in walked} == {True, False}


def test_a_plan_is_played_alike_by_rule_book_kernel_and_page():
    level = parse("\n".join(SITUATIONS[5]["level"]), "loderunner")
    plans = ["R109 r55", "r55", None, "rrr"]
    told = plays.answers([replace(level, solution=plan) for plan in plans])
    assert [line["won"] for line in told] == [True, False, False, False]
    for end, line in zip((["won", 164], ["dead", 32]), told, strict=False):
        assert {json.dumps(line[by]) for by in line if by != "won"} == {json.dumps(end)}
        assert len(line) == (4 if shutil.which("node") else 3)
    assert [line["plan"] for line in told[2:]] == ["none", "while nobody moves"]
