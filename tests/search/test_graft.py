"""A population whose mutation is a tree search meets what its slow twin meets, in the same order."""

from __future__ import annotations

import pytest

import levelsmith
from levelsmith.making.build import build_problem, start_run
from levelsmith.making.plan import plan
from levelsmith.request import Request
from reference import hybrids as twin

pytestmark = pytest.mark.usefixtures("_words_wrap_around")
FEW = {"mu": 2, "lambda": 3, "slice": 12, "goal": 74}


@pytest.mark.parametrize("representation", ["narrow", "turtle", "wide"])
def test_it_meets_the_states_of_its_slow_twin_in_the_same_order(representation, met):
    task = plan(Request("binary", search="graft", representation=representation, set=FEW, seed=3))
    search = start_run(task)
    states, generations = twin.graft(build_problem(task), task.sequence, 150, task.values["graft"])
    assert met(search, 150) == states
    assert search.statistics()["generations"] == generations >= 3


def test_locked_cells_stay():
    start = levelsmith.parse("#####\n#...#\n#...#\n#...#\n#####", game="binary")
    made = levelsmith.generate(
        "binary", search="graft", start=start, lock="border", set={"goal": 6}, seed=1, evaluations=2_000
    )
    assert made.solved
    assert (made.best.grid[[0, -1]] == 1).all()
    assert (made.best.grid[:, [0, -1]] == 1).all()
