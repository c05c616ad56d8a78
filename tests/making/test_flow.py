"""Levels by the thousand: distinct, in order, the same however they are made; packs that are gone on with."""

from __future__ import annotations

import json
import os
from itertools import islice

import pytest

import levelsmith
from killed import is_killed
from levelsmith.errors import LevelsmithError, MissingLevelsError
from levelsmith.games.sokoban.metrics.solution import measured
from levelsmith.levels import bulk
from levelsmith.making import flow
from levelsmith.making.bulk import write_bulk
from levelsmith.making.driver import runs_of
from levelsmith.registry import games
from levelsmith.request import Request

MANY = {"game": "sokoban", "preset": "boxoban", "set": {"optimal": False}, "seed": 1}
TINY = {**MANY, "size": (3, 3), "set": {"boxes": 1}, "want": {"pushes": "1.."}}


def texts(result):
    return [(level.text, level.solution) for level in result.levels]


def test_a_level_is_the_same_whatever_is_asked_for_beside_it(monkeypatch):
    monkeypatch.setattr(flow, "START_SECONDS", 0.0)
    whole = texts(levelsmith.generate(**MANY, count=1100))
    assert texts(levelsmith.generate(**MANY, count=1100, workers=2)) == whole
    assert texts(levelsmith.generate(**MANY, count=3, skip=700)) == whole[700:703]
    assert [(level.text, level.solution) for level in islice(levelsmith.endless(**MANY), 40)] == whole[:40]


@pytest.mark.slow
def test_no_two_levels_are_alike_and_those_that_there_are_too_few_of_are_missing():
    game = games.get("sokoban")
    with pytest.raises(
        MissingLevelsError, match=r"of 120 levels with pushes 1\.\. .* no two alike"
    ) as refused:
        levelsmith.generate(**TINY, count=120)
    result = levelsmith.generate(**TINY, count=120, partial=True)
    assert result.levels == refused.value.result.levels
    assert result.missing == 120 - len(result.levels)
    with pytest.raises(MissingLevelsError, match="levels with pushes 1"):
        list(levelsmith.endless(**TINY))
    alike = {game.canonical(level.grid) for level in result.levels}
    assert 20 < len(alike) == len(result.levels) < 120
    runs = [level.provenance["run"] for level in result.levels]
    assert runs == sorted(runs)
    first = levelsmith.generate(**TINY, count=10)
    others = levelsmith.generate(**TINY, count=10, unlike=first.levels)
    assert not {game.canonical(level.grid) for level in (*first.levels,)} & {
        game.canonical(level.grid) for level in others.levels
    }


def test_a_ramp_goes_from_easy_to_hard():
    result = levelsmith.generate(
        **MANY, count=30, ramp="pushes", want={"pushes": "5..25"}, evaluations=30_000
    )
    pushes = [measured(level, level.solution)["pushes"] for level in result.levels]
    assert len(pushes) == 30
    for step in range(10):
        low = 5 + 2 * step
        assert all(low <= each <= low + 2 for each in pushes[3 * step : 3 * step + 3])


def test_each_of_twenty_levels_on_a_ramp_has_a_step_of_its_own():
    asked = {**MANY, "ramp": "pushes", "want": {"pushes": "5..25"}, "evaluations": 30_000}
    pushes = [
        measured(level, level.solution)["pushes"] for level in levelsmith.generate(**asked, count=20).levels
    ]
    assert len(pushes) == 20
    assert pushes == sorted(pushes)
    assert len(runs_of(Request(**asked, count=20)).steps) == 20
    assert len(runs_of(Request(**asked, count=21)).steps) == 10


def test_a_ramp_serves_any_search():
    made = levelsmith.generate("orchard", size=(6, 6), want={"trees": "4..12"}, ramp="trees", count=4, seed=1)
    trees = [levelsmith.measure(level)["trees"] for level in made.levels]
    assert trees == sorted(trees)
    assert 4 <= trees[0] <= 6
    assert 10 <= trees[-1] <= 12


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"ramp": "moves"}, "a range of moves such as 8..30"),
        ({"ramp": "pushes", "want": {"pushes": "9.."}}, "a range of pushes such as 8..30"),
        ({"seconds": 3}, "its budget is evaluations alone"),
        (
            {"want": {"pushes": "200..210"}, "evaluations": 1, "count": 3},
            r"3 of 3 levels with pushes 200\.\.210 could not be made in 1 evaluations each",
        ),
    ],
)
def test_what_cannot_be_is_refused(asked, message):
    with pytest.raises(LevelsmithError, match=message):
        levelsmith.generate(**{**MANY, **asked})


def files_of(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_pack_that_was_stopped_is_gone_on_with_to_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(bulk, "A_FILE", 300)
    game, choices = MANY["game"], {name: MANY[name] for name in ("preset", "set", "seed")}
    runs = runs_of(Request(game, count=1350, **choices))
    assert list(write_bulk(runs, str(tmp_path / "whole")))[-1] == 1350
    whole = files_of(tmp_path / "whole")
    assert sorted(whole) == [*(f"00{i}{end}" for i in range(5) for end in (".lurd", ".txt")), "ORIGIN"]
    assert whole["004.txt"].count(b";") == 150

    asked = []
    assert list(write_bulk(runs, str(tmp_path / "stopped"), 1, lambda: len(asked) > 40 or asked.append(1)))
    assert list(write_bulk(runs, str(tmp_path / "stopped")))[-1] == 1350
    assert files_of(tmp_path / "stopped") == whole

    levels = levelsmith.load(tmp_path / "whole", game="sokoban")
    solutions = [line for name in sorted(whole) if name.endswith("lurd") for line in whole[name].split()]
    made = levelsmith.generate(**MANY, count=1350)
    assert levels == list(made.levels)
    assert [solution.decode() for solution in solutions] == [level.solution for level in made.levels]

    events = write_bulk(runs, str(tmp_path / "held"))
    next(events)
    with pytest.raises(LevelsmithError, match="is being written by another process"):
        list(write_bulk(runs, str(tmp_path / "held")))
    events.close()
    with pytest.raises(LevelsmithError, match="made otherwise: seed 1, now 2"):
        list(
            write_bulk(runs_of(Request(game, **{**choices, "count": 5, "seed": 2})), str(tmp_path / "whole"))
        )
    with pytest.raises(LevelsmithError, match="holds something else already"):
        list(write_bulk(runs, str(tmp_path)))


def test_a_folder_that_is_saved_is_what_the_command_writes(tmp_path, monkeypatch):
    monkeypatch.setattr(bulk, "A_FILE", 300)
    game, choices = MANY["game"], {name: MANY[name] for name in ("preset", "set", "seed")}
    list(write_bulk(runs_of(Request(game, count=700, skip=5, **choices)), str(tmp_path / "written")))
    made = levelsmith.generate(**MANY, count=700, skip=5)
    levelsmith.save(made, f"{tmp_path}/saved/")
    written, saved = files_of(tmp_path / "written"), files_of(tmp_path / "saved")
    told, mine = json.loads(written.pop("ORIGIN")), json.loads(saved.pop("ORIGIN"))
    assert saved == written
    assert told.pop("evaluations") > 0  # the budget, which levels do not tell
    assert mine == told
    again = levelsmith.load(tmp_path / "saved")
    assert [(level.text, level.solution) for level in again] == texts(made)
    with pytest.raises(LevelsmithError, match="holds something already; expected a new folder"):
        levelsmith.save(made, f"{tmp_path}/saved/")
    levelsmith.save(made.levels[:2], f"{tmp_path}/single/", format="text")
    assert sorted(files_of(tmp_path / "single")) == ["sokoban-01.txt", "sokoban-02.txt"]


def test_solutions_beside_a_file_that_do_not_fit_are_passed_over(tmp_path):
    levelsmith.save(levelsmith.generate(**MANY, count=3), f"{tmp_path}/saved/")
    (tmp_path / "saved" / "000.lurd").write_text("R\n")
    assert [level.solution for level in levelsmith.load(tmp_path / "saved")] == [None] * 3
    (tmp_path / "saved" / "ORIGIN").write_text("[" * 100_000)
    with pytest.raises(LevelsmithError, match="which game is this"):
        levelsmith.load(tmp_path / "saved")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a fork")
def test_a_pack_whose_writer_is_killed_at_any_call_is_gone_on_with_to_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(bulk, "A_FILE", 10)
    runs = runs_of(
        Request(MANY["game"], count=25, **{name: MANY[name] for name in ("preset", "set", "seed")})
    )

    def write(folder):
        return list(write_bulk(runs, str(folder)))

    write(tmp_path / "whole")
    whole = files_of(tmp_path / "whole")
    kills = 0
    while is_killed(kills, write, tmp_path / str(kills)):
        folder = tmp_path / str(kills)
        assert is_killed(2, write, folder)  # and once more, early
        assert write(folder)[-1] == 25
        assert files_of(folder) == whole
        kills += 1
    assert kills >= 13


def test_runs_that_made_nothing_are_done_again_by_further_runs_of_their_step():
    ramp = {"want": {"trees": "0..9"}, "ramp": "trees", "evaluations": 100, "seed": 1}
    runs = runs_of(Request("orchard", size=(4, 4), count=3, skip=10, **ramp))
    again = runs.again([10, 12], 1)
    assert [(step.first, step.length) for step in again.steps] == [(14, 1)]  # 11, and three further on
    assert again.task.wants == runs.steps[1].task.wants != runs.steps[0].task.wants
    assert [step.first for step in runs.again([10, 12 + 2 * 3], 3).steps] == [11 + 3 * 3]
    plain = runs_of(Request("orchard", size=(4, 4), count=4, evaluations=100, seed=1))
    assert [step.first for step in plain.again([0, 5], 2).steps] == [10, 11]
    assert plain.again(range(4), 1).count == 0
