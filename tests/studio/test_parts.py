"""Parts of the studio by themselves: feeds, settings, grids of two metrics, the store."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest

from levelsmith.editing.edited import MODES
from levelsmith.errors import LevelsmithError
from levelsmith.studio.feed import KEPT, Feed
from levelsmith.studio.limits import Refusal, StudioLimits
from levelsmith.studio.place import default_store, other_store
from levelsmith.studio.range import binned
from levelsmith.studio.setting import EDITS, checked, command, python
from levelsmith.studio.store import StudioStore, filters


def followed(feed, after, wanted):
    """So many chunks of a feed."""

    async def follow():
        chunks = []
        async for chunk in feed.follow(after, lambda: [("state", "standing")]):
            chunks.append(chunk.decode())
            if len(chunks) == wanted:
                break
        return chunks

    return follow()


def test_a_newcomer_is_told_how_things_stand_and_then_what_happens():
    async def run():
        feed = Feed()
        feed.tell("progress", 1)
        waiting = asyncio.create_task(followed(feed, None, 2))
        await asyncio.sleep(0)
        feed.tell("progress", 2)
        return await waiting

    first, second = asyncio.run(run())
    assert first == 'retry: 2000\n\nid: 1\nevent: state\ndata: "standing"\n\n'
    assert second == "id: 2\nevent: progress\ndata: 2\n\n"


def test_who_comes_back_gets_what_was_missed_or_how_things_stand():
    async def run():
        feed = Feed()
        for i in range(KEPT + 5):
            feed.tell("progress", i)
        feed.close()
        return [await followed(feed, after, 1) for after in (KEPT, 2, 10**6)]

    recent, long_ago, other_server = asyncio.run(run())
    assert recent[0].count("event: progress") == 5
    assert "standing" in long_ago[0]
    assert "standing" in other_server[0]


def test_a_closed_feed_ends():
    async def run():
        feed = Feed()
        feed.tell("state", "done")
        feed.close()
        return await followed(feed, 0, 9)

    assert asyncio.run(run()) == ['id: 1\nevent: state\ndata: "done"\n\n']


def test_a_setting_is_told_again_as_a_command_and_as_python():
    setting = checked(
        {
            "game": "sokoban",
            "size": "7x5",
            "objective": "pushes",
            "want": {"pushes": [8, None], "moves": "9..20", "boxes": 3, "difficulty": "hard"},
            "set": {"rooms.boxes": 3, "play.undo": False},
            "start": PUZZLE,
            "lock": ["border"],
            "seed": 0,
            "count": None,
        },
        StudioLimits(),
    )
    assert command(setting) == (
        "levelsmith generate sokoban --size 7x5 --objective pushes --set rooms.boxes=3 --set play.undo=false "
        "--seed 0 --start level.txt --lock border --pushes 8.. --moves 9..20 --boxes 3..3 --difficulty hard"
    )
    namespace = {}
    told = python(setting).replace("levelsmith.generate(", "dict(game=").replace("print(result.best)", "")
    exec(compile(told, "shown", "exec"), namespace)
    result = namespace["result"]
    assert result["size"] == (5, 7)
    assert result["want"] == {"pushes": (8, None), "moves": "9..20", "boxes": 3, "difficulty": "hard"}
    assert result["start"].text == PUZZLE


PUZZLE = "#####\n#@$.#\n#####"


def test_python_says_nothing_but_the_setting():
    told = python({"game": 'x");evil("', "preset": "\n#'\"", "seed": 1})
    assert told.splitlines()[3] == '    "x\\");evil(\\"",'
    assert told.count("\n") == 8


def test_the_editor_asks_for_what_the_library_does():
    assert tuple(EDITS) == MODES


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_takes_what_it_uses_and_nothing_else(edit):
    asked = {"game": "binary", "edit": edit, "start": "..#\n...", "seconds": 1, "lock": ["border"], "seed": 1}
    assert checked(asked, StudioLimits()) == asked
    for name, value in {"count": 3, "size": "5x5", "search": "hc", "keep_most": 3}.items():
        with pytest.raises(Refusal, match=f"no part of such an edit is called '{name}'"):
            checked({**asked, name: value}, StudioLimits())
    with pytest.raises(Refusal) if edit == "fill" else contextlib.nullcontext():
        checked({**asked, "objective": "path"}, StudioLimits())


def test_a_setting_without_a_seed_gets_one_that_is_kept():
    one, other = (checked({"game": "orchard"}, StudioLimits()) for _ in range(2))
    assert one["seed"] != other["seed"]


@pytest.mark.parametrize("value", ["/etc/passwd", "../x", "x.npz", "a b", "C:\\x", "", "é"])
def test_no_parameter_is_a_path(value):
    with pytest.raises(Refusal):
        checked({"game": "loderunner", "set": {"latent.model": value}}, StudioLimits())


@pytest.mark.parametrize("value", ["trained:ae", "ae,seed=1"])
def test_no_client_has_a_model_trained(value):
    with pytest.raises(Refusal):
        checked({"game": "loderunner", "set": {"latent.model": value}}, StudioLimits())


@pytest.mark.parametrize("name", ["unlike", "latent.originals"])
def test_no_client_names_a_file_of_levels(name):
    with pytest.raises(Refusal, match="expected no file of levels"):
        checked({"game": "loderunner", "set": {name: "levels"}}, StudioLimits())


def test_cells_of_a_grid_hold_their_count_and_their_best():
    rows = [(1, 0.5, 0, 0.0), (2, 0.9, 1, 0.1), (3, None, 9, 0.97), (4, 0.1, None, 1.0)]
    told = binned(rows, "x", "y", 5)
    assert told["total"] == 3
    assert told["x"] == {"metric": "x", "low": 0, "step": 2, "bins": 5, "whole": True}
    assert told["y"] == {"metric": "y", "low": 0, "step": 0.5, "bins": 2, "whole": False}
    assert told["cells"] == [
        {"x": 0, "y": 0, "count": 2, "best": 2, "score": 0.9},
        {"x": 4, "y": 1, "count": 1, "best": 3, "score": None},
    ]
    (difficulty,) = [binned([(1, 0, 0, 7.043), (2, 0, 0, 63.981)], "x", "y", 14)["y"]]
    assert difficulty == {"metric": "y", "low": 5, "step": 5, "bins": 12, "whole": False}
    assert binned([], "x", "y", 3)["cells"] == []


def test_levels_are_kept_with_the_users_data_and_an_older_file_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    store = default_store()
    assert store == str(tmp_path / "data" / "levelsmith" / "studio.db")
    assert Path(store).parent.is_dir()
    assert other_store(store) is None
    (tmp_path / "studio.db").touch()
    assert "levelsmith studio --store studio.db" in other_store(store)
    assert other_store("studio.db") is None


def test_the_shelf_takes_no_file_of_others(tmp_path):
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(LevelsmithError, match="no file of an experiment"):
        StudioStore(other)


def test_filters_never_put_a_word_of_the_query_into_sql():
    where, values = filters({"game": "x' OR 1", "min.pushes": "3", "tag": '"', "starred": "1", "job": "x"})
    assert "OR" not in where
    assert where.count("?") == len(values)
    with pytest.raises(Refusal):
        filters({"min.a'b": "1"})


def test_limits_are_more_than_nothing():
    with pytest.raises(LevelsmithError, match="more than 0 for jobs"):
        StudioLimits(jobs=0)
