"""The tool that solves all of Boxoban: file by file, gone on with, and levels that repeat others counted."""

import json
from pathlib import Path

import pytest

from levelsmith import LevelsmithError

ROOT = Path(__file__).resolve().parents[2]
PACK = "; 0\n#######\n#@ $ .#\n#######\n\n; 1\n#####\n#@$ #\n#  .#\n#####\n"
MIRRORED = "; 0\n#######\n#. $ @#\n#######\n"


def test_boxoban_is_solved_file_by_file_and_gone_on_with(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import boxoban_table as tool

    files = tmp_path / "levels" / "hard"
    files.mkdir(parents=True)
    (files / "000.txt").write_text(PACK)
    (files / "001.txt").write_text(MIRRORED)
    out = tmp_path / "solved"
    given = [tmp_path / "levels"], out, 1, 1000
    first = tool.solved_files(*given)
    next(first)
    first.close()  # stopped behind the first file
    assert [path.name for path in out.iterdir()] == ["hard-000.jsonl"]
    begun = (out / "hard-000.jsonl").read_bytes()
    made = dict(tool.solved_files(*given))
    assert [levels for levels, *_ in made.values()] == [0, 1]
    assert (out / "hard-000.jsonl").read_bytes() == begun
    rows = [json.loads(line) for line in begun.splitlines()]
    assert [(row["id"], row["status"], row["optimal"]) for row in rows] == [
        ("hard-000-0", "solved", True),
        ("hard-000-1", "unsolvable", False),
    ]
    assert rows[0]["metrics"]["pushes"] == 2
    lines = list(tool.table(out, made))
    assert lines[2].startswith("| hard-000 | 2 | 1 | 1 | 2 | 2 | 3 |")
    assert lines[3].endswith("| 1 |")  # it repeats the first, mirrored
    assert lines[4].startswith("1 levels in ")


def test_levels_that_are_in_two_folders_are_counted_without_solving(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import boxoban_table as tool

    for name, text in {"train": PACK, "test": MIRRORED + "\n" + MIRRORED}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "000.txt").write_text(text)
    (tmp_path / "LICENSE.txt").write_text("no level\n")
    assert list(tool.repeats([tmp_path]))[2:] == ["| test | 2 | 1 |  | 1 |", "| train | 2 | 2 | 1 |  |"]


def test_two_files_of_one_name_are_refused_as_one_would_count_as_done(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import boxoban_table as tool

    for name in ("train", "test"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "000.txt").write_text(PACK)
    with pytest.raises(LevelsmithError, match="give the folder that both lie in"):
        list(tool.files_of([tmp_path / "train", tmp_path / "test"]))
    assert [parts for _, parts in tool.files_of([tmp_path])] == [("test", "000"), ("train", "000")]
