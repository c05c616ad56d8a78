"""Plays of one's own held against difficulty: ranks, cuts, files that are refused in a line."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

import levelsmith
from levelsmith.cli import cli
from levelsmith.errors import LevelsmithError
from levelsmith.experiment.plays import calibrated, read_plays

SHARES = {"medium": 3 / 4, "hard": 2 / 3, "fiendish": 3 / 5}


@pytest.fixture(scope="module")
def levels():
    """Levels from easy to hard, with their difficulty."""
    made = levelsmith.generate(
        "sokoban", size=(5, 6), want={"difficulty": "5..90"}, ramp="difficulty", count=8, seed=3, partial=True
    ).levels
    return [(level.text, levelsmith.measure(level)["difficulty"]) for level in made]


def chance(number: float, easier: float) -> float:
    """How likely players are to solve a level of a difficulty who solve half of those of `easier`."""
    return 1 / (1 + np.exp(0.8 * (np.log(number / (100 - number)) - np.log(easier / (100 - easier)))))


def written(path, levels, easier=60.0, plays=200):
    rng = np.random.default_rng(0)
    lines = []
    for text, number in levels:
        for _ in range(plays):
            solved = bool(rng.random() < chance(number, easier))
            lines.append({"game": "sokoban", "text": text, "solved": solved, "seconds": 10 + number})
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines) + "\n")
    return path


def test_players_who_agree_are_agreed_with_and_cuts_are_where_so_many_solve(levels, tmp_path):
    assert len(levels) >= 6
    found = calibrated(read_plays(written(tmp_path / "plays.jsonl", levels)))
    assert (found.game, found.levels, found.plays) == ("sokoban", len(levels), 200 * len(levels))
    assert found.ranks["share solved"].value < -0.9
    assert found.ranks["seconds"].value == pytest.approx(1)
    assert found.ranks["share solved"].low <= found.ranks["share solved"].value
    assert set(found.ranks) == {"share solved", "seconds"}
    for name, (now, fitted) in found.cuts.items():
        assert now == {"medium": 40, "hard": 70, "fiendish": 85}[name]
        assert chance(fitted, 60.0) == pytest.approx(SHARES[name], abs=0.05)


def test_players_who_find_all_harder_have_lower_cuts(levels, tmp_path):
    one = calibrated(read_plays(written(tmp_path / "one", levels, 60.0))).cuts
    other = calibrated(read_plays(written(tmp_path / "other", levels, 40.0))).cuts
    assert all(other[name][1] < one[name][1] for name in one)


def test_players_who_disagree_move_no_cut(levels, tmp_path):
    turned = [(text, 100 - number) for text, number in levels]
    found = calibrated(read_plays(written(tmp_path / "plays", turned)))
    assert found.ranks["share solved"].value > 0.9
    assert (found.cuts, found.why_not) == ({}, "harder levels were not solved more seldom")


def test_few_plays_say_little_and_say_so(levels, tmp_path):
    found = calibrated(read_plays(written(tmp_path / "plays", levels[:2], plays=2)))
    assert (found.ranks, found.cuts) == ({}, {})
    assert "30 plays" in found.why_not


def test_the_command_prints_both_and_json(levels, tmp_path):
    path = written(tmp_path / "plays.jsonl", levels)
    shown = CliRunner().invoke(cli, ["calibrate", str(path)]).stdout
    assert f"{200 * len(levels):,} plays of {len(levels)} levels of sokoban" in shown
    assert "difficulty and share solved" in shown
    assert "fiendish           85" in shown
    told = json.loads(CliRunner().invoke(cli, ["calibrate", str(path), "--json"]).stdout)
    assert told["cuts"]["hard"]["now"] == 70
    assert told["levels"] == len(levels)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "expected a line of JSON for each play, got none"),
        ('{"game": "sokoban"}', "line 1: expected"),
        ("\n[1]", "line 2: expected"),
        ("[" * 100_000, "line 1: expected"),
        ('{"game": "sokoban", "text": 3, "solved": true}', "expected a game and the text of a level"),
        ('{"game": "sokoban", "text": "", "solved": true, "moves": -1}', "from 0 as moves, got '-1'"),
        ('{"game": "sokoban", "text": "x", "solved": true}', "play 1: "),
        ('{"game": "chess", "text": "x", "solved": true}', "chess"),
        ('{"game": "binary", "text": ".", "solved": true}', "binary has no difficulty"),
    ],
)
def test_what_is_no_play_is_told_in_a_line(text, line, tmp_path):
    path = tmp_path / "plays.jsonl"
    path.write_text(text)
    with pytest.raises(LevelsmithError) as told:
        calibrated(read_plays(path))
    assert line in str(told.value)
    assert "\n" not in str(told.value).replace("\nx", "")


def test_a_file_that_is_not_there_is_told_in_a_line(tmp_path):
    with pytest.raises(LevelsmithError, match="expected a file of plays"):
        read_plays(tmp_path / "none.jsonl")


@pytest.mark.parametrize("help_", [{"hints": 1}, {"told_lost": 2}])
def test_plays_that_the_page_has_helped_do_not_count(help_, levels, tmp_path):
    path = written(tmp_path / "plays.jsonl", levels[:2], plays=3)
    told = {"game": "sokoban", "text": levels[0][0], "solved": True, "seconds": 1, "hints": 0, "told_lost": 0}
    path.write_text(f"{path.read_text()}{json.dumps(told)}\n{json.dumps(told | help_)}\n")
    assert [play.helped for play in read_plays(path)] == [False] * 7 + [True]
    found = calibrated(read_plays(path))
    assert (found.plays, found.levels, found.helped) == (7, 2, 1)
    shown = CliRunner().invoke(cli, ["calibrate", str(path)])
    assert "left out, as the page has helped: 1 play\n" in shown.output
    path.write_text(json.dumps(told | help_))
    with pytest.raises(LevelsmithError, match="expected a play without help by the page, got none"):
        calibrated(read_plays(path))
