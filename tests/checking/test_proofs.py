"""Proofs that are kept: only what changed is proved again, by one build or two, in a file that may break."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys

import pytest

import prepared
from checking.conftest import LEVELS, SCRIPT
from levelsmith.checking.proofs import Proofs
from levelsmith.core import Effort

PROVED = re.compile(r"; (\d+) proved now")


def rooms(count):
    """So many levels, no two alike: a box on its way along a corridor of its own length."""
    made = []
    for number in range(count):
        width, at = 3 + number // 20, number % 20
        row = "#@" + " " * at + "$" + " " * width + ".#"
        made.append("\n".join(["#" * len(row), row, "#" * len(row)]) + "\n")
    return made


@pytest.fixture
def proved(run):
    """Runs a check with kept proofs; gives of how many levels something was proved, and all it says."""

    def call(*words):
        _, out, err = run("check", *words, "--proofs", "kept/proofs.db", "--workers", 1)
        return int(PROVED.search(err)[1]), out, err

    return call


def test_one_level_changed_of_300_is_one_proved_again(proved, tmp_path):
    levels = rooms(300)
    file = tmp_path / "pack.xsb"
    file.write_text("\n".join(levels))
    count, first, _ = proved("pack.xsb", "-q")
    assert count == 300
    assert proved("pack.xsb", "-q")[0] == 0
    levels[120] = "####\n#@*#\n####\n"
    file.write_text("; a comment\n\n" + "\n".join(levels))
    (tmp_path / "pack.xsb").rename(tmp_path / "other.xsb")
    count, second, _ = proved("other.xsb", "-q")
    assert count == 1
    assert first != second
    assert proved("other.xsb", "-q")[1] == second


def test_titles_and_solutions_are_no_part_of_a_proof(proved, tmp_path):
    (tmp_path / "a.xsb").write_text("#####\n#@$.#\n#####\n")
    assert proved("a.xsb")[0] == 1
    (tmp_path / "a.xsb").write_text("#####\n#@$.#\n#####\nTitle: x\n")
    assert proved("a.xsb")[0] == 0


def test_the_rules_changed_and_all_is_proved_again(proved, tmp_path):
    file = tmp_path / "game.txt"
    file.write_text(SCRIPT)
    assert proved("game.txt")[0] == 3
    file.write_text(SCRIPT.replace("orange", "yellow"))
    assert proved("game.txt")[0] == 0
    file.write_text(SCRIPT.replace("#P*.O#", "#P.*O#"))
    assert proved("game.txt")[0] == 1
    file.write_text(SCRIPT.replace("-> [ > Player | > Crate ]", "-> [ | Player ]"))
    assert proved("game.txt")[0] == 3


def test_a_game_that_has_not_changed_is_not_read_again(proved, run, tmp_path, monkeypatch):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(SCRIPT)
    reports = {form: report(run, form) for form in ("text", "json", "junit", "sarif", "github")}
    again = {form: report(run, form) for form in reports}
    assert {form for form in reports if reports[form] != again[form]} == set()
    read = []
    monkeypatch.setattr("levelsmith.checking.reading._read", lambda path, *_: read.append(path))
    assert report(run, "text") == reports["text"]
    assert read == []
    (tmp_path / "b.txt").write_text(SCRIPT + "\n")
    report(run, "text")
    assert read == ["b.txt"]


def report(run, form):
    """What a check with kept proofs tells of two games, but for how long it took and what was proved now."""
    words = ("check", "a.txt", "b.txt", "--proofs", "p.db", "--workers", 1, "--format", form)
    out = run(*words, "--finding", "dead-rule=warning")[1]
    return re.sub(r'"kept": \w+|[\d.]+ s:|"seconds": [\d.]+|\d+ proved now|time="[\d.]+"', "", out)


def test_another_kind_of_finding_asks_that_question_alone(proved, tmp_path):
    (tmp_path / "game.txt").write_text(SCRIPT)
    proved("game.txt")
    count, *_ = proved("game.txt", "--finding", "idle-rule=warning")
    assert count == 3
    assert proved("game.txt", "--finding", "idle-rule=error")[0] == 0


def test_more_time_is_given_to_what_was_not_known_and_no_less(proved, tmp_path):
    box = "#######\n#@    #\n# $$$ #\n#     #\n# ... #\n#######\n"
    (tmp_path / "a.xsb").write_text(box)
    assert proved("a.xsb", "--states", 5)[0] == 1
    assert proved("a.xsb", "--states", 5)[0] == 0
    assert proved("a.xsb", "--states", 4)[0] == 0
    count, out, _ = proved("a.xsb", "--states", "1M")
    assert count == 1
    assert "fewest, proved" in out
    assert proved("a.xsb", "--states", 4)[0] == 0


def test_a_level_in_two_files_is_proved_once(proved, tmp_path):
    (tmp_path / "a.xsb").write_text("#####\n#@$.#\n#####\n")
    (tmp_path / "b.xsb").write_text("#####\n#@$.#\n#####\nTitle: x\n")
    count, out, _ = proved("a.xsb", "b.xsb")
    assert count == 1
    assert [line.split(": ")[1] for line in out.splitlines()[:2]] == ["won in 1 push (fewest, proved)"] * 2


def other_database(place):
    with sqlite3.connect(place) as file:
        file.execute("CREATE TABLE runs (score REAL)")
    file.close()


@pytest.mark.parametrize(
    "write", [lambda place: place.write_text(LEVELS), other_database], ids=["text", "db"]
)
def test_a_file_that_holds_something_else_is_never_touched(run, tmp_path, write):
    (tmp_path / "pack.xsb").write_text(LEVELS)
    write(tmp_path / "other")
    before = (tmp_path / "other").read_bytes()
    status, out, err = run("check", "pack.xsb", "--proofs", "other")
    assert (status, out) == (2, "")
    assert "expected 'other' to be a file of proofs or not to be there, and it holds something else" in err
    assert (tmp_path / "other").read_bytes() == before


@pytest.mark.parametrize("damage", [b"", bytes(5000), None, "cut"], ids=["empty", "zeros", "noise", "cut"])
def test_a_damaged_file_is_proved_again(proved, tmp_path, damage):
    (tmp_path / "pack.xsb").write_text("\n".join(rooms(40)))
    first = proved("pack.xsb")[1]
    file = tmp_path / "kept" / "proofs.db"
    if damage == "cut":
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    elif damage is None:
        data = bytearray(file.read_bytes())
        data[len(data) // 4 : -1000] = os.urandom(len(data) - 1000 - len(data) // 4)
        file.write_bytes(data)
    else:
        file.write_bytes(damage)
    damaged = file.read_bytes()
    count, second, err = proved("pack.xsb")
    assert (count, second) == (40, first)
    if damaged:
        assert "kept/proofs.db was damaged: what it had is proved again" in err
        assert (tmp_path / "kept" / "proofs.db.damaged").read_bytes() == damaged
    assert proved("pack.xsb")[0] == 0
    assert (
        sorted(place.name.replace(".damaged", "") for place in (tmp_path / "kept").iterdir())[0] == file.name
    )


def test_an_answer_that_somebody_has_changed_is_passed_over(proved, tmp_path):
    (tmp_path / "pack.xsb").write_text(LEVELS)
    assert "cannot be won" in proved("pack.xsb")[1]
    with sqlite3.connect(tmp_path / "kept" / "proofs.db") as file:
        assert file.execute("UPDATE answers SET answer = replace(answer, 'unwinnable', 'won')").rowcount > 2
    file.close()
    count, out, _ = proved("pack.xsb")
    assert count == 1
    assert "cannot be won" in out


def test_two_builds_on_one_file(tmp_path):
    (tmp_path / "pack.xsb").write_text("\n".join(rooms(60)))
    (tmp_path / "other.xsb").write_text("\n".join(rooms(60)[::-1]))
    words = [sys.executable, "-m", "levelsmith", "check", "--proofs", "p.db", "-q", "--workers", "1"]
    both = [
        prepared.Popen(
            [*words, name], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for name in ("pack.xsb", "other.xsb")
    ]
    for each in both:
        _, err = each.communicate(timeout=200)
        assert each.returncode == 0, err
    proofs = Proofs(str(tmp_path / "p.db"))
    (count,) = proofs.connection.execute("SELECT count(*) FROM answers").fetchone()
    proofs.close()
    assert count >= 60
    assert not proofs.trouble


def test_what_is_not_final_holds_for_no_more_than_was_spent():
    proofs = Proofs(None)
    assert proofs.known([b"x"], Effort()) == {}
    proofs.keep({b"x": {"final": True}}, Effort())


def test_since_a_revision_only_what_has_changed_is_read(run, tmp_path):
    def git(*words):
        who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True, capture_output=True)

    if shutil.which("git") is None:
        pytest.skip("no git here")
    git("init", "-q")
    for name in ("a", "b", "c d"):
        (tmp_path / f"{name}.xsb").write_text(LEVELS)
    git("add", ".")
    git("commit", "-qm", "levels")
    (tmp_path / "c d.xsb").write_text("#####\n#@$.#\n#####\n")
    (tmp_path / "new.xsb").write_text("#####\n#@$.#\n#####\n")
    (tmp_path / "a.xsb").unlink()
    status, out, _ = run("check", "--since", "HEAD", "--workers", 1, "--finding", "duplicate=off")
    assert (status, sorted(line.split(":")[0] for line in out.splitlines())) == (0, ["c d.xsb", "new.xsb"])
    assert run("check", "--since", "HEAD~9")[0] == 2
    status, _, err = run("check", "--since", "--output=x")
    assert status == 2
    assert "expected a revision of git" in err
    (tmp_path / "levelsmith.toml").write_text("[check]\n")
    assert run("check", "--since", "HEAD", "-q")[0] == 1  # the settings have changed: all is looked at
