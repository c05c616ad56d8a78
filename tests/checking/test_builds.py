"""The files for builds: an action of GitHub and a hook of pre-commit, run as they stand on a sample project;
reports as the formats of builds have them; lines that editors understand; a watch."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

import prepared
from checking.conftest import LEVELS, SCRIPT

ROOT = Path(__file__).resolve().parents[2]
MATCHER = re.compile(r"^(.+):(\d+):(\d+): (error|warning|note): (.*)$")  # as docs/check.md has it
# What the schema of SARIF 2.1.0 requires of the parts that are written: their keys, and what values may be.
SARIF = {
    "log": ({"version", "runs"}, {"$schema", "version", "runs"}),
    "run": ({"tool"}, {"tool", "columnKind", "invocations", "results"}),
    "driver": ({"name"}, {"name", "version", "rules"}),
    "rule": ({"id"}, {"id", "shortDescription", "defaultConfiguration"}),
    "result": (
        {"message"},
        {
            *("ruleId", "ruleIndex", "level", "message", "locations"),
            *("partialFingerprints", "suppressions"),
        },
    ),
    "invocation": ({"executionSuccessful"}, {"executionSuccessful"}),
}
# What Jenkins' schema of JUnit's XML (junit-10.xsd) has: attributes, those that must be there, and children.
JUNIT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, set(), ["testsuite"]),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time"},
        {"name", "tests", "failures", "errors"},
        ["testcase"],
    ),
    "testcase": (
        {"name", "classname", "time"},
        {"name", "classname"},
        ["skipped", "error", "failure", "system-out"],
    ),
    "failure": ({"message", "type"}, set(), []),
    "error": ({"message", "type"}, set(), []),
    "skipped": ({"message"}, set(), []),
    "system-out": (set(), set(), []),
}


@pytest.fixture
def project(tmp_path):
    """A sample repository: levels, a game, notes that are no levels, settings with an exception."""
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "a <b> & c.xsb").write_text(LEVELS)
    (tmp_path / "levels" / "game.txt").write_text(SCRIPT)
    (tmp_path / "notes.txt").write_text("no levels here\n")
    (tmp_path / "broken.xsb").write_text("#####\n#@$ #\n#####\n")
    (tmp_path / "levelsmith.toml").write_text(
        '[check]\n[[check.known]]\nlevel = "levels/game.txt#3"\nfinding = "unwinnable"\n'
        'reason = "100 % a joke"\n'
    )
    return tmp_path


def report(run, form):
    status, out, _ = run("check", ".", "--format", form, "--workers", 1)
    assert status == 2
    return out


def test_every_finding_is_a_line_that_a_problem_matcher_reads(run, project):
    status, out, _ = run("check", ".", "-q", "--workers", 1)
    lines = [MATCHER.match(line) for line in out.splitlines()]
    assert status == 2
    assert len(lines) >= 6
    assert all(lines)
    for line in lines:
        text = (project / line[1]).read_text().split("\n")
        assert 1 <= int(line[2]) <= len(text)
        assert 1 <= int(line[3]) <= len(text[int(line[2]) - 1]) + 1


def test_junit_is_as_its_schema_has_it(run, project):
    root = ElementTree.fromstring(report(run, "junit"))
    seen = set()

    def valid(element):
        seen.add(element.tag)
        may, must, children = JUNIT[element.tag]
        assert must <= set(element.attrib) <= may
        places = [children.index(child.tag) for child in element]
        assert places == sorted(places)
        if "time" in element.attrib:
            assert re.fullmatch(r"\d+\.\d{3}", element.get("time"))
        for name in {"tests", "failures", "errors", "skipped"} & set(element.attrib):
            assert int(element.get(name)) >= 0
        for child in element:
            valid(child)

    valid(root)
    assert {"failure", "error", "system-out"} <= seen
    cases = root.findall("testsuite/testcase")
    assert int(root.get("tests")) == len(cases)
    assert int(root.get("failures")) == len(root.findall(".//failure"))
    assert int(root.get("errors")) == len(root.findall(".//error")) == 1
    assert "levels/a <b> & c.xsb#2 'two'" in {case.get("name") for case in cases}
    known = next(case for case in cases if case.get("name").startswith("levels/game.txt#3"))
    assert known.find("failure") is None  # the exception is no failure


def test_sarif_is_as_its_schema_has_it(run, project):
    log = json.loads(report(run, "sarif"))

    def valid(kind, told):
        must, may = SARIF[kind]
        assert must <= set(told) <= may, kind

    valid("log", log)
    assert log["version"] == "2.1.0"
    (told,) = log["runs"]
    valid("run", told)
    driver = told["tool"]["driver"]
    valid("driver", driver)
    for rule in driver["rules"]:
        valid("rule", rule)
        assert rule["shortDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for each in told["invocations"]:
        valid("invocation", each)
    assert told["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    assert len(told["results"]) >= 6
    for result in told["results"]:
        valid("result", result)
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        (place,) = result["locations"]
        region = place["physicalLocation"]["region"]
        assert region["startLine"] >= 1
        assert region["startColumn"] >= 1
        address = place["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9._~!$&'()*+,;=:@%/-]+", address)  # a relative reference of RFC 3986
    (known,) = [result for result in told["results"] if "suppressions" in result]
    assert known["suppressions"] == [{"kind": "external", "justification": "100 % a joke"}]


def test_github_s_commands_are_escaped(run, project):
    lines = report(run, "github").splitlines()
    assert all(
        re.match(r"::(error|warning|notice) file=[^:]+,line=\d+,col=\d+,title=[^:]*::.", line)
        for line in lines
    )
    assert any("100 %25 a joke" in line and line.startswith("::notice ") for line in lines)


def commands(folder):
    """A folder with `levelsmith` as a command, on the path."""
    place = folder / "bin"
    place.mkdir()
    (place / "levelsmith").write_text(f'#!/bin/sh\nexec {sys.executable} -m levelsmith "$@"\n')
    (place / "levelsmith").chmod(0o755)
    return {**os.environ, "PATH": f"{place}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src")}


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash")
def test_the_action_runs_as_it_stands(project, tmp_path_factory):
    told = yaml.safe_load((ROOT / "action.yml").read_text())
    inputs = {name: each["default"] for name, each in told["inputs"].items()}
    assert all(each["description"] for each in told["inputs"].values())
    assert told["runs"]["using"] == "composite"
    cache, install, step = told["runs"]["steps"]
    assert cache["uses"].startswith("actions/cache@v")
    assert install["run"] == 'python -m pip install "$GITHUB_ACTION_PATH"'
    assert (ROOT / "pyproject.toml").is_file()  # what that installs
    environment = commands(tmp_path_factory.mktemp("tools"))
    inputs |= {"files": "levels\nnotes.txt\n", "arguments": "--skip-others --workers 1"}
    for name, value in step["env"].items():
        environment[name] = inputs[re.fullmatch(r"\$\{\{ inputs\.(\w+) \}\}", value)[1]]
    seen = []
    for _ in range(2):
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=200,
        )
        assert done.returncode == 1, done.stderr
        seen.append((done.stdout, done.stderr))
    assert seen[0][0] == seen[1][0]
    assert "::error file=levels/a <b> & c.xsb,line=9," in seen[0][0]
    assert "; 0 proved now" in seen[1][1]
    assert (project / ".levelsmith" / "proofs.db").is_file()


def test_the_hook_runs_as_it_stands(project, tmp_path_factory):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert {"id", "name", "entry", "language", "files"} <= set(hook)
    names = [str(path.relative_to(project)) for path in sorted(project.rglob("*")) if path.is_file()]
    changed = [name for name in names if re.search(hook["files"], name)]
    assert changed == ["broken.xsb", "levels/a <b> & c.xsb", "levels/game.txt", "notes.txt"]
    environment = commands(tmp_path_factory.mktemp("tools"))
    for some, status in ((changed, 2), (changed[1:], 1), (["notes.txt"], 0)):
        done = subprocess.run(
            [*hook["entry"].split(), *some],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=200,
        )
        assert done.returncode == status, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_watch_checks_again_once_a_file_changes(tmp_path):
    (tmp_path / "a.xsb").write_text(LEVELS)
    words = [sys.executable, "-m", "levelsmith", "check", "a.xsb", "--watch", "-q", "--workers", "1"]
    started = prepared.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    rounds = []
    try:
        for number in range(2):
            lines = []
            while not lines or lines[-1] != "levelsmith check: ended":
                lines.append(started.stdout.readline().rstrip("\n"))
            rounds.append(lines)
            if number == 0:
                time.sleep(0.5)
                (tmp_path / "a.xsb").write_text(LEVELS.split("; two")[0])
        started.send_signal(signal.SIGINT)
        _, err = started.communicate(timeout=60)
    finally:
        started.kill()
    assert started.returncode == 0, err
    assert rounds[0][0] == rounds[1][0] == "levelsmith check: begun"
    assert MATCHER.match(rounds[0][1])
    assert len(rounds[1]) == 2
    assert "; 0 proved now" in err  # the level that stayed is not proved again
