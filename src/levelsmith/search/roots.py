"""Best-first search from many roots: trees that grow from random starts and share one table of states."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from levelsmith.core import Parameter, Parameters, Problem, Values
from levelsmith.search.frontier import MEMORY, ORDER, TIES, FrontierSearch
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels import frontier

OWN = [at.OVER, *range(at.BEGUN, at.NEXT + 1)]  # counts that are one tree's
FEW = 1024  # nodes that may wait in a tree at first


class RootedTree:
    """A root, and what waits below it."""

    def __init__(self, problem: Problem, front: frontier.Frontier):
        rep = problem.representation
        if "origin" in rep._fields:  # what was drawn for this root and decides which actions are open
            rep = rep._replace(origin=rep.origin.copy())
        self.problem = replace(problem, representation=rep)
        self.waiting = np.empty(FEW, np.int32)
        self.children = {
            name: np.zeros_like(getattr(front, name)) for name in ("children", "hashes", "actions")
        }
        self.counts = np.zeros(len(OWN), np.int64)
        self.turn = (-np.inf, 0)  # the key of what it would expand next, and how many turns it has had


class ManyRoots(FrontierSearch):
    mode = frontier.BEST_FIRST
    summary = "best-first search from many random starts that share a table of states"
    parameters: ClassVar[Parameters] = (
        Parameter("roots", 3, "random starts", low=1, high=1000),
        Parameter("slice", 100, "evaluations of a tree before the next has its turn", low=1),
        Parameter(
            "turns",
            "all",
            "whose turn it is: all in turn, or the tree with the best state",
            choices=("all", "best"),
        ),
        MEMORY,
        ORDER,
        TIES,
    )

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        super().__init__(problem, seed, values)
        self.slice, self.by_key = values["slice"], values["turns"] == "best"
        self.trees = [RootedTree(problem, self.front) for _ in range(values["roots"])]
        self.unplanted = self.trees[::-1]
        self._turn_to(self.unplanted.pop(), 1)

    def advance(self, evaluations: int) -> None:
        if evaluations == 0:
            super().advance(0)
        target = self.evaluations + evaluations
        while self.evaluations < target and not self.exhausted:
            before = self.evaluations
            self._make_space(min(target, self.due) - before)
            super().advance(min(target, self.due) - before)
            if self.ended_by != "memory" and (self.evaluations == self.due or self.exhausted):
                self._next_turn()
            if self.evaluations > before and self.run.counts[at.PAUSED]:
                return

    def _make_space(self, evaluations: int) -> None:
        """Each evaluation may add a node that waits."""
        waiting, used = self.tree.waiting, int(self.run.counts[at.WAITING])
        if used + evaluations > len(waiting):
            self.tree.waiting = np.resize(waiting, 2 * (used + evaluations))
            self.workspace = (self.front._replace(waiting=self.tree.waiting),)

    def _next_turn(self) -> None:
        """Goes on with the tree with the fewest turns, or first of all with the best node to expand."""
        counts, tree = self.run.counts, self.tree
        tree.counts[:] = counts[OWN]
        node = counts[at.OPEN_NODE]
        if node == frontier.NONE and counts[at.WAITING]:
            node = tree.waiting[0]
        key = np.inf if node == frontier.NONE else self.front.keys[node] if self.by_key else 0.0
        tree.turn = key, tree.turn[1] + 1
        if self.unplanted:
            self._turn_to(self.unplanted.pop(), 1)
            return
        best = min(self.trees, key=lambda tree: tree.turn)
        if best.turn[0] == np.inf:
            counts[at.OVER] = 1
        else:
            self._turn_to(best, self.slice)

    def _turn_to(self, tree: RootedTree, evaluations: int) -> None:
        self.tree, self.problem = tree, tree.problem
        self.run.counts[OWN] = tree.counts
        self.workspace = (self.front._replace(waiting=tree.waiting, **tree.children),)
        self.due = self.evaluations + evaluations

    def statistics(self) -> dict[str, Any]:
        grown = sum(tree.turn[1] > 1 for tree in self.trees)  # the first turn is the root alone
        return {**super().statistics(), "roots_grown": grown}
