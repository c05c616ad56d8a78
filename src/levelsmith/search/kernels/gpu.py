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
from levelsmith.kernels.problem import of_thread
from levelsmith.kernels.random import below
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels.counts import COUNTS  # by its name: the size of an array must be a literal
from levelsmith.search.kernels.node import LINKS, Tree
from levelsmith.search.kernels.run import BEST, RunState
from levelsmith.search.kernels.tree import GOOD_STATES, MOST_GOOD, STATES, grow, plant_on_best

REGISTERS = 128  # of a thread: with more of them too few threads are there to wait for memory in turn

grow = part(getattr(grow, "py_func", grow))


class SharedStates(NamedTuple):
    """The best states of all trees until the last chunk of evaluations."""

    states: NDArray[np.uint64]  # [words, most] packed
    size: int
    shared: bool  # whether trees that start from the best take these instead of their own


@part
def adopt(run, pool):
    """Puts some of the best of all trees in the place of the tree's own."""
    for i in range(MOST_GOOD):
        chosen = below(run.rng, pool.size)
        for j in range(run.states.shape[1]):
            run.states[GOOD_STATES + i, j] = pool.states[j, chosen]
    run.counts[at.GOOD] = MOST_GOOD


@part
def start_again(run, tree, pool):
    """Starts a tree without memory for more nodes afresh, or where there are some from the best of all."""
    counts = run.counts
    counts[at.RESTARTS] += 1
    if pool.size == 0 or below(run.rng, 2) == 0:
        counts[at.NODES] = 0
    else:
        adopt(run, pool)
        counts[at.ON_BEST] = 1
        plant_on_best(run, tree)


@gpu_kernel(max_registers=REGISTERS)
def grow_all(rep, game, objective, runs, trees, pool, options, targets):
    """Lets each tree grow until it has spent as many evaluations as its target says."""
    i = cuda.grid(1)
    if i >= len(targets):
        return
    counts = cuda.local.array(COUNTS, np.int64)
    scores = cuda.local.array(STATES, np.float64)
    rng = cuda.local.array(2, np.uint64)
    for j in range(COUNTS):
        counts[j] = runs.counts[j, i]
    for j in range(STATES):
        scores[j] = runs.scores[j, i]
    for j in range(2):
        rng[j] = runs.rng[j, i]
    run = RunState(rng, runs.states[..., i], scores, counts, runs.buffer[..., i], runs.marks[..., i])
    tree = Tree(trees.links[i], trees.means[i], trees.rarities[i], trees.untried[i], trees.squares[i])
    own_rep, own_game = of_thread(rep, i), of_thread(game, i)
    target = targets[i]
    if counts[at.EVALUATIONS] < target and pool.shared and pool.size > 0 and options.bootstrap > 0.0:
        adopt(run, pool)
    while counts[at.EVALUATIONS] < target:
        grow(own_rep, own_game, objective, run, tree, options, target - counts[at.EVALUATIONS])
        if counts[at.FULL] > 0:
            start_again(run, tree, pool)
    for j in range(COUNTS):
        runs.counts[j, i] = counts[j]
    for j in range(STATES):
        runs.scores[j, i] = scores[j]
    for j in range(2):
        runs.rng[j, i] = rng[j]


@gpu_kernel()
def gather(states, trees, out):
    """Copies the best states of some trees."""
    i = cuda.grid(1)
    if i < len(trees):
        for j in range(out.shape[1]):
            out[i, j] = states[BEST, j, trees[i]]


def gathered(states: Any, trees: NDArray[np.int64]) -> Any:
    """Returns the best states of some trees, `[trees, words]`."""
    if len(trees) == 0:
        return np.zeros((0, states.shape[1]), np.uint64)
    out = cuda.device_array((len(trees), states.shape[1]), np.uint64)
    gather[1, len(trees)](states, cuda.to_device(trees), out)
    return out.copy_to_host()


def nodes_on_device(trees: int, capacity: int) -> Tree:
    """Returns trees of up to so many nodes each."""
    links = cuda.device_array((trees, capacity * LINKS), np.int32)
    untried = cuda.device_array((trees, capacity), np.int32)
    squares = cuda.device_array((trees, capacity), np.float64)
    return Tree(links, links.view(np.float64), links.view(np.float32), untried, squares)
