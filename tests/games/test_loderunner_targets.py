"""Ranges that are asked of Lode Runner levels hold in the levels as they are handed out, player and all."""

from __future__ import annotations

import pytest

import levelsmith
from levelsmith.errors import LevelsmithError
from levelsmith.making.plan import plan
from levelsmith.registry import games
from levelsmith.request import Request
from reference.score import score


@pytest.mark.parametrize("seed", range(6))
def test_a_level_lies_in_its_ranges_with_the_player_that_is_placed_at_last(seed):
    want = {"gold": "5..8", "enemies": "1..2", "density": "sparse", "empty": "60..80"}
    made = levelsmith.generate(
        "loderunner",
        size=(9, 12),
        search="hc",
        representation="wide",
        want=want,
        seed=seed,
        evaluations=20_000,
        guards="still",
    )
    assert made.solved
    for level in made.levels:
        found = levelsmith.measure(level)
        assert 5 <= found["gold"] <= 8
        assert 1 <= found["enemies"] <= 2
        assert found["density"] <= 0.35
        assert 60 <= found["empty"] <= 80
        assert found["playable"] == 1
        assert found["connectivity"] >= 0.5


@pytest.mark.parametrize(
    ("metric", "low", "high"), [("digs", 3, 1000), ("digs", 10, 1000), ("moves", 50, 90)]
)
def test_what_a_plan_tells_is_met_within_a_time_limit_too(metric, low, high):
    made = levelsmith.generate("loderunner", size=(14, 20), want={metric: (low, high)}, seconds=30, seed=4)
    assert low <= levelsmith.measure(made.best)[metric] <= high


def test_the_fitness_of_the_paper_asks_for_all_gold_first_and_then_for_connectivity_without_a_limit():
    terms = games.get("loderunner").objectives["thakkar2019"].terms((22, 32), {"pieces": 1})

    def fitness(gold, collected, connectivity):
        share = collected / gold if gold else 0.0
        metrics = {"gold_share": share, "players": 1, "gold": gold, "connectivity": connectivity}
        return score(terms, metrics)

    played = [fitness(gold, gold, reached) for reached in (0.01, 0.5, 0.51, 1.0) for gold in (1, 140)]
    assert played == sorted(played)
    assert min(played) > 1
    assert len(set(played)) == 4  # how much gold there is counts nothing
    assert max(fitness(140, 139, 1.0), fitness(0, 0, 1.0)) < 1


def test_densities_have_names():
    task = plan(Request("loderunner", search="hc", want={"density": "medium"}))
    wants = {want.metric: (want.low, want.high) for want in task.wants}
    assert wants == {
        "density": (0.35, 0.5),
        "gold_share": (1, 1),
        "connectivity": (0.5, 1),
        "players": (0, 1),
    }
    with pytest.raises(
        LevelsmithError, match=r"8\.\. or \.\.5, sparse, medium, dense for density, got 'thick'"
    ):
        plan(Request("loderunner", want={"density": "thick"}))


def test_a_generator_that_plans_its_levels_is_not_asked_what_it_is_sure_of():
    wants = plan(Request("loderunner", search="construct", want={"gold": "8..12"})).wants
    assert [want.metric for want in wants] == ["gold"]
