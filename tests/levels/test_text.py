"""Plain text: rows of symbols, comments, packs, and what is wrong named by line and column."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import levelsmith
from levelsmith import Level, LevelsmithError
from levelsmith.core import Tile, Tiles
from levelsmith.levels.formats.format import MAIN, ReadLimits, Source
from levelsmith.levels.formats.text import FORMAT, parse
from levelsmith.registry import games


def read(text, game=None, limits=None):
    return FORMAT.parse(text.encode(), Source("t", games.get(game) if game else None, limits or ReadLimits()))


def test_a_level_is_its_text():
    level = parse("#.#\n#..", game="binary")
    assert level.text == "#.#\n#.."
    assert level.grid.tolist() == [[1, 0, 1], [1, 0, 0]]


def test_its_repr_makes_it_again():
    level = parse("#.#\n#..", game="binary")
    assert eval(repr(level), {"levelsmith": levelsmith}) == level


def test_other_characters_for_a_tile_are_read_as_it():
    assert parse("#-_ #", "sokoban") == parse("#   #", "sokoban")


def test_short_rows_are_filled_where_the_game_has_a_blank():
    assert parse("####\n#\n####", "sokoban").text == "####\n#   \n####"


def test_short_rows_are_refused_elsewhere():
    with pytest.raises(LevelsmithError, match="rows of equal length, got 2 cells on line 2"):
        parse("...\n..\n...", "binary")


def test_a_wrong_tile_is_named_with_its_place():
    with pytest.raises(LevelsmithError, match=r"\. empty, # wall\), got 'x' on line 2, column 3"):
        parse("...\n..x", "binary")


@pytest.mark.parametrize("text", ["", "\n\n", "; only a comment\n"])
def test_no_level_is_refused(text):
    with pytest.raises(LevelsmithError, match="at least one level"):
        read(text, "binary")


def test_without_a_game_it_asks_for_one():
    with pytest.raises(LevelsmithError, match=r"which game is this.*game.*binary, sokoban"):
        read("#.#\n")


def test_a_pack_names_its_game_titles_authors_and_solutions():
    first, second = read(
        "; game: sokoban\n; title: One\n; author: A. Nobody\n; solution: rR\n#@$.#\n\n; Two\n#.$@#\n"
    )
    assert (first.title, first.author, first.solution) == ("One", "A. Nobody", "rR")
    assert (second.title, second.game) == ("Two", "sokoban")


def test_the_last_comment_before_a_level_is_its_title():
    assert read("; a collection\n; 1\n..\n", "binary")[0].title == "1"


def test_a_file_of_another_game_than_asked_for_is_refused():
    with pytest.raises(LevelsmithError, match="this is a level of sokoban, but binary was asked for"):
        read("; game: sokoban\n###\n", "binary")


def test_a_row_of_floor_alone_survives():
    level = Level("sokoban", games.get("sokoban").tiles, np.array([[1, 1], [0, 0], [1, 1]]))
    assert read(FORMAT.write([level], "l", {})[MAIN].decode()) == [level]


def test_a_row_that_no_text_can_show_is_refused():
    level = Level("x", Tiles(Tile("air", " "), Tile("rock", "#")), np.array([[0, 0], [1, 1]]))
    with pytest.raises(LevelsmithError, match=r"air alone would read as a blank line; write \.json"):
        FORMAT.write([level], "l", {})


def test_control_characters_in_a_title_do_no_harm():
    level = read("; title: \x1b[31mred\x07\u202e<b>\n..\n", "binary")[0]
    assert level.title == "[31mred<b>"


@pytest.mark.parametrize(
    ("data", "expected"),
    [(b"\x89PNG\r\n\x1a\n", "UTF-8.*0x89 at offset 0"), (b"..\0..", "zero byte"), (b"\xff\xfe.\0", "UTF-8")],
)
def test_a_binary_file_is_no_text(data, expected):
    with pytest.raises(LevelsmithError, match=expected):
        FORMAT.parse(data, Source("t", games.get("binary")))


def test_a_level_past_the_limit_is_refused():
    with pytest.raises(LevelsmithError, match=r"at most 1000x1000 cells, got 1001x1.*limits"):
        read("." * 1001, "binary")
    assert read("." * 1001, "binary", ReadLimits(side=2000))[0].size == (1, 1001)


def test_windows_line_ends_and_a_byte_order_mark_are_fine():
    assert read("\ufeff#.\r\n.#\r\n", "binary") == read("#.\n.#\n", "binary")


@settings(max_examples=60, deadline=None)
@given(data=st.data(), name=st.sampled_from(games.names))
def test_what_is_written_is_read_back(data, name):
    game = games.get(name)
    sizes = data.draw(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=4))
    levels = [
        Level(
            name,
            game.tiles,
            np.array(data.draw(st.lists(st.integers(0, len(game.tiles) - 1), min_size=h * w, max_size=h * w)))
            .reshape(h, w),
            title=data.draw(st.text(max_size=20)).strip(":; ").replace(":", ""),
        )
        for h, w in sizes
    ]  # fmt: skip
    again = read(FORMAT.write(levels, "pack", {})[MAIN].decode())
    assert again == levels
    assert [level.title for level in again] == [level.title for level in levels]
