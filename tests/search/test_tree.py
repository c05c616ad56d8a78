"""Monte Carlo tree search grows the tree of its slow twin, for every rule, and prunes it when it is full."""

from __future__ import annotations

import pytest

import levelsmith
from levelsmith.making.build import build_problem, start_run
from levelsmith.making.plan import plan
from levelsmith.request import Request
from levelsmith.search.kernels.counts import NODES
from levelsmith.search.kernels.node import (
    ACTION,
    BACK,
    BYTES_A_NODE,
    CHILD,
    LINE,
    LINKS,
    PARENT,
    VISITS,
    make,
)
from levelsmith.search.tree import RULES
from reference import tree as twin

pytestmark = pytest.mark.usefixtures("_words_wrap_around")

SMALL = {"size": (4, 4)}
NARROW, TURTLE = {"representation": "narrow"}, {"representation": "turtle"}
# (parameters, choices, iterations): together they have every rule, every way to score, every reward.
CASES = [
    ({"selection": "ucb1", "scored": "ends"}, {}, 250),
    ({"selection": "ucb1", "scored": "all", "reward": "last", "length": 2}, {**SMALL, **TURTLE}, 150),
    ({"selection": "ucb1-tuned", "scored": "nodes", "reward": "best"}, {**SMALL, **NARROW}, 200),
    ({"selection": "ucb1-tuned", "scored": "all", "reward": "best", "length": 4, "c": 0.2}, {}, 150),
    ({"selection": "ucb-v", "scored": "all", "reward": "best", "length": 5, "turtle.depth": 9}, TURTLE, 100),
    ({"selection": "ucb-v", "scored": "ends", "zeta": 0.1, "c": 0.3}, SMALL, 200),
    ({"selection": "sp-mcts", "scored": "all", "reward": "last", "rollouts": 2, "length": 3}, SMALL, 100),
    ({"selection": "sp-mcts", "scored": "both", "spread": 0.01, "c": 0.1, "length": 7}, {}, 150),
    ({"selection": "adaptive", "scored": "nodes", "length": 0}, SMALL, 200),
    ({"selection": "adaptive", "scored": "ends", "rollouts": 2, "length": 20}, NARROW, 120),
    ({"selection": "adaptive", "scored": "ends", "length": 10}, {"size": (17, 16), **NARROW}, 100),
]


def followed(values, choices, met, iterations):
    """What a search and its twin meet; nodes, the deepest of them, and new trees."""
    task = plan(Request("binary", search="mcts", set=values, seed=6, **choices))
    problem = build_problem(task)
    slow = twin.search(problem, task.sequence, iterations, task.values["mcts"])
    search = start_run(task)
    compiled = met(search, len(slow[0]))
    found = search.statistics()
    if values["scored"] != "all":  # there, an iteration is known to be over when the next one begins
        assert found["iterations"] == iterations
    return (compiled, found["nodes"], found["depth_reached"], found["restarts"]), slow


@pytest.mark.first(2)
@pytest.mark.parametrize(("values", "choices", "iterations"), CASES)
def test_it_grows_the_tree_of_its_slow_twin(values, choices, iterations, met):
    compiled, slow = followed(values, choices, met, iterations)
    assert compiled == slow
    assert slow[2] >= 2  # it had to choose among children


@pytest.mark.parametrize("scored", ["ends", "nodes", "both", "all"])
def test_after_so_many_iterations_without_a_gain_comes_a_new_tree(scored, met):
    values = {"scored": scored, "patience": 15, "length": 3}
    compiled, slow = followed(values, SMALL, met, 120)
    assert compiled == slow
    assert 2 <= slow[3] <= 120 / 15


@pytest.mark.parametrize("scored", ["ends", "nodes", "both", "all"])
def test_ends_of_a_complete_tree_are_visited_again(scored, met):
    compiled, slow = followed({"scored": scored, "selection": "ucb1"}, {"size": (2, 2)}, met, 150)
    assert compiled == slow
    assert slow[1:3] == (1 + 4 + 12 + 24 + 24, 4)  # every order in which four cells can change


@pytest.mark.parametrize(
    ("scored", "rule"), [*zip(("ends", "nodes", "both", "all", "ends"), RULES, strict=True)]
)
def test_a_closed_tree_makes_way_for_a_new_one(scored, rule, met):
    values = {"scored": scored, "selection": rule, "closed": True}
    compiled, slow = followed(values, {"size": (2, 2)}, met, 150)
    assert compiled == slow
    assert slow[3] == 2  # a node for each of 64 iterations, then the next tree


@pytest.mark.parametrize("rule", RULES)
def test_closed_nodes_are_passed_by_and_those_beside_them_grow(rule, met):
    values = {"selection": rule, "scored": "ends", "closed": True, "c": 0.05, "zeta": 0.05, "spread": 0.05}
    values |= {"turtle.depth": 3}
    compiled, slow = followed(values, {"size": (3, 3), **TURTLE}, met, 300)
    assert compiled == slow
    left, again = followed(values | {"closed": False}, {"size": (3, 3), **TURTLE}, met, 300)
    assert left == again
    assert left[1] < 301 <= compiled[1] + 301 * compiled[3]


@pytest.mark.parametrize("closed", [False, True])
def test_no_node_is_deeper_than_the_limit(closed, met):
    values = {"selection": "ucb-v", "scored": "ends", "closed": closed, "deepest": 2, "length": 4}
    compiled, slow = followed(values, {"size": (2, 2)}, met, 60)
    assert compiled == slow
    assert slow[1:] == ((60 - 16 * 3 + 1, 2, 3) if closed else (1 + 4 + 12, 2, 0))


def children(tree, node):
    """The numbers of a node's children, newest first."""
    links = tree.links.reshape(-1, LINKS)
    child = max(links[node, CHILD], ~links[node, CHILD])
    while child > 0:
        yield int(child)
        child = links[child, BACK] and child - links[child, BACK]


def test_a_tree_that_fills_its_memory_is_pruned_and_stays_a_tree():
    greedy = {"selection": "ucb1", "c": 0.05, "scored": "ends", "length": 1, "memory": 1, "goal": 74}
    search = start_run(plan(Request("binary", search="mcts", objective="path-length", set=greedy, seed=2)))
    while search.evaluations < 150_000:
        search.advance(150_000 - search.evaluations)
    found, (tree,) = search.statistics(), search.workspace
    assert found["prunings"] > 0
    links = tree.links.reshape(-1, LINKS)
    assert found["iterations"] == search.evaluations == links[0, VISITS]
    assert len(links) == 2**20 * 2 // 3 // BYTES_A_NODE
    below, waiting = {}, [0]
    while waiting:
        node = waiting.pop()
        below[node] = list(children(tree, node))
        waiting += below[node]
    assert len(below) == found["nodes"] <= search.run.counts[NODES] <= len(links)
    for node, line in below.items():
        assert {int(links[child, PARENT]) for child in line} <= {node}
        assert links[line, VISITS].sum() <= links[node, VISITS]
        assert len(set(links[line, ACTION].tolist())) == len(line)  # none was tried twice


@pytest.mark.parametrize("rule", RULES)
def test_a_share_of_each_cycle_starts_from_the_best_so_far(rule):
    values = {"selection": rule, "bootstrap": 0.5, "cycle": 200, "length": 3, "goal": 74}
    search = start_run(plan(Request("binary", search="mcts", objective="path-length", set=values, seed=1)))
    for evaluations, on_best in ((50, False), (150, True), (250, False), (350, True)):
        while search.evaluations < evaluations:
            search.advance(evaluations - search.evaluations)
        (tree,) = search.workspace
        actions = [int(tree.links[LINKS * child + ACTION]) for child in children(tree, 0)]
        assert (min(actions) < 0) == (max(actions) < 0) == on_best  # the best are no actions


def test_a_node_takes_at_most_64_bytes():
    tree = make(2**10)
    assert tree.means.ctypes.data == tree.rarities.ctypes.data == tree.links.ctypes.data  # the same memory
    assert tree.links.ctypes.data % LINE == 0
    assert sum(array.nbytes for array in tree) - 2 * tree.links.nbytes == BYTES_A_NODE * 2**10 <= 64 * 2**10


def test_the_end_of_a_rollout_is_a_reward_and_no_solution_where_nodes_alone_count():
    """Rollouts of a hundred steps solve empty tiles at once; the tree of so few nodes does not."""
    found = {}
    for scored in ("nodes", "both"):
        values = {"scored": scored, "reward": "last", "fill": 0.25, "r1": 45, "r2": 65}
        asked = {"search": "mcts", "representation": "narrow", "objective": "empty-tiles", "set": values}
        found[scored] = levelsmith.generate("binary", size=(10, 10), seed=3, evaluations=40, **asked)
    inside, either = found["nodes"], found["both"]
    assert either.solved
    assert either.statistics["depth_of_best"] > either.statistics["depth_reached"]
    assert inside.stopped == "evaluations"
    assert inside.evaluations == 40
    assert inside.statistics["depth_of_best"] <= inside.statistics["depth_reached"]


def test_the_depth_of_the_best_state_is_told():
    """The best may lie below the tree, in a rollout."""
    result = levelsmith.generate("binary", search="mcts", seed=1, evaluations=500)
    assert result.statistics["depth_of_best"] >= 1
    assert 1 <= result.statistics["depth_reached"] <= result.statistics["nodes"]


@pytest.mark.parametrize("rollouts", [1, 3])
def test_where_rollouts_begin_and_how_long_they_are_is_counted(rollouts):
    """A root of 100 actions: the first 100 rollouts begin at depth 1, those of the next 50 nodes below it."""
    values = {"length": 5, "rollouts": rollouts, "scored": "ends", "goal": 74}
    asked = {"search": "mcts", "representation": "wide", "objective": "path-length", "set": values, "seed": 1}
    for nodes, depth in ((60, 1.0), (150, 200 / 150)):
        found = levelsmith.generate("binary", evaluations=nodes * rollouts, **asked).statistics
        assert found["iterations"] == nodes
        assert found["rollout_depth"] == depth
        assert found["rollout_length"] == 5.0
