"""Monte Carlo tree search on a GPU: thousands of trees that grow side by side and share their best levels.

Kartal et al. (2016) name it as what comes next; trees side by side are the root parallelization of Chaslot et
al. (2008). A tree that has no room left begins again, every other time from the best levels of all trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from levelsmith.core import Grid, Parameters, Problem, Values
from levelsmith.errors import LevelsmithError, option, setting
from levelsmith.kernels.bits import shortened
from levelsmith.kernels.device import chosen
from levelsmith.kernels.problem import WORKSPACE_FROM, board, of_thread, unpack
from levelsmith.kernels.score import METRIC
from levelsmith.kernels.words import WORD
from levelsmith.search.compiled import CompiledSearch
from levelsmith.search.frontier import MEBIBYTE
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels import node as nodes
from levelsmith.search.kernels.run import BEST, RunState
from levelsmith.search.kernels.tree import STATES
from levelsmith.search.tree import MonteCarloTreeSearch

TREES_A_PROCESSOR = 512
EVALUATIONS_A_TREE = 2_000  # that a tree is worth growing for
CHUNK = 512  # evaluations of each tree between two looks at the clock, on a board of one word
SHARE_OF_MEMORY = 0.8
NODES_A_TREE = 10_000  # at least
MOST_NODES_A_TREE = 1 << 17
POOL = 256  # of the best states that trees share
NEW_A_CHUNK = 16
BUFFER = 4  # states of each tree that wait for the driver
TAKEN = 256  # of these at most
NEVER = 10**18


def device(asked: str, search: str, representation: Any) -> str:
    """Returns the device that a run takes."""
    able = search == "mcts" and type(representation) in of_thread.implementations
    alone = (
        f"on a GPU runs mcts with play alone: leave out {option('device')}, "
        f"or add {option('representation', 'play')} for a game that has it"
    )
    return chosen(asked, None if able else alone)


def fitted(values: Values, given: Mapping[str, Any], evaluations: int | None) -> Values:
    """Returns the parameters with as many trees as the GPU has room for, where no other number was asked
    for."""
    from levelsmith.kernels.gpu import free_bytes, processors

    asked = {name.rpartition(".")[2] for name in given}
    trees, memory = values["trees"], values["memory"]
    if "memory" not in asked:
        memory = int(free_bytes() * SHARE_OF_MEMORY) // MEBIBYTE
    if "trees" not in asked:
        trees = min(processors() * TREES_A_PROCESSOR, memory * MEBIBYTE // nodes.BYTES_A_NODE // NODES_A_TREE)
        if evaluations is not None:
            trees = max(1, min(trees, evaluations // EVALUATIONS_A_TREE))
    return {**values, "trees": trees, "memory": memory}


class Forest(CompiledSearch):
    """As the search on the processor; `trees` and `memory` are those of the GPU."""

    summary = MonteCarloTreeSearch.summary
    needs = MonteCarloTreeSearch.needs
    parameters: ClassVar[Parameters] = MonteCarloTreeSearch.parameters
    options_type = nodes.TreeOptions
    states = STATES

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        from levelsmith.kernels.gpu import on_device, repeated, with_workspaces
        from levelsmith.search.kernels import gpu as gpu_kernels

        super().__init__(problem, seed, values)
        self.trees: int = values["trees"]
        least = 2 * WORD * len(problem.representation.slots)
        fitting = values["memory"] * MEBIBYTE // nodes.BYTES_A_NODE // self.trees
        if fitting < least:
            needed = least * nodes.BYTES_A_NODE * self.trees // MEBIBYTE + 1
            raise LevelsmithError(
                f"expected a memory of at least {needed} MiB for {self.trees:,} trees, "
                f"got {values['memory']}; take fewer {setting('trees')}"
            )
        self.chunk = self.trees * max(1, CHUNK // len(problem.representation.walls) ** 2)
        self._shares = values["bootstrap"] > 0
        if not self._shares:  # trees begin from the best only where they have no room left
            self.options = self.options._replace(bootstrap=1e-9, cycle=NEVER)
        lean = max(problem.objective.rows[:, METRIC]) < WORKSPACE_FROM[type(problem.game)]
        rep, game = _short(problem.representation), _short(problem.game)
        self._problem = (
            with_workspaces(rep, self.trees),
            with_workspaces(game, self.trees, lean),
            on_device(problem.objective),
        )
        arrays: list[Any] = [seed.generate_state(2 * self.trees, np.uint64).reshape(2, self.trees)]
        arrays += [repeated(one, self.trees) for one in (self.run.states, self.run.scores, self.run.counts)]
        arrays += self._empty_buffer(np.inf)
        self._runs = on_device(RunState(*arrays))
        self._bar = np.inf
        self._nodes = gpu_kernels.nodes_on_device(self.trees, min(fitting, MOST_NODES_A_TREE))
        self._best = np.full(self.trees, -np.inf)  # of each tree
        self._pool: list[tuple[float, bytes, Any]] = []  # scores, levels and states

    def advance(self, evaluations: int) -> None:
        from levelsmith.kernels.gpu import launch, on_device
        from levelsmith.search.kernels import gpu as gpu_kernels

        spent = self.evaluations + evaluations
        targets = np.full(self.trees, spent // self.trees, np.int64)
        targets[: spent % self.trees] += 1
        states = np.zeros((self.problem.representation.words, POOL), np.uint64)
        for i, (_, _, packed) in enumerate(self._pool):
            states[:, i] = packed
        pool = gpu_kernels.SharedStates(states, len(self._pool), self._shares)
        launch(
            gpu_kernels.grow_all,
            self.trees,
            *self._problem,
            self._runs,
            self._nodes,
            on_device(pool),
            self.options,
            on_device(targets),
        )
        self.run.counts[at.EVALUATIONS] = spent
        if evaluations > 0:
            self._look()

    def _look(self) -> None:
        """Takes the best states of the trees that have got better into the pool."""
        from levelsmith.search.kernels import gpu as gpu_kernels

        scores = np.asarray(self._runs.scores[BEST].copy_to_host())
        better = np.flatnonzero(scores > self._best)
        self._best = scores
        better = better[np.argsort(-scores[better], kind="stable")][:NEW_A_CHUNK]
        bar = self._pool[-1][0] if len(self._pool) == POOL else -np.inf
        known = {level for _, level, _ in self._pool}
        rep = self.problem.representation
        better = better[scores[better] > bar]
        states = gpu_kernels.gathered(self._runs.states, better)
        for tree, packed in zip(better, states, strict=True):
            puzzle = board(rep, unpack(rep, packed)).value
            level = self.problem.grid(puzzle).tobytes()
            if level not in known:
                known.add(level)
                self._pool.append((float(scores[tree]), level, packed))
        self._pool.sort(key=lambda kept: -kept[0])
        del self._pool[POOL:]
        if self._pool and self._pool[0][0] > self.score:
            self.run.scores[BEST] = self._pool[0][0]
            self.run.states[BEST] = self._pool[0][2]

    def _empty_buffer(self, bar: float) -> tuple[Any, Any]:
        places = 1 if bar == np.inf else BUFFER
        words = self.problem.representation.words
        return np.zeros((places, words, self.trees), np.uint64), np.full((1 + 2 * places, self.trees), bar)

    def keep(self, bar: float) -> None:
        from levelsmith.kernels.gpu import on_device

        counts = self._runs.counts.copy_to_host()
        counts[at.BUFFERED] = 0
        counts, buffer, marks = on_device((counts, *self._empty_buffer(bar)))
        self._runs = self._runs._replace(counts=counts, buffer=buffer, marks=marks)
        self._bar = bar

    def taken(self) -> Iterator[tuple[float, Grid, Callable[[], str | None], int]]:
        """Yields the best of the states that were kept since the last time: there may be very many."""
        if self._bar == np.inf:
            return
        number = self._runs.counts.copy_to_host()[at.BUFFERED]
        marks, buffer = self._runs.marks.copy_to_host()[1:], self._runs.buffer.copy_to_host()
        self.keep(self._bar)
        places = [(-marks[i, t], t, i) for t in np.flatnonzero(number) for i in range(number[t])]
        rep = self.problem.representation
        for score, tree, i in sorted(places)[:TAKEN]:
            packed = buffer[i, :, tree].copy()
            grid = self.problem.grid(board(rep, unpack(rep, packed)).value)
            yield float(-score), grid, partial(self.problem.proof, packed), self.evaluations

    def statistics(self) -> dict[str, Any]:
        counts = self._runs.counts.copy_to_host()
        return {
            "trees": self.trees,
            "nodes": int(counts[at.NODES_MADE].sum()),
            "restarts": int(counts[at.RESTARTS].sum()),
            "iterations": int(counts[at.ITERATIONS].sum()),
            "depth_reached": int(counts[at.DEPTH].max()),
            "depth_of_best": int(self.run.states[BEST][-1]),
        }


def _short(thing: Any) -> Any:
    """Returns a NamedTuple with its sets of up to 32 members as short words."""
    board_ = thing.board
    if board_.height * board_.width > WORD // 2:
        return thing

    def shorter(part: Any) -> Any:
        sets = {
            name: shortened(value)
            for name, value in zip(part._fields, part, strict=True)
            if isinstance(value, tuple) and len(value) == 1
        }
        return part._replace(**sets)

    return shorter(thing)._replace(board=shorter(board_))
