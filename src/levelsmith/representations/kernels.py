"""The compiled part of the grid representations; the board is a bit set of the cells of the second kind."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from levelsmith.core import Size
from levelsmith.kernels.bits import (
    U,
    added,
    count,
    fetch,
    from_members,
    has,
    minus,
    nth,
    removed,
    store,
    words_for,
)
from levelsmith.kernels.compile import part
from levelsmith.kernels.problem import (
    apply,
    board,
    done,
    implement,
    initial,
    legal,
    mutate,
    pack,
    sample,
    unpack,
)
from levelsmith.kernels.random import below, unit


class Wide(NamedTuple):
    height: int
    width: int
    row: int  # words a packed state takes
    every: tuple  # words: all cells
    fill: float
    depth: int


class WideState(NamedTuple):
    cells: tuple  # words: the board
    open: tuple  # words: cells that may still change on this path
    depth: int


def make_wide(size: Size, fill: float, depth: int) -> Wide:
    total = size[0] * size[1]
    return Wide(
        size[0],
        size[1],
        2 * words_for(total) + 1,
        from_members(range(total), total),
        fill,
        min(depth or total, total),
    )


@part
def _flipped(cells, cell):
    return removed(cells, cell) if has(cells, cell) else added(cells, cell)


@implement(initial, Wide)
def wide_initial(rep, rng):
    cells = minus(rep.every, rep.every)
    for cell in range(rep.height * rep.width):
        if unit(rng) >= rep.fill:
            cells = added(cells, cell)
    return WideState(cells, rep.every, 0)


@implement(legal, Wide)
def wide_legal(rep, state):
    return state.open


@implement(apply, Wide)
def wide_apply(rep, state, action):
    return WideState(_flipped(state.cells, action), removed(state.open, action), state.depth + 1)


@implement(done, Wide)
def wide_done(rep, state):
    return state.depth >= rep.depth


@implement(sample, Wide)
def wide_sample(rep, rng):
    return initial(rep, rng)


@implement(mutate, Wide)
def wide_mutate(rep, state, rng):
    cell = nth(rep.every, below(rng, count(rep.every)))
    return WideState(_flipped(state.cells, cell), state.open, state.depth)


@implement(board, Wide)
def wide_board(rep, state):
    return state.cells


@implement(pack, Wide)
def wide_pack(rep, state, row):
    store(state.cells, row, 0)
    store(state.open, row, len(rep.every))
    row[2 * len(rep.every)] = U(state.depth)


@implement(unpack, Wide)
def wide_unpack(rep, row):
    cells = fetch(rep.every, row, 0)
    return WideState(cells, fetch(rep.every, row, len(rep.every)), np.int64(row[2 * len(rep.every)]))
