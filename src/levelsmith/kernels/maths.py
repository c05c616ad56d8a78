"""Logarithms and powers that are the same to the last bit on every machine: plain sums and products.

A C library's own differ in the last bit from system to system, and a search that hangs on one goes another
way. Sums, products, quotients and square roots of float64 are rounded by IEEE 754 in one way everywhere, and
so is what is made of them in a fixed order. Each is within one unit in the last place of the true value.
"""

from __future__ import annotations

import math

import numpy as np

from levelsmith.kernels.compile import part, routine

# The logarithm of 2 in two pieces: the first ends in zeros, so that its product with an exponent is exact.
LN2_HIGH = 0.6931471803691238
LN2_LOW = 1.9082149292705877e-10
PER_LN2 = 1.4426950408889634
ROOT = 1.4142135623730951
MOST, LEAST = 709.782712893384, -745.1332191019412  # beyond these an exponential is infinite or 0
SPLIT = 134217729.0  # 2**27 + 1: parts a number in two halves
ONE_BITS = np.int64(0x3FF0000000000000)  # those of 1.0
MANTISSA = np.int64((1 << 52) - 1)
BIAS = 1023

# 2 / 3, 2 / 5 …: the logarithm of (1 + s) / (1 - s) is 2 s + 2 / 3 s**3 + 2 / 5 s**5 …
AREA = np.array([2.0 / (2 * n + 1) for n in range(1, 11)])
# 1 / 3!, 1 / 4! …
SERIES = np.array([1.0 / math.factorial(n) for n in range(3, 15)])
# The logarithms of 11 / 16, 12 / 16 … 23 / 16, each in two pieces.
FIRST = 11
LOGS = np.array(
    [
        (-0.3746934494414107, 3.9243112288632396e-18),
        (-0.2876820724517809, -2.607160616442564e-17),
        (-0.2076393647782445, -1.2053243216686129e-17),
        (-0.13353139262452263, 3.664457663660085e-18),
        (-0.06453852113757118, 6.470486661692933e-18),
        (0.0, 0.0),
        (0.06062462181643484, 2.6424025938726934e-18),
        (0.11778303565638346, -1.1971685747593677e-18),
        (0.17185025692665923, -6.0224538210113705e-18),
        (0.22314355131420976, -9.091270597324799e-18),
        (0.27193371548364176, 7.83319637697442e-19),
        (0.3184537311185346, 2.7114779367326236e-17),
        (0.3629054936893685, -2.1492361455310972e-17),
    ]
)


@part
def _bits_of(x):
    """Returns the bits of a float64."""
    return np.float64(x).view(np.int64)


@part
def _power_of_two(n):
    """Returns 2**n, for n from -1022 to 1023."""
    return np.int64((n + BIAS) << 52).view(np.float64)


@part
def _scaled(y, n):
    """Returns y * 2**n for a y near 1."""
    if n > 1000:
        return y * _power_of_two(1000) * _power_of_two(n - 1000)
    if n < -1000:
        return y * _power_of_two(n + 1000) * _power_of_two(-1000)
    return y * _power_of_two(n)


@part
def _parted(x):
    """Returns m and n of x = m 2**n, with m from sqrt(1/2) to sqrt(2), for an x with all its digits."""
    bits = _bits_of(x)
    n = (bits >> 52) - BIAS
    m = np.int64((bits & MANTISSA) | ONE_BITS).view(np.float64)
    return (0.5 * m, n + 1) if m > ROOT else (m, n)


@part
def _sum_of(row, z):
    """Returns row[0] + row[1] z + row[2] z**2 …, of an even number of them."""
    square = z * z
    even, odd = 0.0, 0.0
    for i in range(len(row) - 2, -1, -2):  # two sums side by side, for processors that can
        even = even * square + row[i]
        odd = odd * square + row[i + 1]
    return even + odd * z


@part
def _exp(x, extra):
    """Returns the exponential of x + extra, where that is between the least and the most."""
    n = np.int64(math.floor(x * PER_LN2 + 0.5))
    high, low = x - n * LN2_HIGH, n * LN2_LOW - extra
    r = high - low
    small = r * r * (0.5 + r * _sum_of(SERIES, r))
    return _scaled(1.0 + (high + (small - low)), n)


@routine
def exp(x):
    """Returns e**x."""
    if x != x or x > MOST:
        return x * math.inf
    return _exp(x, 0.0) if x > LEAST else 0.0


@part
def _log(f, n, extra):
    """Returns the logarithm of (1 + f) 2**n, plus something small."""
    s = f / (2.0 + f)
    z = s * s
    half = 0.5 * f * f
    rest = s * (half + z * _sum_of(AREA, z)) + (n * LN2_LOW + extra)
    return n * LN2_HIGH - ((half - rest) - f)


@routine
def log(x):
    """Returns the logarithm of x to base e; minus infinity of 0."""
    if not x > 0.0:
        return -math.inf if x == 0.0 else math.nan
    if x == math.inf:
        return x
    few = 0
    if x < 2.0**-1022:
        x, few = x * 2.0**54, 54
    m, n = _parted(x)
    return _log(m - 1.0, n - few, 0.0)


@routine
def log1p(x):
    """Returns the logarithm of 1 + x, precise for a small x too."""
    if not x > -1.0:
        return -math.inf if x == -1.0 else math.nan
    if x == math.inf or abs(x) < 2.0**-54:
        return x
    if -0.29 < x < 0.41:
        return _log(x, 0, 0.0)
    whole = 1.0 + x
    m, n = _parted(whole)
    return _log(m - 1.0, n, _lost_of_sum(1.0, x, whole) / whole)


@part
def _lost_of_product(a, b, product):
    """Returns what a product of float64 lacks of the true one."""
    c = SPLIT * a
    high_a = c - (c - a)
    low_a = a - high_a
    c = SPLIT * b
    high_b = c - (c - b)
    low_b = b - high_b
    return low_a * low_b - (((product - high_a * high_b) - low_a * high_b) - high_a * low_b)


@part
def _lost_of_sum(a, b, total):
    """Returns what a sum of float64 lacks of the true one."""
    part_of_b = total - a
    return (a - (total - part_of_b)) + (b - part_of_b)


@routine
def power(x, y):
    """Returns x**y, of an x that is not less than 0."""
    if y == 0.0 or x == 1.0:
        return 1.0
    if y == 1.0:
        return x
    if not x > 0.0 or x == math.inf:
        if x == 0.0 or x == math.inf:
            return math.inf if (x == 0.0) == (y < 0.0) else 0.0
        return math.nan
    few = 0
    if x < 2.0**-1022:
        x, few = x * 2.0**54, 54
    m, n = _parted(x)
    n -= few
    place = np.int64(math.floor(m * 16.0 + 0.5))
    near = place / 16.0
    f, whole = m - near, m + near
    lost = _lost_of_sum(m, near, whole)
    s = f / whole
    product = s * whole
    more = (((f - product) - _lost_of_product(s, whole, product)) - s * lost) / whole
    z = s * s
    low = 2.0 * more + s * z * _sum_of(AREA, z) + (n * LN2_LOW + LOGS[place - FIRST, 1])
    first = n * LN2_HIGH
    second = first + LOGS[place - FIRST, 0]
    third = second + 2.0 * s
    low += _lost_of_sum(first, LOGS[place - FIRST, 0], second) + _lost_of_sum(second, 2.0 * s, third)
    high = third + low
    low -= high - third
    product = y * high
    if not abs(product) < 800.0:
        return math.inf if product > 0.0 else 0.0
    rest = _lost_of_product(y, high, product) + y * low
    total = product + rest
    if total > MOST:
        return math.inf
    return _exp(total, rest - (total - product)) if total > LEAST else 0.0


@routine
def cosine_of_turns(turns):
    """Returns the cosine of an angle in whole turns, from 0 to 1."""
    quarter = np.int64(math.floor(4.0 * turns + 0.5))
    angle = 2.0 * math.pi * (turns - 0.25 * quarter)  # at most an eighth of a turn
    z = -angle * angle
    odd = quarter & 1 == 1
    total = 0.0
    for i in range(9, 0, -1):
        total = (total + 1.0) * z / (2 * i * (2 * i + 1) if odd else 2 * i * (2 * i - 1))
    value = angle * (1.0 + total) if odd else 1.0 + total
    return -value if quarter & 3 == 1 or quarter & 3 == 2 else value
