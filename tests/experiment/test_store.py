"""The file of an experiment: one writer, no mixing, and one line for whatever is wrong with it."""

from __future__ import annotations

import json
import os
import sqlite3

import pytest

import levelsmith
from levelsmith import experiment
from levelsmith.errors import LevelsmithError
from levelsmith.experiment import store
from levelsmith.experiment.status import status

QUICK = {"quick": True, "workers": 1}


@pytest.fixture
def made(spec, tmp_path):
    path = tmp_path / "x.db"
    experiment.run(spec(), path, **QUICK)
    return path


def refused(*arguments, **choices):
    with pytest.raises(LevelsmithError) as caught:
        experiment.run(*arguments, **{"workers": 1, "quick": True, **choices})
    assert "\n" not in str(caught.value)
    return str(caught.value)


def changed(path, name, value):
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE name = ?", (value, name))
    connection.close()


def test_a_second_writer_is_refused_at_once_and_readers_are_not(spec, tmp_path):
    path = tmp_path / "x.db"
    standings = experiment.follow(spec(), path, **QUICK)
    next(standings)
    assert refused(spec(), path) == (
        f"{path} is being written by another process; wait for it to end, or take another name "
        f"(levelsmith experiment status {path})"
    )
    assert status(path)["asked"] == 8
    *_, last = standings
    assert last.done == 8
    assert sorted(os.listdir(tmp_path)) == ["small.toml", "x.db"]


def test_a_reader_sees_the_file_as_it_was_when_it_was_opened(spec, tmp_path):
    path = tmp_path / "x.db"
    standings = experiment.follow(spec(), path, **QUICK)
    done = next(standing.done for standing in standings if standing.done)
    with store.open(path) as reader:
        *_, last = standings
        assert reader.connection.execute("SELECT count(*) FROM runs").fetchone() == (done,)
    assert status(path)["done"] == last.done > done


def test_other_settings_are_refused(made, spec):
    other = "take another file with -o"
    assert refused(spec(), made, quick=False) == (
        f"{made} was begun with --quick: type it with --quick again, or {other}"
    )
    assert refused(spec(), made, evaluations=50) == (
        f"{made} was begun with other settings, evaluations 100 and not 50: {other}, or type the old ones"
    )
    assert refused(spec(), made, seed=3) == (
        f"{made} was begun with other settings, seed 0 and not 3: {other}, or type the old ones"
    )
    assert refused("fdg20", made) == (f"{made} holds the experiment small, but fdg20 was asked for: {other}")


def test_another_version_is_refused(made, spec):
    changed(made, "levelsmith", "0.0.1")
    assert refused(spec(), made) == (
        f"{made} was made by levelsmith 0.0.1, and this is {levelsmith.__version__}: "
        "take another file with -o, or that version"
    )
    assert experiment.open(made).meta["levelsmith"] == "0.0.1"
    changed(made, "format", "99")
    with pytest.raises(LevelsmithError, match=r"has the format 99 .*, which reads the format 1"):
        experiment.open(made)


@pytest.mark.parametrize(
    "content", [b"this is text, and a good deal of it" * 40, b"SQLite format 3\0" + b"x" * 100]
)
def test_a_file_that_is_none_is_refused_and_stays_as_it_is(spec, tmp_path, content):
    path = tmp_path / "x.db"
    path.write_bytes(content)
    assert refused(spec(), path).startswith(f"{path} is no file of an experiment")
    with pytest.raises(LevelsmithError, match="is no file of an experiment"):
        status(path)
    assert path.read_bytes() == content


def test_a_database_of_something_else_is_refused(spec, tmp_path):
    path = tmp_path / "x.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE songs (name)")
    connection.close()
    assert refused(spec(), path).startswith(f"{path} is no file of an experiment; expected one made by")


def test_a_file_that_is_not_there_is_named(tmp_path, spec):
    with pytest.raises(LevelsmithError, match=r"no file is called '.*none.db'; expected one made by"):
        experiment.open(tmp_path / "none.db")
    assert refused(spec(), tmp_path / "no" / "x.db").startswith(f"cannot write {tmp_path}/no/x.db: No such")


def test_a_full_disk_loses_nothing_that_was_kept(spec, tmp_path, results, monkeypatch):
    path = tmp_path / "x.db"
    add = store.Store.add

    def full(self, *arguments):
        add(self, *arguments)
        pages = self.connection.execute("PRAGMA page_count").fetchone()[0]
        self.connection.execute(f"PRAGMA max_page_count = {pages}")

    monkeypatch.setattr(store.Store, "add", full)
    assert refused(spec(), path, runs=40, quick=False, evaluations=20) == (
        f"the disk with {path} is full; what was done is kept: make room and type the same again"
    )
    kept = results(path)
    assert 0 < len(kept) < 160
    monkeypatch.setattr(store.Store, "add", add)
    assert experiment.run(spec(), path, runs=40, workers=1, evaluations=20).done == 160
    assert all(row in results(path) for row in kept)


def test_a_file_that_another_program_holds_is_told(made, spec, monkeypatch):
    monkeypatch.setattr(store, "BUSY_SECONDS", 0.1)
    other = sqlite3.connect(made, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert refused(spec(), made, runs=9) == (
        f"{made} is held by another program; close it there and type the same command again"
    )
    other.close()
    assert experiment.run(spec(), made, runs=9, **QUICK).done == 36


def test_files_of_different_experiments_are_not_merged(made, spec, tmp_path):
    experiment.run(spec(), tmp_path / "y.db", seed=7, **QUICK)
    with pytest.raises(LevelsmithError, match=r"y.db was begun with other settings, seed 7 and not 0"):
        experiment.merge(tmp_path / "z.db", [made, tmp_path / "y.db"])
    with pytest.raises(LevelsmithError, match="cannot be joined to itself"):
        experiment.merge(made, [made])
    assert not (tmp_path / "z.db").exists()


def test_results_that_contradict_each_other_are_not_merged(made, spec, tmp_path):
    experiment.run(spec(), tmp_path / "y.db", **QUICK)
    with sqlite3.connect(tmp_path / "y.db") as connection:
        connection.execute("UPDATE runs SET score = 2 WHERE number = 1")
    connection.close()
    with pytest.raises(LevelsmithError, match=r"y.db has another result of \S+ run 1 than the others"):
        experiment.merge(tmp_path / "z.db", [made, tmp_path / "y.db"])


def test_what_is_in_the_file_can_be_read_by_sql(made):
    with experiment.open(made) as file:
        execute = file.connection.execute
        cells = execute("SELECT name, varied, objective, runs FROM cells WHERE part = 'patience'").fetchall()
        gains = execute("SELECT count(*), min(evaluations), max(score) FROM improvements").fetchone()
        names = {name for (name,) in execute("SELECT DISTINCT name FROM statistic")}
        (machine,) = execute("SELECT description FROM machines").fetchone()
        (metrics,) = execute("SELECT metrics FROM levels LIMIT 1").fetchone()
        spec = file.spec
    assert cells[0] == ("hc.patience=100", '{"hc.patience":100}', '["spaced"]', 2)
    assert gains[0] > 8
    assert gains[1] == 1
    assert 0.5 < gains[2] <= 1
    assert "restarts" in names
    assert set(json.loads(machine)) == {"cpu", "cores", "system", "python", "numpy", "kernels", "levelsmith"}
    assert set(json.loads(metrics)) == {"trees", "crowded"}
    assert spec["title"] == "Small"


def test_the_log_that_a_killed_writer_left_is_read_too(spec, tmp_path):
    path = tmp_path / "x.db"
    standings = experiment.follow(spec(), path, **QUICK)
    for standing in standings:
        if standing.done:
            break
    for name in ("x.db", "x.db-wal"):
        (tmp_path / f"copy-{name}").write_bytes((tmp_path / name).read_bytes())
    standings.close()
    assert status(tmp_path / "copy-x.db")["done"] == standing.done > 0


def test_status_tells_how_far_a_shard_is(spec, tmp_path):
    experiment.run(spec(), tmp_path / "x.db", shard="2/3", runs=4, **QUICK)
    found = status(tmp_path / "x.db")
    assert (found["done"], found["asked"], found["shard"], found["quick"]) == (5, 5, "2/3", True)
    assert [part["part"] for part in found["parts"]] == ["searches", "patience"]


def test_all_names_of_a_file_have_one_writer_and_one_log(spec, tmp_path):
    path, link, other = tmp_path / "x.db", tmp_path / "link.db", tmp_path / "folder" / "other.db"
    (tmp_path / "folder").mkdir()
    link.symlink_to(path)
    other.symlink_to(link)
    standings = experiment.follow(spec(), other, **QUICK)
    for standing in standings:
        if standing.done:
            break
    for name in (path, link):
        assert refused(spec(), name).startswith(f"{name} is being written by another process")
        assert status(name)["done"] == standing.done  # what is in the log alone
    standings.close()
    assert sorted(os.listdir(tmp_path / "folder")) == ["other.db"]
    assert not link.with_name("link.db-wal").exists()


@pytest.mark.parametrize("name", ["", ":memory:", "file:x.db", "file::memory:?cache=shared"])
def test_what_names_no_file_is_refused(name, spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = spec()
    assert refused(path, name) == f"expected the name of a file, such as runs.db, got '{name}'"
    with pytest.raises(LevelsmithError, match="expected the name of a file"):
        experiment.open(name)
    assert os.listdir(tmp_path) == ["small.toml"]


def test_a_pipe_a_device_and_a_folder_are_refused(spec, tmp_path):
    os.mkfifo(tmp_path / "pipe.db")
    (tmp_path / "link.db").symlink_to("/dev/zero")
    (tmp_path / "x.db").mkdir()
    pipe = "a device or a pipe"
    for name, kind in {"pipe.db": pipe, "link.db": pipe, "x.db": "a folder"}.items():
        path = tmp_path / name
        with pytest.raises(LevelsmithError) as caught:
            status(path)
        assert str(caught.value) == refused(spec(), path)
        assert str(caught.value) == f"expected the name of a file, such as runs.db, but '{path}' is {kind}"


def test_a_name_that_is_not_utf_8_is_a_name(spec, tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff%2e#?.db")
    assert experiment.run(spec(), path, **QUICK).done == 8
    assert status(path)["done"] == 8
    assert experiment.merge(tmp_path / "y.db", [path]) == (8, 8)


def test_what_a_file_calls_is_not_trusted(made):
    with sqlite3.connect(made) as connection:
        connection.execute("CREATE VIEW mine AS SELECT json_extract('[1]', '$[0]')")
    connection.close()
    for file in (experiment.open(made), store.Writer(made, {})):
        with file:
            assert file.connection.execute("PRAGMA trusted_schema").fetchone() == (0,)


@pytest.mark.parametrize("statement", ["DROP TABLE machines", "ALTER TABLE runs DROP COLUMN ended"])
def test_a_file_without_a_table_or_column_is_refused(statement, made, spec):
    with sqlite3.connect(made) as connection:
        connection.execute(statement)
    connection.close()
    name = statement.split()[2]
    assert refused(spec(), made) == (
        f"{made} is damaged: its table {name} is missing or not as it was made; "
        "bring back a copy of it, or do its runs again in another file"
    )
    with pytest.raises(LevelsmithError, match=f"its table {name} is missing"):
        status(made)
