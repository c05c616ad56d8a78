"""The agent's way from gold to gold, by A* over steps and jumps, and its plans played with timed holes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.loderunner.agent.still.kernels import digging
from levelsmith.games.loderunner.agent.still.kernels.graph import NEEDS, TICKS
from levelsmith.games.loderunner.judge.kernels.judge import BRICK, EMPTY, GOLD, LADDER, ROPE, TRAP, hard, ways
from levelsmith.kernels.compile import kernel, part

FAR = 1 << 30
PRIORITIES = 1 << 15
STEPS = 4  # codes of a way: a step by its direction, a jump by its number and this


class Walk(NamedTuple):
    """The workspace of A*; a cell may be entered several times."""

    cost: NDArray[np.int32]  # [cells]
    came: NDArray[np.int32]  # [cells] the code of the last step or jump of the way here
    origin: NDArray[np.int32]  # [cells] where that was made from
    ahead: NDArray[np.int32]  # [cells] steps to the nearest goal as the crow flies
    heads: NDArray[np.int32]  # [PRIORITIES] the first entry of each priority, or -1
    entry: NDArray[np.int32]  # [entries, 2] a cell, and the next entry of the same priority
    fills: NDArray[np.int32]  # [cells] the tick at which a hole fills


def make_walk(cells: int) -> Walk:
    cost, came, origin, ahead, fills = np.zeros((5, cells), np.int32)
    return Walk(
        *(cost, came, origin, ahead),
        *(np.full(PRIORITIES, -1, np.int32), np.zeros((64 * cells, 2), np.int32), fills),
    )


@part
def crow(game, ahead, goals):
    """Writes how far the nearest goal is from each cell as the crow flies; 0 for spare cells."""
    stride = game.width + 2
    cells = (game.height + 2) * stride
    for at in range(cells, len(ahead)):
        ahead[at] = 0
    for at in range(cells):
        ahead[at] = 0 if goals[at] else FAR
        if at > 0:
            ahead[at] = min(ahead[at], ahead[at - 1] + 1)
        if at >= stride:
            ahead[at] = min(ahead[at], ahead[at - stride] + 1)
    for at in range(cells - 1, -1, -1):
        if at < cells - 1:
            ahead[at] = min(ahead[at], ahead[at + 1] + 1)
        if at < cells - stride:
            ahead[at] = min(ahead[at], ahead[at + stride] + 1)


@part
def enter(walk, there, cost, code, origin, entries):
    """Enters a cell that is reached at less cost than before; how many entries there are then."""
    if cost >= walk.cost[there] or entries >= len(walk.entry):
        return entries
    walk.cost[there] = cost
    walk.came[there] = code
    walk.origin[there] = origin
    priority = min(cost + walk.ahead[there], PRIORITIES - 1)
    walk.entry[entries, 0] = there
    walk.entry[entries, 1] = walk.heads[priority]
    walk.heads[priority] = entries
    return entries + 1


@part
def possible(game, atlas, jump):
    """Returns whether no gold keeps a jump from being made."""
    for i in range(NEEDS):
        if atlas.need[jump, i] >= 0 and game.tile[atlas.need[jump, i]] == GOLD:
            return False
    return True


@kernel
def flights(game, ahead, goals):
    crow(game, ahead, goals)


@kernel
def route(game, atlas, walk, start, goals, out):
    """A* from a cell to the nearest goal: writes the codes of the way backwards; their number, or -1.

    Goals are 2, and cells from which a jump leads to one are 1. A jump costs its ticks and a wait until its
    holes are filled.
    """
    crow(game, walk.ahead, goals)
    for priority in range(PRIORITIES):
        walk.heads[priority] = -1
    for at in range(len(walk.cost)):
        walk.cost[at] = FAR
    entries = enter(walk, start, 0, -1, -1, 0)
    priority = 0
    while priority < PRIORITIES:
        entry = walk.heads[priority]
        if entry < 0:
            priority += 1
            continue
        walk.heads[priority] = walk.entry[entry, 1]
        at = np.int64(walk.entry[entry, 0])
        cost = np.int64(walk.cost[at])
        if cost + walk.ahead[at] < priority:
            continue  # it was reached in a better way since
        if goals[at] == 2 and at != start:
            length = 0
            while walk.came[at] >= 0:
                out[length] = walk.came[at]
                length += 1
                at = np.int64(walk.origin[at])
            return length
        bits = ways(game, at)
        for move in range(STEPS):
            if (bits >> move) & 1:
                entries = enter(walk, at + game.step[move], cost + 1, move, at, entries)
        jump = np.int64(game.first[at])
        while jump >= 0:
            if possible(game, atlas, jump):
                there = np.int64(game.jumps[jump, 0])
                price = cost + atlas.jump[jump, TICKS] + digging.HOLE_TICKS
                entries = enter(walk, there, price, STEPS + jump, at, entries)
            jump = np.int64(game.jumps[jump, 1])
    return -1


# ---------------------------------------------------------------------------------------------------- play


@part
def shut(tile, fills, at, now):
    return hard(tile[at]) and not (tile[at] == BRICK and fills[at] > now)


@part
def falls(game, fills, at, now):
    tile, stride = game.tile, game.width + 2
    hangs = tile[at] in (LADDER, ROPE)
    return not hangs and tile[at + stride] != LADDER and not shut(tile, fills, at + stride, now)


@kernel
def play(game, walk, start, moves, took):
    """Plays moves on the tiles of `game`, taking the gold; (where it ends, how many moves were made).

    Gold that is taken is listed in `took`, whose first place holds how much it is. A move that cannot be made
    ends the play.
    """
    tile, fills, stride = game.tile, walk.fills, game.width + 2
    for at in range(len(fills)):
        fills[at] = 0
    now = 0
    at = np.int64(start)
    taken = 0
    for number in range(len(moves)):
        move = moves[number]
        fall = falls(game, fills, at, now)
        if fall and move != digging.DOWN:
            took[0] = taken
            return at, number
        there = at
        ticks = 1
        if digging.DIG_LEFT <= move < digging.WAIT:
            beside = at + (-1 if move == digging.DIG_LEFT else 1)
            brick = beside + stride
            blocked = tile[beside] in (LADDER, ROPE, GOLD, TRAP) or shut(tile, fills, beside, now)
            if tile[brick] != BRICK or fills[brick] > now or blocked:
                took[0] = taken
                return at, number
            ticks = digging.DIG_TICKS
            fills[brick] = now + ticks + digging.HOLE_TICKS
        elif move != digging.WAIT:
            there = at + game.step[move]
            wall = move != digging.DOWN and tile[there] == TRAP
            if wall or shut(tile, fills, there, now) or (move == digging.UP and tile[at] != LADDER):
                took[0] = taken
                return at, number
        now += ticks
        at = there
        if tile[at] == BRICK and fills[at] <= now:
            took[0] = taken
            return at, number
        if tile[at] == GOLD:
            tile[at] = EMPTY
            taken += 1
            took[taken] = at
    took[0] = taken
    return at, len(moves)
