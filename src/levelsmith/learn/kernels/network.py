"""A model at work, compiled: from a level to its code, and from a code to a level.

Activations are mostly zero, so each layer lists those that are not and adds their rows of weights to the
next, in one order whatever the processor. Both ways are kernels of their own: as a part of each search they
would take long to compile.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.maths import exp
from levelsmith.kernels.random import below, unit
from levelsmith.learn.kernels import layers
from levelsmith.learn.kernels.prior import Prior, draw_places
from levelsmith.learn.kernels.prior import make as make_prior
from levelsmith.learn.kernels.shape import BOUNDS, LANES, SIDE, UP, VALUES, WIDTHS, offsets
from levelsmith.learn.kernels.weights import of_drawing, of_layers

if TYPE_CHECKING:
    from levelsmith.learn.model import Model

F = np.float32
UNBOUNDED, SIGMOID, TANH = range(3)  # of codes
TURN = F(math.atanh(1 / (VALUES - 1)))  # from which on a number of a vq is nearer to 1 than to 0
PLACE = 4  # cells along a side of a place of a vq's code
WIDEST = 3  # places along a side of a part that is drawn anew
Array = NDArray[np.float32]


class Network(NamedTuple):
    """Weights as the kernels take them, and workspace for what they compute."""

    height: int
    width: int
    kinds: int
    latent: int
    features: int
    hidden: int
    drawn: bool  # whether cells are drawn one after the other; else the last channel above one half wins
    dense: bool  # whether a hidden layer on either side sees the whole level; else convolutions
    bound: int  # of codes: UNBOUNDED, SIGMOID or TANH
    low: np.float32  # between which the numbers of bounded codes lie
    high: np.float32
    tile_of: NDArray[np.uint8]  # [kinds] the tile of each kind, or channel
    kind_of: NDArray[np.uint8]  # [256] the kind of each tile; `kinds` for none
    sizes: NDArray[np.int64]  # [4, 2] of the level, and after each convolution
    inner: Array  # [cells * kinds, hidden] of a dense net
    inner_bias: Array
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
    seen: Array  # [offsets * (kinds + 2) + features, hidden]: `around`, then `inside`
    hidden_bias: Array
    deeper: Array
    deeper_bias: Array
    out: Array  # [hidden or features, scores]; of a dense net [hidden, cells * kinds]
    out_bias: Array
    scores: int  # kinds, and a few more that count nothing, so that there are whole quarters of them
    steps: NDArray[np.int64]  # [offsets] from a cell to those around it, on the board with its border
    border: NDArray[np.uint8]  # [(height + UP) * (width + 2 * SIDE)] the kinds drawn so far, outside them
    maps: Array  # [4, most activations of a layer]
    line: Array  # [3, most of hidden, scores and 2 * latent]
    rows: NDArray[np.int64]  # [most activations] where the weights of those begin that are not zero
    amounts: Array  # [most activations] how much of each of these is to be added
    counts: NDArray[np.int64]  # [cells] how many there are in each cell of a map
    kept: NDArray[np.uint8]  # [cells] 1 for those that stay as they are when a level is drawn
    prior: Prior  # of a vq
    symmetry: float  # share of new levels that are made their own mirror images


def make(model: Model) -> Network:
    settings, weights = model.settings, model.weights
    kinds, (height, width) = len(settings.kinds), settings.size
    tile_of = np.array([model.tiles.index(name) for name in settings.kinds], np.uint8)
    kind_of = np.full(256, kinds, np.uint8)
    kind_of[tile_of] = np.arange(kinds)
    sizes = np.array(settings.sizes, np.int64)
    dense = settings.net == "dense"
    activations = int((2 * sizes[1][0]) * (2 * sizes[1][1]) * max(*WIDTHS, settings.features))
    if dense:
        activations = max(height * width * kinds, settings.hidden)
    scores = -(-kinds // LANES) * LANES
    stride = width + 2 * SIDE
    low, high = settings.bounds or (0.0, 0.0)
    return Network(
        height=height,
        width=width,
        kinds=kinds,
        latent=settings.latent,
        features=settings.features,
        hidden=settings.hidden,
        drawn=settings.mode != "paper",
        dense=dense,
        bound=list(BOUNDS).index(settings.bound),
        low=F(low),
        high=F(high),
        tile_of=tile_of,
        kind_of=kind_of,
        sizes=sizes,
        **of_layers(weights, 0 if dense else scores - kinds, settings.model == "vq"),
        **of_drawing(weights),
        scores=scores,
        steps=np.array([up * stride + side for up, side in offsets()]),
        border=np.full((height + UP) * stride, kinds, np.uint8),
        maps=np.zeros((4, activations), np.float32),
        line=np.zeros((3, max(settings.hidden, scores, 2 * settings.latent)), np.float32),
        rows=np.zeros(activations + settings.hidden + len(offsets()), np.int64),
        amounts=np.zeros(activations + settings.hidden + len(offsets()), np.float32),
        counts=np.zeros(height * width, np.int64),
        kept=np.zeros(height * width, np.uint8),
        prior=make_prior(settings, weights),
        symmetry=float(weights["symmetry"][0]) if settings.model == "vq" else 0.0,
    )


@part
def seen_by(size):
    """Returns how many rows before its first a convolution begins that halves so many."""
    return 1 if size % 2 == 1 else 0


@kernel
def encode(net, cells):
    """Writes the code of a board of bytes into `line[0]`."""
    if net.prior.places > 0:
        encode_places(net, cells)
        return
    if net.dense:
        encode_whole(net, cells)
    else:
        encode_by_halves(net, cells)
    code = net.line[0]
    if net.bound == SIGMOID:
        for j in range(net.latent):
            code[j] = 1.0 / (1.0 + exp(-np.float64(code[j])))
    elif net.bound == TANH:
        for j in range(net.latent):
            code[j] = 1.0 - 2.0 / (exp(2.0 * np.float64(code[j])) + 1.0)


@part
def encode_whole(net, cells):
    """Writes the code of a board by a dense net, before its bounds."""
    lists = (net.rows, net.amounts)
    hidden, code, size = net.maps[0], net.line[0], 2 * net.latent
    layers.copy(hidden, net.inner_bias, net.hidden)
    count = 0
    for cell in range(net.height * net.width):
        kind = np.int64(net.kind_of[cells[cell]])
        net.rows[count] = (cell * net.kinds + kind) * net.hidden
        net.amounts[count] = layers.ONE
        count += 1 if kind < net.kinds else 0
    layers.add_rows(lists, hidden, 0, net.hidden, net.inner, 0, 0, count)
    count = layers.list_active(lists, hidden, 0, net.hidden, 0, size, 0)
    layers.copy(code, net.code_bias, size)
    layers.add_rows(lists, code, 0, size, net.code, 0, 0, count)


@part
def halve_twice(net, cells):
    """Writes what the first two convolutions make of a board into `maps[1]`, and lists what is above zero."""
    lists = (net.rows, net.amounts)
    a, b, c = WIDTHS
    first, second = net.maps[0], net.maps[1]
    for cell in range(net.height * net.width):
        kind = np.int64(net.kind_of[cells[cell]])
        net.rows[cell] = kind * a
        net.amounts[cell] = layers.ONE
        net.counts[cell] = 1 if kind < net.kinds else 0
    halve(net, 1, first, a, net.encode1, 0, net.kinds)
    layers.list_map(lists, net.counts, first, net.sizes[1, 0] * net.sizes[1, 1], a, b)
    halve(net, a, second, b, net.encode2, 1, a)
    layers.list_map(lists, net.counts, second, net.sizes[2, 0] * net.sizes[2, 1], b, c)


@part
def encode_by_halves(net, cells):
    """Writes the code of a board by convolutions, before its bounds."""
    lists = (net.rows, net.amounts)
    b, c = WIDTHS[1], WIDTHS[2]
    third = net.maps[2]
    halve_twice(net, cells)
    halve(net, b, third, c, net.encode3, 2, b)
    code, size = net.line[0], 2 * net.latent
    layers.copy(code, net.code_bias, size)
    count = layers.list_active(lists, third, 0, net.sizes[3, 0] * net.sizes[3, 1] * c, 0, size, 0)
    layers.add_rows(lists, code, 0, size, net.code, 0, 0, count)


@part
def encode_places(net, cells):
    """Writes the code of a board by a vq: some numbers for each place of a coarse map, each a whole one."""
    lists = (net.rows, net.amounts)
    c, depth, places = WIDTHS[2], net.prior.depth, net.prior.places
    third, code = net.maps[2], net.line[0]
    halve_twice(net, cells)
    convolve(net, WIDTHS[1], third, c, net.encode3, 2)
    layers.list_map(lists, net.counts, third, places, c, depth)
    for place in range(places):
        for j in range(depth):
            code[place * depth + j] = net.code_bias[j]
        layers.add_rows(lists, code, place * depth, depth, net.code, 0, place * c, net.counts[place])
    for i in range(net.latent):
        code[i] = layers.ONE if code[i] > TURN else -layers.ONE if code[i] < -TURN else layers.ZERO


@part
def convolve(net, channels, after, out, weights, layer):
    """Writes a 3x3 convolution of a listed map of the size of a layer."""
    lists = (net.rows, net.amounts)
    rows, columns = net.sizes[layer, 0], net.sizes[layer, 1]
    layers.fill(after, rows * columns * out, layers.ZERO)
    for y in range(rows):
        for x in range(columns):
            for tap in range(9):
                row, column = y + tap // 3 - 1, x + tap % 3 - 1
                if 0 <= row < rows and 0 <= column < columns:
                    cell, base = row * columns + column, tap * channels * out
                    into = (y * columns + x) * out
                    layers.add_rows(lists, after, into, out, weights, base, cell * channels, net.counts[cell])


@part
def halve(net, stride, after, out, weights, layer, channels):
    """Writes a 3x3 convolution that halves a listed map, `stride` numbers a cell; negative ones become 0."""
    lists = (net.rows, net.amounts)
    rows, columns = net.sizes[layer, 0], net.sizes[layer, 1]
    height, width = net.sizes[layer + 1, 0], net.sizes[layer + 1, 1]
    top, left = seen_by(rows), seen_by(columns)
    layers.fill(after, height * width * out, layers.ZERO)
    for y in range(height):
        for x in range(width):
            for tap in range(9):
                row, column = 2 * y + tap // 3 - top, 2 * x + tap % 3 - left
                if 0 <= row < rows and 0 <= column < columns:
                    cell, base = row * columns + column, tap * channels * out
                    into = (y * width + x) * out
                    layers.add_rows(lists, after, into, out, weights, base, cell * stride, net.counts[cell])
    layers.rectify(after, height * width * out)


@part
def double(net, before, channels, after, out, weights, layer):
    """Writes a 3x3 convolution over a map doubled in both directions, cut to the size of a layer."""
    lists = (net.rows, net.amounts)
    rows, columns = net.sizes[layer + 1, 0], net.sizes[layer + 1, 1]
    height, width = net.sizes[layer, 0], net.sizes[layer, 1]
    layers.list_map(lists, net.counts, before, rows * columns, channels, out)
    layers.fill(after, height * width * out, layers.ZERO)
    for y in range(height):
        for x in range(width):
            phase = 4 * (2 * (y % 2) + x % 2)
            for tap in range(4):
                row, column = y // 2 + y % 2 - 1 + tap // 2, x // 2 + x % 2 - 1 + tap % 2
                if 0 <= row < rows and 0 <= column < columns:
                    cell, base = row * columns + column, (phase + tap) * channels * out
                    into = (y * width + x) * out
                    layers.add_rows(lists, after, into, out, weights, base, cell * channels, net.counts[cell])


@kernel
def decode(net, cells, temperature, rng):
    """Draws a board of bytes from the code in `line[0]`; a low temperature favours the likelier tiles."""
    lists = (net.rows, net.amounts)
    b, c = WIDTHS[1], WIDTHS[2]
    code = net.line[0]
    zero, one, two, three = net.maps[3], net.maps[2], net.maps[1], net.maps[0]
    if net.prior.places > 0:
        unfold_places(net, zero, one)
        double(net, one, c, two, b, net.decode2, 1)
    else:
        flat = net.hidden if net.dense else net.sizes[3, 0] * net.sizes[3, 1] * c
        layers.copy(zero, net.decode0_bias, flat)
        for i in range(net.latent):
            net.rows[i] = i * flat
            net.amounts[i] = code[i]
        layers.add_rows(lists, zero, 0, flat, net.decode0, 0, 0, net.latent)
        if net.dense:
            settle_whole(net, zero, three, cells)
            return
        double(net, zero, c, one, b, net.decode1, 2)
        double(net, one, b, two, b, net.decode2, 1)
    double(net, two, b, three, net.features, net.decode3, 0)
    for i in range(net.height * net.width * net.features):
        three[i] += net.places[i]
    if net.drawn:
        draw(net, three, cells, temperature, rng)
    else:
        settle(net, three, cells)


@part
def unfold_places(net, zero, one):
    """Writes two convolutions of the code of a vq, the second added to what it sees."""
    lists = (net.rows, net.amounts)
    code, depth, c = net.line[0], net.prior.depth, WIDTHS[2]
    for i in range(net.latent):
        net.rows[i] = i % depth * c
        net.amounts[i] = code[i]
    for place in range(net.prior.places):
        net.counts[place] = depth
    convolve(net, depth, zero, c, net.decode0, 2)
    size = net.prior.places * c
    for i in range(size):
        zero[i] = max(zero[i] + net.decode0_bias[i % c], layers.ZERO)
    layers.list_map(lists, net.counts, zero, net.prior.places, c, c)
    convolve(net, c, one, c, net.decode1, 2)
    for i in range(size):
        one[i] = zero[i] + max(one[i], layers.ZERO)


@part
def settle(net, features, cells):
    """Makes each cell the last channel whose chance is above one half, or the first tile."""
    lists = (net.rows, net.amounts)
    scores = net.line[1]
    for cell in range(net.height * net.width):
        count = layers.list_active(lists, features, cell * net.features, net.features, 0, net.scores, 0)
        layers.copy(scores, net.out_bias, net.scores)
        layers.add_rows(lists, scores, 0, net.scores, net.out, 0, 0, count)
        cells[cell] = 0
        for k in range(net.kinds):
            if scores[k] > layers.ZERO:
                cells[cell] = net.tile_of[k]


@part
def settle_whole(net, hidden, scores, cells):
    """The same of a dense net, whose hidden layer is given; `scores` is overwritten."""
    lists = (net.rows, net.amounts)
    size = net.height * net.width * net.kinds
    count = layers.list_active(lists, hidden, 0, net.hidden, 0, size, 0)
    layers.copy(scores, net.out_bias, size)
    layers.add_rows(lists, scores, 0, size, net.out, 0, 0, count)
    for cell in range(net.height * net.width):
        cells[cell] = 0
        for k in range(net.kinds):
            if scores[cell * net.kinds + k] > layers.ZERO:
                cells[cell] = net.tile_of[k]


@part
def draw(net, features, cells, temperature, rng):
    """Draws cell after cell, each by its features and the tiles around it that are there already."""
    lists = (net.rows, net.amounts)
    hidden, deeper, scores = net.line[0], net.line[1], net.line[2]
    size, stride = net.hidden, net.width + 2 * SIDE
    inside = len(net.steps) * (net.kinds + 2) * size
    for y in range(net.height):
        for x in range(net.width):
            cell, here = y * net.width + x, (y + UP) * stride + x + SIDE
            if net.kept[cell] == 1:
                kind = np.int64(net.kind_of[cells[cell]])
                net.border[here] = kind if kind < net.kinds else 0
                continue
            count = layers.list_active(lists, features, cell * net.features, net.features, 0, size, inside)
            for k in range(len(net.steps)):
                kind = np.int64(net.border[here + net.steps[k]])
                net.rows[count] = (k * (net.kinds + 2) + kind) * size
                net.amounts[count] = layers.ONE
                count += 1 if kind > 0 else 0
            layers.copy(hidden, net.hidden_bias, size)
            layers.add_rows(lists, hidden, 0, size, net.seen, 0, 0, count)
            count = layers.list_active(lists, hidden, 0, size, 0, size, 0)
            layers.copy(deeper, net.deeper_bias, size)
            layers.add_rows(lists, deeper, 0, size, net.deeper, 0, 0, count)
            for i in range(size):
                hidden[i] = max(hidden[i], layers.ZERO) + max(deeper[i], layers.ZERO)
            count = layers.list_active(lists, hidden, 0, size, 0, net.scores, 0)
            layers.copy(scores, net.out_bias, net.scores)
            layers.add_rows(lists, scores, 0, net.scores, net.out, 0, 0, count)
            kind = layers.chosen(scores, net.kinds, temperature, rng)
            net.border[here] = kind
            cells[cell] = net.tile_of[kind]


@part
def draw_code(net, rng):
    """Draws a code into `line[0]`: spread as those of the levels learned from, or anywhere in bounds."""
    code, free = net.line[0], net.line[1]
    if net.prior.places > 0:
        layers.fill(net.prior.anew, net.prior.places, 1)
        draw_places(net.prior, code, rng)
        return
    for i in range(net.latent):
        free[i] = layers.normal(rng) if net.bound == UNBOUNDED else 2.0 * unit(rng) - 1.0
        code[i] = net.mean[i]
    for i in range(net.latent):
        for j in range(net.latent):
            code[i] += net.spread[i * net.latent + j] * free[j]


@part
def shift_code(net, by, rng):
    """Moves the code in `line[0]` a random way, in units of how codes are spread."""
    code, free = net.line[0], net.line[1]
    for i in range(net.latent):
        free[i] = by * layers.normal(rng)
    for i in range(net.latent):
        for j in range(net.latent):
            code[i] += net.spread[i * net.latent + j] * free[j]
        if net.bound != UNBOUNDED:
            code[i] = min(net.high, max(net.low, code[i]))


@part
def redraw_part(net, cells, temperature, rng):
    """Draws a part of a board anew, the cells of some places of its code; others stay as they are.

    What was its own mirror image is again.
    """
    symmetric = net.symmetry > 0.0 and layers.is_mirrored(cells, net.height, net.width)
    rows, columns = net.sizes[2, 0], net.sizes[2, 1]
    high, wide = 1 + below(rng, min(WIDEST, rows)), 1 + below(rng, min(WIDEST, columns))
    top, left = below(rng, rows - high + 1), below(rng, columns - wide + 1)
    encode(net, cells)
    for place in range(net.prior.places):
        inside = top <= place // columns < top + high and left <= place % columns < left + wide
        net.prior.anew[place] = 1 if inside else 0
    draw_places(net.prior, net.line[0], rng)
    for cell in range(net.height * net.width):
        y, x = cell // net.width, cell % net.width
        down = PLACE * top - 1 <= y <= PLACE * (top + high)
        across = PLACE * left - 1 <= x <= PLACE * (left + wide)
        net.kept[cell] = 0 if down and across else 1
    decode(net, cells, temperature, rng)
    layers.fill(net.kept, len(net.kept), 0)
    if symmetric:
        layers.mirror(cells, net.height, net.width, PLACE * (2 * left + wide) <= net.width)


@part
def draw_level(net, cells, temperature, rng):
    """Draws a board of a random code; as many mirror themselves as do among the levels learned from."""
    draw_code(net, rng)
    decode(net, cells, temperature, rng)
    if net.symmetry > 0.0 and unit(rng) < net.symmetry:
        layers.mirror(cells, net.height, net.width, below(rng, 2) == 0)


@part
def redraw_code(net, rate, rng):
    """Draws each number of the code in `line[0]` anew with a chance, or at 0 exactly one of them."""
    code, before = net.line[0], net.line[2]
    layers.copy(before, code, net.latent)
    draw_code(net, rng)
    one = below(rng, net.latent) if rate <= 0.0 else -1
    for j in range(net.latent):
        anew = j == one if rate <= 0.0 else unit(rng) < rate
        if not anew:
            code[j] = before[j]
