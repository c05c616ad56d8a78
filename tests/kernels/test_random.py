"""Random numbers in kernels are xoroshiro128++, number for number, compiled and plain."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levelsmith.kernels import random
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.random import all_seeded, seeded
from levelsmith.kernels.seeds import Seeds
from reference.random import Xoroshiro

STATE = st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)).filter(any)
# From the state (1, 2), as other implementations of the published definition have it.
KNOWN = [393217, 669327710093319, 1732421326133921491, 11394790081659126983, 9555452776773192676]

some = settings(deadline=None, max_examples=60)


@kernel
def compiled_words(rng, out):
    for i in range(len(out)):
        out[i] = random.word(rng)


@kernel
def compiled_below(rng, n):
    return random.below(rng, n)


@kernel
def compiled_unit(rng):
    return random.unit(rng)


def plain_words(rng, out):
    for i in range(len(out)):
        out[i] = random.word(rng)


WAYS = {
    "compiled": (compiled_words, compiled_below, compiled_unit),
    "plain": (plain_words, random.below, random.unit),
}


@pytest.fixture(params=WAYS)
def way(request):
    with np.errstate(over="ignore"):  # words wrap around
        yield WAYS[request.param]


def test_the_published_numbers_come_out(way):
    out = np.zeros(len(KNOWN), np.uint64)
    way[0](np.array([1, 2], np.uint64), out)
    assert [int(word) for word in out] == KNOWN
    twin = Xoroshiro(1, 2)
    assert [twin.word() for _ in KNOWN] == KNOWN


@pytest.mark.parametrize("name", WAYS)
@some
@given(state=STATE)
def test_words_follow_the_definition(name, state):
    twin, rng, out = Xoroshiro(*state), np.array(state, np.uint64), np.zeros(20, np.uint64)
    with np.errstate(over="ignore"):
        WAYS[name][0](rng, out)
    assert [int(word) for word in out] == [twin.word() for _ in range(20)]
    assert [int(word) for word in rng] == [twin.s0, twin.s1]


@pytest.mark.parametrize("name", WAYS)
@some
@given(state=STATE, n=st.integers(1, 2**32 - 1))
def test_a_number_below_n_and_one_below_1_follow_the_definition(name, state, n):
    _, below, unit = WAYS[name]
    twin, rng = Xoroshiro(*state), np.array(state, np.uint64)
    with np.errstate(over="ignore"):
        for _ in range(5):
            drawn = below(rng, n)
            assert drawn == twin.below(n)
            assert 0 <= drawn < n
            real = unit(rng)
            assert real == twin.unit()
            assert 0.0 <= real < 1.0


def test_numbers_below_n_are_spread_evenly(way):
    rng = random.seeded(np.random.SeedSequence(0))
    counts = np.bincount([way[1](rng, 6) for _ in range(3000)], minlength=6)
    assert len(counts) == 6
    assert counts.min() > 400
    assert counts.max() < 600


def test_nearby_seeds_give_unrelated_states_and_the_same_seed_the_same():
    states = {tuple(random.seeded(np.random.SeedSequence(seed))) for seed in range(100)}
    assert len(states) == 100
    assert all(a.dtype == np.uint64 for state in states for a in state)
    assert tuple(random.seeded(np.random.SeedSequence(7))) in states


def test_the_state_of_zeros_that_would_stay_zero_is_avoided():
    class Zeros:
        def generate_state(self, n, dtype):
            return np.zeros(n, dtype)

    assert random.seeded(Zeros()).any()


@pytest.mark.parametrize("entropy", [0, 1, 2**32 - 1, 2**32, 2**70 + 3, 2**140 + 17])
def test_seeds_of_many_runs_are_those_of_each(entropy):
    for runs in (range(3), range(7, 60), range(2**32 - 5, 2**32 + 5)):
        seeds = Seeds(entropy, runs)
        assert [seed.spawn_key for seed in seeds] == [(run,) for run in runs]
        assert (all_seeded(seeds) == [seeded(seed) for seed in seeds]).all()
