"""Monte Carlo tree search on a GPU: the kernel of the processor, one tree a thread.

What holds something for each tree has a last axis for trees, so that threads side by side read memory side by
side; the nodes of a tree lie together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from levelsmith.kernels.compile import part
from levelsmith.kernels.gpu import gpu_kernel
from levelsmith.kernels.problem import lane
from levelsmith.kernels.random import below
from levelsmith.search.kernels.local import BEST, COUNTS, EVALUATIONS, RESTARTS, Run
from levelsmith.search.kernels.node import BOOTSTRAP, NODES, Tree
from levelsmith.search.kernels.tree import FULL, GOOD, GOOD_ROW, MOST_GOOD, ON_BEST, ROWS, grow, plant_on_best

REGISTERS = 128  # of a thread: with more of them too few threads are there to wait for memory in turn

grow = part(getattr(grow, "py_func", grow))


class Pool(NamedTuple):
    """The best states of all trees until the last portion."""

    rows: NDArray[np.uint64]  # [row, most]
    size: int
    shared: bool  # whether trees that start from the best take these instead of their own


@part
def adopted(run, pool):
    """Puts some of the best of all trees in the place of the tree's own."""
    for i in range(MOST_GOOD):
        chosen = below(run.rng, pool.size)
        for j in range(run.rows.shape[1]):
            run.rows[GOOD_ROW + i, j] = pool.rows[j, chosen]
    run.counts[GOOD] = MOST_GOOD


@part
def started_again(run, tree, pool):
    """A tree without room begins afresh, or where there are some from the best of all."""
    counts = run.counts
    counts[RESTARTS] += 1
    if pool.size == 0 or below(run.rng, 2) == 0:
        counts[NODES] = 0
    else:
        adopted(run, pool)
        counts[ON_BEST] = 1
        plant_on_best(run, tree)


@gpu_kernel(max_registers=REGISTERS)
def grow_all(rep, game, objective, runs, trees, pool, options, targets):
    """Lets each tree grow until it has spent as many evaluations as its target says."""
    i = cuda.grid(1)
    if i >= len(targets):
        return
    counts = cuda.local.array(COUNTS, np.int64)
    scores = cuda.local.array(ROWS, np.float64)
    rng = cuda.local.array(2, np.uint64)
    for j in range(COUNTS):
        counts[j] = runs.counts[j, i]
    for j in range(ROWS):
        scores[j] = runs.scores[j, i]
    for j in range(2):
        rng[j] = runs.rng[j, i]
    run = Run(rng, runs.rows[..., i], scores, counts, runs.shelf[..., i], runs.marks[..., i])
    tree = Tree(trees.links[i], trees.means[i], trees.rarities[i], trees.untried[i], trees.squares[i])
    own_rep, own_game = lane(rep, i), lane(game, i)
    target = targets[i]
    if counts[EVALUATIONS] < target and pool.shared and pool.size > 0 and options[BOOTSTRAP] > 0.0:
        adopted(run, pool)
    while counts[EVALUATIONS] < target:
        grow(own_rep, own_game, objective, run, tree, options, target - counts[EVALUATIONS])
        if counts[FULL] > 0:
            started_again(run, tree, pool)
    for j in range(COUNTS):
        runs.counts[j, i] = counts[j]
    for j in range(ROWS):
        runs.scores[j, i] = scores[j]
    for j in range(2):
        runs.rng[j, i] = rng[j]


@gpu_kernel()
def gather(rows, trees, out):
    """Copies the best states of some trees."""
    i = cuda.grid(1)
    if i < len(trees):
        for j in range(out.shape[1]):
            out[i, j] = rows[BEST, j, trees[i]]


def gathered(rows: Any, trees: NDArray[np.int64]) -> Any:
    """The best states of some trees, `[trees, row]`."""
    if len(trees) == 0:
        return np.zeros((0, rows.shape[1]), np.uint64)
    out = cuda.device_array((len(trees), rows.shape[1]), np.uint64)
    gather[1, len(trees)](rows, cuda.to_device(trees), out)
    return out.copy_to_host()


def nodes_on_device(trees: int, capacity: int) -> Tree:
    """Room for so many nodes a tree."""
    from levelsmith.search.kernels.node import LINKS

    links = cuda.device_array((trees, capacity * LINKS), np.int32)
    untried = cuda.device_array((trees, capacity), np.int32)
    squares = cuda.device_array((trees, capacity), np.float64)
    return Tree(links, links.view(np.float64), links.view(np.float32), untried, squares)
