"""Shuffled orders of things, place by place: the swap-or-not shuffle of Hoang, Morris and Rogaway (*An
Enciphering Scheme Based on a Card Shuffle*, CRYPTO 2012).

No list is made: what is at a place is computed from a key, in the same time for ten things and for a billion.
Random bits are those of splitmix64 (Steele, Lea and Flood, 2014).
"""

from __future__ import annotations

import numpy as np

from levelsmith.kernels.compile import kernel, part

U = np.uint64
ROUNDS = 64
GAMMA = np.uint64(0x9E3779B97F4A7C15)  # splitmix64's
OTHER = np.uint64(0xD1342543DE82EF95)  # odd, so that no two numbers become one


@part
def mixed(word):
    """Returns a word that looks unlike the words next to it."""
    word = (word ^ (word >> U(30))) * U(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D049BB133111EB)
    return word ^ (word >> U(31))


@part
def thing_at(key, n, place):
    """Returns which of n things, fewer than 2**32, is at a place of the order that a key stands for."""
    size, thing = U(n), U(place)
    for _ in range(ROUNDS):
        key += GAMMA
        drawn = mixed(key)
        pivot = ((drawn >> U(32)) * size) >> U(32)
        partner = pivot - thing if thing <= pivot else pivot + size - thing
        larger = partner if partner > thing else thing
        if mixed(drawn + larger * OTHER) & U(1) == U(1):
            thing = partner
    return np.int64(thing)


@part
def dealt(seed, n, number):
    """Returns what a seed deals as its `number`-th: each of n things once before any comes again."""
    turn = number // n
    return thing_at(mixed(U(seed) * OTHER + U(turn) * GAMMA), n, number - turn * n)


@kernel
def deal(seeds, numbers, sizes, out):
    """Writes what seeds deal as their `numbers`-th, each of as many things as `sizes` says."""
    for i in range(len(seeds)):
        out[i] = dealt(seeds[i], sizes[i], numbers[i])
