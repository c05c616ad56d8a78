"""Monte Carlo tree search: a tree that grows where random play from its leaves went well.

With the adaptive rule it is that of Bhaumik et al. (FDG 2020, section 3.1.4); `ucb1` is Kocsis and Szepesvári
(2006), `ucb1-tuned` Auer et al. (2002), `ucb-v` Audibert et al. (2007), `sp-mcts` Schadd et al. (2008).
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from levelsmith.core import Parameter, Parameters, Problem, Values
from levelsmith.kernels.words import WORD
from levelsmith.search.compiled import CompiledSearch
from levelsmith.search.frontier import MEBIBYTE, MOST_NODES
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels import node
from levelsmith.search.kernels import tree as kernels
from levelsmith.search.kernels.run import BEST

RULES = ("ucb1", "ucb1-tuned", "ucb-v", "sp-mcts", "adaptive")


class MonteCarloTreeSearch(CompiledSearch):
    summary = "grows a tree where random play from its leaves went well"
    needs = "steps"
    options_type = node.TreeOptions
    states = kernels.STATES
    parameters: ClassVar[Parameters] = (
        Parameter("selection", "adaptive", "how a child is chosen", choices=RULES),
        Parameter("c", math.sqrt(2), "weight of exploration, times sqrt(ln N / n)", low=0.0),
        Parameter("zeta", 1.2, "of ucb-v: weight of ln N", low=0.0),
        Parameter("spread", math.sqrt(2), "of sp-mcts: variance of a child seen once", low=0.0),
        Parameter("length", 100, "most actions of a rollout", low=0),
        Parameter("rollouts", 1, "rollouts from each new node", low=1),
        Parameter(
            "scored",
            "all",
            "which states may become the level: ends of rollouts, nodes of the tree, both, or all",
            choices=("ends", "nodes", "both", "all"),
        ),
        Parameter(
            "reward", "best", "what a rollout is worth: its last score or its best", choices=("last", "best")
        ),
        Parameter(
            "expansion",
            "any",
            "which action a node tries next: any, or kind by kind",
            choices=("any", "kinds"),
        ),
        Parameter("trees", 1, "independent trees that share the budget", low=1, high=1_000_000),
        Parameter("patience", 0, "iterations without a gain before a new tree; 0 for never", low=0),
        Parameter("closed", False, "a finished node, or one with nothing else below it, is not chosen again"),
        Parameter("deepest", 0, "most actions from the start to a node; 0 for no limit", low=0),
        Parameter("bootstrap", 0.0, "share of each cycle spent on the best so far", low=0.0, high=1.0),
        Parameter("cycle", 1_000_000, "evaluations of a cycle", low=1),
        Parameter("memory", 2048, "MiB that nodes may take before the tree is pruned", low=1),
    )

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        super().__init__(problem, seed, values)
        # Pruning copies at most half of the nodes, so that two thirds of the memory are for the tree.
        most = values["memory"] * MEBIBYTE * 2 // 3 // node.BYTES_A_NODE
        least = 4 * WORD * len(problem.representation.slots)
        self.workspace = (node.make(min(max(most, least), MOST_NODES)),)
        self.prunings = 0

    def advance(self, evaluations: int) -> None:
        if evaluations == 0:  # compiles what pruning needs as well
            tiny = node.make(1)
            node.prune(tiny, tiny, np.zeros(at.COUNTS, np.int64), self.options, np.zeros(1, np.int32))
        target = self.evaluations + evaluations
        while True:
            self.call(kernels.grow, target - self.evaluations)
            if not self.run.counts[at.FULL]:
                return
            (tree,) = self.workspace
            capacity = len(tree.squares)
            smaller = node.make(capacity)
            node.prune(tree, smaller, self.run.counts, self.options, np.empty(capacity, np.int32))
            self.workspace = (smaller,)
            self.prunings += 1

    def statistics(self) -> dict[str, Any]:
        counts = self.run.counts
        begun = int(counts[at.ITERATIONS])
        rollouts = begun * self.options.rollouts
        if counts[at.PHASE] != kernels.DESCENDING:  # those of the iteration at hand
            begun += 1
            rollouts += int(counts[at.ROLLOUT])
        again = int(counts[at.AGAIN])
        return {
            "nodes": int(counts[at.NODES_MADE]),
            "restarts": int(counts[at.RESTARTS]),
            "prunings": self.prunings,
            "iterations": int(counts[at.ITERATIONS]),
            "nodes_added": begun - again,
            "finished_share": again / max(1, begun),
            "depth_reached": int(counts[at.DEPTH]),
            "depth_of_best": int(self.run.states[BEST][-1]),
            "rollout_depth": int(counts[at.ROLLOUTS_FROM]) / max(1, rollouts),
            "rollout_length": int(counts[at.ROLLOUT_STEPS]) / max(1, rollouts),
        }
