"""Messages fit one line, are safe for any terminal, and suggest what was meant."""

from __future__ import annotations

import os
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsmith.errors import (
    LONGEST_QUOTE,
    LevelsmithError,
    amount,
    listed,
    nearest,
    printable,
    quoted,
    unknown,
)
from levelsmith.files import read_plain_file
from levelsmith.levels.formats.format import ReadLimits, Source


@given(st.text())
def test_a_message_is_one_line_without_control_characters(text):
    message = str(LevelsmithError(text))
    assert len(message.splitlines()) <= 1
    assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in message)
    message.encode()


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs", "M"])))
def test_harmless_text_is_left_alone(text):
    assert printable(text) == text


def test_line_breaks_become_spaces_and_escapes_vanish():
    assert printable("a\nb\tc\r\x1b[31m\x00\u202e!") == "a b c [31m!"


@given(st.text(max_size=300))
def test_a_quote_is_cut_to_fit(text):
    assert len(quoted(text)) <= LONGEST_QUOTE + 2
    assert quoted(text)[0] == quoted(text)[-1] == "'"


def test_a_long_quote_says_that_it_was_cut():
    assert quoted("x" * 60) == f"'{'x' * 60}'"
    assert quoted("x" * 61) == f"'{'x' * 59}…'"
    assert quoted(5) == "'5'"


def test_names_are_listed_as_a_person_would():
    assert listed(["a", "b"]) == "a, b"
    assert listed([]) == "none"


def test_a_typo_finds_the_name_that_was_meant():
    assert nearest("Sokobon", ["binary", "sokoban"]) == "sokoban"
    assert nearest("LodeRunner", ["Binary", "loderunner"]) == "loderunner"
    assert nearest("chess", ["binary", "sokoban"]) is None


def test_an_unknown_name_comes_with_a_suggestion_or_all_names():
    assert str(unknown("game", "binry", ["binary", "orchard"])) == (
        "no game is called 'binry'; did you mean 'binary'?"
    )
    assert str(unknown("game", "go", ["binary", "orchard"], hint="levelsmith list games")) == (
        "no game is called 'go'; expected one of: binary, orchard (levelsmith list games)"
    )
    assert str(unknown("game", "go", [])) == "no game is called 'go'; expected one of: none"


def test_a_message_of_any_length_is_cut_in_its_middle():
    error = LevelsmithError(f"expected a level, got {'x' * 1_000_000}; type levelsmith --help")
    assert len(str(error)) < 1000
    assert str(error).startswith("expected a level, got xxx")
    assert str(error).endswith("; type levelsmith --help")


def test_it_is_a_value_error_that_no_reader_of_files_takes_for_one_of_its_own(tmp_path):
    assert issubclass(LevelsmithError, ValueError)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LevelsmithError, match=r"cannot read the preset .*pipe': expected a plain file$"):
        read_plain_file(tmp_path / "pipe", "the preset", 10)
    (tmp_path / "tiles.tsx").write_bytes(b"x" * 11)
    with pytest.raises(LevelsmithError, match=r"its neighbour 'tiles\.tsx' is larger than 10 bytes"):
        Source("f", folder=tmp_path, limits=ReadLimits(bytes=10)).neighbour("tiles.tsx")


@pytest.mark.parametrize(
    ("number", "noun", "told"),
    [
        (1, "push", "1 push"),
        (2, "push", "2 pushes"),
        (0, "box", "0 boxes"),
        (3, "try", "3 tries"),
        (2, "key", "2 keys"),
        (12345, "level", "12,345 levels"),
        (2.5, "move", "2.5 moves"),
    ],
)
def test_things_are_counted_as_a_person_would(number, noun, told):
    assert amount(number, noun) == told
