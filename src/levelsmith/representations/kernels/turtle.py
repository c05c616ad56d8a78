"""A turtle's walk as a genome: moves that start from the same map and cell in the whole run."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.errors import LevelsmithError
from levelsmith.kernels import problem
from levelsmith.kernels.bits import has
from levelsmith.kernels.boards import fetch_board, packed_tile, store_board, with_tile, words_of
from levelsmith.kernels.compile import part
from levelsmith.kernels.problem import Held, implement
from levelsmith.kernels.random import below, pace_of, passed_over
from levelsmith.representations.kernels.grid import GridRep, beside, moved_on

DIRECTIONS = 4
MANY = 3  # kinds of tiles: moves are kept in bytes
BYTE = 256


class TurtleRep(NamedTuple):
    height: int
    width: int
    words: int  # that a packed genome takes
    walker: Any  # the GridRep of the map
    moves: NDArray[np.uint8]  # [moves] direction · kinds + change, and where genomes live
    cursor: NDArray[np.int64]  # [1] where this run's walks start


class TurtleState(NamedTuple):
    moves: NDArray[np.uint8]


def make(walker: GridRep, moves: int) -> TurtleRep:
    if DIRECTIONS * walker.kinds > BYTE:
        raise LevelsmithError(
            f"turtle genomes have at most {BYTE // DIRECTIONS} kinds of tiles, got {walker.kinds}"
        )
    words = words_of(moves, MANY)
    return TurtleRep(
        walker.height, walker.width, words, walker, np.zeros(moves, np.uint8), np.zeros(1, np.int64)
    )


@part
def random_moves(rep, rng):
    """Returns where a start was given the turtle walks but changes nothing yet."""
    kinds = rep.walker.kinds
    for i in range(len(rep.moves)):
        change = 0 if rep.walker.given else below(rng, kinds)
        rep.moves[i] = below(rng, DIRECTIONS) * kinds + change
    return TurtleState(rep.moves)


@implement(problem.initial, TurtleRep)
def turtle_initial(rep, rng):
    rep.cursor[0] = problem.initial(rep.walker, rng).cursor
    return random_moves(rep, rng)


@implement(problem.sample, TurtleRep)
def turtle_sample(rep, rng):
    return random_moves(rep, rng)


@implement(problem.neighbours, TurtleRep)
def turtle_neighbours(rep):
    return len(rep.moves) * (DIRECTIONS * rep.walker.kinds - 1)


@implement(problem.neighbour, TurtleRep)
def turtle_neighbour(rep, state, k):
    kinds_of_move = DIRECTIONS * rep.walker.kinds
    place, by = k // (kinds_of_move - 1), 1 + k % (kinds_of_move - 1)
    state.moves[place] = (np.int64(state.moves[place]) + by) % kinds_of_move
    return TurtleState(state.moves)


@implement(problem.mutate, TurtleRep)
def turtle_mutate(rep, state, rate, rng):
    if rate <= 0:
        return problem.neighbour(rep, state, below(rng, problem.neighbours(rep)))
    kinds_of_move = DIRECTIONS * rep.walker.kinds
    pace = pace_of(rate)
    i = passed_over(rng, pace)
    while i < len(state.moves):
        by = 1 + below(rng, kinds_of_move - 1)
        state.moves[i] = (np.int64(state.moves[i]) + by) % kinds_of_move
        i += 1 + passed_over(rng, pace)
    return TurtleState(state.moves)


@implement(problem.cross, TurtleRep)
def turtle_cross(rep, mother, father, rng):
    """Returns a child cut at one point: the mother's moves up to it, then the father's."""
    moves = fetch_board(rep.moves, mother)
    for i in range(below(rng, len(moves)), len(moves)):
        moves[i] = packed_tile(moves, father, i)
    return TurtleState(moves)


@implement(problem.board, TurtleRep)
def turtle_board(rep, state):
    """Returns the map after the walk; a step off the map leaves the turtle where it is."""
    walker = rep.walker
    cells = fetch_board(walker.board, walker.origin)
    cursor = rep.cursor[0]
    for i in range(len(state.moves)):
        move = np.int64(state.moves[i])
        there = beside(walker, cursor, move // walker.kinds)
        cursor = cursor if there < 0 else there
        change = move % walker.kinds
        if change > 0 and has(walker.free, cursor):
            cells = with_tile(cells, cursor, moved_on(walker, cells, cursor, change))
    return Held(cells)


@implement(problem.pack, TurtleRep)
def turtle_pack(rep, state, packed):
    store_board(state.moves, packed)


@implement(problem.unpack, TurtleRep)
def turtle_unpack(rep, packed):
    return TurtleState(fetch_board(rep.moves, packed))
