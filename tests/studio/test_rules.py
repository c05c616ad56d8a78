"""What plays in the browser and the rule books in Python go through the same moves to the same states."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from guards import SITUATIONS, SITUATIONS_FILE, plays, recorded_in, tool
from levelsmith import parse
from studio.traces import traces

REPLAY = (Path(__file__).parent / "replay.js").read_text()


@pytest.fixture(scope="module")
def made():
    return traces()


def test_every_state_is_the_same(made, javascript):
    replayed = javascript(REPLAY, made)
    assert replayed["wrong"] == []
    assert replayed["steps"] > 10_000


def test_guards_move_as_by_the_rule_book(made):
    told = [tool.answer(trace, ["browser"]) for trace in made["guards"]]
    assert [line for line in told if not line["ok"]] == []
    assert sum(trace["ticks"] for trace in made["guards"]) > 5_000


def test_recorded_games_are_played_as_they_were(data_folder):
    traces = recorded_in(data_folder)
    told = [tool.answer(trace, ["browser"]) for trace in traces]
    assert [line for line in told if not line["ok"]] == []
    assert (len(told), sum(len(trace["states"]) for trace in traces)) == (79, 1387)


@pytest.mark.slow
def test_all_of_them_are_played_so_in_chromium(data_folder):
    files = [data_folder / "loderunner-guards" / "traces.json", SITUATIONS_FILE]
    for file, number in zip(files, (79, 22), strict=True):
        call = [sys.executable, tool.__file__, str(file), "--engine", "chromium"]
        done = subprocess.run(call, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout.splitlines()[-1]) == {"replayed": number, "as recorded": number}


def test_a_wrong_trace_is_told():
    first = SITUATIONS[0]
    states = [*first["states"][:-1], {**first["states"][-1], "left": 7}]
    assert tool.answer({**first, "states": states}, ["browser"])["browser"] == {
        "tick": states[-1]["tick"],
        "expected": {"left": 7},
        "got": {"left": first["states"][-1]["left"]},
    }
    wrong = tool.answer({**first, "crc32": "00000000"}, ["browser"])
    assert wrong["browser"]["got"] == {"crc32": first["crc32"]}


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
        assert [[*line[by]] for by in ("rule book", "kernel", "page")] == [end] * 3
    assert {name: told[0][name] for name in plays.DONE} == {"digs": 1, "trapped": 1, "buried": 0, "heads": 1}
    assert [line["plan"] for line in told[2:]] == ["none", "while nobody moves"]
