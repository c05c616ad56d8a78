"""The networks of models in plain loops: what a code says about cells, and the chances of a cell's tile."""

from __future__ import annotations

import numpy as np

from levelsmith.learn.kernels.shape import HEADS, offsets


def relu(x):
    return np.maximum(x, 0.0)


def convolved(cells, kernel, step=1):
    """3x3, zeros outside. With a step of 2 an even side begins with its first cell, as in `encode1`."""
    height, width, _ = cells.shape
    rows, columns = -(-height // step), -(-width // step)
    before = [max((n - 1) * step + 3 - side, 0) // 2 for n, side in ((rows, height), (columns, width))]
    out = np.zeros((rows, columns, kernel.shape[-1]))
    for y in range(rows):
        for x in range(columns):
            for i in range(3):
                for j in range(3):
                    row, column = y * step + i - before[0], x * step + j - before[1]
                    if 0 <= row < height and 0 <= column < width:
                        out[y, x] += cells[row, column] @ kernel[i, j]
    return out


def code(settings, weights, grid):
    """The mean of a level's code."""
    cells = np.array([[np.arange(len(settings.kinds)) == tile for tile in row] for row in grid], float)
    if settings.net == "dense":
        cells = relu((cells.ravel() - weights["centre"]) @ weights["inner"] + weights["inner_bias"])
    for name in ("encode1", "encode2", "encode3") if settings.net == "conv" else ():
        cells = relu(convolved(cells, weights[name], 1 if settings.depth and name == "encode3" else 2))
    if settings.depth:  # a vq, whose numbers are the nearest of -1, 0 and 1
        return np.rint(np.tanh(cells @ weights["code"] + weights["code_bias"])).ravel()
    mean = (cells.ravel() @ weights["code"] + weights["code_bias"])[: settings.latent]
    return {"none": mean, "sigmoid": 1 / (1 + np.exp(-mean)), "tanh": np.tanh(mean)}[settings.bound]


def features(settings, weights, code):
    """Of each cell of the level of a code: grown twofold, convolved, cut, three times, or of a vq twice."""
    if settings.depth:
        cells = code.reshape(*settings.sizes[2], settings.depth)
        cells = relu(convolved(cells, weights["decode0"]) + weights["decode0_bias"])
        cells = cells + relu(convolved(cells, weights["decode1"]))
        return grown(settings, weights, cells, ("decode2", "decode3"))
    cells = relu(code @ weights["decode0"] + weights["decode0_bias"])
    if settings.net == "dense":
        return cells
    cells = cells.reshape(*settings.sizes[-1], -1)
    return grown(settings, weights, cells, ("decode1", "decode2", "decode3"))


def grown(settings, weights, cells, names):
    for name, (height, width) in zip(names, settings.sizes[len(names) - 1 :: -1], strict=True):
        cells = convolved(cells.repeat(2, 0).repeat(2, 1), weights[name])[:height, :width]
        cells = relu(cells + weights["places"] if name == "decode3" else cells)
    return cells


def logits(settings, weights, found, told):
    """Of each kind in each cell, from its features and the tiles told before it."""
    height, width = settings.size
    if settings.net == "dense":
        return (found @ weights["out"] + weights["out_bias"]).reshape(height, width, -1)
    out = np.zeros((height, width, len(settings.kinds)))
    for y in range(height):
        for x in range(width):
            if settings.mode == "paper":
                out[y, x] = found[y, x] @ weights["out"] + weights["out_bias"]
                continue
            hidden = found[y, x] @ weights["inside"] + weights["hidden_bias"]
            for i, (down, right) in enumerate(offsets()):
                row, column = y + down, x + right
                inside = row >= 0 and 0 <= column < width
                hidden = hidden + weights["around"][i, told[row][column] if inside else len(settings.kinds)]
            hidden = relu(hidden)
            hidden = hidden + relu(hidden @ weights["deeper"] + weights["deeper_bias"])
            out[y, x] = hidden @ weights["out"] + weights["out_bias"]
    return out


def scores(settings, weights, code):
    """Of each token in each place of the code of a vq, by the places before it."""
    places, width = settings.places, settings.width
    values = np.rint(code).astype(int).reshape(places, settings.depth) + 1
    x = weights["at"].astype(float)
    x[0] += weights["first"]
    for place in range(1, places):
        for j, value in enumerate(values[place - 1]):
            x[place] += weights["seen"][j, value]
    for layer in range(settings.layers):
        queries, keys, found = np.split(normed(x) @ weights["attend"][layer], 3, axis=-1)
        taken, side = np.zeros_like(x), width // HEADS
        for place in range(places):
            for first in range(0, width, side):
                part = slice(first, first + side)
                shares = np.exp(keys[: place + 1, part] @ queries[place, part] / side**0.5)
                taken[place, part] = shares / shares.sum() @ found[: place + 1, part]
        x = x + taken @ weights["mix"][layer]
        x = x + relu(normed(x) @ weights["up"][layer] + weights["up_bias"][layer]) @ weights["down"][layer]
    return normed(x) @ weights["token"] + weights["token_bias"]


def normed(x):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6)
