"""The game with guards that chase, a tick at a time: the rules of `rules/game.py`, compiled."""

from __future__ import annotations

import numpy as np

from levelsmith.games.loderunner.game.kernels.guards import move_guards
from levelsmith.games.loderunner.game.kernels.men import (
    ALIVE,
    AT,
    BORN_TICKS,
    BRICK,
    CANCELLED,
    CATCH_X,
    CATCH_Y,
    CELL_HEIGHT,
    CELL_WIDTH,
    CLIMB,
    COUNT,
    COUNTS,
    DEAD,
    DIG_AT,
    DIG_LEFT,
    DIG_RIGHT,
    DIG_TICKS,
    DOWN,
    DX,
    DY,
    EMPTY,
    FALLING,
    FILLS,
    FRAME,
    FREE,
    GOLD,
    GUARD,
    HOLE,
    HOLE_AT,
    HOLES,
    KEY,
    LADDER,
    LEFT,
    LEFT_GOLD,
    MAN,
    MODE,
    NO_KEY,
    OPEN_TICKS,
    PLAYING,
    REBORN,
    RIGHT,
    ROPE,
    RUNNER,
    TICK,
    TOUCH_Y,
    TRAP,
    UP,
    WAIT,
    WON,
    count_gold_out,
    fall,
    falls,
    guard_at,
    is_hard,
    leave,
    look_again,
    pace,
    put_now,
    put_tile,
    show_ladders,
    touches_gold,
    without_men,
)
from levelsmith.kernels.compile import kernel, part

# ------------------------------------------------------------------------------------------------- the runner


@part
def begin_dig(game, man, side):
    beside = man[AT] + side
    brick = beside + game.width + 2
    if game.now[beside] == EMPTY and game.tile[beside] != GOLD and game.now[brick] == BRICK:
        man[DY] = 0
        man[DX] = 0
        game.counts[DIG_AT] = brick
        game.counts[FRAME] = 0


@part
def digs_on(game):
    """Goes on with a dig; returns whether there is one that a guard does not stop."""
    brick = game.counts[DIG_AT]
    if brick == 0:
        return False
    above = brick - game.width - 2
    if game.now[above] == GUARD:
        if game.counts[FRAME] < CANCELLED and game.men[guard_at(game, above), DY] > -TOUCH_Y:
            put_now(game, brick, BRICK)
            game.counts[DIG_AT] = 0
            return False
        put_now(game, brick, EMPTY)
    game.counts[FRAME] += 1
    if game.counts[FRAME] == DIG_TICKS:
        game.counts[DIG_AT] = 0
        if game.now[brick] == BRICK:
            put_now(game, brick, EMPTY)
        last = game.counts[HOLES]
        game.holes[last, HOLE_AT] = brick
        game.holes[last, FILLS] = game.counts[TICK] + OPEN_TICKS
        game.counts[HOLES] += 1
    return True


@part
def obey(game, man):
    """Does what the key says; returns whether the runner lets himself fall from a rope."""
    key, at, stride = game.counts[KEY], man[AT], game.width + 2
    if key in (DIG_LEFT, DIG_RIGHT):
        game.counts[KEY] = NO_KEY
        begin_dig(game, man, -1 if key == DIG_LEFT else 1)
    elif key in (LEFT, RIGHT):
        side = -1 if key == LEFT else 1
        beside = game.now[at + side]
        pace(game, man, 0, side, is_hard(beside) or beside == TRAP)
    elif key == UP:
        on_ladder = game.tile[at] == LADDER
        if on_ladder or (man[DY] > 0 and game.tile[at + stride] == LADDER):
            above = game.now[at - stride]
            stops = not on_ladder and 0 < man[DY] < TOUCH_Y
            pace(game, man, -1, 0, stops or is_hard(above) or above == TRAP)
    elif key == DOWN:
        below = game.now[at + stride]
        lets_go = game.tile[at] == ROPE and man[DY] >= 0 and below != LADDER and below != GUARD
        return pace(game, man, 1, 0, is_hard(below)) and lets_go
    return False


@part
def near(game, there, vertical, horizontal):
    """Returns whether the guard in a neighbouring cell, so far away, catches the runner."""
    guard, man = game.men[guard_at(game, there)], game.men[0]
    vertical += guard[DY] - man[DY]
    horizontal += guard[DX] - man[DX]
    return abs(vertical) <= CATCH_Y and abs(horizontal) <= CATCH_X and guard[MODE] != REBORN


@part
def is_caught(game):
    """Looks at the first neighbouring cell with a guard, and at no other."""
    at, stride = game.men[0, AT], game.width + 2
    there, vertical, horizontal = np.int64(0), 0, 0
    if game.now[at - stride] == GUARD:
        there, vertical = np.int64(at - stride), -CELL_HEIGHT
    elif game.now[at + stride] == GUARD:
        there, vertical = np.int64(at + stride), CELL_HEIGHT
    elif game.now[at - 1] == GUARD:
        there, horizontal = np.int64(at - 1), -CELL_WIDTH
    elif game.now[at + 1] == GUARD:
        there, horizontal = np.int64(at + 1), CELL_WIDTH
    return there != 0 and near(game, there, vertical, horizontal)


@part
def move_runner(game):
    man = game.men[0]
    before = man[AT]
    if falls(game, man):
        fell = True
        game.counts[FALLING] = not fall(game, man)
    else:
        fell = obey(game, man)
        game.counts[FALLING] = fell
    below = man[AT] + game.width + 2
    if fell and game.now[below] == GUARD:
        man[DY] = min(man[DY], game.men[guard_at(game, below), DY])
    if man[AT] != before:
        leave(game, before)
        if game.now[man[AT]] == GUARD and game.men[guard_at(game, man[AT]), MODE] != REBORN:
            game.counts[ALIVE] = 0
    put_now(game, man[AT], RUNNER)
    if touches_gold(game, man):
        put_tile(game, man[AT], EMPTY)
        count_gold_out(game)
    if is_caught(game):
        game.counts[ALIVE] = 0


# ----------------------------------------------------------------------------------------------------- clocks


@part
def bear_again(game, man):
    """Puts a guard who was killed into the first free cell from the top."""
    if man[COUNT] > 0:
        count_gold_out(game)
    stride, first = game.width + 2, game.counts[TICK] % game.width
    at = stride + 1 + first  # the last resort
    for i in range((game.height - 1) * game.width):
        there = (2 + i // game.width) * stride + 1 + (first + i % game.width) % game.width
        if game.now[there] == EMPTY and game.tile[there] != GOLD and game.tile[there] != BRICK:
            at = there
            break
    man[AT] = at
    man[DY] = 0
    man[DX] = 0
    man[COUNT] = 0
    man[MODE] = REBORN
    man[WAIT] = BORN_TICKS + 1  # it goes down in this tick
    put_now(game, at, GUARD)


@part
def age(game):
    """Goes on with the clocks of trapped guards, of holes and of births, in that order."""
    for i in range(1, len(game.men)):
        man = game.men[i]
        if man[MODE] == HOLE:
            man[WAIT] -= 1
            if man[WAIT] == 0:
                man[MODE] = CLIMB
    if game.counts[HOLES] and game.holes[0, FILLS] == game.counts[TICK]:  # the oldest fills first
        at = game.holes[0, HOLE_AT]
        game.counts[HOLES] -= 1
        for i in range(game.counts[HOLES]):
            game.holes[i, HOLE_AT] = game.holes[i + 1, HOLE_AT]
            game.holes[i, FILLS] = game.holes[i + 1, FILLS]
        put_now(game, at, BRICK)
        if game.men[0, AT] == at:
            game.counts[ALIVE] = 0
        for i in range(1, len(game.men)):
            if game.men[i, AT] == at:
                bear_again(game, game.men[i])
    for i in range(1, len(game.men)):
        man = game.men[i]
        if man[MODE] == REBORN:
            man[WAIT] -= 1
            if man[WAIT] == 0:
                man[MODE] = FREE
                put_now(game, man[AT], GUARD)
                if man[AT] == game.men[0, AT]:
                    game.counts[ALIVE] = 0


@part
def status(game):
    if game.counts[ALIVE] == 0:
        return np.int64(DEAD)
    out = not game.exit or (game.men[0, AT] < 2 * (game.width + 2) and game.men[0, DY] == 0)
    return np.int64(WON) if game.counts[LEFT_GOLD] == 0 and out else np.int64(PLAYING)


@part
def tick(game, key):
    """Goes on by a tick, with another key unless it is below 0; returns how the game stands."""
    game.counts[TICK] += 1
    if key >= 0:
        game.counts[KEY] = key
    if not digs_on(game):
        move_runner(game)
    if game.counts[ALIVE]:
        move_guards(game)
    age(game)
    return status(game)


@kernel
def begin(game):
    """Takes up the level whose tiles, men among them, stand inside the ring of `tile`."""
    men = 1
    look_again(game)
    for i in range(COUNTS):
        game.counts[i] = 0
    game.counts[ALIVE] = 1
    game.men[0, AT] = 0
    for at in range(len(game.tile)):
        tile = game.tile[at]
        game.now[at] = without_men(tile)
        if tile == GOLD:
            game.counts[LEFT_GOLD] += 1
        elif tile == RUNNER and game.men[0, AT] == 0:
            game.men[0, AT] = at
        elif tile == GUARD:
            for j in range(MAN):
                game.men[men, j] = 0
            game.men[men, AT] = at
            men += 1
        if tile in (RUNNER, GUARD):
            game.tile[at] = np.uint8(EMPTY)
    for j in range(1, MAN):
        game.men[0, j] = 0
    if game.counts[LEFT_GOLD] == 0:
        show_ladders(game)
    return status(game)


@kernel
def run(game, keys):
    """Goes on by a tick for each key, -1 where it stays, until the game is over; returns ticks and status."""
    for i in range(len(keys)):
        stands = tick(game, keys[i])
        if stands != PLAYING:
            return i + 1, stands
    return len(keys), status(game)
