"""Improve, Repair and Fill change as little as it takes, keep what is locked, and prove what they propose."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import levelsmith
from levelsmith.editing.edited import editing
from levelsmith.editing.improve import improve
from levelsmith.editing.repair import repair
from levelsmith.editing.style import Style, shipped
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner.rules.plan import is_timed
from levelsmith.registry import games

ROOM = "########\n#@     #\n# $ $  #\n#   #  #\n# .  . #\n#      #\n########"
# No way around him, on a bridge that nobody can dig into.
LOST = "................\nM...E......G....\nBBBBBBBBBBBB....\n" + 2 * "................\n" + 16 * "B"
STUBBORN = "#######\n#@ #  #\n#  $$.#\n#     #\n# .####\n####"
BROKEN = Path(__file__).parents[2] / "docs" / "levels" / "broken.txt"


def sokoban(text):
    return levelsmith.parse(text, "sokoban")


def ended(mode, level, **choices):
    return list(editing(mode, level, **choices))[-1]


def test_a_harder_sokoban_level_has_no_smaller_room_no_fewer_pushes_and_moves_and_is_solved_more_seldom():
    level = sokoban(ROOM)
    result = improve(level, evaluations=120, lock="wall", seed=3)
    was, now = result.statistics["before"], result.statistics["after"]
    assert now["difficulty"] > was["difficulty"]
    assert all(now[name] >= was[name] for name in ("floor", "pushes", "moves"))
    assert now["chance"] < was["chance"]
    assert result.statistics["changed"] == (level.grid != result.best.grid).sum() <= 10
    assert (result.best.grid[level.grid == 1] == 1).all()
    games.get("sokoban").verify(result.best)


@pytest.mark.slow
def test_where_chance_solves_a_harder_level_no_less_often_it_is_told_and_looked_for_again(monkeypatch):
    level = sokoban(STUBBORN)
    once = improve(level, evaluations=200).statistics
    assert once["after"]["chance"] >= once["before"]["chance"]
    assert "but chance no less" in once["told"]
    monkeypatch.setattr("levelsmith.editing.improve.TRIES", 200)
    result = improve(level)
    assert 200 < result.evaluations <= 800
    assert result.statistics["after"]["chance"] < result.statistics["before"]["chance"]
    assert result.statistics["after"]["difficulty"] > result.statistics["before"]["difficulty"]
    assert "chance" not in result.statistics["told"]


@pytest.mark.slow(25)
@pytest.mark.parametrize("seed", [11, 12])
def test_a_level_improved_twice_gets_harder_at_each_step_and_is_solved_by_chance_more_seldom(seed):
    level = levelsmith.generate("sokoban", size=(6, 6), want={"difficulty": (10, 50)}, seed=seed).best
    chances = []
    for _ in range(2):
        result = improve(level)
        was, now = result.statistics["before"], result.statistics["after"]
        assert now["difficulty"] > was["difficulty"], level.text
        chances += [was["chance"], now["chance"]]
        games.get("sokoban").verify(result.best)
        level = result.best
    assert chances[-1] < chances[0], level.text


def test_the_same_seed_gives_the_same_level():
    first, second = (improve(sokoban(ROOM), evaluations=60, seed=5).best for _ in range(2))
    assert first == second


@pytest.mark.slow
def test_an_improved_lode_runner_level_has_a_longer_plan_its_gold_and_nearly_all_its_cells():
    level = replace(shipped("loderunner")[4], solution=None)
    result = improve(level, evaluations=150, seed=1)
    assert result.statistics["changed"] <= 0.03 * level.grid.size
    assert result.statistics["unseen"] == Style(level).unseen(result.best.grid) <= 20
    was, now = levelsmith.measure(level), levelsmith.measure(result.best)
    assert (now["gold"], now["enemies"], now["playable"]) == (was["gold"], was["enemies"], 1)
    assert result.statistics["after"]["moves"] > result.statistics["before"]["moves"]
    assert "while guards stand still" in result.statistics["told"]
    assert is_timed(result.best.solution)
    games.get("loderunner").verify(result.best)


def test_guards_who_stand_still_leave_the_plan_of_moves():
    result = improve(replace(shipped("loderunner")[4], solution=None), evaluations=60, seed=1, guards="still")
    assert not is_timed(result.best.solution)
    assert levelsmith.measure(result.best)["moves"] == result.statistics["after"]["moves"]


def test_what_nobody_wins_is_not_handed_out(monkeypatch):
    monkeypatch.setattr("levelsmith.editing.improve.proof_of", lambda level, game: None)
    with pytest.raises(LevelsmithError, match=r"nothing is won against its guards.*still"):
        improve(replace(shipped("loderunner")[4], solution=None), evaluations=60, seed=1)


def test_a_level_that_is_lost_to_its_guards_is_repaired_by_putting_them_elsewhere():
    level = levelsmith.parse(LOST, "loderunner")
    assert games.get("loderunner").prove(level) is None
    made = repair(level)
    games.get("loderunner").verify(made.level)
    assert is_timed(made.level.solution)
    assert 0 < len(made.edits) <= 4
    assert {int(level.grid[cell]) for cell in made.edits} <= {0, 6}
    assert repair(level, guards="still").edits == ()
    with pytest.raises(LevelsmithError, match=r"nothing that is won against its guards.*still"):
        repair(level, lock="enemy")


def test_an_improved_cave_has_a_longer_path_and_is_still_in_one_piece():
    level = levelsmith.parse(".....#....\n..........\n...#......\n.....#....\n..........", "binary")
    result = improve(level, evaluations=200, seed=1)
    assert result.statistics["after"]["path"] > result.statistics["before"]["path"]
    assert result.statistics["after"]["regions"] == 1
    assert "path" in result.statistics["told"]


def test_to_improve_a_level_that_cannot_be_played_is_to_repair_it():
    (level,) = levelsmith.load(BROKEN)
    result = ended("improve", level, seconds=5)
    assert result.statistics["changed"] == 2
    assert (result.best.grid == 5).sum() == (level.grid == 5).sum()
    assert result.best.solution


@pytest.mark.parametrize(
    ("broken", "most"),
    [
        (ROOM.replace(".  .", ".   "), 1),  # a goal is missing
        (ROOM.replace("@", " "), 1),
        (ROOM.replace("#      #\n########", "#       \n########"), 1),  # the wall is open
        (ROOM.replace("#@     #\n# $ $  #", "#@  # $#\n# $ #  #"), 2),  # a box in a corner
        ("########\n#@ #$ .#\n# $#  .#\n########", 2),  # a wall in between
    ],
)
def test_a_sokoban_level_is_repaired_with_few_changes_and_keeps_its_boxes(broken, most):
    level = sokoban(broken)
    made = repair(level)
    assert 1 <= len(made.edits) <= most
    assert (made.level.grid == 2).sum() >= (level.grid == 2).sum()
    games.get("sokoban").verify(made.level)
    assert made.level.solution


def test_gold_that_is_walled_in_is_not_taken_away_but_let_out():
    (level,) = levelsmith.load(BROKEN)
    made = repair(level)
    assert len(made.edits) == 2
    assert (made.level.grid[level.grid == 5] == 5).all()


@pytest.mark.parametrize(
    ("text", "lock", "message"),
    [
        ("#####\n#$  #\n# @.#\n#####", ["wall", "box"], "the locked box at 1,1 is in a corner"),
        ("#####\n#@$ #\n#@. #\n#####", ["player"], "2 locked cells are the player"),
        ("######\n#@#$.#\n######", ["0,0,6x3"], "lock them all"),
        ("#########\n#@# $ . #\n#########", ["0,0,8x3"], "make it unsolvable"),
    ],
)
def test_locked_cells_that_leave_no_hope_are_named(text, lock, message):
    for mode in ("repair", "fill"):
        with pytest.raises(LevelsmithError, match=message):
            ended(mode, sokoban(text), lock=lock)


def test_a_gap_of_a_lode_runner_level_is_filled_in_its_style_and_nothing_else_is_touched():
    level = shipped("loderunner")[20]
    gap = np.zeros(level.size, np.bool_)
    gap[6:14, 10:20] = True
    erased = replace(level, grid=np.where(gap, 0, level.grid).astype(np.uint8), solution=None)
    lock = [f"{column},{row}" for row, column in np.argwhere(~gap)]
    result = ended("fill", erased, lock=lock, seed=2)
    assert (result.best.grid == level.grid)[~gap].all()
    assert result.statistics["unseen"] <= 12
    assert levelsmith.measure(result.best)["playable"] == 1
    assert result.best.solution


def test_a_gap_of_a_sokoban_level_is_filled_with_what_makes_it_a_puzzle():
    level = sokoban("########\n#      #\n#      #\n#   #  #\n# .    #\n#      #\n########")
    result = ended("fill", level, lock=["wall", "goal"], evaluations=40, seed=1)
    assert (result.best.grid == level.grid)[level.grid == 1].all()
    assert result.best.grid[4, 2] in (3, 4, 6)
    assert result.statistics["after"]["pushes"] > 1
    assert (
        games.get("sokoban").sealed(result.best.grid, np.ones(level.size, np.bool_)) == result.best.grid
    ).all()
    games.get("sokoban").verify(result.best)


def test_what_there_is_nothing_to_do_about_is_told():
    with pytest.raises(LevelsmithError, match="nothing to repair"):
        ended("repair", sokoban(ROOM))
    with pytest.raises(LevelsmithError, match="expected one of"):
        ended("polish", sokoban(ROOM))
    with pytest.raises(LevelsmithError, match=r"nothing with more difficulty than its [\d.]+ was found in"):
        improve(sokoban("#####\n#@$.#\n#####"), evaluations=20)
