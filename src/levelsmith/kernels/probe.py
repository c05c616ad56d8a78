"""A known call: what every library of built kernels is asked first."""

from __future__ import annotations


def probe(numbers, factor):
    """Returns a sum that comes out only where cells, axes and fractions are read as they are meant."""
    total = 0.0
    for i in range(numbers.shape[0]):
        for j in range(numbers.shape[1]):
            total = total * factor + numbers[i, j] * (i + 1)
    return total
