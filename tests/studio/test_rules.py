"""The rules in the browser and the rule books in Python go through the same moves to the same states."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import levelsmith
from studio.traces import traces

HERE = Path(__file__).parent
RULES = Path(levelsmith.__file__).parent / "studio" / "static" / "rules"
RUN = """
import { replay } from "./replay.js";
import { readFileSync } from "node:fs";
console.log(JSON.stringify(replay(JSON.parse(readFileSync("traces.json", "utf8")))));
"""


@pytest.fixture(scope="module")
def made():
    return traces()


@pytest.fixture(scope="module")
def replayed(made, tmp_path_factory, request):
    """What came of the traces in node, or in a browser where there is no node."""
    written = json.dumps(made)
    node = shutil.which("node")
    if node is None:
        return in_browser(request.getfixturevalue("page"), written)
    folder = tmp_path_factory.mktemp("rules")
    shutil.copytree(RULES, folder / "rules")
    shutil.copy(HERE / "replay.js", folder)
    (folder / "traces.json").write_text(written)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "run.js").write_text(RUN)
    done = subprocess.run([node, "run.js"], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def in_browser(page, written):
    def serve(route):
        path = route.request.url.removeprefix("http://rules.test/")
        if path == "":
            route.fulfill(body="<!doctype html>", content_type="text/html")
        else:
            file = HERE / path if "/" not in path else RULES.parent / path
            route.fulfill(body=file.read_text(), content_type="text/javascript")

    page.route("http://rules.test/**", serve)
    page.goto("http://rules.test/")
    return page.evaluate(
        "async (written) => (await import('/replay.js')).replay(JSON.parse(written))", written
    )


def test_every_state_is_the_same(replayed):
    assert replayed["wrong"] == []
    assert replayed["steps"] > 10_000


def test_the_traces_show_what_the_rules_have_to_say(made):
    chased = [step for trace in made["chases"] for step in trace["steps"]]
    reasons = {step[1] for step in chased}
    assert {"no brick is there to dig", "gold lies on that brick", "something lies on that brick"} <= reasons
    assert {"the runner falls, which is d", "no ladder leads up from here"} <= reasons
    assert {"something hard is in the way", "the hole fills while the runner is in it"} <= reasons
    assert any(step[7] for step in chased)  # caught
    buried = [
        1
        for trace in made["chases"]
        for before, after in zip(trace["steps"], trace["steps"][1:], strict=False)
        for one, other in zip(before[6], after[6], strict=True)
        if abs(one[0] - other[0]) + abs(one[1] - other[1]) > 3
    ]
    assert buried  # an enemy whose hole filled came back where it began
    walked = [step for trace in made["sokoban"] for step in trace["steps"]]
    assert {step[1] for step in walked} == {True, False}
