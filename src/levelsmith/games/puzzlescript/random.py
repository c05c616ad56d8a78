"""The random numbers of PuzzleScript."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SEED = "1"  # where a level begins


class Random:
    """The original's random numbers: RC4, keyed by a text."""

    def __init__(self, seed: str):
        key = b"".join(ord(c).to_bytes(max(1, (ord(c).bit_length() + 7) // 8), "big") for c in seed) or b"\0"
        self.state, self.i, self.j = list(range(256)), 0, 0
        j = 0
        for i in range(256):
            j = (j + self.state[i] + key[i % len(key)]) % 256
            self.state[i], self.state[j] = self.state[j], self.state[i]

    def begun(self) -> NDArray[np.uint8]:
        """Returns where it stands, as boards keep it. `[258]`"""
        return np.array([*self.state, self.i, self.j], np.uint8)

    def byte(self) -> int:
        """Returns the next byte."""
        state = self.state
        self.i = (self.i + 1) % 256
        self.j = (self.j + state[self.i]) % 256
        state[self.i], state[self.j] = state[self.j], state[self.i]
        return state[(state[self.i] + state[self.j]) % 256]

    def below(self, count: int) -> int:
        """Returns a whole number from 0 to below `count`."""
        drawn = 0
        for _ in range(7):
            drawn = drawn * 256 + self.byte()
        return int(float(drawn) / 2.0**56 * count)
