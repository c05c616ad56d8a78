"""The compiled part of `latent`: candidates are boards, drawn from a model and varied through its codes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels import problem
from levelsmith.kernels.boards import fetch_board, packed_tile, store_board, tile_at, with_tile
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.problem import Held, implement
from levelsmith.kernels.random import below
from levelsmith.kernels.words import ONE, ZERO, U, popcount
from levelsmith.learn.kernels import network as networks
from levelsmith.representations.kernels.grid import painted

SIDE = 3  # patches in a row of patches
FROM_FATHER = 2  # patches of nine
TWO, LAST, MASK = range(3)  # which patches are the father's
TRIES = 20  # samples that may be too like before one is taken nevertheless


class Latent(NamedTuple):
    network: Any  # the network_kernels.Network
    words: int  # that a packed state takes
    board: Any  # a board of the game, and where array boards live
    drawn: NDArray[np.uint8]  # [cells] what the network draws and sees
    before: NDArray[np.uint8]  # [cells] what it saw
    places: NDArray[np.int32]  # [free cells] those that may change
    start: NDArray[np.uint64]  # [words] a packed start that was given
    given: bool
    temperature: float
    shift: float  # how far a mutation moves a code
    redraws: bool  # whether a mutation draws numbers of a code anew in place of moving all of it
    crossing: int
    tiles: NDArray[np.uint8]  # [kinds] tiles that a candidate may have
    others: NDArray[np.uint64]  # [levels, kinds * words] none may be too like these: the cells of each kind,
    #   but for the first kind, which is blank, those that are not
    likeness: float  # how like is too like
    kind_of: NDArray[np.uint8]  # [tiles] of what is alike one kind
    cells_of: NDArray[np.uint64]  # [kinds * words] workspace: those of a candidate
    known: NDArray[np.uint8]  # [levels, cells] the first samples, before any is drawn
    handed: NDArray[np.int64]  # [1] how many of these there have been


class LatentState(NamedTuple):
    cells: Any


@part
def with_tiles(rep, state, tiles):
    """Returns the board with these tiles in every cell that may change."""
    cells = state.cells
    for i in range(len(rep.places)):
        cell = np.int64(rep.places[i])
        cells = with_tile(cells, cell, np.int64(tiles[cell]))
    return LatentState(cells)


@part
def too_like(rep, state):
    """Returns whether a board is too like one of the others, by the Jaccard index of `levels/compare`."""
    if len(rep.others) == 0:
        return False
    words = len(rep.cells_of) // len(rep.kind_of)
    mine = rep.cells_of
    for i in range(len(mine)):
        mine[i] = ZERO
    filled = 0
    for cell in range(len(rep.drawn)):
        kind = np.int64(rep.kind_of[tile_at(state.cells, cell)])
        if kind > 0:
            bit = ONE << U(cell % 64)
            mine[cell // 64] |= bit
            mine[kind * words + cell // 64] |= bit
            filled += 1
    for i in range(len(rep.others)):
        other = rep.others[i]
        union, same = np.int64(filled), np.int64(0)
        for j in range(words):
            union += np.int64(popcount(other[j] & ~mine[j]))
        for j in range(words, len(mine)):
            same += np.int64(popcount(other[j] & mine[j]))
        if same > rep.likeness * union:
            return True
    return False


@implement(problem.initial, Latent)
def latent_initial(rep, rng):
    if rep.given:
        return LatentState(fetch_board(rep.board, rep.start))
    return draw_candidate(rep, rng)


@implement(problem.sample, Latent)
def latent_sample(rep, rng):
    return draw_candidate(rep, rng)


@part
def draw_candidate(rep, rng):
    """Returns a level of a random code; cells that may not change are as in the start."""
    if rep.handed[0] < len(rep.known):
        rep.handed[0] += 1
        tiles = rep.known[rep.handed[0] - 1]
        return with_tiles(rep, LatentState(fetch_board(rep.board, rep.start)), tiles)
    for _ in range(TRIES):
        networks.draw_level(rep.network, rep.drawn, rep.temperature, rng)
        state = with_tiles(rep, LatentState(fetch_board(rep.board, rep.start)), rep.drawn)
        if not too_like(rep, state):
            break
    return state


@implement(problem.mutate, Latent)
def latent_mutate(rep, state, rate, rng):
    """Returns the level of a code a little away from its own: moved by `shift`, or numbers of it redrawn.

    A vq draws a part of the level anew.
    """
    for cell in range(len(rep.drawn)):
        rep.before[cell] = tile_at(state.cells, cell)
        rep.drawn[cell] = rep.before[cell]
    if rep.network.prior.places > 0:
        networks.redraw_part(rep.network, rep.drawn, rep.temperature, rng)
    else:
        networks.encode(rep.network, rep.before)
        if rep.redraws:
            networks.redraw_code(rep.network, rate, rng)
        else:
            networks.shift_code(rep.network, rep.shift, rng)
        networks.decode(rep.network, rep.drawn, rep.temperature, rng)
    state = with_tiles(rep, state, rep.drawn)
    return with_tiles(rep, state, rep.before) if too_like(rep, state) else state


@implement(problem.cross, Latent)
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
            cells = with_tile(cells, cell, packed_tile(rep.board, father, cell))
    if too_like(rep, LatentState(cells)):
        cells = fetch_board(rep.board, mother)
    return LatentState(cells)


@implement(problem.brush, Latent)
def latent_brush(rep, state, rng):
    tile = np.int64(rep.tiles[below(rng, len(rep.tiles))])
    cells = painted(state.cells, rep.places, (rep.network.height, rep.network.width), tile, rng)
    return LatentState(cells.value)


@implement(problem.board, Latent)
def latent_board(rep, state):
    return Held(state.cells)


@implement(problem.pack, Latent)
def latent_pack(rep, state, packed):
    store_board(state.cells, packed)


@implement(problem.unpack, Latent)
def latent_unpack(rep, packed):
    return LatentState(fetch_board(rep.board, packed))


@implement(problem.neighbours, Latent)
def latent_neighbours(rep):
    return np.int64(len(rep.places) * (len(rep.tiles) - 1))


@implement(problem.neighbour, Latent)
def latent_neighbour(rep, state, k):
    """Another tile in one cell."""
    others = len(rep.tiles) - 1
    cell = np.int64(rep.places[k // others])
    tile = np.int64(rep.tiles[k % others])
    if tile == tile_at(state.cells, cell):
        tile = np.int64(rep.tiles[others])
    return LatentState(with_tile(state.cells, cell, tile))


@kernel
def draw_boards(net, temperature, boards, rng):
    """Draws a level of a random code into each of some boards of bytes."""
    for i in range(len(boards)):
        networks.draw_level(net, boards[i], temperature, rng)
