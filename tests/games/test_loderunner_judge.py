"""The judge of Lode Runner against a slow twin, hand-made levels, and the originals' known counts."""

from __future__ import annotations

import numpy as np
import pytest

from levelsmith import load, parse
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner.judge.judge import hopeless, judge, judge_all, out_of_reach, with_best_start
from levelsmith.games.loderunner.judge.kernels.judge import GOLD
from levelsmith.registry import games
from reference.loderunner import RULES, Map, from_cell, judged, layers

GAME = games.get("loderunner")
DOCUMENT = "docs/levels/loderunner.txt"
ACCEPTED = {"no-dig": 28, "dig": 73, "mmneat": 130, "pcg-benchmark": 28}
SHAPES = [(6, 6), (7, 9), (10, 8)]
WEIGHTS = [0.42, 0.2, 0.04, 0.12, 0.07, 0.08, 0.02, 0.0, 0.03, 0.02]


def random_grids(number, size, rng):
    """Levels with one player; every other one with floors, so that runners get somewhere."""
    grids = rng.choice(10, (number, *size), p=WEIGHTS).astype(np.uint8)
    floors = rng.random((number // 2, *size)) < 0.7
    grids[::2, 2::3] = np.where(floors[:, 2::3], 1, grids[::2, 2::3])
    for grid in grids:
        grid[tuple(rng.integers(0, size))] = 7
    return grids


def text(grid):
    return "\n".join(GAME.tiles.rows(grid))


@pytest.mark.parametrize("rules", RULES)
def test_the_judge_equals_its_slow_twin(rules):
    rng = np.random.default_rng(len(rules))
    for size in SHAPES:
        grids = random_grids(40, size, rng)
        for grid, told in zip(grids, judge_all(grids, rules), strict=True):
            gold, reached = judged(text(grid), rules)
            assert told.gold_collectable == gold
            assert told.connectivity == reached / (~np.isin(grid, (1, 2))).sum()


@pytest.mark.parametrize("rules", RULES)
def test_the_best_start_is_that_of_the_twin(rules):
    for grid in random_grids(10, (6, 6), np.random.default_rng(1)):
        level = Map(text(grid))
        places = [cell for cell in level.cells if level.at(*cell) in ".M"]
        places = [(r, c) for r, c in places if level.at(r + 1, c) in "bB#"]
        told = judge(grid, rules, best_start=True)
        assert told.start in places if places else told.start is None
        assert told.gold_collectable == max((from_cell(level, at, rules)[0] for at in places), default=0)


def test_what_takes_digging_equals_the_slow_twin():
    seen = dict.fromkeys(("dig_gold", "timed_gold", "layers"), 0)
    for size in SHAPES:
        grids = random_grids(40, size, np.random.default_rng(3))
        for grid, row in zip(grids, GAME.measure(grids), strict=True):
            told = dict(zip(GAME.metrics, row.tolist(), strict=True))
            most, walked, single = (judged(text(grid), rules)[0] for rules in ("relaxed", "no-dig", "dig"))
            assert told["dig_gold"] == most - walked
            assert told["timed_gold"] == max(0, most - single)
            assert told["layers"] == layers(text(grid))
            assert told["dig_share"] == (most - walked) / max(1, (grid == GOLD).sum())
            for name in seen:
                seen[name] = max(seen[name], told[name])
    assert seen["dig_gold"] >= 2 <= seen["layers"]
    assert seen["timed_gold"] >= 1


def test_what_the_relaxed_rules_refuse_no_sound_rules_accept():
    grids = random_grids(300, (8, 9), np.random.default_rng(2))
    relaxed = [told.gold_collectable for told in judge_all(grids, "relaxed")]
    for rules in ("no-dig", "dig"):
        assert all(t.gold_collectable <= r for t, r in zip(judge_all(grids, rules), relaxed, strict=True))


@pytest.mark.parametrize("rules", ACCEPTED)
def test_the_originals_are_accepted_as_measured_before(data_folder, rules):
    levels = load(data_folder / "loderunner-vglc" / "levels", game="loderunner")
    assert (
        sum(told.playable for told in judge_all(np.stack([x.grid for x in levels]), rules))
        == (ACCEPTED[rules])
    )


def test_rules_differ_where_a_brick_must_be_dug():
    grid = parse("......\n......\n.M....\nbbbbbb\nG.....\nbbbbbb", "loderunner").grid
    assert not judge(grid, "no-dig").playable
    assert judge(grid, "dig").playable
    assert judge(grid, "relaxed").playable


def test_nobody_digs_from_where_nobody_gets_to():
    rows = ["......", "BBB...", "{}..bbG", "BBBBBB", "......", "BBBBBB"]
    shut_in = parse("\n".join(rows).format("M"), "loderunner").grid
    assert not judge(
        shut_in, "relaxed"
    ).playable  # who stands above the bricks can dig them, but he never does
    above = parse("\n".join(rows).format(".").replace("BBB...", "BBB.M."), "loderunner").grid
    assert judge(above, "relaxed").playable


def test_a_level_without_a_player_is_judged_from_the_best_start_and_is_not_playable():
    level = parse("......\n......\nG....G\nbbb.bb\nG....G\nbbbbbb", "loderunner")
    told = judge(level.grid, "no-dig")
    assert (told.players, told.gold_collectable, told.playable) == (0, 3, False)
    placed = with_best_start(level, "no-dig")
    assert placed.grid[told.start] == 7
    assert judge(placed.grid, "no-dig").gold_collectable == 3


def test_gold_out_of_reach_is_named():
    grid = parse("......\n.M..BB\nbb#bBG\n..#.BB\n..#...\nbbbbbb", "loderunner").grid
    assert out_of_reach(grid) == [(2, 5)]


def test_unknown_rules_are_refused():
    with pytest.raises(LevelsmithError, match="no rule set is called 'real'"):
        judge(np.zeros((6, 6), np.uint8), "real")


def test_gold_below_a_gap_can_be_dug_for_from_it_and_gold_in_solid_cannot():
    rows = ["........", "M.......", "........", "bbbbbbbb", "bbbGbbbb", "bbbbbbbb"]
    walled = [*rows[:3], "BBBBBBBB", *rows[4:]]
    free = np.zeros((6, 8), np.bool_)
    free[2, 1:7] = True
    assert hopeless(parse("\n".join(rows), "loderunner").grid, free) is None
    why = hopeless(parse("\n".join(walled), "loderunner").grid, free)
    assert why == "the locked gold at 3,4 is out of reach, whatever is around; unlock cells beside it"
