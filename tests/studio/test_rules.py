"""The rules in the browser and the rule books in Python go through the same moves to the same states."""

from itertools import pairwise
from pathlib import Path

import pytest

from studio.traces import traces


@pytest.fixture(scope="module")
def made():
    return traces()


def test_every_state_is_the_same(made, javascript):
    replayed = javascript((Path(__file__).parent / "replay.js").read_text(), made)
    assert replayed["wrong"] == []
    assert replayed["steps"] > 10_000


def test_the_traces_show_what_the_rules_have_to_say(made):
    chased = [step for trace in made["chases"] for step in trace["steps"]]
    reasons = {step[1] for step in chased}
    assert {"no brick is there to dig", "gold lies on that brick", "something lies on that brick"} <= reasons
    assert {"the runner falls, which is d", "no ladder leads up from here"} <= reasons
    assert {"something hard is in the way", "the hole fills while the runner is in it"} <= reasons
    assert any(step[7] for step in chased)  # caught
    jumps = [
        abs(row - now[0]) + abs(column - now[1])
        for trace in made["chases"]
        for before, after in pairwise(trace["steps"])
        for (row, column), now in zip(before[6], after[6], strict=True)
    ]
    assert max(jumps) > 3  # an enemy whose hole filled came back where it began
    walked = [step for trace in made["sokoban"] for step in trace["steps"]]
    assert {step[1] for step in walked} == {True, False}
