"""`levelsmith improve` makes a level harder or easier, keeps what is locked, and says what it cannot do."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import levelsmith
from levelsmith.cli import cli
from levelsmith.errors import LevelsmithError

LEVEL = "#######\n#@    #\n# $ $ #\n#     #\n# . . #\n#     #\n#######\n"


@pytest.fixture
def run(tmp_path):
    path = tmp_path / "level.xsb"
    path.write_text(LEVEL)

    def call(*words):
        done = CliRunner().invoke(cli, ["improve", str(path), *words])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done

    return call


def told(run, *words):
    return json.loads(run(*words, "--json").stdout)


@pytest.mark.slow
def test_a_level_gets_harder_and_keeps_its_number_of_boxes(run):
    found = told(run, "--evaluations", "300")
    assert found["after"]["metrics"]["difficulty"] > found["before"]["metrics"]["difficulty"]
    assert all(
        found["after"]["metrics"][name] >= found["before"]["metrics"][name]
        for name in ("pushes", "moves", "floor")
    )
    assert found["after"]["text"].count("$") + found["after"]["text"].count("*") == 2
    assert 1 <= found["changed"] <= 8
    assert found["solution"]


def test_what_is_locked_stays(run):
    found = told(run, "--by", "pushes", "--evaluations", "60", "--lock", "goal", "--lock", "3,3")
    rows = found["after"]["text"].split("\n")
    assert rows[4][2] in ".*+"
    assert rows[4][4] in ".*+"
    assert rows[3][3] != "#"
    assert found["after"]["metrics"]["pushes"] > found["before"]["metrics"]["pushes"]


@pytest.mark.slow
def test_locked_boxes_players_and_floor_stay_too(run):
    before = LEVEL.split("\n")
    boxes = [(x, y) for y, row in enumerate(before) for x, tile in enumerate(row) if tile == "$"]
    ((x, y),) = ((x, y) for y, row in enumerate(before) for x, tile in enumerate(row) if tile == "@")
    locks = ["--lock", f"{boxes[0][0]},{boxes[0][1]}", "--lock", f"{x},{y}", "--lock", "1,5,5x1"]
    found = told(run, "--by", "pushes", "--evaluations", "300", *locks)
    after = found["after"]["text"].split("\n")
    assert after[boxes[0][1]][boxes[0][0]] == "$"
    assert after[y][x] == "@"
    assert after[5] == before[5]


def test_a_level_gets_easier(run, tmp_path):
    hard = "#########\n## #   .#\n##  $.  #\n#  $@$.##\n##  ## ##\n#########\n"
    (tmp_path / "level.xsb").write_text(hard)
    found = told(run, "--easier", "--evaluations", "2000")
    was, now = (found[when]["metrics"]["difficulty"] for when in ("before", "after"))
    assert 0.5 * was <= now <= 0.8 * was


def test_before_and_after_are_shown(run):
    out = run("--evaluations", "50").stdout
    assert out.index("before") < out.index("after") < out.index("difficulty") < out.index("changed")


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("#####\n#@$.#\n#####\n\n#####\n#@$.#\n#####\n", (), "holds 2 levels; name one"),
        ("######\n#$ @.#\n######\n", (), "no solution was found"),
        (
            "#####\n#@$.#\n#   #\n#####\n",
            ("--easier", "--lock", "wall", "--evaluations", "20"),
            "nothing with less difficulty",
        ),
        (LEVEL, ("--by", "pushs"), "did you mean 'pushes'"),
        (LEVEL, ("--lock", "5,5,9x9"), "expected cells within"),
    ],
)
def test_what_cannot_be_is_told(tmp_path, text, words, message):
    path = tmp_path / "level.xsb"
    path.write_text(text)
    done = CliRunner().invoke(cli, ["improve", str(path), *words])
    assert isinstance(done.exception, LevelsmithError)
    assert message in str(done.exception)


def test_a_level_gets_harder_within_its_ranges(run):
    free = told(run, "--evaluations", "100", "--seed", "3")["after"]["metrics"]
    most = int(free["pushes"]) - 1
    found = told(run, "--evaluations", "100", "--seed", "3", "--pushes", f"..{most}", "--boxes", "2")
    before, after = found["before"]["metrics"], found["after"]["metrics"]
    assert after["pushes"] <= most < free["pushes"]
    assert after["boxes"] == 2
    assert after["difficulty"] > before["difficulty"]


def test_python_takes_the_same_ranges():
    level = levelsmith.parse(LEVEL, game="sokoban")
    result = levelsmith.improve(level, want={"pushes": (None, 12)}, evaluations=60)
    assert result.statistics["after"]["pushes"] <= 12


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--states", "5"), "improve has no parameter 'states'"),
        (("--pushs", "5"), "did you mean '--pushes'"),
        (("--pushes", "9..3"), "low end that is not above the high end"),
        (("--pushes", "900..", "--evaluations", "20"), "and with pushes 900.., boxes 1.., was found"),
    ],
)
def test_ranges_that_cannot_be_are_told(run, words, message):
    with pytest.raises(LevelsmithError) as error:
        run(*words)
    assert message in str(error.value)
