"""The difficulty of Sokoban levels: grows with every count, keeps known levels in order, has tiers."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path

import pytest

from levelsmith import load, parse, solve
from levelsmith.games.sokoban.metrics.difficulty import TERMS, TIERS, WEIGHTS, difficulty, tier
from levelsmith.levels.measure import details

ROOT = Path(__file__).resolve().parents[2]
ONE = {"pushes": 10, "moves": 30, "floor": 25, "detour": 2}


def grown(factor):
    return {**ONE, **{name: factor * ONE[name] for name in ("pushes", "moves", "detour")}}


def test_it_grows_with_the_length_of_the_solution():
    ratings = [difficulty(grown(factor)) for factor in (0.2, 0.5, 1, 1.5, 2, 3, 5, 10, 15)]
    assert ratings == sorted(set(ratings))
    assert ratings[0] < 10
    assert ratings[-1] > 97


@pytest.mark.parametrize("name", ["moves", "detour"])
def test_no_count_makes_a_level_easier(name):
    ratings = [difficulty({**ONE, name: ONE[name] + more}) for more in range(0, 40, 4)]
    assert ratings == sorted(ratings)
    assert ratings[0] < ratings[-1]


def test_every_term_has_a_weight_above_nothing():
    assert list(WEIGHTS) == list(TERMS)
    assert min(WEIGHTS.values()) > 0


def test_tiers_begin_at_their_thresholds():
    assert [tier(least) for least in TIERS.values()] == list(TIERS)
    assert [tier(least - 0.1) for least in list(TIERS.values())[1:]] == list(TIERS)[:-1]
    assert (tier(0), tier(100)) == ("easy", "fiendish")


def test_trivial_levels_are_easy():
    assert difficulty({**grown(0), "floor": 9}) == 0
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
    assert ratings == pytest.approx([6.5, 22.1, 14.9, 18.0, 51.0], abs=0.1)


def test_harder_tiers_of_boxoban_are_rated_higher(data_folder):
    means = []
    for name in ("unfiltered_valid_000", "medium_valid_000", "hard_003"):
        levels = load(data_folder / "sokoban" / f"boxoban_{name}.txt", game="sokoban")[:15]
        ratings = [verdict.metrics["difficulty"] for verdict in solve(levels, moves=True)]
        means.append(sum(ratings) / len(ratings))
    assert means[0] < 45 < min(means[1:])


def test_the_fit_finds_what_tells_tiers_apart(monkeypatch):
    np = pytest.importorskip("numpy")
    pytest.importorskip("sklearn")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    fit = importlib.import_module("fit_difficulty")
    rng = np.random.default_rng(1)
    tiers = np.repeat([0, 1, 2], 60)
    x = rng.normal(size=(180, 2)) + np.stack([tiers, 0 * tiers], axis=1)
    weights = fit.fitted(x, tiers)
    assert weights[0] > 3 * abs(weights[1])
    assert min(fit.areas(x @ weights, tiers)) > 0.65
