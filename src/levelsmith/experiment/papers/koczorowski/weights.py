"""The fit of the weights in section 3.1 of Koczorowski (2023): a grid over five levels with known scores."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from levelsmith.experiment.page import Gallery, Item, Table
from levelsmith.experiment.papers.captions import Captions
from levelsmith.experiment.statistics import Numbers

# The five examples of Kartal, Sohre, Guy (AIIDE 2016): published score, blocks, boxes, box and goal density.
# Box and goal are paired as in a solution with the fewest pushes.
EXAMPLES = (
    (0.4, 9, 1, 0.0, 0.0),
    (0.6, 9, 3, 1 / 5, 8 / 15),
    (0.8, 7, 4, 1 / 5, 1 / 5),
    (1.0, 6, 5, 1 / 4, 1 / 4),
    (1.2, 4, 6, 7 / 12, 1 / 4),
)
# alpha, beta, gamma: the text has 2.0 as the end, a loop that stops before it tries up to 1.9.
FACTORS = np.arange(1, 20) / 10
FACTORS_OF_TEXT = np.arange(1, 21) / 10
BEFORE = (1.9, 0.1, 1.3, 1, 7, 8, 50)  # what the thesis found, before w_b and k were set by hand
CHOSEN = (1.9, 0.1, 1.3, 3, 7, 8, 55)
WEIGHTS = np.arange(1, 21)  # w_b, w_c, w_n
FILE = "*/aiide2016_five_examples.xsb"


class Fit(NamedTuple):
    """Weights, and how far the scores they give lie from those published."""

    alpha: float
    beta: float
    gamma: float
    w_b: float
    w_c: float
    w_n: float
    k: float
    deviation: float


def scores(alpha: float, beta: float, gamma: float, w_b: float, w_c: float, w_n: float, k: float) -> Numbers:
    """Returns the score of each example."""
    _, blocks, boxes, box_density, goal_density = np.array(EXAMPLES).T
    congestion = (alpha * box_density + beta * goal_density) / gamma
    found: Numbers = (w_b * blocks + w_c * congestion + w_n * boxes) / k
    return found


def fitted(*weights: float) -> Fit:
    error = scores(*weights) - np.array(EXAMPLES)[:, 0]
    alpha, beta, gamma, w_b, w_c, w_n, k = weights
    return Fit(alpha, beta, gamma, w_b, w_c, w_n, k, float(np.sqrt((error**2).mean())))


@cache
def grid(k: float = 50.0, w_b: int | None = None, as_told: bool = False) -> Fit:
    """Returns the best of all 55 million weights of the grid, or of those with this w_b.

    `as_told` takes the grid of the text, of 64 million.
    """
    factors = FACTORS_OF_TEXT if as_told else FACTORS
    published, blocks, boxes, box_density, goal_density = np.array(EXAMPLES).T
    a, b, c = (axis.ravel() for axis in np.meshgrid(factors, factors, factors, indexing="ij"))
    congestion = (np.outer(a, box_density) + np.outer(b, goal_density)) / c[:, None]  # [6859, 5]
    first = WEIGHTS if w_b is None else np.array([w_b])
    x, y = (axis.ravel() for axis in np.meshgrid(first, WEIGHTS, indexing="ij"))
    rest = np.outer(x, blocks) + np.outer(y, boxes) - k * published  # [400, 5]
    squares, crossed, own = (rest**2).sum(1), rest @ congestion.T, (congestion**2).sum(1)
    best: tuple[float, Any] = (np.inf, None)
    for w_c in WEIGHTS:
        errors = squares[:, None] + 2 * w_c * crossed + w_c * w_c * own
        i, j = np.unravel_index(int(errors.argmin()), errors.shape)
        if errors[i, j] < best[0]:
            best = (float(errors[i, j]), (a[j], b[j], c[j], x[i], w_c, y[i]))
    return fitted(*map(float, best[1]), k)


def items(captions: Captions) -> list[Item]:
    """Returns the fits as tables, and the examples where they are at hand."""
    chosen = fitted(*CHOSEN)
    fits = {
        "the thesis' weights before w_b was changed": fitted(*BEFORE),
        "best of the grid up to 1.9, k = 50": grid(),
        "best of the grid up to 2.0, k = 50": grid(as_told=True),
        "the thesis' choice, w_b = 3, k = 55": chosen,
        "best of the grid up to 1.9 with w_b = 3, k = 55": grid(55.0, 3),
    }
    rows = [[name, *fit] for name, fit in fits.items()]
    compared = [
        [f"example {i + 1}", *example[:3], *(scores(*fit[:-1])[i] for fit in fits.values())]
        for i, example in enumerate(EXAMPLES)
    ]
    heads = {"level": "text", "published": "number", **dict.fromkeys(("blocks", "boxes"), "count")}
    heads |= dict.fromkeys(fits, "number")
    found: list[Item] = [
        captions.table("weights", rows),
        Table("weights-scores", "What they make of the five", heads, compared),
    ]
    data = os.environ.get("LEVELSMITH_DATA")
    file = next(Path(data).glob(FILE), None) if data else None
    if file is not None:
        from levelsmith.levels.files import load

        shown = [
            (level, f"published {example[0]:g}, thesis {score:.3f}")
            for level, example, score in zip(load(file), EXAMPLES, scores(*chosen[:-1]), strict=True)
        ]
        found.append(Gallery("Figure 3.1: the five examples", shown))
    else:
        found.append("The five levels are not shown: `LEVELSMITH_DATA` names no folder with them.")
    return found
