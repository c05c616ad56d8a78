"""What is counted about a solution, on solutions short enough to count by hand."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsmith import LevelsmithError, parse
from levelsmith.games.sokoban.metrics.solution import decomposition, measured

TWO = "########\n#@     #\n# $  $ #\n# .  . #\n#      #\n########"


def counted(text, solution):
    return measured(parse(text, game="sokoban"), solution)


def test_every_metric_of_a_solution_counted_by_hand():
    found = counted(TWO, "rDurrrD")
    assert found == {
        "pushes": 2,
        "moves": 7,
        "box_lines": 2,
        "box_changes": 1,
        "pushing_sessions": 2,
        "player_lines": 5,
        "counterintuitive": 0,
        "detour": 0,
        "decomposition": 1,
        "dead_share": 16 / 24,
        "unused_floor": 1 - 11 / 24,  # from push to push by row 1 or by row 2
        "seldom_pushed": 1.0,
        "floor": 24,
        "difficulty": found["difficulty"],
    }


def test_a_line_goes_on_over_other_moves_but_a_session_does_not():
    found = counted("########\n#@$   .#\n#      #\n########", "RRRR")
    assert (found["box_lines"], found["pushing_sessions"], found["player_lines"]) == (1, 1, 1)
    found = counted("########\n#@$   .#\n#      #\n########", "RlrRRR")
    assert (found["box_lines"], found["pushing_sessions"], found["player_lines"]) == (1, 2, 3)


def test_a_push_away_from_the_nearest_goal_is_counterintuitive():
    found = counted("########\n#      #\n#.@$   #\n#      #\n########", "RurrdLLL")
    assert (found["counterintuitive"], found["pushes"], found["box_changes"]) == (1, 4, 0)


def test_pushes_that_only_make_way_for_another_box_are_a_detour():
    found = counted("#########\n####   ##\n# @*   ##\n####  $.#\n#########", "RRdrRuLL")
    assert (found["pushes"], found["detour"]) == (5, 4)


def test_pushes_to_get_behind_a_lone_box_are_no_detour():
    found = counted("########\n####   #\n#.@$   #\n####   #\n########", "RRurrdLLLL")
    assert (found["pushes"], found["detour"]) == (6, 0)


def test_nothing_to_count_in_an_empty_solution():
    found = counted("#####\n#@ *#\n#####", "")
    counts = [name for name in found if name not in ("dead_share", "unused_floor", "seldom_pushed", "floor")]
    assert {name: found[name] for name in counts} == dict.fromkeys(counts, 0)


def test_what_does_not_solve_is_refused():
    with pytest.raises(LevelsmithError, match="leaves 1 box off the goals"):
        counted(TWO, "rD")


def test_one_group_after_the_other_is_one_switch():
    assert decomposition([0, 0, 1, 1, 2, 2]) == 1
    assert decomposition([0, 1, 0, 1, 0]) == 4
    assert decomposition([0, 1, 0, 1, 2]) == 1  # 2 alone
    assert decomposition([0, 0]) == decomposition([]) == 0


@given(st.lists(st.integers(0, 5), max_size=30))
def test_the_decomposition_is_the_least_over_all_splits(order):
    boxes = sorted(set(order))
    counts = [
        sum((a in group) != (b in group) for a, b in pairwise(order))
        for size in range(1, len(boxes))
        for group in combinations(boxes, size)
    ]
    assert decomposition(order) == min(counts, default=0)
