"""What is said first of a level."""

from dataclasses import replace

import levelsmith
from levelsmith.levels.measure import headline

RUN = "M..G..G.\n........\n........\n........\n........\nBBBBBBBB"


def test_a_puzzle_says_whether_its_pushes_are_proved_to_be_the_fewest():
    wanted = {"size": (6, 6), "want": {"difficulty": "10..95"}, "seed": 3}
    assert "pushes (proved fewest)" in headline(levelsmith.generate("sokoban", **wanted).best)
    played = replace(levelsmith.parse("#######\n#@ $. #\n#######", game="sokoban"), solution="rlrR")
    assert headline(played).startswith(
        "1 box, 1 push (proved fewest), 2 moves (4 in the solution that it carries), difficulty "
    )
    detour = levelsmith.parse("########\n#@ $.  #\n#      #\n########", game="sokoban")
    around = replace(detour, solution="rRRdrruL")
    assert "1 push (proved fewest, 3 in the solution that it carries), 2 moves, " in headline(around)
    alone = levelsmith.parse("######\n#@$ .#\n######", game="sokoban")
    assert headline(alone) == "1 box, no solution known"


def test_a_map_tells_its_longest_path_and_its_regions():
    level = levelsmith.parse("...\n##.\n...", game="binary")
    assert headline(level) == "longest path 6 steps, 1 region"


def test_a_run_tells_its_gold_its_enemies_and_its_plan():
    level = levelsmith.parse(RUN, game="loderunner")
    assert headline(level) == "2 gold, 0 enemies, no plan known"


def test_a_game_that_has_nothing_to_say_says_nothing():
    assert headline(levelsmith.parse("^.", game="orchard")) is None
