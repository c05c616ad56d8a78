"""Words of 64 bits, which bit sets are made of: plain Python that numba replaces by instructions.

Where nothing is compiled, words are Python's integers: several times faster there than numpy's.
"""

from __future__ import annotations

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from levelsmith.kernels.compile import replace_inside

WORD = 64
U = np.uint64
ONE = U(1)
ZERO = U(0)
H = np.uint32
HALF = WORD // 2  # bits of a short word
FULL = (1 << WORD) - 1
Word = int if numba.config.DISABLE_JIT else U  # what plain functions return, for a kernel to take


def _same(word):
    """Returns the signature of a function from words to words of the same length."""
    kind = types.uint32 if word == types.uint32 else types.uint64
    return kind(kind)


@intrinsic
def _count_ones(context, word):
    def emit(context, builder, signature, args):
        return builder.ctpop(args[0])

    return _same(word), emit


@intrinsic
def _count_trailing_zeros(context, word):
    def emit(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return _same(word), emit


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


def _nth_by_halves(word, k):
    """Returns the same without a loop that some threads of a GPU would leave before others."""
    left, found = np.uint32(k), np.uint32(0)
    low = H(word)
    inside = _count_ones(low)
    if left >= inside:
        left, found, low = H(left - inside), H(HALF), H(U(word) >> U(HALF))
    for i in range(5):
        step = 16 >> i
        inside = _count_ones(H(low & H((1 << step) - 1)))
        if left >= inside:
            left, found, low = H(left - inside), H(found + step), H(low >> H(step))
    return np.int64(found)


replace_inside(nth_of_word, lambda word, k: _nth_by_one, lambda word, k: _nth_by_halves)
replace_inside(popcount, lambda word: lambda word: np.int64(_count_ones(word)))
replace_inside(lowest, lambda word: lambda word: np.int64(_count_trailing_zeros(word)))
