"""Online planning is Monte Carlo tree search that takes its best action for good after each slice."""

from __future__ import annotations

import numpy as np
import pytest

import levelsmith
from levelsmith.kernels.problem import apply, pack, unpack
from levelsmith.making.build import start_run
from levelsmith.making.plan import plan
from levelsmith.request import Request
from levelsmith.search.kernels.counts import PHASE
from levelsmith.search.kernels.node import ACTION, BACK, CHILD, LINKS, MEANS, ROOT, VISITS
from levelsmith.search.kernels.tree import DESCENDING, ROOT_STATE
from levelsmith.search.planning import OnlinePlanning


def children(tree, node=ROOT):
    """The numbers of a node's children, newest first."""
    child = max(tree.links[LINKS * node + CHILD], ~tree.links[LINKS * node + CHILD])
    while child > 0:
        yield int(child)
        back = tree.links[LINKS * child + BACK]
        child = child - back if back else 0


def told(tree, line):
    """Actions of children with their means."""
    return {(int(tree.links[LINKS * child + ACTION]), tree.means[MEANS * child]) for child in line}


def run(search, evaluations):
    while search.evaluations < evaluations:
        search.advance(evaluations - search.evaluations)
    return search


def test_with_a_slice_as_long_as_the_budget_it_is_monte_carlo_tree_search():
    wanted = {"representation": "narrow", "seed": 4, "evaluations": 2_000, "objective": "path-length"}
    values = {"length": 10, "scored": "ends", "goal": 74}
    planned = levelsmith.generate("binary", search="plan", set={**values, "slice": 2_000}, **wanted)
    grown = levelsmith.generate("binary", search="mcts", set=values, **wanted)
    assert (planned.best, planned.score) == (grown.best, grown.score)
    assert planned.statistics["commits"] == 0


@pytest.mark.parametrize("representation", ["narrow", "wide"])
def test_it_commits_to_the_action_with_the_best_mean_and_keeps_what_is_known_below(
    representation, monkeypatch
):
    commits = []

    def watched(search):
        (before,) = search.workspace
        rep, root = search.problem.representation, search.run.states[ROOT_STATE].copy()
        line = list(children(before))
        favourite = max(line, key=lambda child: before.means[MEANS * child])  # the newest of equals
        expected = np.zeros(rep.words, np.uint64)
        pack(rep, apply(rep, unpack(rep, root), np.int64(before.links[LINKS * favourite + ACTION])), expected)
        assert search.run.counts[PHASE] == DESCENDING
        OnlinePlanning._take(search)
        assert (search.run.states[ROOT_STATE] == expected).all()
        (after,) = search.workspace
        if after is before:  # a new path begins
            return commits.append("restart")
        assert after.links[VISITS] == before.links[LINKS * favourite + VISITS]
        assert after.means[ROOT] == before.means[MEANS * favourite]
        if before.links[LINKS * favourite + CHILD] > 0:
            assert told(after, children(after)) == told(before, children(before, favourite))
            commits.append("kept")
        return None

    monkeypatch.setattr(OnlinePlanning, "_take", OnlinePlanning._commit, raising=False)
    monkeypatch.setattr(OnlinePlanning, "_commit", watched)
    values = {"slice": 150, "length": 3, "scored": "all", "goal": 11}
    search = plan(
        Request("binary", search="plan", representation=representation, size=(4, 4), set=values, seed=1)
    )
    search = run(start_run(search), 6_000)
    assert {"kept", "restart"} <= set(commits)
    assert search.statistics()["restarts"] == commits.count("restart")


def test_a_path_may_end_early():
    values = {"slice": 20, "commits": 4, "length": 2, "goal": 74}
    search = run(
        start_run(plan(Request("binary", search="plan", representation="turtle", set=values, seed=1))), 2_000
    )
    found = search.statistics()
    assert found["restarts"] == found["commits"] // 4 > 5
    assert found["depth_reached"] <= 20
