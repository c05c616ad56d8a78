"""`levelsmith pack` from the first level to a page's worth, and its mistakes in one line."""

import json

import pytest
from click.testing import CliRunner

from levelsmith import load, parse, save
from levelsmith.cli import cli
from levelsmith.errors import LevelsmithError

EASY = parse("######\n#@$ .#\n######", "sokoban")
HARDER = parse("#######\n#     #\n# $ . #\n# .$@ #\n#     #\n#######", "sokoban")


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save([HARDER, EASY], "made.xsb")

    def invoke(*words):
        result = CliRunner().invoke(cli, ["pack", *words])
        if isinstance(result.exception, LevelsmithError):
            return str(result.exception.for_command_line)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result.output

    return invoke


def test_a_pack_is_made_sorted_named_and_shown(run):
    told = run("new", "p.json", "made.xsb", "--title", "Rooms", "--author", "Ann", "--name")
    assert told == "wrote 2 levels to p.json\n"
    run("sort", "p.json", "--workers", "1")
    assert load("p.json") == [EASY, HARDER]
    run("name", "p.json", "2", "The Last")
    told = run("add", "p.json", "made.xsb#2", "--at", "2")
    assert "level 2 is there already, turned or mirrored or not" in told
    assert told.endswith("to take out: levelsmith pack drop p.json 2\n")
    shown = run("show", "p.json", "--workers", "1").splitlines()
    assert shown[0] == "Rooms by Ann: 3 levels of sokoban"
    assert shown[2].endswith("won in 2 pushes (fewest, proved); the same as 1")
    assert "The Last" in shown[3]
    assert shown[1].count("█") < shown[3].count("█")
    told = json.loads(run("show", "p.json", "--json", "--workers", "1"))
    assert [level["duplicate_of"] for level in told["levels"]] == [None, 1, None]
    run("drop", "p.json", "2")
    run("sort", "p.json", "--order", "2,1")
    assert load("p.json") == [HARDER, EASY]
    assert "easier than the one before: 2" in run("show", "p.json", "--workers", "1")


def test_a_pack_is_checked_as_other_files_are(run):
    run("new", "p.json", "made.xsb")
    assert "2 won with the fewest" in run("check", "p.json", "--workers", "1")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["new", "made.xsb", "made.xsb"], "is there already"),
        (["new", "p.txt", "made.xsb"], "expected a file that ends in .json for a pack, got 'p.txt'"),
        (["sort", "made.xsb", "--order", "1-2"], "levelsmith pack new made.json made.xsb makes one of it"),
        (["drop", "made.xsb", "1", "2"], "would have no level left"),
        (["sort", "made.xsb", "--order", "1;2"], "expected an order such as 2,1,3-9, got '1;2'"),
        (
            ["sort", "made.xsb", "--by", "pushed"],
            "is called 'pushed'; did you mean 'pushes'?",
        ),
        (["fill", "made.xsb"], "expected --between with two numbers, or a range"),
        (
            ["fill", "made.xsb", "--between", "2", "1"],
            "levels that follow each other, such as 2 3",
        ),
        (["name", "made.xsb", "3"], "expected a title after the number"),
        (["show", "none.json"], "no file is called 'none.json'"),
    ],
)
def test_a_mistake_is_one_line(run, words, told):
    assert told in run(*words)


def test_the_source_of_a_game_says_its_title_itself(run):
    run("new", "game.txt", "puzzlescript:crates")
    assert "the source of the game says this itself" in run("name", "game.txt", "--title", "Mine")
