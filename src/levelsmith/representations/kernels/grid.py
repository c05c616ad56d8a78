"""The compiled part of the grid representations: narrow, turtle and wide are one type with a field for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels import problem
from levelsmith.kernels.bits import added, cleared, from_members, has
from levelsmith.kernels.boards import (
    blank,
    board_of,
    fetch_board,
    packed_tile,
    splice,
    store_board,
    tile_at,
    untouched,
    with_tile,
    words_of,
)
from levelsmith.kernels.compile import part
from levelsmith.kernels.problem import Held, implement
from levelsmith.kernels.random import below, pace_of, passed_over, unit
from levelsmith.kernels.words import U

if TYPE_CHECKING:
    from levelsmith.core import Canvas

NARROW, TURTLE, WIDE = range(3)
UP, DOWN, LEFT, RIGHT = range(4)
NO_LIMIT = 2**31 - 1
SHAKE = 0.05  # the share of cells that differ in a sample where a start was given


class GridRep(NamedTuple):
    """A grid as a search sees it. Arrays are workspace: there is one state at a time."""

    kind: int
    height: int
    width: int
    kinds: int  # of tiles
    words: int  # that a packed state takes
    board: Any  # words or bytes: an empty board, and where array boards live
    free: Any  # a bit set of the cells that may change
    slots: Any  # a bit set of action slots, and where array sets live
    places: NDArray[np.int32]  # [free cells] in reading order
    order: NDArray[np.int32]  # [free cells] the order in which narrow comes by on this run
    origin: NDArray[np.uint64]  # [words] the packed start of this run
    child: NDArray[np.uint64]  # [words] workspace: a packed child of two boards
    start: NDArray[np.uint64]  # [words] a packed start that was given
    given: bool  # whether it was
    fill: float
    mix: NDArray[np.uint8]  # [tiles, each as often as it is drawn], or of a game without a mix [0]
    brushes: NDArray[np.uint8]  # [kinds of tiles that are painted]
    depth: int
    pairs: bool  # turtle: an action is a step and a change at once


class GridState(NamedTuple):
    cells: Any  # the board
    cursor: int  # turtle: the cell it is on; narrow: how many cells were passed
    depth: int


def make(
    kind: int,
    canvas: Canvas,
    kinds: int,
    fill: float,
    depth: int,
    pairs: bool = False,
    mix: Sequence[int] = (),
) -> GridRep:
    height, width = canvas.size
    cells = height * width
    free = np.arange(cells) if canvas.locked is None else np.flatnonzero(~canvas.locked)
    words = words_of(cells, kinds)
    start = np.zeros(words, np.uint64)
    if canvas.start is not None:
        store_board(board_of(canvas.start.ravel(), kinds), start)
    return GridRep(
        kind=kind,
        height=height,
        width=width,
        kinds=kinds,
        words=words + 2,
        board=blank(cells, kinds),
        free=_set_of(free, cells, kinds),
        slots=_set_of((), max(cells * (kinds - 1), 4 * kinds), kinds),
        places=free.astype(np.int32),
        order=free.astype(np.int32),
        origin=np.zeros(words, np.uint64),
        child=np.zeros(words, np.uint64),
        start=start,
        given=canvas.start is not None,
        fill=fill,
        mix=np.array(mix, np.uint8),
        brushes=np.array(sorted(set(mix)) or range(kinds), np.uint8),
        depth=depth,
        pairs=pairs,
    )


def _set_of(members: Iterable[int], size: int, kinds: int) -> Any:
    """Returns a bit set; where a board is an array, an array too, so that all sizes are of one type."""
    words = from_members(members, size)
    return words if kinds == 2 else np.array(words, np.uint64)


@part
def moved_on(rep, cells, cell, by):
    """Returns the tile that comes so many kinds after a cell's own."""
    tile = tile_at(cells, cell) + by
    return tile - rep.kinds if tile >= rep.kinds else tile


@part
def other_tile(rep, tile, rng):
    """Returns a random tile but this one: by the game's mix, or each as likely as another."""
    if len(rep.mix) > 0:
        drawn = tile
        while drawn == tile:
            drawn = np.int64(rep.mix[below(rng, len(rep.mix))])
        return drawn
    tile += 1 if rep.kinds == 2 else 1 + below(rng, rep.kinds - 1)
    return tile - rep.kinds if tile >= rep.kinds else tile


@part
def random_state(rep, rng):
    """Returns the start if one was given; else draws each cell: the first tile with the chance `fill`."""
    cells = fetch_board(rep.board, rep.start)
    if not rep.given:
        for i in range(len(rep.places)):
            tile = np.int64(0)
            if unit(rng) >= rep.fill:
                tile = other_tile(rep, tile, rng)
            cells = with_tile(cells, np.int64(rep.places[i]), tile)
    return GridState(cells, np.int64(0), np.int64(0))


@implement(problem.initial, GridRep)
def grid_initial(rep, rng):
    return problem.rooted(rep, random_state(rep, rng), rng)


@implement(problem.rooted, GridRep)
def grid_rooted(rep, state, rng):
    """Lets every cell change again, in a new order or from a turtle's new place; returns that state."""
    store_board(state.cells, rep.origin)
    cursor = np.int64(0)
    if rep.kind == NARROW:
        for i in range(len(rep.order)):
            rep.order[i] = rep.places[i]
        for i in range(len(rep.order) - 1, 0, -1):
            j = below(rng, i + 1)
            rep.order[i], rep.order[j] = rep.order[j], rep.order[i]
    elif rep.kind == TURTLE:
        cursor = below(rng, rep.height * rep.width)
    return GridState(state.cells, cursor, np.int64(0))


@part
def beside(rep, cell, direction):
    """Returns the cell next to one, or -1 off the map."""
    row, column = cell // rep.width, cell % rep.width
    if direction == UP:
        return cell - rep.width if row > 0 else np.int64(-1)
    if direction == RIGHT:
        return cell + 1 if column < rep.width - 1 else np.int64(-1)
    if direction == DOWN:
        return cell + rep.width if row < rep.height - 1 else np.int64(-1)
    return cell - 1 if column > 0 else np.int64(-1)


@implement(problem.legal, GridRep)
def grid_legal(rep, state):
    if rep.kind == WIDE:
        return Held(untouched(state.cells, rep.origin, rep.free, rep.slots, rep.kinds))
    slots = cleared(rep.slots)
    if rep.kind == NARROW:  # change the tile to one of the others, or keep it
        for j in range(rep.kinds):
            slots = added(slots, j)
        return Held(slots)
    changes = rep.kinds if has(rep.free, state.cursor) else 1
    for direction in range(4):
        there = beside(rep, state.cursor, direction)
        if there >= 0 and rep.pairs:  # a step, then keep or change the tile there
            for j in range(rep.kinds if has(rep.free, there) else 1):
                slots = added(slots, direction * rep.kinds + j)
        elif there >= 0:
            slots = added(slots, direction)
    if not rep.pairs:
        for j in range(1, changes):
            slots = added(slots, 3 + j)
    return Held(slots)


@implement(problem.apply, GridRep)
def grid_apply(rep, state, action):
    cells, cursor = state.cells, state.cursor
    if rep.kind == WIDE and rep.kinds == 2:
        cells = with_tile(cells, action, 1 - tile_at(cells, action))
    elif rep.kind == WIDE:
        cell = action // (rep.kinds - 1)
        cells = with_tile(cells, cell, moved_on(rep, cells, cell, 1 + action % (rep.kinds - 1)))
    elif rep.kind == NARROW:
        if action < rep.kinds - 1:
            cell = np.int64(rep.order[cursor % len(rep.order)])
            cells = with_tile(cells, cell, moved_on(rep, cells, cell, 1 + action))
        cursor += 1
    elif rep.pairs:
        cursor = beside(rep, cursor, action // rep.kinds)
        if action % rep.kinds > 0:
            cells = with_tile(cells, cursor, moved_on(rep, cells, cursor, action % rep.kinds))
    elif action < 4:
        cursor = beside(rep, cursor, action)
    else:
        cells = with_tile(cells, cursor, moved_on(rep, cells, cursor, action - 3))
    return GridState(cells, cursor, state.depth + 1)


@implement(problem.done, GridRep)
def grid_done(rep, state):
    return state.depth >= rep.depth


@implement(problem.reopened, GridRep)
def grid_reopened(rep, state):
    return GridState(state.cells, state.cursor if rep.kind == TURTLE else np.int64(0), np.int64(0))


@implement(problem.sample, GridRep)
def grid_sample(rep, rng):
    if rep.given:
        return problem.mutate(rep, random_state(rep, rng), SHAKE, rng)
    if rep.kind != NARROW:
        return random_state(rep, rng)
    cells = fetch_board(rep.board, rep.origin)  # to keep a cell is as likely as each way to change it
    for i in range(len(rep.order)):
        cell = np.int64(rep.order[i])
        if len(rep.mix) == 0:
            cells = with_tile(cells, cell, moved_on(rep, cells, cell, below(rng, rep.kinds)))
        elif below(rng, rep.kinds) > 0:
            cells = with_tile(cells, cell, other_tile(rep, tile_at(cells, cell), rng))
    return GridState(cells, np.int64(0), np.int64(0))


@implement(problem.neighbours, GridRep)
def grid_neighbours(rep):
    return len(rep.places) * (rep.kinds - 1)


@implement(problem.neighbour, GridRep)
def grid_neighbour(rep, state, k):
    cell = np.int64(rep.places[k // (rep.kinds - 1)])
    cells = with_tile(state.cells, cell, moved_on(rep, state.cells, cell, 1 + k % (rep.kinds - 1)))
    return GridState(cells, state.cursor, state.depth)


@implement(problem.mutate, GridRep)
def grid_mutate(rep, state, rate, rng):
    if rate <= 0 and len(rep.mix) == 0:
        return problem.neighbour(rep, state, below(rng, problem.neighbours(rep)))
    cells = state.cells
    if rate <= 0:
        cell = np.int64(rep.places[below(rng, len(rep.places))])
        cells = with_tile(cells, cell, other_tile(rep, tile_at(cells, cell), rng))
        return GridState(cells, state.cursor, state.depth)
    pace = pace_of(rate)
    i = passed_over(rng, pace)
    while i < len(rep.places):
        cell = np.int64(rep.places[i])
        cells = with_tile(cells, cell, other_tile(rep, tile_at(cells, cell), rng))
        i += 1 + passed_over(rng, pace)
    return GridState(cells, state.cursor, state.depth)


@implement(problem.cross, GridRep)
def grid_cross(rep, mother, father, rng):
    """Returns a child cut at one point: the mother's cells up to it, then the father's, in narrow's order."""
    point = below(rng, len(rep.places))
    if rep.kind != NARROW:
        splice(rep.board, mother, father, np.int64(rep.places[point]), rep.child)
        return GridState(fetch_board(rep.board, rep.child), np.int64(0), np.int64(0))
    cells = fetch_board(rep.board, mother)
    for i in range(point, len(rep.order)):
        cell = np.int64(rep.order[i])
        cells = with_tile(cells, cell, packed_tile(cells, father, cell))
    return GridState(cells, np.int64(0), np.int64(0))


@part
def painted(cells, places, size, tile, rng):
    """Returns the cells with a rectangle of one tile, where they may change; small ones are likelier."""
    height, width = size
    bottom, right = below(rng, height), below(rng, width)
    top, left = bottom, right
    while top > 0 and below(rng, 3) > 0:
        top -= 1
    while left > 0 and below(rng, 3) > 0:
        left -= 1
    for i in range(len(places)):
        cell = np.int64(places[i])
        if top <= cell // width <= bottom and left <= cell % width <= right:
            cells = with_tile(cells, cell, tile)
    return Held(cells)


@implement(problem.brush, GridRep)
def grid_brush(rep, state, rng):
    tile = np.int64(rep.brushes[below(rng, len(rep.brushes))])
    cells = painted(state.cells, rep.places, (rep.height, rep.width), tile, rng)
    return GridState(cells.value, state.cursor, state.depth)


@implement(problem.board, GridRep)
def grid_board(rep, state):
    return Held(state.cells)


@implement(problem.pack, GridRep)
def grid_pack(rep, state, packed):
    store_board(state.cells, packed)
    packed[rep.words - 2] = U(state.cursor)
    packed[rep.words - 1] = U(state.depth)


@implement(problem.unpack, GridRep)
def grid_unpack(rep, packed):
    cells = fetch_board(rep.board, packed)
    return GridState(cells, np.int64(packed[rep.words - 2]), np.int64(packed[rep.words - 1]))
