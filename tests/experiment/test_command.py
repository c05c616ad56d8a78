"""`levelsmith experiment` as people type it."""

from __future__ import annotations

import json
import signal
import time

import pytest

from levelsmith import experiment
from levelsmith.cli import main


@pytest.fixture
def typed(monkeypatch, capsys):
    """What a command prints, and its status."""

    def type_(*words):
        monkeypatch.setattr("sys.argv", ["levelsmith", "experiment", *map(str, words)])
        with pytest.raises(SystemExit) as caught:
            main()
        told = capsys.readouterr()
        return caught.value.code, told.out, told.err

    return type_


def test_the_experiments_that_ship_are_listed(typed):
    _, plain, _ = typed("list")
    assert "fdg20             Tree search versus optimization" in plain
    _, lines, _ = typed("list", "--json")
    told = {line["name"]: line["parts"] for line in map(json.loads, lines.splitlines())}
    assert set(told) == {"arxiv19", "fdg20", "kartal2016", "koczorowski2023", "searches", "thakkar2019"}
    assert told["fdg20"][:2] == ["trees", "optimisers"]


def test_a_mistyped_command_is_named(typed):
    assert typed("rnu")[::2] == (
        2,
        "levelsmith: no command is called 'rnu'; did you mean 'run'? (levelsmith experiment --help)\n",
    )


def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(spec, tmp_path, command, count, typed):
    path = tmp_path / "x.db"
    process = command("run", spec(), "-o", path, "--workers", 1)
    until = time.monotonic() + 400
    while not count(path) and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    done = count(path)
    assert process.returncode == 130
    assert said.splitlines()[-2:] == [
        f"{done} of 40 runs are in {path}, {done} of them new",
        "the same command goes on with what is missing",
    ]
    status, _, said = typed("run", spec(), "-o", path, "--workers", 1)
    assert (status, said.splitlines()[-1]) == (0, f"40 of 40 runs are in {path}, {40 - done} of them new")
    _, told, _ = typed("status", path, "--json")
    assert json.loads(told)["done"] == 40


def test_runs_that_fail_are_named_with_status_1(spec, tmp_path, typed, monkeypatch):
    monkeypatch.setattr(experiment.runner, "LONGEST_CHUNK", 3)
    monkeypatch.setattr("levelsmith.experiment.work._result", lambda task, cancel: 1 / 0)
    status, _, said = typed("run", spec(), "-o", tmp_path / "x.db", "--workers", 1, "--quick", "--runs", 3)
    lines = said.splitlines()
    assert status == 1
    assert lines[0] == f"0 of 12 runs are in {tmp_path / 'x.db'}, 0 of them new"
    assert sum(line.endswith("ZeroDivisionError: division by zero") for line in lines) == 10
    assert lines[-2:] == ["failed: 2 more", "the same command goes on with what is missing"]
