"""A model at work, compiled: from a level to its code, and from a code to a level.

Activations are mostly zero, so each layer goes over those that are not and adds their weights to the next.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import part
from levelsmith.kernels.random import unit
from levelsmith.learn.model import SIDE, UP, WIDTHS, Model, offsets

F = np.float32
ZERO = F(0.0)
Array = NDArray[np.float32]


class Network(NamedTuple):
    """Weights as the kernels take them, and room for what they compute."""

    height: int
    width: int
    kinds: int
    latent: int
    features: int
    hidden: int
    drawn: bool  # whether cells are drawn one after the other; else the last channel above one half wins
    bounded: bool  # whether codes lie between -1 and 1
    tile_of: NDArray[np.uint8]  # [kinds] the tile of each kind, or channel
    kind_of: NDArray[np.uint8]  # [256] the kind of each tile; `kinds` for none
    sizes: NDArray[np.int64]  # [4, 2] of the level, and after each convolution
    encode1: Array  # [3, 3, kinds, a] and so on, as in model.Settings.shapes
    encode2: Array
    encode3: Array
    code: Array
    code_bias: Array
    decode0: Array
    decode0_bias: Array
    decode1: Array  # [2, 2, 2, 2, c, b]: see `of_doubled`
    decode2: Array
    decode3: Array
    places: Array
    mean: Array
    spread: Array
    around: Array
    inside: Array
    hidden_bias: Array
    deeper: Array
    deeper_bias: Array
    out: Array
    out_bias: Array
    steps: NDArray[np.int64]  # [offsets] from a cell to those around it, on the board with its border
    border: NDArray[np.uint8]  # [(height + UP) * (width + 2 * SIDE)] the kinds drawn so far, outside them
    maps: Array  # [4, most activations of a layer]
    line: Array  # [3, most of hidden, kinds and 2 * latent]


def make(model: Model) -> Network:
    settings, weights = model.settings, model.weights
    tiles = games_tiles(settings.game)
    kinds, (height, width) = len(settings.kinds), settings.size
    tile_of = np.array([tiles.index(name) for name in settings.kinds], np.uint8)
    kind_of = np.full(256, kinds, np.uint8)
    kind_of[tile_of] = np.arange(kinds)
    a, b, c = WIDTHS
    sizes = np.array(settings.sizes, np.int64)
    widest = max(a, b, c, settings.features)
    activations = (2 * sizes[1][0]) * (2 * sizes[1][1]) * widest
    nothing = np.zeros(0, np.float32)
    stride = width + 2 * SIDE
    return Network(
        height=height,
        width=width,
        kinds=kinds,
        latent=settings.latent,
        features=settings.features,
        hidden=settings.hidden,
        drawn=settings.mode != "paper",
        bounded=settings.model == "ae",
        tile_of=tile_of,
        kind_of=kind_of,
        sizes=sizes,
        decode1=of_doubled(weights["decode1"]),
        decode2=of_doubled(weights["decode2"]),
        decode3=of_doubled(weights["decode3"]),
        **{name: weights.get(name, nothing).ravel() for name in PLAIN},
        steps=np.array([up * stride + side for up, side in offsets()]),
        border=np.full((height + UP) * stride, kinds, np.uint8),
        maps=np.zeros((4, int(activations)), np.float32),
        line=np.zeros((3, max(settings.hidden, kinds, 2 * settings.latent)), np.float32),
    )


PLAIN = (
    "encode1", "encode2", "encode3", "code", "code_bias", "decode0", "decode0_bias", "places", "mean",
    "spread", "around", "inside", "hidden_bias", "deeper", "deeper_bias", "out", "out_bias",
)  # fmt: skip


def games_tiles(game: str) -> Any:
    from levelsmith.registry import games

    return games.get(game).tiles.names


def of_doubled(weights: Array) -> Array:
    """The weights of a convolution over a map whose rows and columns are each there twice, on the map itself.

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


@part
def add_scaled(out, at, weights, begin, width, scale):
    """Adds a stretch of weights, times a number, to a stretch of an array."""
    for j in range(width):
        out[at + j] += scale * weights[begin + j]


@part
def rectify(out, size):
    for i in range(size):
        out[i] = max(out[i], ZERO)


@part
def seen_by(size):
    """How many rows before its first a convolution begins that halves so many."""
    return 1 if size % 2 == 1 else 0


@part
def encode(net, cells):
    """The code of a board of bytes, in `line[0]`."""
    a, b, c = WIDTHS
    first, second, third = net.maps[0], net.maps[1], net.maps[2]
    height, width = net.sizes[1, 0], net.sizes[1, 1]
    for i in range(height * width * a):
        first[i] = ZERO
    top, left = seen_by(net.height), seen_by(net.width)
    for y in range(height):
        for x in range(width):
            for tap in range(9):
                row, column = 2 * y + tap // 3 - top, 2 * x + tap % 3 - left
                if 0 <= row < net.height and 0 <= column < net.width:
                    kind = np.int64(net.kind_of[cells[row * net.width + column]])
                    if kind < net.kinds:
                        add_scaled(
                            first, (y * width + x) * a, net.encode1, (tap * net.kinds + kind) * a, a, F(1.0)
                        )
    rectify(first, height * width * a)
    halve(net, first, a, second, b, net.encode2, 1)
    halve(net, second, b, third, c, net.encode3, 2)
    code = net.line[0]
    for j in range(2 * net.latent):
        code[j] = net.code_bias[j]
    for i in range(net.sizes[3, 0] * net.sizes[3, 1] * c):
        if third[i] > ZERO:
            add_scaled(code, 0, net.code, i * 2 * net.latent, 2 * net.latent, third[i])
    if net.bounded:
        for j in range(net.latent):
            code[j] = math.tanh(code[j])


@part
def halve(net, before, channels, after, out, weights, layer):
    """A convolution of 3x3 that halves a map, then only what is above zero."""
    rows, columns = net.sizes[layer, 0], net.sizes[layer, 1]
    height, width = net.sizes[layer + 1, 0], net.sizes[layer + 1, 1]
    top, left = seen_by(rows), seen_by(columns)
    for i in range(height * width * out):
        after[i] = ZERO
    for y in range(height):
        for x in range(width):
            for tap in range(9):
                row, column = 2 * y + tap // 3 - top, 2 * x + tap % 3 - left
                if 0 <= row < rows and 0 <= column < columns:
                    at = (row * columns + column) * channels
                    for i in range(channels):
                        if before[at + i] > ZERO:
                            begin = (tap * channels + i) * out
                            add_scaled(after, (y * width + x) * out, weights, begin, out, before[at + i])
    rectify(after, height * width * out)


@part
def double(net, before, channels, after, out, weights, layer):
    """A convolution of 3x3 over a map with each cell twice in both directions, cut to the size of a layer."""
    rows, columns = net.sizes[layer + 1, 0], net.sizes[layer + 1, 1]
    height, width = net.sizes[layer, 0], net.sizes[layer, 1]
    for i in range(height * width * out):
        after[i] = ZERO
    for y in range(height):
        for x in range(width):
            phase = 4 * (2 * (y % 2) + x % 2)
            for tap in range(4):
                row, column = y // 2 + y % 2 - 1 + tap // 2, x // 2 + x % 2 - 1 + tap % 2
                if 0 <= row < rows and 0 <= column < columns:
                    at = (row * columns + column) * channels
                    for i in range(channels):
                        if before[at + i] > ZERO:
                            begin = ((phase + tap) * channels + i) * out
                            add_scaled(after, (y * width + x) * out, weights, begin, out, before[at + i])


@part
def decode(net, cells, temperature, rng):
    """A board of bytes from the code in `line[0]`; at a low temperature the likelier tiles are drawn more."""
    b, c = WIDTHS[1], WIDTHS[2]
    code = net.line[0]
    zero, one, two, three = net.maps[3], net.maps[2], net.maps[1], net.maps[0]
    flat = net.sizes[3, 0] * net.sizes[3, 1] * c
    for i in range(flat):
        zero[i] = net.decode0_bias[i]
    for i in range(net.latent):
        add_scaled(zero, 0, net.decode0, i * flat, flat, code[i])
    rectify(zero, flat)
    double(net, zero, c, one, b, net.decode1, 2)
    rectify(one, net.sizes[2, 0] * net.sizes[2, 1] * b)
    double(net, one, b, two, b, net.decode2, 1)
    rectify(two, net.sizes[1, 0] * net.sizes[1, 1] * b)
    double(net, two, b, three, net.features, net.decode3, 0)
    for i in range(net.height * net.width * net.features):
        three[i] = max(three[i] + net.places[i], ZERO)
    if net.drawn:
        draw(net, three, cells, temperature, rng)
    else:
        settle(net, three, cells)


@part
def settle(net, features, cells):
    """Each cell becomes the last channel whose chance is above one half, or the first tile."""
    scores = net.line[1]
    for cell in range(net.height * net.width):
        for k in range(net.kinds):
            scores[k] = net.out_bias[k]
        for i in range(net.features):
            value = features[cell * net.features + i]
            if value > ZERO:
                add_scaled(scores, 0, net.out, i * net.kinds, net.kinds, value)
        cells[cell] = 0
        for k in range(net.kinds):
            if scores[k] > ZERO:
                cells[cell] = net.tile_of[k]


@part
def draw(net, features, cells, temperature, rng):
    """Draws cell after cell, each by its features and the tiles around it that are there already."""
    hidden, deeper, scores = net.line[0], net.line[1], net.line[2]
    size, stride = net.hidden, net.width + 2 * SIDE
    for y in range(net.height):
        for x in range(net.width):
            cell, here = y * net.width + x, (y + UP) * stride + x + SIDE
            for j in range(size):
                hidden[j] = net.hidden_bias[j]
            for i in range(net.features):
                value = features[cell * net.features + i]
                if value > ZERO:
                    add_scaled(hidden, 0, net.inside, i * size, size, value)
            for k in range(len(net.steps)):
                kind = np.int64(net.border[here + net.steps[k]])
                add_scaled(hidden, 0, net.around, (k * (net.kinds + 2) + kind) * size, size, F(1.0))
            for j in range(size):
                deeper[j] = net.deeper_bias[j]
            for i in range(size):
                if hidden[i] > ZERO:
                    add_scaled(deeper, 0, net.deeper, i * size, size, hidden[i])
            for k in range(net.kinds):
                scores[k] = net.out_bias[k]
            for i in range(size):
                value = max(hidden[i], ZERO) + max(deeper[i], ZERO)
                if value > ZERO:
                    add_scaled(scores, 0, net.out, i * net.kinds, net.kinds, value)
            kind = chosen(scores, net.kinds, temperature, rng)
            net.border[here] = kind
            cells[cell] = net.tile_of[kind]


@part
def chosen(scores, kinds, temperature, rng):
    """A kind drawn by its score; at temperature 0 that with the highest."""
    top = scores[0]
    best = np.int64(0)
    for k in range(1, kinds):
        if scores[k] > top:
            best, top = np.int64(k), scores[k]
    if temperature <= 0.0:
        return best
    total = 0.0
    for k in range(kinds):
        total += math.exp((scores[k] - top) / temperature)
    left = unit(rng) * total
    for k in range(kinds):
        left -= math.exp((scores[k] - top) / temperature)
        if left < 0.0:
            return np.int64(k)
    return best


@part
def draw_code(net, rng):
    """A random code, in `line[0]`: spread as those of the levels learned from, or anywhere in bounds."""
    code, free = net.line[0], net.line[1]
    for i in range(net.latent):
        free[i] = 2.0 * unit(rng) - 1.0 if net.bounded else normal(rng)
        code[i] = net.mean[i]
    for i in range(net.latent):
        for j in range(net.latent):
            code[i] += net.spread[i * net.latent + j] * free[j]


@part
def shift_code(net, by, rng):
    """Moves the code in `line[0]` a random way, in units of how codes are spread."""
    code, free = net.line[0], net.line[1]
    for i in range(net.latent):
        free[i] = by * normal(rng)
    for i in range(net.latent):
        for j in range(net.latent):
            code[i] += net.spread[i * net.latent + j] * free[j]
        if net.bounded:
            code[i] = min(F(1.0), max(F(-1.0), code[i]))


@part
def normal(rng):
    """A number from the normal distribution (Box and Muller, 1958)."""
    return math.sqrt(-2.0 * math.log(1.0 - unit(rng))) * math.cos(2.0 * math.pi * unit(rng))
