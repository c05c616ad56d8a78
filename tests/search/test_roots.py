"""Trees from many roots share one table: what one of them met, none of them meets again."""

from __future__ import annotations

import pytest

import levelsmith
from levelsmith.making.build import build_problem, start_run
from levelsmith.making.plan import plan
from levelsmith.request import Request
from reference import hybrids as twin

pytestmark = pytest.mark.usefixtures("_words_wrap_around")


@pytest.mark.parametrize("representation", ["narrow", "turtle", "wide"])
@pytest.mark.parametrize(("order", "turns"), [("given", "best"), ("random", "all")])
def test_it_meets_the_states_of_its_slow_twin_in_the_same_order(representation, order, turns, met):
    values = {"roots": 4, "slice": 7, "order": order, "turns": turns, "goal": 74}
    task = plan(Request("binary", search="roots", representation=representation, set=values, seed=3))
    states = twin.roots(build_problem(task), task.sequence, 200, task.values["roots"])
    assert met(start_run(task), 200) == states


def test_a_small_space_is_searched_to_its_end_and_no_map_twice(met):
    values = {"roots": 5, "slice": 3, "goal": 7}
    search = start_run(plan(Request("binary", search="roots", size=(3, 3), set=values, seed=1)))
    states = met(search, 1_000)
    grids = [grid for _, grid in states]
    assert search.exhausted
    assert len(grids) == len(set(grids)) == 2**9
    assert search.statistics()["nodes"] == 2**9


def test_one_root_is_best_first_search():
    wanted = {"objective": ["path-length", "connectivity"], "seed": 2, "evaluations": 3_000}
    one = levelsmith.generate("binary", search="roots", set={"roots": 1, "goal": 60}, **wanted)
    best = levelsmith.generate("binary", search="best", set={"goal": 60}, **wanted)
    assert (one.best, one.score, one.evaluations) == (best.best, best.score, best.evaluations)


def test_memory_is_a_limit_and_a_reason():
    values = {"goal": 74, "memory": 1, "roots": 3}
    result = levelsmith.generate(
        "binary", search="roots", objective="path-length", set=values, seed=0, evaluations=10**6
    )
    assert result.stopped == "memory"
    assert 4096 <= result.statistics["nodes"] < 2**20 / 32
