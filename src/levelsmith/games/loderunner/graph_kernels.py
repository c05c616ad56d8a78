"""The map of a level that an agent plans on: steps, and jumps through holes that a search found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.loderunner.dig_kernels import (
    DEEPEST,
    DIG_LEFT,
    DOWN,
    HOLE_TICKS,
    LEFT,
    RIGHT,
    SEARCHES,
    STATES,
    Cone,
    can_dig,
    dig_into,
    stands_now,
)
from levelsmith.games.loderunner.kernels import (
    BRICK,
    FINISHED,
    GOLD,
    LADDER,
    hard,
    judge_from,
    plain,
    standing,
    ways,
)
from levelsmith.kernels.bits import ZERO, U
from levelsmith.kernels.compile import kernel, part

NEEDS = 6  # gold that may have to be gone before a jump
FROM, TO, BEGIN, LENGTH, TICKS = range(5)  # of a jump
JUMPS, LETTERS = range(2)  # of `used`


class Atlas(NamedTuple):
    """The jumps of a level by number, and room to find them."""

    jump: NDArray[np.int32]  # [jumps, 5]
    need: NDArray[np.int32]  # [jumps, NEEDS] cells that must hold no gold, or -1
    letters: NDArray[np.uint8]  # [letters] the moves of all jumps
    used: NDArray[np.int64]  # [2] of both
    tried: NDArray[np.uint64]  # [tries] hashes of searches that were made
    reach: NDArray[np.uint8]  # [cells] what can be reached from the part at hand
    queue: NDArray[np.int32]  # [cells]
    done: NDArray[np.uint8]  # [cells] parts dealt with, by name


def make_atlas(cells: int, jumps: int, letters: int, tries: int) -> Atlas:
    return Atlas(
        np.zeros((jumps, 5), np.int32),
        np.zeros((jumps, NEEDS), np.int32),
        np.zeros(letters, np.uint8),
        np.zeros(2, np.int64),
        np.zeros(tries, np.uint64),
        np.zeros(cells, np.uint8),
        np.zeros(cells, np.int32),
        np.zeros(cells + 1, np.uint8),
    )


@part
def spread(game, atlas, start):
    """Marks all that can be reached from a cell, besides what is marked."""
    if atlas.reach[start]:
        return
    atlas.reach[start] = 1
    atlas.queue[0] = start
    done, waiting = 0, 1
    while done < waiting:
        at = np.int64(atlas.queue[done])
        done += 1
        bits = ways(game, at)
        for move in range(4):
            there = at + game.step[move]
            if (bits >> move) & 1 and not atlas.reach[there]:
                atlas.reach[there] = 1
                atlas.queue[waiting] = there
                waiting += 1
        jump = game.first[at]
        while jump >= 0:
            there = np.int64(game.jumps[jump, 0])
            if not atlas.reach[there]:
                atlas.reach[there] = 1
                atlas.queue[waiting] = there
                waiting += 1
            jump = game.jumps[jump, 1]


@part
def exit_of(game, brick, move):
    """The cell that a move leads to from a hole, where that is no brick; else -1."""
    there = brick + game.step[move]
    if move != DOWN and not standing(game.tile, brick, game.width + 2):
        return np.int64(-1)
    return np.int64(-1) if hard(game.tile[there]) else there


@part
def is_new(game, atlas, brick):
    """Whether a hole leads anywhere that cannot be reached yet."""
    for move in (LEFT, RIGHT, DOWN):
        there = exit_of(game, brick, move)
        if there >= 0 and not atlas.reach[there]:
            return True
    return False


@part
def may_be_dug(game, brick, depth):
    """Whether so many rows are enough to lay the brick bare."""
    stride = game.width + 2
    for up in range(1, depth + 1):
        above = game.tile[brick - up * stride]
        if above != BRICK:
            return plain(above)
    return False


@part
def diggers(game, desk, cone, name):
    """Lists the cells of a part from which a first hole of the cone can be dug; how many there are."""
    number = 0
    for up in range(1, cone.depth + 1):
        row = cone.row - up
        if row < 1:
            break
        for column in range(max(1, cone.column - up), min(game.width, cone.column + up) + 1):
            at = row * cone.stride + column
            if game.number[at] != FINISHED or game.low[at] != name or hard(game.tile[at]):
                continue
            if stands_now(game, cone, ZERO, at) and (
                can_dig(game, cone, ZERO, at, -1) or can_dig(game, cone, ZERO, at, 1)
            ):
                desk.sources[number] = at
                number += 1
    return number


@part
def new_try(atlas, desk, brick, depth, strict, sources):
    """Whether this search was not made before; remembers it."""
    key = U(brick) * U(0x9E3779B97F4A7C15) + U(2 * depth + strict) * U(0xD6E8FEB86659FD93)
    for i in range(sources):
        key = (key ^ U(desk.sources[i])) * U(0xFF51AFD7ED558CCD)
    key |= U(1)
    at = np.int64((key >> U(32)) & U(len(atlas.tried) - 1))
    for _ in range(64):
        if atlas.tried[at] == key:
            return False
        if atlas.tried[at] == ZERO:
            atlas.tried[at] = key
            return True
        at = (at + 1) & (len(atlas.tried) - 1)
    return True


@part
def keep(game, desk, atlas, brick, state, move):
    """Keeps the way to a state in the brick and a move out of it as a jump; False where there is no room."""
    jump, begin = atlas.used[JUMPS], atlas.used[LETTERS]
    length = 1
    at = state
    while desk.parent[at] >= 0:
        length += 1
        at = np.int64(desk.parent[at])
    source = np.int64(desk.cell[at])
    if jump >= len(atlas.jump) or begin + length > len(atlas.letters):
        return False
    atlas.letters[begin + length - 1] = move
    at, place = state, begin + length - 2
    while desk.parent[at] >= 0:
        atlas.letters[place] = desk.move[at]
        place -= 1
        at = np.int64(desk.parent[at])
    needs = 0
    for i in range(NEEDS):
        atlas.need[jump, i] = -1
    at = source
    for i in range(begin, begin + length):
        step = np.int64(atlas.letters[i])
        if step < DIG_LEFT:
            at += game.step[step]
        elif game.tile[at + (-1 if step == DIG_LEFT else 1)] == GOLD and needs < NEEDS:
            atlas.need[jump, needs] = at + (-1 if step == DIG_LEFT else 1)
            needs += 1
    atlas.jump[jump, FROM], atlas.jump[jump, TO] = source, at
    atlas.jump[jump, BEGIN], atlas.jump[jump, LENGTH] = begin, length
    atlas.jump[jump, TICKS] = desk.ticks[state] + 1
    game.jumps[jump, 0] = at
    game.jumps[jump, 1] = game.first[source]
    game.first[source] = jump
    atlas.used[JUMPS] += 1
    atlas.used[LETTERS] += length
    return True


@part
def explore_part(game, desk, atlas, first, cone_depth, strict, limit):
    """Looks for ways out of one part, that of the cell `first`, through bricks; how many jumps were found."""
    stride = game.width + 2
    name = game.low[first]
    found = 0
    for at in range(len(game.tile)):
        atlas.reach[at] = 0
    spread(game, atlas, first)
    for row in range(2, game.height + 1):
        for column in range(1, game.width + 1):
            brick = row * stride + column
            if game.tile[brick] != BRICK or not is_new(game, atlas, brick):
                continue
            if not may_be_dug(game, brick, cone_depth):
                continue
            cone = Cone(row, column, cone_depth, stride, strict)
            sources = diggers(game, desk, cone, name)
            if sources == 0 or not new_try(atlas, desk, brick, cone_depth, strict, sources):
                continue
            state = dig_into(game, desk, cone, sources, limit)
            if state < 0:
                continue
            for move in (LEFT, RIGHT, DOWN):
                there = exit_of(game, brick, move)
                if (
                    there >= 0
                    and not atlas.reach[there]
                    and keep(game, desk, atlas, brick, state, move)
                ):
                    found += 1
                    spread(game, atlas, there)
    return found


@kernel
def explore(game, desk, atlas, start, options):
    """Adds jumps from all parts that can be reached; how many. Options: depth, strict, limits of states."""
    judge_from(game, start)
    for i in range(len(atlas.done)):
        atlas.done[i] = 0
    found = 0
    end = desk.tally[STATES] + options[3]
    for at in range(len(game.tile)):
        if game.number[at] != FINISHED or atlas.done[game.low[at]]:
            continue
        if not standing(game.tile, at, game.width + 2):
            continue
        atlas.done[game.low[at]] = 1
        found += explore_part(game, desk, atlas, at, options[0], options[1] != 0, options[2])
        if desk.tally[STATES] >= end:
            break
    return found


@kernel
def most_gold(game, start):
    """The gold that one walk collects from a start, over steps and jumps."""
    judge_from(game, start)
    return np.int64(game.most[start])
