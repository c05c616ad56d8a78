"""Many Sokoban levels of one size, played at once, a move each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.sokoban.rules.kernels.tiles import BOX, BOX_ON_GOAL, FLOOR, GOAL, PLAYER, PLAYER_ON_GOAL
from levelsmith.kernels.arena import show
from levelsmith.kernels.compile import kernel, part

STEP, BOX_HOME, SOLVED = range(3)  # places of the rewards
MOVES = 4
UNDER = np.array([FLOOR, 1, FLOOR, GOAL, GOAL, FLOOR, GOAL], np.uint8)  # what a tile stands on


class SokobanBoards(NamedTuple):
    """Boards as tiles. What lies at the edge must be wall wherever the player or a box gets to."""

    width: int
    tiles: NDArray[np.uint8]  # [boards, cells]
    player: NDArray[np.int64]  # [boards] its cell
    left: NDArray[np.int64]  # [boards] boxes that are on no goal
    steps: NDArray[np.int64]  # [boards] moves made or tried since the start
    fresh: NDArray[np.bool_]  # [boards] a new level, to be shown before it is played
    most: int  # steps after which a board is given up
    rewards: NDArray[np.float64]  # [3] of a step, of a box that comes onto a goal, of a solution


@part
def stride(arena, move):
    """Returns the way of a move, `u d l r`, from cell to cell."""
    if move == 0:
        return -arena.width
    if move == 1:
        return arena.width
    return -1 if move == 2 else 1


@part
def can(arena, board, move):
    """Returns whether a move is blocked neither by a wall nor by a box that will not go."""
    tiles, step = arena.tiles[board], stride(arena, move)
    there = arena.player[board] + step
    if tiles[there] in (BOX, BOX_ON_GOAL):
        return tiles[there + step] in (FLOOR, GOAL)
    return tiles[there] in (FLOOR, GOAL)


@part
def move_player(arena, board, move):
    """Makes a move that can be made."""
    tiles, step = arena.tiles[board], stride(arena, move)
    here = arena.player[board]
    there = here + step
    if tiles[there] in (BOX, BOX_ON_GOAL):
        onto = tiles[there + step] == GOAL
        arena.left[board] += (1 if tiles[there] == BOX_ON_GOAL else 0) - (1 if onto else 0)
        tiles[there + step] = BOX_ON_GOAL if onto else BOX
    tiles[there] = PLAYER_ON_GOAL if UNDER[tiles[there]] == GOAL else PLAYER
    tiles[here] = UNDER[tiles[here]]
    arena.player[board] = there


@part
def step_board(arena, board, action, out):
    """Makes one move on a board that is not fresh. A blocked move is a step all the same."""
    before = arena.left[board]
    if can(arena, board, action):
        move_player(arena, board, action)
    arena.steps[board] += 1
    solved = arena.left[board] == 0
    out.rewards[board] = arena.rewards[STEP] + arena.rewards[BOX_HOME] * (before - arena.left[board])
    if solved:
        out.rewards[board] += arena.rewards[SOLVED]
    out.terminated[board] = solved
    out.truncated[board] = not solved and arena.steps[board] >= arena.most


@part
def write_mask(arena, board, out):
    """Writes which moves can be made on a board; all where none can, for then they are all alike."""
    some = False
    for move in range(MOVES):
        out[board, move] = can(arena, board, move)
        some = some or out[board, move]
    for move in range(MOVES):
        out[board, move] = out[board, move] or not some


@kernel
def start(arena, boards):
    """Takes up the new tiles of some boards."""
    for i in range(len(boards)):
        board = boards[i]
        arena.left[board] = 0
        arena.steps[board] = 0
        arena.fresh[board] = True
        for cell in range(arena.tiles.shape[1]):
            tile = arena.tiles[board, cell]
            if tile == BOX:
                arena.left[board] += 1
            elif tile in (PLAYER, PLAYER_ON_GOAL):
                arena.player[board] = cell


@kernel
def step(arena, actions, out):
    """Makes one move on every board; a fresh one is only shown."""
    cells = arena.tiles.shape[1]
    for board in range(len(arena.tiles)):
        out.rewards[board] = 0.0
        if arena.fresh[board]:
            arena.fresh[board] = False
        else:
            step_board(arena, board, actions[board], out)
        for cell in range(cells):
            show(out.views[board], cells, cell, np.int64(arena.tiles[board, cell]))


@kernel
def write_masks(arena, out):
    """Writes which moves can be made on every board."""
    for board in range(len(arena.tiles)):
        write_mask(arena, board, out)
