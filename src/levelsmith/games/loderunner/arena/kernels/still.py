"""Many Lode Runner levels of one size, played at once while nobody moves, a move each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.loderunner.agent.still.kernels import digging
from levelsmith.games.loderunner.agent.still.kernels.routes import falls, shut
from levelsmith.games.loderunner.judge.kernels.judge import BRICK, EMPTY, GOLD, LADDER, ROPE, TRAP
from levelsmith.kernels.arena import show
from levelsmith.kernels.compile import kernel, part

STEP, PIECE, SOLVED, LOST = range(4)  # places of the rewards
MOVES = 7
RUNNER, ON_LADDER, ON_ROPE, IN_HOLE, HOLE = range(7, 12)  # what is seen besides the tiles
AGES = 5  # a hole is seen as HOLE and the next codes, by how long it is open yet
CODES = HOLE + AGES


class LodeRunnerBoards(NamedTuple):
    """Boards with a ring of solid cells around each, the runner and the start taken out of them."""

    height: int
    width: int
    tile: NDArray[np.uint8]  # [boards, (height + 2) * (width + 2)]
    fills: NDArray[np.int32]  # [boards, cells] the tick at which a hole fills
    runner: NDArray[np.int64]  # [boards] its cell
    gold: NDArray[np.int64]  # [boards] pieces that are left
    now: NDArray[np.int32]  # [boards] ticks since the start
    steps: NDArray[np.int64]  # [boards] moves made or tried since the start
    fresh: NDArray[np.bool_]  # [boards] a new level, to be shown before it is played
    most: int  # steps after which a board is given up
    rewards: NDArray[np.float64]  # [4] of a step, of a piece of gold, of the last piece, of a lost runner


class Ground(NamedTuple):
    """One board, as the agent's rules take it."""

    tile: NDArray[np.uint8]  # [cells]
    width: int


@part
def onward(arena, at, move):
    """Returns the cell that a move leads to."""
    stride = arena.width + 2
    if move == digging.UP:
        return at - stride
    if move == digging.DOWN:
        return at + stride
    if move >= digging.DIG_LEFT:
        return at
    return at - 1 if move == digging.LEFT else at + 1


@part
def can(arena, board, move):
    """Returns whether a move can be made; what fills meanwhile is not looked at."""
    tile, fills, stride = arena.tile[board], arena.fills[board], arena.width + 2
    at, now = arena.runner[board], arena.now[board]
    if falls(Ground(tile, arena.width), fills, at, now):
        return move == digging.DOWN
    if move == digging.WAIT:
        return True
    if move >= digging.DIG_LEFT:
        beside = at + (-1 if move == digging.DIG_LEFT else 1)
        brick = beside + stride
        if tile[brick] != BRICK or fills[brick] > now:
            return False
        return tile[beside] not in (LADDER, ROPE, GOLD, TRAP) and not shut(tile, fills, beside, now)
    there = onward(arena, at, move)
    wall = shut(tile, fills, there, now) or (move != digging.DOWN and tile[there] == TRAP)
    return (move != digging.UP or tile[at] == LADDER) and not wall


@part
def move_runner(arena, board, move):
    """Makes a move that can be made; whether the runner is still there afterwards."""
    tile, fills = arena.tile[board], arena.fills[board]
    at = arena.runner[board]
    if digging.DIG_LEFT <= move < digging.WAIT:
        arena.now[board] += digging.DIG_TICKS
        brick = at + arena.width + 2 + (-1 if move == digging.DIG_LEFT else 1)
        fills[brick] = arena.now[board] + digging.HOLE_TICKS
    else:
        arena.now[board] += 1
        at = onward(arena, at, move)
        arena.runner[board] = at
    if tile[at] == BRICK and fills[at] <= arena.now[board]:
        return False
    if tile[at] == GOLD:
        tile[at] = EMPTY
        arena.gold[board] -= 1
    return True


@part
def seen(arena, board, at):
    """Returns what a cell shows: a tile, the runner and what it is on, or a hole and how long it is open."""
    tile, left = arena.tile[board, at], arena.fills[board, at] - arena.now[board]
    if at == arena.runner[board]:
        if tile == LADDER:
            return np.int64(ON_LADDER)
        if tile == ROPE:
            return np.int64(ON_ROPE)
        return np.int64(IN_HOLE) if tile == BRICK else np.int64(RUNNER)
    if tile == BRICK and left > 0:
        return np.int64(HOLE + (left - 1) * AGES // digging.HOLE_TICKS)
    return np.int64(BRICK) if tile == TRAP else np.int64(tile)  # which cannot be told by looking


@kernel
def start(arena, boards):
    """Takes up the new tiles of some boards."""
    for i in range(len(boards)):
        board = boards[i]
        arena.gold[board] = 0
        arena.now[board] = 0
        arena.steps[board] = 0
        arena.fresh[board] = True
        for at in range(arena.tile.shape[1]):
            arena.fills[board, at] = 0
            if arena.tile[board, at] == GOLD:
                arena.gold[board] += 1
            elif arena.tile[board, at] == RUNNER:
                arena.runner[board] = at
                arena.tile[board, at] = EMPTY


@kernel
def step(arena, actions, out):
    """Makes one move on every board; a fresh one is only shown. Who cannot make a move waits, or falls."""
    cells, stride = arena.height * arena.width, arena.width + 2
    for board in range(len(arena.tile)):
        out.rewards[board] = 0.0
        if arena.fresh[board]:
            arena.fresh[board] = False
        else:
            move = actions[board]
            if not can(arena, board, move):
                move = np.int64(digging.WAIT) if can(arena, board, digging.WAIT) else np.int64(digging.DOWN)
            before = arena.gold[board]
            there = move_runner(arena, board, move)
            arena.steps[board] += 1
            solved = there and arena.gold[board] == 0
            out.rewards[board] = arena.rewards[STEP] + arena.rewards[PIECE] * (before - arena.gold[board])
            if solved:
                out.rewards[board] += arena.rewards[SOLVED]
            if not there:
                out.rewards[board] += arena.rewards[LOST]
            out.terminated[board] = solved or not there
            out.truncated[board] = there and not solved and arena.steps[board] >= arena.most
        for cell in range(cells):
            at = (cell // arena.width + 1) * stride + cell % arena.width + 1
            show(out.views[board], cells, cell, seen(arena, board, at))


@kernel
def write_masks(arena, out):
    """Writes which moves can be made on every board."""
    for board in range(len(arena.tile)):
        for move in range(MOVES):
            out[board, move] = can(arena, board, move)
