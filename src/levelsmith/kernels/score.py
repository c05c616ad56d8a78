"""A score as data: rows of terms over metrics, so that every objective shares one compiled kernel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.errors import LevelsmithError
from levelsmith.kernels.compile import part
from levelsmith.kernels.maths import power
from levelsmith.kernels.problem import metric

if TYPE_CHECKING:
    from levelsmith.core import Term

SOLVED = 1.0  # as `core.SOLVED`
METRIC, SHAPE, BOTTOM, LOW, HIGH, END, WEIGHT = range(7)
RAMP, INVERSE, LINEAR, PART = range(4)
SHAPES = ("ramp", "inverse", "linear", "part")  # as `core.Term.SHAPES`


class Score(NamedTuple):
    """What to aim for, `rows` combined as a weighted mean or as a weighted geometric mean."""

    rows: NDArray[np.float64]  # [terms, 7]
    product: bool


def make(terms: Sequence[Term], metrics: Sequence[str], product: bool = False) -> Score:
    """Returns terms over named metrics as rows; weights are scaled to sum to 1."""
    weights = [term.weight for term in terms if term.shape != "part"]
    total = sum(weights)
    if not weights or not total > 0 or min(weights) < 0 or terms[-1].shape == "part":
        raise LevelsmithError("expected an objective with weights of at least 0 that do not sum to 0")
    rows = []
    for term in terms:
        low, high = term.low, term.high
        if term.shape == "ramp":  # one that takes for ever to rise or fall is 1 all the way
            low = low if term.zero > -math.inf else -math.inf
            high = high if term.end < math.inf else math.inf
        kind = SHAPES.index(term.shape)
        rows.append((metrics.index(term.metric), kind, term.zero, low, high, term.end, term.weight / total))
    return Score(np.array(rows, np.float64), product)


@part
def shaped(row, value):
    """Returns how well one metric does, by its row: see `core.Term`."""
    if row[SHAPE] == RAMP:
        if row[LOW] <= value <= row[HIGH]:
            return 1.0
        if value <= row[BOTTOM] or value >= row[END]:  # also keeps a step, with no slope, from dividing by 0
            return 0.0
        if value < row[LOW]:
            return (value - row[BOTTOM]) / (row[LOW] - row[BOTTOM])
        return (row[END] - value) / (row[END] - row[HIGH])
    if row[SHAPE] == INVERSE:
        return row[LOW] / value if value >= row[LOW] else 0.0
    return (value - row[BOTTOM]) / (row[LOW] - row[BOTTOM])


@part
def score(game, objective, cells):
    """Returns the score of a board; exactly 1 when every term with a goal is met."""
    rows = objective.rows
    mean = 0.0
    product = 1.0
    met = 0
    parts = 0.0
    for i in range(len(rows)):
        measured = metric(game, cells, np.int64(rows[i, METRIC]))
        if rows[i, SHAPE] == PART:
            parts += measured / rows[i, LOW]
            met += 1
            continue
        value = shaped(rows[i], measured + parts)
        parts = 0.0
        if objective.product:
            product *= power(max(0.0, value), rows[i, WEIGHT])
        mean += rows[i, WEIGHT] * value
        if rows[i, SHAPE] != LINEAR and value >= 1.0:
            met += 1
    if met == len(rows):
        return 1.0
    return product if objective.product else mean
