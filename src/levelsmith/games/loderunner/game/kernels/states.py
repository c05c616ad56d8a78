"""Games against guards kept as rows of numbers, and told apart.

A row holds all of a game that changes: counts, men, whose marks stand on the board, holes, gold. `pack` and
`unpack` lose nothing of it.
"""

from __future__ import annotations

import numpy as np

from levelsmith.games.loderunner.game.kernels.men import (
    AT,
    COUNT,
    COUNTS,
    DIG_AT,
    DX,
    DY,
    EMPTY,
    FILLS,
    GOLD,
    GUARD,
    HIDDEN,
    HOLE_AT,
    HOLES,
    LADDER,
    LEFT_GOLD,
    MAN,
    MODE,
    MOST_HOLES,
    RUNNER,
    TICK,
    WAIT,
    look_again,
    without_men,
)
from levelsmith.kernels.compile import part, replace_inside
from levelsmith.kernels.rows import copy_row
from levelsmith.kernels.words import FULL, U

BITS = 16  # of a number of a row
GRAIN = 24  # ticks of a clock that `likeness` holds to be the same
SEED = 0x9E3779B97F4A7C15
MIX = 0xFF51AFD7ED558CCD


def words_of(cells: int, guards: int) -> int:
    """Returns how many numbers a row has."""
    return COUNTS + (1 + guards) * MAN + 2 + 2 * MOST_HOLES + (cells + BITS - 1) // BITS


@part
def mark_of(man):
    return RUNNER if man == 0 else GUARD


@part
def pack(game, row):
    """Writes the game as it stands into a row."""
    place = 0
    for i in range(COUNTS):
        row[place] = game.counts[i]
        place += 1
    marks = 0
    for i in range(len(game.men)):
        if game.now[game.men[i, AT]] == mark_of(i):
            marks |= 1 << i
        for j in range(MAN):
            row[place] = game.men[i, j]
            place += 1
    row[place] = marks
    row[place + 1] = game.now[game.counts[DIG_AT]] if game.counts[DIG_AT] else 0
    place += 2
    for i in range(MOST_HOLES):
        row[place] = game.holes[i, HOLE_AT] if i < game.counts[HOLES] else 0
        row[place + 1] = game.holes[i, FILLS] if i < game.counts[HOLES] else 0
        place += 2
    pack_gold(game.tile, row, place)


@part
def unpack(game, bare, row):
    """Makes the game stand as a row says; `bare` is the level without men and gold."""
    place = 0
    for i in range(COUNTS):
        game.counts[i] = row[place]
        place += 1
    for i in range(len(game.men)):
        for j in range(MAN):
            game.men[i, j] = row[place]
            place += 1
    marks, dug = np.int64(row[place]), np.uint8(row[place + 1])
    place += 2
    look_again(game)
    lay(game, bare, game.counts[LEFT_GOLD] == 0)
    for i in range(MOST_HOLES):
        if i < game.counts[HOLES]:
            game.holes[i, HOLE_AT] = row[place]
            game.holes[i, FILLS] = row[place + 1]
            game.now[row[place]] = np.uint8(EMPTY)
        place += 2
    if game.counts[DIG_AT]:
        game.now[game.counts[DIG_AT]] = dug
    for i in range(len(game.men)):
        if (marks >> i) & 1:
            game.now[game.men[i, AT]] = np.uint8(mark_of(i))
    for first in range(0, len(game.tile), BITS):
        bits = np.int64(row[place]) & ((1 << BITS) - 1)
        place += 1
        i = first
        while bits:
            if bits & 1:
                game.tile[i] = np.uint8(GOLD)
            bits >>= 1
            i += 1


@part
def copy(source, game):
    """Makes a game stand as another one on the same level does."""
    look_again(game)
    for i in range(COUNTS):
        game.counts[i] = source.counts[i]
    for i in range(len(game.men)):
        for j in range(MAN):
            game.men[i, j] = source.men[i, j]
    for i in range(source.counts[HOLES]):
        game.holes[i, HOLE_AT] = source.holes[i, HOLE_AT]
        game.holes[i, FILLS] = source.holes[i, FILLS]
    copy_row(source.tile, game.tile)
    copy_row(source.now, game.now)


# -------------------------------------------------------------- loops, and numpy where nothing is compiled


def pack_gold(tile, row, place):
    """Writes where gold lies into a row, a bit for each cell."""
    bits = np.packbits(tile == GOLD, bitorder="little")
    row[place:] = np.append(bits, bits[: len(bits) % 2] * 0).view(np.int16)


def _pack_gold(tile, row, place):
    for first in range(0, len(tile), BITS):
        bits = 0
        for i in range(min(BITS, len(tile) - first)):
            bits |= np.int64(tile[first + i] == GOLD) << i
        row[place] = np.int16(bits - (1 << BITS) if bits >> (BITS - 1) else bits)
        place += 1


def lay(game, bare, shown):
    """Lays a level without men and gold, its hidden ladders shown or not."""
    game.tile[:] = np.where(bare == HIDDEN, LADDER, bare) if shown else bare
    game.now[:] = np.where(game.tile == HIDDEN, EMPTY, game.tile)


def _lay(game, bare, shown):
    for at in range(len(game.tile)):
        tile = np.uint8(LADDER) if shown and bare[at] == HIDDEN else bare[at]
        game.tile[at] = tile
        game.now[at] = without_men(tile)


def mixed(key, value):
    """Returns a word mixed with a number."""
    return ((int(key) ^ (int(value) & 0xFFFFF)) * MIX + (int(key) >> 29)) & FULL


def _mixed(key, value):
    return (key ^ U(np.int64(value) & 0xFFFFF)) * U(MIX) + (key >> U(29))


replace_inside(pack_gold, lambda tile, row, place: _pack_gold)
replace_inside(lay, lambda game, bare, shown: _lay)
replace_inside(mixed, lambda key, value: _mixed)


# --------------------------------------------------------------------------------------------- told apart


@part
def gold_begins(game):
    """Returns where gold begins in a row."""
    return COUNTS + len(game.men) * MAN + 2 + 2 * MOST_HOLES


@part
def likeness(game, row):
    """Returns a number that is the same for games which hardly differ: places in halves of a cell, clocks
    roughly; `row` is the game packed."""
    key = U(SEED)
    for i in range(len(game.men)):
        man = game.men[i]
        key = mixed(key, man[AT])
        key = mixed(key, (man[DY] + 44) // 18 + 8 * ((man[DX] + 40) // 17))
        if i:
            key = mixed(key, man[MODE] + 4 * (man[WAIT] // GRAIN) + 64 * np.int64(man[COUNT] > 0))
    key = mixed(key, game.counts[DIG_AT])
    for i in range(game.counts[HOLES]):
        key = mixed(key, game.holes[i, HOLE_AT])
        key = mixed(key, (game.holes[i, FILLS] - game.counts[TICK]) // GRAIN)
    for i in range(gold_begins(game), len(row)):
        key = mixed(key, row[i])
    return key | U(1)


@part
def identity(game, row, period):
    """Returns a number that differs for any two games that can go on differently; `row` is the game packed.

    Ticks count up to `period`, after which guards draw the same again; holes by what is left of them.
    """
    key = mixed(U(SEED), game.counts[TICK] % period)
    for i in range(1, COUNTS + len(game.men) * MAN + 2):  # the tick is the first
        key = mixed(key, row[i])
    for i in range(game.counts[HOLES]):
        key = mixed(key, game.holes[i, HOLE_AT])
        key = mixed(key, game.holes[i, FILLS] - game.counts[TICK])
    for i in range(gold_begins(game), len(row)):
        key = mixed(key, row[i])
    return key | U(1)


@part
def is_new(table, key):
    """Remembers a key in a table; returns whether it was not known."""
    last = U(len(table) - 1)
    at = (key >> U(20)) & last
    while table[np.int64(at)] != U(0):
        if table[np.int64(at)] == key:
            return False
        at = (at + U(1)) & last
    table[np.int64(at)] = key
    return True
