"""Formats for programs and spreadsheets: npz, csv, VGLC text."""

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levelsmith import Level, LevelsmithError, load, parse, save
from levelsmith.levels import csv, npz, vglc
from levelsmith.levels.format import MAIN, Source
from levelsmith.registry import games


def drawn(data, name, height, width):
    tiles = games.get(name).tiles
    cells = data.draw(
        st.lists(st.integers(0, len(tiles) - 1), min_size=height * width, max_size=height * width)
    )
    return Level(name, tiles, np.array(cells).reshape(height, width))


@settings(max_examples=40, deadline=None)
@given(data=st.data(), name=st.sampled_from(games.names), height=st.integers(1, 9), width=st.integers(1, 9))
def test_batches_and_spreadsheets_are_read_back(data, name, height, width):
    levels = [drawn(data, name, height, width) for _ in range(data.draw(st.integers(1, 3)))]
    source = Source("f", games.get(name))
    assert csv.FORMAT.parse(csv.FORMAT.write(levels, "l", {})[MAIN], source) == levels
    assert npz.FORMAT.parse(npz.FORMAT.write(levels, "l", {})[MAIN], Source("f")) == levels


@settings(max_examples=30, deadline=None)
@given(data=st.data(), name=st.sampled_from(games.names), height=st.integers(1, 9), width=st.integers(1, 9))
def test_vglc_text_is_read_back_by_its_legend(data, name, height, width, tmp_path_factory):
    level = drawn(data, name, height, width)
    folder = tmp_path_factory.mktemp("vglc")
    save(level, folder / "level.txt", format="vglc")
    assert load(folder / "level.txt", game=name, format="vglc") == [level]


def test_the_same_levels_give_the_same_bytes():
    levels = [parse("#.", "binary")]
    assert npz.FORMAT.write(levels, "l", {}) == npz.FORMAT.write(levels, "l", {})


def test_a_batch_of_two_sizes_or_games_is_refused():
    with pytest.raises(LevelsmithError, match=r"one game and one size, got 2 kinds; write them as \.json"):
        npz.FORMAT.write([parse("#.", "binary"), parse("#", "binary")], "l", {})
    with pytest.raises(LevelsmithError, match="one game, got 2 kinds"):
        csv.FORMAT.write([parse("#.", "binary"), parse("^.", "orchard")], "l", {})


def archive(**arrays):
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    return packed.getvalue()


def test_tiles_in_another_order_are_put_right():
    data = archive(grids=np.array([[[0, 1]]]), game=np.array("binary"), tiles=np.array(["wall", "empty"]))
    assert npz.FORMAT.parse(data, Source("f"))[0].text == "#."


def test_a_batch_without_a_game_takes_the_one_asked_for():
    data = archive(grids=np.eye(3, dtype=bool))
    assert npz.FORMAT.parse(data, Source("f", games.get("binary")))[0].text == "#..\n.#.\n..#"


class Evil:
    def __reduce__(self):
        raise AssertionError("a pickle was looked at")


@pytest.mark.parametrize(
    ("arrays", "expected"),
    [
        ({"other": np.zeros(3)}, "an array called grids"),
        ({"grids": np.zeros((1, 2, 2))}, "whole numbers of shape"),
        ({"grids": np.zeros((1, 2, 2, 2), int)}, "got int64 of shape"),
        ({"grids": np.zeros((0, 2, 2), int)}, "of shape"),
        ({"grids": np.full((1, 2, 2), 2)}, "cells from 0 to 1 for binary"),
        ({"grids": np.full((1, 2, 2), -1)}, "got -1"),
        ({"grids": np.zeros((1, 2, 2), int), "tiles": np.array(["lava"])}, "got 'lava'"),
        ({"grids": np.ones((1, 2, 2), int), "tiles": np.array(["wall"])}, "cells from 0 to 0"),
    ],
)
def test_a_wrong_batch_is_named(arrays, expected):
    with pytest.raises(LevelsmithError, match=expected):
        npz.FORMAT.parse(archive(game=np.array("binary"), **arrays), Source("f"))


def test_a_pickle_inside_a_batch_is_refused():
    packed = io.BytesIO()
    np.savez(packed, grids=np.array([{"a": 1}], dtype=object))
    with pytest.raises(LevelsmithError, match="damaged"):
        npz.FORMAT.parse(packed.getvalue(), Source("f", games.get("binary")))


def test_an_array_that_claims_more_than_it_holds_is_not_made():
    member = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        member, {"descr": "|u1", "fortran_order": False, "shape": (10**6, 10**6, 10)}
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as bomb:
        bomb.writestr("grids.npy", member.getvalue())
    with pytest.raises(LevelsmithError, match="claims 10,000,000,000,000 cells"):
        npz.FORMAT.parse(packed.getvalue(), Source("f", games.get("binary")))


def test_a_zip_bomb_is_not_unpacked(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bomb, bomb.open("grids.npy", "w") as member:
        np.lib.format.write_array_header_1_0(
            member, {"descr": "|u1", "fortran_order": False, "shape": (1000, 1000, 100)}
        )
        for _ in range(100):
            member.write(b"\0" * 1_000_000)
    assert len(packed.getvalue()) < 200_000
    with pytest.raises(LevelsmithError, match="claims 100,000,000 cells"):
        npz.FORMAT.parse(packed.getvalue(), Source("f", games.get("binary")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0,1\n0\n", "2 cells on line 2, as above, got 1"),
        ("0,x\n", "got 'x' on line 1"),
        ("0,7\n", "from 0 to 1"),
        ("\n", "at least one level"),
        ("-1\n", "got '-1'"),
        ("²\n", "tile numbers"),
    ],
)
def test_a_wrong_spreadsheet_is_named(text, expected):
    with pytest.raises(LevelsmithError, match=expected):
        csv.FORMAT.parse(text.encode(), Source("f", games.get("binary")))


def test_a_legend_with_symbols_of_its_own_is_followed(tmp_path):
    (tmp_path / "levels").mkdir()
    legend = {"tiles": {"X": ["solid", "ground"], "o": ["passable", "empty"], "$": ["gold", "pickupable"]}}
    (tmp_path / "LodeRunner.json").write_text(json.dumps(legend))
    (tmp_path / "levels" / "1.txt").write_text("oo$\nXXX\n")
    (level,) = load(tmp_path / "levels" / "1.txt", game="loderunner", format="vglc")
    assert level.text == "..G\nBBB"


def test_a_legend_that_means_nothing_is_refused(tmp_path):
    (tmp_path / "binary.json").write_text(json.dumps({"tiles": {"X": ["lava"]}}))
    (tmp_path / "1.txt").write_text("X\n")
    with pytest.raises(LevelsmithError, match="no tile of binary has any of the tags lava"):
        load(tmp_path / "1.txt", game="binary", format="vglc")
    (tmp_path / "binary.json").write_text("[]")
    with pytest.raises(LevelsmithError, match="the key 'tiles'"):
        load(tmp_path / "1.txt", game="binary", format="vglc")


def test_vglc_writes_one_level_a_file():
    with pytest.raises(LevelsmithError, match="one VGLC file holds one level, got 2"):
        vglc.FORMAT.write([parse(".", "binary")] * 2, "l", {})
