"""The difficulty of Sokoban levels: grows with every count, keeps known levels in order, has tiers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from levelsmith import generate, load, measure, parse, solve
from levelsmith.games.sokoban.metrics.difficulty import MODEL, PEOPLE, TERMS, TIERS, WEIGHTS, difficulty, tier
from levelsmith.games.sokoban.metrics.solution import measured, rated
from levelsmith.games.sokoban.space import space
from levelsmith.levels.measure import details
from levelsmith.registry import games

COUNTS = {"pushes": 10, "moves": 30, "floor": 25, "detour": 2}  # of a solution
ONE = {**COUNTS, "chance": 0.1, "lost_share": 0.5}
HARDER = {
    "moves": range(30, 100, 10),
    "detour": range(2, 30, 4),
    "chance": (0.9, 0.1, 1e-3, 1e-9, 1e-300),
    "lost_share": (0, 0.1, 0.5, 0.9, 0.999),
}
TURN = """\
#######
#@    #
# $$  #
#   ..#
#######"""


def grown(features, factor):
    return {**features, **{name: factor * features[name] for name in ("pushes", "moves", "detour")}}


@pytest.mark.parametrize("features", [COUNTS, ONE])
def test_it_grows_with_the_length_of_the_solution(features):
    ratings = [difficulty(grown(features, factor)) for factor in (0.2, 0.5, 1, 1.5, 2, 3, 5, 10, 15)]
    assert ratings == sorted(set(ratings))
    assert ratings[0] < 35
    assert ratings[-1] > 95


@pytest.mark.parametrize("name", HARDER)
def test_nothing_that_is_harder_makes_a_level_easier(name):
    ratings = [difficulty({**ONE, name: value}) for value in HARDER[name]]
    assert ratings == sorted(set(ratings))


def test_every_term_has_a_weight_above_nothing():
    assert list(PEOPLE) == list(TERMS)
    assert WEIGHTS.keys() <= TERMS.keys()
    assert min(*PEOPLE.values(), *WEIGHTS.values()) > 0


def test_where_positions_are_too_many_it_is_estimated_and_that_is_said(monkeypatch):
    level = parse(TURN, game="sokoban")
    solution = solve(level, moves=True).solution
    known = rated(level, solution)
    assert 0 < known["chance"] < 1
    assert 0 < known["lost_share"] < 1
    assert "chance" not in measured(level, solution)
    space._told.cache_clear()
    monkeypatch.setattr(space, "ROOM", 5)
    monkeypatch.setattr(space.space_of, "__defaults__", (5,))
    try:
        assert rated(level, solution) == measured(level, solution)
        solved = replace(level, solution=solution)
        assert "estimated" in details(solved)["note"]
        assert "estimated)" in games.get("sokoban").headline(solved)
    finally:
        space._told.cache_clear()


def test_a_level_says_by_which_model_it_was_asked_for():
    asked = {"size": (4, 5), "seed": 1, "want": {"difficulty": "..60"}}
    made = generate("sokoban", **asked).best
    assert made.provenance["models"] == {"difficulty": MODEL}
    assert measure(made)["difficulty"] <= 60
    assert "models" not in generate("sokoban", size=(4, 5), seed=1).best.provenance


def test_tiers_begin_at_their_thresholds():
    assert [tier(least) for least in TIERS.values()] == list(TIERS)
    assert [tier(least - 0.1) for least in list(TIERS.values())[1:]] == list(TIERS)[:-1]
    assert (tier(0), tier(100)) == ("easy", "fiendish")


def test_trivial_levels_are_easy():
    assert difficulty(grown(COUNTS, 0)) == 0
    verdict = solve(parse("######\n#@$ .#\n######", game="sokoban"))
    assert verdict.metrics["difficulty"] < 5


def test_a_level_with_a_solution_tells_its_tier():
    text = "######\n#@$ .#\n######"
    told = details(replace(parse(text, game="sokoban"), solution="RR"))
    assert told == {"tier": "easy"}
    assert details(parse(text, game="sokoban")) == {}


def test_the_five_examples_of_aiide(data_folder):
    levels = load(data_folder / "sokoban" / "aiide2016_five_examples.xsb", game="sokoban")
    ratings = [verdict.metrics["difficulty"] for verdict in solve(levels, moves=True)]
    assert ratings == pytest.approx([3.0, 7.7, 9.0, 12.6, 41.0], abs=0.1)


def test_harder_tiers_of_boxoban_are_rated_higher(data_folder):
    means = []
    for name in ("unfiltered_valid_000", "medium_valid_000", "hard_003"):
        levels = load(data_folder / "sokoban" / f"boxoban_{name}.txt", game="sokoban")[:15]
        ratings = [verdict.metrics["difficulty"] for verdict in solve(levels, moves=True)]
        means.append(sum(ratings) / len(ratings))
    assert means[0] < 45 < min(means[1:])
