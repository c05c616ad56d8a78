"""How levels are built: counted by hand, asked for by ranges, and the same wherever it is counted."""

import numpy as np
import pytest

import levelsmith
from levelsmith import LevelsmithError, parse
from levelsmith.games.sokoban.metrics.board import form_of
from levelsmith.games.sokoban.metrics.solution import measured as of_solution
from levelsmith.games.sokoban.metrics.solution import used, used_by_pushes
from levelsmith.games.sokoban.rules.rules import SokobanBoard
from levelsmith.registry import games

GOAL_ROOM = """\
  #########
###   #  .#
#@ $$    .#
#   $ #  .#
###########"""


def measured(text):
    return levelsmith.measure(parse(text, game="sokoban"))


def test_a_goal_room_counted_by_hand():
    found = measured(GOAL_ROOM)
    assert {name: found[name] for name in ("goal_groups", "lone_goals", "areas", "entrances")} == {
        "goal_groups": 1,
        "lone_goals": 0,
        "areas": 2,
        "entrances": 1,  # the door in the wall between the two rooms
    }
    floor = 6 + 9 + 8
    assert found["corridors"] == pytest.approx(1 / floor)
    assert found["compactness"] == pytest.approx(floor / 27)
    assert found["mirror_share"] == pytest.approx(23 / 27)  # upside down, four cells differ
    assert found["turn_share"] == pytest.approx(19 / 27)


def test_goals_apart_are_alone_and_one_beside_another_is_not():
    room = np.ones((3, 6), np.bool_)
    found = form_of(room, {(0, 0), (0, 1), (2, 4)})
    assert (found["goal_groups"], found["lone_goals"]) == (2, pytest.approx(1 / 3))
    assert found["mirror_share"] == found["turn_share"] == found["compactness"] == 1
    assert (found["areas"], found["corridors"], found["entrances"]) == (1, 0, 0)


def test_a_room_that_a_half_turn_leaves_as_it_is_need_not_be_mirrored():
    room = np.array([[1, 1, 0], [0, 1, 0], [0, 1, 1]], np.bool_)
    found = form_of(room, {(1, 1)})
    assert found["turn_share"] == 1
    assert found["mirror_share"] == pytest.approx(5 / 9)
    assert (found["areas"], found["corridors"], found["entrances"]) == (0, 1, 2)


def test_cells_that_player_and_boxes_come_to_are_in_use():
    board = SokobanBoard(parse("#######\n#@$ . #\n#     #\n#######", game="sokoban").grid)
    assert used(board, "RR") == {(1, 1), (1, 2), (1, 3), (1, 4)}
    found = measured("#######\n#@$ . #\n#     #\n#######")
    assert found["unused_floor"] == pytest.approx(6 / 10)
    assert found["seldom_pushed"] == 1


def test_all_shortest_ways_between_pushes_are_in_use_and_no_longer_one():
    text = "######\n#@   #\n#    #\n# $. #\n######"
    board = SokobanBoard(parse(text, game="sokoban").grid)
    assert used(board, "ddR") == {(1, 1), (2, 1), (3, 1), (3, 2), (3, 3)}
    for walk in ("ddR", "rdldR", "rrrdllldR"):
        assert used_by_pushes(board, walk) == {(1, 1), (2, 1), (3, 1), (3, 2), (3, 3)}
    board = SokobanBoard(parse(text.replace("$.", " $").replace("$ #", "$.#"), game="sokoban").grid)
    assert used_by_pushes(board, "rddR") == used_by_pushes(board, "ddrR")
    assert len(used_by_pushes(board, "ddrR")) == 6 + 2


@pytest.mark.first(2)
@pytest.mark.parametrize(
    ("turn", "letters"), [(np.fliplr, "udrl"), (np.flipud, "dulr"), (np.transpose, "lrud")]
)
def test_a_level_in_a_mirror_is_built_and_used_alike(turn, letters):
    game = games.get("sokoban")
    for level in levelsmith.generate("sokoban", size=(5, 6), count=12, seed=3, workers=1).levels:
        grid = np.ascontiguousarray(turn(level.grid))
        solution = level.solution.translate(str.maketrans("udlrUDLR", letters + letters.upper()))
        (one,) = game.measure_solved(level.grid[None], [level.solution])
        (other,) = game.measure_solved(grid[None], [solution])
        assert one == pytest.approx(other)
        image = levelsmith.Level("sokoban", level.tiles, grid)
        assert of_solution(level, level.solution) == pytest.approx(of_solution(image, solution))


def test_floor_that_nobody_can_come_to_is_without_use_too():
    assert measured("#######\n#@$.# #\n#######")["unused_floor"] == pytest.approx(1 / 4)


def test_what_needs_a_solution_is_not_known_without_one():
    found = measured("######\n#@$ #\n## .##\n######")
    assert found["unused_floor"] is None
    assert found["seldom_pushed"] is None
    assert found["goal_groups"] == 1


@pytest.mark.parametrize(
    ("search", "want"),
    [
        (None, {"unused_floor": "..0.1", "goal_groups": "1..2", "boxes": "2..3"}),
        (None, {"mirror_share": "1", "boxes": 2}),
        ("sa", {"unused_floor": "..0.1", "lone_goals": "0", "boxes": 2}),
        ("carve", {"goal_groups": 1, "corridors": "0.1..0.9", "boxes": 2}),
    ],
)
def test_searches_and_makers_keep_ranges_of_form(search, want):
    asked = {"size": (5, 6), "seed": 4, "workers": 1, "want": want, "count": 2}
    if search == "carve":
        asked["set"] = {"boxes": want["boxes"]}
    made = levelsmith.generate("sokoban", search=search, evaluations=20_000, **asked)
    for level in made.levels:
        found = levelsmith.measure(level)
        for metric, text in want.items():
            low, dots, high = str(text).partition("..")
            assert float(low or 0) <= found[metric] <= (float(high) if dots else float(low))


def test_warehouses_serve_ranges_of_form():
    made = levelsmith.generate("sokoban", want={"unused_floor": "..0.1", "seldom_pushed": 0}, seed=1)
    assert made.best.provenance["search"] == "warehouse"
    made = levelsmith.generate("sokoban", want={"unused_floor": "0.2..0.5"}, seed=1, evaluations=2_000)
    assert made.best.provenance["search"] == "sa"


def test_the_objective_form_is_met():
    made = levelsmith.generate("sokoban", size=(5, 5), objective="form", set={"boxes": 2}, seed=3)
    found = levelsmith.measure(made.best)
    assert made.score == 1
    assert found["lone_goals"] == found["unused_floor"] == found["seldom_pushed"] == 0
    assert found["goal_groups"] in (1, 2)


def test_a_share_beyond_the_whole_is_refused():
    with pytest.raises(LevelsmithError, match="mirror_share"):
        levelsmith.generate("sokoban", want={"mirror_share": "2.."}, seed=1)
