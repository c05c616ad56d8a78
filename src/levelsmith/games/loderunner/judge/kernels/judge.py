"""The compiled judge of Lode Runner: what one walk can collect and reach, in time linear in the cells.

The moves of a rule set make a graph of cells. Its strongly connected parts (Tarjan, 1972) come in reverse
order of walking, so the most gold on a path through them is known as soon as the last part is. Boards have a
border around them, which is as hard as solid cells are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import kernel, part

if TYPE_CHECKING:
    from levelsmith.core import Size

EMPTY, BRICK, SOLID, LADDER, ROPE, GOLD, ENEMY, PLAYER, TRAP, HIDDEN, OUTSIDE = range(11)
NO_DIG, DIG, MMNEAT, PCG_BENCHMARK, RELAXED = range(5)
RULES = ("no-dig", "dig", "mmneat", "pcg-benchmark", "relaxed")

JUMP = 6  # the move that is a jump
FINISHED = -1  # instead of a number: the part of a cell is known
BEST, REACHED, SPAWN, KNOWN = range(4)  # of `found`


class CompiledLodeRunner(NamedTuple):
    """A board of one size under one rule set, with the workspace of its search."""

    height: int
    width: int
    rules: int
    tile: NDArray[np.uint8]  # [height + 2, width + 2, flat] with a border of OUTSIDE
    open: NDArray[np.uint8]  # [same] whether steps lead into a cell; into a trap one falls, no more
    worth: NDArray[np.uint8]  # [same] the gold of a cell
    number: NDArray[np.int32]  # [same] 0, or in which order cells were reached, or FINISHED
    low: NDArray[np.int32]  # [same] the lowest number that a cell leads back to
    most: NDArray[np.int32]  # [same] gold to be collected from a cell on
    left: NDArray[np.uint8]  # [same] a bit for each move not looked at yet
    path: NDArray[np.int32]  # [same] the cells between the start and here
    waiting: NDArray[np.int32]  # [same] reached cells whose part is not known
    step: NDArray[np.int32]  # [6] what each move adds to a cell
    first: NDArray[np.int32]  # [same as tile] the first jump from a cell, or -1
    turn: NDArray[np.int32]  # [same] the next jump to look at
    jumps: NDArray[
        np.int32
    ]  # [jumps, 2] moves besides those of the rules: where to, the next from there or -1
    seen: NDArray[np.uint8]  # [cells] the board of the last answer
    counts: NDArray[np.int64]  # [10] its tiles of each kind
    found: NDArray[
        np.int64
    ]  # [4] the last answer: gold, open cells reached, best start, whether there is one


def make(size: Size, rules: int = DIG, jumps: int = 0, spare: int = 0) -> CompiledLodeRunner:
    """Returns a board with `spare` cells behind it, which only jumps lead to and from."""
    height, width = size
    stride = width + 2
    cells = (height + 2) * stride + spare
    return CompiledLodeRunner(
        height=height,
        width=width,
        rules=rules,
        tile=np.full(cells, OUTSIDE, np.uint8),
        open=np.zeros(cells, np.uint8),
        worth=np.zeros(cells, np.uint8),
        number=np.zeros(cells, np.int32),
        low=np.zeros(cells, np.int32),
        most=np.zeros(cells, np.int32),
        left=np.zeros(cells, np.uint8),
        path=np.zeros(cells, np.int32),
        waiting=np.zeros(cells, np.int32),
        step=np.array([-1, 1, -stride, stride, stride - 1, stride + 1], np.int32),
        first=np.full(cells, -1, np.int32),
        turn=np.full(cells, -1, np.int32),
        jumps=np.zeros((jumps, 2), np.int32),
        seen=np.zeros(height * width, np.uint8),
        counts=np.zeros(OUTSIDE, np.int64),
        found=np.zeros(4, np.int64),
    )


# ------------------------------------------------------------------------------------------------ rule sets


@part
def hard(tile):
    return tile in (BRICK, SOLID, OUTSIDE)


@part
def plain(tile):
    """Ground that is not climbed: gold, enemies and the player lie on it."""
    return tile == EMPTY or GOLD <= tile <= PLAYER


@part
def standing(tile, at, stride):
    """Returns whether the runner does not fall from a cell: ladder or rope, or ground or a ladder below."""
    here, below = tile[at], tile[at + stride]
    return here in (LADDER, ROPE) or below == LADDER or hard(below)


@part
def lets_in(game, at):
    """Returns whether a runner gets into a cell from above."""
    return game.open[at] != 0 or game.tile[at] == TRAP


@part
def sinks(tile, at):
    """Returns whether MM-NEAT lets the runner down into a cell: beside a brick must be something."""
    if tile[at] != BRICK:
        return tile[at] < OUTSIDE and tile[at] != SOLID
    left, right = tile[at - 1], tile[at + 1]
    return BRICK <= left <= ROPE or left == ENEMY or BRICK <= right <= ROPE or right == ENEMY


@part
def ways(game, at):
    """Returns the moves from a cell as bits: left, right, up, down, into a hole dug on the left or right."""
    tile, free, stride = game.tile, game.open, game.width + 2
    found = np.int64(0)
    if at >= (game.height + 2) * stride:
        return found
    if game.rules == MMNEAT:
        found = 8 * np.int64(sinks(tile, at + stride))
    elif not standing(tile, at, stride):
        return np.int64(8)
    if standing(tile, at, stride):
        found |= np.int64(free[at - 1]) | 2 * np.int64(free[at + 1])
    climbs = tile[at] == LADDER
    if climbs:
        found |= 4 * np.int64(free[at - stride])
    if game.rules != MMNEAT and (game.rules != PCG_BENCHMARK or climbs or tile[at] == ROPE):
        found |= 8 * np.int64(lets_in(game, at + stride))
    if game.rules == DIG:
        if tile[at + stride - 1] == BRICK and plain(tile[at - 1]):
            found |= 16
        if tile[at + stride + 1] == BRICK and plain(tile[at + 1]):
            found |= 32
    return found


# ------------------------------------------------------------------------------------------------- the walk


@part
def digger_at(game, at):
    """Returns whether a runner may ever stand in a cell to dig, given the rows above it."""
    return lets_in(game, at) and standing(game.tile, at, game.width + 2)


@part
def loosen(game):
    """Opens all bricks that may ever be dug: from beside, once nothing is above them."""
    stride = game.width + 2
    for row in range(2, game.height + 1):
        for at in range(row * stride + 1, row * stride + 1 + game.width):
            above = at - stride
            if is_bare(game, at) and (digger_at(game, above - 1) or digger_at(game, above + 1)):
                game.open[at] = 1


@part
def is_bare(game, at):
    """Returns whether a cell is a brick that nothing lies on, once what can be dug above it is."""
    above = at - game.width - 2
    bare = plain(game.tile[above]) or (game.tile[above] == BRICK and game.open[above] != 0)
    return game.tile[at] == BRICK and bare


@part
def lay(game, cells):
    """Puts a board inside the border, and counts its tiles."""
    tile, free, stride = game.tile, game.open, game.width + 2
    for kind in range(OUTSIDE):
        game.counts[kind] = 0
    cell = 0
    for row in range(1, game.height + 1):
        at = row * stride
        for _ in range(game.width):
            at += 1
            kind = cells[cell]
            game.seen[cell] = kind
            game.counts[kind] += 1
            tile[at] = kind if kind != HIDDEN else EMPTY  # it comes with the last gold
            game.worth[at] = kind == GOLD
            free[at] = not hard(kind) and kind != TRAP
            cell += 1
    if game.rules == RELAXED:
        loosen(game)


@part
def forget(game):
    for at in range(len(game.number)):
        game.number[at] = 0


@part
def finish_part(game, at, top):
    """Takes the part that a cell closes off the waiting ones; returns how much gold lies ahead of it."""
    gold, ahead = 0, 0
    first = top
    while True:
        first -= 1
        member = game.waiting[first]
        gold += game.worth[member]
        ahead = max(ahead, game.most[member])
        if member == at:
            break
    for i in range(first, top):
        member = game.waiting[i]
        game.number[member] = FINISHED
        game.low[member] = game.low[at]  # from now on the name of the part
        game.most[member] = gold + ahead
    return first


@kernel
def walk(game, start):
    """Reaches all cells that can be reached and were not before; how many of them are open."""
    number, low, most, left, path = game.number, game.low, game.most, game.left, game.path
    reached, depth, top, last = 0, 0, 0, 0
    there = np.int64(start)
    while True:
        if there >= 0:
            last += 1
            number[there] = low[there] = last
            most[there] = 0
            left[there] = ways(game, there)
            if game.first[there] >= 0:
                left[there] |= 1 << JUMP
                game.turn[there] = game.first[there]
            path[depth] = game.waiting[top] = there
            depth += 1
            top += 1
            reached += not hard(game.tile[there])
        at = np.int64(path[depth - 1])
        bits = np.int64(left[at])
        if bits > 0:
            left[at] = bits & (bits - 1)
            move = 0
            while bits & 1 == 0:
                bits >>= 1
                move += 1
            if move == JUMP:
                there = np.int64(game.jumps[game.turn[at], 0])
                game.turn[at] = game.jumps[game.turn[at], 1]
                if game.turn[at] >= 0:
                    left[at] |= 1 << JUMP
            else:
                there = at + game.step[move]
            if number[there] != 0:
                if number[there] == FINISHED:
                    most[at] = max(most[at], most[there])
                else:
                    low[at] = min(low[at], number[there])
                there = np.int64(-1)
            continue
        there = np.int64(-1)
        depth -= 1
        if low[at] == number[at]:
            top = finish_part(game, at, top)
        if depth == 0:
            return reached
        before = np.int64(path[depth - 1])
        if number[at] == FINISHED:
            most[before] = max(most[before], most[at])
        else:
            low[before] = min(low[before], low[at])


@part
def gold_reached(game):
    """Returns the gold that can be reached each by itself."""
    total = 0
    for at in range(len(game.number)):
        if game.number[at] != 0:
            total += game.worth[at]
    return total


@part
def may_start(game, at):
    """Returns whether a player could be put on a cell."""
    tile = game.tile
    return (tile[at] == EMPTY or tile[at] == PLAYER) and standing(tile, at, game.width + 2)


@part
def best_start(game):
    """Returns the first of the cells from which most gold can be collected, or -1 where nobody can stand."""
    best = np.int64(-1)
    most = -1
    alone = game.rules == PCG_BENCHMARK
    forget(game)
    for at in range(len(game.tile)):
        if may_start(game, at):
            if alone:
                forget(game)
            if game.number[at] == 0:
                walk(game, at)
            gold = gold_reached(game) if alone else np.int64(game.most[at])
            if gold > most:
                best, most = np.int64(at), gold
    return best


@part
def reached_digger(game, at):
    """Returns whether a runner gets to a cell and can dig there, after the last walk."""
    return game.number[at] != 0 and standing(game.tile, at, game.width + 2)


@part
def tighten(game, start):
    """Leaves open, of the bricks that may ever be dug, those that can be dug from where a runner gets to from
    a start: at first without any hole, then through the holes dug so far, until there are no more."""
    stride = game.width + 2
    for at in range((game.height + 2) * stride):
        if game.tile[at] == BRICK:
            game.open[at] = 0
    more = True
    while more:
        more = False
        forget(game)
        walk(game, start)
        for row in range(2, game.height + 1):
            for at in range(row * stride + 1, row * stride + 1 + game.width):
                above = at - stride
                beside = reached_digger(game, above - 1) or reached_digger(game, above + 1)
                if beside and game.open[at] == 0 and is_bare(game, at):
                    game.open[at] = 1
                    more = True


@part
def judge_from(game, start):
    """Judges a board from a start, and writes the answer where `metric` finds it."""
    found = game.found
    found[SPAWN] = start
    found[BEST] = found[REACHED] = 0
    if start >= 0:
        forget(game)
        found[REACHED] = walk(game, start)
        found[BEST] = gold_reached(game) if game.rules == PCG_BENCHMARK else game.most[start]


@part
def judge(game, cells):
    """Answers for a board: from its player, or where it has not one, from the best start."""
    found = game.found
    if found[KNOWN]:
        same = True
        for cell in range(len(cells)):
            if cells[cell] != game.seen[cell]:
                same = False
                break
        if same:
            return
    lay(game, cells)
    start = np.int64(-1)
    if game.counts[PLAYER] == 1:
        for at in range(len(game.tile)):
            if game.tile[at] == PLAYER:
                start = np.int64(at)
        if game.rules == RELAXED:
            tighten(game, start)
    else:
        start = best_start(game)
    judge_from(game, start)
    found[KNOWN] = 1


@kernel
def judge_all(game, grids, best, out):
    """Writes what the judge finds on boards `[B, cells]`, from the best start if asked, into `out` `[B, 6]`.

    The columns are gold collectable, open cells reached, the start, and the numbers of gold, players, ground.
    """
    for i in range(len(grids)):
        game.found[KNOWN] = 0
        if best:
            lay(game, grids[i])
            judge_from(game, best_start(game))
        else:
            judge(game, grids[i])
        for k in range(3):
            out[i, k] = game.found[k]
        out[i, 3] = game.counts[GOLD]
        out[i, 4] = game.counts[PLAYER]
        out[i, 5] = game.counts[BRICK] + game.counts[SOLID]
