"""`construct`: every style builds clean levels that are played, and the corpus is what it says."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
import pytest

import levelsmith
from levelsmith.core import settle
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner.construct import excavate
from levelsmith.games.loderunner.construct.furnish import Wishes
from levelsmith.games.loderunner.construct.maker import STYLES, Construct, draw
from levelsmith.games.loderunner.construct.pieces import faults
from levelsmith.games.loderunner.construct.usual import USUAL
from levelsmith.games.loderunner.judge.steps import NEAR, NEVER, steps_between
from levelsmith.games.loderunner.rules.plan import is_timed, win
from levelsmith.games.loderunner.rules.rules import BRICK, EMPTY, ENEMY, GOLD, LADDER, PLAYER, SOLID, replay
from levelsmith.making.plan import plan
from levelsmith.registry import games
from levelsmith.request import Request

GAME = games.get("loderunner")


def made(count, size=(22, 32), seed=1, first=0, tries=2000, **given):
    builder = Construct(GAME.against("still"), size, settle("construct", Construct.parameters, given), ())
    runs = range(first, first + count)
    seeds = [np.random.SeedSequence(seed, spawn_key=(run,)) for run in runs]
    *_, batch = builder.make(runs, seeds, tries, lambda: False)
    return batch


def levels(batch):
    return [levelsmith.parse("\n".join(GAME.tiles.rows(grid)), "loderunner") for grid in batch.grids]


def building(grid):
    """The level without what moves or is taken."""
    return np.where(np.isin(grid, (GOLD, ENEMY, PLAYER)), EMPTY, grid)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("mirrored", ["yes", "no"])
def test_levels_of_every_style_are_clean_and_played(style, mirrored):
    batch = made(1, style=style, mirrored=mirrored)
    (level,) = levels(batch)
    assert not faults(level.grid)
    assert not replay(level, batch.solutions[0])[-1].gold
    assert 4 <= (level.grid == GOLD).sum() <= 40
    assert 1 <= (level.grid == ENEMY).sum() <= 5
    for row, column in np.argwhere(np.isin(level.grid, (GOLD, ENEMY, PLAYER))).tolist():
        assert row == 21 or level.grid[row + 1, column] in (BRICK, SOLID, LADDER)
    same = np.array_equal(building(level.grid), building(level.grid)[:, ::-1])
    assert same == (mirrored == "yes")


@pytest.mark.first(1)
@pytest.mark.parametrize("size", [(6, 6), (6, 40), (41, 7), (13, 17), (64, 64)])
def test_levels_of_any_size_are_played(size):
    batch = made(3, size)
    assert batch.grids.shape == (3, *size)
    for level, proof in zip(levels(batch), batch.solutions, strict=True):
        GAME.verify(replace(level, solution=proof))


def test_a_run_gives_the_same_level_whatever_else_is_built():
    together, alone = made(4), made(1, first=2)
    assert np.array_equal(together.grids[2], alone.grids[0])
    assert together.solutions[2] == alone.solutions[0]


def test_a_style_without_room_makes_nothing():
    assert len(made(1, (6, 6), style="diamond", tries=50)) == 0


def test_ranges_of_metrics_are_met():
    result = levelsmith.generate(
        "loderunner",
        search="construct",
        want={"gold": (10, 12), "enemies": 2},
        seed=3,
        count=2,
        guards="still",
    )
    for level in result.levels:
        assert 10 <= (level.grid == GOLD).sum() <= 12
        assert (level.grid == ENEMY).sum() == 2


HALLS = """\
..............................
..............................
bbbbbbbbbbbbbbbbbbbbbbbbbb#bbb
..........................#...
..........................#...
..........................#...
bbb#bbbbbbbbbbbbbbbbbbbbbbbbbb
...#..........................
...#..........................
...#..........................
...#......M...................
bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"""


@pytest.mark.parametrize("mirrored", [True, False])
def test_rooms_are_dug_into_and_out_of_and_take_no_way_away(mirrored):
    grid = levelsmith.parse(HALLS, "loderunner").grid.copy()
    if mirrored:
        grid = np.where(grid[:, ::-1] == LADDER, LADDER, grid).astype(np.uint8)
    before = grid.copy()
    floors = excavate.rooms(grid, Random(1), mirrored, 2)
    assert len(floors) >= 4
    assert set(np.unique(grid[grid != before])) <= {BRICK, EMPTY}
    if mirrored:
        assert np.array_equal(building(grid), building(grid)[:, ::-1])
    assert excavate.dig_gold(grid) == 0
    for cell in floors:
        grid[cell] = GOLD
    assert excavate.dig_gold(grid) == len(floors)  # into each room, and out of all but the last
    assert not faults(grid)


def test_ladders_turn_aside_where_all_can_still_be_walked_to():
    grid = levelsmith.parse(HALLS, "loderunner").grid.copy()
    assert excavate.joints(grid) == 0
    excavate.turn_aside(grid, Random(0), False, 2)
    assert excavate.joints(grid) == 2
    assert not faults(grid)


def test_gold_that_takes_a_dig_is_asked_for():
    for low, high in ((0.0, 0.0), (0.6, 0.9)):
        grid = draw((22, 32), Random(3), "terraces", "no", Wishes((low, high)))
        assert low - 0.1 <= excavate.dig_gold(grid) / (grid == GOLD).sum() <= high + 0.1


def test_levels_with_an_exit_are_won_at_the_top_and_traps_take_no_way_away():
    values = settle("construct", Construct.parameters, {"exit": "yes", "traps": "yes"})
    run = Construct(GAME, (12, 20), values, ()).start(np.random.SeedSequence(4))
    run.advance(200)
    text = run.level.text
    assert "t" in text
    assert "h" in text.splitlines()[0]
    assert win(run.level, run.level.solution).runner.row == 0


@pytest.mark.slow
def test_digging_is_needed_as_often_as_in_the_original_levels():
    grids = [draw((22, 32), Random(seed), STYLES[seed % len(STYLES)]) for seed in range(160)]
    shares = [excavate.dig_gold(grid) / (grid == GOLD).sum() for grid in grids if grid is not None]
    assert len(shares) >= 130
    assert 0.33 <= np.mean(shares) <= 0.43
    assert 0.16 <= np.mean(np.equal(shares, 0)) <= 0.26


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        (["......", "..#...", "..#...", "......", "......", "bbbbbb"], "a ladder without footing"),
        (["......", "......", "..#...", "..#...", "..#...", "bbbbbb"], "a ladder to nowhere"),
        (["......", "bbbb..", "..#...", "..#...", "..#...", "bbbbbb"], "a ladder under a ceiling"),
        (["......", ".--...", "......", "......", "......", "bbbbbb"], "a loose rope"),
        (["......", "......", "..b...", "......", "......", "bbbbbb"], "a brick alone"),
    ],
)
def test_faults_are_named(rows, what):
    assert any(
        fault.startswith(what) for fault in faults(levelsmith.parse("\n".join(rows), "loderunner").grid)
    )


@pytest.mark.slow
def test_the_corpus_holds_300_levels_that_differ_and_are_won_against_their_guards():
    corpus = levelsmith.load("loderunner:corpus")
    assert len(set(corpus)) == 300
    assert {level.size for level in corpus} == {(22, 32)}
    assert {level.title.split()[0] for level in corpus} == set(STYLES)
    for level in corpus:
        assert 4 <= (level.grid == GOLD).sum() <= 40
        assert 1 <= (level.grid == ENEMY).sum() <= 5
        assert is_timed(level.solution)
        (player,) = np.argwhere(level.grid == PLAYER).tolist()
        assert steps_between(level.grid, tuple(player))[level.grid == ENEMY].min() > NEAR
    for level in corpus[::15]:
        GAME.verify(level)


def likeness(grid, other):
    """The share of equal cells, mirrored or not."""
    return max((grid == other).mean(), (grid == other[:, ::-1]).mean())


@pytest.mark.slow
def test_levels_of_a_seed_are_not_alike_and_use_their_top():
    grids = made(20).grids
    assert max(likeness(a, b) for a, b in combinations(grids, 2)) <= 0.7
    assert ((grids[:, :7] != EMPTY).sum(axis=(1, 2)) >= 10).all()


def test_no_enemy_starts_near_the_player_who_starts_in_many_rows():
    grids = made(20).grids
    rows = {int(np.argwhere(grid == PLAYER)[0, 0]) for grid in grids}
    assert len(rows) >= 6
    for grid in grids:
        (player,) = np.argwhere(grid == PLAYER).tolist()
        assert steps_between(grid, tuple(player))[grid == ENEMY].min() > NEAR


def test_steps_count_along_ways_in_the_shorter_direction():
    rows = ["........", "bbb#bbbb", "...#....", "..b#bbbb", "........", "bbbbbbbb"]
    grid = levelsmith.parse("\n".join(rows), "loderunner").grid
    steps = steps_between(grid, (0, 0))
    assert steps[0, 7] == 7
    assert steps[2, 1] == 3 + 2 + 2  # along the floor, down the ladder, and back
    assert steps[2, 0] == steps[1, 0] == NEVER  # in the air beside a ledge, and in brick
    assert steps_between(grid, (4, 1))[2, 1] == 2  # by a fall, though the way up is longer


def test_one_level_of_the_corpus_is_named_by_its_number():
    assert levelsmith.load("loderunner:corpus#3") == levelsmith.load("loderunner:corpus")[2:3]


def test_a_pack_that_no_game_has_is_refused():
    with pytest.raises(LevelsmithError, match="corpus"):
        levelsmith.load("loderunner:corpse")


@pytest.mark.parametrize(
    "want", [{"digs": "3.."}, {"digs": "10.."}, {"moves": "50..90"}, {"dig_share": "0.5..1"}]
)
def test_what_a_plan_tells_and_gold_that_takes_digging_are_asked_of_the_builder(want):
    assert plan(Request("loderunner", want=want)).search == "construct"


@pytest.mark.slow
def test_usual_values_are_those_of_levels():
    made = levelsmith.generate("loderunner", search="construct", count=40, seed=9)
    found = [levelsmith.measure(level) for level in made.levels]
    for metric, (low, high) in USUAL.items():
        assert sum(low <= each[metric] <= high for each in found) >= 24, metric
