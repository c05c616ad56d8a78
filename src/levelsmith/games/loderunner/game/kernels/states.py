"""Games against guards kept as rows of numbers, and told apart.

A row holds all of a game that changes: counts, men, whose marks stand on the board, holes, gold. `pack` and
`unpack` lose nothing of it.
"""

from __future__ import annotations

import numpy as np

from levelsmith.games.loderunner.game.kernels import men
from levelsmith.kernels.compile import part, replace_inside
from levelsmith.kernels.words import FULL, U

BITS = 16  # of a number of a row
GRAIN = 24  # ticks of a clock that `likeness` holds to be the same
SEED = 0x9E3779B97F4A7C15
MIX = 0xFF51AFD7ED558CCD


def words_of(cells: int, guards: int) -> int:
    """Returns how many numbers a row has."""
    return men.COUNTS + (1 + guards) * men.MAN + 2 + 2 * men.MOST_HOLES + (cells + BITS - 1) // BITS


@part
def mark_of(man):
    return men.RUNNER if man == 0 else men.GUARD


@part
def pack(game, row):
    """Writes the game as it stands into a row."""
    place = 0
    for i in range(men.COUNTS):
        row[place] = game.counts[i]
        place += 1
    marks = 0
    for i in range(len(game.men)):
        if game.now[game.men[i, men.AT]] == mark_of(i):
            marks |= 1 << i
        for j in range(men.MAN):
            row[place] = game.men[i, j]
            place += 1
    row[place] = marks
    row[place + 1] = game.now[game.counts[men.DIG_AT]] if game.counts[men.DIG_AT] else 0
    place += 2
    for i in range(men.MOST_HOLES):
        row[place] = game.holes[i, men.HOLE_AT] if i < game.counts[men.HOLES] else 0
        row[place + 1] = game.holes[i, men.FILLS] if i < game.counts[men.HOLES] else 0
        place += 2
    pack_gold(game.tile, row, place)


@part
def unpack(game, bare, row):
    """Makes the game stand as a row says; `bare` is the level without men and gold."""
    place = 0
    for i in range(men.COUNTS):
        game.counts[i] = row[place]
        place += 1
    for i in range(len(game.men)):
        for j in range(men.MAN):
            game.men[i, j] = row[place]
            place += 1
    marks, dug = np.int64(row[place]), np.uint8(row[place + 1])
    place += 2
    men.look_again(game)
    lay(game, bare, game.counts[men.LEFT_GOLD] == 0)
    for i in range(men.MOST_HOLES):
        if i < game.counts[men.HOLES]:
            game.holes[i, men.HOLE_AT] = row[place]
            game.holes[i, men.FILLS] = row[place + 1]
            game.now[row[place]] = np.uint8(men.EMPTY)
        place += 2
    if game.counts[men.DIG_AT]:
        game.now[game.counts[men.DIG_AT]] = dug
    for i in range(len(game.men)):
        if (marks >> i) & 1:
            game.now[game.men[i, men.AT]] = np.uint8(mark_of(i))
    for first in range(0, len(game.tile), BITS):
        bits = np.int64(row[place]) & ((1 << BITS) - 1)
        place += 1
        i = first
        while bits:
            if bits & 1:
                game.tile[i] = np.uint8(men.GOLD)
            bits >>= 1
            i += 1


@part
def copy(source, game):
    """Makes a game stand as another one on the same level does."""
    men.look_again(game)
    for i in range(men.COUNTS):
        game.counts[i] = source.counts[i]
    for i in range(len(game.men)):
        for j in range(men.MAN):
            game.men[i, j] = source.men[i, j]
    for i in range(source.counts[men.HOLES]):
        game.holes[i, men.HOLE_AT] = source.holes[i, men.HOLE_AT]
        game.holes[i, men.FILLS] = source.holes[i, men.FILLS]
    for at in range(len(game.tile)):
        game.tile[at] = source.tile[at]
        game.now[at] = source.now[at]


# -------------------------------------------------------------- loops, and numpy where nothing is compiled


def pack_gold(tile, row, place):
    """Writes where gold lies into a row, a bit for each cell."""
    bits = np.packbits(tile == men.GOLD, bitorder="little")
    row[place:] = np.append(bits, bits[: len(bits) % 2] * 0).view(np.int16)


def _pack_gold(tile, row, place):
    for first in range(0, len(tile), BITS):
        bits = 0
        for i in range(min(BITS, len(tile) - first)):
            bits |= np.int64(tile[first + i] == men.GOLD) << i
        row[place] = np.int16(bits - (1 << BITS) if bits >> (BITS - 1) else bits)
        place += 1


def lay(game, bare, shown):
    """Lays a level without men and gold, its hidden ladders shown or not."""
    game.tile[:] = np.where(bare == men.HIDDEN, men.LADDER, bare) if shown else bare
    game.now[:] = np.where(game.tile == men.HIDDEN, men.EMPTY, game.tile)


def _lay(game, bare, shown):
    for at in range(len(game.tile)):
        tile = np.uint8(men.LADDER) if shown and bare[at] == men.HIDDEN else bare[at]
        game.tile[at] = tile
        game.now[at] = men.without_men(tile)


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
    return men.COUNTS + len(game.men) * men.MAN + 2 + 2 * men.MOST_HOLES


@part
def likeness(game, row):
    """Returns a number that is the same for games which hardly differ: places in halves of a cell, clocks
    roughly; `row` is the game packed."""
    key = U(SEED)
    for i in range(len(game.men)):
        man = game.men[i]
        key = mixed(key, man[men.AT])
        key = mixed(key, (man[men.DY] + 44) // 18 + 8 * ((man[men.DX] + 40) // 17))
        if i:
            key = mixed(key, man[men.MODE] + 4 * (man[men.WAIT] // GRAIN) + 64 * np.int64(man[men.COUNT] > 0))
    key = mixed(key, game.counts[men.DIG_AT])
    for i in range(game.counts[men.HOLES]):
        key = mixed(key, game.holes[i, men.HOLE_AT])
        key = mixed(key, (game.holes[i, men.FILLS] - game.counts[men.TICK]) // GRAIN)
    for i in range(gold_begins(game), len(row)):
        key = mixed(key, row[i])
    return key | U(1)


@part
def identity(game, row, period):
    """Returns a number that differs for any two games that can go on differently; `row` is the game packed.

    Ticks count up to `period`, after which guards draw the same again; holes by what is left of them.
    """
    key = mixed(U(SEED), game.counts[men.TICK] % period)
    for i in range(1, men.COUNTS + len(game.men) * men.MAN + 2):  # the tick is the first
        key = mixed(key, row[i])
    for i in range(game.counts[men.HOLES]):
        key = mixed(key, game.holes[i, men.HOLE_AT])
        key = mixed(key, game.holes[i, men.FILLS] - game.counts[men.TICK])
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
