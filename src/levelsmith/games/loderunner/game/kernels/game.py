"""The game with guards that chase, a tick at a time: the rules of `rules/game.py`, compiled."""

from __future__ import annotations

import numpy as np

from levelsmith.games.loderunner.game.kernels import men
from levelsmith.games.loderunner.game.kernels.guards import move_guards
from levelsmith.kernels.compile import kernel, part

# ------------------------------------------------------------------------------------------------- the runner


@part
def begin_dig(game, man, side):
    beside = man[men.AT] + side
    brick = beside + game.width + 2
    if game.now[beside] == men.EMPTY and game.tile[beside] != men.GOLD and game.now[brick] == men.BRICK:
        man[men.DY] = 0
        man[men.DX] = 0
        game.counts[men.DIG_AT] = brick
        game.counts[men.FRAME] = 0


@part
def digs_on(game):
    """Goes on with a dig; returns whether there is one that a guard does not stop."""
    brick = game.counts[men.DIG_AT]
    if brick == 0:
        return False
    above = brick - game.width - 2
    if game.now[above] == men.GUARD:
        if (
            game.counts[men.FRAME] < men.CANCELLED
            and game.men[men.guard_at(game, above), men.DY] > -men.TOUCH_Y
        ):
            men.put_now(game, brick, men.BRICK)
            game.counts[men.DIG_AT] = 0
            return False
        men.put_now(game, brick, men.EMPTY)
    game.counts[men.FRAME] += 1
    if game.counts[men.FRAME] == men.DIG_TICKS:
        game.counts[men.DIG_AT] = 0
        if game.now[brick] == men.BRICK:
            men.put_now(game, brick, men.EMPTY)
        last = game.counts[men.HOLES]
        game.holes[last, men.HOLE_AT] = brick
        game.holes[last, men.FILLS] = game.counts[men.TICK] + men.OPEN_TICKS
        game.counts[men.HOLES] += 1
    return True


@part
def obey(game, man):
    """Does what the key says; returns whether the runner lets himself fall from a rope."""
    key, at, stride = game.counts[men.KEY], man[men.AT], game.width + 2
    if key in (men.DIG_LEFT, men.DIG_RIGHT):
        game.counts[men.KEY] = men.NO_KEY
        begin_dig(game, man, -1 if key == men.DIG_LEFT else 1)
    elif key in (men.LEFT, men.RIGHT):
        side = -1 if key == men.LEFT else 1
        beside = game.now[at + side]
        men.pace(game, man, 0, side, men.is_hard(beside) or beside == men.TRAP)
    elif key == men.UP:
        on_ladder = game.tile[at] == men.LADDER
        if on_ladder or (man[men.DY] > 0 and game.tile[at + stride] == men.LADDER):
            above = game.now[at - stride]
            stops = not on_ladder and 0 < man[men.DY] < men.TOUCH_Y
            men.pace(game, man, -1, 0, stops or men.is_hard(above) or above == men.TRAP)
    elif key == men.DOWN:
        below = game.now[at + stride]
        lets_go = (
            game.tile[at] == men.ROPE and man[men.DY] >= 0 and below != men.LADDER and below != men.GUARD
        )
        return men.pace(game, man, 1, 0, men.is_hard(below)) and lets_go
    return False


@part
def near(game, there, vertical, horizontal):
    """Returns whether the guard in a neighbouring cell, so far away, catches the runner."""
    guard, man = game.men[men.guard_at(game, there)], game.men[0]
    vertical += guard[men.DY] - man[men.DY]
    horizontal += guard[men.DX] - man[men.DX]
    return abs(vertical) <= men.CATCH_Y and abs(horizontal) <= men.CATCH_X and guard[men.MODE] != men.REBORN


@part
def is_caught(game):
    """Looks at the first neighbouring cell with a guard, and at no other."""
    at, stride = game.men[0, men.AT], game.width + 2
    there, vertical, horizontal = np.int64(0), 0, 0
    if game.now[at - stride] == men.GUARD:
        there, vertical = np.int64(at - stride), -men.CELL_HEIGHT
    elif game.now[at + stride] == men.GUARD:
        there, vertical = np.int64(at + stride), men.CELL_HEIGHT
    elif game.now[at - 1] == men.GUARD:
        there, horizontal = np.int64(at - 1), -men.CELL_WIDTH
    elif game.now[at + 1] == men.GUARD:
        there, horizontal = np.int64(at + 1), men.CELL_WIDTH
    return there != 0 and near(game, there, vertical, horizontal)


@part
def move_runner(game):
    man = game.men[0]
    before = man[men.AT]
    if men.falls(game, man):
        fell = True
        game.counts[men.FALLING] = not men.fall(game, man)
    else:
        fell = obey(game, man)
        game.counts[men.FALLING] = fell
    below = man[men.AT] + game.width + 2
    if fell and game.now[below] == men.GUARD:
        man[men.DY] = min(man[men.DY], game.men[men.guard_at(game, below), men.DY])
    if man[men.AT] != before:
        men.leave(game, before)
        if (
            game.now[man[men.AT]] == men.GUARD
            and game.men[men.guard_at(game, man[men.AT]), men.MODE] != men.REBORN
        ):
            game.counts[men.ALIVE] = 0
    men.put_now(game, man[men.AT], men.RUNNER)
    if men.touches_gold(game, man):
        men.put_tile(game, man[men.AT], men.EMPTY)
        men.count_gold_out(game)
    if is_caught(game):
        game.counts[men.ALIVE] = 0


# ----------------------------------------------------------------------------------------------------- clocks


@part
def bear_again(game, man):
    """Puts a guard who was killed into the first free cell from the top."""
    if man[men.COUNT] > 0:
        men.count_gold_out(game)
    stride, first = game.width + 2, men.drawn(game, game.width)
    at = stride + 1 + first  # the last resort
    for i in range((game.height - 1) * game.width):
        there = (2 + i // game.width) * stride + 1 + (first + i % game.width) % game.width
        if game.now[there] == men.EMPTY and game.tile[there] != men.GOLD and game.tile[there] != men.BRICK:
            at = there
            break
    man[men.AT] = at
    man[men.DY] = 0
    man[men.DX] = 0
    man[men.COUNT] = 0
    man[men.MODE] = men.REBORN
    man[men.WAIT] = men.BORN_TICKS + 1  # it goes down in this tick
    men.put_now(game, at, men.GUARD)


@part
def age(game):
    """Goes on with the clocks of trapped guards, of holes and of births, in that order."""
    for i in range(1, len(game.men)):
        man = game.men[i]
        if man[men.MODE] == men.HOLE:
            man[men.WAIT] -= 1
            if man[men.WAIT] == 0:
                man[men.MODE] = men.CLIMB
    if game.counts[men.HOLES] and game.holes[0, men.FILLS] == game.counts[men.TICK]:  # the oldest fills first
        at = game.holes[0, men.HOLE_AT]
        game.counts[men.HOLES] -= 1
        for i in range(game.counts[men.HOLES]):
            game.holes[i, men.HOLE_AT] = game.holes[i + 1, men.HOLE_AT]
            game.holes[i, men.FILLS] = game.holes[i + 1, men.FILLS]
        men.put_now(game, at, men.BRICK)
        if game.men[0, men.AT] == at:
            game.counts[men.ALIVE] = 0
        for i in range(1, len(game.men)):
            if game.men[i, men.AT] == at:
                bear_again(game, game.men[i])
    for i in range(1, len(game.men)):
        man = game.men[i]
        if man[men.MODE] == men.REBORN:
            man[men.WAIT] -= 1
            if man[men.WAIT] == 0:
                man[men.MODE] = men.FREE
                men.put_now(game, man[men.AT], men.GUARD)
                if man[men.AT] == game.men[0, men.AT]:
                    game.counts[men.ALIVE] = 0


@part
def status(game):
    if game.counts[men.ALIVE] == 0:
        return np.int64(men.DEAD)
    out = not game.exit or (game.men[0, men.AT] < 2 * (game.width + 2) and game.men[0, men.DY] == 0)
    return np.int64(men.WON) if game.counts[men.LEFT_GOLD] == 0 and out else np.int64(men.PLAYING)


@part
def tick(game, key):
    """Goes on by a tick, with another key unless it is below 0; returns how the game stands."""
    game.counts[men.TICK] += 1
    if key >= 0:
        game.counts[men.KEY] = key
    if not digs_on(game):
        move_runner(game)
    if game.counts[men.ALIVE]:
        move_guards(game)
    age(game)
    return status(game)


@kernel
def begin(game):
    """Takes up the level whose tiles, men among them, stand inside the ring of `tile`."""
    placed = 1
    men.look_again(game)
    for i in range(men.COUNTS):
        game.counts[i] = 0
    game.counts[men.ALIVE] = 1
    game.men[0, men.AT] = 0
    for at in range(len(game.tile)):
        tile = game.tile[at]
        game.now[at] = men.without_men(tile)
        if tile == men.GOLD:
            game.counts[men.LEFT_GOLD] += 1
        elif tile == men.RUNNER and game.men[0, men.AT] == 0:
            game.men[0, men.AT] = at
        elif tile == men.GUARD:
            for j in range(men.MAN):
                game.men[placed, j] = 0
            game.men[placed, men.AT] = at
            placed += 1
        if tile in (men.RUNNER, men.GUARD):
            game.tile[at] = np.uint8(men.EMPTY)
    for j in range(1, men.MAN):
        game.men[0, j] = 0
    if game.counts[men.LEFT_GOLD] == 0:
        men.show_ladders(game)
    return status(game)


@kernel
def run(game, keys):
    """Goes on by a tick for each key, -1 where it stays, until the game is over; returns ticks and status."""
    for i in range(len(keys)):
        stands = tick(game, keys[i])
        if stands != men.PLAYING:
            return i + 1, stands
    return len(keys), status(game)
