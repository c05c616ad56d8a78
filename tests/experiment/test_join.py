"""Files of one experiment judged as one: rows and parts that were run apart give what one file gives."""

from __future__ import annotations

import sqlite3

import pytest

from experiment import stores
from experiment.test_command import typed  # noqa: F401
from experiment.test_sokoban_papers import RULES
from levelsmith import experiment
from levelsmith.errors import LevelsmithError
from levelsmith.experiment.join import join
from levelsmith.experiment.report import judge, opened, write_rows
from levelsmith.experiment.results import Results

CELLS = [({"row": rule, "size": "5x5"}, "5x5", {}) for rule in RULES]
CLOSED = [({**varied, "row": f"closed, {varied['row']}"}, size, {}) for varied, size, _ in CELLS]
MAIN, LATER = {"selection": CELLS}, {"readings": CLOSED}


def kartal(path, *parts):
    """A file with the runs of all parts, or of those alone that are named."""
    path.parent.mkdir(exist_ok=True)
    stores.sokoban(path, MAIN | LATER, "kartal", 8)
    with sqlite3.connect(path) as base:
        for part in {"selection", "readings"} - set(parts or ("selection", "readings")):
            mine = "SELECT id FROM runs WHERE cell IN (SELECT id FROM cells WHERE part = ?)"
            base.execute(f"DELETE FROM levels WHERE run IN ({mine})", [part])
            base.execute(f"DELETE FROM runs WHERE id IN ({mine})", [part])
            base.execute("DELETE FROM cells WHERE part = ?", [part])
    return path


@pytest.fixture
def apart(tmp_path):
    """The rows of the main part, and a file of another part that was run later."""
    write_rows(kartal(tmp_path / "main.db", "selection"), tmp_path / "rows")
    return [tmp_path / "rows" / "main-runs.csv.xz", kartal(tmp_path / "later.db", "readings")]


def told(found):
    return [str(each) for each in found]


def test_parts_that_were_run_apart_are_judged_as_if_one_file_had_them(apart, tmp_path):
    whole = kartal(tmp_path / "whole.db")
    joined = opened(apart)
    assert joined.path.name == "main.db"
    assert told(judge(joined)) == told(judge(whole))
    assert joined.digest() == Results(whole).digest()
    assert joined.columns()["score"].tolist() == Results(whole).columns()["score"].tolist()
    assert sum(joined.numbers >= 0) == 2 * 3 * 8


def test_joined_rows_are_those_of_one_file(apart, tmp_path):
    write_rows(kartal(tmp_path / "whole" / "main.db"), tmp_path / "whole")
    write_rows(apart, tmp_path / "rows")
    for name in ("main-runs.csv.xz", "main-levels.csv.xz", "main-times.csv.xz"):
        assert (tmp_path / "rows" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_run_that_is_in_two_files_counts_once(apart, tmp_path):
    again = kartal(tmp_path / "again.db", "selection")
    assert len(opened([*apart, again]).numbers) == 2 * 3 * 8


def test_one_file_is_itself(apart):
    assert join(apart[:1]).path == apart[0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            "UPDATE meta SET value = 'fdg20' WHERE name = 'experiment'",
            "has the experiment fdg20, and the first",
        ),
        ("UPDATE meta SET value = '1' WHERE name = 'quick'", "has the quick 1, and the first 0"),
        ("UPDATE runs SET score = score + 1", "has another result of selection/ucb 5x5 run 0 than the files"),
        (
            "UPDATE cells SET setting = json_set(setting, '$.evaluations', 7)",
            "has other settings of selection/ucb 5x5 than the files before it",
        ),
        (
            "UPDATE meta SET value = json_set(value, '$.seed', 7) WHERE name = 'spec'",
            "has another seed in its plan than the first",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(apart, tmp_path, change, message):
    other = kartal(tmp_path / "other.db", "selection")
    with sqlite3.connect(other) as base:
        base.execute(change)
    with pytest.raises(LevelsmithError, match=message) as caught:
        judge([apart[0], other])
    assert "\n" not in str(caught.value)


def test_the_command_takes_several_files(apart, tmp_path, typed):  # noqa: F811
    status, plain, said = typed("judge", *apart, "--rows", tmp_path / "both")
    assert (status, said.count("main-")) == (0, 4)
    assert typed("judge", tmp_path / "both" / "main-about.json") == (0, plain, "")
    assert typed("judge", apart[0], tmp_path / "none.db")[0] == 2


def test_a_part_that_is_run_alone_is_of_the_same_plan(spec, tmp_path):
    mine, part = spec(), "patience"
    experiment.run(mine, tmp_path / "whole.db", quick=True, workers=1)
    experiment.run(mine, tmp_path / "one.db", quick=True, workers=1, only=[part])
    assert len(opened([tmp_path / "whole.db", tmp_path / "one.db"]).numbers) == len(
        Results(tmp_path / "whole.db").numbers
    )
