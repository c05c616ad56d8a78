"""What a level asks to be dug: gold beyond walks that dig nothing, or one hole at a time, and bricks on ways.

Each answer is of a board that was judged, from the start that it was judged from. It takes the workspace of
that board with other rules, so that afterwards nothing in it but the answer and the counts of tiles is right.
"""

from __future__ import annotations

import numpy as np

from levelsmith.games.loderunner.judge.kernels import judge
from levelsmith.kernels.compile import part

DIG_GOLD, TIMED_GOLD, LAYERS = range(3)


@part
def ruled(game, rules):
    """Returns the same board under other rules."""
    return judge.CompiledLodeRunner(
        game.height,
        game.width,
        rules,
        game.tile,
        game.open,
        game.worth,
        game.number,
        game.low,
        game.most,
        game.left,
        game.path,
        game.waiting,
        game.step,
        game.first,
        game.turn,
        game.jumps,
        game.seen,
        game.counts,
        game.found,
    )


@part
def open_up(game, start):
    """Opens what the rules of a board let a runner into, from a start."""
    for at in range((game.height + 2) * (game.width + 2)):
        kind = game.tile[at]
        game.open[at] = not judge.hard(kind) and kind != judge.TRAP
    if game.rules == judge.RELAXED:
        judge.tighten(game, start)


@part
def collected(game, start):
    """Returns the most gold that one walk collects under the rules of a board."""
    open_up(game, start)
    judge.forget(game)
    judge.walk(game, start)
    return np.int64(game.most[start])


@part
def layers(game, start):
    """Returns the bricks on the way to the piece of gold that has most of them, each by the way with fewest.

    A cell's `number` is one more than the bricks on the way to it.
    """
    judge.forget(game)
    most, begun, waiting = np.int64(0), 1, 0
    game.path[0] = start
    game.number[start] = 1
    bricks = 0
    while begun > 0:
        done = 0
        while done < begun:
            at = np.int64(game.path[done])
            done += 1
            if game.worth[at] != 0:
                most = np.int64(bricks)
            bits = judge.ways(game, at)
            for move in range(judge.JUMP):
                there = at + game.step[move]
                if (bits >> move) & 1 == 0 or game.number[there] != 0:
                    continue
                game.number[there] = bricks + 1
                if game.tile[there] == judge.BRICK:
                    game.waiting[waiting] = there
                    waiting += 1
                else:
                    game.path[begun] = there
                    begun += 1
        for i in range(waiting):
            game.path[i] = game.waiting[i]
        begun, waiting = waiting, 0
        bricks += 1
    return most


@part
def needed(game, k):
    """Returns an answer of the board that was judged: gold that takes a dig, or timed digs, or layers."""
    start = np.int64(game.found[judge.SPAWN])
    if start < 0:
        return np.int64(0)
    relaxed = ruled(game, judge.RELAXED)
    all_gold = collected(relaxed, start)
    if k == LAYERS:
        return layers(relaxed, start)
    less = ruled(game, judge.NO_DIG if k == DIG_GOLD else judge.DIG)
    return max(np.int64(0), all_gold - collected(less, start))
