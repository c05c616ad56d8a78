"""How much a parser takes before it refuses: the same limits in every format, and soon."""

from dataclasses import replace

import numpy as np
import pytest

from levelsmith.errors import LevelsmithError
from levelsmith.levels.files import parse_bytes
from levelsmith.levels.formats import format as format_module
from levelsmith.levels.formats.format import MAIN, ReadLimits, Source
from levelsmith.levels.formats.text import parse
from levelsmith.registry import formats, games

LEVEL = replace(parse("#####\n#@$.#\n#####", "sokoban"), solution="R")
TAKEN = [name for name in formats if name not in ("totalrecall", "kgoldrunner")]  # Lode Runner alone
MANY = [name for name in TAKEN if formats.get(name).many]
MILLION = 1_000_000


def written(name, levels):
    chosen = formats.get(name)
    values = {parameter.name: parameter.default for parameter in chosen.parameters}
    return chosen.write(levels, "level", values | ({"scale": 4} if "scale" in values else {}))[MAIN]


def read(name, data, **limits):
    return parse_bytes(data, formats.get(name), Source("f", games.get("sokoban"), ReadLimits(**limits)))


@pytest.mark.parametrize("name", MANY)
def test_every_format_keeps_the_limit_of_levels(name):
    data = written(name, [LEVEL] * 3)
    assert len(read(name, data, levels=3)) == 3
    with pytest.raises(LevelsmithError, match=r"^f: expected at most 2 levels, got more$"):
        read(name, data, levels=2)


@pytest.mark.parametrize("name", TAKEN)
def test_every_format_keeps_the_limit_of_cells(name):
    count = 3 if name in MANY else 1
    data = written(name, [LEVEL] * count)
    assert len(read(name, data, cells=15 * count)) == count
    with pytest.raises(
        LevelsmithError, match=f"expected at most {15 * count - 1} cells in all levels, got more"
    ):
        read(name, data, cells=15 * count - 1)


def test_levels_under_another_name_of_the_same_source_count_together():
    game = games.get("binary")
    source = Source("f", game, ReadLimits(levels=2))
    source.level(game, np.zeros((1, 1), np.uint8))
    other = replace(source, name="f#2")
    other.level(game, np.zeros((1, 1), np.uint8))
    with pytest.raises(LevelsmithError, match="f: expected at most 2 levels"):
        source.level(game, np.zeros((1, 1), np.uint8))


@pytest.mark.first(2)
@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("text", b"@\n" * MILLION, "expected at most 1000x1000 cells, got 1x1001"),
        ("text", b"@\n\n" * MILLION, "expected at most 100,000 levels, got more"),
        (
            "text",
            (b"@\n" * 998 + b"@" * 999 + b"\n\n") * 30,
            "expected at most 20,000,000 cells in all levels",
        ),
        ("text", b"; a\n" * MILLION, "got a file made of comments"),
        ("text", b"\n" * MILLION, "expected at least one level, got none"),
        ("xsb", b"@\n" * MILLION, "expected at most 1000x1000 cells, got 1x1001"),
        ("xsb", b"@\n\n" * MILLION, "got a file made of other lines"),
        ("xsb", b"#@$.\n####\n\n" * 110_000, "expected at most 100,000 levels, got more"),
        ("csv", b"0\n" * MILLION, "expected at most 1000x1000 cells, got 1x1001"),
        ("csv", b"0\n\n" * MILLION, "expected at most 100,000 levels, got more"),
        ("csv", b"0," * MILLION, "expected at most 1000x1000 cells, got 1000001x1"),
        ("jsonl", b'{"game":"sokoban","text":"@"}\n' * 110_000, "expected at most 100,000 levels, got more"),
        ("jsonl", b'{"a":[[],[],[],[]]}\n' * 110_000, "got JSON made of brackets"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_a_file_of_too_much_is_refused_before_a_level_is_made(name, data, message, monkeypatch):
    def forbidden(*arguments, **fields):
        raise AssertionError("a level was made")

    monkeypatch.setattr(format_module, "Level", forbidden)
    with pytest.raises(LevelsmithError, match=message):
        read(name, data)


def test_the_line_of_a_wrong_cell_is_told_behind_blank_lines():
    with pytest.raises(LevelsmithError, match="got 'x' on line 7"):
        read("csv", b"0,1\n0,1\n\n \n\n0\nx\n")
    with pytest.raises(LevelsmithError, match="expected 2 cells on line 3, as above, got 1"):
        read("csv", b"\n0,1\n0\n")
    with pytest.raises(LevelsmithError, match="got 'x' on line 6, column 2"):
        read("text", b"##\n\n\n; a\n##\n#x")
