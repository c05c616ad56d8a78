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
from levelsmith.kernels.random import below, unit
from levelsmith.kernels.words import U
from levelsmith.learn.kernels.shape import BOUNDS, SIDE, UP, WIDTHS, offsets

if TYPE_CHECKING:
    from levelsmith.learn.model import Model, Weights

F = np.float32
ZERO, ONE = F(0.0), F(1.0)
HARDLY = -16.0  # logarithm of a chance that is as good as none
UNBOUNDED, SIGMOID, TANH = range(3)  # of codes
LANES = 4  # numbers that most processors work on at once
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
        **of_layers(weights, 0 if dense else scores - kinds),
        **of_drawing(weights),
        scores=scores,
        steps=np.array([up * stride + side for up, side in offsets()]),
        border=np.full((height + UP) * stride, kinds, np.uint8),
        maps=np.zeros((4, activations), np.float32),
        line=np.zeros((3, max(settings.hidden, scores, 2 * settings.latent)), np.float32),
        rows=np.zeros(activations + settings.hidden + len(offsets()), np.int64),
        amounts=np.zeros(activations + settings.hidden + len(offsets()), np.float32),
        counts=np.zeros(height * width, np.int64),
    )


LAYERS = (
    "inner", "inner_bias", "encode1", "encode2", "encode3", "code", "code_bias", "decode0", "decode0_bias",
    "decode1", "decode2", "decode3", "places", "mean", "spread",
)  # fmt: skip
DOUBLED = ("decode1", "decode2", "decode3")


def of_layers(weights: Weights, more: int) -> Weights:
    """Returns the weights of all layers, those that a net is without empty; the last has `more` columns."""
    found = {name: weights.get(name, np.zeros(0, np.float32)) for name in LAYERS}
    found |= {name: of_doubled(weights[name]) for name in DOUBLED if name in weights}
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
def seen_by(size):
    """Returns how many rows before its first a convolution begins that halves so many."""
    return 1 if size % 2 == 1 else 0


@kernel
def encode(net, cells):
    """Writes the code of a board of bytes into `line[0]`."""
    if net.dense:
        encode_whole(net, cells)
    else:
        encode_by_halves(net, cells)
    code = net.line[0]
    if net.bound == SIGMOID:
        for j in range(net.latent):
            code[j] = 1.0 / (1.0 + math.exp(-code[j]))
    elif net.bound == TANH:
        for j in range(net.latent):
            code[j] = math.tanh(code[j])


@part
def encode_whole(net, cells):
    """Writes the code of a board by a dense net, before its bounds."""
    lists = (net.rows, net.amounts)
    hidden, code, size = net.maps[0], net.line[0], 2 * net.latent
    copy(hidden, net.inner_bias, net.hidden)
    count = 0
    for cell in range(net.height * net.width):
        kind = np.int64(net.kind_of[cells[cell]])
        net.rows[count] = (cell * net.kinds + kind) * net.hidden
        net.amounts[count] = ONE
        count += 1 if kind < net.kinds else 0
    add_rows(lists, hidden, 0, net.hidden, net.inner, 0, 0, count)
    count = list_active(lists, hidden, 0, net.hidden, 0, size, 0)
    copy(code, net.code_bias, size)
    add_rows(lists, code, 0, size, net.code, 0, 0, count)


@part
def encode_by_halves(net, cells):
    """Writes the code of a board by convolutions, before its bounds."""
    lists = (net.rows, net.amounts)
    a, b, c = WIDTHS
    first, second, third = net.maps[0], net.maps[1], net.maps[2]
    for cell in range(net.height * net.width):
        kind = np.int64(net.kind_of[cells[cell]])
        net.rows[cell] = kind * a
        net.amounts[cell] = ONE
        net.counts[cell] = 1 if kind < net.kinds else 0
    halve(net, 1, first, a, net.encode1, 0, net.kinds)
    list_map(lists, net.counts, first, net.sizes[1, 0] * net.sizes[1, 1], a, b)
    halve(net, a, second, b, net.encode2, 1, a)
    list_map(lists, net.counts, second, net.sizes[2, 0] * net.sizes[2, 1], b, c)
    halve(net, b, third, c, net.encode3, 2, b)
    code, size = net.line[0], 2 * net.latent
    copy(code, net.code_bias, size)
    count = list_active(lists, third, 0, net.sizes[3, 0] * net.sizes[3, 1] * c, 0, size, 0)
    add_rows(lists, code, 0, size, net.code, 0, 0, count)


@part
def halve(net, stride, after, out, weights, layer, channels):
    """Writes a 3x3 convolution that halves a listed map, `stride` numbers a cell; negative ones become 0."""
    lists = (net.rows, net.amounts)
    rows, columns = net.sizes[layer, 0], net.sizes[layer, 1]
    height, width = net.sizes[layer + 1, 0], net.sizes[layer + 1, 1]
    top, left = seen_by(rows), seen_by(columns)
    fill(after, height * width * out, ZERO)
    for y in range(height):
        for x in range(width):
            for tap in range(9):
                row, column = 2 * y + tap // 3 - top, 2 * x + tap % 3 - left
                if 0 <= row < rows and 0 <= column < columns:
                    cell, base = row * columns + column, tap * channels * out
                    into = (y * width + x) * out
                    add_rows(lists, after, into, out, weights, base, cell * stride, net.counts[cell])
    rectify(after, height * width * out)


@part
def double(net, before, channels, after, out, weights, layer):
    """Writes a 3x3 convolution over a map doubled in both directions, cut to the size of a layer."""
    lists = (net.rows, net.amounts)
    rows, columns = net.sizes[layer + 1, 0], net.sizes[layer + 1, 1]
    height, width = net.sizes[layer, 0], net.sizes[layer, 1]
    list_map(lists, net.counts, before, rows * columns, channels, out)
    fill(after, height * width * out, ZERO)
    for y in range(height):
        for x in range(width):
            phase = 4 * (2 * (y % 2) + x % 2)
            for tap in range(4):
                row, column = y // 2 + y % 2 - 1 + tap // 2, x // 2 + x % 2 - 1 + tap % 2
                if 0 <= row < rows and 0 <= column < columns:
                    cell, base = row * columns + column, (phase + tap) * channels * out
                    into = (y * width + x) * out
                    add_rows(lists, after, into, out, weights, base, cell * channels, net.counts[cell])


@kernel
def decode(net, cells, temperature, rng):
    """Draws a board of bytes from the code in `line[0]`; a low temperature favours the likelier tiles."""
    lists = (net.rows, net.amounts)
    b, c = WIDTHS[1], WIDTHS[2]
    code = net.line[0]
    zero, one, two, three = net.maps[3], net.maps[2], net.maps[1], net.maps[0]
    flat = net.hidden if net.dense else net.sizes[3, 0] * net.sizes[3, 1] * c
    copy(zero, net.decode0_bias, flat)
    for i in range(net.latent):
        net.rows[i] = i * flat
        net.amounts[i] = code[i]
    add_rows(lists, zero, 0, flat, net.decode0, 0, 0, net.latent)
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
def settle(net, features, cells):
    """Makes each cell the last channel whose chance is above one half, or the first tile."""
    lists = (net.rows, net.amounts)
    scores = net.line[1]
    for cell in range(net.height * net.width):
        count = list_active(lists, features, cell * net.features, net.features, 0, net.scores, 0)
        copy(scores, net.out_bias, net.scores)
        add_rows(lists, scores, 0, net.scores, net.out, 0, 0, count)
        cells[cell] = 0
        for k in range(net.kinds):
            if scores[k] > ZERO:
                cells[cell] = net.tile_of[k]


@part
def settle_whole(net, hidden, scores, cells):
    """The same of a dense net, whose hidden layer is given; `scores` is overwritten."""
    lists = (net.rows, net.amounts)
    size = net.height * net.width * net.kinds
    count = list_active(lists, hidden, 0, net.hidden, 0, size, 0)
    copy(scores, net.out_bias, size)
    add_rows(lists, scores, 0, size, net.out, 0, 0, count)
    for cell in range(net.height * net.width):
        cells[cell] = 0
        for k in range(net.kinds):
            if scores[cell * net.kinds + k] > ZERO:
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
            count = list_active(lists, features, cell * net.features, net.features, 0, size, inside)
            for k in range(len(net.steps)):
                kind = np.int64(net.border[here + net.steps[k]])
                net.rows[count] = (k * (net.kinds + 2) + kind) * size
                net.amounts[count] = ONE
                count += 1 if kind > 0 else 0
            copy(hidden, net.hidden_bias, size)
            add_rows(lists, hidden, 0, size, net.seen, 0, 0, count)
            count = list_active(lists, hidden, 0, size, 0, size, 0)
            copy(deeper, net.deeper_bias, size)
            add_rows(lists, deeper, 0, size, net.deeper, 0, 0, count)
            for i in range(size):
                hidden[i] = max(hidden[i], ZERO) + max(deeper[i], ZERO)
            count = list_active(lists, hidden, 0, size, 0, net.scores, 0)
            copy(scores, net.out_bias, net.scores)
            add_rows(lists, scores, 0, net.scores, net.out, 0, 0, count)
            kind = chosen(scores, net.kinds, temperature, rng)
            net.border[here] = kind
            cells[cell] = net.tile_of[kind]


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
        scores[k] = math.exp(below) if below > HARDLY else 0.0
        total += scores[k]
    left = unit(rng) * total
    for k in range(kinds):
        left -= scores[k]
        if left < 0.0:
            return np.int64(k)
    return best


@part
def draw_code(net, rng):
    """Draws a code into `line[0]`: spread as those of the levels learned from, or anywhere in bounds."""
    code, free = net.line[0], net.line[1]
    for i in range(net.latent):
        free[i] = normal(rng) if net.bound == UNBOUNDED else 2.0 * unit(rng) - 1.0
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
        if net.bound != UNBOUNDED:
            code[i] = min(net.high, max(net.low, code[i]))


@part
def redraw_code(net, rate, rng):
    """Draws each number of the code in `line[0]` anew with a chance, or at 0 exactly one of them."""
    code, before = net.line[0], net.line[2]
    copy(before, code, net.latent)
    draw_code(net, rng)
    one = below(rng, net.latent) if rate <= 0.0 else -1
    for j in range(net.latent):
        anew = j == one if rate <= 0.0 else unit(rng) < rate
        if not anew:
            code[j] = before[j]


@part
def normal(rng):
    """Returns a number from the normal distribution (Box and Muller, 1958)."""
    return math.sqrt(-2.0 * math.log(1.0 - unit(rng))) * math.cos(2.0 * math.pi * unit(rng))
