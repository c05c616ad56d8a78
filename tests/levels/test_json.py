"""The canonical file keeps everything; what is wrong in one is named."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levelsmith import Level, LevelsmithError, parse
from levelsmith.levels.formats.format import MAIN, ReadLimits, Source
from levelsmith.levels.formats.json import FORMAT, LINES
from levelsmith.registry import games

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def read(document, **options):
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    return FORMAT.parse(data, Source("f", **options))


@settings(max_examples=60, deadline=None)
@given(
    data=st.data(),
    name=st.sampled_from(games.names),
    provenance=st.dictionaries(st.text(), PLAIN, max_size=3),
)
def test_grid_title_solution_and_provenance_survive(data, name, provenance):
    tiles = games.get(name).tiles
    cells = data.draw(st.lists(st.integers(0, len(tiles) - 1), min_size=12, max_size=12))
    level = Level(
        name,
        tiles,
        np.array(cells).reshape(3, 4),
        title=data.draw(st.text(max_size=30)),
        solution=data.draw(st.none() | st.text("udlrUDLR", min_size=1)),
        provenance=provenance,
    )
    for form in (FORMAT, LINES):
        (again,) = form.parse(form.write([level], "l", {})[MAIN], Source("f"))
        assert again == level
        assert (again.title, again.solution, again.provenance) == (level.title, level.solution, provenance)


def test_infinity_is_written_as_a_word_because_json_has_none():
    level = parse(".", "binary")
    level = Level(level.game, level.tiles, level.grid, provenance={"high": float("inf")})
    (again,) = FORMAT.parse(FORMAT.write([level], "l", {})[MAIN], Source("f"))
    assert again.provenance == {"high": "inf"}


def test_many_games_share_a_pack_and_their_legends_are_told():
    levels = [parse("#.", "binary"), parse("#@$.#", "sokoban")]
    data = FORMAT.write(levels, "pack", {})[MAIN]
    assert read(data) == levels
    assert json.loads(data)["legends"]["binary"] == {".": "empty", "#": "wall"}


def test_what_the_commands_print_as_json_loads_again():
    lines = b'{"game": "binary", "text": "..", "score": 1.0}\n{"game": "binary", "text": "##", "score": 0}\n'
    assert [level.text for level in read(lines)] == ["..", "##"]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"levelsmith": 1, "levels": []}, "at least one level"),
        ({"levelsmith": 99, "levels": [1]}, "version 1 or older, got 99; update"),
        ({"levels": [{}]}, "the key 'levelsmith'"),
        ({"levelsmith": 1, "levels": {}}, "a list for 'levels', got an object"),
        ({"levelsmith": 1, "levels": [7]}, "level 1 as an object, got '7'"),
        ({"game": "binary"}, "the key 'text', got: game"),
        ({"game": "binary", "text": 3}, "text for 'text', got '3'"),
        ({"game": "binary", "text": "."}, None),
        ({"game": "binary", "text": "", "title": 1}, "an empty level"),
        ({"game": "binary", "text": ".", "title": 1}, "text for 'title'"),
        ({"game": "binary", "text": ".", "solution": 0}, "text for 'solution'"),
        ({"game": "binry", "text": "."}, "did you mean 'binary'"),
        ({"text": "."}, "which game is this"),
        ([], "an object with the key 'levelsmith', got a list"),
        (b'{"game": "binary", "text": "."', "expected JSON, but line 1"),
        (b'{"game": "binary", "text": ".", "provenance": {"a": NaN}}', "a number that is none"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[],[]," * 400_000, "made of brackets"),
    ],
)
def test_a_wrong_document_is_named(document, expected):
    if expected is None:
        assert len(read(document)) == 1
        return
    with pytest.raises(LevelsmithError, match=expected):
        read(document)


def test_ragged_rows_cannot_add_up_to_more_cells_than_allowed():
    text = "#" * 1000 + "\n#" * 999
    document = {"levelsmith": 1, "levels": [{"game": "sokoban", "text": text}] * 3}
    assert len(read(document)) == 3
    with pytest.raises(LevelsmithError, match="at most 2,000,000 cells in all"):
        read(document, limits=ReadLimits(cells=2_000_000))
