"""The compiled part of `latent`: candidates are boards, drawn from a model and varied through its codes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.boards import fetch_board, store_board, tile_at, tile_in_row, with_tile
from levelsmith.kernels.compile import part
from levelsmith.kernels.problem import (
    Held,
    board,
    brush,
    cross,
    implement,
    initial,
    mutate,
    neighbour,
    neighbours,
    pack,
    sample,
    unpack,
)
from levelsmith.kernels.random import below
from levelsmith.learn.network_kernels import decode, draw_code, encode, shift_code
from levelsmith.representations.kernels import painted

SIDE = 3  # patches in a row of patches
FROM_FATHER = 2  # patches of nine
TWO, LAST, MASK = range(3)  # which patches are the father's


class Latent(NamedTuple):
    network: Any  # the network_kernels.Network
    row: int  # words a packed state takes
    board: Any  # a board of the game, and where array boards live
    drawn: NDArray[np.uint8]  # [cells] what the network draws and sees
    places: NDArray[np.int32]  # [free cells] those that may change
    start: NDArray[np.uint64]  # [words] a packed start that was given
    given: bool
    temperature: float
    shift: float  # how far a mutation moves a code
    crossing: int
    tiles: NDArray[np.uint8]  # [kinds] tiles that a candidate may have


class LatentState(NamedTuple):
    cells: Any


@part
def with_drawn(rep, state):
    """The board with what the network drew in every cell that may change."""
    cells = state.cells
    for i in range(len(rep.places)):
        cell = np.int64(rep.places[i])
        cells = with_tile(cells, cell, np.int64(rep.drawn[cell]))
    return LatentState(cells)


@implement(initial, Latent)
def latent_initial(rep, rng):
    if rep.given:
        return LatentState(fetch_board(rep.board, rep.start))
    return sampled(rep, rng)


@implement(sample, Latent)
def latent_sample(rep, rng):
    return sampled(rep, rng)


@part
def sampled(rep, rng):
    """A level of a random code; cells that may not change are as in the start."""
    draw_code(rep.network, rng)
    decode(rep.network, rep.drawn, rep.temperature, rng)
    return with_drawn(rep, LatentState(fetch_board(rep.board, rep.start)))


@implement(mutate, Latent)
def latent_mutate(rep, state, rate, rng):
    """The level of a code a little away from its own; how far is for `shift` to say, not for `rate`."""
    for cell in range(len(rep.drawn)):
        rep.drawn[cell] = tile_at(state.cells, cell)
    encode(rep.network, rep.drawn)
    shift_code(rep.network, rep.shift, rng)
    decode(rep.network, rep.drawn, rep.temperature, rng)
    return with_drawn(rep, state)


@implement(cross, Latent)
def latent_cross(rep, mother, father, rng):
    """Nine patches, two of them the father's, any or the last; or each from either."""
    first = SIDE * SIDE - FROM_FATHER
    second = first + 1
    if rep.crossing == TWO:
        first = below(rng, SIDE * SIDE)
        second = (first + 1 + below(rng, SIDE * SIDE - 1)) % (SIDE * SIDE)
    mask = (1 << first) | (1 << second)
    if rep.crossing == MASK:
        mask = below(rng, 1 << (SIDE * SIDE))
    cells = fetch_board(rep.board, mother)
    height, width = rep.network.height, rep.network.width
    for i in range(len(rep.places)):
        cell = np.int64(rep.places[i])
        patch = (cell // width) * SIDE // height * SIDE + (cell % width) * SIDE // width
        if (mask >> patch) & 1 == 1:
            cells = with_tile(cells, cell, tile_in_row(rep.board, father, cell))
    return LatentState(cells)


@implement(brush, Latent)
def latent_brush(rep, state, rng):
    tile = np.int64(rep.tiles[below(rng, len(rep.tiles))])
    cells = painted(state.cells, rep.places, (rep.network.height, rep.network.width), tile, rng)
    return LatentState(cells.value)


@implement(board, Latent)
def latent_board(rep, state):
    return Held(state.cells)


@implement(pack, Latent)
def latent_pack(rep, state, row):
    store_board(state.cells, row)


@implement(unpack, Latent)
def latent_unpack(rep, row):
    return LatentState(fetch_board(rep.board, row))


@implement(neighbours, Latent)
def latent_neighbours(rep):
    return np.int64(len(rep.places) * (len(rep.tiles) - 1))


@implement(neighbour, Latent)
def latent_neighbour(rep, state, k):
    """Another tile in one cell."""
    others = len(rep.tiles) - 1
    cell = np.int64(rep.places[k // others])
    tile = np.int64(rep.tiles[k % others])
    if tile == tile_at(state.cells, cell):
        tile = np.int64(rep.tiles[others])
    return LatentState(with_tile(state.cells, cell, tile))
