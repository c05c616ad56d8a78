"""Bit sets: words of 64 bits, and boards of words that fit any size.

A set of up to 256 members is a tuple of 1, 2 or 4 words and travels by value; a larger one is an array of
words, changed in place and handed back, so that the same code serves both if it uses a set linearly (`linear`
can check that). On a GPU a set of up to 32 members is a tuple of one word of half the length.
Each function is plain Python that numba replaces by instructions; `tests/reference` holds slow twins.
"""

from __future__ import annotations

import inspect
from operator import and_, eq, or_

import numpy as np

from levelsmith.kernels import linear
from levelsmith.kernels.compile import part, replace_inside
from levelsmith.kernels.words import FULL, HALF, ONE, WORD, ZERO, H, U, Word, lowest, nth_of_word, popcount

BY_VALUE = (1, 2, 4)  # numbers of words that travel as tuples; more get slower and compile for long


def words_for(members: int) -> int:
    """Returns how many words a set of so many members takes."""
    least = -(-members // WORD)
    return next((n for n in BY_VALUE if n >= least), least)


# ------------------------------------------------------------------------------------------------- boards


def _by_size(function, one, two, four, array=None, short=None):
    """Compiles `function` by the kind of its first argument: a tuple of 1, 2 or 4 words, or an array."""
    bodies = {1: one, 2: two, 4: four}

    def choose(*args):
        from numba import types

        first = args[0]
        if isinstance(first, types.UniTuple):
            return short if first.dtype == types.uint32 else bodies.get(first.count)
        return array if isinstance(first, types.Array) else None

    choose.__signature__ = inspect.signature(function)
    replace_inside(function, choose)


@part
@linear.reads
def count(bits):
    """Returns the number of members."""
    total = np.int64(0)
    for i in range(len(bits)):
        total += popcount(bits[i])
    return total


@linear.reads
def has(bits, member):
    """Returns whether a member is in the set."""
    return int(bits[member >> 6]) >> int(member & 63) & 1 == 1


def _has(bits, member):
    return (bits[member >> 6] >> U(member & 63)) & ONE != ZERO


_by_size(
    has,
    lambda bits, member: (bits[0] >> U(member & 63)) & ONE != ZERO,
    lambda bits, member: ((bits[0] if member < WORD else bits[1]) >> U(member & 63)) & ONE != ZERO,
    _has,
    _has,
    lambda bits, member: H(bits[0] >> H(member & 31)) & H(1) != H(0),
)


@linear.changes
def added(bits, member):
    """Returns the set with a member; an array is changed in place."""
    if isinstance(bits, tuple):
        words = list(bits)
        words[member >> 6] |= Word(1 << int(member & 63))
        return tuple(words)
    return _added_to_array(bits, member)


@linear.changes
def removed(bits, member):
    """Returns the set without a member; an array is changed in place."""
    if isinstance(bits, tuple):
        words = list(bits)
        words[member >> 6] ^= words[member >> 6] & Word(1 << int(member & 63))
        return tuple(words)
    return _removed_from_array(bits, member)


@linear.overwrites
def cleared(bits):
    """Returns the empty set of the same kind; an array is changed in place."""
    return (Word(0),) * len(bits) if isinstance(bits, tuple) else _cleared_array(bits)


def _cleared_array(bits):
    for i in range(len(bits)):
        bits[i] = ZERO
    return bits


_by_size(
    cleared,
    lambda bits: (ZERO,),
    lambda bits: (ZERO, ZERO),
    lambda bits: (ZERO, ZERO, ZERO, ZERO),
    _cleared_array,
    lambda bits: (H(0),),
)


@part
def _bit_in(i, member):
    """Returns the bit of a member in word i: zero in all words but its own."""
    return ONE << U(member & 63) if member >> 6 == i else ZERO


def _added_to_array(bits, member):
    bits[member >> 6] |= ONE << U(member & 63)
    return bits


def _removed_from_array(bits, member):
    bits[member >> 6] &= ~(ONE << U(member & 63))
    return bits


_by_size(
    added,
    lambda bits, member: (bits[0] | (ONE << U(member & 63)),),
    lambda bits, member: (bits[0] | _bit_in(0, member), bits[1] | _bit_in(1, member)),
    lambda bits, member: (
        bits[0] | _bit_in(0, member),
        bits[1] | _bit_in(1, member),
        bits[2] | _bit_in(2, member),
        bits[3] | _bit_in(3, member),
    ),
    _added_to_array,
    lambda bits, member: (H(bits[0] | H(H(1) << H(member & 31))),),
)
_by_size(
    removed,
    lambda bits, member: (bits[0] & ~(ONE << U(member & 63)),),
    lambda bits, member: (bits[0] & ~_bit_in(0, member), bits[1] & ~_bit_in(1, member)),
    lambda bits, member: (
        bits[0] & ~_bit_in(0, member),
        bits[1] & ~_bit_in(1, member),
        bits[2] & ~_bit_in(2, member),
        bits[3] & ~_bit_in(3, member),
    ),
    _removed_from_array,
    lambda bits, member: (H(bits[0] & ~H(H(1) << H(member & 31))),),
)


@part
@linear.reads
def nth(bits, k):
    """Returns the k-th member in order, counting from 0; there must be one."""
    last = len(bits) - 1
    for i in range(last):
        inside = popcount(bits[i])
        if k < inside:
            return np.int64(WORD * i) + nth_of_word(bits[i], k)
        k -= inside
    return np.int64(WORD * last) + nth_of_word(bits[last], k)


@linear.reads
def member_from(bits, start):
    """Returns the lowest member that is at least `start`, or -1."""
    for i in range(start >> 6, len(bits)):
        word = int(bits[i])
        if start > WORD * i:
            word = word >> (start & 63) << (start & 63)
        if word:
            return WORD * i + lowest(word)
    return -1


def _member_from(bits, start):
    found = np.int64(-1)
    for i in range(len(bits)):
        if found < 0 and start < WORD * (i + 1):
            word = U(bits[i])
            if start > WORD * i:
                word = (word >> U(start - WORD * i)) << U(start - WORD * i)
            if word != ZERO:
                found = np.int64(WORD * i) + lowest(word)
    return found


replace_inside(member_from, lambda bits, start: _member_from)


def both(a, b):
    """Returns the members of both sets (tuples only)."""
    if len(a) == 1:
        return (a[0] & b[0],)
    return tuple(map(and_, a, b))


def either(a, b):
    """Returns the members of either set (tuples only)."""
    if len(a) == 1:
        return (a[0] | b[0],)
    return tuple(map(or_, a, b))


def minus(a, b):
    """Returns the members of the first set that are not in the second (tuples only)."""
    return tuple([x ^ (x & y) for x, y in zip(a, b, strict=True)])


_by_size(
    both,
    lambda a, b: (a[0] & b[0],),
    lambda a, b: (a[0] & b[0], a[1] & b[1]),
    lambda a, b: (a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]),
    short=lambda a, b: (H(a[0] & b[0]),),
)
_by_size(
    either,
    lambda a, b: (a[0] | b[0],),
    lambda a, b: (a[0] | b[0], a[1] | b[1]),
    lambda a, b: (a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]),
    short=lambda a, b: (H(a[0] | b[0]),),
)
_by_size(
    minus,
    lambda a, b: (a[0] & ~b[0],),
    lambda a, b: (a[0] & ~b[0], a[1] & ~b[1]),
    lambda a, b: (a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3]),
    short=lambda a, b: (H(a[0] & ~b[0]),),
)


def same(a, b):
    """Returns whether two sets have the same members (tuples only)."""
    return all(map(eq, a, b))


def first_of(bits):
    """Returns the set of the lowest member alone; empty for an empty set (tuples only)."""
    first = member_from(bits, 0)
    return added(cleared(bits), first) if first >= 0 else bits


_by_size(
    same,
    lambda a, b: a[0] == b[0],
    lambda a, b: (a[0] ^ b[0]) | (a[1] ^ b[1]) == ZERO,
    lambda a, b: (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) == ZERO,
    short=lambda a, b: a[0] == b[0],
)
_by_size(
    first_of,
    lambda bits: (bits[0] & (~bits[0] + ONE),),
    lambda bits: (bits[0] & (~bits[0] + ONE), ZERO if bits[0] else bits[1] & (~bits[1] + ONE)),
    lambda bits: (
        bits[0] & (~bits[0] + ONE),
        ZERO if bits[0] else bits[1] & (~bits[1] + ONE),
        ZERO if bits[0] | bits[1] else bits[2] & (~bits[2] + ONE),
        ZERO if bits[0] | bits[1] | bits[2] else bits[3] & (~bits[3] + ONE),
    ),
    short=lambda bits: (H(bits[0] & H(~bits[0] + H(1))),),
)


def empty(bits):
    """Returns whether a set has no members (tuples only)."""
    return not any(bits)


_by_size(
    empty,
    lambda bits: bits[0] == ZERO,
    lambda bits: bits[0] | bits[1] == ZERO,
    lambda bits: bits[0] | bits[1] | bits[2] | bits[3] == ZERO,
    short=lambda bits: bits[0] == H(0),
)


def up(bits, steps):
    """Returns the set moved up by 1 to 63; what leaves the last word is lost (tuples only)."""
    steps = int(steps)
    if len(bits) == 1:
        return (Word((int(bits[0]) << steps) & FULL),)
    return _divided(_joined(bits) << steps, len(bits))


def down(bits, steps):
    """Returns the set with every member moved down by 1 to 63; what falls below 0 is lost (tuples only)."""
    steps = int(steps)
    if len(bits) == 1:
        return (Word(int(bits[0]) >> steps),)
    return _divided(_joined(bits) >> steps, len(bits))


def _joined(bits):
    """Returns the words of a tuple as one integer."""
    return sum(int(word) << WORD * i for i, word in enumerate(bits))


def _divided(whole, words):
    """Returns the lowest words of an integer as a tuple."""
    return tuple([Word(whole >> WORD * i & FULL) for i in range(words)])


_by_size(
    up,
    lambda bits, steps: (bits[0] << U(steps),),
    lambda bits, steps: (bits[0] << U(steps), (bits[1] << U(steps)) | (bits[0] >> U(WORD - steps))),
    lambda bits, steps: (
        bits[0] << U(steps),
        (bits[1] << U(steps)) | (bits[0] >> U(WORD - steps)),
        (bits[2] << U(steps)) | (bits[1] >> U(WORD - steps)),
        (bits[3] << U(steps)) | (bits[2] >> U(WORD - steps)),
    ),
    short=lambda bits, steps: (H(bits[0] << H(steps & 31)),),
)
_by_size(
    down,
    lambda bits, steps: (bits[0] >> U(steps),),
    lambda bits, steps: ((bits[0] >> U(steps)) | (bits[1] << U(WORD - steps)), bits[1] >> U(steps)),
    lambda bits, steps: (
        (bits[0] >> U(steps)) | (bits[1] << U(WORD - steps)),
        (bits[1] >> U(steps)) | (bits[2] << U(WORD - steps)),
        (bits[2] >> U(steps)) | (bits[3] << U(WORD - steps)),
        bits[3] >> U(steps),
    ),
    short=lambda bits, steps: (H(bits[0] >> H(steps & 31)),),
)


@part
@linear.reads
def store(bits, packed, start):
    """Writes a set into an array of words, from index `start` on."""
    for i in range(len(bits)):
        packed[start + i] = bits[i]


@linear.overwrites
def fetch(like, packed, start):
    """Returns the set that `store` wrote, of the same kind as `like`; an array `like` is overwritten."""
    if isinstance(like, tuple):
        return tuple(map(Word, packed[start : start + len(like)].tolist()))
    return _fetch_array(like, packed, start)


def _fetch_array(like, packed, start):
    for i in range(len(like)):
        like[i] = packed[start + i]
    return like


_by_size(
    fetch,
    lambda like, packed, start: (packed[start],),
    lambda like, packed, start: (packed[start], packed[start + 1]),
    lambda like, packed, start: (packed[start], packed[start + 1], packed[start + 2], packed[start + 3]),
    _fetch_array,
    lambda like, packed, start: (H(packed[start]),),
)


@linear.overwrites
def side_by_side(slots, parts, last):
    """Returns four sets of cells as one set of slots, and whether the slot after theirs is in it.

    `slots` says of what kind: an array is filled, a word for each word of a part; a tuple of four words takes
    half a word for each part, whose members are below 32.
    """
    if isinstance(slots, tuple):
        return _halves(slots, parts, last)
    return _in_a_row(slots, parts, last)


def _halves(slots, parts, last):
    a, b, c, d = parts
    return (
        U(a[0]) | (U(b[0]) << U(HALF)),
        U(c[0]) | (U(d[0]) << U(HALF)),
        ONE if last else ZERO,
        ZERO,
    )


def _in_a_row(slots, parts, last):
    a, b, c, d = parts
    words = len(a)
    for i in range(words):
        slots[i] = a[i]
        slots[words + i] = b[i]
        slots[2 * words + i] = c[i]
        slots[3 * words + i] = d[i]
    slots[4 * words] = ONE if last else ZERO
    return slots


_by_size(side_by_side, None, None, _halves, _in_a_row)


# ------------------------------------------------------------------------------------ in and out of Python


def from_members(members, size):
    """Returns a set of the given members, as large as `size` members need: a tuple of words, or an array."""
    array = np.zeros(words_for(size), np.uint64)
    for member in members:
        _added_to_array(array, int(member))
    return tuple(map(Word, array)) if len(array) in BY_VALUE else array


def shortened(bits):
    """Returns a set of up to 32 members, in a word of 64 bits, as a GPU takes it."""
    return (H(bits[0]),)


def pack_masks(masks):
    """Returns masks of cells `[B, cells]` as boards `[B, words]`, one bit a cell."""
    boards = np.zeros((len(masks), words_for(masks.shape[1]) * 8), np.uint8)
    octets = np.packbits(masks, axis=1, bitorder="little")
    boards[:, : octets.shape[1]] = octets
    return boards.view("<u8").astype(np.uint64, copy=False)


def to_members(bits) -> list[int]:
    """Returns the members in order."""
    words = [int(word) for word in bits]
    return [WORD * i + j for i, word in enumerate(words) for j in range(WORD) if word >> j & 1]
