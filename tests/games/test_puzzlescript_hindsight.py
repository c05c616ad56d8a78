"""Goals put down in hindsight are as hard to reach as the search that found them says."""

from random import Random

import numpy as np
import pytest
from tests.games.puzzles import source

from levelsmith.core import Effort
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.hindsight import Hindsight
from levelsmith.games.puzzlescript.remix import Remix

PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"
ROOM = "#######/#..O..#/#.*...#/#.P*O.#/#.....#/#######"


def game_of(wins, rules=PUSH, levels=ROOM, **parts):
    return PuzzleGame("mine", source(rules=rules, levels=levels, wins=wins, **parts))


@pytest.mark.parametrize("wins", ["All Target on Crate", "All Crate on Target", "All Target on Player"])
def test_goals_take_as_many_keys_as_the_search_says(wins):
    levels = ROOM if "Crate" in wins else ROOM.replace("O", ".", 1)
    game = game_of(wins, levels=levels)
    hindsight, (level,) = Hindsight(game), game.levels()
    assert len(hindsight.wishes) == 1
    explored = hindsight.explore(level.grid, 3_000, None)
    assert explored.states <= 3_000 + len(game.letters)
    assert (np.diff(explored.keys) >= 0).all()
    dice, checked = Random(1), 0
    for way in range(0, len(explored.keys), max(1, len(explored.keys) // 12)):
        grid = hindsight.put(level.grid, explored, way, dice)
        if grid is None:
            continue
        verdict = game.solve(type(level)(level.game, level.tiles, grid), Effort(seconds=None))
        assert (verdict.metrics["moves"], verdict.optimal) == (explored.keys[way], True)
        checked += 1
    assert checked > 5


def test_what_is_left_over_is_missing_at_the_start():
    game = game_of(
        "No Ma", rules="[ > Player | Ma ] -> [ > Player | ]", levels="#######/#P1..1#/#.1.11#/#######"
    )
    hindsight, (level,) = Hindsight(game), game.levels()
    explored = hindsight.explore(level.grid, 3_000, None)
    for way in range(len(explored.keys)):
        grid = hindsight.put(level.grid, explored, way, Random(1))
        verdict = game.solve(type(level)(level.game, level.tiles, grid), Effort(seconds=None))
        assert verdict.status == "solved"
        assert verdict.metrics["moves"] <= explored.keys[way]  # perhaps some were not in the way
    assert len(explored.keys) > 5


def test_no_goals_are_put_where_rules_move_both_sides_or_win():
    assert not Hindsight(game_of("Some Player on Crate")).wishes
    assert not Hindsight(game_of("All Target on Crate", rules=f"{PUSH} ; [ Player Target ] -> win")).wishes
    assert Hindsight(game_of("All Target on Crate", rules=f"{PUSH} ; late [ Crate Target ] -> sfx0")).wishes


def test_a_level_that_is_dear_to_solve_is_made_in_hindsight(monkeypatch):
    monkeypatch.setattr("levelsmith.games.puzzlescript.remix.CLIMBED", 0)
    monkeypatch.setattr("levelsmith.games.puzzlescript.remix.CLIMBING", 0)
    monkeypatch.setattr("levelsmith.games.puzzlescript.remix.CHEAP", 1)
    game = game_of("All Target on Crate")
    values = {one.name: one.default for one in Remix.parameters}
    draw = Remix(game, game.default_size, values, []).start(np.random.SeedSequence(1))
    draw.advance(400)
    assert draw.level is not None
    assert draw.statistics()["hindsight"] > 0
    game.verify(draw.level)
    assert game.solve(draw.level, Effort(seconds=None)).metrics["moves"] == len(draw.level.solution)
