"""A range is one of the truth: of a shortest solution, whatever solution a level was made with."""

from dataclasses import replace

import pytest

import levelsmith
from levelsmith.core import Effort, Verdict
from levelsmith.games.sokoban.metrics import truth
from levelsmith.games.sokoban.rules.rules import SokobanBoard
from levelsmith.games.sokoban.solver import solve as solver
from levelsmith.making.candidates import share_met
from levelsmith.making.wants import wanted
from levelsmith.registry import games
from reference.sokoban import shortest

PLAYED = {"representation": "play", "size": (5, 5), "workers": 1, "partial": True}
ROUND = "########\n#@ $.  #\n#      #\n########"  # and a solution of three pushes where one will do
LONG = "rRRdrruL"


def fewest_pushes(level):
    """Pushes that a plain breadth-first search finds."""
    return shortest(SokobanBoard(level.grid))[0]


def test_levels_by_play_lie_in_their_ranges_by_a_shortest_solution():
    made = levelsmith.generate("sokoban", want={"pushes": "8..12"}, count=3, seed=1, **PLAYED)
    assert len(made.levels) >= 2
    for level in made.levels:
        pushes = sum(map(str.isupper, level.solution))
        assert pushes == fewest_pushes(level)
        assert 8 <= pushes <= 12
        assert level.provenance["proved"]


def test_what_lies_in_no_range_in_truth_is_not_handed_out_and_the_nearest_is_named():
    found = levelsmith.generate("sokoban", want={"difficulty": "85.."}, seed=1, evaluations=3000, **PLAYED)
    assert not found.levels
    assert found.score < 1
    assert not found.solved
    assert found.missed.startswith("difficulty ")
    best = levelsmith.measure(found.best)["difficulty"]
    assert found.missed.startswith(f"difficulty {best:.4g} was the most found")


def test_kept_levels_lie_in_their_ranges_too():
    asked = {"want": {"pushes": "7..9"}, "keep_above": 1, "keep_most": 4, "evaluations": 3000, "seed": 2}
    levels = levelsmith.generate("sokoban", **asked, **PLAYED).levels
    assert levels
    assert all(7 <= fewest_pushes(level) <= 9 for level in levels)


def test_a_level_is_measured_by_a_shortest_solution_though_it_carries_a_longer_one():
    level = replace(levelsmith.parse(ROUND, game="sokoban"), solution=LONG)
    assert levelsmith.measure(level)["pushes"] == 1
    told = games.get("sokoban").details(level)
    assert told == {"tier": "easy"}


def test_where_nothing_is_proved_that_is_said(monkeypatch):
    unknown = Verdict("unknown", False, None, {}, {"states": 1, "seconds": 0.0, "limit": "states"})
    monkeypatch.setattr(solver, "solve", lambda *words, **choices: unknown)
    truth._found.cache_clear()
    level = replace(levelsmith.parse(ROUND, game="sokoban"), solution=LONG)
    try:
        told = games.get("sokoban").details(level)
        assert told["note"].endswith("not proved shortest: 1 to 3 pushes")
        assert "3 pushes (unproved: 1 or more), 8 moves" in games.get("sokoban").headline(level)
        assert truth.with_shortest(level) is None
    finally:
        truth._found.cache_clear()


@pytest.mark.parametrize(("pushes", "near"), [(5, 0.5), (10, 1.0), (20, 1.0), (30, 11 / 21), (99, 0.0)])
def test_how_near_a_level_is_to_its_range(pushes, near):
    wants = wanted(games.get("sokoban"), {"pushes": "10..20"})[:1]
    assert share_met(wants, {"pushes": pushes}) == pytest.approx(near)


def test_a_solution_of_its_own_is_solved_only_where_its_maker_does_not_know():
    level = levelsmith.generate("sokoban", size=(5, 5), representation="rooms", seed=1, evaluations=50).best
    assert truth.is_proved(level)
    assert truth.with_shortest(level) is level
    solved = games.get("sokoban").solve(level, Effort())
    assert sum(map(str.isupper, level.solution)) == solved.metrics["pushes"]
