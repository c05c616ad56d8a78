"""Sokoban levels played on a GPU, a thread a move: moves and the order of levels are the processor's.

Some threads of a block make the moves of its boards; then all write what is seen of them, so that threads
side by side write cells side by side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from levelsmith.games.sokoban.arena.kernels.arena import MOVES, SokobanBoards, step_board, write_mask
from levelsmith.kernels.arena import Out
from levelsmith.kernels.compile import part
from levelsmith.kernels.gpu import gpu_kernel
from levelsmith.kernels.shuffle import dealt

WARP = 32  # threads that go in step
SHARE = 4  # threads for each board: one makes its move, all show what comes of it
COUNTS = 7
PLAYER, LEFT, STEPS, FRESH, NUMBER, LEVEL, OPTIMAL = range(COUNTS)  # of a board
SUMS = 3
RETURN, BEST, DIFFICULTY = range(SUMS)  # of a board
FLAGS = 5
TERMINATED, TRUNCATED, SOLVED, ENDED, BEGUN = range(FLAGS)  # that a step writes
NUMBERS = 4
REWARD, RETURNED, REGRET, RATED = range(NUMBERS)  # that a step writes
DIGITS = 1e9  # of a regret
WHOLE = 4
TAKEN, INDEX, EPISODE, SHORTEST = range(WHOLE)  # that a step writes


class Rules(NamedTuple):
    """What all boards have in common."""

    width: int
    most: int  # steps after which a board is given up
    same_step: bool  # whether a board that has ended is shown with its next level at once
    rewards: NDArray[np.float64]  # [3] of a step, of a box that comes onto a goal, of a solution


class CardBoards(NamedTuple):
    """The boards."""

    tiles: NDArray[np.uint8]  # [boards, cells]
    counts: NDArray[np.int32]  # [COUNTS, boards]
    sums: NDArray[np.float64]  # [SUMS, boards]
    seeds: NDArray[np.int64]  # [boards] that deal their levels


class CardLevels(NamedTuple):
    """The levels that boards are dealt; none where the processor deals."""

    tiles: NDArray[np.uint8]  # [levels, cells]
    counts: NDArray[np.int32]  # [COUNTS, levels], as a board has them at its start
    sums: NDArray[np.float64]  # [SUMS, levels]


class CardOut(NamedTuple):
    """What a step writes."""

    views: NDArray[np.uint8]  # [boards, cells], or with planes [boards, codes * cells]
    last: NDArray[np.uint8]  # as views: of boards that have ended, where those show the next level
    flags: NDArray[np.bool_]  # [FLAGS, boards]
    numbers: NDArray[np.float64]  # [NUMBERS, boards]
    whole: NDArray[np.int32]  # [WHOLE, boards]
    wrong: NDArray[np.int32]  # [1] not 0 once an action was none


@part
def arena_of(rules, boards):
    """Returns boards as the moves of the processor take them."""
    counts, fresh = boards.counts, boards.counts[FRESH]
    player, left, steps = counts[PLAYER], counts[LEFT], counts[STEPS]
    return SokobanBoards(rules.width, boards.tiles, player, left, steps, fresh, rules.most, rules.rewards)


@part
def take_level(boards, board, levels):
    """Deals a board its next level, all but the tiles."""
    number = boards.counts[NUMBER, board]
    chosen = dealt(boards.seeds[board], np.int64(len(levels.tiles)), np.int64(number))
    for i in range(COUNTS):
        boards.counts[i, board] = levels.counts[i, chosen]
    for i in range(SUMS):
        boards.sums[i, board] = levels.sums[i, chosen]
    boards.counts[NUMBER, board] = number + 1


@part
def regret(best, gained):
    """Returns what a return is short of the best, to as many decimals as sums of rewards are exact to."""
    if best != best:
        return best
    return np.float64(round((best - gained) * DIGITS)) / DIGITS


@part
def play(rules, boards, board, action, out):
    """Makes a move on a board, or has a new one shown, and writes what comes of it."""
    flags, numbers, counts = out.flags, out.numbers, boards.counts
    for i in range(FLAGS):
        flags[i, board] = False
    numbers[REWARD, board] = 0.0
    if counts[FRESH, board] != 0:
        counts[FRESH, board] = 0
        flags[BEGUN, board] = True
    elif 0 <= action < MOVES:
        one = Out(out.views, numbers[REWARD], flags[TERMINATED], flags[TRUNCATED])
        step_board(arena_of(rules, boards), board, action, one)
        boards.sums[RETURN, board] += numbers[REWARD, board]
    else:
        out.wrong[0] = 1
    flags[SOLVED, board] = counts[LEFT, board] == 0
    flags[ENDED, board] = flags[TERMINATED, board] or flags[TRUNCATED, board]
    numbers[RETURNED, board] = boards.sums[RETURN, board]
    numbers[REGRET, board] = regret(boards.sums[BEST, board], boards.sums[RETURN, board])
    out.whole[TAKEN, board] = counts[STEPS, board]
    write_about(boards, board, out)


@part
def write_about(boards, board, out):
    """Writes which level a board has; one that was handed in is of no set and no seed."""
    index = boards.counts[LEVEL, board]
    out.whole[INDEX, board] = index
    out.whole[EPISODE, board] = boards.counts[NUMBER, board] - 1 if index >= 0 else -1
    out.whole[SHORTEST, board] = boards.counts[OPTIMAL, board]
    out.numbers[RATED, board] = boards.sums[DIFFICULTY, board]


@part
def show_code(views, board, cells, cell, code):
    """Writes what is seen in a cell: its code, or a 1 in the plane of that code and a 0 in all others."""
    if views.shape[1] == cells:
        views[board, cell] = code
    else:
        for plane in range(views.shape[1] // cells):
            views[board, plane * cells + cell] = 1 if plane == code else 0


@gpu_kernel()
def step_all(rules, boards, levels, actions, out):
    """Makes one move on every board and shows it; one that has ended is dealt its next level."""
    many, cells = boards.tiles.shape
    number = cuda.blockDim.x // SHARE  # of boards of this block
    first = cuda.blockIdx.x * number
    own = first + cuda.threadIdx.x
    dealing = len(levels.tiles) > 0
    if cuda.threadIdx.x < number and own < many:
        play(rules, boards, own, actions[own], out)
        if dealing and out.flags[ENDED, own]:
            take_level(boards, own, levels)
            if rules.same_step:
                boards.counts[FRESH, own] = 0
                out.flags[BEGUN, own] = True
                write_about(boards, own, out)
    cuda.syncthreads()
    together = min(WARP, cuda.blockDim.x)  # threads that show one board after another
    groups = cuda.blockDim.x // together
    group = cuda.threadIdx.x // together
    if group == groups:
        return
    for board in range(first + group, min(first + number, many), groups):
        new = dealing and out.flags[ENDED, board]
        level = boards.counts[LEVEL, board]
        for cell in range(cuda.threadIdx.x - group * together, cells, together):
            tile = boards.tiles[board, cell]
            if new:
                boards.tiles[board, cell] = levels.tiles[level, cell]
                if rules.same_step:
                    show_code(out.last, board, cells, cell, tile)
                    tile = boards.tiles[board, cell]
            show_code(out.views, board, cells, cell, tile)


@part
def put_back(boards, board, again):
    """Has a board go on with a level that it was dealt and that is not shown yet, or begin its seed again."""
    counts = boards.counts
    if again:
        counts[NUMBER, board] = 0
    elif counts[FRESH, board] != 0 and counts[LEVEL, board] >= 0:
        counts[NUMBER, board] -= 1


@gpu_kernel()
def deal_some(boards, levels, chosen, again):
    """Deals some boards a level of the set: the first of their seed, or the next."""
    i = cuda.grid(1)
    if i >= len(chosen):
        return
    board, counts = chosen[i], boards.counts
    put_back(boards, board, again[i])
    take_level(boards, board, levels)
    for cell in range(boards.tiles.shape[1]):
        boards.tiles[board, cell] = levels.tiles[counts[LEVEL, board], cell]


@gpu_kernel()
def load_some(boards, chosen, again, given):
    """Puts levels on some boards, of which those that were handed in do not count."""
    i = cuda.grid(1)
    if i >= len(chosen):
        return
    board = chosen[i]
    put_back(boards, board, again[i])
    number = boards.counts[NUMBER, board]
    for cell in range(boards.tiles.shape[1]):
        boards.tiles[board, cell] = given.tiles[i, cell]
    for j in range(COUNTS):
        boards.counts[j, board] = given.counts[j, i]
    for j in range(SUMS):
        boards.sums[j, board] = given.sums[j, i]
    if given.counts[LEVEL, i] < 0:
        boards.counts[NUMBER, board] = number


@gpu_kernel()
def reveal_some(boards, chosen, out):
    """Shows new levels of some boards, which the next step plays."""
    i = cuda.grid(1)
    if i >= len(chosen):
        return
    board, cells = chosen[i], boards.tiles.shape[1]
    boards.counts[FRESH, board] = 0
    out.flags[BEGUN, board] = True
    write_about(boards, board, out)
    if len(out.last) == len(out.views):
        for place in range(out.views.shape[1]):
            out.last[board, place] = out.views[board, place]
    for cell in range(cells):
        show_code(out.views, board, cells, cell, boards.tiles[board, cell])


@gpu_kernel()
def look_all(rules, boards, out):
    """Writes which moves can be made on every board."""
    board = cuda.grid(1)
    if board < len(boards.tiles):
        write_mask(arena_of(rules, boards), board, out)
