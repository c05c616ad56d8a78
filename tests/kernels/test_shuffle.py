"""Orders that are computed place by place: each thing once, and no order more likely than another."""

from __future__ import annotations

import math

import numpy as np
import pytest

from levelsmith.kernels.shuffle import ROUNDS, deal

MASK = (1 << 64) - 1


def dealt(seeds, numbers, n):
    seeds, numbers = np.broadcast_arrays(np.asarray(seeds, np.int64), np.asarray(numbers, np.int64))
    out = np.zeros(len(seeds), np.int64)
    deal(seeds.copy(), numbers.copy(), np.full(len(seeds), n, np.int64), out)
    return out


def mixed(word):
    """splitmix64's last steps."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK
    return word ^ word >> 31


def one_by_one(seed, n, number):
    """The shuffle as its paper has it, on whole numbers without end."""
    turn, thing = divmod(number, n)
    key = mixed((seed * 0xD1342543DE82EF95 + turn * 0x9E3779B97F4A7C15) & MASK)
    for _ in range(ROUNDS):
        key = (key + 0x9E3779B97F4A7C15) & MASK
        drawn = mixed(key)
        partner = ((drawn >> 32) * n // 2**32 - thing) % n
        if mixed((drawn + max(thing, partner) * 0xD1342543DE82EF95) & MASK) % 2:
            thing = partner
    return thing


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64, 1000])
def test_each_thing_comes_once_before_any_comes_again(n):
    for seed in (0, 1, 2**63 - 1):
        order = dealt(seed, np.arange(3 * n), n).reshape(3, n)
        assert (np.sort(order, axis=1) == np.arange(n)).all()
        if n == 1000:
            assert (order[0] == order[1]).mean() < 0.02
            assert (order[0] == dealt(5, np.arange(n), n)).mean() < 0.02


def test_it_is_the_shuffle_of_the_paper():
    rng = np.random.default_rng(0)
    for n in (1, 2, 5, 100, 2**32 - 1):
        seeds, numbers = rng.integers(2**63 - 1, size=20), rng.integers(3 * n, size=20)
        expected = [
            one_by_one(int(seed), n, int(number)) for seed, number in zip(seeds, numbers, strict=True)
        ]
        assert dealt(seeds, numbers, n).tolist() == expected


@pytest.mark.parametrize("n", [2, 3, 4])
def test_no_order_is_more_likely_than_another(n):
    seeds = np.arange(12_000)
    places = [dealt(seeds, place, n) for place in range(n)]
    _, counts = np.unique(np.stack(places), axis=1, return_counts=True)
    assert len(counts) == math.factorial(n)
    expected = len(seeds) / len(counts)
    surprise = ((counts - expected) ** 2 / expected).sum()  # chi-squared, of that many less one
    assert surprise < len(counts) - 1 + 5 * math.sqrt(2 * (len(counts) - 1))
