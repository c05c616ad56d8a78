"""The guards: which way they choose, how they move, what they carry."""

from __future__ import annotations

import numpy as np

from levelsmith.games.loderunner.game.kernels.men import (
    ALIVE,
    AT,
    BEST_WAY,
    BRICK,
    CARRIED,
    CARRIED_MORE,
    CHANGES,
    CLIMB,
    CLIMB_PACE,
    COUNT,
    DOWN,
    DX,
    DY,
    EMPTY,
    FALLING,
    FREE,
    GOAL,
    GOLD,
    GUARD,
    HIDDEN,
    HOLE,
    LADDER,
    LEFT,
    MODE,
    NO_KEY,
    PIT,
    RIGHT,
    RING,
    ROPE,
    RUNNER,
    TICK,
    TOWARDS,
    TRAP,
    TRAPPED_TICKS,
    TURN,
    UP,
    WAIT,
    count_gold_out,
    fall,
    falls,
    is_floor,
    is_hard,
    leave,
    pace,
    put_now,
    put_tile,
    row_of,
    touches_gold,
)
from levelsmith.kernels.compile import part

NO_WAY = -1
ABOVE, BELOW, NOTHING_SEEN = 100, 200, 1 << 20  # values of where a look ends, if not in the runner's row


@part
def has_side_exit(game, at):
    for side in (-1, 1):
        there = at + side
        carries = is_floor(game.tile[there + game.width + 2]) or game.tile[there] == ROPE
        if carries and game.tile[there] != RING:
            return True
    return False


@part
def look_down(game, at, row, wanted):
    """Returns the row where a look down ends, or NO_WAY where there is none."""
    stride = game.width + 2
    if is_hard(game.tile[at + stride]):
        return np.int64(NO_WAY)
    while True:
        tile = game.tile[at]
        if row >= wanted and tile != EMPTY and tile != HIDDEN and has_side_exit(game, at):
            break
        if is_hard(game.tile[at + stride]):
            break
        row += 1
        at += stride
    return row


@part
def look_up(game, at, row, wanted):
    stride = game.width + 2
    if game.tile[at] != LADDER:
        return np.int64(NO_WAY)
    while row > 1 and game.tile[at] == LADDER:
        row -= 1
        at -= stride
        if row <= wanted and has_side_exit(game, at):
            break
    return row


@part
def value_of(end, wanted, distance):
    """Returns what a look that ends in a row is worth, the less the better; from so far away."""
    if end == NO_WAY:
        return np.int64(NOTHING_SEEN)
    if end < wanted:
        return np.int64(ABOVE + wanted - end)
    return np.int64(BELOW + end - wanted) if end > wanted else np.int64(distance)


@part
def floor_goes_on(game, at):
    now = game.now[at]
    return now in (LADDER, ROPE) or is_floor(game.tile[at + game.width + 2])


@part
def scan(game, guard, row, wanted):
    """Notes the way to the best of what a guard sees from his floor, as a key, or NO_KEY, and where it is."""
    at, stride = np.int64(game.men[guard, AT]), game.width + 2
    way, best, goal = np.int64(NO_KEY), np.int64(NOTHING_SEEN), at
    down = value_of(look_down(game, at, row, wanted), wanted, 0)
    up = value_of(look_up(game, at, row, wanted), wanted, 0)
    if min(down, up) < best:
        way, best = np.int64(DOWN) if down <= up else np.int64(UP), min(down, up)
    for side in (-1, 1):
        there, away = at, 1
        while away < best and not is_hard(game.now[there + side]):  # else the runner's row is nearer by
            there += side
            away += 1
            if is_hard(game.tile[there + stride]) and game.tile[there] != LADDER:
                continue  # nothing leads up or down, and the floor goes on
            down = value_of(look_down(game, there, row, wanted), wanted, away - 1)
            up = value_of(look_up(game, there, row, wanted), wanted, away - 1)
            if min(down, up) < best:
                way, best = np.int64(LEFT if side < 0 else RIGHT), min(down, up)
                goal = there
            if not floor_goes_on(game, there):
                break
    glance = game.glances[guard]
    glance[BEST_WAY], glance[GOAL] = way, goal


@part
def walks_through(game, here, there):
    """Returns whether there is footing from one cell to the one before another in its row."""
    stride = game.width + 2
    step = 1 if there > here else -1
    while here != there:
        tile, below = game.tile[here], game.tile[here + stride]
        footing = tile in (LADDER, ROPE) or is_floor(below) or below in (ROPE, GOLD)
        if not footing and game.now[here + stride] != GUARD:
            return False
        here += step
    return True


@part
def choice(game, guard):
    """Returns which way a guard goes, as a key; he looks around only where something may have changed."""
    man, runner = game.men[guard], game.men[0]
    row, wanted = row_of(game, guard), row_of(game, 0)
    if row == wanted and game.counts[FALLING] == 0 and walks_through(game, man[AT], runner[AT]):
        same = man[AT] == runner[AT]
        if (man[DX] < runner[DX]) if same else (man[AT] < runner[AT]):
            return np.int64(RIGHT)
        return np.int64(LEFT)
    glance, changes = game.glances[guard], game.glances[0, CHANGES]
    if glance[CHANGES] != changes or glance[TOWARDS] != wanted:
        scan(game, guard, row, wanted)
        glance[CHANGES], glance[TOWARDS] = changes, wanted
    return np.int64(glance[BEST_WAY])


# ----------------------------------------------------------------------------------------------------- guards


@part
def walk(game, man, way):
    """Makes a pace unless something is in the way; returns whether it passed or reached a middle."""
    stride = game.width + 2
    if way in (UP, DOWN):
        down = -1 if way == UP else 1
        there = game.now[man[AT] + down * stride]
        blocked = is_hard(there) or there == GUARD or (way == UP and there == TRAP)
        if not pace(game, man, down, 0, blocked):
            return False
        return -CLIMB_PACE < man[DY] <= 0 if way == UP else 0 <= man[DY] < CLIMB_PACE
    side = -1 if way == LEFT else 1
    there = game.now[man[AT] + side]
    blocked = is_hard(there) or there == GUARD or game.tile[man[AT] + side] == TRAP
    return pace(game, man, 0, side, blocked) and man[DX] == 0


@part
def guard_falls(game, man):
    """Makes a pace down, into a hole too; returns whether it passed or reached a middle."""
    if man[DY] < 0 and game.tile[man[AT]] == BRICK:
        if man[COUNT] > 0:  # laid above the hole, or lost
            man[COUNT] = 0
            above = man[AT] - game.width - 2
            if game.tile[above] == EMPTY:
                put_tile(game, above, GOLD)
            else:
                count_gold_out(game)
        pace(game, man, 1, 0, True)
        if man[DY] == 0:
            man[MODE] = HOLE
            man[PIT] = man[AT]
            man[WAIT] = TRAPPED_TICKS + 1  # it goes down in this tick
            man[COUNT] = 0
        return False
    return not fall(game, man) and 0 <= man[DY] < CLIMB_PACE


@part
def carry(game, man):
    """Counts a middle of a cell that a guard passed with gold, and lays it down after the last."""
    if man[COUNT] == 1:
        at = man[AT]
        if game.tile[at] == EMPTY and is_floor(game.tile[at + game.width + 2]):
            put_tile(game, at, GOLD)
            man[COUNT] = -1
    elif man[COUNT] > 0:
        man[COUNT] -= 1
    elif man[COUNT] < 0:
        man[COUNT] = 0


@part
def move_guard(game, guard):
    man = game.men[guard]
    before, passed, stride = man[AT], False, game.width + 2
    if man[MODE] == FREE and falls(game, man):
        passed = guard_falls(game, man)
    else:
        way = np.int64(UP)
        if man[MODE] == FREE or man[AT] // stride != man[PIT] // stride:
            way = choice(game, guard)
            if man[MODE] == CLIMB and (way == NO_KEY or man[AT] % stride != man[PIT] % stride):
                man[MODE] = FREE
        if way != NO_KEY:
            passed = walk(game, man, way)
    if man[AT] != before:
        leave(game, before)
        if game.now[man[AT]] == RUNNER:
            game.counts[ALIVE] = 0
    put_now(game, man[AT], GUARD)
    if passed:
        carry(game, man)
    if man[COUNT] == 0 and touches_gold(game, man):
        put_tile(game, man[AT], EMPTY)
        man[COUNT] = CARRIED + game.counts[TICK] % CARRIED_MORE


@part
def moves_in_turn(guards, phase):
    """Returns how many guards move in a tick: one more than there are, in three ticks."""
    if guards == 1:
        return phase % 2
    if guards == 3:
        return 2 if phase % 3 == 1 else 1
    least, more = (guards + 1) // 3, (guards + 1) % 3
    return least + (1 if phase % 3 >= 3 - more else 0)


@part
def move_guards(game):
    guards = len(game.men) - 1
    if guards == 0:
        return
    for _ in range(moves_in_turn(guards, game.counts[TICK])):
        turn = game.counts[TURN] + 1
        game.counts[TURN] = turn if turn < guards else 0
        guard = 1 + game.counts[TURN]
        if game.men[guard, MODE] == FREE or game.men[guard, MODE] == CLIMB:
            move_guard(game, guard)
