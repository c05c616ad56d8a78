"""How often the keys of a Lode Runner plan win where chance decides what the tick decides in our rules."""

import random
from dataclasses import replace

import numpy as np
import pytest

import levelsmith
from guards import random_level
from levelsmith.games.loderunner.game.game import KEYS, CompiledGame
from levelsmith.games.loderunner.rules.game import Game
from levelsmith.games.loderunner.rules.plan import played, read
from levelsmith.games.loderunner.steady import REPLAYS, SEED, steady
from levelsmith.kernels.random import all_seeded
from levelsmith.making.plan import plan
from levelsmith.making.wants import wanted
from levelsmith.registry import games
from levelsmith.request import Request
from reference.random import Xoroshiro

ALONE = levelsmith.parse("......\n......\n......\n......\nM....G\nbbbbbb", "loderunner")


def draw_of(dice):
    """Draws for the rule book as the compiled game does."""
    twin = Xoroshiro(*dice)
    return lambda most: (twin.word() >> 32) * most >> 32


def test_rule_book_and_kernel_play_alike_where_chance_decides():
    drawn = 0
    for seed, dice in enumerate(all_seeded(np.random.SeedSequence(1).spawn(60))):
        rng = random.Random(seed)
        level = random_level(rng)
        book, compiled = Game(level, draw=draw_of(dice)), CompiledGame(level).with_dice(dice)
        for tick in range(300):
            if book.status != "playing":
                break
            key = rng.choice(KEYS) if tick % rng.choice((3, 7, 12)) == 0 else None
            assert book.tick(key) == compiled.tick(key)
            assert book.state() == compiled.state(), (seed, tick)
        drawn += not (compiled.board.dice == dice).all()
    assert drawn > 10


def by_the_book(level, dice):
    game = Game(level.text.splitlines(), draw=draw_of(dice))
    for key, ticks in read(level.solution):
        for tick in range(ticks):
            if game.status == "playing":
                game.tick(key if tick == 0 else None)
    return game.status == "won"


@pytest.fixture(scope="module")
def shaken():
    """A level of the corpus, with a short plan that wins some replays and not others."""
    levels = sorted(levelsmith.load("loderunner:corpus")[:60], key=lambda level: len(level.solution))
    return next(level for level in levels if 0.2 < steady(level, level.solution) < 0.8)


def test_the_share_is_that_of_replays_by_the_rule_book(shaken):
    few = all_seeded(np.random.SeedSequence(SEED).spawn(REPLAYS))[:12]
    won = [by_the_book(shaken, dice) for dice in few]
    assert len(set(won)) == 2
    assert won == [
        CompiledGame(shaken.text.splitlines()).with_dice(dice).press_on(keys_of(shaken)) == "won"
        for dice in few
    ]


def keys_of(level):
    from levelsmith.games.loderunner.game.game import keys_of

    return keys_of(read(level.solution))


def test_a_plan_in_which_nothing_is_drawn_is_steady():
    assert steady(ALONE, "r30") == 1.0
    assert steady(ALONE, "l5") == 0.0  # it wins no replay, so it would be no plan


def test_the_share_is_measured_and_told(shaken):
    share = levelsmith.measure(shaken)["steady"]
    assert share == steady(shaken, shaken.solution)
    assert f"steady {share:g})" in games.get("loderunner").headline(shaken)
    assert levelsmith.measure(replace(shaken, solution=None))["steady"] is None
    assert list(played(shaken, shaken.solution))[-1].status == "won"  # where the tick decides


def test_one_number_asks_for_that_share_and_more():
    game = games.get("loderunner")
    assert [want[1:] for want in wanted(game, {"steady": "0.9"})[:1]] == [(0.9, np.inf)]
    assert [want[1:] for want in wanted(game, {"steady": 0.9})[:1]] == [(0.9, np.inf)]
    assert [want[1:] for want in wanted(game, {"steady": "..0.5"})[:1]] == [(0.0, 0.5)]
    assert [want[1:] for want in wanted(game, {"gold": 9})[:1]] == [(9, 9)]
    assert plan(Request("loderunner", want={"steady": 0.9})).search == "construct"
    with pytest.raises(levelsmith.LevelsmithError, match=r"at most 1 for steady .*got 2\.\."):
        plan(Request("loderunner", want={"steady": 2}))


def test_a_solver_goes_on_until_a_plan_is_as_steady_as_is_asked(shaken):
    first, steadier = (
        levelsmith.solve(shaken, states=20_000, seconds=None, steady=share) for share in (None, 1.0)
    )
    assert "why" not in first.statistics
    assert steadier.status == "solved"
    assert steadier.metrics["steady"] == steady(shaken, steadier.solution) >= first.metrics["steady"]
    fell_short = steadier.metrics["steady"] < 1.0
    assert steadier.statistics.get("why") == ("no plan as steady was found" if fell_short else None)
    assert fell_short or steadier.statistics["states"] < 20_000


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"steady": 2}, "expected a share from 0 to 1 for steady, got '?2"),
        ({"steady": 0.9, "guards": "still"}, "no chance decides in loderunner against guards that are still"),
    ],
)
def test_what_cannot_be_steady_is_refused(choices, message):
    with pytest.raises(levelsmith.LevelsmithError, match=message):
        levelsmith.solve(ALONE, **choices)


@pytest.mark.parametrize("asked", [{"want": {"steady": 0.5}}, {"want": {"difficulty": "20.."}}])
def test_where_guards_stand_still_no_range_of_theirs_is_looked_for(asked):
    (metric,) = asked["want"]
    message = f"no level has {metric} here: .*; leave out {metric}"
    with pytest.raises(levelsmith.LevelsmithError, match=message):
        levelsmith.generate("loderunner", guards="still", evaluations=1, **asked)
    with pytest.raises(levelsmith.LevelsmithError, match=message):
        levelsmith.improve(ALONE, guards="still", evaluations=1, **asked)


@pytest.mark.slow
def test_ranges_of_a_plan_that_wins_are_held_where_a_level_is_improved():
    level, asked = levelsmith.load("loderunner:corpus")[7], {"evaluations": 40, "seed": 1}
    better = levelsmith.improve(level, want={"steady": (0.1, 1)}, **asked).best
    assert 0.1 <= levelsmith.measure(better)["steady"] <= 1
    with pytest.raises(
        levelsmith.LevelsmithError, match=r"is won, but not with difficulty 99\.\.; try wider"
    ):
        levelsmith.improve(level, want={"difficulty": "99.."}, **asked)


def test_games_without_guards_have_no_steady_plans():
    box = levelsmith.parse("######\n#@$ .#\n######", "sokoban")
    with pytest.raises(levelsmith.LevelsmithError, match="no chance decides in sokoban; leave out steady"):
        levelsmith.solve(box, steady=0.5)


def test_levels_that_are_asked_for_are_steady():
    made = levelsmith.generate("loderunner", size=(12, 16), want={"steady": 0.9}, count=3, seed=2)
    assert len(made.levels) == 3
    assert all(levelsmith.measure(level)["steady"] >= 0.9 for level in made.levels)
