"""What a file says of a solution is believed only of the board and the solution that it was written for."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from dataclasses import replace

import numpy as np
import pytest

import levelsmith
from levelsmith.core import UNSURE
from levelsmith.registry import games

ORIGIN = {"levelsmith": "0.1.0", "search": "warehouse", "proved": True, "run": 0}
LEVEL = replace(
    levelsmith.parse("#######\n#@$  .#\n#     #\n#######", game="sokoban"), solution="RRR", provenance=ORIGIN
)
FORMATS = ("json", "jsonl", "npz", "tmj", "tmx", "ldtk", "tscn")


def is_believed(level):
    return games.get("sokoban").is_shortest(level)


@pytest.mark.parametrize("extension", FORMATS)
def test_a_file_that_nobody_touched_is_believed_and_comes_back_as_it_was(tmp_path, extension):
    path = tmp_path / f"level.{extension}"
    levelsmith.save([LEVEL], path)
    (again,) = levelsmith.load(path)
    assert (again.solution, dict(again.provenance)) == ("RRR", ORIGIN)
    assert is_believed(again)


@pytest.mark.parametrize("extension", ["json", "jsonl"])
@pytest.mark.parametrize(
    ("before", "after"),
    [("@$  .#", "@ $ .#"), ('"solution": "RRR"', '"solution": "drurRR"'), ('"digest"', '"other"')],
)
def test_an_edited_file_is_not_believed(tmp_path, extension, before, after):
    path = tmp_path / f"level.{extension}"
    levelsmith.save([LEVEL], path)
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))
    (again,) = levelsmith.load(path)
    assert not is_believed(again)
    assert again.provenance["search"] == "warehouse"
    levelsmith.save([again], path)
    assert not is_believed(levelsmith.load(path)[0]), "nor is it once it has been written again"


def test_an_edited_level_is_measured_by_its_own_shortest_solution(tmp_path):
    path = tmp_path / "level.json"
    levelsmith.save([LEVEL], path)
    path.write_text(path.read_text().replace("#@$  .#", "#  @$.#").replace('"RRR"', '"R"'))
    (again,) = levelsmith.load(path)
    assert levelsmith.measure(again)["pushes"] == 1
    path.write_text(path.read_text().replace('"R"', '"dlurR"'))
    (again,) = levelsmith.load(path)
    assert levelsmith.measure(again)["moves"] == 1


def test_an_edited_archive_of_arrays_is_not_believed(tmp_path):
    path = tmp_path / "levels.npz"
    levelsmith.save([LEVEL, LEVEL], path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    grids = np.load(io.BytesIO(members["grids.npy"]))
    grids[1, 2, 4] = 1
    changed = io.BytesIO()
    np.save(changed, grids)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in (members | {"grids.npy": changed.getvalue()}).items():
            archive.writestr(name, data)
    assert [is_believed(level) for level in levelsmith.load(path)] == [True, False]


def test_a_map_of_an_editor_whose_solution_was_edited_is_not_believed(tmp_path):
    path = tmp_path / "level.tmj"
    levelsmith.save([LEVEL], path)
    path.write_text(path.read_text().replace('"RRR"', '"drurRR"'))
    (again,) = levelsmith.load(path)
    assert not is_believed(again)


def test_what_was_not_made_here_keeps_its_origin_as_it_is(tmp_path):
    path = tmp_path / "level.json"
    levelsmith.save([replace(LEVEL, provenance={"by": "hand"})], path)
    path.write_text(path.read_text().replace('"digest"', '"other"'))
    assert levelsmith.load(path)[0].provenance == {"by": "hand"}


def test_a_puzzlescript_level_that_was_edited_is_not_proved(tmp_path):
    (level,) = levelsmith.load("puzzlescript:ice")[:1]
    game = games.get("puzzlescript:ice")
    made = replace(level, solution="r", provenance={"search": "remix"})
    assert game.is_shortest(made)
    assert not game.is_shortest(replace(made, provenance={"search": "remix", UNSURE: True}))


def test_a_solution_that_solve_writes_is_judged_anew(tmp_path):
    from click.testing import CliRunner

    from levelsmith.cli import cli

    levelsmith.save([replace(LEVEL, solution="drurRR")], tmp_path / "level.json")
    words = ["solve", str(tmp_path / "level.json"), "--any", "-o", str(tmp_path / "solved.json")]
    assert CliRunner().invoke(cli, words).exit_code == 0
    (again,) = levelsmith.load(tmp_path / "solved.json")
    assert again.solution == "RRR"
    assert not is_believed(again)


def test_a_board_that_a_program_changed_is_not_believed():
    assert is_believed(replace(LEVEL, title="Twice"))
    assert is_believed(pickle.loads(pickle.dumps(LEVEL)))
    other = replace(LEVEL, grid=LEVEL.grid[::-1])
    assert not is_believed(other)
    assert not is_believed(pickle.loads(pickle.dumps(other)))
    assert is_believed(replace(other, solution="RRR", provenance=ORIGIN))
    assert levelsmith.measure(other)["moves"] == 3


def test_the_object_that_generate_prints_is_believed():
    from levelsmith.cli.output import result_object
    from levelsmith.core import Result

    printed = result_object(Result(LEVEL, (LEVEL,), 1.0, True, "solved", 1, 0.1))
    from levelsmith.levels.formats.format import Source
    from levelsmith.levels.formats.json import from_object

    assert is_believed(from_object(json.loads(json.dumps(printed)), Source("printed")))
