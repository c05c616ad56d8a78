"""The rules in the browser and the rule books in Python go through the same moves to the same states."""

from pathlib import Path

import pytest

from guards import SITUATIONS, recorded_in
from studio.traces import traces

REPLAY = (Path(__file__).parent / "replay.js").read_text()
NOTHING = {"sokoban": [], "lurd": [], "still": [], "guards": [], "binary": []}


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
