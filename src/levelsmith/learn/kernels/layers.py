"""What the layers of a model are made of, compiled: rows of weights added up, a kind drawn by its score."""

from __future__ import annotations

import math

import numpy as np

from levelsmith.kernels.compile import part
from levelsmith.kernels.maths import cosine_of_turns, exp, log
from levelsmith.kernels.random import unit
from levelsmith.kernels.words import U
from levelsmith.learn.kernels.shape import MIRRORED

ZERO, ONE = np.float32(0.0), np.float32(1.0)
HARDLY = -16.0  # logarithm of a chance that is as good as none


@part
def add_rows(lists, out, at, width, weights, base, first, count):
    """Adds listed rows of weights to a stretch of an array, four at a time where there are four.

    Numbers without a sign need no look whether they count from the end, which lets the loops be vectorised.
    """
    rows, amounts = lists
    i, end, to = first, first + count, U(at)
    while i < end:
        a, of_a = U(base + rows[i]), amounts[i]
        if i + 4 <= end:
            b, of_b = U(base + rows[i + 1]), amounts[i + 1]
            c, of_c = U(base + rows[i + 2]), amounts[i + 2]
            d, of_d = U(base + rows[i + 3]), amounts[i + 3]
            for j in range(U(width)):
                more = of_a * weights[a + j] + of_b * weights[b + j]
                out[to + j] += more + (of_c * weights[c + j] + of_d * weights[d + j])
            i += 4
        else:
            for j in range(U(width)):
                out[to + j] += of_a * weights[a + j]
            i += 1


@part
def list_active(lists, values, begin, size, first, row, base):
    """Lists the numbers of a stretch that are above zero, with their rows of weights; how many there are."""
    rows, amounts = lists
    count = 0
    for i in range(size):
        value = values[begin + i]
        rows[first + count] = base + i * row
        amounts[first + count] = value
        count += 1 if value > ZERO else 0
    return count


@part
def list_map(lists, counts, values, cells, channels, row):
    """Lists what is above zero in each cell of a map."""
    for cell in range(cells):
        at = cell * channels
        counts[cell] = list_active(lists, values, at, channels, at, row, 0)


@part
def fill(out, size, value):
    for i in range(size):
        out[i] = value


@part
def copy(out, values, size):
    for i in range(size):
        out[i] = values[i]


@part
def rectify(out, size):
    for i in range(size):
        out[i] = max(out[i], ZERO)


@part
def chosen(scores, kinds, temperature, rng):
    """Returns a kind drawn by its score, which becomes its chance; at temperature 0 that with the highest."""
    top = scores[0]
    best = np.int64(0)
    for k in range(1, kinds):
        if scores[k] > top:
            best, top = np.int64(k), scores[k]
    if temperature <= 0.0:
        return best
    total = 0.0
    for k in range(kinds):
        below = (scores[k] - top) / temperature
        scores[k] = exp(np.float64(below)) if below > HARDLY else 0.0
        total += scores[k]
    left = unit(rng) * total
    for k in range(kinds):
        left -= scores[k]
        if left < 0.0:
            return np.int64(k)
    return best


@part
def normal(rng):
    """Returns a number from the normal distribution (Box and Muller, 1958)."""
    return math.sqrt(-2.0 * log(1.0 - unit(rng))) * cosine_of_turns(unit(rng))


@part
def mirror(cells, height, width, rightwards):
    """Makes one half of a board the mirror image of the other, the right one of the left or the left one."""
    for y in range(height):
        for x in range(width // 2):
            left, right = y * width + x, (y + 1) * width - 1 - x
            if rightwards:
                cells[right] = cells[left]
            else:
                cells[left] = cells[right]


@part
def is_mirrored(cells, height, width):
    """Returns whether a board is like its mirror image, as `Data.symmetry` counts."""
    same, either = 0, 0
    for y in range(height):
        for x in range(width // 2):
            left, right = cells[y * width + x], cells[(y + 1) * width - 1 - x]
            either += 1 if left > 0 or right > 0 else 0
            same += 1 if left > 0 and left == right else 0
    return same >= MIRRORED * either
