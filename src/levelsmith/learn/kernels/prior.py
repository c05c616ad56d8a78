"""The prior of a vq, compiled: it draws the places of a code one after the other, each by those before it.

A transformer (Vaswani et al., 2017) with normed inputs, which keeps what it computed of each place.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.kernels.compile import kernel, part
from levelsmith.kernels.maths import exp
from levelsmith.learn.kernels.layers import ZERO, add_rows, chosen, copy, list_active
from levelsmith.learn.kernels.shape import EXPANSION, HEADS, LANES, VALUES

if TYPE_CHECKING:
    from levelsmith.learn.model import Settings, Weights

Array = NDArray[np.float32]
WARMTH = 0.9  # the temperature at which places are drawn
TINY = 1e-6  # which keeps the norm of nothing from being divided by
WEIGHTS = ("seen", "first", "at", "attend", "mix", "up", "up_bias", "down")


class Prior(NamedTuple):
    """Weights as the kernels take them, and workspace; a model without a prior has 0 places."""

    places: int
    depth: int  # numbers in a place
    width: int
    layers: int
    tokens: int  # that a place may be
    columns: int  # tokens, and a few more that count nothing
    seen: Array  # [depth, VALUES, width] what a number adds to the place after it
    first: Array  # [width] what the first place sees instead
    at: Array  # [places, width]
    attend: Array  # [layers, width, 3 * width] queries, keys and values
    mix: Array  # [layers, width, width]
    up: Array  # [layers, width, EXPANSION * width]
    up_bias: Array
    down: Array  # [layers, EXPANSION * width, width]
    token: Array  # [width, columns]
    token_bias: Array
    keys: Array  # [layers * places * width] of the places so far
    values: Array
    lines: Array  # [4, most numbers of a layer]
    rows: NDArray[np.int64]
    amounts: Array
    anew: NDArray[np.uint8]  # [places] 1 for those to be drawn


def make(settings: Settings, weights: Weights) -> Prior:
    """Returns the prior of a model."""
    rows, columns = settings.sizes[2]
    is_there = settings.model == "vq"
    places, width, layers = (rows * columns, settings.width, settings.layers) if is_there else (0, 0, 0)
    tokens = VALUES**settings.depth
    padded = -(-tokens // LANES) * LANES
    none = np.zeros(0, np.float32)
    found = {name: weights[name].ravel() if is_there else none for name in WEIGHTS}
    more = padded - tokens
    most = max((EXPANSION + 1) * width, padded, places)
    return Prior(
        places=places,
        depth=settings.depth,
        width=width,
        layers=layers,
        tokens=tokens,
        columns=padded,
        **found,
        token=np.pad(weights["token"], ((0, 0), (0, more))).ravel() if is_there else none,
        token_bias=np.pad(weights["token_bias"], (0, more)) if is_there else none,
        keys=np.zeros(layers * places * width, np.float32),
        values=np.zeros(layers * places * width, np.float32),
        lines=np.zeros((4, most), np.float32),
        rows=np.zeros(most, np.int64),
        amounts=np.zeros(most, np.float32),
        anew=np.zeros(places, np.uint8),
    )


@kernel
def draw_places(prior, code, rng):
    """Draws the places of a code that are marked in `anew`, each by all before it."""
    last = -1
    for place in range(prior.places):
        if prior.anew[place] == 1:
            last = place
    for place in range(last + 1):
        look(prior, code, place)
        for layer in range(prior.layers):
            attend(prior, layer, place)
            think(prior, layer)
        if prior.anew[place] == 1:
            draw_place(prior, code, place, rng)


@part
def look(prior, code, place):
    """Writes what a place sees first: where it is, and the place before it."""
    x = prior.lines[0]
    for i in range(prior.width):
        x[i] = prior.at[place * prior.width + i]
        if place == 0:
            x[i] += prior.first[i]
    if place > 0:
        for j in range(prior.depth):
            value = np.int64(code[(place - 1) * prior.depth + j]) + VALUES // 2
            row = (j * VALUES + value) * prior.width
            for i in range(prior.width):
                x[i] += prior.seen[row + i]


@part
def list_normed(prior, out):
    """Lists the numbers of the place, divided by their root mean square, with their rows of weights."""
    x, total = prior.lines[0], 0.0
    for i in range(prior.width):
        total += np.float64(x[i]) * np.float64(x[i])
    scale = np.float32(1.0 / math.sqrt(total / prior.width + TINY))
    for i in range(prior.width):
        prior.rows[i] = i * out
        prior.amounts[i] = x[i] * scale


@part
def attend(prior, layer, place):
    """Adds to a place what it takes from itself and those before it."""
    lists, width = (prior.rows, prior.amounts), prior.width
    asked, found, weighed = prior.lines[1], prior.lines[2], prior.lines[3]
    for i in range(3 * width):
        asked[i] = ZERO
    list_normed(prior, 3 * width)
    add_rows(lists, asked, 0, 3 * width, prior.attend, layer * 3 * width * width, 0, width)
    base = layer * prior.places * width
    for i in range(width):
        prior.keys[base + place * width + i] = asked[width + i]
        prior.values[base + place * width + i] = asked[2 * width + i]
    side = width // HEADS
    scale = 1.0 / math.sqrt(side)
    for head in range(HEADS):
        top = -math.inf
        for other in range(place + 1):
            score = 0.0
            for i in range(head * side, (head + 1) * side):
                score += np.float64(asked[i]) * np.float64(prior.keys[base + other * width + i])
            weighed[other] = np.float32(score * scale)
            top = max(top, np.float64(weighed[other]))
        total = 0.0
        for other in range(place + 1):
            weighed[other] = np.float32(exp(np.float64(weighed[other]) - top))
            total += np.float64(weighed[other])
        for i in range(head * side, (head + 1) * side):
            found[i] = ZERO
        for other in range(place + 1):
            share = np.float32(np.float64(weighed[other]) / total)
            for i in range(head * side, (head + 1) * side):
                found[i] += share * prior.values[base + other * width + i]
    for i in range(width):
        prior.rows[i] = i * width
        prior.amounts[i] = found[i]
    add_rows(lists, prior.lines[0], 0, width, prior.mix, layer * width * width, 0, width)


@part
def think(prior, layer):
    """Adds to a place what a hidden layer makes of it."""
    lists, width, hidden = (prior.rows, prior.amounts), prior.width, prior.lines[1]
    wide = EXPANSION * width
    for i in range(wide):
        hidden[i] = prior.up_bias[layer * wide + i]
    list_normed(prior, wide)
    add_rows(lists, hidden, 0, wide, prior.up, layer * width * wide, 0, width)
    count = list_active(lists, hidden, 0, wide, 0, width, 0)
    add_rows(lists, prior.lines[0], 0, width, prior.down, layer * width * wide, 0, count)


@part
def draw_place(prior, code, place, rng):
    """Draws the numbers of a place by the chances of all that they may be together."""
    lists, scores = (prior.rows, prior.amounts), prior.lines[1]
    copy(scores, prior.token_bias, prior.columns)
    list_normed(prior, prior.columns)
    add_rows(lists, scores, 0, prior.columns, prior.token, 0, 0, prior.width)
    token = chosen(scores, prior.tokens, WARMTH, rng)
    for j in range(prior.depth):
        code[place * prior.depth + j] = np.float32(token % VALUES - VALUES // 2)
        token //= VALUES
