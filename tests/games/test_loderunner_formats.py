"""Lode Runner levels in the files of Total Recall and KGoldrunner."""

import numpy as np
import pytest

import levelsmith
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner.formats import KGOLDRUNNER, TOTAL_RECALL
from levelsmith.levels.formats.format import MAIN, ReadLimits, Source

LEVEL = levelsmith.parse("..h.G..E\nbb#tbb-.\n.M#...BB", "loderunner")
BOTH = pytest.mark.parametrize("format", [TOTAL_RECALL, KGOLDRUNNER], ids=lambda each: each.name)


def read(format, data):
    return format.parse(data, Source("file"))


def test_total_recall_has_a_text_for_each_level():
    text = TOTAL_RECALL.write([LEVEL, LEVEL], "two", {"variable": "mine"})[MAIN].decode()
    lines = text.split("\n")
    assert lines[:5] == [
        "var mine = [",
        "//======<<< Level 001 >>>======",
        "",
        '"  S $  0' + 20 * "@" + '" +',
        '"##HX##- ' + 20 * "@" + '" +',
    ]
    assert text.count('@",\n') == 1
    assert text.endswith('@"\n];\n')


def test_kgoldrunner_has_a_level_on_a_line():
    lines = KGOLDRUNNER.write([LEVEL], "mine", {})[MAIN].decode().split("\n")
    assert lines[:4] == ["// G001 T mine T", "// .dwf false", ' i18n("mine");', "// L001"]
    assert lines[4].startswith("//    Z N  E" + 20 * "X" + "MMHFMMT ")
    assert len(lines[4]) == 4 + 28 * 20


@BOTH
def test_a_smaller_level_lies_in_the_corner_of_solid(format):
    (back,) = read(format, format.write([LEVEL], "one", {})[MAIN])
    assert back.size == (format.board.height, format.board.width)
    assert (back.grid[:3, :8] == LEVEL.grid).all()
    rest = np.ones(back.size, bool)
    rest[:3, :8] = False
    assert (back.grid[rest] == back.tiles.index_of("solid")).all()


@BOTH
def test_titles_come_back(format, tmp_path):
    level = levelsmith.Level("loderunner", LEVEL.tiles, LEVEL.grid, title='The "Deep" Vault')
    levelsmith.save([level, LEVEL], tmp_path / "two.txt", format=format.name)
    assert [one.title for one in levelsmith.load(tmp_path / "two.txt", format=format.name)] == [
        'The "Deep" Vault',
        "",
    ]


@BOTH
def test_the_limits_of_levels_and_cells_are_kept(format):
    data, cells = format.write([LEVEL] * 3, "three", {})[MAIN], format.board.height * format.board.width
    assert len(format.parse(data, Source("f", limits=ReadLimits(levels=3, cells=3 * cells)))) == 3
    for limits in (ReadLimits(levels=2), ReadLimits(cells=3 * cells - 1)):
        with pytest.raises(LevelsmithError, match=r"^f: expected at most .*, got more$"):
            format.parse(data, Source("f", limits=limits))


@BOTH
def test_what_does_not_fit_is_refused(format):
    tiles = LEVEL.tiles
    with pytest.raises(LevelsmithError, match=r"has boards of 28x\d\d, got a level of 29x3"):
        format.write([levelsmith.Level("loderunner", tiles, np.zeros((3, 29), np.uint8))], "x", {})
    with pytest.raises(LevelsmithError, match="has levels of loderunner, got one of binary"):
        format.write([levelsmith.parse("..", "binary")], "x", {})


@pytest.mark.parametrize(
    ("format", "text", "message"),
    [
        (TOTAL_RECALL, '"  H" +\n"  H"', "expected 16 rows of a level from line 1 on, got 2"),
        (TOTAL_RECALL, '"  H" +\n' * 16, "expected 28 cells on line 1, got 3"),
        (TOTAL_RECALL, f'"{28 * "?"}" +\n' * 16, r"got .\?. on line 1, cell 1"),
        (KGOLDRUNNER, "// L001\n//  M", "expected a layout of 560 cells on line 2, got 1"),
        (KGOLDRUNNER, "// L001", "expected a layout of 560 cells on line 2, got none"),
        (KGOLDRUNNER, "// L001\n//  " + 560 * "a", "expected characters of KGoldrunner"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(format, text, message):
    with pytest.raises(LevelsmithError, match=message):
        read(format, text.encode())
