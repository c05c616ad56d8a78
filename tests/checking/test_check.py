"""`levelsmith check` as a build calls it: verdicts, exit statuses, settings, files of other kinds, limits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import prepared
from checking.conftest import LEVELS, SCRIPT
from games.solver_twin import huge
from levelsmith.plugin import SolvableGame, Tile, Tiles
from levelsmith.registry import games
from spent import wait_until_spent


def test_each_level_has_its_verdict_and_each_finding_its_place(run, tmp_path):
    (tmp_path / "pack.xsb").write_text(LEVELS)
    status, out, err = run("check", "pack.xsb", "--workers", 1)
    assert status == 1
    lines = out.splitlines()
    assert lines[0] == "pack.xsb#1 'one': won in 1 push (fewest, proved)"
    assert lines[1].startswith("pack.xsb#2 'two': cannot be won (proved)")
    assert lines[2].startswith("pack.xsb:9:1: error: cannot be won (proved)")
    assert lines[2].endswith("[unwinnable] (pack.xsb#2)")
    assert len(lines) == 3
    assert "2 levels in 1 file" in err
    assert "1 won with the fewest, 1 cannot be won; 1 error, 0 warnings" in err


@pytest.mark.parametrize(("text", "status"), [(LEVELS.split("; two")[0], 0), (LEVELS, 1), ("#####\n#@.#", 2)])
def test_the_exit_status_is_for_builds(run, tmp_path, text, status):
    (tmp_path / "pack.xsb").write_text(text)
    assert run("check", "pack.xsb", "-q")[0] == status


def test_files_of_other_kinds_in_a_folder_are_skipped_and_counted(run, tmp_path):
    folder = tmp_path / "levels" / "deep"
    folder.mkdir(parents=True)
    (folder / "a.xsb").write_text(LEVELS.split("; two")[0])
    (folder / "README.txt").write_text("objects of desire, no levels")
    (folder / "package.json").write_text('{"name": "x", "levels": 3}')
    (folder / "a.png").write_bytes(b"\x89PNG")
    (folder / "game.puzzlescript").write_text(SCRIPT)
    (folder / ".git").mkdir()
    (folder / ".git" / "b.xsb").write_text("nothing")
    _, out, err = run("check", "levels", "--workers", 1, "--finding", "unwinnable=off")
    assert "4 levels in 2 files" in err
    assert "3 files of other kinds skipped" in err
    assert "a.xsb 'one': won in 1 push" in out


def test_a_pattern_and_a_level_of_a_pack_are_files_too(run, tmp_path):
    (tmp_path / "a.xsb").write_text(LEVELS)
    assert run("check", "a.xsb#1", "-q")[0] == 0
    assert run("check", "*.xsb", "-q")[0] == 1
    assert run("check", "b*.xsb", "-q")[0] == 2


def test_a_pack_that_ships_is_checked_by_its_name(run):
    status, out, _ = run("check", "loderunner:corpus#1", "--workers", 1)
    assert (status, out) == (0, "loderunner:corpus#1 'terraces 0': can be won in 86 moves\n")


def test_one_file_under_two_names_is_checked_once(run, tmp_path):
    (tmp_path / "a.xsb").write_text(LEVELS)
    assert "2 levels in 1 file" in run("check", "a.xsb", "./a.xsb", ".")[2]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_a_pipe_is_not_waited_for(run, tmp_path):
    os.mkfifo(tmp_path / "a.xsb")
    status, out, _ = run("check", "a.xsb")
    assert (status, out) == (2, "a.xsb:1:1: error: expected a plain file, got something else [unreadable]\n")


@pytest.mark.parametrize("limit", ["seconds", "within", "states", "memory", "memory-all", "workers"])
def test_a_limit_of_nothing_is_refused(run, tmp_path, limit):
    (tmp_path / "a.xsb").write_text(LEVELS)
    status, out, err = run("check", "a.xsb", f"--{limit}", 0)
    assert (status, out) == (2, "")
    assert err.startswith("levelsmith: expected a ")


def test_settings_lie_in_a_file_and_exceptions_have_a_reason(run, tmp_path):
    (tmp_path / "pack.xsb").write_text(LEVELS)
    settings = tmp_path / "levelsmith.toml"
    settings.write_text(
        '[check]\nfiles = ["pack.xsb"]\n[[check.known]]\nlevel = "pack.xsb#2"\nfinding = "unwinnable"\n'
        'reason = "the ending"\n'
    )
    status, out, err = run("check", "--workers", 1)
    assert status == 0
    assert "pack.xsb:9:1: note: " in out
    assert "known: the ending" in out
    assert "1 known" in err
    (tmp_path / "pack.xsb").write_text(LEVELS.split("; two")[0])
    assert "levelsmith.toml:1:1: warning: no unwinnable is found in pack.xsb#2 any more" in run("check")[1]


def test_a_table_of_pyproject_will_do(run, tmp_path):
    (tmp_path / "pack.xsb").write_text(LEVELS)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.levelsmith.check]\nfiles = ["*.xsb"]\n'
        '[tool.levelsmith.check.findings]\nunwinnable = "warning"\n'
    )
    assert run("check", "-q")[0] == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[check]\nfile = ['a']", "no setting of levelsmith.toml is called 'file'; did you mean 'files'?"),
        ("[check]\nseconds = 'ten'", "levelsmith.toml: expected a number for seconds, got 'ten'"),
        ("[check]\n[check.findings]\nunwinable = 'off'", "did you mean 'unwinnable'?"),
        ("[check]\n[check.findings]\nunwinnable = 'of'", "did you mean 'off'?"),
        ("[[check.known]]\nlevel = 'a'\nfinding = 'b'", "expected reason in each [[check.known]]"),
        ("[check", "expected TOML"),
        ("[chek]", "expected a table [check]"),
        ("[[check.levels]]\nlevel = 'b.xsb'\nminimum = 3", "no level is called so"),
    ],
)
def test_a_mistake_in_the_settings_is_one_line(run, tmp_path, text, said):
    (tmp_path / "pack.xsb").write_text(LEVELS)
    (tmp_path / "levelsmith.toml").write_text(text)
    status, _, err = run("check", "pack.xsb")
    assert status == 2
    assert said in err.splitlines()[-1]


def test_any_number_of_processes_find_the_same(run, tmp_path, monkeypatch):
    monkeypatch.setattr("levelsmith.processes.SOON", 0.0)
    (tmp_path / "pack.xsb").write_text(LEVELS * 3)
    (tmp_path / "game.txt").write_text(SCRIPT)
    odd = SCRIPT.replace("[ Ghost ] -> [ Wall ]", "[ Ghost ] -> [ win Wall ]")
    (tmp_path / "odd.txt").write_text(odd)
    one, two = (run("check", ".", "--workers", workers) for workers in (1, 2))
    assert one[:2] == two[:2]
    assert "script-warning" in one[1]
    assert len(two[2].splitlines()) == 1  # what is odd in a file is no noise of other processes
    assert len(one[1].splitlines()) > 9


def test_a_limit_for_all_levels_leaves_the_others(run, tmp_path):
    (tmp_path / "pack.xsb").write_text(LEVELS * 5)
    status, _, err = run("check", "pack.xsb", "--within", "0.000001", "--workers", 1, "-q")
    assert status == 1
    assert "10 levels are left" in err


def test_memory_for_all_levels_limits_the_processes():
    from levelsmith.checking.settings import Settings

    assert Settings(workers=8, memory=500, memory_all=1700).processes == 3
    assert Settings(workers=8, memory=500, memory_all=100).processes == 1
    assert Settings(memory=500, memory_all=100).effort.memory == 100_000_000


@pytest.mark.slow
def test_a_level_of_500x500_ends_with_a_verdict(run, tmp_path):
    grid = np.full((500, 500), " ")
    grid[[0, -1]] = grid[:, [0, -1]] = "#"
    grid[1, 1], grid[2, 2], grid[250, 250] = "@", "$", "."
    (tmp_path / "large.xsb").write_text("\n".join(map("".join, grid)) + "\n")
    started = time.monotonic()
    status, out, _ = run("check", "large.xsb", "--seconds", 2, "--memory", 200, "--workers", 1)
    assert status in (0, 1)
    assert "Traceback" not in out
    assert time.monotonic() - started < 120


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("-> [ > Player | > Crate ]", "-> [ > Player | randomdir Crate ]", "draws random numbers"),
        ("All Mark on Crate", "", "has no win condition"),
    ],
)
def test_what_cannot_be_proved_says_why(found, tmp_path, old, new, why):
    (tmp_path / "game.txt").write_text(SCRIPT.replace(old, new, 1))
    _, _, told, _ = found("game.txt")
    assert {one["status"] for one in told["levels"]} == {"unprovable"}
    texts = [one["text"] for one in told["findings"] if one["name"] == "unprovable"]
    assert len(texts) == 3
    assert all(text.startswith("cannot be proved: ") and why in text for text in texts)


class Endless(SolvableGame):
    """A game whose solver looks at no clock."""

    name, walker, metrics = "endless", "hero", {"heroes": "cells with a hero"}
    tiles = Tiles(Tile("floor", "."), Tile("hero", "@"))

    def measured(self, grid):
        return {"heroes": (grid == 1).sum()}

    def solution(self, grid):
        while True:
            pass


def test_a_solver_in_python_that_never_ends_is_stopped(found, tmp_path, monkeypatch):
    monkeypatch.setattr("levelsmith.checking.examine.GRACE", 0.0)
    (tmp_path / "one.txt").write_text("; game: endless\n.@.\n")
    games.register("endless", Endless())
    try:
        status, findings, *_ = found("one.txt", "--seconds", 0.3)
    finally:
        games.unregister("endless")
    assert (status, findings) == (1, [("unknown", "one.txt", 2, 1)])


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_what_is_known(tmp_path):
    (tmp_path / "pack.xsb").write_text(LEVELS.split("; two")[0] + f"\n{huge().text}\n" * 3)
    words = [sys.executable, "-m", "levelsmith", "check", "pack.xsb", "--seconds", "300", "--workers", "1"]
    words += ["--proofs", "p.db", "--format", "json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = prepared.Popen(words, cwd=tmp_path, start_new_session=True, **pipes)
    wait_until_spent(process, 2.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert b"interrupted: 3 levels are left" in err
    told = json.loads(out)
    assert [one["status"] for one in told["levels"]] == ["won"]
    assert told["left"] == 3
    words[words.index("300")] = "0.2"
    done = prepared.run([*words, "--within", "0.5"], cwd=tmp_path, capture_output=True)
    assert json.loads(done.stdout)["levels"][0]["kept"]
