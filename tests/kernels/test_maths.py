"""Logarithms and powers: within one unit in the last place, compiled as they are plain."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from levelsmith.kernels import maths
from levelsmith.kernels.compile import kernel

RNG = np.random.default_rng(0)
SIGNS = RNG.choice([-1.0, 1.0], 300)
EXPONENTS = [*RNG.uniform(-745, 709.7, 300), *RNG.uniform(-1, 1, 300), 0.0, 709.78, -745.1]
NUMBERS = [
    *(RNG.random(300) * 2.0 ** RNG.integers(-1020, 1020, 300)),
    *RNG.uniform(0.5, 2.0, 300),
    *(1.0 + SIGNS * 10.0 ** RNG.uniform(-14, -1, 300)),
    5e-324,
    1.7e308,
]
ADDED = [
    *RNG.uniform(-0.9999, 3.0, 300),
    *(SIGNS * 10.0 ** RNG.uniform(-17, -1, 300)),
    *(10.0 ** RNG.uniform(0, 300, 300)),
]
BASES = [*RNG.random(300), *(10.0 ** RNG.uniform(-300, 300, 300)), *(1.0 - 10.0 ** RNG.uniform(-6, -1, 300))]
POWERS = [*RNG.uniform(0, 20, 300), *RNG.uniform(-1, 1, 300), *RNG.integers(0, 100_000, 300).astype(float)]


def units(found, true):
    """Returns how many units in the last place a number is from the true one."""
    return abs(Decimal(float(found)) - true) / Decimal(math.ulp(float(true)))


@pytest.mark.parametrize(
    ("function", "given", "true"),
    [
        (maths.exp, [(x,) for x in EXPONENTS], lambda x: x.exp()),
        (maths.log, [(x,) for x in NUMBERS], lambda x: x.ln()),
        (maths.log1p, [(x,) for x in ADDED], lambda x: (1 + x).ln()),
        (maths.power, [*zip(BASES, POWERS, strict=True)], lambda x, y: (y * x.ln()).exp()),
    ],
    ids=["exp", "log", "log1p", "power"],
)
def test_it_is_within_a_unit_in_the_last_place(function, given, true):
    with localcontext(prec=50):
        worst = max(units(function(*map(np.float64, one)), true(*map(Decimal, one))) for one in given)
    assert worst < 0.9


@pytest.mark.parametrize(
    ("function", "given", "expected"),
    [
        (maths.exp, (0.0,), 1.0),
        (maths.exp, (710.0,), math.inf),
        (maths.exp, (-800.0,), 0.0),
        (maths.exp, (math.inf,), math.inf),
        (maths.exp, (-math.inf,), 0.0),
        (maths.log, (1.0,), 0.0),
        (maths.log, (0.0,), -math.inf),
        (maths.log, (math.inf,), math.inf),
        (maths.log1p, (0.0,), 0.0),
        (maths.log1p, (-1.0,), -math.inf),
        (maths.power, (0.0, 0.0), 1.0),
        (maths.power, (0.0, 2.0), 0.0),
        (maths.power, (0.0, -1.0), math.inf),
        (maths.power, (2.0, 10.0), 1024.0),
        (maths.power, (7.0, 1.0), 7.0),
        (maths.power, (2.0, 5000.0), math.inf),
        (maths.power, (0.5, 5000.0), 0.0),
        (maths.power, (math.inf, -1.0), 0.0),
    ],
)
def test_at_the_ends_it_is_what_it_should_be(function, given, expected):
    assert function(*given) == expected


def test_a_cosine_of_turns_is_as_near_as_its_angle():
    for turns in RNG.random(1_000):
        assert maths.cosine_of_turns(turns) == pytest.approx(math.cos(2 * math.pi * turns), abs=2e-15)


def test_what_is_no_number_stays_so():
    for found in (maths.exp(math.nan), maths.log(-1.0), maths.log1p(-2.0), maths.power(-1.0, 2.0)):
        assert math.isnan(found)


@kernel
def all_of(numbers, powers, out):
    for i in range(len(numbers)):
        out[i, 0] = maths.exp(powers[i])
        out[i, 1] = maths.log(numbers[i])
        out[i, 2] = maths.log1p(numbers[i])
        out[i, 3] = maths.power(numbers[i], powers[i])


def test_compiled_it_gives_the_same_bits():
    numbers, powers = np.array(BASES), np.array(POWERS)
    compiled, plain = np.zeros((2, len(numbers), 4))
    all_of(numbers, powers, compiled)
    with np.errstate(all="ignore"):
        getattr(all_of, "py_func", all_of)(numbers, powers, plain)
    assert compiled.tobytes() == plain.tobytes()
