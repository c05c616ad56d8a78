"""Random numbers inside kernels: xoroshiro128++ of Blackman and Vigna (2019), two words of state in an array.

Numpy's own Generator is ten times slower there. The state is seeded through numpy's SeedSequence, so nearby
seeds give unrelated streams.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import part
from levelsmith.kernels.maths import log, log1p
from levelsmith.kernels.seeds import Seeds

U = np.uint64
MANY = 8  # seeds; fewer are there sooner one by one
_TO_UNIT = 1.0 / (1 << 53)


def seeded(seed: np.random.SeedSequence) -> NDArray[np.uint64]:
    """Returns the state for a seed, `[2]` words."""
    state = seed.generate_state(2, np.uint64)
    if not state.any():  # the one state that would stay zero for ever
        state[0] = 1
    return state.astype(np.uint64)


def all_seeded(seeds: Sequence[np.random.SeedSequence]) -> NDArray[np.uint64]:
    """Returns the states for seeds, `[N, 2]`."""
    if not isinstance(seeds, Seeds) or len(seeds) < MANY or max(seeds.runs) >= 1 << 32:
        return np.array([seeded(seed) for seed in seeds])
    states = seeds.states()
    states[~states.any(1), 0] = 1
    return states


@part
def word(rng):
    """Returns 64 random bits."""
    a, b = rng[0], rng[1]
    total = a + b
    drawn = ((total << U(17)) | (total >> U(47))) + a
    b ^= a
    rng[0] = ((a << U(49)) | (a >> U(15))) ^ b ^ (b << U(21))
    rng[1] = (b << U(28)) | (b >> U(36))
    return drawn


@part
def below(rng, n):
    """Returns a whole number from 0 to n - 1, n below 2**32 (its bias is under n / 2**32)."""
    return np.int64(((word(rng) >> U(32)) * U(n)) >> U(32))


@part
def unit(rng):
    """Returns a number from 0 up to, but not including, 1."""
    return np.float64(word(rng) >> U(11)) * _TO_UNIT


@part
def pace_of(rate):
    """Returns what `passed_over` needs of the chance of each place; computed once, for it takes a while."""
    return 0.0 if rate >= 1.0 else 1.0 / log1p(-rate)


@part
def passed_over(rng, pace):
    """Draws how many places to pass over before the next that is chosen, where each has the same chance."""
    return np.int64(min(log(1.0 - unit(rng)) * pace, 2.0**40))
