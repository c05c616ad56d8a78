"""Packs in the studio: what is proved of their levels, and pages and files of them."""

import io
import zipfile

import pytest

from levelsmith.levels.pack import read_pack

EASY, HARDER, LOST = (
    "######\n#@$ .#\n######",
    "#######\n#     #\n# $ . #\n# .$@ #\n#     #\n#######",
    "#####\n#@ $#\n# . #\n#####",
)


@pytest.fixture(scope="module")
def ids(studio):
    made = [("sokoban", text) for text in (EASY, HARDER, LOST)] + [("binary", "..#\n#..\n...")]
    levels = [{"game": game, "text": text, "title": ""} for game, text in made]
    return [studio.post("levels", level, expect=201)["id"] for level in levels]


def test_each_level_of_a_pack_is_looked_at(studio, ids):
    levels = studio.post("pack/look", {"ids": [*ids[:3], ids[0]]})["levels"]
    assert [level["proved"] for level in levels] == [True, True, False, True]
    assert [level["same"] for level in levels] == [None, None, None, 1]
    assert levels[0]["told"] == "won in 2 pushes (fewest, proved)"
    assert 0 < levels[0]["difficulty"] < levels[1]["difficulty"]
    assert len({level["title"] for level in levels}) == 4


def test_a_pack_is_written_as_a_page_and_as_a_file(studio, ids, tmp_path):
    about = {"title": "Winter rooms", "author": "Ann", "notes": "Enjoy."}
    asked = {**about, "ids": [ids[1], ids[2]], "titles": ["One", "Two"]}
    status, headers, data = studio.request("POST", "/api/pack", {**asked, "colour": "#a03020", "help": False})
    assert (status, headers["levelsmith-unproved"]) == (200, "1")
    assert headers["Content-Disposition"].endswith('"Winter-rooms.zip"')
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        page = archive.read("index.html").decode()
    assert "<title>Winter rooms</title>" in page
    status, headers, data = studio.request("POST", "/api/pack", {**asked, "page": False})
    assert headers["Content-Disposition"].endswith('"Winter-rooms.json"')
    (tmp_path / "pack.json").write_bytes(data)
    pack = read_pack(str(tmp_path / "pack.json"))
    assert (pack.title, pack.author, pack.notes) == tuple(about.values())
    assert [(level.title, level.text) for level in pack.levels] == [("One", HARDER), ("Two", LOST)]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"ids": []}, "expected from 1 to 200 levels, got 0"),
        ({"titles": ["One"]}, "expected 2 titles, got 1"),
        ({"title": 3}, "expected text for title"),
        ({"colour": "green"}, "expected a colour such as #0b6556, got 'green'"),
        ({"notes": "x" * 10_001}, "expected at most 10,000 characters for notes"),
        ({"strange": 1}, "strange"),
    ],
)
def test_what_is_no_pack_is_refused_in_a_sentence(studio, ids, changed, told):
    asked = {"ids": ids[:2], "titles": ["", ""], "title": "A", **changed}
    status, _, data = studio.request("POST", "/api/pack", asked)
    assert status == 400, data
    assert told in data.decode()


def test_levels_of_several_games_are_no_pack(studio, ids):
    status, _, data = studio.request("POST", "/api/pack/look", {"ids": [ids[0], ids[3]]})
    assert status == 400
    assert "expected a pack of levels of one game, got sokoban, binary" in data.decode()
