"""Lode Runner won against its guards: plans that the rule book plays, levels that are lost, limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import levelsmith
from levelsmith.core import Effort
from levelsmith.games.loderunner.agent.chase.kernels import hunt as hunting
from levelsmith.games.loderunner.agent.chase.win import WEIGHTS, Winner, win
from levelsmith.games.loderunner.game.kernels import men
from levelsmith.games.loderunner.rules import plan as plans
from levelsmith.registry import games

EFFORT = Effort(states=100_000, seconds=None)
# The gold lies behind the guard: he must be trapped, or led away.
BEHIND = """\
..........
..........
M....E..G.
bbbbbbbbbb
bbbbbbbbbb
BBBBBBBBBB"""
# Through a trap to the gold, and over a ladder that comes with it to the top.
UP_AND_OUT = """\
........h.
........h.
M....B..h.
BBtBBBBBhB
B..G....hB
BBBBBBBBBB"""
# The guard is upon the runner before he can do anything, and nothing can be dug.
LOST = """\
........
........
BBBBBBBB
BM.E..GB
BBBBBBBB
BBBBBBBB"""


def level(text: str) -> levelsmith.Level:
    return levelsmith.parse(text, "loderunner")


def test_a_guard_in_the_way_is_trapped_and_walked_over() -> None:
    verdict = win(level(BEHIND), EFFORT)
    assert verdict.status == "solved"
    assert verdict.solution is not None
    assert plans.is_timed(verdict.solution)
    assert plans.win(level(BEHIND), verdict.solution).status == "won"
    assert verdict.metrics["digs"] >= 1
    assert verdict.metrics["trapped"] >= 1


def test_a_level_with_hidden_ladders_is_won_at_the_top_and_traps_are_fallen_through() -> None:
    verdict = win(level(UP_AND_OUT), EFFORT)
    assert verdict.solution is not None
    *_, game = plans.played(level(UP_AND_OUT), verdict.solution)
    assert (game.status, game.runner.cell, game.left) == ("won", (0, 8), 0)
    assert win(level(UP_AND_OUT.replace("t", "B")), EFFORT).status == "unsolvable"
    with pytest.raises(levelsmith.LevelsmithError, match="got one that is not at the top"):
        plans.win(level(UP_AND_OUT), verdict.solution.rsplit(" ", 1)[0])


def test_a_level_is_lost_where_every_key_at_every_tick_was_tried() -> None:
    verdict = win(level(LOST), EFFORT)
    assert (verdict.status, verdict.solution) == ("unsolvable", None)
    assert verdict.statistics["died"] > 0
    assert "limit" not in verdict.statistics
    without = level(LOST.replace("E", "."))
    assert win(without, EFFORT).status == "solved"


PLAIN = """
import sys
import levelsmith
from levelsmith.core import Effort
from levelsmith.games.loderunner.agent.chase.win import win
for text in sys.argv[1:]:
    verdict = win(levelsmith.parse(text, "loderunner"), Effort(states=100_000, seconds=None))
    print(verdict.status, verdict.solution, verdict.statistics["states"], verdict.statistics["died"])
"""


def test_the_first_answer_does_not_wait_for_the_compiler_and_is_the_same(python) -> None:
    """Uncompiled, where the first level of a newcomer comes from, and where a wrong type once ended it."""
    said = [python(PLAIN, BEHIND, LOST, LEVELSMITH_KERNELS=value) for value in ("plain", "built")]
    assert said[0] == said[1]
    assert said[0].startswith("solved")
    assert "unsolvable None" in said[0]


def test_the_same_effort_in_states_gives_the_same_plan() -> None:
    once, again = (win(level(BEHIND), EFFORT) for _ in range(2))
    assert once.status == "solved"
    assert once.solution == again.solution
    assert once.statistics["states"] == again.statistics["states"]


def test_an_unknown_level_tells_how_much_gold_was_collected_at_best() -> None:
    barred = BEHIND.replace("b", "B").replace("M.", "MG")  # no hole can trap the guard
    few = win(level(barred), Effort(states=1, seconds=None))
    assert (few.status, few.statistics["collected"]) == ("unknown", 1)
    assert "collected" not in win(level(BEHIND), EFFORT).statistics


@pytest.mark.parametrize("effort", [Effort(states=1, seconds=None), Effort(seconds=0.0001)])
def test_a_limit_leaves_a_level_unknown(effort: Effort) -> None:
    verdict = win(level(BEHIND.replace("b", "B")), effort)
    assert verdict.status == "unknown"
    assert verdict.statistics["limit"] in ("states", "seconds")


def test_a_search_can_be_stopped() -> None:
    verdict = win(level(BEHIND), EFFORT, cancel=lambda: True)
    assert (verdict.status, verdict.statistics["limit"]) == ("unknown", "cancelled")


def test_a_level_without_a_player_is_refused() -> None:
    with pytest.raises(levelsmith.LevelsmithError, match="expected one player"):
        win(level(BEHIND.replace("M", ".")), EFFORT)


def test_gold_that_is_walled_in_is_named() -> None:
    walled = "......\n.M..BB\nbb#bBG\n..#.BB\n..#..E\nbbbbbb"
    for text in (walled, walled.replace("E", ".")):
        verdict = levelsmith.solve(level(text))
        assert verdict.status == "unsolvable"
        assert "the gold at row 3, column 6 is" in verdict.statistics["why"]


def test_guards_chase_or_stand_still() -> None:
    verdicts = [levelsmith.solve(level(BEHIND), guards=guards) for guards in (None, "chase", "still")]
    chased, same, still = [verdict.solution for verdict in verdicts]
    assert chased == same
    assert still == "rrrrrrrr"
    for plan in (chased, still):
        carried = replace(level(BEHIND), solution=plan)
        game = games.get("loderunner")
        game.verify(carried)
        assert levelsmith.measure(carried)["digs"] == sum(letter in "LR" for letter in plan)
        *_, last = game.frames(carried)
        assert (last == 5).sum() == 0
        assert game.trail(carried)[-1] == (2, 8)
    with pytest.raises(levelsmith.LevelsmithError, match="expected a plan that wins against the guards"):
        games.get("loderunner").verify(replace(level(BEHIND), solution="r45"))


def test_guards_are_asked_for_where_there_are_some() -> None:
    with pytest.raises(levelsmith.LevelsmithError, match="no kind of guards is called 'fast'"):
        levelsmith.solve(level(BEHIND), guards="fast")
    sokoban = levelsmith.parse("######\n#@$ .#\n######", "sokoban")
    with pytest.raises(levelsmith.LevelsmithError, match="sokoban has no guards to choose from"):
        levelsmith.solve(sokoban, guards="still")


def test_digs_that_serve_nothing_become_waits() -> None:
    open_floor = "......\n......\n......\n..M.G.\nbbbbbb\nBBBBBB"
    winner = Winner(level(open_floor), EFFORT)
    assert winner.wins([("L", 12), ("r", 10)])
    assert not winner.wins([("L", 12), ("r", 11)])
    assert winner.without_idle_digs([("L", 12), ("r", 10)]) == ".10 r10"
    below = Winner(level("......\n......\n......\n..M...\nbbbbbb\n.G...."), EFFORT)
    plan = next(below.plans())
    assert plan is not None
    assert below.without_idle_digs(plans.read(plan)) == plan
    assert "L" in plan or "R" in plan


def test_guards_nearby_keep_a_hunt_away_from_them() -> None:
    winner = Winner(levelsmith.load("loderunner:corpus")[3], EFFORT)
    apart = []
    for near in (0.0, 3.0):
        room = winner.room(1_000)
        winner.hunt(room, winner.nearest(), (*WEIGHTS[0][:3], near))
        at = room.packed[: room.tally[hunting.NODES], men.COUNTS + men.AT :: men.MAN][
            :, : len(winner.game.men)
        ]
        rows, columns = np.divmod(at, winner.stride)
        away = abs(rows[:, 1:] - rows[:, :1]) + abs(columns[:, 1:] - columns[:, :1])
        apart.append(np.minimum(away, hunting.NEARBY).mean())
    assert apart[0] + 1 < apart[1]


def test_a_plan_through_layers_of_brick_is_followed() -> None:
    trench = "........\n..M.....\nbbbbbbbb\nbbbbbbbb\nbbbbbbbb\nG......E\nbbbbbbbb"
    winner = Winner(level(trench), EFFORT)
    (guide,) = winner.along_still()
    room = winner.room(2_000)
    assert winner.hunt(room, guide, WEIGHTS[0]) is not None
    assert room.mark.max() > np.flatnonzero(guide.move >= men.DIG_LEFT).max()
