"""The networks of models in plain loops: what a code says about cells, and the chances of a cell's tile."""

from __future__ import annotations

import numpy as np

from levelsmith.learn.kernels.shape import offsets


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
        cells = relu(convolved(cells, weights[name], 2))
    mean = (cells.ravel() @ weights["code"] + weights["code_bias"])[: settings.latent]
    return {"none": mean, "sigmoid": 1 / (1 + np.exp(-mean)), "tanh": np.tanh(mean)}[settings.bound]


def features(settings, weights, code):
    """Of each cell of the level of a code: grown twofold, convolved, cut, three times."""
    cells = relu(code @ weights["decode0"] + weights["decode0_bias"])
    if settings.net == "dense":
        return cells
    cells = cells.reshape(*settings.sizes[-1], -1)
    for name, (height, width) in zip(("decode1", "decode2", "decode3"), settings.sizes[-2::-1], strict=True):
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
