"""Breadth-first, depth-first, best-first and A* do what their slow twin does, and keep to their memory."""

from __future__ import annotations

import pytest

import levelsmith
from levelsmith.making.build import build_problem, start_run
from levelsmith.making.plan import plan
from levelsmith.request import Request
from levelsmith.search.kernels.frontier import BEST_FIRST, BREADTH, DEPTH_FIRST, bytes_a_node, make
from reference import frontier as twin

TWINS = {
    "bfs": {"mode": "bfs"},
    "dfs": {"mode": "dfs"},
    "best": {"mode": "best"},
    "astar": {"mode": "best", "weight": 0.01},
}


pytestmark = pytest.mark.usefixtures("_words_wrap_around")


def ran(task):
    """A finished search, advanced until the budget is spent or nothing is left."""
    search = start_run(task)
    while search.evaluations < task.budget.evaluations and search.score < 1 and not search.exhausted:
        search.advance(task.budget.evaluations - search.evaluations)
    return search


@pytest.mark.first(24)
@pytest.mark.parametrize("representation", ["narrow", "turtle", "wide"])
@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("size", [(4, 4), (9, 10), (18, 15)])
def test_it_meets_the_states_of_its_slow_twin_in_the_same_order(name, representation, size):
    spent = 60 if size == (18, 15) else 150  # its twin is slowest there
    task = plan(
        Request("binary", size=size, search=name, representation=representation, seed=2, evaluations=spent)
    )
    search = ran(task)
    scores, duplicates, deepest = twin.search(
        build_problem(task), task.sequence, evaluations=spent, **TWINS[name]
    )
    found = search.statistics()
    assert search.evaluations == found["nodes"] == len(scores)
    assert search.score == max(scores)
    assert found["depth_reached"] == deepest
    assert found["duplicates"] == duplicates


def test_ties_may_go_to_the_newest():
    task = plan(Request("binary", search="best", set={"ties": "lifo"}, seed=5, evaluations=120))
    search = ran(task)
    scores, _, deepest = twin.search(build_problem(task), task.sequence, "best", 120, last_first=True)
    assert (search.score, search.statistics()["depth_reached"]) == (max(scores), deepest)


@pytest.mark.parametrize("name", TWINS)
def test_a_random_order_is_that_of_its_slow_twin(name, met):
    task = plan(Request("binary", search=name, set={"order": "random", "goal": 74}, seed=2, evaluations=150))
    problem = build_problem(task)
    scores, _, _ = twin.search(problem, task.sequence, evaluations=150, shuffled=True, **TWINS[name])
    assert [score for score, _ in met(start_run(task), 150)] == scores


def test_a_random_order_is_another_than_the_given_one_and_the_same_for_the_same_seed(met):
    def first(order, seed):
        task = plan(Request("binary", search="dfs", set={"order": order, "fill": 1.0, "goal": 74}, seed=seed))
        return [grid for _, grid in met(start_run(task), 101)]  # the empty map and its children

    given, shuffled = first("given", 0), first("random", 0)
    assert shuffled == first("random", 0)
    assert shuffled != given == first("given", 1)
    assert shuffled != first("random", 1)
    assert sorted(shuffled) == sorted(given)


@pytest.mark.parametrize("name", TWINS)
def test_a_small_space_is_searched_to_its_end(name):
    result = levelsmith.generate(
        "binary", size=(3, 3), search=name, objective="path-length", set={"goal": 7, "fill": 0.0}, seed=0
    )
    assert result.stopped == "exhausted"
    assert result.evaluations == 2**9  # every map once, and none has a path of 7
    assert result.score == 6 / 7
    assert result.statistics["depth_reached"] == 9


@pytest.mark.parametrize("name", TWINS)
def test_memory_is_a_limit_and_a_reason(name):
    hopeless = {"objective": "path-length", "set": {"goal": 74, "memory": 1}}
    result = levelsmith.generate("binary", search=name, seed=0, evaluations=10**6, **hopeless)
    assert result.stopped == "memory"
    assert 4096 <= result.statistics["nodes"] < 2**20 / 32
    assert result.best.size == (10, 10)


@pytest.mark.parametrize(("mode", "most"), [(BREADTH, 64), (DEPTH_FIRST, 68), (BEST_FIRST, 76)])
def test_a_node_takes_at_most_so_many_bytes_on_10x10(mode, most):
    row = build_problem(plan(Request("binary", search="bfs"))).representation.words
    front, table = make(row, 128, 2**16, mode), 4 * 8  # just after it has grown
    taken = (front.nodes.nbytes + front.waiting.nbytes + front.keys.nbytes) / 2**16 + table
    assert int(taken) == bytes_a_node(row, mode) <= most


def test_the_depth_of_the_best_state_is_told():
    result = levelsmith.generate("binary", search="best", objective="connectivity", seed=1)
    assert result.solved
    assert 1 <= result.statistics["depth_of_best"] <= result.statistics["depth_reached"]
