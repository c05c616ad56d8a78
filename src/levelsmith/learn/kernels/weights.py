"""The weights of a model as the compiled layers take them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from levelsmith.learn.model import Weights

Array = NDArray[np.float32]
LAYERS = (
    "inner", "inner_bias", "encode1", "encode2", "encode3", "code", "code_bias", "decode0", "decode0_bias",
    "decode1", "decode2", "decode3", "places", "mean", "spread",
)  # fmt: skip
DOUBLED = ("decode1", "decode2", "decode3")


def of_layers(weights: Weights, more: int, placed: bool) -> Weights:
    """Returns the weights of all layers, those that a net is without empty; the last has `more` columns.

    The first layer after the code doubles nothing where codes are maps of places.
    """
    found = {name: weights.get(name, np.zeros(0, np.float32)) for name in LAYERS}
    found |= {name: of_doubled(weights[name]) for name in DOUBLED[placed:] if name in weights}
    if "inner" in weights:  # which sees a level against the mean of those learned from
        found["inner_bias"] = weights["inner_bias"] - weights["centre"] @ weights["inner"]
    found["out"] = np.pad(weights["out"], ((0, 0), (0, more)))
    found["out_bias"] = np.pad(weights["out_bias"], (0, more))
    return {name: array.ravel() for name, array in found.items()}


def of_drawing(weights: Weights) -> Weights:
    """Returns the weights of drawing. Tiles of the first kind, which are most, add nothing: the bias does."""
    if "around" not in weights:
        return dict.fromkeys(("seen", "hidden_bias", "deeper", "deeper_bias"), np.zeros(0, np.float32))
    around = weights["around"] - weights["around"][:, :1]
    return {
        "seen": np.concatenate([around.ravel(), weights["inside"].ravel()]),
        "hidden_bias": weights["hidden_bias"] + weights["around"][:, 0].sum(0),
        "deeper": weights["deeper"].ravel(),
        "deeper_bias": weights["deeper_bias"],
    }


def of_doubled(weights: Array) -> Array:
    """Returns weights for a map of those of a convolution over the map with rows and columns doubled.

    A cell of the doubled map sees two rows and two columns of the map, which ones depends on whether its own
    row and column are even: `[row odd, column odd, row, column, in, out]`.
    """
    rows = np.zeros((2, 2, *weights.shape[1:]), np.float32)
    rows[0, 0], rows[0, 1] = weights[0], weights[1] + weights[2]
    rows[1, 0], rows[1, 1] = weights[0] + weights[1], weights[2]
    both = np.zeros((2, 2, 2, 2, *weights.shape[2:]), np.float32)
    for odd in (0, 1):
        for row in (0, 1):
            left, middle, right = rows[odd, row]
            both[odd, 0, row, 0], both[odd, 0, row, 1] = left, middle + right
            both[odd, 1, row, 0], both[odd, 1, row, 1] = left + middle, right
    return np.ascontiguousarray(both).ravel()
