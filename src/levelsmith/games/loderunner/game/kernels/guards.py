"""The guards: which way they choose, how they move, what they carry."""

from __future__ import annotations

import numpy as np

from levelsmith.games.loderunner.game.kernels import men
from levelsmith.kernels.compile import part

NO_WAY = -1
ABOVE, BELOW, NOTHING_SEEN = 100, 200, 1 << 20  # values of where a look ends, if not in the runner's row


@part
def has_side_exit(game, at):
    for side in (-1, 1):
        there = at + side
        carries = men.is_floor(game.tile[there + game.width + 2]) or game.tile[there] == men.ROPE
        if carries and game.tile[there] != men.RING:
            return True
    return False


@part
def look_down(game, at, row, wanted):
    """Returns the row where a look down ends, or NO_WAY where there is none."""
    stride = game.width + 2
    if men.is_hard(game.tile[at + stride]):
        return np.int64(NO_WAY)
    while True:
        tile = game.tile[at]
        if row >= wanted and tile != men.EMPTY and tile != men.HIDDEN and has_side_exit(game, at):
            break
        if men.is_hard(game.tile[at + stride]):
            break
        row += 1
        at += stride
    return row


@part
def look_up(game, at, row, wanted):
    stride = game.width + 2
    if game.tile[at] != men.LADDER:
        return np.int64(NO_WAY)
    while row > 1 and game.tile[at] == men.LADDER:
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
    return now in (men.LADDER, men.ROPE) or men.is_floor(game.tile[at + game.width + 2])


@part
def scan(game, guard, row, wanted):
    """Notes the way to the best of what a guard sees from his floor, as a key, or NO_KEY, and where it is."""
    at, stride = np.int64(game.men[guard, men.AT]), game.width + 2
    way, best, goal = np.int64(men.NO_KEY), np.int64(NOTHING_SEEN), at
    down = value_of(look_down(game, at, row, wanted), wanted, 0)
    up = value_of(look_up(game, at, row, wanted), wanted, 0)
    if min(down, up) < best:
        way, best = np.int64(men.DOWN) if down <= up else np.int64(men.UP), min(down, up)
    for side in (-1, 1):
        there, away = at, 1
        while away < best and not men.is_hard(game.now[there + side]):  # else the runner's row is nearer by
            there += side
            away += 1
            if men.is_hard(game.tile[there + stride]) and game.tile[there] != men.LADDER:
                continue  # nothing leads up or down, and the floor goes on
            down = value_of(look_down(game, there, row, wanted), wanted, away - 1)
            up = value_of(look_up(game, there, row, wanted), wanted, away - 1)
            if min(down, up) < best:
                way, best = np.int64(men.LEFT if side < 0 else men.RIGHT), min(down, up)
                goal = there
            if not floor_goes_on(game, there):
                break
    glance = game.glances[guard]
    glance[men.BEST_WAY], glance[men.GOAL] = way, goal


@part
def walks_through(game, here, there):
    """Returns whether there is footing from one cell to the one before another in its row."""
    stride = game.width + 2
    step = 1 if there > here else -1
    while here != there:
        tile, below = game.tile[here], game.tile[here + stride]
        footing = tile in (men.LADDER, men.ROPE) or men.is_floor(below) or below in (men.ROPE, men.GOLD)
        if not footing and game.now[here + stride] != men.GUARD:
            return False
        here += step
    return True


@part
def choice(game, guard):
    """Returns which way a guard goes, as a key; he looks around only where something may have changed."""
    man, runner = game.men[guard], game.men[0]
    row, wanted = men.row_of(game, guard), men.row_of(game, 0)
    if row == wanted and game.counts[men.FALLING] == 0 and walks_through(game, man[men.AT], runner[men.AT]):
        same = man[men.AT] == runner[men.AT]
        if (man[men.DX] < runner[men.DX]) if same else (man[men.AT] < runner[men.AT]):
            return np.int64(men.RIGHT)
        return np.int64(men.LEFT)
    glance, changes = game.glances[guard], game.glances[0, men.CHANGES]
    if glance[men.CHANGES] != changes or glance[men.TOWARDS] != wanted:
        scan(game, guard, row, wanted)
        glance[men.CHANGES], glance[men.TOWARDS] = changes, wanted
    return np.int64(glance[men.BEST_WAY])


# ----------------------------------------------------------------------------------------------------- guards


@part
def walk(game, man, way):
    """Makes a pace unless something is in the way; returns whether it passed or reached a middle."""
    stride = game.width + 2
    if way in (men.UP, men.DOWN):
        down = -1 if way == men.UP else 1
        there = game.now[man[men.AT] + down * stride]
        blocked = men.is_hard(there) or there == men.GUARD or (way == men.UP and there == men.TRAP)
        if not men.pace(game, man, down, 0, blocked):
            return False
        return -men.CLIMB_PACE < man[men.DY] <= 0 if way == men.UP else 0 <= man[men.DY] < men.CLIMB_PACE
    side = -1 if way == men.LEFT else 1
    there = game.now[man[men.AT] + side]
    blocked = men.is_hard(there) or there == men.GUARD or game.tile[man[men.AT] + side] == men.TRAP
    return men.pace(game, man, 0, side, blocked) and man[men.DX] == 0


@part
def guard_falls(game, man):
    """Makes a pace down, into a hole too; returns whether it passed or reached a middle."""
    if man[men.DY] < 0 and game.tile[man[men.AT]] == men.BRICK:
        if man[men.COUNT] > 0:  # laid above the hole, or lost
            man[men.COUNT] = 0
            above = man[men.AT] - game.width - 2
            if game.tile[above] == men.EMPTY:
                men.put_tile(game, above, men.GOLD)
            else:
                men.count_gold_out(game)
        men.pace(game, man, 1, 0, True)
        if man[men.DY] == 0:
            man[men.MODE] = men.HOLE
            man[men.PIT] = man[men.AT]
            man[men.WAIT] = men.TRAPPED_TICKS + 1  # it goes down in this tick
            man[men.COUNT] = 0
        return False
    return not men.fall(game, man) and 0 <= man[men.DY] < men.CLIMB_PACE


@part
def carry(game, man):
    """Counts a middle of a cell that a guard passed with gold, and lays it down after the last."""
    if man[men.COUNT] == 1:
        at = man[men.AT]
        if game.tile[at] == men.EMPTY and men.is_floor(game.tile[at + game.width + 2]):
            men.put_tile(game, at, men.GOLD)
            man[men.COUNT] = -1
    elif man[men.COUNT] > 0:
        man[men.COUNT] -= 1
    elif man[men.COUNT] < 0:
        man[men.COUNT] = 0


@part
def move_guard(game, guard):
    man = game.men[guard]
    before, passed, stride = man[men.AT], False, game.width + 2
    if man[men.MODE] == men.FREE and men.falls(game, man):
        passed = guard_falls(game, man)
    else:
        way = np.int64(men.UP)
        if man[men.MODE] == men.FREE or man[men.AT] // stride != man[men.PIT] // stride:
            way = choice(game, guard)
            if man[men.MODE] == men.CLIMB and (
                way == men.NO_KEY or man[men.AT] % stride != man[men.PIT] % stride
            ):
                man[men.MODE] = men.FREE
        if way != men.NO_KEY:
            passed = walk(game, man, way)
    if man[men.AT] != before:
        men.leave(game, before)
        if game.now[man[men.AT]] == men.RUNNER:
            game.counts[men.ALIVE] = 0
    men.put_now(game, man[men.AT], men.GUARD)
    if passed:
        carry(game, man)
    if man[men.COUNT] == 0 and men.touches_gold(game, man):
        men.put_tile(game, man[men.AT], men.EMPTY)
        man[men.COUNT] = men.CARRIED + men.drawn(game, men.CARRIED_MORE)


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
    for _ in range(moves_in_turn(guards, game.counts[men.TICK])):
        turn = game.counts[men.TURN] + 1
        game.counts[men.TURN] = turn if turn < guards else 0
        guard = 1 + game.counts[men.TURN]
        if game.men[guard, men.MODE] == men.FREE or game.men[guard, men.MODE] == men.CLIMB:
            move_guard(game, guard)
