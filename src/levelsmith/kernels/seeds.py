"""The seeds of many runs at once: one by one, numpy's SeedSequence takes about as long as a fast level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MASK = 0xFFFFFFFF
POOL = 4  # words that a SeedSequence mixes
U = np.uint32


class Seeds(Sequence[np.random.SeedSequence]):
    """The seeds `SeedSequence(entropy, spawn_key=(run,))` of runs."""

    def __init__(self, entropy: int, runs: Sequence[int]):
        self.entropy, self.runs = entropy, runs

    def __len__(self) -> int:
        return len(self.runs)

    def __getitem__(self, i: Any) -> Any:
        return np.random.SeedSequence(self.entropy, spawn_key=(self.runs[i],))

    def states(self) -> NDArray[np.uint64]:
        """Returns two words of each, `[N, 2]`, for runs below 2**32: a SeedSequence's steps on columns."""
        words = [self.entropy >> shift & MASK for shift in range(0, self.entropy.bit_length(), 32)]
        words += [0] * (POOL - len(words))
        columns = [np.full(len(self), word, U) for word in words] + [np.asarray(self.runs, U)]
        hashed = _hash(0x43B0D7E5, 0x931E8875)
        pool = [hashed(column) for column in columns[:POOL]]
        for i in range(POOL):
            for j in range(POOL):
                if i != j:
                    pool[j] = _mixed(pool[j], hashed(pool[i]))
        for column in columns[POOL:]:
            pool = [_mixed(word, hashed(column)) for word in pool]
        finished = _hash(0x8B51F9DD, 0x58F38DED)
        out = [finished(word).astype(np.uint64) for word in pool]
        return np.stack([out[0] | out[1] << np.uint64(32), out[2] | out[3] << np.uint64(32)], axis=1)


def _hash(constant: int, factor: int) -> Callable[[Any], Any]:
    """Returns a hash of words that differs from call to call."""

    def hashed(words: Any) -> Any:
        nonlocal constant
        words = words ^ U(constant)
        constant = constant * factor & MASK
        words = words * U(constant)
        return words ^ words >> U(16)

    return hashed


def _mixed(one: Any, other: Any) -> Any:
    words = one * U(0xCA01F9DD) - other * U(0x4973F715)
    return words ^ words >> U(16)
