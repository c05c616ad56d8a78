"""Python's own random numbers inside kernels: the same as `random.Random` and numpy's seeds give."""

from random import Random

import numpy as np
import pytest

from levelsmith.kernels.compile import PLAIN, kernel
from levelsmith.kernels.dice import WORDS, begin_dice, choose_below, share, spread_seed
from levelsmith.kernels.random import seeded

SEEDS = [0, 1, 208, 2**31, 2**32 - 1, 2**32, 2**53 + 1, 2**64 - 1]


def words_of(number, least=1):
    words = [number >> shift & 0xFFFFFFFF for shift in range(0, max(1, number.bit_length()), 32)]
    return words + [0] * (least - len(words))


def spread(seed, run, count):
    made = np.zeros(count, np.int64)
    spread_seed(np.array([*words_of(seed, 4), run], np.int64), made)
    return made


@kernel
def draw_some(dice, sides, chosen, shares):
    for i in range(len(chosen)):
        chosen[i] = choose_below(dice, sides[i])
        shares[i] = share(dice)


@pytest.mark.parametrize("number", [*SEEDS, 2**255 + 7])
def test_dice_begin_and_fall_as_those_of_python(number):
    dice = np.zeros(WORDS + 1, np.uint32)
    begin_dice(dice, np.array(words_of(number, 8), np.int64))
    random = Random(number)
    assert dice.tolist() == list(random.getstate()[1])
    count = 30 if PLAIN else 500
    sides = np.arange(count) % 9 + 1
    chosen, shares = np.zeros(count, np.int64), np.zeros(count)
    draw_some(dice, sides, chosen, shares)
    expected = [(random.randrange(side), random.random()) for side in sides.tolist()]
    assert list(zip(chosen.tolist(), shares.tolist(), strict=True)) == expected
    assert dice.tolist() == list(random.getstate()[1])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seed_spreads_as_numpys(seed):
    for run in (0, 5, 2**32 - 1):
        expected = np.random.SeedSequence(seed, spawn_key=(run,))
        assert spread(seed, run, 8).tolist() == expected.generate_state(8).tolist()
        one, two, three, four = map(int, spread(seed, run, 4))
        assert seeded(expected).tolist() == [one | two << 32, three | four << 32]
