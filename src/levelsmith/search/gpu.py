"""Monte Carlo tree search on a GPU: thousands of trees that grow side by side and share their best levels.

Kartal et al. (2016) name it as what comes next; trees side by side are the root parallelization of Chaslot et
al. (2008). A tree that has no room left begins again, every other time from the best levels of all trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from levelsmith.contracts import Problem
from levelsmith.core import Grid, Parameters, Values
from levelsmith.device import chosen
from levelsmith.errors import LevelsmithError
from levelsmith.kernels.bits import shortened
from levelsmith.kernels.problem import ROOM_FROM, board, lane, unpack
from levelsmith.kernels.score import METRIC
from levelsmith.kernels.words import WORD
from levelsmith.search.compiled import CompiledSearch
from levelsmith.search.frontier import MEBIBYTE
from levelsmith.search.kernels import node as nodes
from levelsmith.search.kernels.local import BEST, EVALUATIONS, RESTARTS, SHELVED, Run
from levelsmith.search.kernels.tree import DEPTH, ITERATIONS, ROWS
from levelsmith.search.tree import MonteCarloTreeSearch

TREES_A_PROCESSOR = 512
EVALUATIONS_A_TREE = 2_000  # that a tree is worth growing for
PORTION = 512  # evaluations of each tree between two looks at the clock, on a board of one word
SHARE_OF_MEMORY = 0.8
NODES_A_TREE = 10_000  # at least
MOST_NODES_A_TREE = 1 << 17
POOL = 256  # of the best states that trees share
NEW_A_PORTION = 16
SHELF = 4  # states of each tree that wait for the driver
TAKEN = 256  # of these at most
NEVER = 1e18


def device(asked: str, search: str, representation: Any) -> str:
    """The device that a run takes."""
    able = search == "mcts" and type(representation) in lane.implementations
    alone = "on a GPU runs mcts with play alone: leave out --device, or add --representation play for Sokoban"
    return chosen(asked, None if able else alone)


def fitted(values: Values, given: Mapping[str, Any], evaluations: int | None) -> Values:
    """The parameters with as many trees as the GPU has room for, where no other number was asked for."""
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
    states = ROWS

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        from levelsmith.kernels.gpu import on_device, repeated, room_of
        from levelsmith.search.kernels import gpu as gpu_kernels

        super().__init__(problem, seed, values)
        self.trees: int = values["trees"]
        least = 2 * WORD * len(problem.representation.slots)
        fitting = values["memory"] * MEBIBYTE // nodes.BYTES_A_NODE // self.trees
        if fitting < least:
            needed = least * nodes.BYTES_A_NODE * self.trees // MEBIBYTE + 1
            raise LevelsmithError(
                f"expected a memory of at least {needed} MiB for {self.trees:,} trees, "
                f"got {values['memory']}; take fewer --trees"
            )
        self.chunk = self.trees * max(1, PORTION // len(problem.representation.walls) ** 2)
        self._shares = values["bootstrap"] > 0
        if not self._shares:  # trees begin from the best only where they have no room left
            self.options[nodes.BOOTSTRAP], self.options[nodes.CYCLE] = 1e-9, NEVER
        lean = max(problem.objective.rows[:, METRIC]) < ROOM_FROM[type(problem.game)]
        rep, game = _short(problem.representation), _short(problem.game)
        self._problem = (
            room_of(rep, self.trees),
            room_of(game, self.trees, lean),
            on_device(problem.objective),
        )
        rooms: list[Any] = [seed.generate_state(2 * self.trees, np.uint64).reshape(2, self.trees)]
        rooms += [repeated(room, self.trees) for room in (self.run.rows, self.run.scores, self.run.counts)]
        rooms += self._empty_shelf(np.inf)
        self._runs = on_device(Run(*rooms))
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
        rows = np.zeros((self.problem.representation.row, POOL), np.uint64)
        for i, (_, _, row) in enumerate(self._pool):
            rows[:, i] = row
        pool = gpu_kernels.Pool(rows, len(self._pool), self._shares)
        launch(
            gpu_kernels.grow_all,
            self.trees,
            *self._problem,
            self._runs,
            self._nodes,
            on_device(pool),
            tuple(self.options.tolist()),
            on_device(targets),
        )
        self.run.counts[EVALUATIONS] = spent
        if evaluations > 0:
            self._look()

    def _look(self) -> None:
        """Takes the best states of the trees that have got better into the pool."""
        from levelsmith.search.kernels import gpu as gpu_kernels

        scores = np.asarray(self._runs.scores[BEST].copy_to_host())
        better = np.flatnonzero(scores > self._best)
        self._best = scores
        better = better[np.argsort(-scores[better], kind="stable")][:NEW_A_PORTION]
        bar = self._pool[-1][0] if len(self._pool) == POOL else -np.inf
        known = {level for _, level, _ in self._pool}
        rep = self.problem.representation
        better = better[scores[better] > bar]
        rows = gpu_kernels.gathered(self._runs.rows, better)
        for tree, row in zip(better, rows, strict=True):
            puzzle = board(rep, unpack(rep, row)).value
            level = self.problem.grid(puzzle).tobytes()
            if level not in known:
                known.add(level)
                self._pool.append((float(scores[tree]), level, row))
        self._pool.sort(key=lambda kept: -kept[0])
        del self._pool[POOL:]
        if self._pool and self._pool[0][0] > self.score:
            self.run.scores[BEST] = self._pool[0][0]
            self.run.rows[BEST] = self._pool[0][2]

    def _empty_shelf(self, bar: float) -> tuple[Any, Any]:
        places = 1 if bar == np.inf else SHELF
        row = self.problem.representation.row
        return np.zeros((places, row, self.trees), np.uint64), np.full((1 + 2 * places, self.trees), bar)

    def keep(self, bar: float) -> None:
        from levelsmith.kernels.gpu import on_device

        counts = self._runs.counts.copy_to_host()
        counts[SHELVED] = 0
        counts, shelf, marks = on_device((counts, *self._empty_shelf(bar)))
        self._runs = self._runs._replace(counts=counts, shelf=shelf, marks=marks)
        self._bar = bar

    def taken(self) -> Iterator[tuple[float, Grid, Callable[[], str | None], int]]:
        """The best of the states that were kept since the last time: there may be very many."""
        if self._bar == np.inf:
            return
        number = self._runs.counts.copy_to_host()[SHELVED]
        marks, shelf = self._runs.marks.copy_to_host()[1:], self._runs.shelf.copy_to_host()
        self.keep(self._bar)
        places = [(-marks[i, t], t, i) for t in np.flatnonzero(number) for i in range(number[t])]
        rep = self.problem.representation
        for score, tree, i in sorted(places)[:TAKEN]:
            row = shelf[i, :, tree].copy()
            grid = self.problem.grid(board(rep, unpack(rep, row)).value)
            yield float(-score), grid, partial(self.problem.proof, row), self.evaluations

    def statistics(self) -> dict[str, Any]:
        counts = self._runs.counts.copy_to_host()
        return {
            "trees": self.trees,
            "nodes": int(counts[nodes.MADE].sum()),
            "restarts": int(counts[RESTARTS].sum()),
            "iterations": int(counts[ITERATIONS].sum()),
            "depth_reached": int(counts[DEPTH].max()),
            "depth_of_best": int(self.run.rows[BEST][-1]),
        }


def _short(thing: Any) -> Any:
    """A NamedTuple with its sets of up to 32 members as short words."""
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
