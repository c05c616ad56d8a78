"""Rows of numbers, written whole: loops in a kernel, numpy's own work where nothing is compiled."""

from __future__ import annotations

from levelsmith.kernels.compile import replace_inside


def copy_row(source, target):
    """Writes one row into another of its length."""
    target[:] = source


def fill_row(target, value):
    """Writes a value into every place of a row."""
    target[:] = value


def _copy_row(source, target):
    for i in range(len(target)):
        target[i] = source[i]


def _fill_row(target, value):
    for i in range(len(target)):
        target[i] = value


replace_inside(copy_row, lambda source, target: _copy_row)
replace_inside(fill_row, lambda target, value: _fill_row)
