"""What the rules of PuzzleScript do, in games of one or two rules; expected boards are the original's."""

import pytest
from tests.games.puzzles import KEYS, played, rows, source

from levelsmith.games.puzzlescript.compile import compile_game
from levelsmith.games.puzzlescript.random import Random
from levelsmith.games.puzzlescript.session import Session, board_text
from reference.puzzlescript import Twin

PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"
CHECKS = {
    "a changed object inherits movement": (
        {"rules": "right [ Player ] -> [ Crate ]", "levels": ".P.."},
        ">",
        "..*.",
    ),
    "movement left behind moves a newcomer": (
        {"rules": f"right {PUSH} ; right [ > Player | ] -> [ > Player | no Crate ]", "levels": "P*..."},
        ">",
        "..P..",
    ),
    "a later match is checked again": (
        {"rules": "right [ > Player | ... | Crate ] -> [ Player | ... | ]", "levels": "P*.*"},
        ">",
        "P..*",
    ),
    "an ellipsis may be no cell wide": (
        {
            "rules": "late right [ Player | ... | Crate no Ma ] -> [ Player | ... | Crate Ma ]",
            "levels": "P*.*",
        },
        "^",
        "PA.A",
    ),
    "a rule of a later group does not wake an earlier one": (
        {"rules": f"[ > Crate | Crate ] -> [ > Crate | > Crate ] ; {PUSH}", "levels": "P**."},
        ">",
        "P**.",
    ),
    "rules of one group repeat together": (
        {"rules": f"[ > Crate | Crate ] -> [ > Crate | > Crate ] ; + {PUSH}", "levels": "P**."},
        ">",
        ".P**",
    ),
    "crates that touch move as far as each can": (
        {
            "rules": f"{PUSH} ; + [ moving Crate | Crate ] -> [ moving Crate | moving Crate ]",
            "levels": "...../.P*../..*#.",
        },
        ">",
        "...../..P*./..*#.",
    ),
    "a rigid body stays whole": (
        {
            "rules": f"rigid {PUSH} ; + rigid [ moving Crate | Crate ] -> [ moving Crate | moving Crate ]",
            "levels": "...../.P*../..*#.",
        },
        ">",
        "...../.P*../..*#.",
    ),
    "again goes on while anything changes": (
        {"rules": "random [ no Ma ] -> [ Ma ] again", "levels": "P.."},
        ">",
        "1B1",
    ),
    "random draws by the number of the object": (
        {"rules": "[ Player no X ] -> [ Player random X ]", "levels": "P.."},
        "x",
        "B..",
    ),
    "rows may match the same cell": (
        {"rules": "[ Crate ] [ Crate ] -> [ Crate Ma ] [ ]", "levels": "P.**"},
        "^",
        "P.11",
    ),
    "a cancelled turn loses its again": (
        {"rules": "[ > Player | Wall ] -> cancel ; [ > Player ] -> [ > Player Ma ] again", "levels": "P.#"},
        ">>",
        "1P#",
    ),
    "restart goes to the checkpoint": (
        {"rules": "late [ Player Target ] -> checkpoint", "levels": "POO."},
        ">>>r",
        ".O%.",
    ),
    "restart can be undone": ({"rules": PUSH, "levels": "P*..."}, ">>ru", "..P*."),
    "undo takes back the ticks after a key": (
        {
            "rules": "right [ stationary Player ] [ Crate | no Crate no Wall ] -> [ Player ] [ | Crate ]",
            "levels": "P.*....",
            "prelude": "realtime_interval 1",
        },
        ">ttu",
        "P.*....",
    ),
    "one player that moves is enough": (
        {
            "rules": "[ moving Player ] -> [ moving Player Ma ]",
            "levels": "PP..",
            "prelude": "require_player_movement",
        },
        ">",
        "1BP.",
    ),
    "a turn in which no player moves does not count": (
        {
            "rules": "[ moving Player ] -> [ moving Player Ma ]",
            "levels": "P#.",
            "prelude": "require_player_movement",
        },
        ">",
        "P#.",
    ),
    "a won board before a message stays": (
        {"levels": "PO.;message well done;#P#", "wins": "some Player on Target"},
        ">><",
        ".%.",
    ),
    "a win loads the next level": ({"levels": "PO.;#P.", "wins": "some Player on Target"}, ">", "#P."),
    "rules run when a level starts": (
        {"rules": "[ Crate ] -> [ Crate Ma ]", "levels": "P.*", "prelude": "run_rules_on_level_start"},
        "",
        "P.A",
    ),
    "a loop repeats until nothing changes": (
        {
            "rules": "startloop ; right [ Ma | Crate no Ma ] -> [ Ma | Crate Ma ] ;"
            "[ Player no Ma ] -> [ Player Ma ] ; endloop",
            "levels": "P**",
        },
        "x",
        "BAA",
    ),
    "the command win wins": ({"rules": "[ > Player | Wall ] -> win", "levels": "P#;*P"}, ">", "*P"),
    "no undo where the game forbids it": ({"levels": "P..", "prelude": "noundo"}, ">u", ".P."),
}


@pytest.mark.parametrize("name", CHECKS)
def test_small_games_end_as_in_the_original(name):
    game, keys, expected = CHECKS[name]
    assert played(Twin, keys, **game) == expected


def test_random_numbers_are_those_of_the_original():
    for seed, expected in (("levelsmith", 0.5363374653516009), ("1", 0.37540831733284075)):
        assert Random(seed).below(2**40) == int(expected * 2**40)


def test_a_board_is_written_column_after_column():
    program = compile_game(source(levels="P*./..O"))
    text = board_text(program.names, program.levels[0].board, 2, 3)
    assert text == "background player:0,background:1,background crate:2,\n1,1,background target:3,\n"


def test_a_game_that_never_comes_to_rest_is_cut_off():
    rules = """[ Player Ma ] -> [ Player Mb ] ; [ Player no Ma no Mb ] -> [ Player Ma ] again ;
        [ Player Mb ] -> [ Player ] again"""
    session = Session(compile_game(source(rules=rules, levels="P")), Twin)
    session.press(KEYS["x"])
    assert session.endless
    assert rows(session) == "B"  # a turn and 300 more
