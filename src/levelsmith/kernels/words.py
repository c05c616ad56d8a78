"""Words of 64 bits, which bit sets are made of: plain Python that numba replaces by instructions.

Where nothing is compiled, words are Python's integers: several times faster there than numpy's.
"""

from __future__ import annotations

from importlib import import_module

import numpy as np

from levelsmith.kernels.compile import PLAIN, replace_inside

WORD = 64
U = np.uint64
ONE = U(1)
ZERO = U(0)
H = np.uint32
HALF = WORD // 2  # bits of a short word
FULL = (1 << WORD) - 1
Word = int if PLAIN else U  # what plain functions return, for a kernel to take


def popcount(word):
    """Returns the number of bits set in a word."""
    return int(word).bit_count()


def lowest(word):
    """Returns the index of the lowest bit set; 64 for a word of zeros."""
    word = int(word)
    return (word & -word).bit_length() - 1 if word else WORD


def nth_of_word(word, k):
    """Returns the index of the k-th bit set, counting from 0."""
    word = int(word)
    for _ in range(k):
        word &= word - 1
    return lowest(word)


def _nth_by_one(word, k):
    for _ in range(k):
        word &= word - ONE
    return lowest(word)


def _intrinsic(name):
    """Returns one of the functions that numba makes instructions of."""
    return getattr(import_module("levelsmith.kernels.intrinsics"), name)


replace_inside(nth_of_word, lambda word, k: _nth_by_one, lambda word, k: _intrinsic("nth_by_halves"))
replace_inside(popcount, lambda word: _intrinsic("popcount"))
replace_inside(lowest, lambda word: _intrinsic("lowest"))
