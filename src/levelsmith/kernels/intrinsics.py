"""Instructions that numba puts into kernels in the place of plain Python; imported only where it compiles."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

H = np.uint32
U = np.uint64
HALF = 32  # bits of a short word


def _same(word):
    """Returns the signature of a function from words to words of the same length."""
    kind = types.uint32 if word == types.uint32 else types.uint64
    return kind(kind)


@intrinsic
def count_ones(context, word):
    def emit(context, builder, signature, args):
        return builder.ctpop(args[0])

    return _same(word), emit


@intrinsic
def count_trailing_zeros(context, word):
    def emit(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return _same(word), emit


@intrinsic
def call(context, address):
    """Calls the function at an address."""

    def emit(context, builder, signature, args):
        kind = ir.FunctionType(ir.VoidType(), [])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), [])
        return context.get_dummy_value()

    return types.void(types.int64), emit


def popcount(word):
    return np.int64(count_ones(word))


def lowest(word):
    return np.int64(count_trailing_zeros(word))


def nth_by_halves(word, k):
    """Returns the k-th bit set without a loop that some threads of a GPU would leave before others."""
    left, found = np.uint32(k), np.uint32(0)
    low = H(word)
    inside = count_ones(low)
    if left >= inside:
        left, found, low = H(left - inside), H(HALF), H(U(word) >> U(HALF))
    for i in range(5):
        step = 16 >> i
        inside = count_ones(H(low & H((1 << step) - 1)))
        if left >= inside:
            left, found, low = H(left - inside), H(found + step), H(low >> H(step))
    return np.int64(found)


def ask(address):
    call(address)
