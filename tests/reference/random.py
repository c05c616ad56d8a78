"""A slow twin of `levelsmith.kernels.random`: xoroshiro128++ as Blackman and Vigna define it, in Python ints.

Their C code (https://prng.di.unimi.it/xoroshiro128plusplus.c) reads

    const uint64_t s0 = s[0];
    uint64_t s1 = s[1];
    const uint64_t result = rotl(s0 + s1, 17) + s0;
    s1 ^= s0;
    s[0] = rotl(s0, 49) ^ s1 ^ (s1 << 21); // a, b
    s[1] = rotl(s1, 28); // c
"""

from __future__ import annotations

MASK = (1 << 64) - 1


def rotl(x, k):
    return ((x << k) | (x >> (64 - k))) & MASK


class Xoroshiro:
    def __init__(self, s0, s1):
        self.s0, self.s1 = int(s0), int(s1)

    def word(self):
        result = (rotl((self.s0 + self.s1) & MASK, 17) + self.s0) & MASK
        mixed = self.s1 ^ self.s0
        self.s0 = rotl(self.s0, 49) ^ mixed ^ ((mixed << 21) & MASK)
        self.s1 = rotl(mixed, 28)
        return result

    def below(self, n):
        """The upper 32 bits, as a fraction of 2**32, of n."""
        return (self.word() // 2**32) * n // 2**32

    def unit(self):
        """The upper 53 bits, as a fraction of 2**53."""
        return (self.word() // 2**11) / 2**53
