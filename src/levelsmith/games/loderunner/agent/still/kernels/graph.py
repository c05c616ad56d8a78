"""The map of a level that an agent plans on: steps, and jumps through holes that searches found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.loderunner.agent.still.kernels import digging
from levelsmith.games.loderunner.judge.kernels import judge
from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.words import ZERO, U

NEEDS = 6  # gold that may have to be gone before a jump
TO, BEGIN, LENGTH, TICKS = range(4)  # of a jump
JUMPS, LETTERS = range(2)  # of `used`
DEPTH, PART, STATES_EACH, STATES_ALL = range(4)  # of `options`
MARGIN = 4  # cells around a cone that the runner may use


class Atlas(NamedTuple):
    """The jumps of a level by number, and the workspace to find them."""

    jump: NDArray[np.int32]  # [jumps, 4] where it ends, where its moves are, how many, how long they take
    need: NDArray[np.int32]  # [jumps, NEEDS] cells that must hold no gold, or -1
    letters: NDArray[np.uint8]  # [letters] the moves of all jumps
    used: NDArray[np.int64]  # [2] of both
    tried: NDArray[np.uint64]  # [tries] hashes of searches that were made
    reach: NDArray[np.uint8]  # [cells] what can be reached from the part at hand
    queue: NDArray[np.int32]  # [cells]
    done: NDArray[np.uint8]  # [cells] parts dealt with, by name
    gold: NDArray[np.int32]  # [GOLD_BITS] of a search that is for none


def make_atlas(cells: int, jumps: int, letters: int, tries: int) -> Atlas:
    return Atlas(
        np.zeros((jumps, 4), np.int32),
        np.zeros((jumps, NEEDS), np.int32),
        np.zeros(letters, np.uint8),
        np.zeros(2, np.int64),
        np.zeros(tries, np.uint64),
        np.zeros(cells, np.uint8),
        np.zeros(cells, np.int32),
        np.zeros(cells + 1, np.uint8),
        np.zeros(8, np.int32),
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
        bits = judge.ways(game, at)
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


# ------------------------------------------------------------------------------------ bricks to get into


@part
def exit_of(game, brick, move):
    """Returns the cell that a move leads to from a hole, where that is no brick; else -1."""
    there = brick + game.step[move]
    if move != digging.DOWN and not judge.standing(game.tile, brick, game.width + 2):
        return np.int64(-1)
    shut = judge.hard(game.tile[there]) or (move != digging.DOWN and game.tile[there] == judge.TRAP)
    return np.int64(-1) if shut else there


@part
def is_new(game, atlas, brick):
    """Returns whether a hole leads anywhere that cannot be reached yet."""
    for move in (digging.LEFT, digging.RIGHT, digging.DOWN):
        there = exit_of(game, brick, move)
        if there >= 0 and not atlas.reach[there]:
            return True
    return False


@part
def may_be_dug(game, brick, depth):
    """Returns whether so many rows are enough to lay the brick bare."""
    stride = game.width + 2
    for up in range(1, depth + 1):
        above = game.tile[brick - up * stride]
        if above != judge.BRICK:
            return judge.plain(above)
    return False


@part
def mark(game, workspace, site, on):
    """Notes in the workspace which bricks are in the cone and where the runner may go, or takes that back."""
    for up in range(min(site.depth + MARGIN, site.row)):
        row = (site.row - up) * site.stride
        wide = site.depth + MARGIN
        for column in range(max(1, site.column - wide), min(game.width, site.column + wide) + 1):
            workspace.field[row + column] = on
            aside = column - site.column
            if up < site.depth and -up <= aside <= up:
                inside = on and game.tile[row + column] == judge.BRICK
                workspace.bit[row + column] = up * up + up + aside if inside else digging.NO_BIT


@part
def diggers(game, workspace, site, name):
    """Lists the cells of a part from which a first hole of the cone can be dug; how many there are."""
    number = 0
    for up in range(1, min(site.depth + 1, site.row)):
        row = (site.row - up) * site.stride
        for column in range(max(1, site.column - up), min(game.width, site.column + up) + 1):
            at = row + column
            if game.number[at] != judge.FINISHED or game.low[at] != name or judge.hard(game.tile[at]):
                continue
            if digging.stands_now(game, workspace, ZERO, at, site.stride) and (
                digging.can_dig(game, workspace, site, ZERO, at, -1)
                or digging.can_dig(game, workspace, site, ZERO, at, 1)
            ):
                workspace.sources[number] = at
                number += 1
    return number


@part
def new_try(atlas, workspace, key, sources):
    """Returns whether a search was not made before with these sources; remembers it."""
    for i in range(sources):
        key = (key ^ U(workspace.sources[i])) * U(0xFF51AFD7ED558CCD)
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
def link(game, atlas, source, there):
    """Adds a jump whose moves were write_path behind the others, as the last one."""
    jump = atlas.used[JUMPS]
    game.jumps[jump, 0] = there
    game.jumps[jump, 1] = game.first[source]
    game.first[source] = jump
    atlas.used[JUMPS] += 1
    atlas.used[LETTERS] += atlas.jump[jump, LENGTH]


@part
def write_path(game, workspace, atlas, state, last):
    """Writes the way to a state, and a last move unless that is -1, for a jump; (source, end) or (-1, -1)."""
    jump, begin = atlas.used[JUMPS], atlas.used[LETTERS]
    length = 1 if last >= 0 else 0
    at = state
    while workspace.parent[at] >= 0:
        length += 1
        at = np.int64(workspace.parent[at])
    source = np.int64(workspace.cell[at])
    if jump + 2 >= len(atlas.jump) or begin + length > len(atlas.letters):
        return np.int64(-1), np.int64(-1)
    place = begin + length - 1
    if last >= 0:
        atlas.letters[place] = last
        place -= 1
    at = state
    while workspace.parent[at] >= 0:
        atlas.letters[place] = workspace.move[at]
        place -= 1
        at = np.int64(workspace.parent[at])
    needs = 0
    for i in range(NEEDS):
        atlas.need[jump, i] = -1
    at = source
    for i in range(begin, begin + length):
        step = np.int64(atlas.letters[i])
        beside = at + (-1 if step == digging.DIG_LEFT else 1)
        if step < digging.DIG_LEFT:
            at += game.step[step]
        elif game.tile[beside] == judge.GOLD and workspace.bit[beside] == digging.NO_BIT and needs < NEEDS:
            atlas.need[jump, needs] = beside
            needs += 1
    atlas.jump[jump, TO], atlas.jump[jump, BEGIN], atlas.jump[jump, LENGTH] = at, begin, length
    atlas.jump[jump, TICKS] = workspace.ticks[state] + (1 if last >= 0 else 0)
    return source, at


@part
def explore_part(game, workspace, atlas, first, options):
    """Looks for ways out of one part, that of the cell `first`, through bricks; how many jumps were found."""
    stride, depth = game.width + 2, options[DEPTH]
    part = np.int64(game.low[first]) if options[PART] == 0 else options[PART]
    found = 0
    for at in range(len(atlas.reach)):
        atlas.reach[at] = 0
    spread(game, atlas, first)
    for row in range(2, game.height + 1):
        for column in range(1, game.width + 1):
            brick = row * stride + column
            if game.tile[brick] != judge.BRICK or not is_new(game, atlas, brick):
                continue
            if not may_be_dug(game, brick, depth):
                continue
            site = digging.DiggingSite(
                row, column, depth, stride, np.int64(0), atlas.gold, np.int64(digging.BRICKS), part
            )
            mark(game, workspace, site, True)
            sources = diggers(game, workspace, site, game.low[first])
            key = U(brick) * U(0x9E3779B97F4A7C15) + U(4 * depth - options[PART]) * U(0xD6E8FEB86659FD93)
            if sources > 0 and new_try(atlas, workspace, key, sources):
                state = digging.dig(game, workspace, site, sources, options[STATES_EACH])
                for move in (digging.LEFT, digging.RIGHT, digging.DOWN):
                    there = exit_of(game, brick, move)
                    if state >= 0 and there >= 0 and not atlas.reach[there]:
                        source, end = write_path(game, workspace, atlas, state, move)
                        if source >= 0:
                            link(game, atlas, source, end)
                            spread(game, atlas, end)
                            found += 1
            mark(game, workspace, site, False)
    return found


@kernel
def explore(game, workspace, atlas, start, options):
    """Adds jumps into bricks and out of them again, from all parts that can be reached; how many."""
    judge.judge_from(game, start)
    for i in range(len(atlas.done)):
        atlas.done[i] = 0
    found = 0
    end = workspace.tally[digging.STATES] + options[STATES_ALL]
    for at in range((game.height + 1) * (game.width + 2)):
        if game.number[at] != judge.FINISHED or atlas.done[game.low[at]]:
            continue
        if not judge.standing(game.tile, at, game.width + 2):
            continue
        atlas.done[game.low[at]] = 1
        found += explore_part(game, workspace, atlas, at, options)
        if workspace.tally[digging.STATES] >= end:
            break
    return found


@kernel
def most_gold(game, start):
    """Returns the gold that one walk collects from a start, over steps and jumps."""
    judge.judge_from(game, start)
    return np.int64(game.most[start])


# --------------------------------------------------------------------------------------------- trips to gold


@kernel
def fetch(game, workspace, atlas, site, spot, limit):
    """Looks for a trip to the gold of a site and adds it as a jump to a spare cell and on from there.

    The workspace knows bricks, field, good ends; its sources are listed up to -1.
    """
    sources = 0
    while workspace.sources[sources] >= 0:
        sources += 1
    state = digging.dig(game, workspace, site, sources, limit)
    if state < 0:
        return False
    source, end = write_path(game, workspace, atlas, state, -1)
    if source < 0:
        return False
    link(game, atlas, source, spot)
    jump = atlas.used[JUMPS]
    for i in range(NEEDS):
        atlas.need[jump, i] = -1
    atlas.jump[jump, TO], atlas.jump[jump, BEGIN] = end, atlas.used[LETTERS]
    atlas.jump[jump, LENGTH] = atlas.jump[jump, TICKS] = 0
    link(game, atlas, spot, end)
    return True
