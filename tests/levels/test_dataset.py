"""Datasets: the same bytes however they are made, after a kill too, and a verifier that sees every fault."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import levelsmith
from killed import is_killed
from levelsmith.cli import cli
from levelsmith.errors import LevelsmithError
from levelsmith.levels.dataset import verify
from levelsmith.levels.splits import canonical_keys
from levelsmith.making.dataset import Order
from levelsmith.registry import games
from levelsmith.request import Request

SMALL = {"size": (5, 5), "set": {"boxes": 2}, "want": {"pushes": (4, 12)}, "seed": 3}
OPTIONS = ["--size", "5x5", "--boxes", "2", "--pushes", "4..12", "--seed", "3"]
COUNT, SHARD = 200, 60


def files(folder):
    found = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def rows(folder):
    return [
        json.loads(line)
        for path in sorted(Path(folder).glob("*.jsonl"))
        for line in path.read_text().splitlines()
    ]


def made_again(folder, monkeypatch, tmp_path, *beside):
    """Runs the command that a folder's README prints, as it is printed, in another place."""
    (command,) = [line[2:] for line in (folder / "README.md").read_text().splitlines() if line[:2] == "$ "]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for path in beside:
        shutil.copy(path, elsewhere)
    monkeypatch.chdir(elsewhere)
    _, *words = shlex.split(command)
    done = CliRunner().invoke(cli, [*words, "--workers", "1"])
    assert done.exit_code == 0, (command, done.output, done.exception)
    return command, elsewhere / folder.name


def verified(folder):
    done = subprocess.run(
        [sys.executable, "-I", folder / "verify.py"], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "small"
    counts = levelsmith.dataset("sokoban", folder, count=COUNT, shard=SHARD, splits=(0.6, 0.2, 0.2), **SMALL)
    assert sum(counts.values()) == COUNT
    return folder


@pytest.fixture
def copied(small, tmp_path):
    for name, data in files(small).items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def test_every_row_holds_what_measure_and_the_rule_book_say(small):
    found = rows(small)
    levels = [levelsmith.parse(row["level"], game="sokoban") for row in found]
    assert len({*canonical_keys(levels).tolist()}) == len(found) == COUNT
    assert {row["split"] for row in found} == {"train", "validation", "test"}
    for row, level in islice(zip(found, levels, strict=True), 40):
        solved = levelsmith.Level("sokoban", level.tiles, level.grid, solution=row["solution"])
        games.get("sokoban").verify(solved)
        assert row["metrics"] == pytest.approx(levelsmith.measure(solved), rel=1e-12)
        assert row["difficulty"] == row["metrics"]["difficulty"]
        assert row["optimal"]
        assert 4 <= row["metrics"]["pushes"] <= 12
        assert row["prompt"].endswith(row["level"])


def test_a_row_names_the_run_that_makes_its_level_again(small):
    row = rows(small)[7]
    _, seed, run = row["id"].split("-")
    asked = {**SMALL, "seed": int(seed), "skip": int(run)}
    assert levelsmith.generate("sokoban", preset="boxoban", **asked).best.text == row["level"]


def test_the_verifier_alone_finds_no_fault(small):
    status, told = verified(small)
    assert status == 0, told
    assert f"{COUNT} levels" in told
    assert "every solution played" in told
    assert f"{COUNT} different; 0 faults" in told


@pytest.mark.parametrize(
    ("damage", "seen"),
    [
        (lambda row: row | {"solution": row["solution"][:-1]}, "off the goals"),
        (lambda row: row | {"solution": row["solution"].swapcase()}, "push"),
        (lambda row: row | {"hash": f"{int(row['hash'], 16) ^ 1:016x}"}, "hash"),
        (lambda row: row | {"split": "test" if row["split"] != "test" else "train"}, "belongs to"),
        (lambda row: row | {"level": row["level"].replace("@", " ", 1)}, "0 players"),
        (lambda row: row | {"metrics": row["metrics"] | {"moves": 1}}, "moves"),
        (lambda row: {name: value for name, value in row.items() if name != "level"}, "no row"),
    ],
)
def test_the_verifier_finds_a_damaged_row(copied, damage, seen):
    path = next(copied.glob("train-*.jsonl"))
    lines = path.read_text().splitlines()
    lines[3] = json.dumps(damage(json.loads(lines[3])))
    path.write_text("\n".join(lines) + "\n")
    status, told = verified(copied)
    assert status == 1
    assert "line 4: " in told
    assert seen in told
    assert "its bytes are not those" in told


def test_the_verifier_finds_a_level_that_is_there_twice_turned(copied):
    told = json.loads((copied / "dataset.json").read_text())
    path = next(copied.glob("train-*.jsonl"))
    lines = path.read_text().splitlines()
    row = json.loads(lines[0])
    turned = [list(line) for line in zip(*row["level"].split("\n")[::-1], strict=True)]
    row["level"] = "\n".join(map("".join, turned))
    row["prompt"] = row["level"]
    row["solution"] = row["solution"].translate(str.maketrans("udlrUDLR", "rludRLUD"))
    lines[1] = json.dumps(row)
    data = ("\n".join(lines) + "\n").encode()
    path.write_bytes(data)
    told["files"][path.name]["sha256"] = verify.hashlib.sha256(data).hexdigest()
    (copied / "dataset.json").write_text(json.dumps(told))
    status, said = verified(copied)
    assert status == 1
    assert "was there before" in said


def test_two_workers_write_the_same_bytes(small, tmp_path, monkeypatch):
    from levelsmith.making import flow

    monkeypatch.setattr(flow, "START_SECONDS", 0.0)
    levelsmith.dataset(
        "sokoban", tmp_path / "small", count=COUNT, shard=SHARD, splits=(60, 20, 20), workers=2, **SMALL
    )
    assert files(tmp_path / "small") == files(small)


def test_a_killed_command_goes_on_to_the_same_bytes(small, tmp_path):
    folder = tmp_path / "small"
    command = [sys.executable, "-m", "levelsmith", "dataset", "sokoban", *OPTIONS, "--workers", "1"]
    command += ["--count", str(COUNT), "--shard", str(SHARD), "--splits", "60/20/20", "-o", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while not list(folder.glob("train-*")) and time.monotonic() < end:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    subprocess.run(command, check=True, capture_output=True)
    assert files(folder) == files(small)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a fork")
def test_a_dataset_whose_writer_is_killed_at_any_call_is_gone_on_with_to_the_same_bytes(tmp_path):
    def write(folder):
        levelsmith.dataset("sokoban", folder / "few", count=7, shard=3, **SMALL)

    write(tmp_path / "whole")
    whole, kills = files(tmp_path / "whole"), 0
    while is_killed(kills, write, tmp_path / str(kills)):
        folder = tmp_path / str(kills)
        assert is_killed(2, write, folder)  # and once more, early
        write(folder)
        assert files(folder) == whole
        kills += 1
    assert kills >= 13


def test_a_larger_count_adds_to_what_is_there(small, tmp_path):
    folder = tmp_path / "small"
    asked = {**SMALL, "shard": SHARD, "splits": (0.6, 0.2, 0.2)}
    levelsmith.dataset("sokoban", folder, count=70, **asked)
    del asked["seed"]  # the folder knows it
    levelsmith.dataset("sokoban", folder, count=COUNT, **asked)
    assert files(folder) == files(small)


def test_a_cancelled_dataset_keeps_what_it_has_and_is_sound(tmp_path):
    order = Order(Request("sokoban", count=1_000, **SMALL), tmp_path / "some", shard=SHARD)
    asked = iter([False] * 40)
    for _ in order.write(lambda: next(asked, True)):
        pass
    assert 0 < sum(order.counts.values()) < 1_000
    status, told = verified(tmp_path / "some")
    assert status == 0, told


def test_a_game_without_solutions_is_refused_in_one_line(tmp_path):
    with pytest.raises(
        LevelsmithError, match="orchard has no solutions; expected one of: sokoban, loderunner"
    ) as error:
        levelsmith.dataset("orchard", tmp_path / "none", count=5)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"count": 0}, "expected a count from 1"),
        ({"splits": (0.9, 0.2)}, "add up to 1"),
        ({"splits": {"../up": 1.0}}, "name of a split"),
        ({"format": "csv"}, "jsonl or parquet"),
        ({"ramp": "pushes"}, "takes no ramp"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, asked, said):
    with pytest.raises(LevelsmithError, match=said):
        levelsmith.dataset("sokoban", tmp_path / "none", **{"count": 10, **SMALL, **asked})


def test_a_folder_of_another_dataset_is_refused(copied):
    with pytest.raises(LevelsmithError, match="made otherwise: made"):
        levelsmith.dataset(
            "sokoban", copied, count=COUNT, shard=SHARD, splits=(0.6, 0.2, 0.2), **{**SMALL, "seed": 4}
        )


def test_levels_that_run_out_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr("levelsmith.making.dataset.MOST_MISSES", 50)
    asked = {"size": (2, 3), "set": {"boxes": 1}, "want": {"pushes": (1, 2)}, "seed": 1}
    with pytest.raises(LevelsmithError, match="runs in a row, after"):
        levelsmith.dataset("sokoban", tmp_path / "few", count=10_000, **asked)


def test_the_verifier_plays_lode_runner_as_the_rule_book_does():
    from levelsmith.games.loderunner.rules import verify_still
    from levelsmith.games.loderunner.rules.rules import replay

    made = levelsmith.generate(
        "loderunner", size=(8, 12), count=3, seed=2, evaluations=2000, guards="still"
    ).levels
    draw = np.random.default_rng(1)
    letters = [*"lrudLR."]
    outcomes = set()
    for level in [level for level in made if level.solution is not None]:
        for changes in (0, 1, 1, 2):
            moves = list(level.solution)
            for _ in range(changes):
                moves[draw.integers(len(moves))] = str(draw.choice(letters))
            told = "".join(moves)
            try:
                verify_still.play(level.grid.tolist(), told)
                plain = True
            except verify.Fault:
                plain = False
            try:
                replay(level, told)
                book = True
            except LevelsmithError:
                book = False
            assert plain == book
            outcomes.add(plain)
    assert outcomes == {True, False}


def test_parquet_has_the_same_rows(small, tmp_path):
    pytest.importorskip("pyarrow", reason="parquet needs pyarrow")
    import pyarrow.parquet

    folder = tmp_path / "parquet"
    asked = {**SMALL, "shard": SHARD, "splits": (0.6, 0.2, 0.2), "format": "parquet"}
    levelsmith.dataset("sokoban", folder, count=70, **asked)
    levelsmith.dataset("sokoban", folder, count=SHARD * 2, **asked)
    read = [
        row
        for path in sorted(folder.glob("*.parquet"))
        for row in pyarrow.parquet.read_table(path).to_pylist()
    ]
    assert {row["id"]: row for row in read} == {
        row["id"]: row for row in rows(small) if row["id"] in {r["id"] for r in read}
    }
    assert len(read) == SHARD * 2
    assert verified(folder)[0] == 0


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "runner"
    levelsmith.dataset("loderunner", folder, count=2, splits=(0.5, 0.5), seed=1)
    return folder


def test_the_readme_of_a_lode_runner_dataset_prints_a_command_that_makes_it(runner, monkeypatch, tmp_path):
    command, again = made_again(runner, monkeypatch, tmp_path)
    assert "--guards chase" in command
    assert files(again) == files(runner)


@pytest.mark.parametrize(
    ("game", "asked"),
    [
        ("sokoban", ["--size", "5x5", "--boxes", "2", "--pushes", "4..12", "--count", "9", "--seed", "3"]),
        ("loderunner", ["--guards", "still", "--count", "2", "--splits", "train=80/dev=20", "--seed", "2"]),
        ("puzzle.txt", ["--count", "2", "--shard", "1", "--seed", "1"]),
    ],
)
def test_the_command_in_a_readme_makes_the_same_files(game, asked, monkeypatch, tmp_path):
    puzzle = Path(__file__).parents[2] / "docs" / "levels" / "puzzle.txt"
    shutil.copy(puzzle, tmp_path)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["dataset", game, *asked, "--workers", "1", "-o", "made"])
    assert done.exit_code == 0, (done.output, done.exception)
    _, again = made_again(tmp_path / "made", monkeypatch, tmp_path, puzzle)
    assert files(again) == files(tmp_path / "made")


def test_the_readme_names_the_file_that_levels_are_unlike(small, monkeypatch, tmp_path):
    row = rows(small)[0]
    (tmp_path / "pack.xsb").write_text(row["level"] + "\n")
    monkeypatch.chdir(tmp_path)
    asked = ["--splits", "60/20/20", "--count", "30", "--workers", "1", "--unlike", "pack.xsb", "-o", "made"]
    assert CliRunner().invoke(cli, ["dataset", "sokoban", *OPTIONS, *asked]).exit_code == 0
    command, again = made_again(tmp_path / "made", monkeypatch, tmp_path, tmp_path / "pack.xsb")
    assert "--unlike pack.xsb" in command
    assert files(again) == files(tmp_path / "made")
    assert row["hash"] not in [each["hash"] for each in rows(again)]


def test_levels_to_be_unlike_that_come_from_no_file_are_kept_beside(small, monkeypatch, tmp_path):
    found = levelsmith.parse(rows(small)[0]["level"], game="sokoban")
    monkeypatch.chdir(tmp_path)
    levelsmith.dataset("sokoban", "made", count=30, unlike=[found], **SMALL)
    assert levelsmith.load("made/unlike.json")[0] == found
    before = files("made")
    words = shlex.split(next(line[2:] for line in before["README.md"].decode().splitlines() if "$ " in line))
    assert CliRunner().invoke(cli, [*words[1:-1], "again"]).exit_code == 0
    again = files("again")
    assert again["README.md"].replace(b"-o again", b"-o made") == before["README.md"]
    assert {name: again[name] for name in again if name != "README.md"} == {
        name: before[name] for name in before if name not in ("README.md", "unlike.json")
    }


def test_a_dataset_is_won_against_guards_who_chase_and_says_so(runner):
    book = games.get("loderunner")
    for row in rows(runner):
        assert row["id"].startswith("loderunner-1-")
        level = levelsmith.parse(row["level"], game="loderunner")
        book.verify(levelsmith.Level("loderunner", level.tiles, level.grid, solution=row["solution"]))
        assert any(letter.isdigit() for letter in row["solution"])
        assert "Guards chase" in row["prompt"]
    assert "win against guards who chase" in (runner / "README.md").read_text()
    status, told = verified(runner)
    assert status == 0, told
    assert "every solution played" in told


@pytest.mark.parametrize(
    ("solution", "seen"),
    [
        ("lrud", "expected keys with their ticks"),
        ("l5 r5", "does not win against the guards"),
        ("r29999 l2", "more than 30000 ticks"),
        ("", "expected keys with their ticks"),
    ],
)
def test_the_verifier_refuses_what_does_not_win_against_guards(runner, tmp_path, solution, seen):
    folder = tmp_path / "damaged"
    shutil.copytree(runner, folder)
    path = next(folder.glob("*-*.jsonl"))
    row = json.loads(path.read_text().splitlines()[0]) | {"solution": solution}
    path.write_text(json.dumps(row) + "\n")
    status, told = verified(folder)
    assert status == 1
    assert seen in told


def test_the_rules_beside_a_dataset_are_those_of_the_rule_book(runner):
    from levelsmith.games.loderunner.rules import plan

    for name, text in plan.rule_book().items():
        assert "levelsmith" not in text
        assert (runner / "rulebook" / name).read_text() == text


def test_guards_that_stand_still_are_told_in_the_prompt_and_on_the_page(tmp_path):
    folder = tmp_path / "still"
    levelsmith.dataset("loderunner", folder, count=1, splits=(0.5, 0.5), seed=2, guards="still")
    (row,) = rows(folder)
    assert "Guards stand still" in row["prompt"]
    assert "--guards still" in (folder / "README.md").read_text()
    assert verified(folder)[0] == 0


def test_a_game_without_guards_takes_none(tmp_path):
    with pytest.raises(LevelsmithError, match="sokoban has no guards to choose from"):
        levelsmith.dataset("sokoban", tmp_path / "none", count=1, guards="still")


@pytest.mark.parametrize("folder", [3, None, b"folder", ["folder"]])
def test_a_folder_must_be_a_path(folder):
    with pytest.raises(LevelsmithError, match="expected the path of a folder"):
        levelsmith.dataset("sokoban", folder, count=1)
