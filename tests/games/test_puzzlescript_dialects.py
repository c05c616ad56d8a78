"""Sources of PuzzleScript's dialects play as the same game written in the original language does."""

from dataclasses import replace

import pytest
from tests.games.puzzles import KEYS

from levelsmith import LevelsmithError
from levelsmith.games.puzzlescript.compile import compile_game, compile_source
from levelsmith.games.puzzlescript.engine import Kernel
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.session import Session, board_text
from levelsmith.games.puzzlescript.tags import COLON, Tags

HEAD = """title Colours
sprite_size 3
level_select
{prelude}
TAGS
Color = Red Blue
Size = Small

MAPPINGS
Color => Other
Red Blue -> Blue Red

OBJECTS
Background .
#10101080

Player P
white
0.0
.0.
0.0

Crate:Color:Size
red
.0.
000
...

Crate:Blue:Small
copy: Crate:Red:Small rot:up:right
blue

Arrow:directions
green

LEGEND
R = Crate:Red:Small
B = Crate:Blue:Small
A = Arrow:right
C = Arrow:up
Crate = Crate:Color:Size

SOUNDS

COLLISIONLAYERS
Background
--
Player, Crate
directions -> Arrow:directions

RULES
{rules}

WINCONDITIONS
no Crate:Blue:Size

LEVELS
section One
level The first
{level}
"""


def played(rules, level, keys, prelude=""):
    program = compile_game(HEAD.format(rules=rules, level=level, prelude=prelude))
    session = Session(program, Kernel)
    for key in keys:
        session.press(KEYS[key])
    shape = program.levels[0].height, program.levels[0].width
    return board_text(program.names, session.engine.board(), *shape).replace(COLON, ":")


@pytest.mark.parametrize(
    ("tagged", "written_out"),
    [
        (
            "Color [ > Player | Crate:Color:Size ] -> [ Player | Crate:Other:Size ] nosave",
            (
                "[ > Player | Crate:Red:Small ] -> [ Player | Crate:Blue:Small ]\n"
                "+ [ > Player | Crate:Blue:Small ] -> [ Player | Crate:Red:Small ]"
            ),
        ),
        (
            "[ > Player | Crate ] -> [ > Player Arrow:> | > Crate ] status pushed",
            "\n".join(
                f"{way} [ > Player | Crate ] -> [ > Player Arrow:{way} | > Crate ]"
                for way in ("up", "down", "left", "right")
            ),
        ),
        (
            "[ > Player | Arrow:^ ] -> [ > Player | Arrow:< ]",
            (
                "right [ > Player | Arrow:up ] -> [ > Player | Arrow:left ]\n"
                "left [ > Player | Arrow:down ] -> [ > Player | Arrow:right ]\n"
                "up [ > Player | Arrow:left ] -> [ > Player | Arrow:down ]\n"
                "down [ > Player | Arrow:right ] -> [ > Player | Arrow:up ]"
            ),
        ),
        (
            "right [ > Player | Arrow:perpendicular ] -> [ > Player | ]",
            (
                "right [ > Player | Arrow:up ] -> [ > Player | ]\n"
                "right [ > Player | Arrow:down ] -> [ > Player | ]"
            ),
        ),
    ],
)
def test_rules_with_tags_do_what_they_do_written_out(tagged, written_out):
    moved = False
    for level in ("P.RC.B", "..PC..\n.BRA..", "PA.C.R", "PC.A.B"):
        for keys in (">>>", "v>>", ">>v<^"):
            assert played(tagged, level, keys) == played(written_out, level, keys)
            moved |= played(tagged, level, keys) != played("", level, keys)
    assert moved


def test_a_tag_stands_for_its_values_and_those_of_tags_in_it():
    tags = Tags()
    for line in ("primary = red blue", "color = primary green"):
        assert tags.declare(line)
    assert tags.map("primary => next", "red blue -> blue red")
    assert tags.members("crate:color:up") == ["crate:red:up", "crate:blue:up", "crate:green:up"]
    assert tags.put("crate:next:primary", {"primary": "red"}) == "crate:blue:red"
    assert not tags.map("primary => short", "red blue -> blue")


def test_several_tags_before_a_layer_may_have_commas():
    text = HEAD.format(rules="", level="P.R", prelude="").replace(
        "Player, Crate\n", "Player\nColor, Size -> Crate:Color:Size\n"
    )
    source = compile_game(text).source
    assert [len(members) for _, members in source.layers] == [1] * 8


def test_objects_layers_and_pictures_are_written_out():
    program = compile_game(HEAD.format(rules="", level="P.R", prelude=""))
    source = program.source
    assert not source.faults.errors
    names = {name.replace(COLON, ":") for name in source.objects}
    assert names >= {"crate:red:small", "crate:blue:small", "arrow:up", "arrow:left"}
    assert len(source.layers) == 6  # one for each arrow
    blue = source.objects[f"crate{COLON}blue{COLON}small"]
    assert blue.colours == ["blue"]
    assert blue.sprite == ["..0..", "..0..", "..000", "..0..", "..0.."]  # turned to the right
    assert source.objects["background"].colours == ["#101010"]
    assert source.levels[0].rows == ["p.r"]


@pytest.mark.parametrize(
    ("prelude", "rules", "word"),
    [
        ("mouse_left Player", "", "mouse_left"),
        ("local_radius far", "", "local_radius"),
        ("", "[ > Player | Crate ] -> [ | ] quit", "quit"),
        ("", "[ > Player ] -> [ > Player ] gosub push", "gosub"),
    ],
)
def test_a_word_that_changes_play_and_has_no_equal_is_named_with_its_line(prelude, rules, word):
    text = HEAD.format(rules=rules, level="P.R", prelude=prelude)
    line = 1 + text[: text.index(word)].count("\n")
    with pytest.raises(LevelsmithError, match=rf"^line {line}, column 1: '{word}' is a word of PuzzleScript"):
        compile_game(text)


def test_comments_with_slashes_and_lines_cut_by_semicolons_are_read():
    text = """title Slashes
// a comment (that is open
OBJECTS
Background;black;
Player p;white;
Wall (;grey;
Goal; red // here
LEGEND
. = Background
g = Goal
SOUNDS
COLLISIONLAYERS
Background
Goal
Player, Wall
RULES
[ > Player | Goal ] -> [ > Player | ] // eats
WINCONDITIONS
no Goal
LEVELS
p.g
"""
    source, program = compile_source(text)
    assert program is not None
    game = PuzzleGame("slashes", text)
    (level,) = game.levels()
    (again,) = PuzzleGame("again", game.with_levels([replace(level, solution="rr")])).levels()
    assert again.solution == "rr"
    assert (again.grid == level.grid).all()
    assert not source.faults.errors
    session = Session(program, Kernel)
    session.press(KEYS[">"])
    session.press(KEYS[">"])
    assert session.won


def test_a_name_of_the_game_may_be_a_word_of_a_dialect():
    rules = "Color [ > Player | Link ] -> [ > Player | ]"
    text = HEAD.format(rules=rules, level="P.R", prelude="").replace(
        "LEGEND\n", "LEGEND\nLink = Crate:Red:Small\n", 1
    )
    session = Session(compile_game(text), Kernel)
    for _ in range(2):
        session.press(KEYS[">"])
    assert "crate" not in board_text(session.program.names, session.engine.board(), 1, 3)


PLAIN = """title Plain
{prelude}
OBJECTS
Background .
black
Player P
white
Crate *
brown
crate b
brown
Exit E
green
Mark
blue
LEGEND
B = Crate
SOUNDS
COLLISIONLAYERS
Background
Exit
Player, Crate, crate
Mark
RULES
{rules}
WINCONDITIONS
{wins}
LEVELS
{level}
"""
PUSH = """[ > Player | Crate ] -> [ > Player | > Crate ]
{first}[ > Crate | Crate ] -> [ > Crate | > Crate ]"""


def plain(rules, level, keys, prelude="local_radius 9", wins=""):
    """Returns a session of a game without tags after some keys, and the cells of its first row."""
    text = PLAIN.format(rules=rules, level=level, prelude=prelude, wins=wins)
    if "case" not in prelude:
        for part in ("crate b\nbrown\n", "B = Crate\n", ", crate"):
            text = text.replace(part, "")
    session = Session(compile_game(text), Kernel)
    for key in keys:
        session.press(KEYS[key])
    found = session.engine.board()
    names = session.program.names
    height = level.count("\n") + 1
    cells = [
        "".join(
            sorted(n[0] for i, n in enumerate(names) if int(words[i // 64]) >> i % 64 & 1 and n[0] != "b")
        )
        for words in found
    ]
    return session, ["".join(cell or "." for cell in cells[row::height]) for row in range(height)]


@pytest.mark.parametrize(
    ("level", "first", "after"),
    [
        ("P***.", "", "pccc."),  # the third crate is too far away
        ("P**..", "", ".pcc."),
        ("P***.", "global ", ".pccc"),
        ("P***..P", "", "pccc..p"),  # the second player's crates are not near the first one
        ("P.....P***.", "", ".p....pccc."),
        ("......P***.\nP..........", "", "......pccc."),  # the first one is in the leftmost column
    ],
)
def test_rules_match_near_the_first_player_alone(level, first, after):
    _, rows = plain(PUSH.format(first=first), level, ">", prelude="local_radius 2")
    assert rows[0] == after


def test_no_mark_of_the_radius_is_left_behind():
    session, _ = plain(PUSH.format(first=""), "P*...", ">", prelude="local_radius 2")
    marks = sum(1 << i for i, name in enumerate(session.program.names) if not name.isascii())
    assert marks
    assert not any(int(words[0]) & marks for words in session.engine.board())


ROUTINES = """[ > Player | Crate ] -> [ > Player | Crate ] gosub Push
[ Mark ] -> [ ]
subroutine Push
[ > Player | Crate ] -> [ > Player | > Crate ]
[ > Crate | Crate ] -> gosub Both
subroutine Both
[ > Crate | Crate ] -> [ > Crate | > Crate ]
"""


@pytest.mark.parametrize(
    ("rules", "level", "after"),
    [
        (ROUTINES, "P*..", ".pc."),
        (ROUTINES, "P**.", ".pcc"),
        (ROUTINES.replace("> Player | Crate ] gosub", "> Player | Crate ] again"), "P*..", "pc.."),
        (
            "[ > Player | Crate ] -> cancel\n[ > Player ] -> gosub Out\nsubroutine Out\n[ Crate ] -> [ ]",
            "P*.*",
            "pc.c",
        ),
        ("[ > Player | no Crate ] -> gosub Out\nsubroutine Out\n[ Crate ] -> [ ]", "P..*", ".p.."),
        ("[ > Player | Crate ] -> gosub Out\nsubroutine Out\n[ Crate ] -> [ ]", "P..*", ".p.c"),
    ],
)
def test_a_subroutine_runs_where_it_is_called(rules, level, after):
    _, rows = plain(rules, level, ">")
    assert rows == [after]


def test_capitals_tell_names_and_characters_apart():
    rules = "[ > Player | Crate ] -> [ > Player | > Crate ]"
    for level, after in (("P*.", ".pc"), ("PB.", ".pc"), ("Pb.", "pc.")):
        _, rows = plain(rules, level, ">", prelude="case_sensitive")
        assert [row.replace("\ua4d2", "c") for row in rows] == [after]


@pytest.mark.parametrize("leave", ["goto Two", "link"])
def test_a_level_that_is_left_for_another_is_won(leave):
    session, _ = plain(f"late [ Player Exit ] -> {leave}", "P.E", ">")
    assert not session.won
    session, _ = plain(f"late [ Player Exit ] -> {leave}", "P.E", ">>")
    assert session.won


def test_a_game_with_clicks_is_played_by_its_keys():
    rules = "[ lclick Crate ] -> [ ]\n[ > Player | Crate ] -> [ > Player | > Crate ]"
    session, rows = plain(rules, "P*.", ">", prelude="mouse_clicks")
    assert rows == [".pc"]
    assert not session.program.source.faults.errors
    session, _ = plain("[ lclick Crate ] -> [ ]", "P*.", ">", prelude="mouse_clicks")  # keys do nothing
    assert "'mouse_clicks'" in session.program.source.faults.errors[0].text
