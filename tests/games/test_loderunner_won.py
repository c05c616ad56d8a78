"""Levels of Lode Runner that are handed out are won against their guards, who start away from the player."""

from __future__ import annotations

import numpy as np
import pytest

import levelsmith
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner import LodeRunner
from levelsmith.games.loderunner.judge.judge import judge
from levelsmith.games.loderunner.judge.steps import NEAR, footing, steps_between
from levelsmith.games.loderunner.placing import other_places, with_enemies, with_player
from levelsmith.games.loderunner.rules.plan import is_timed, win
from levelsmith.games.loderunner.rules.rules import EMPTY, ENEMY, PLAYER
from levelsmith.making.plan import plan
from levelsmith.request import Request

FLOORS = """\
....................
..G..............G..
bbbbbb#bbbbbbbb#bbbb
......#........#....
..G...#...EE...#....
bbb#bbbbbbbbbbbbbbbb
...#................
...#..........G.....
bbbbbbbbbbbbbbbbbbbb"""
GRID = levelsmith.parse(FLOORS, "loderunner").grid
SMALL = {"size": (8, 12), "search": "hc", "representation": "wide", "evaluations": 300, "seed": 0}


def nearest_enemy(grid):
    ((row, column),) = np.argwhere(grid == PLAYER).tolist()
    return int(steps_between(grid, (row, column))[grid == ENEMY].min())


def test_a_level_is_won_by_the_rule_book_and_says_against_whom():
    made = levelsmith.generate("loderunner", size=(12, 16), seed=0)
    win(made.best, made.best.solution)
    assert made.best.provenance["guards"] == "chase"
    assert nearest_enemy(made.best.grid) > NEAR
    again = Request.again(made.best.provenance)
    assert again.guards == "chase"


def test_guards_who_stand_still_are_asked_for_and_kept():
    made = levelsmith.generate("loderunner", guards="still", **SMALL)
    assert not is_timed(made.best.solution)
    assert made.best.provenance["guards"] == "still"
    assert "--guards still" in Request.again(made.best.provenance).command


def test_a_level_that_is_not_won_is_thrown_away_and_the_run_begun_anew(monkeypatch):
    prove, asked = LodeRunner.prove, []

    def late(game, level):
        asked.append(level.text)
        return None if len(asked) <= 4 else prove(game, level)  # as it is, and in three other places

    monkeypatch.setattr(LodeRunner, "prove", late)
    made = levelsmith.generate("loderunner", **SMALL)
    assert made.statistics["not_won"] >= 1
    assert made.best.text not in asked[:4]
    win(made.best, made.best.solution)


def test_where_no_level_is_won_the_error_says_so(monkeypatch):
    monkeypatch.setattr(LodeRunner, "prove", lambda game, level: None)
    monkeypatch.setattr("levelsmith.making.run.RUNS", 2)
    with pytest.raises(
        levelsmith.MissingLevelsError, match="the agent did not win it against the guards"
    ) as error:
        levelsmith.generate("loderunner", **{**SMALL, "evaluations": 20_000})
    assert not error.value.result.levels
    assert error.value.result.statistics["not_won"] == 2


def test_the_player_is_drawn_among_cells_that_are_as_good_and_the_same_grid_gets_the_same():
    best = judge(GRID, best_start=True)
    starts = set()
    for column in range(20):
        bare = GRID.copy()
        bare[0, column] = 4  # a rope that leads nowhere, so that something else is drawn
        grid = with_player(bare, "dig", np.inf)
        assert np.array_equal(grid, with_player(bare, "dig", np.inf))
        assert judge(grid).gold_collectable == best.gold_collectable
        starts.add(tuple(np.argwhere(grid == PLAYER)[0].tolist()))
    assert len(starts) >= 6
    assert len({row for row, _ in starts}) == 3


def test_a_player_starts_low_where_enough_can_be_reached_from_there():
    ledge = levelsmith.parse("......\nbb....\n......\n......\nbbbbbb\n.G.G..\nbbbbbb", "loderunner").grid
    rows = {enough: set() for enough in (np.inf, 0.1)}
    for column in range(6):
        bare = ledge.copy()
        bare[0, column] = 4  # a rope, so that something else is drawn
        for enough, found in rows.items():
            found.add(int(np.argwhere(with_player(bare, "dig", enough) == PLAYER)[0, 0]))
    assert rows[np.inf] <= {0, 1, 2, 3}
    assert max(rows[0.1]) == 5


@pytest.mark.parametrize(
    ("enemies", "counted", "left"), [(0, False, 1), (9, False, 5), (0, True, 0), (9, True, 9)]
)
def test_enemies_are_one_to_five_unless_their_number_counts(enemies, counted, left):
    grid = np.where(GRID == ENEMY, EMPTY, GRID).astype(np.uint8)
    grid[7, 0] = PLAYER
    grid[1, 8 : 8 + enemies] = ENEMY
    grid = with_enemies(grid, counted)
    assert (grid == ENEMY).sum() == left


def test_enemies_near_the_player_or_in_the_air_are_put_elsewhere_and_others_stay():
    grid = GRID.copy()
    grid[7, 0], grid[7, 2], grid[3, 12] = PLAYER, ENEMY, ENEMY
    moved = with_enemies(grid, True)
    assert (moved == ENEMY).sum() == 4
    assert (moved[4, 10:12] == ENEMY).all()
    assert nearest_enemy(moved) > NEAR
    assert footing(moved)[moved == ENEMY].all()
    others = [moved, *other_places(moved)]
    assert len({each.tobytes() for each in others}) == len(others)
    assert all((each == ENEMY).sum() == 4 and nearest_enemy(each) > NEAR for each in others)


def test_guards_are_refused_where_a_game_has_none_and_the_paper_keeps_its_own():
    with pytest.raises(LevelsmithError, match="binary has no guards to choose from; leave out guards"):
        plan(Request("binary", guards="still"))
    assert plan(Request("loderunner", preset="thakkar2019")).guards == "still"
    assert plan(Request("loderunner")).guards == "chase"
