"""Formats for programs and spreadsheets: npz, csv, VGLC text."""

import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levelsmith import Level, LevelsmithError, load, parse, save
from levelsmith.levels.formats import csv, npz, vglc
from levelsmith.levels.formats.arrays import read_arrays
from levelsmith.levels.formats.format import MAIN, Source
from levelsmith.levels.formats.json import as_object
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


def test_a_batch_keeps_what_is_told_of_its_levels():
    origin = {"levelsmith": "0", "seed": 1, "parameters": {"hc": {"rate": 0.5}}, "é": None}
    levels = [
        replace(parse("#####\n#@$.#\n#####", "sokoban"), solution="R", provenance={**origin, "run": 0}),
        replace(parse("#####\n#@ *#\n#####", "sokoban"), title="Zwölf", provenance={**origin, "run": 1}),
        replace(parse("#####\n#@*.#\n#####", "sokoban"), author="A", provenance={"seed": 1}),
    ]
    data = npz.FORMAT.write(levels, "l", {})[MAIN]
    again = npz.FORMAT.parse(data, Source("f"))
    for level, found in zip(levels, again, strict=True):
        assert as_object(found) == as_object(level)
    with np.load(io.BytesIO(data)) as arrays:
        assert arrays["solutions"].tolist() == ["R", "", ""]
        assert arrays["titles"].tolist() == ["", "Zwölf", ""]
        told = json.loads(arrays["provenance"].tobytes())
    assert told["all"] == {"seed": 1}
    assert told["each"][0] == {key: value for key, value in levels[0].provenance.items() if key != "seed"}


def test_a_batch_of_bare_levels_has_their_grids_alone():
    with np.load(io.BytesIO(npz.FORMAT.write([parse("#.", "binary")], "l", {})[MAIN])) as arrays:
        assert sorted(arrays) == ["game", "grids", "tiles"]


def test_solutions_that_an_array_has_no_room_for_are_refused(monkeypatch):
    monkeypatch.setattr(npz, "WORD_BYTES", 100)
    level = replace(parse("#####\n#@$.#\n#####", "sokoban"), solution="R" * 20)
    npz.FORMAT.write([level], "l", {})
    with pytest.raises(LevelsmithError, match=r"the solutions are too long .*; write them as \.json"):
        npz.FORMAT.write([level, level], "l", {})


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"solutions": np.array(["R", "L"])}, "expected solutions as text, one for each level"),
        ({"titles": np.array([3])}, "expected titles as text"),
        ({"provenance": np.array(["{}"])}, "expected provenance as JSON in bytes"),
        ({"provenance": np.frombuffer(b"{", np.uint8)}, "expected JSON"),
        ({"provenance": np.frombuffer(b'{"all": {}, "each": []}', np.uint8)}, "of each of the 1 levels"),
        ({"provenance": np.frombuffer(b'{"all": {}, "each": [3]}', np.uint8)}, "of each of the 1 levels"),
        ({"provenance": np.frombuffer(b'{"all": [], "each": [{}]}', np.uint8)}, "expected an object"),
    ],
)
def test_what_a_batch_tells_is_checked(arrays, message):
    data = archive(grids=np.zeros((1, 2, 2), np.uint8), game=np.array("binary"), **arrays)
    with pytest.raises(LevelsmithError, match=message):
        npz.FORMAT.parse(data, Source("f"))


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
            member, {"descr": "|u1", "fortran_order": False, "shape": (1000, 1000, 400)}
        )
        for _ in range(100):
            member.write(b"\0" * 1_000_000)
    assert len(packed.getvalue()) < 200_000
    with pytest.raises(LevelsmithError, match="claims 400,000,000 cells"):
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


def numpy_file(descr="|u1", shape="(1, 1, 1)", data=b"\0", version=b"\1\0", length=None):
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    told = (len(header) if length is None else length).to_bytes(2 if version[0] == 1 else 4, "little")
    return b"\x93NUMPY" + version + told + header + data


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        (numpy_file("'|u1'", "(1, 1, 10**18)"), "no array of numbers"),  # numpy: ValueError
        (numpy_file("'|u1'", "(((((1"), "no array of numbers"),  # numpy: tokenize.TokenError
        (numpy_file("'|u1'", "(" + "9" * 199 + ")"), "claims 9"),
        (numpy_file("'|u1'", "(999999999999999999, 999999999999999999, 0)", b""), "cannot reshape"),
        (numpy_file("'|u1'", "(-1, 1, 1)"), "no array of numbers"),
        (numpy_file("'|u1'", "(1,,1)"), "invalid literal"),
        (numpy_file("'|O'"), "no array of numbers"),
        (numpy_file("[('a', '<U1')]"), "no array of numbers"),
        (numpy_file("'<U0'"), "no array of numbers"),
        (numpy_file("'<i8'", "(1, 1, 1)", b"\0"), "claims 1 cells, and holds others"),
        (numpy_file("'|u1'", "(1, 1, 1)", b"\0\0"), "claims 1 cells, and holds others"),
        (numpy_file("'|u1'", length=65_000), "no array of numbers"),
        (numpy_file("'|u1'", version=b"\2\0", length=2**32 - 1), "no array of numbers"),
        (numpy_file("'|u1'", version=b"\7\0"), "no array of numpy"),
        (numpy_file("'<U1'", "()", b"\xff\xff\xff\xff"), "characters that are none"),
        (b"", "no array of numpy|index out of range"),
    ],
)
def test_an_odd_header_is_refused_and_never_interpreted(member, reason):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as odd:
        odd.writestr("grids.npy", member)
    with pytest.raises(LevelsmithError, match=f"damaged: .*({reason})"):
        npz.FORMAT.parse(packed.getvalue(), Source("f", games.get("binary")))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_packed_as_numpy_never_does_is_refused(method):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as odd:
        odd.writestr("grids.npy", numpy_file("'|u1'"))
    with pytest.raises(LevelsmithError, match="packed in an unusual way"):
        npz.FORMAT.parse(packed.getvalue(), Source("f", games.get("binary")))


def test_an_array_that_is_there_often_is_unpacked_once():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as odd:
        odd.writestr("grids.npy", numpy_file("'|u1'"))
        with pytest.warns(UserWarning, match="Duplicate"):
            odd.writestr("grids.npy", numpy_file("'|u1'"))
    with pytest.raises(LevelsmithError, match="there twice"):
        npz.FORMAT.parse(packed.getvalue(), Source("f", games.get("binary")))


def test_an_archive_of_very_many_members_is_refused_unread():
    with pytest.raises(LevelsmithError, match="at most 10,000 arrays"):
        npz.FORMAT.parse(b"PK\1\2" * 10_001, Source("f", games.get("binary")))


@pytest.mark.parametrize("dtype", ["?", "u1", "<i2", ">i4", "<u8", "f4", "<f8", ">f2", "<U3", ">U3"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_archive_of_numpy_is_read_as_numpy_reads_it(dtype, order):
    array = np.asarray(np.arange(6).reshape(2, 3) % 2, dtype, order=order)
    packed = io.BytesIO()
    np.savez(packed, a=array, b=array[0, 0], c=array[0])
    found = read_arrays(packed.getvalue(), 10_000)
    assert found.keys() == {"a", "b", "c"}
    for name, expected in (("a", array), ("b", array[0, 0]), ("c", array[0])):
        assert found[name].dtype == expected.dtype
        assert np.array_equal(found[name], expected)
        assert found[name].flags.writeable
