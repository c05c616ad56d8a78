"""Sokoban in files: XSB and SOK in all their spellings, run lengths, moves, the arrays of gym-sokoban."""

from __future__ import annotations

import re
import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import levelsmith
from levelsmith import Level, LevelsmithError
from levelsmith.games.sokoban.formats import lurd, rle
from levelsmith.games.sokoban.formats.files import SOK, XSB
from levelsmith.levels.formats.format import MAIN, ReadLimits, Source
from levelsmith.levels.formats.text import FORMAT as TEXT
from levelsmith.registry import games
from levelsmith.testing import check_format

TILES = games.get("sokoban").tiles
BOTH = pytest.mark.parametrize("format", [XSB, SOK], ids=["xsb", "sok"])
ONE = "#####\n#@$.#\n#####\n"
TWO = "######\n#. $@#\n######\n"
A, B = ONE.strip(), TWO.strip()


def read(text, format=XSB, game=None, limits=None):
    data = text if isinstance(text, bytes) else text.encode()
    return format.parse(data, Source("f", games.get(game) if game else None, limits or ReadLimits()))


def written(levels, format=XSB, stem="pack"):
    return format.write(levels, stem, {})[MAIN].decode()


def level(text, **fields):
    grid = levelsmith.parse(text, game="sokoban").grid
    return Level("sokoban", TILES, grid, **fields)


def told(levels):
    """All that a file keeps of levels."""
    return [(each.text, each.title, each.author, each.solution) for each in levels]


def titles(text):
    return [each.title for each in read(text)]


def refusal(text, format=XSB, **how):
    with pytest.raises(LevelsmithError) as refused:
        read(text, format, **how)
    message = str(refused.value)
    assert "\n" not in message
    return message


# -------------------------------------------------------------------------------------------- what is written


@BOTH
def test_the_promises_of_a_format_are_kept(format):
    check_format(format)
    check_format(format, [level(A, title="One", author="Nobody", solution="R"), level(B)])


def test_xsb_is_a_board_and_lines_about_it():
    levels = [level(A, title="One", author="A. Nobody", solution="R"), level(B)]
    assert written(levels) == f"{A}\nTitle: One\nAuthor: A. Nobody\nSolution: R\n\n{B}\n"


def test_sok_names_the_collection_and_gives_a_solution_its_heading():
    levels = [level(A, title="One", solution="R"), level(B)]
    assert written(levels, SOK) == f"Collection: pack\n\n{A}\nTitle: One\n\nSolution\nR\n\n{B}\n"
    assert written(levels[:1], SOK) == f"{A}\nTitle: One\n\nSolution\nR\n"


def test_floor_on_the_right_is_left_out_where_it_is_known():
    narrow = level("  ###  \n###.#  \n#@$ ###\n#######")
    assert written([narrow]) == "  ###\n###.#\n#@$ ###\n#######\n"
    wide = level("###  \n#@#  \n###  ")
    assert written([wide]) == "### -\n#@#\n###\n"


@pytest.mark.parametrize(
    "grid", [[[0]], [[0, 0], [0, 0]], [[3, 3, 3]], [[1, 1, 1]], [[0, 5, 0]], [[2, 4, 3]]]
)
@BOTH
def test_a_board_that_looks_like_an_ornament_is_marked_as_rows(format, grid):
    odd = Level("sokoban", TILES, np.array(grid))
    assert all(line.endswith("|") for line in written([odd], format).splitlines())
    assert read(written([odd, odd], format), format) == [odd, odd]


@BOTH
def test_levels_of_other_games_are_refused(format):
    with pytest.raises(
        LevelsmithError, match=r"holds levels of sokoban, got one of binary; write it as \.txt"
    ):
        written([levelsmith.parse("#.#", game="binary")], format)
    assert "this is a level of sokoban, but binary was asked for" in refusal(ONE, format, game="binary")


def test_a_solution_that_is_none_is_not_written():
    with pytest.raises(LevelsmithError, match=r"the solution of level 2: expected moves .* got 'x'.*\.json"):
        written([level(A), level(A, solution="rxR")])


ODD_TITLES = st.one_of(
    st.text(max_size=30),
    st.text("#$.*@+ -_|;:'\"ulrdULRD123()[]pPbBoW", max_size=12),
    st.sampled_from(
        ["Author: x", "Title: y", "Solution", "Solution: rR", "; z", "#####", "::", "rrUU", "Bob"]
    ),
)
SOLUTIONS = st.none() | st.text(lurd.LETTERS, min_size=1, max_size=300)


@st.composite
def random_levels(draw):
    height, width = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    tiles = st.sampled_from(draw(st.sampled_from([range(7), (0, 0, 0, 1), (0, 1, 1, 2), (3, 4, 6), (0,)])))
    cells = draw(st.lists(tiles, min_size=height * width, max_size=height * width))
    return Level(
        "sokoban",
        TILES,
        np.array(cells).reshape(height, width),
        title=draw(ODD_TITLES),
        author=draw(ODD_TITLES),
        solution=draw(SOLUTIONS),
    )


@BOTH
@settings(max_examples=150, deadline=None)
@given(levels=st.lists(random_levels(), min_size=1, max_size=4))
def test_what_is_written_is_read_back(format, levels):
    assert told(read(written(levels, format), format)) == told(levels)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(levels=st.lists(random_levels(), min_size=1, max_size=4), seed=st.randoms(use_true_random=False))
def test_other_characters_line_ends_and_blanks_change_nothing(levels, seed):
    """Boards alone, spelt in other characters that are read as the same tiles."""
    spellings = {" ": "-_", "$": "$b", ".": ".o", "*": "*B", "@": "@p", "+": "+P", "#": "#W"}
    text = ""
    for each in levels:
        # Walls around them, without which a row of letters is a word; the first as #, as nobody is inside.
        for number, row in enumerate(np.pad(each.grid, 1, constant_values=1)):
            symbols = "".join(TILES.symbols[tile] for tile in row)
            spelt = "".join(seed.choice(spellings[c]) for c in symbols)
            text += (spelt if number else symbols) + seed.choice(["", "  ", "\t"]) + "\r\n"
        text += "\r\n"
    expected = [np.pad(each.grid, 1, constant_values=1) for each in levels]
    for again, grid in zip(read(text), expected, strict=True):
        assert again.grid.tolist() == grid.tolist()


@settings(max_examples=500, deadline=None)
@given(text=st.text("#$.*@+ -_|;:\n\n\n\t\r'ulrdUDbBopPW0123(3)[]{}TitleAuthorSx", max_size=120))
@example("#@$.#\n#|")
@example("#5\n#5()#\n")
@example("#W|W#")
def test_any_text_is_read_or_refused_and_what_is_read_can_be_written(text):
    try:
        levels = read(text)
    except LevelsmithError:
        refusal(text)
        return
    for format in (XSB, SOK):
        assert told(read(written(levels, format), format)) == told(levels)


# ------------------------------------------------------------------------------------ boards in all spellings


@pytest.mark.parametrize(
    "text",
    [
        "#####\n#@$.#\n#####",
        "\n\n#####\n#@$.#\n#####\n\n\n",
        "#####\r\n#@$.#\r\n#####\r\n",
        "\ufeff#####   \n#@$.#\t\n#####",
        "5#|#@$.#|5#",
        "5#|#@$.#|5#|",
        "5#\n#@$.#|5#",
        "#####\n#pbo#\n#####",
        "WWWWW\nWpb.W\nWWWWW",
        "5W|Wpb.W|5W",
        "5(#)|(#@)($.)#|2(2#)#",
        "::::::::\n:: a remark ::\n#####\n#@$.#\n#####\n::",
        "---------\n\n#####\n#@$.#\n#####\n\n*********",
    ],
)
@BOTH
def test_one_board_in_many_spellings(format, text):
    assert read(text, format) == [level(A)]


def test_floor_may_be_blanks_hyphens_or_underscores():
    assert read("#####\n#@ $.#\n#-__-#\n######")[0].text == "##### \n#@ $.#\n#    #\n######"


def test_a_tab_reaches_to_the_next_eighth_column():
    assert read("\t####\n\t#@$.#\n\t####")[0].size == (3, 13)


def test_the_examples_of_the_sok_specification():
    assert rle.unpack("3#4-p.#") == "###----p.#"
    assert rle.unpack("2(3(#-)#)") == "#-#-#-##-#-#-#"
    assert read("--3#|3#-#|#pb.#|5#", SOK)[0].text == "  ###\n### #\n#@$.#\n#####"


def test_a_row_of_floor_alone_is_shown_by_a_hyphen():
    board = "#####\n#@$.#\n#####\n-\n#####"
    assert read(board)[0].text == board.replace("-", "     ")
    assert written(read(board)) == board + "\n"


def test_boards_without_walls_around_them_are_read():
    assert read("@$.")[0].size == (1, 3)
    assert read("@ \n$ #\n. ")[0].text == "@  \n$ #\n.  "


@pytest.mark.parametrize(
    "text", ["Bob", "pop", "pB", "BoB", "WoW", "...", "-----", "+---+", "***", "1", "10.", "#1", "# 3"]
)
def test_words_and_ornaments_are_no_boards(text):
    assert read(f"{text}\n\n{ONE}") == [level(A)]
    assert read(f"{ONE}\n{text}\n\n{TWO}\n{text}") == [level(A), level(B)]


def test_old_code_pages_are_read():
    assert read(f"{ONE}Author: ".encode() + b"\xc9ric \x80\n")[0].author == "Éric €"


# --------------------------------------------------------------------------------- titles, authors, solutions


@pytest.mark.parametrize(
    "text",
    [
        f"; First\n{ONE}\n; Second\n{TWO}",
        f"; First\n\n{ONE}\n; Second\n\n{TWO}",
        f";First\n{ONE};Second\n{TWO}",
        f"First\n{ONE}Second\n{TWO}",
        f"First\n\n{ONE}\nSecond\n\n{TWO}",
        f"'First'\n\n{ONE}\n\"Second\"\n\n{TWO}",
        f"; 1\n'First'\n\n{ONE}\n; 2\n'Second'\n\n{TWO}",
        f"Title: First\n{ONE}\nTitle: Second\n{TWO}",
        f"Title: First\n\n{ONE}\nTitle: Second\n\n{TWO}",
        f"Title: First\n{ONE}Title: Second\n{TWO}",
        f"{ONE}Title: First\n\n{TWO}Title: Second\n",
        f"{ONE}\nTitle: First\n\n{TWO}\nTitle: Second\n",
        f"{ONE}Title: First\n{TWO}Title: Second\n",
        f"{ONE}; First\n\n{TWO}; Second\n",
        f"{ONE}First\n{TWO}Second\n",
        f"{ONE}TITLE : First\n\n{TWO}; title: Second\n",
        f"; 1\n\n{ONE}Title: First\n\n; 2\n\n{TWO}Title: Second\n",
        f"A pack\nof two boards\n\n; of mine\n\nFirst\n\n{ONE}\nA note\non the board\n\nSecond\n\n{TWO}",
        f"; game: sokoban\n; title: First\n{ONE}\n; title: Second\n{TWO}",
        f"Collection: Mine\n\nFirst\n\n{ONE}Author: A\n\nSecond\n\n{TWO}",
        f"First\n\n{ONE}\nComment: one line\n\nSecond\n\n{TWO}",
        f"First\n\n{ONE}Comment:\nmany\nTitle: words\nComment-End:\n\nSecond\n\n{TWO}",
        f"First\n\n{ONE}\nSolution\nR\nA fine one.\n\nSecond\n\n{TWO}",
        f"First\n\n{ONE}\nSnapshot 1\nrrllrr\n\nSecond\n\n{TWO}",
        f"First\n\n{ONE}\nrrllrrll\n\nSecond\n\n{TWO}",
        f"; First\n\n{ONE}; Second\n\n{TWO}",
        f"First\n\n{ONE}Second\n\n{TWO}",
        f"; A pack\n; of two boards\n; which has a long story\n\n{ONE}; First\n\n{TWO}; Second\n",
    ],
)
def test_a_title_finds_its_board(text):
    assert titles(text) == ["First", "Second"]
    assert read(text) == [level(A), level(B)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{ONE}\n{TWO}", ["", ""]),
        (f"A pack\nof boards\n\n{ONE}\n{TWO}", ["", ""]),
        (f";1\n{ONE}\n;2\n{TWO}", ["1", "2"]),
        (f"; a pack\n; 1\n\n{ONE}", ["1"]),
        (f"A pack\nLevel 1\n{ONE}Level 2\n{TWO}", ["Level 1", "Level 2"]),
        (f"Title: A pack\n\n; 1\n\n{ONE}\n; 2\n\n{TWO}", ["1", "2"]),
        (f"1\n\n{ONE}\nSolution\nR\nA fine one.\n\n{TWO}", ["1", ""]),
        (f"1\n\n{ONE}\nrrllrrll\n\n{TWO}", ["1", ""]),
        (f"; 1\n\n{ONE}; a note\n; on it\n\n{TWO}", ["1", ""]),
        (f"; 1\n\n{ONE}; 2\n\n{TWO}\n; 3\n\n{ONE}", ["1", "2", "3"]),
        (f"; a pack\n; of boards\n\n{ONE}\n; 2\n\n{TWO}", ["of boards", "2"]),
        (f"1\n\n{ONE}\n=====\n\n{TWO}\n-----\n", ["1", ""]),
        (f"Dull\n\n{ONE}\nDull\n\n{TWO}", ["Dull", "Dull"]),
        (f"; \x1b[31mred\x07\u202e<b>\n{ONE}", ["[31mred<b>"]),
        (f"; {'long ' * 1000}\n{ONE}", [("long " * 40).strip()]),
        (f"Title: {'long ' * 1000}\n{ONE}", [("long " * 40).strip()]),
    ],
)
def test_titles_are_neither_missed_nor_made_up(text, expected):
    assert titles(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{ONE}Author: X\n\n{TWO}Author: Y\n", ["X", "Y"]),
        (f"{ONE}\nAuthor: X\n\n{TWO}\nAuthor: Y\n", ["X", "Y"]),
        (f"Author: X\n\n{ONE}\n{TWO}Author: Y\n", ["X", "Y"]),
        (f"Collection: C\nAuthor: X\n\n{ONE}\n{TWO}", ["X", "X"]),
        (f"Title: C\nAuthor: X\n\n; 1\n\n{ONE}\n; 2\n\n{TWO}", ["X", "X"]),
        (f"Title: A\nAuthor: X\n\n{ONE}\nTitle: B\nAuthor: Y\n\n{TWO}", ["X", "Y"]),
        (f"Title: A\nAuthor: X\n\n{ONE}\nTitle: B\n\n{TWO}", ["X", ""]),
        (f"Author: X\n{ONE}\n{TWO}", ["X", ""]),
        (f"; author: X\n{ONE}\n; author: Y\n{TWO}", ["X", "Y"]),
        (f"{ONE}Author: X\n{TWO}Author: Y\n", ["X", "Y"]),
        (f"; 1\n{ONE}Author: X\n; 2\n{TWO}Author: Y\n", ["X", "Y"]),
    ],
)
def test_an_author_is_of_a_board_or_of_the_file(text, expected):
    assert [each.author for each in read(text)] == expected


@pytest.mark.parametrize(
    "about",
    [
        "Solution: rrLL\n",
        "Solution: 2r2L\n",
        "solution: 2r 2(L)\n",
        "\nSolution\nrrLL\n",
        "\nSolution\n\nrrLL\n",
        "Solution\nrr\nLL\n",
        "Solution: rr\nLL\n",
        "Solution 1 (4/2)\n2r2L\n",
        "Best Solution: rrLL\n",
        "Solution/Moves: 4, Pushes: 2\nrrLL\n",
        "Title: x\nAuthor: y\n\nSnapshot 1\nrrrr\n\nSolution\nrrLL\n\nSolution 2\nuuuuu\n",
        "Saved Game: my best\nrrrr\n\nSolution\nrrLL\n",
        "Savegame 1\nrr\nrr\n\nSolution\nrrLL\nNo better one is known.\n",
        "Solution\n[]rrLL\n\nSolution\n{rd}Urr\n\nSolution\nrr*LL\n\nSolution\nrrLL\n",
        "; solution: rrLL\n",
        "Solution: see below\nrrLL\n",
    ],
)
@BOTH
def test_a_solution_in_many_spellings(format, about):
    first, second = read(f"{ONE}{about}\n{TWO}", format)
    assert (first.solution, second.solution) == ("rrLL", None)
    assert (first, second) == (level(A), level(B))


@pytest.mark.parametrize(
    "about", ["Solution: unknown\n", "Solution\n", "rrLL\n", "Snapshot\nrrLL\n", "Save game\nR\n"]
)
def test_what_is_no_solution_is_none(about):
    assert read(f"{ONE}{about}\n{TWO}")[0].solution is None


def test_a_file_of_ours_in_plain_text_is_read_as_well():
    levels = [level(A, title="One", author="X", solution="R"), level(B, title="Two", solution="L")]
    assert told(read(TEXT.write(levels, "pack", {})[MAIN])) == told(levels)


# --------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f: expected at least one Sokoban board (rows of # $ . * @ + and spaces), got none"),
        ("hello\n\nTitle: x", "expected at least one Sokoban board"),
        (b"\x89PNG\r\n\x1a\n\0", "expected text, got a zero byte; is it a binary file?"),
        ("#####\n#@x.#\n#####", "space floor), got 'x' on line 2, column 3"),
        ("##x##\n#@$.#\n#####", "got 'x' on line 1, column 3"),
        ("#####\n#@$.#\n##é##", "got 'é' on line 3, column 3"),
        ("\n\n#####\n#@$.x\n#####", "got 'x' on line 4, column 5"),
        ("#####\n#@bp\n#####", "expected a row that ends with a wall, got '#@bp' on line 2"),
        ("#####\n#3(@$.#\n#####", "f: expected a closing bracket, got the end in the run lengths '#3(@$.#'"),
        ("#####\n#3(@$.#\n#####", "on line 2"),
        ("#####\n#@)#\n#####", "expected something to repeat, got )"),
        ("#####\n#(3)#\n#####", "expected something to repeat, got 3)"),
        ("#####\n#0$#\n#####", "expected counts from 1 to 999999999, got '0'"),
        (f"{ONE}Solution: rrUUxrr", "(capitals for pushes), got 'x' in the solution on line 4"),
        (f"{ONE}Solution\nrrUU\nrrUUrrU!\n", "(capitals for pushes), got '!' in the solution on line 4"),
        (f"{ONE}Solution: 3(rrUU\n", "expected a closing bracket, got the end"),
        (f"{ONE}Solution: rr3\n", "expected something to repeat, got the end"),
    ],
)
@BOTH
def test_a_mistake_is_named(format, text, message):
    assert message in refusal(text, format)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("#####\n#@$x#\n#   #\n#####\n", "got 'x' on line 6, column 4"),
        ("##x##\n#@$.#\n#####\n", "got 'x' on line 5, column 3"),
        ("#####\n#@$.x\n#   #\n#####\n", "got 'x' on line 6, column 5"),
        ("#####\n#3(@$.#\n#####\n", "expected a closing bracket"),
        ("#####\n#@$.#\n#####\nSolution: rrUUxrr\n", "in the solution on line 8"),
    ],
)
@BOTH
def test_one_bad_character_spoils_one_level_of_many(format, bad, message):
    levels = read(f"{ONE}\n{bad}\n{ONE}", format)
    assert len(levels) == 3
    verdicts = levelsmith.solve(levels)
    assert [verdict.status for verdict in verdicts] == ["solved", "malformed", "solved"]
    assert message in verdicts[1].statistics["error"]
    with pytest.raises(LevelsmithError, match="level 2 is malformed"):
        levelsmith.save(levels, "-", format=format.name)


def test_a_box_on_a_goal_at_the_edge_closes_a_level_as_a_wall_does():
    for text in ("#####\n*@$.*\n**#B*\n", "*###*\n#  ##\n*@$.*\n#  ##\n***##\n"):
        level = read(text, SOK)[0]
        verdict = levelsmith.solve(level)
        assert (verdict.status, verdict.metrics["pushes"]) == ("solved", 1)
        assert levelsmith.measure(level)["pushes"] == 1
    with pytest.raises(LevelsmithError, match="the wall is open at row 2, column 5"):
        levelsmith.solve(read("#####\n#@$.$\n###.#\n")[0])


BOMBS = {
    "a long run": "#@$.#\n#999999999$#\n",
    "a number without end": "#@$.#\n#" + "9" * 1_000_000 + "$#\n",
    "runs in runs": "#@$.#\n#" + "9(" * 16 + "$" + ")" * 16 + "#\n",
    "brackets in brackets": "#@$.#\n#" + "2(" * 300 + "$" + ")" * 300 + "#\n",
    "brackets around nothing": "#@$.#\n#" + "()" * 3_000_000 + "#\n",
    "many long rows": ("999#|" * 1000 + "\n\n") * 1_000,
    "one long row and many short ones": ("#\n" * 998 + "999#\n\n") * 2_000,
    "too many rows": "#@$.#" + "\n##" * 2_000_000,
    "too many rows on a line": "#" + "|" * 9_000_000 + "#",
    "tabs": "\t" * 5_000_000 + "#@$.#",
    "a long solution": ONE + "Solution: 9999999r\n",
    "a solution of runs in runs": ONE + "Solution: " + "9(" * 16 + "r" + ")" * 16,
    "a solution of brackets": ONE + "Solution: " + "1(" * 3_000_000 + "r",
    "a solution in small change": ONE + "Solution: " + "1r" * 3_000_000,
    "many long solutions": (ONE + "Solution: 999999r\n\n") * 10_000,
}


@pytest.mark.first(2)
@pytest.mark.parametrize("name", BOMBS)
@BOTH
def test_a_bomb_is_refused_before_it_goes_off(format, name):
    data = BOMBS[name].encode()
    started = time.process_time()
    message = refusal(data, format)
    assert time.process_time() - started < 1
    assert re.search("at most|counts from 1|at least one Sokoban board", message)
    tracemalloc.start()
    try:
        refusal(data, format)
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()


def test_a_title_without_end_is_cut_before_work_is_done_for_it():
    started = time.process_time()
    assert read(f"{ONE}Title: {'T' * 9_000_000}\nAuthor: X\n")[0].title == "T" * 200
    assert time.process_time() - started < 1


def test_a_file_of_lines_without_boards_is_given_up():
    limits = ReadLimits(bytes=30_000)
    assert len(read("x\n" * 999 + ONE, limits=limits)) == 1
    assert "got a file made of other lines" in refusal("x\n" * 1001 + ONE, limits=limits)


def test_limits_are_kept():
    assert "at most 4x4 cells, got 5x1; raise the limit with limits" in refusal(
        ONE, limits=ReadLimits(side=4)
    )
    assert "at most 4x4 cells, got 5x1" in refusal("5#|#@$.#", limits=ReadLimits(side=4))
    assert "at most 2x2 cells, got 1x3" in refusal("#\n#\n#", limits=ReadLimits(side=2))
    assert "at most 1 levels" in refusal(f"{ONE}\n{TWO}", limits=ReadLimits(levels=1))
    assert "at most 20 cells in all levels" in refusal(f"{ONE}\n{TWO}", limits=ReadLimits(cells=20))
    assert read(f"{ONE}\n{TWO}", limits=ReadLimits(side=6, levels=2, cells=33)) == [level(A), level(B)]


# ----------------------------------------------------------------------------------------- run lengths, moves


def joined(pairs):
    return "".join(code for code, _ in pairs), "".join(plain for _, plain in pairs)


def codes(inner):
    """Pairs of a code and what it stands for, made of smaller ones."""
    counted = st.tuples(st.integers(1, 12), inner)
    groups = counted.map(lambda of: (f"{of[0]}({of[1][0]})", of[0] * of[1][1]))
    singles = counted.map(lambda of: (f"{of[0]}d{of[1][0]}", of[0] * "d" + of[1][1]))
    return groups | singles | st.lists(inner, max_size=3).map(joined)


PLAIN = st.text("udlrUDLR", min_size=1, max_size=3).map(lambda text: (text, text))
CODES = st.recursive(PLAIN, codes, max_leaves=6)


@settings(max_examples=300, deadline=None)
@given(CODES, st.randoms(use_true_random=False))
def test_run_lengths_unpack_to_what_they_stand_for(code, seed):
    packed, plain = code
    assert rle.length(packed) == len(plain)
    assert rle.unpack(packed) == plain
    blanks = "".join(c + seed.choice(["", " ", "\n", "\t"]) for c in packed)
    assert lurd.moves(blanks) == plain


def test_moves_are_counted_before_they_are_unpacked():
    assert lurd.moves("1000000r") == "r" * 1_000_000
    with pytest.raises(LevelsmithError, match="expected at most 1,000,000 moves, got 1,000,001"):
        lurd.moves("1000000rl")
    with pytest.raises(LevelsmithError, match="expected at most 3 moves, got 4"):
        lurd.moves("3rl", longest=3)
    with pytest.raises(LevelsmithError, match="at most 16 brackets in each other"):
        lurd.moves("(" * 17 + "r" + ")" * 17)


@pytest.mark.parametrize(
    ("text", "named"), [("rrx", "x"), ("r;l", ";"), ("[]Urr", r"\["), ("lé", "é"), ("r٣", "٣")]
)
def test_a_character_that_is_no_move_is_named(text, named):
    with pytest.raises(
        LevelsmithError, match=rf"expected moves u d l r \(capitals for pushes\), got '{named}'"
    ):
        lurd.moves(text)


def test_npz_reads_a_batch_in_the_order_of_gym_sokoban(tmp_path):
    names = ["wall", "floor", "goal", "box on goal", "box", "player"]
    state = [[names.index(level(A).tiles.names[tile]) for tile in row] for row in level(A).grid]
    np.savez(
        tmp_path / "rooms.npz",
        grids=np.array([state], np.uint8),
        game=np.array("sokoban"),
        tiles=np.array(names),
    )
    assert levelsmith.load(tmp_path / "rooms.npz") == [level(A)]


# ---------------------------------------------------------------------------------------------- public levels


@BOTH
def test_microban_is_read_and_written_back(format, data_folder):
    levels = read((data_folder / "sokoban" / "microban_155.xsb").read_bytes(), format)
    assert len(levels) == 155
    numbered = [number for number, each in enumerate(levels, start=1) if each.title == str(number)]
    assert len(numbered) == 144  # the others have names
    assert levels[154].title == "The Dungeon"
    assert all(np.isin(each.grid, (5, 6)).sum() == 1 for each in levels)
    assert all(np.isin(each.grid, (2, 4)).sum() == np.isin(each.grid, (3, 4, 6)).sum() for each in levels)
    assert told(read(written(levels, format), format)) == told(levels)


@BOTH
def test_boxoban_is_read_as_text_and_written_back(format, data_folder, tmp_path):
    files = sorted((data_folder / "sokoban").glob("boxoban*.txt"))
    assert len(files) == 3
    counts = []
    for file in files:
        levels = levelsmith.load(file, game="sokoban")
        counts.append(len(levels))
        assert {each.size for each in levels} == {(10, 10)}
        assert [each.title for each in levels] == [str(number) for number in range(len(levels))]
        assert told(read(file.read_bytes(), format)) == told(levels)
        levelsmith.save(levels, tmp_path / f"pack.{format.name}")
        assert told(levelsmith.load(tmp_path / f"pack.{format.name}")) == told(levels)
        levelsmith.save(levels, tmp_path / "pack.txt")
        assert told(levelsmith.load(tmp_path / "pack.txt")) == told(levels)
    assert sorted(counts) == [332, 1000, 1000]
