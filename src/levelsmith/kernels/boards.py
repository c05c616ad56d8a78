"""Boards of tiles: a bit set where a game has two kinds, an array of bytes where it has more.

A bit set of up to 256 cells travels by value; the others are arrays, changed in place and handed back. Code
that uses a board linearly serves all of them.
"""

from __future__ import annotations

import inspect

import numpy as np

from levelsmith.kernels import linear
from levelsmith.kernels.bits import BY_VALUE, added, fetch, has, minus, removed, store, words_for
from levelsmith.kernels.compile import part, replace_inside
from levelsmith.kernels.words import ONE, ZERO, U, Word

BYTES_A_WORD = 8


def blank(cells: int, kinds: int):
    """Returns a board of tile 0: a tuple of words, an array of words, or an array of bytes."""
    if kinds > 2:
        return np.zeros(cells, np.uint8)
    words = words_for(cells)
    return (Word(0),) * words if words in BY_VALUE else np.zeros(words, np.uint64)


def board_of(tiles, kinds: int):
    """Returns the board of an array of tiles `[cells]`."""
    board = blank(len(tiles), kinds)
    for cell in np.flatnonzero(tiles):
        board = with_tile(board, cell, tiles[cell])
    return board


def tiles_of(board, cells: int):
    """Returns the tiles of all cells, as an array `[cells]` uint8."""
    if not isinstance(board, tuple) and board.dtype == np.uint8:
        return board[:cells].copy()
    return np.unpackbits(np.array(board, "<u8").view(np.uint8), bitorder="little")[:cells]


def words_of(cells: int, kinds: int) -> int:
    """Returns how many words a packed board takes."""
    return words_for(cells) if kinds == 2 else -(-cells // BYTES_A_WORD)


def _by_board(function, by_value, words, octets):
    """Compiles `function` by the kind of board that its first argument is."""

    def choose(*args):
        from numba import types

        first = args[0]
        if isinstance(first, types.UniTuple):
            return by_value
        if isinstance(first, types.Array):
            return octets if first.dtype == types.uint8 else words
        return None

    choose.__signature__ = inspect.signature(function)
    replace_inside(function, choose)


def _for(board, by_value, words, octets):
    """Returns the same choice outside compiled code."""
    if isinstance(board, tuple):
        return by_value
    return octets if board.dtype == np.uint8 else words


@linear.reads
def tile_at(board, cell):
    """Returns the tile of a cell."""
    return _for(board, _tile_of_bits, _tile_of_bits, _tile_of_bytes)(board, cell)


def _tile_of_bits(board, cell):
    return np.int64(1) if has(board, cell) else np.int64(0)


def _tile_of_bytes(board, cell):
    return np.int64(board[cell])


_by_board(tile_at, _tile_of_bits, _tile_of_bits, _tile_of_bytes)


@linear.changes
def with_tile(board, cell, tile):
    """Returns the board with another tile in a cell."""
    return _for(board, _tuple_with_tile, _words_with_tile, _bytes_with_tile)(board, cell, tile)


def _tuple_with_tile(board, cell, tile):
    return added(board, cell) if tile == 1 else removed(board, cell)


# Without reference counting numba returns an array only from a function that got it: hence no calls here.
def _words_with_tile(board, cell, tile):
    if tile == 1:
        board[cell >> 6] |= ONE << U(cell & 63)
    else:
        board[cell >> 6] &= ~(ONE << U(cell & 63))
    return board


def _bytes_with_tile(board, cell, tile):
    board[cell] = np.uint8(tile)
    return board


_by_board(with_tile, _tuple_with_tile, _words_with_tile, _bytes_with_tile)


@linear.reads
def store_board(board, packed):
    """Writes a board into the first words of a packed state."""
    _for(board, _store_bits, _store_bits, _store_bytes)(board, packed)


def _store_bits(board, packed):
    store(board, packed, 0)


def _store_bytes(board, packed):
    for i in range((len(board) + BYTES_A_WORD - 1) // BYTES_A_WORD):
        packed[i] = ZERO
    for cell in range(len(board)):
        packed[cell >> 3] |= U(board[cell]) << U(8 * (cell & 7))


_by_board(store_board, _store_bits, _store_bits, _store_bytes)


def packed_tile(like, packed, cell):
    """Returns the tile of a cell of the board that `store_board` wrote."""
    return _for(like, _packed_bit, _packed_bit, _packed_byte)(like, packed, cell)


def _packed_bit(like, packed, cell):
    return np.int64((packed[cell >> 6] >> U(cell & 63)) & ONE)


def _packed_byte(like, packed, cell):
    return np.int64((packed[cell >> 3] >> U(8 * (cell & 7))) & U(255))


_by_board(packed_tile, _packed_bit, _packed_bit, _packed_byte)


def splice(like, first, second, cell, out):
    """Writes into `out` a packed board: the cells of `first` before a cell, and of `second` from it on."""
    _for(like, _splice_bits, _splice_bits, _splice_bytes)(like, first, second, cell, out)


@part
def _splice_words(first, second, bit, out):
    at = bit >> 6
    for i in range(len(out)):
        out[i] = first[i] if i < at else second[i]
    before = (ONE << U(bit & 63)) - ONE
    out[at] = (first[at] & before) | (second[at] & ~before)


def _splice_bits(like, first, second, cell, out):
    _splice_words(first, second, cell, out)


def _splice_bytes(like, first, second, cell, out):
    _splice_words(first, second, 8 * cell, out)


_by_board(splice, _splice_bits, _splice_bits, _splice_bytes)


@linear.overwrites
def fetch_board(like, packed):
    """Returns the board that `store_board` wrote; an array `like` is overwritten."""
    return _for(like, _fetch_tuple, _fetch_words, _fetch_bytes_at_once)(like, packed)


def _fetch_tuple(like, packed):
    return fetch(like, packed, 0)


def _fetch_words(like, packed):
    for i in range(len(like)):
        like[i] = packed[i]
    return like


def _fetch_bytes(like, packed):
    for cell in range(len(like)):
        like[cell] = np.uint8((packed[cell >> 3] >> U(8 * (cell & 7))) & U(255))
    return like


def _fetch_bytes_at_once(like, packed):
    like[:] = np.asarray(packed).astype("<u8").view(np.uint8)[: len(like)]
    return like


_by_board(fetch_board, _fetch_tuple, _fetch_words, _fetch_bytes)


@linear.reads
def untouched(board, origin, free, slots, kinds):
    """Returns the free cells still as in `origin` (packed), as a set of slots, `kinds` - 1 a cell."""
    choice = _for(board, _untouched_tuple, _untouched_words, _untouched_bytes)
    return choice(board, origin, free, slots, kinds)


def _untouched_tuple(board, origin, free, slots, kinds):
    first = fetch(board, origin, 0)
    return minus(minus(free, minus(board, first)), minus(first, board))


def _untouched_words(board, origin, free, slots, kinds):
    for i in range(len(slots)):
        slots[i] = free[i] & ~(board[i] ^ origin[i])
    return slots


def _untouched_bytes(board, origin, free, slots, kinds):
    for i in range(len(slots)):
        slots[i] = ZERO
    for cell in range(len(board)):
        as_before = U(board[cell]) == (origin[cell >> 3] >> U(8 * (cell & 7))) & U(255)
        if as_before and has(free, cell):
            for j in range(kinds - 1):
                slot = cell * (kinds - 1) + j
                slots[slot >> 6] |= ONE << U(slot & 63)
    return slots


_by_board(untouched, _untouched_tuple, _untouched_words, _untouched_bytes)
