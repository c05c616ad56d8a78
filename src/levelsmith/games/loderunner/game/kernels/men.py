"""The men of a game with guards, the cells they are in, and how they move and fall.

A game is a row of numbers for each man, a list of holes, some counts, and two boards with a ring around them:
`tile`, the level, and `now`, what is in a cell at this moment. `rules/game.py` says what each of them means.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import part
from levelsmith.kernels.random import below

EMPTY, BRICK, SOLID, LADDER, ROPE, GOLD, TRAP, HIDDEN, RUNNER, GUARD, RING = range(11)
NO_KEY, LEFT, RIGHT, UP, DOWN, DIG_LEFT, DIG_RIGHT = range(7)
FREE, HOLE, CLIMB, REBORN = range(4)  # modes of a guard
PLAYING, WON, DEAD = range(3)

AT, DY, DX, MODE, COUNT, WAIT, PIT = range(7)  # of a man; the runner is the first
MAN = 7
TICK, KEY, TURN, LEFT_GOLD, FALLING, DIG_AT, FRAME, HOLES, ALIVE = range(9)  # of `counts`
COUNTS = 9
MOST_HOLES = 17  # more cannot be dug before the first fills
HOLE_AT, FILLS = range(2)  # of a hole, the oldest first

CELL_HEIGHT, CELL_WIDTH = 44, 40  # units
CLIMB_PACE, WALK_PACE = 9, 8
TOUCH_Y, TOUCH_X = 11, 10
CATCH_Y, CATCH_X = 33, 30
DIG_TICKS, CANCELLED, OPEN_TICKS = 11, 8, 186
TRAPPED_TICKS, BORN_TICKS = 66, 8
CARRIED, CARRIED_MORE = 12, 26

# Of a glance: where a man was and in which row, in which row the runner was, which way was best and to which
# cell, and how often the boards had changed in a way that guards see; the runner's has how often they have.
FROM, ROW, TOWARDS, BEST_WAY, GOAL, CHANGES = range(6)
GLANCE = 6


class GuardedGame(NamedTuple):
    """A game as it stands; all of it changes as it goes on, but for the first three."""

    height: int
    width: int
    exit: bool  # whether it is won at the top
    men: NDArray[np.int32]  # [1 + guards, MAN]
    holes: NDArray[np.int32]  # [MOST_HOLES, 2]
    counts: NDArray[np.int32]  # [COUNTS]
    tile: NDArray[np.uint8]  # [(height + 2) * (width + 2)]
    now: NDArray[np.uint8]  # the same
    glances: NDArray[np.int32]  # [1 + guards, GLANCE] what each guard saw last, while nothing changes it
    dice: NDArray[np.uint64]  # [2] random numbers, as `kernels.random` has them; zeros where the tick decides


def make_game(height: int, width: int, guards: int, exit: bool = False) -> GuardedGame:
    """Returns room for a game with so many guards; `begin` puts a level into it."""
    cells = (height + 2) * (width + 2)
    return GuardedGame(
        height,
        width,
        exit,
        np.zeros((1 + guards, MAN), np.int32),
        np.zeros((MOST_HOLES, 2), np.int32),
        np.zeros(COUNTS, np.int32),
        np.full(cells, RING, np.uint8),
        np.full(cells, RING, np.uint8),
        np.zeros((1 + guards, GLANCE), np.int32),
        np.zeros(2, np.uint64),
    )


# ----------------------------------------------------------------------------------------------------- boards


@part
def is_hard(tile):
    return tile in (BRICK, SOLID, RING)


@part
def is_floor(tile):
    return is_hard(tile) or tile == LADDER


@part
def without_men(tile):
    """Returns what is in a cell of a tile where nobody is."""
    return np.uint8(EMPTY) if tile in (GOLD, HIDDEN) else tile


@part
def row_of(game, man):
    """Returns the row that a man is in, from 1; it is divided for only where he has left his cell.

    A guard who leaves it forgets what he saw, but for one who goes on to where he was going: the nearer he is
    to the best that he saw, the better it is against all else, which stays as it was.
    """
    at, glance = game.men[man, AT], game.glances[man]
    if glance[FROM] != at:
        goes_on = glance[FROM] - at == 1 and glance[GOAL] < at and glance[BEST_WAY] == LEFT
        goes_on |= at - glance[FROM] == 1 and glance[GOAL] > at and glance[BEST_WAY] == RIGHT
        if not goes_on:
            glance[ROW] = at // (game.width + 2)
            if man > 0:
                glance[CHANGES] = game.glances[0, CHANGES] - 1
        glance[FROM] = at
    return np.int64(glance[ROW])


@part
def look_again(game):
    """Makes guards forget what they saw."""
    game.glances[0, CHANGES] += 1


@part
def put_now(game, at, what):
    """Puts something into a cell; guards look again where they see holes, or who hangs there."""
    if game.now[at] != what:
        tile = game.tile[at]
        if tile == BRICK or (tile in (LADDER, ROPE) and not is_floor(game.tile[at + game.width + 2])):
            look_again(game)
        game.now[at] = np.uint8(what)


@part
def put_tile(game, at, tile):
    """Lays or takes gold."""
    game.tile[at] = np.uint8(tile)
    look_again(game)


@part
def leave(game, at):
    """Puts back what is in a cell that somebody leaves; brick there is a hole."""
    tile = without_men(game.tile[at])
    put_now(game, at, np.uint8(EMPTY) if tile == BRICK else tile)


@part
def guard_at(game, at):
    """Returns the number of the first guard in a cell; one is there."""
    for i in range(1, len(game.men)):
        if game.men[i, AT] == at:
            return i
    return np.int64(0)


@part
def show_ladders(game):
    look_again(game)
    for at in range(len(game.tile)):
        if game.tile[at] == HIDDEN:
            game.tile[at] = np.uint8(LADDER)
            game.now[at] = np.uint8(LADDER)


@part
def count_gold_out(game):
    """Counts a piece as collected; after the last one hidden ladders appear."""
    game.counts[LEFT_GOLD] -= 1
    if game.counts[LEFT_GOLD] == 0:
        show_ladders(game)


@part
def drawn(game, most):
    """Returns a number below another, where the original game draws one: the tick decides, or the dice."""
    if game.dice[0] == 0 and game.dice[1] == 0:
        return np.int64(game.counts[TICK] % most)
    return below(game.dice, most)


# ------------------------------------------------------------------------------ what runner and guards share


@part
def nearer(offset, units):
    """Returns an offset that is smaller by some units, but not below 0."""
    if offset > 0:
        return max(offset - units, 0)
    return min(offset + units, 0)


@part
def pace(game, man, down, right, blocked):
    """Makes a pace, to the middle of the cell at most if it is blocked; returns whether the man moved."""
    along = man[DY] * down + man[DX] * right
    if blocked and along >= 0:
        return False
    along += CLIMB_PACE if down != 0 else WALK_PACE
    if blocked:
        along = min(along, 0)
    if down != 0:
        man[DX] = nearer(man[DX], WALK_PACE)
        if along > CELL_HEIGHT // 2:
            man[AT] += down * (game.width + 2)
            along -= CELL_HEIGHT
        man[DY] = along * down
    else:
        man[DY] = nearer(man[DY], CLIMB_PACE)
        if along > CELL_WIDTH // 2:
            man[AT] += right
            along -= CELL_WIDTH
        man[DX] = along * right
    return True


@part
def falls(game, man):
    tile = game.tile[man[AT]]
    if tile == LADDER or (tile == ROPE and man[DY] == 0):
        return False
    if man[DY] < 0:
        return True
    below = game.now[man[AT] + game.width + 2]
    return not (is_floor(below) or below == GUARD)


@part
def fall(game, man):
    """Makes a pace down; returns whether the man caught a rope."""
    above, before = man[DY] < 0, man[AT]
    below = game.now[before + game.width + 2]
    pace(game, man, 1, 0, is_hard(below) or below == GUARD)
    if above and man[AT] == before and man[DY] >= 0 and game.tile[before] == ROPE:
        man[DY] = 0
        return True
    return False


@part
def touches_gold(game, man):
    if game.tile[man[AT]] != GOLD:
        return False
    if man[DX] == 0 and 0 <= man[DY] < TOUCH_Y:
        return True
    if man[DY] == 0 and 0 <= man[DX] < TOUCH_X:
        return True
    return game.tile[man[AT] + game.width + 2] == LADDER and man[DY] < TOUCH_Y
