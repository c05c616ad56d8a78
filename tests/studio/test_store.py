"""The studio's file: for its owner alone, no larger than it may be, smaller when levels are deleted."""

import asyncio
import os
import sqlite3
import stat
import time

import pytest

from levelsmith.errors import LevelsmithError
from levelsmith.studio import app
from levelsmith.studio.app import Studio
from levelsmith.studio.limits import MEGABYTE, Refusal, StudioLimits
from levelsmith.studio.store import RESTORE_SECONDS, SCHEMA, StudioStore, filters
from studio.running import Running

LEVEL = {"game": "binary", "size": "9x9", "metrics": {}, "provenance": {}}


def levels(count, size=10_000):
    return [{**LEVEL, "text": f"{i:06}" + "." * size} for i in range(count)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "studio.db"


def age(store, seconds):
    """Makes all deletions older."""
    for table in ("levels", "jobs"):
        store.connection.execute(f"UPDATE {table} SET deleted = deleted - ? WHERE deleted", (seconds,))


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rules")
def test_a_new_file_is_for_its_owner_alone(path):
    before = os.umask(0o000)
    try:
        with StudioStore(path) as store:
            store.add_levels(levels(1))
            found = [file for file in path.parent.iterdir() if not file.name.endswith("-writer")]
            assert {file.name for file in found} >= {"studio.db", "studio.db-wal"}
            assert {stat.S_IMODE(file.stat().st_mode) for file in found} == {0o600}
    finally:
        os.umask(before)


def test_what_is_no_name_of_a_file_makes_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LevelsmithError, match="expected the name of a file"):
        StudioStore(":memory:")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.slow
def test_the_file_shrinks_when_what_was_deleted_is_old(path):
    with StudioStore(path) as store:
        numbers = [level["id"] for level in store.add_levels(levels(1000))]
    full = path.stat().st_size
    assert full > 10 * MEGABYTE
    with StudioStore(path) as store:
        for number in numbers[1:]:
            store.delete_level(number)
        job = store.add_job({}, {})["id"]
        store.update_job(job, state="done")
        store.delete_job(job)
        store.purge(time.time() - RESTORE_SECONDS)  # too early
        assert store.restore_level(numbers[1])["deleted"] is False
        age(store, RESTORE_SECONDS + 1)
        while store.purge(time.time() - RESTORE_SECONDS):
            pass
        assert path.stat().st_size < full / 50  # at once, not at the end
        assert [level["id"] for level in store.levels("", (), "id", 0, 10)[0]] == numbers[:2]
        assert store.connection.execute("SELECT count(*) FROM jobs").fetchone() == (0,)
        with pytest.raises(Refusal, match="there is no level"):
            store.restore_level(numbers[2])


def test_old_deletions_go_at_the_start_and_at_the_end(path):
    for _ in range(2):
        with StudioStore(path) as store:
            for level in store.add_levels(levels(2)):
                store.delete_level(level["id"])
            age(store, RESTORE_SECONDS + 1)
        with sqlite3.connect(path) as connection:
            assert connection.execute("SELECT count(*) FROM levels").fetchone() == (0,)
            connection.execute("UPDATE sqlite_sequence SET seq = 0")
        connection.close()
    with StudioStore(path) as store:
        kept = store.add_levels(levels(2))
        store.delete_level(kept[0]["id"])
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE levels SET deleted = 1 WHERE deleted")  # as earlier versions wrote it
    connection.close()
    with StudioStore(path) as store:
        assert store.connection.execute("SELECT id FROM levels").fetchall() == [(kept[1]["id"],)]


def test_a_file_of_an_earlier_version_is_made_smaller_at_the_start(path):
    StudioStore(path).close()
    with sqlite3.connect(path) as connection:
        meta = connection.execute("SELECT * FROM meta").fetchall()
    connection.close()
    path.unlink()
    with sqlite3.connect(path) as connection:
        for statement in SCHEMA:
            connection.execute(statement)
        connection.executemany("INSERT INTO meta VALUES (?, ?)", meta)
        row = ("x" * MEGABYTE,)
        for _ in range(5):
            connection.execute(
                "INSERT INTO levels (game, size, text, title, author, metrics, provenance, created, deleted) "
                "VALUES ('binary', '1x1', ?, '', '', '{}', '{}', '', 1)",
                row,
            )
    connection.close()
    assert path.stat().st_size > 5 * MEGABYTE
    with StudioStore(path) as store:
        assert store.connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)
    assert path.stat().st_size < MEGABYTE


def test_levels_of_a_job_that_goes_on_stay_or_it_would_make_them_again(path):
    with StudioStore(path) as store:
        job = store.add_job({}, {})["id"]
        (level,) = store.add_levels(levels(1), job)
        store.delete_level(level["id"])
        store.purge(time.time())
        assert store.add_levels(levels(1), job) == []
        store.update_job(job, state="done")
        store.purge(time.time())
        assert len(store.add_levels(levels(1), job)) == 1


def test_a_full_file_takes_no_more_until_something_is_deleted(path):
    with StudioStore(path, most=MEGABYTE) as store:
        kept = store.add_levels(levels(80))
        before = store.size()
        with pytest.raises(
            Refusal, match=r"is full: expected at most 1 megabytes.*delete levels in the gallery"
        ):
            store.add_levels(levels(80))
        assert store.size() == before  # all or nothing
        for level in kept[:70]:
            store.delete_level(level["id"])  # a moment ago, and yet it makes room
        assert len(store.add_levels(levels(80))) == 80
        store.most = 0
        with pytest.raises(Refusal) as refused:
            store.add_job({}, {})
        assert refused.value.status == 507


@pytest.mark.slow
def test_an_upload_that_does_not_fit_is_refused_whole(path):
    rows = "\n".join(["." * 60] * 60)
    data = "".join(f"; {i}\n{rows.replace('.', '#', i)}\n\n" for i in range(300)).encode()
    running = Running(path, "--store-megabytes", 1)
    status, _, told = running.request("POST", "/api/upload?name=a.txt&game=binary", data)
    assert status == 507
    assert b"delete levels in the gallery" in told
    assert running.get("levels")["total"] == 0
    assert running.stop() == ""


def test_the_studio_purges_now_and_then(path, monkeypatch):
    monkeypatch.setattr(app, "PURGE_SECONDS", 0.02)
    monkeypatch.setattr(app, "RESTORE_SECONDS", -1.0)
    monkeypatch.setattr(Studio, "constant", lambda self, name, **values: asyncio.sleep(0))

    async def run():
        studio = Studio(str(path), StudioLimits())
        await studio.open()
        (level,) = await studio.in_store(StudioStore.add_levels, levels(1))
        await studio.in_store(StudioStore.delete_level, level["id"])
        for _ in range(100):
            await asyncio.sleep(0.02)
            left = await studio.in_store(StudioStore._rows, "SELECT id FROM levels")
            if not left:
                break
        await studio.close()
        return left

    assert asyncio.run(run()) == []


def test_levels_are_sorted_by_their_number_of_cells(tmp_path):
    store = StudioStore(tmp_path / "studio.db")
    sizes = ["9x9", "10x4", "3x30", "2x2"]
    rows = [
        {"game": "orchard", "size": size, "text": size, "metrics": {}, "provenance": {}} for size in sizes
    ]
    store.add_levels(rows)
    where, values = filters({})
    found = {
        name: [row["size"] for row in store.levels(where, values, name, 0, 9)[0]]
        for name in ("cells", "-cells")
    }
    assert found == {"cells": ["2x2", "10x4", "9x9", "3x30"], "-cells": ["3x30", "9x9", "10x4", "2x2"]}
    store.close()
