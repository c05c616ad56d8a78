"""Python's own random numbers inside kernels, bit by bit: the Mersenne Twister of Matsumoto and Nishimura
(1998) as `random.Random` seeds and asks it, and the seeds that numpy's SeedSequence makes of others.

`random.Random(n).getstate()[1]` is an array of `dice`: 624 words and the place of the next one.
"""

from __future__ import annotations

import numpy as np

from levelsmith.kernels.compile import kernel, part

WORDS, AHEAD = 624, 397
HIGHEST, LOWER = 0x80000000, 0x7FFFFFFF
MASK = 0xFFFFFFFF
MATRIX = 0x9908B0DF
POOL = 4  # words that a SeedSequence mixes
TO_UNIT = 1.0 / (1 << 53)


@part
def next_word(dice):
    """Returns 32 random bits."""
    at = np.int64(dice[WORDS])
    if at >= WORDS:
        for i in range(WORDS):
            word = (np.int64(dice[i]) & HIGHEST) | (np.int64(dice[(i + 1) % WORDS]) & LOWER)
            turned = np.int64(dice[(i + AHEAD) % WORDS]) ^ (word >> 1)
            dice[i] = turned ^ MATRIX if word & 1 else turned
        at = np.int64(0)
    dice[WORDS] = at + 1
    word = np.int64(dice[at])
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    return word ^ (word >> 18)


@part
def share(dice):
    """Returns a number from 0 up to, but not including, 1: `Random.random`."""
    high = next_word(dice) >> 5
    return (high * 67108864.0 + (next_word(dice) >> 6)) * TO_UNIT


@part
def choose_below(dice, n):
    """Returns a whole number from 0 to n - 1, as `Random.randrange` and `Random.choice` draw it."""
    bits = 0
    while n >> bits:
        bits += 1
    drawn = next_word(dice) >> (32 - bits)
    while drawn >= n:
        drawn = next_word(dice) >> (32 - bits)
    return drawn


@kernel
def begin_dice(dice, key):
    """Writes the state of `Random(n)`. key: the words of n, the lowest first."""
    used = len(key)
    while used > 1 and key[used - 1] == 0:
        used -= 1
    dice[0] = 19650218
    for i in range(1, WORDS):
        before = np.int64(dice[i - 1])
        dice[i] = ((before ^ (before >> 30)) * 1812433253 + i) & MASK
    i, j = 1, 0
    for step in range(WORDS + max(WORDS, used) - 1):
        before = np.int64(dice[i - 1])
        mixed = before ^ (before >> 30)
        if step < max(WORDS, used):
            dice[i] = ((np.int64(dice[i]) ^ (mixed * 1664525)) + key[j] + j) & MASK
            j = (j + 1) % used
        else:
            dice[i] = ((np.int64(dice[i]) ^ (mixed * 1566083941)) - i) & MASK
        i += 1
        if i == WORDS:
            dice[0] = dice[WORDS - 1]
            i = 1
    dice[0] = HIGHEST
    dice[WORDS] = WORDS


@kernel
def spread_seed(entropy, words):
    """Writes words of 32 bits, as many as there is room for: `SeedSequence(seed, spawn_key=key)` of numpy.

    Args:
        entropy: the words of the seed, padded with zeros to four, and then those of the key.
        words: what `generate_state` returns.
    """
    a, b, c, d = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    constant = np.int64(0x43B0D7E5)
    pool = (a, b, c, d)
    for i in range(POOL):
        hashed, constant = hash_word(np.int64(entropy[i]), constant, 0x931E8875)
        pool = replaced(pool, i, hashed)
    for i in range(POOL):
        for j in range(POOL):
            if i != j:
                hashed, constant = hash_word(chosen(pool, i), constant, 0x931E8875)
                pool = replaced(pool, j, mixed_words(chosen(pool, j), hashed))
    for i in range(POOL, len(entropy)):
        for j in range(POOL):
            hashed, constant = hash_word(np.int64(entropy[i]), constant, 0x931E8875)
            pool = replaced(pool, j, mixed_words(chosen(pool, j), hashed))
    constant = np.int64(0x8B51F9DD)
    for i in range(len(words)):
        hashed, constant = hash_word(chosen(pool, i % POOL), constant, 0x58F38DED)
        words[i] = hashed


@part
def chosen(pool, i):
    return pool[0] if i == 0 else pool[1] if i == 1 else pool[2] if i == 2 else pool[3]


@part
def replaced(pool, i, word):
    """Returns a pool with another word in a place."""
    return (
        word if i == 0 else pool[0],
        word if i == 1 else pool[1],
        word if i == 2 else pool[2],
        word if i == 3 else pool[3],
    )


@part
def hash_word(word, constant, factor):
    """Returns a hash of a word, and the constant of the next one."""
    following = times(constant, np.int64(factor))
    hashed = times(word ^ constant, following)
    return hashed ^ (hashed >> 16), following


@part
def mixed_words(one, other):
    mixed = (times(one, np.int64(0xCA01F9DD)) - times(other, np.int64(0x4973F715))) & MASK
    return mixed ^ (mixed >> 16)


@part
def times(one, other):
    """Returns the lower 32 bits of a product."""
    return ((one & 0xFFFF) * other + ((((one >> 16) * other) & 0xFFFF) << 16)) & MASK
