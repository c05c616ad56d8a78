"""Goals put down in hindsight are as hard to reach as the search that found them says."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from tests.games.puzzles import source

from levelsmith.core import Effort, Level
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.hindsight import Hindsight
from levelsmith.games.puzzlescript.kernels.spread import COST, FOUND
from levelsmith.games.puzzlescript.remix import SURE, Remix
from levelsmith.games.puzzlescript.solve import Hunt
from levelsmith.levels.spending import Spending
from levelsmith.registry import games

PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"
ROOM = "#######/#..O..#/#.*...#/#.P*O.#/#.....#/#######"


def remix_of(game, **values):
    values = {**{one.name: one.default for one in Remix.parameters}, **values}
    return Remix(game, game.default_size, values, [])


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


def test_a_level_need_not_have_goals_of_each_kind():
    levels = f"{ROOM};{ROOM.replace('O', '1')}"
    game = game_of("All Target on Crate\nAll Ma on Crate", levels=levels)
    hindsight = Hindsight(game)
    assert len(hindsight.wishes) == 2
    for level in game.levels():
        explored = hindsight.explore(level.grid, 3_000, None)
        ways = range(0, len(explored.keys), max(1, len(explored.keys) // 8))
        grids = [hindsight.put(level.grid, explored, way, Random(1)) for way in ways]
        assert all(grid is not None for grid in grids)
        verdict = game.solve(Level(level.game, level.tiles, grids[-1]), Effort(seconds=None))
        assert verdict.metrics["moves"] == explored.keys[ways[-1]]
        assert hindsight.fitting(level.grid, explored.there).all()
        more = level.grid.copy()
        more[1, 1:3] = level.grid[1, 3]  # three goals for two crates
        assert not hindsight.fitting(more, explored.there).any()


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
    draw = remix_of(game).start(np.random.SeedSequence(1))
    draw.advance(400)
    assert draw.level is not None
    assert draw.statistics()["hindsight"] > 0
    game.verify(draw.level)
    assert game.solve(draw.level, Effort(seconds=None)).metrics["moves"] == len(draw.level.solution)


# states that have something new


def paired(game, grid):
    """Looks at states in which two places hold what they never held together before, in plain Python; returns
    the keys to each board that was met."""
    first = game.begun(grid)
    known, lines, seen = {first.kept.board.tobytes(): 0}, [[first]], set()
    while lines:
        if not lines[-1]:
            lines.pop()
            continue
        keys = next(n for n, line in enumerate(lines) if line)
        here = lines[keys].pop()
        for letter in game.letters:
            there = game.moved(here, letter)
            if there is None:
                continue
            if there.won:
                return known
            places = list(map(tuple, there.kept.board.tolist()))
            before = list(map(tuple, here.kept.board.tolist()))
            changed = [i for i, held in enumerate(places) if held != before[i]]
            pairs = {frozenset({(i, places[i]), (j, places[j])}) for i in changed for j in range(len(places))}
            is_new, text = not pairs <= seen, there.kept.board.tobytes()
            seen |= pairs
            if is_new and text not in known:
                known[text] = keys + 1
                while len(lines) < keys + 2:
                    lines.append([])
                lines[keys + 1].append(there)
    return known


@pytest.mark.parametrize("name", ["crates", "ice", "twins", "merge"])
def test_a_search_for_pairs_meets_what_a_plain_one_does(name):
    game = games.get(f"puzzlescript:{name}")
    for level in game.levels()[:2]:
        hunt = Hunt(game, level, Spending(Effort(seconds=None), None), plain=True, paired=True)
        hunt.run()
        keys = hunt.search.links[: int(hunt.tally[FOUND]), COST].tolist()
        assert sorted(keys) == sorted(paired(game, level.grid).values())


def test_keys_that_are_seen_far_away_win_though_fewer_may_do(monkeypatch):
    monkeypatch.setattr("levelsmith.games.puzzlescript.remix.DEAR", 0)
    game = game_of("All Target on Crate")
    hindsight, (level,) = Hindsight(game), game.levels()
    near, far = (hindsight.explore(level.grid, 300, None, paired) for paired in (False, True))
    assert far.keys.max() > near.keys.max()
    maker, proved = remix_of(game), 0
    for way in range(0, len(far.keys), max(1, len(far.keys) // 12)):
        grid = hindsight.put(level.grid, far, way, Random(1))
        if grid is None:
            continue
        assert maker.wins(grid, far.keys_to(way))
        few = maker.won(grid, 20, keys=far.keys_to(way))
        sure = game.solve(Level(game.name, game.tiles, grid), Effort(seconds=None))
        assert few.statistics.get("least", 0) <= sure.metrics["moves"] <= len(few.solution)
        proved += few.optimal
    assert proved < 5


def test_a_level_that_is_replayed_says_how_many_keys_it_takes_at_least(monkeypatch):
    monkeypatch.setattr("levelsmith.games.puzzlescript.remix.DEAR", 0)
    game, replayed = game_of("All Target on Crate"), 0
    for seed in range(3):
        for sure in (0, 1):
            draw = remix_of(game, proved=sure, states=25).start(np.random.SeedSequence(seed))
            draw.advance(300)
            assert not (sure and draw.told)
            if draw.level is None or not draw.told:
                continue
            replayed += 1
            level = replace(draw.level, provenance={"search": "remix", **draw.told})
            keys, least = len(level.solution), draw.told["least keys"]
            assert SURE * keys <= least <= game.solve(level, Effort(seconds=None)).metrics["moves"] <= keys
            assert not game.is_shortest(level)
            assert f"{keys} keys (replayed; at least {least})" in game.headline(level)
    assert replayed > 0
