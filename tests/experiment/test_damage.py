"""Files that are not as they were written: told in one line, whatever reads them."""

import re
import sqlite3

import pytest

from experiment import damage as damages
from experiment.conftest import SPEC
from levelsmith import experiment
from levelsmith.errors import LevelsmithError
from levelsmith.experiment import report
from levelsmith.experiment.comparison import compare
from levelsmith.experiment.damage import COLUMNS, KINDS, TABLES, check_whole
from levelsmith.experiment.results import Results
from levelsmith.experiment.status import status

BEYOND = "expected run {} of searches/random to be one of those asked for, and once"
ADVICE = "; bring back a copy of it, or do its runs again in another file"
NO_SPEC = "expected an object of JSON as its spec, got something else"
NO_PAGES = "expected text as the pages of its spec"
REPORTED = {  # what is noticed by who reads most
    "UPDATE runs SET number = 7 WHERE number = 1": BEYOND.format(7),
    "UPDATE runs SET number = -1 WHERE number = 1": "number of its table runs has the value '-1'",
    "UPDATE runs SET number = 0": BEYOND.format(0),
    "UPDATE runs SET evaluations = 1.5": "evaluations of its table runs has the value '1.5'",
    "UPDATE runs SET score = 'much'": "score of its table runs has the value 'much'",
    "UPDATE runs SET seconds = 1e300": "seconds of its table runs has the value '1e+300'",
    "UPDATE runs SET history = '[[1]]'": "history of its table runs has the value '[[1]]'",
    "UPDATE runs SET cell = 9": "its table runs refers to a row that its table cells does not have",
    "UPDATE cells SET runs = 1000000000000": "runs of its table cells has the value '1000000000000'",
    "UPDATE cells SET part = x'ff'": "part of its table cells has the value 'b'\\xff''",
    "UPDATE cells SET setting = '[]'": "setting of its table cells has the value '[]'",
    "UPDATE levels SET metrics = '[1]'": "metrics of its table levels has the value '[1]'",
    "UPDATE meta SET value = '[' WHERE name = 'spec'": NO_SPEC,
    'UPDATE meta SET value = \'{"title":"","pages":[1]}\' WHERE name = \'spec\'': NO_PAGES,
}
COUNTED = {  # what is noticed by who only counts
    "UPDATE meta SET value = '{}' WHERE name = 'spec'": "expected text as the title of its spec",
    "DELETE FROM cells WHERE id = 0": "its table runs refers to a row that its table cells does not have",
    "UPDATE runs SET solved = 'yes'": "solved of its table runs has the value 'yes'",
    "UPDATE runs SET ended = 'late'": "ended of its table runs has the value 'late'",
    "UPDATE cells SET runs = 'all'": "runs of its table cells has the value 'all'",
}
WRITTEN = {  # what is noticed by who goes on with a file
    "UPDATE cells SET runs = 1000000000000": "cell 0 of its table cells is not as it was made",
    "UPDATE cells SET name = 'x' WHERE id = 3": "cell 3 of its table cells is not as it was made",
    "UPDATE runs SET number = 7 WHERE number = 1": "UNIQUE constraint failed: runs.id",
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a small experiment, and what it was made from."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "small.toml").write_text(SPEC)
    experiment.run(folder / "small.toml", folder / "x.db", **damages.QUICK)
    return (folder / "x.db").read_bytes(), folder / "small.toml"


@pytest.fixture
def path(whole, tmp_path):
    (tmp_path / "x.db").write_bytes(whole[0])
    (tmp_path / "whole.db").write_bytes(whole[0])
    return tmp_path / "x.db"


def change(path, statement):
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


def told(path, what):
    return pytest.raises(LevelsmithError, match=f"^{re.escape(f'{path} is damaged: {what}{ADVICE}')}$")


@pytest.mark.parametrize("statement", REPORTED)
def test_a_report_and_a_merge_tell_what_is_damaged(statement, path):
    change(path, statement)
    with told(path, REPORTED[statement]):
        report.build(Results(path))
    with told(path, REPORTED[statement]):
        experiment.merge(path.with_name("new.db"), [path])


@pytest.mark.parametrize("statement", COUNTED)
def test_the_status_tells_what_is_damaged(statement, path):
    change(path, statement)
    with told(path, COUNTED[statement]):
        status(path)


@pytest.mark.parametrize("statement", WRITTEN)
def test_a_damaged_file_is_not_gone_on_with(statement, path, whole):
    change(path, statement)
    with told(path, WRITTEN[statement]):
        experiment.run(whole[1], path, **damages.QUICK)


def test_the_file_that_is_damaged_is_named_of_two(path):
    change(path, "UPDATE runs SET score = 'much'")
    for pair in ((path, path.with_name("whole.db")), (path.with_name("whole.db"), path)):
        with told(path, "score of its table runs has the value 'much'"):
            compare(*pair)


def test_an_index_that_is_not_that_of_its_table_is_told(path):
    with sqlite3.connect(path) as connection:
        roots = dict(connection.execute("SELECT name, rootpage FROM sqlite_master"))
    connection.close()
    data, size = bytearray(path.read_bytes()), 4096
    one, other = (size * (roots[f"sqlite_autoindex_{name}_1"] - 1) for name in ("cells", "meta"))
    data[one : one + size] = data[other : other + size]
    path.write_bytes(data)
    with pytest.raises(LevelsmithError, match=r"is damaged: .*sqlite_autoindex_cells_1"):
        check_whole(path)


def test_a_mistake_of_ours_is_not_blamed_on_the_file(path, monkeypatch):
    monkeypatch.setattr(report.general, "what_was_run", lambda results: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        report.build(Results(path))


def test_every_column_is_looked_at(path):
    """Each by its kind, and those of which more is known by their names."""
    check_whole(path)
    with experiment.open(path) as file:
        columns = {
            (table, row[1], row[2])
            for table in TABLES
            for row in file.connection.execute(f"PRAGMA table_info({table})")
        }
    assert set(COLUMNS) <= {name for _, name, _ in columns}
    assert set(KINDS) == {kind for _, _, kind in columns}
    assert set(TABLES) == {"meta", "machines", "cells", "runs", "levels"}


@pytest.mark.slow
def test_random_damage_is_read_or_refused_in_one_line():
    """A little of what `damage.py` does at length."""
    skip = ("report", "compare to", "merge into")
    for damage, call, end in damages.fuzz(30, 0, ["small"], skip):
        assert end in ("read", "refused"), f"{damage}, {call}: {end}"


@pytest.mark.parametrize("name", ["format", "levelsmith", "experiment"])
def test_what_a_file_says_about_itself_is_short(name, path, whole):
    change(path, f"UPDATE meta SET value = replace(hex(zeroblob(3000)), '0', '[') WHERE name = '{name}'")
    for read in (status, Results, lambda file: experiment.run(whole[1], file, **damages.QUICK)):
        with pytest.raises(LevelsmithError, match=r"is no file of an experiment; expected one made by"):
            read(path)
