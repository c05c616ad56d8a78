"""The solver of Sokoban: shortest, or proved to have none, or honest about the limit that stopped it."""

from __future__ import annotations

import itertools
import random
import time
from types import SimpleNamespace
from unittest.mock import patch

import pytest

from games.solver_twin import huge, random_level, shut_for_good
from games.solver_twin import main as compare
from levelsmith import LevelsmithError, load, parse, solve
from levelsmith.games.sokoban.rules.rules import SokobanBoard, replay
from levelsmith.games.sokoban.solver import solve as solver
from levelsmith.levels import solve as solving
from reference.sokoban import shortest

ROOM = "#######\n#     #\n# @$ .#\n#     #\n#######"
DEPOT = """
####################
#....  #     #     #
#....    $ $ # $ $ #
#....  ##  ### $   #
####### #$ #  $  $ #
      #  $     $   #
      # $ ###  ##$##
      #    #   #   #
      #    #     @ #
      ######  ######
           ####
""".strip("\n")
OPEN = "########\n#.     #\n#  $$$ #\n#      #\n#. @  .#\n########"
HALL = """
  #########
###       ###
#    $ $    #
# $ #   # $ #
#     @     #
## $ # # $ ##
 #         #
 ###    ####
   #....#
   #.  .#
   ######
""".strip("\n")
UNSOLVABLE = {
    "a box in a corner": "#####\n#$ .#\n# @ #\n#####",
    "no way to the goal": "######\n#  #.#\n# $###\n# @ ##\n######",
    "two boxes frozen at a wall": "#######\n#  $$ #\n# @   #\n#. .  #\n#######",
    "two boxes for one goal in reach": "########\n#@ $ $.#\n#####.##\n########",
    "a box that nobody can reach": "########\n#@ #$ .#\n########",
    "a corridor that the player cannot pass": "########\n#.@$ $.#\n########",
}


def level(text):
    return parse(text, game="sokoban")


def test_it_agrees_with_a_plain_search_on_random_and_made_levels():
    found = compare(40, seed=5, most=1_500)
    assert found["solved"] > 15
    assert found["unsolvable"] > 10


def test_it_agrees_with_a_plain_search_on_public_levels(data_folder):
    found = compare(40, seed=5, most=1_500, public=True)
    assert found["solved"] > 5
    assert found["unsolvable"] > 10


def test_a_region_that_is_said_to_be_shut_for_good_leaves_no_solution():
    rng = random.Random(3)
    shut = [level for level in (random_level(rng) for _ in range(600)) if shut_for_good(level)]
    assert len(shut) > 20
    assert all(shortest(SokobanBoard(level.grid), 3_000)[0] in (None, "unknown") for level in shut)


def test_a_solution_is_shortest_and_written_with_capitals_for_pushes():
    verdict = solve(level(ROOM))
    assert (verdict.status, verdict.optimal, verdict.solution) == ("solved", True, "RR")
    assert verdict.statistics["states"] > 0


@pytest.mark.parametrize("choices", [{}, {"any": True}, {"moves": True}], ids=str)
@pytest.mark.parametrize("text", UNSOLVABLE.values(), ids=UNSOLVABLE)
def test_it_proves_that_there_is_no_solution(text, choices):
    verdict = solve(level(text), **choices)
    assert (verdict.status, verdict.optimal, verdict.solution) == ("unsolvable", False, None)
    assert verdict.metrics == {}


@pytest.mark.parametrize("text", ["#####\n#@ *#\n#####", "###\n#@#\n###", "######\n#@ #*#\n######"])
def test_a_level_that_is_solved_already_needs_nothing(text):
    for choices in ({}, {"any": True}, {"moves": True}):
        verdict = solve(level(text), **choices)
        assert (verdict.status, verdict.optimal, verdict.solution) == ("solved", True, "")
        assert verdict.metrics["pushes"] == verdict.metrics["moves"] == 0


def test_boxes_on_goals_behind_walls_stay_there():
    assert solve(level("#######\n#@$.#*#\n#######")).solution == "R"


def test_fewest_moves_are_chosen_among_the_shortest():
    text = "########\n#@     #\n# $  $ #\n# .  . #\n#      #\n########"
    some, least = solve(level(text)), solve(level(text), moves=True)
    assert some.metrics["pushes"] == least.metrics["pushes"] == 2
    assert least.metrics["moves"] == 7
    assert replay(level(text), least.solution) == least.solution


def test_the_fewest_pushes_stay_proved_where_the_fewest_moves_take_too_long():
    made = level(OPEN)
    enough = solve(made, moves=True)
    verdicts = (
        solve(made, moves=True, states=states) for states in range(20, enough.statistics["states"], 20)
    )
    solved = next(verdict for verdict in verdicts if verdict.status != "unknown")
    assert (solved.status, solved.optimal) == ("solved", True)
    assert solved.metrics["pushes"] == enough.metrics["pushes"]
    assert solved.statistics["limit"] == "fewest moves unproved: states"
    assert "limit" not in enough.statistics


def test_few_moves_are_the_fewest_where_nothing_was_left_out_and_never_fewer():
    narrowed = 0
    for made in (level(ROOM), level(OPEN)):
        exact = solve(made, moves=True)
        pushes, moves = exact.metrics["pushes"], exact.metrics["moves"]
        all_ways = solver.few_moves(made, pushes, 10**6)
        assert (len(all_ways[0]), all_ways[1]) == (moves, True)
        for width in (1, 5, 20, 100):
            found = solver.few_moves(made, pushes, width)
            narrowed += found is not None and not found[1]
            if found is not None:
                solution = replay(made, found[0])
                assert sum(map(str.isupper, solution)) == pushes
                assert len(solution) == moves if found[1] else len(solution) >= moves
    assert narrowed


def test_a_solution_of_many_boxes_has_no_wasteful_walks(monkeypatch):
    """Where all shortest solutions are too many to look at, some are, rather than the first alone."""
    few = solve(level(HALL), seconds=60)
    monkeypatch.setattr(solver, "WIDTHS", ())
    first = solve(level(HALL), seconds=60)
    assert few.optimal
    assert few.metrics["pushes"] == first.metrics["pushes"]
    assert few.metrics["moves"] < 0.9 * first.metrics["moves"]


def test_ways_to_push_are_counted():
    two = "########\n#@     #\n# $  $ #\n# .  . #\n#      #\n########"
    for choices, told in (({}, 2), ({"moves": True}, 2), ({"any": True}, None)):  # either box first
        assert solve(level(two), **choices).metrics["optimal_solutions"] == told
    field = "\n".join(["#" * 14, *["#            #"] * 9, "#" * 14]).replace("# ", "#@", 1)
    rows = [list(row) for row in field.split("\n")]
    for i in range(5):
        rows[2 + i][3], rows[2 + i][10 - i] = "$", "."
    many = solve(level("\n".join(map("".join, rows))), seconds=None)
    assert many.optimal
    assert many.metrics["optimal_solutions"] is None  # too many states to look at for a mere count


@pytest.mark.slow
def test_a_limit_gives_unknown_and_says_which():
    for name, choices in {
        "states": {"states": 200, "seconds": None},
        "memory": {"memory": 40_000_000, "seconds": None},
        "cancelled": {"cancel": lambda: True},
    }.items():
        verdict = solve(huge(), **choices)
        assert (verdict.status, verdict.optimal, verdict.solution) == ("unknown", False, None)
        assert verdict.statistics["limit"] == name
    assert verdict.statistics["states"] < 1000


@pytest.mark.parametrize("any", [False, True])
def test_a_time_limit_is_kept_on_a_huge_level(any):
    solve(level(ROOM))
    started = time.process_time()
    verdict = solve(huge(), any=any, seconds=1)
    assert time.process_time() - started < 4
    assert verdict.status == "solved" or verdict.statistics["limit"] == "seconds"


def test_what_is_no_level_is_refused():
    with pytest.raises(LevelsmithError, match="the wall is open at row 1, column 2"):
        solve(level("# ###\n#@$.#\n#####"))
    with pytest.raises(LevelsmithError, match="1 box but 0 goals: add a goal"):
        solve(level("#####\n#@$ #\n#####"))


def test_the_same_states_give_the_same_answer():
    one, two = (solve(huge(), states=5_000, seconds=None) for _ in range(2))
    assert one.statistics["states"] == two.statistics["states"]


def test_uncompiled_it_says_the_same(python):
    program = """
from levelsmith import parse, solve
for text in {!r}:
    for choices in ({{}}, {{"any": True}}, {{"moves": True}}):
        verdict = solve(parse(text, "sokoban"), seconds=None, **choices)
        print(verdict.status, verdict.solution, verdict.statistics["states"])
"""
    texts = [ROOM, *UNSOLVABLE.values(), "######\n#    #\n# #@ #\n# $* #\n# .* #\n#    #\n######"]
    plain = python(program.format(texts), LEVELSMITH_KERNELS="plain")
    assert plain == python(program.format(texts))


def test_whole_ways_of_a_box_solve_what_single_pushes_do_not_so_soon():
    depot = level(DEPOT)
    assert solve(depot, any=True, states=100_000, seconds=None).status == "solved"
    with patch.object(solver, "EASY", 10**9):
        assert solve(depot, any=True, states=100_000, seconds=None).status == "unknown"


def test_any_solution_is_found_where_goals_must_be_filled_in_order(data_folder):
    (narrow,) = load(data_folder / "sokoban" / "microban_155.xsb#153", game="sokoban")
    assert solve(narrow, any=True, states=500_000, seconds=None).status == "solved"


def test_the_game_of_a_file_that_does_not_say_it_is_asked_for(tmp_path):
    (tmp_path / "one.txt").write_text(ROOM)
    (verdict,) = solve(tmp_path / "one.txt", game="sokoban")
    assert verdict.solution == "RR"


def test_many_levels_have_a_list_of_verdicts_or_one_after_the_other():
    levels = [level(ROOM), level("#####\n#@$ #\n#####"), level(ROOM)]
    verdicts = solve(levels)
    assert [verdict.status for verdict in verdicts] == ["solved", "malformed", "solved"]
    assert [verdict.status for verdict in solve(iter(levels), workers=2)] == ["solved", "malformed", "solved"]
    taken = []
    later = solve((taken.append(each) or each for each in levels), lazily=True)
    assert (next(later).status, len(taken)) == ("solved", 1)
    assert len(list(later)) == 2


def test_two_workers_know_as_much_of_a_level_whenever_processes_are_started(monkeypatch):
    """The first levels are solved before processes start: one that is cut short by that is solved again."""
    levels = [level(ROOM), level(ROOM)]
    (expected, _) = solve(levels, seconds=None, moves=True)
    assert expected.metrics["optimal_solutions"] == 1
    ticks = itertools.count()
    clock = SimpleNamespace(perf_counter=lambda: next(ticks))
    monkeypatch.setattr("levelsmith.levels.solve.time", clock)
    monkeypatch.setattr("levelsmith.levels.spending.clock", clock.perf_counter)
    monkeypatch.setattr("levelsmith.processes.spread", lambda work, given, *_: map(work, given))
    begun = set()
    for soon in range(1, 40):  # ticks until processes are started
        monkeypatch.setattr("levelsmith.processes.SOON", soon)
        with patch.object(solving, "_work", side_effect=solving._work) as work:
            found = solve(levels, seconds=None, moves=True, workers=2)
        assert [(each.solution, each.metrics) for each in found] == [
            (expected.solution, expected.metrics)
        ] * 2
        begun.add(work.call_count)
    assert begun == {0, 1, 2}


def test_public_levels_are_solved(data_folder):
    verdicts = list(solve(data_folder / "sokoban" / "aiide2016_five_examples.xsb", workers=2))
    assert [verdict.metrics["pushes"] for verdict in verdicts] == [2, 7, 9, 10, 13]
