"""The evolution strategy, the genetic algorithm and islands meet the candidates of their slow twins."""

from __future__ import annotations

import numpy as np
import pytest

from levelsmith import generate
from levelsmith.errors import LevelsmithError
from levelsmith.making.build import build_problem, start_run
from levelsmith.making.plan import plan
from levelsmith.request import Request
from levelsmith.search.kernels import evolution as evolution_kernels
from levelsmith.search.kernels.evolution import by_rank, rank
from reference import evolution as twin

pytestmark = pytest.mark.usefixtures("_words_wrap_around")

ES = {"mu": 3, "lambda": 5}
GA = {"population": 9}
ALL_OF_THEM = {"ends": "generations"}


def asked(search, values, **choices):
    return plan(Request("binary", search=search, objective="path-length", set=values, seed=3, **choices))


def followed(task, met, evaluations):
    """What a search and its twin meet, and how many generations either counts."""
    search = start_run(task)
    states = met(search, evaluations)
    slow = getattr(twin, task.search)
    problem = build_problem(task)
    return (states, search.statistics()["generations"]), slow(
        problem, task.sequence, evaluations, task.values[task.search]
    )


@pytest.mark.first(2)
@pytest.mark.parametrize(
    ("values", "choices"),
    [
        ({**ES, "ties": "parents"}, {}),
        ({**ES, "ties": "children", "rate": 0}, {}),
        ({**ES, "ties": "random", "rate": 0.02}, {}),
        ({"mu": 1, "lambda": 1, "ties": "children", "rate": 0}, {}),
        ({"mu": 7, "lambda": 2}, {"representation": "narrow"}),
        ({**ES, "ties": "children"}, {"representation": "turtle"}),
        ({**ES, "ties": "random"}, {"size": (17, 16)}),
    ],
)
def test_the_evolution_strategy_is_its_slow_twin(values, choices, met):
    compiled, slow = followed(asked("es", values, **choices), met, 200)
    assert compiled == slow


def test_who_lives_on_among_equals_makes_a_difference(met):
    runs = [
        met(start_run(asked("es", {**ES, "rate": 0, "ties": ties})), 100)
        for ties in ("parents", "children", "random")
    ]
    assert len({tuple(run) for run in runs}) == 3


@pytest.mark.first(3)
@pytest.mark.parametrize(
    ("values", "choices"),
    [
        ({**GA, "elite": 0, "rate": 0}, {}),
        ({**GA, "elite": 3, "mutation": 0.3}, {}),
        ({"population": 2, "crossover": 0.5}, {}),
        ({**GA, "crossover": 0.0, "mutation": 0.0}, {}),
        ({**GA, "mutation": 0.3}, {"representation": "narrow"}),
        ({**GA, "rate": 0}, {"representation": "turtle"}),
        ({**GA, "elite": 8}, {"size": (17, 16)}),
    ],
)
def test_the_genetic_algorithm_is_its_slow_twin(values, choices, met):
    compiled, slow = followed(asked("ga", values, **choices), met, 150)
    assert compiled == slow


@pytest.mark.first(2)
@pytest.mark.parametrize(
    ("values", "choices"),
    [
        ({"population": 3, "islands": 2, "pool": 19, "generations": 4, "mutation": 0.5}, {}),
        ({"population": 4, "islands": 3, "pool": 1, "generations": 9, "goal": 6, "rate": 0}, {}),
        ({"population": 2, "islands": 2, "pool": 8, "generations": 0, "goal": 4}, {}),
        ({"population": 4, "islands": 3, "pool": 25, "generations": 7, "goal": 6, **ALL_OF_THEM}, {}),
    ],
)
def test_islands_is_its_slow_twin(values, choices, met):
    compiled, slow = followed(asked("islands", values, **choices), met, 150)
    assert compiled == slow


def test_islands_end_at_the_evaluation_that_settles_them_however_they_are_advanced():
    values = {"population": 4, "islands": 3, "pool": 24, "generations": 30, "goal": 20}
    ends = []
    for portion in (1, 7, 100_000):
        run = start_run(asked("islands", values))
        while not run.settled:
            run.advance(portion)
        ends.append((run.evaluations, run.run.states.tobytes()))
    assert len(set(ends)) == 1
    assert ends[0][0] > 24 + 12  # not those of the pool, nor all at the meeting


def test_no_level_of_islands_repeats_another():
    values = {"population": 4, "islands": 3, "pool": 24, "generations": 30, "goal": 20}
    run = start_run(asked("islands", values))
    while not run.settled:
        run.advance(1000)
    grids = [grid.tobytes() for _, grid, _, _ in run.everyone()]
    assert len(grids) == len(set(grids))
    rows = [row.tobytes() for row in run.run.states[1:-1]]
    assert not set(rows[-3:]) & set(rows[:-3])  # the best have given way to children


def test_islands_that_end_after_all_generations_breed_though_everyone_meets_the_goal_at_once():
    values = {"population": 4, "islands": 3, "pool": 50, "generations": 6, "goal": 1, "mutation": 1.0}
    evaluations = 50 + 6 * 12 + 6 * 3
    for ends, told in (("goal", {"samples": 14, "generations": 0}), ("generations", {"generations": 6})):
        found = generate("binary", search="islands", set=values | {"ends": ends}, seed=3)
        assert found.stopped == "solved"
        assert told.items() <= found.statistics.items()
        assert found.statistics["duplicates"] == 0
        assert len({level.text for level in found.levels}) == len(found.levels) == 15
    assert found.evaluations == evaluations == 50 + found.statistics["children"]
    assert found.statistics["samples"] == 50
    assert found.statistics["children"] == found.statistics["mutated"]
    assert 0 < found.statistics["crossed"] < found.statistics["children"]
    assert 0 < found.statistics["accepted"] < found.statistics["children"]


def test_a_sample_that_repeats_another_takes_no_place():
    values = {"population": 10, "islands": 2, "pool": 500, "generations": 0, **ALL_OF_THEM}
    found = generate("orchard", search="islands", size=(2, 2), set=values, seed=1, evaluations=500)
    texts = [level.text for level in found.levels]
    assert len(set(texts)) == len(texts) == 16  # four cells with or without a tree
    assert found.statistics["repeated"] > 0


@pytest.mark.parametrize(
    ("search", "values", "complete"),
    [
        ("es", {"mu": 4, "lambda": 6}, {1: 0, 9: 0, 10: 1, 15: 1, 16: 2, 22: 3}),
        ("ga", {"population": 10, "elite": 4}, {1: 0, 9: 0, 10: 1, 15: 1, 16: 2, 22: 3}),
        ("ga", {"population": 10, "elite": 0}, {9: 0, 10: 1, 19: 1, 20: 2}),
    ],
)
def test_generations_are_counted_when_they_are_complete(search, values, complete):
    run = start_run(asked(search, values))
    for evaluations, generations in complete.items():
        while run.evaluations < evaluations:
            run.advance(1)
        assert run.statistics() == {"generations": generations}


@pytest.mark.parametrize("elite", [20, 21])
def test_an_elite_as_large_as_the_population_is_refused(elite):
    with pytest.raises(LevelsmithError) as caught:
        start_run(asked("ga", {"population": 20, "elite": elite}))
    assert str(caught.value) == f"expected an elite smaller than the population of 20, got {elite}"
    assert start_run(asked("ga", {"population": 20, "elite": 19})).evaluations == 0


@pytest.mark.parametrize("turned", [False, True])
def test_ranking_sorts_by_score_and_leaves_equals_in_order_or_turned_around(turned):
    draw = np.random.default_rng(1)
    for n in range(1, 40):
        scores = draw.integers(0, 5, 2 * n) / 4
        rows = draw.permutation(2 * n)
        order = np.concatenate([rows[:n], np.full(n, -1)])
        rank(order, scores, n, turned)
        expected = sorted(rows[:n][::-1] if turned else rows[:n], key=lambda row: -scores[row])
        assert order[:n].tolist() == expected


@pytest.mark.parametrize("n", [2, 5, 200, 50_000])
def test_the_chance_of_a_parent_falls_in_a_straight_line(n, monkeypatch):
    monkeypatch.setattr(evolution_kernels, "below", lambda ticket, tickets: ticket)
    for place in {0, 1, n // 2, n - 2, n - 1}:
        behind = n - 1 - place  # the worst has ticket 0, the one before it 1 and 2, then come 3 to 5
        first = behind * (behind + 1) // 2
        last = first + behind
        assert by_rank(first, n) == by_rank(last, n) == place
