"""`levelsmith solve` as a person would call it: the table, JSON lines, levels with their solutions."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import prepared
from games.solver_twin import huge
from levelsmith import load
from levelsmith.cli import main
from levelsmith.games.loderunner.rules.plan import is_timed
from spent import wait_until_spent

PACK = """; one

#####
#@$.#
#####

; two

#####
#$ .#
# @ #
#####
"""


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Runs a command line in a folder with a pack; gives its status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pack.xsb").write_text(PACK)

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["levelsmith", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code, printed.out, printed.err

    return call


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Processes are started for the shortest levels too."""
    monkeypatch.setattr("levelsmith.processes.SOON", 0.0)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_table_of_all_levels_in_their_order(run, workers):
    status, out, err = run("solve", "pack.xsb", "--workers", workers)
    lines = [line.split() for line in out.splitlines()]
    assert status == 1  # the second has no solution
    assert lines[0] == ["level", "status", "pushes", "moves", "difficulty", "optimal", "seconds", "title"]
    assert lines[1][:4] == ["pack.xsb#1", "solved", "1", "1"]
    assert 0 <= float(lines[1][4]) < 5
    assert lines[1][5] == "yes"
    assert lines[2][:2] == ["pack.xsb#2", "unsolvable"]
    assert ": 1 solved (1 of them with the fewest pushes), 1 unsolvable, 0 unknown\n" in err


def test_json_is_one_object_a_level(run):
    status, out, _ = run("solve", "pack.xsb#2", "pack.xsb#1", "--json", "--workers", 1)
    two, one = map(json.loads, out.splitlines())
    assert status == 1
    assert list(one) == ["level", "game", "title", "status", "optimal", "solution", "metrics", "statistics"]
    assert (one["level"], one["status"], one["optimal"], one["solution"]) == (
        "pack.xsb#1",
        "solved",
        True,
        "R",
    )
    assert one["metrics"]["pushes"] == 1
    assert (two["level"], two["status"], two["solution"]) == ("pack.xsb#2", "unsolvable", None)
    assert set(two["statistics"]) == {"states", "seconds", "why"}
    assert two["statistics"]["why"] == "no pushes bring the box at row 2, column 2 to a goal"


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_no_level_has_a_row_among_others(run, tmp_path, workers):
    (tmp_path / "mixed.xsb").write_text("; none\n\n#####\n#@$ #\n#####\n\n" + PACK)
    status, out, err = run("solve", "mixed.xsb", "--json", "--workers", workers)
    none, one, two = map(json.loads, out.splitlines())
    assert status == 2
    assert [each["status"] for each in (none, one, two)] == ["malformed", "solved", "unsolvable"]
    assert "1 box but 0 goals: add a goal" in none["statistics"]["error"]
    assert "mixed.xsb#1 is malformed: 1 box but 0 goals: add a goal" in err
    assert "1 unsolvable, 0 unknown, 1 malformed\n" in err


def test_what_is_wrong_with_one_of_many_is_told_without_its_text(run, tmp_path):
    rows = "\n".join(["......"] * 5 + ["bbbbbb"])
    (tmp_path / "pair.txt").write_text(f"; game: loderunner\n{rows}\n\n{rows}\n")
    _, out, _ = run("solve", "pair.txt", "--json", "--workers", 1)
    error = json.loads(out.splitlines()[0])["statistics"]["error"]
    assert "expected one player" in error
    assert "bbbbbb" not in error


def test_a_limit_is_named(run, tmp_path):
    (tmp_path / "far.xsb").write_text("#######\n#@$  .#\n#######\n")
    status, out, err = run("solve", "far.xsb", "--states", 1, "--workers", 1)
    assert status == 1
    assert "unknown (states)" in out
    assert "1 unknown" in err


def test_levels_are_written_with_their_solutions(run, tmp_path):
    status, _, err = run("solve", "pack.xsb", "--any", "--workers", 1, "-o", "solved.json")
    assert status == 1
    assert "wrote 2 levels to solved.json" in err
    assert [level.solution for level in load(tmp_path / "solved.json")] == ["R", None]


def interrupted(folder, workers, kill):
    """The status, both outputs, and how long it takes to stop after Ctrl-C amid twenty long levels."""
    hard = huge().text
    (folder / "pack.xsb").write_text(PACK + "".join(f"\n; {i}\n\n{hard}\n" for i in range(20)))
    process = prepared.Popen(
        [sys.executable, "-m", "levelsmith", "solve", "pack.xsb", "--seconds", "60", "--workers", workers],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until_spent(process, 2 if workers == "1" else 3.5)
    kill(process.pid, signal.SIGINT)
    started = time.monotonic()
    out, err = process.communicate(timeout=30)
    return process.returncode, out, err, time.monotonic() - started


def test_ctrl_c_prints_what_is_done(tmp_path):
    status, out, err, _ = interrupted(tmp_path, "1", os.killpg)
    assert status == 130
    assert "pack.xsb#1" in out
    assert "unknown (cancelled)" in out
    assert "interrupted: 19 levels are left" in err


@pytest.mark.first(1)
@pytest.mark.parametrize("kill", [os.killpg, os.kill], ids=["everyone", "the parent"])
def test_ctrl_c_stops_workers_too(tmp_path, kill):
    status, _, err, seconds = interrupted(tmp_path, "2", kill)
    assert status == 130
    assert "levels are left" in err
    assert "Traceback" not in err
    assert seconds < 15  # a loaded machine is slow, but no hang


RUN = """; game: loderunner
......
......
.M....
bbbbbb
G.....
bbbbbb
"""


TOY = """title Toy

OBJECTS

Background
black

Player
white

Box
red

Goal
green

LEGEND

. = Background
P = Player
* = Box
O = Goal

SOUNDS

COLLISIONLAYERS

Background
Goal
Player, Box

RULES

[ > Player | Box ] -> [ > Player | > Box ]

WINCONDITIONS

All Box on Goal

LEVELS

P*O
"""


def test_plans_of_lode_runner_are_told_played_and_drawn(run, tmp_path):
    (tmp_path / "run.txt").write_text(RUN)
    status, out, err = run("solve", "run.txt", "--workers", 1)
    assert status == 0
    assert out.splitlines()[0].split()[2:5] == ["moves", "ticks", "digs"]
    assert ": 1 solved, 0 unsolvable, 0 unknown\n" in err
    for guards in ("chase", "still"):
        told = json.loads(run("solve", "run.txt", "--guards", guards, "--json")[1])
        assert told["metrics"]["digs"] == told["solution"].count("L") + told["solution"].count("R") >= 1
        assert told["statistics"]["gold_order"] == [[0, 4]]
        assert guards == ("chase" if is_timed(told["solution"]) else "still")
    assert run("solve", "run.txt", "--guards", "still", "-o", "plan.json")[0] == 0
    assert "dig 1 of 1" in run("show", "plan.json", "--solution")[1]
    for name in ("plan.svg", "plan.png"):
        assert run("convert", "plan.json", name, "--set", "trail=true")[0] == 0
        assert load(tmp_path / name)[0].solution == told["solution"]
    assert "<polyline" in (tmp_path / "plan.svg").read_text()
    assert run("convert", "plan.json", "plan.gif")[0] == 0
    assert run("convert", "run.txt", "bare.svg", "--set", "trail=true")[0] == 2


def test_a_player_is_put_where_most_gold_can_be_had(run, tmp_path):
    (tmp_path / "run.txt").write_text(RUN.replace("M", "."))
    status, _, err = run("solve", "run.txt")
    assert status == 2
    assert "expected one player (M), got none; levelsmith convert --spawn best" in err
    assert run("solve", "run.txt", "--spawn", "best", "-o", "placed.json")[0] == 0
    assert (load(tmp_path / "placed.json")[0].grid == 7).sum() == 1
    assert run("solve", "pack.xsb", "--spawn", "best")[0] == 2
    assert run("measure", "pack.xsb", "--rules", "dig")[0] == 2


CAVES = {
    "cave.txt": "#####\n...##\n##...\n#####\n",
    "shut.txt": "#####\n..###\n###..\n#####\n",
    "closed.txt": "#####\n#...#\n#####\n",
}


@pytest.fixture
def folder(tmp_path):
    """A folder of caves, Sokoban, Lode Runner, PuzzleScript and files that cannot be read."""
    there = tmp_path / "levels"
    there.mkdir()
    for name, text in CAVES.items():
        (there / name).write_text(f"; game: binary\n{text}")
    (there / "run.txt").write_text(RUN)
    (there / "pack.xsb").write_text(PACK)
    (there / "toy.txt").write_text(TOY)
    (there / "half.json").write_text("{")
    (there / "trees.txt").write_text("; game: orchard\n.^.\n")
    return there


def test_one_call_solves_a_folder_of_every_game(run, folder):
    status, out, err = run("solve", "levels", "--json", "--workers", 1)
    found = {each["level"]: each for each in map(json.loads, out.splitlines())}
    assert status == 2  # something could not be read
    assert {name: each["status"] for name, each in found.items()} == {
        "levels/cave.txt": "solved",
        "levels/closed.txt": "malformed",
        "levels/pack.xsb#1": "solved",
        "levels/pack.xsb#2": "unsolvable",
        "levels/run.txt": "solved",
        "levels/shut.txt": "unsolvable",
        "levels/toy.txt": "solved",
        "levels/trees.txt": "unknown",
    }
    assert found["levels/pack.xsb#2"]["title"] == "two"
    assert found["levels/trees.txt"]["statistics"]["why"] == (
        "orchard levels cannot be solved yet; expected one of: binary, sokoban, loderunner, PuzzleScript"
    )
    assert "left out: levels/half.json: expected JSON" in err
    assert "8 levels in" in err


def test_a_cave_is_solved_by_the_fewest_steps_from_entry_to_exit(run, folder):
    status, out, err = run("solve", folder / "cave.txt", "--json")
    cave = json.loads(out)
    assert (status, cave["solution"], cave["optimal"], cave["metrics"]) == (0, "rrdrr", True, {"way": 5})
    assert "1 solved (1 of them with the fewest steps), 0 unsolvable" in err
    status, out, _ = run("solve", folder / "shut.txt")
    assert status == 1
    assert "unsolvable (no way leads from row 2, column 1 to row 3, column 5)" in out
    status, out, err = run("solve", folder / "closed.txt")
    assert (status, out) == (2, "")
    assert "expected a cave with an entry and an exit (two empty cells in its border), got no empty" in err


def test_one_bad_file_does_not_stop_the_others(run, tmp_path):
    (tmp_path / "half.json").write_text("{")
    (tmp_path / "good.xsb").write_text("#####\n#@$.#\n#####\n")
    status, out, err = run("solve", "missing.xsb", "half.json", "good.xsb", "--json")
    assert status == 2
    assert [json.loads(line)["level"] for line in out.splitlines()] == ["good.xsb"]
    left_out = [line for line in err.splitlines() if line.startswith("left out: ")]
    assert len(left_out) == 2
    assert left_out[0].startswith("left out: no file is called 'missing.xsb'; expected an existing file")
    assert left_out[1].startswith("left out: half.json: expected JSON, but line 1 column 2")
    assert run("solve", "missing.xsb", "half.json")[::2] == (
        2,
        "levelsmith: no file is called 'missing.xsb'; expected an existing file, or - for standard input\n",
    )
    assert run("solve", "good.xsb", "--json")[0] == 0


def test_guards_are_for_the_levels_that_have_some(run, folder):
    status, out, _ = run("solve", folder / "cave.txt", folder / "run.txt", "--guards", "still", "--json")
    assert status == 0
    assert not any(is_timed(json.loads(line)["solution"]) for line in out.splitlines()[1:])


def test_a_game_that_cannot_be_solved_is_refused_alone_and_told_among_others(run, folder):
    (folder / "chance.txt").write_text(TOY.replace("[ > Player |", "random [ > Player |"))
    wanted = "draws random numbers: its levels cannot be solved"
    status, _, err = run("solve", folder / "chance.txt")
    assert (status, wanted in err) == (2, True)
    status, out, _ = run("solve", folder / "chance.txt", folder / "cave.txt", "--json", "--workers", 1)
    chance, cave = map(json.loads, out.splitlines())
    assert (status, chance["status"], cave["status"]) == (1, "unknown", "solved")
    assert wanted in chance["statistics"]["why"]


def test_a_puzzlescript_level_that_no_rule_can_win_says_what_is_never_met(run, folder):
    (folder / "toy.txt").write_text(TOY.replace("P*O", "*PO"))
    status, out, _ = run("solve", folder / "toy.txt", "--json")
    assert status == 1
    assert json.loads(out)["statistics"]["why"] == (
        "no keys bring the box at row 1, column 1 to where 'all box on goal' asks"
    )
    (folder / "toy.txt").write_text(TOY.replace("P*O", "P*O*"))
    status, out, _ = run("solve", folder / "toy.txt")
    assert status == 1
    assert "unsolvable (there are 2 box and 1 goal for 'all box on goal')" in out


def test_a_difficulty_that_is_estimated_is_marked(tmp_path, monkeypatch):
    from click.testing import CliRunner

    from levelsmith.cli import cli

    (tmp_path / "level.xsb").write_text("#######\n#@$ . #\n#  $ .#\n#     #\n#######\n")
    words = ["solve", str(tmp_path / "level.xsb")]
    assert "~" not in CliRunner().invoke(cli, words).output
    monkeypatch.setattr("levelsmith.games.sokoban.space.space.told_by_positions", lambda level: None)
    done = CliRunner().invoke(cli, words)
    assert "  ~" in done.stdout.splitlines()[1]
    assert "~ is estimated from the solution" in done.stderr
    (told,) = map(json.loads, CliRunner().invoke(cli, [*words, "--json"]).stdout.splitlines())
    assert told["statistics"]["estimated"] == ["difficulty"]
