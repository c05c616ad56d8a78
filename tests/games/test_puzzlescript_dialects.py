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
        ("local_radius 3", "", "local_radius"),
        ("", "[ > Player | Crate ] -> [ | ] goto Two", "goto"),
        ("", "gosub push", "gosub"),
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
