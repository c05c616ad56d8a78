"""The networks of `model.py` in JAX, as training needs them; importing this file imports JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Size
from levelsmith.learn import prior
from levelsmith.learn.kernels.shape import SIDE, UP, VALUES, offsets
from levelsmith.learn.model import Settings

Arrays = dict[str, jax.Array]
FITTED = ("mean", "spread", "symmetry")  # after training, not by it
# How much smaller than the others these start.
SMALL = {"code": 0.3, "out": 0.3, "token": 0.15, "attend": 0.7, "mix": 0.2, "down": 0.2}
FIRST_CODES = 2.0  # how much larger those of a vq: codes that are all 0 at first may stay so
LAYERED = ("attend", "mix", "up", "down")  # whose first axis is layers
LOOKED_UP = {"seen": 0.3, "first": 0.3, "at": 0.3}  # and how large these start, which are not summed
LEAST, MOST = -8.0, 4.0  # of the logarithm of a variance


def initial(settings: Settings, rng: np.random.Generator, learned: NDArray[np.int32] | None = None) -> Arrays:
    """Returns random weights; biases, the features of places and what an untold tile adds begin at zero.

    What a dense net sees is told against the mean of the levels to learn from, `[N, H, W]`.
    """
    weights = {}
    for name, shape in settings.shapes().items():
        if name in FITTED:
            continue
        summed = shape[0] if name == "around" else int(np.prod(shape[name in LAYERED : -1]))
        scale = LOOKED_UP.get(name) or SMALL.get(name, 1.0) * np.sqrt(2 / summed)
        if name == "code" and settings.model == "vq":
            scale = FIRST_CODES * np.sqrt(2 / summed)
        weights[name] = (scale * rng.standard_normal(shape)).astype(np.float32)
        if name.endswith("bias") or name == "places":
            weights[name][:] = 0.0
        if name == "around":
            weights[name][:, -1] = 0.0
        if name == "centre" and learned is not None:
            each = learned[..., None] == np.arange(len(settings.kinds))
            weights[name] = each.mean(0, dtype=np.float32).ravel()
    return {name: jnp.asarray(array) for name, array in weights.items()}


def encode(settings: Settings, weights: Arrays, grids: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Of each level the mean of its code and the logarithm of its variance. `[N, H, W]` → `[N, latent]`

    A vq has a code without variance.
    """
    hidden = jax.nn.one_hot(grids, len(settings.kinds))
    if settings.net == "dense":
        flat = hidden.reshape(len(grids), -1) - weights["centre"]
        hidden = jax.nn.relu(flat @ weights["inner"] + weights["inner_bias"])
    for name in ("encode1", "encode2", "encode3") if settings.net == "conv" else ():
        step = 1 if settings.model == "vq" and name == "encode3" else 2
        hidden = jax.nn.relu(_convolved(hidden, weights[name], "SAME", step))
    if settings.model == "vq":
        return _rounded(hidden @ weights["code"] + weights["code_bias"]), jnp.zeros(())
    both = hidden.reshape(len(grids), -1) @ weights["code"] + weights["code_bias"]
    mean, spread = jnp.split(both, 2, -1)
    if settings.bound != "none":
        mean = {"sigmoid": jax.nn.sigmoid, "tanh": jnp.tanh}[settings.bound](mean)
    return mean, jnp.clip(spread, LEAST, MOST) if settings.model == "vae" else jnp.full_like(spread, -jnp.inf)


def features(settings: Settings, weights: Arrays, codes: jax.Array) -> jax.Array:
    """Returns what a code says about each cell. codes: `[N, latent]` → `[N, H, W, features]`

    A dense net has features of the whole level. → `[N, hidden]`
    """
    *grown, smallest = settings.sizes
    if settings.model == "vq":
        hidden = codes.reshape(len(codes), *grown[2], settings.depth)
        hidden = jax.nn.relu(_convolved(hidden, weights["decode0"], "SAME") + weights["decode0_bias"])
        hidden += jax.nn.relu(_convolved(hidden, weights["decode1"], "SAME"))
        hidden = jax.nn.relu(_grown(hidden, weights["decode2"], grown[1]))
        return jax.nn.relu(_grown(hidden, weights["decode3"], grown[0]) + weights["places"])
    hidden = jax.nn.relu(codes @ weights["decode0"] + weights["decode0_bias"])
    if settings.net == "dense":
        return hidden
    hidden = hidden.reshape(len(codes), *smallest, -1)
    hidden = jax.nn.relu(_grown(hidden, weights["decode1"], grown[2]))
    hidden = jax.nn.relu(_grown(hidden, weights["decode2"], grown[1]))
    return jax.nn.relu(_grown(hidden, weights["decode3"], grown[0]) + weights["places"])


def logits(settings: Settings, weights: Arrays, found: jax.Array, told: jax.Array) -> jax.Array:
    """Of each kind in each cell. told: the levels as later cells see them `[N, H, W]` → `[N, H, W, kinds]`"""
    if settings.net == "dense":
        return (found @ weights["out"] + weights["out_bias"]).reshape(len(found), *settings.size, -1)
    if settings.mode == "paper":
        return found @ weights["out"] + weights["out_bias"]
    kinds = len(settings.kinds)
    around = _around(settings.size, told, kinds)
    seen = jax.nn.one_hot(around, kinds).reshape(*around.shape[:3], -1)
    outside = jnp.asarray(_outside(settings.size))
    hidden = found @ weights["inside"] + weights["hidden_bias"]
    hidden += seen @ weights["around"][:, :kinds].reshape(seen.shape[-1], -1)
    hidden += outside @ weights["around"][:, kinds]
    hidden = jax.nn.relu(hidden)
    hidden += jax.nn.relu(hidden @ weights["deeper"] + weights["deeper_bias"])
    return hidden @ weights["out"] + weights["out_bias"]


def losses(
    settings: Settings,
    weights: Arrays,
    grids: jax.Array,
    told: jax.Array,
    noise: jax.Array,
    counts: jax.Array,
    free: float,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Nats a level: to tell its cells, each weighed by its kind, the same unweighed, and to tell its code.

    Args:
        settings: of the model.
        weights: of the model.
        grids: `[N, H, W]`; in the mode `paper` a cell of no channel is the number of channels.
        told: the same, with some cells as not told.
        noise: normal numbers `[N, latent]`, which a vae adds to the codes, and which hide places from the
            prior of a vq.
        counts: the weight of each kind `[kinds]`.
        free: nats that each number of a code counts as at least, so that it gains nothing by telling less.
    """
    codes, spread = encode(settings, weights, grids)
    kl = jnp.zeros(())
    if settings.model == "vae":
        each = 0.5 * (jnp.exp(spread) + codes**2 - 1 - spread)
        kl = jnp.maximum(each.mean(0), free).sum()
        codes = codes + jnp.exp(spread / 2) * noise
    if settings.model == "vq":
        kl = prior.nats(settings, weights, jax.lax.stop_gradient(codes), noise)
    found = logits(settings, weights, features(settings, weights, codes), told)
    shown = jax.nn.one_hot(grids, len(settings.kinds))
    if settings.mode == "paper":
        # The same as logaddexp(found, 0), in a third of the time.
        most = jnp.maximum(found, 0.0) + jnp.log(1.0 + jnp.exp(-jnp.abs(found)))
        nll = (most - shown * found).sum((1, 2, 3)).mean()
        return nll, nll, kl
    each = jax.nn.logsumexp(found, -1) - (shown * found).sum(-1)
    return (each * (shown @ counts)).sum((1, 2)).mean(), each.sum((1, 2)).mean(), kl


def _rounded(hidden: jax.Array) -> jax.Array:
    """Returns numbers as the nearest of `VALUES` from -1 to 1; gradients pass as if they were not rounded.

    Mentzer et al. (2023), section 3.1. `[N, rows, columns, depth]` → `[N, latent]`
    """
    bounded = jnp.tanh(hidden).reshape(len(hidden), -1)
    steps = VALUES // 2
    return bounded + jax.lax.stop_gradient(jnp.round(steps * bounded) / steps - bounded)


def _around(size: Size, told: jax.Array, outside: int) -> jax.Array:
    """For each cell what the cells before it hold. → `[N, H, W, offsets]`"""
    height, width = size
    wide = jnp.pad(told, ((0, 0), (UP, 0), (SIDE, SIDE)), constant_values=outside)
    rows, columns = (np.array(each) for each in zip(*offsets(), strict=True))
    rows = np.arange(height)[:, None, None] + UP + rows
    columns = np.arange(width)[:, None] + SIDE + columns
    return wide.reshape(len(told), -1)[:, rows * wide.shape[2] + columns]


def _outside(size: Size) -> NDArray[np.float32]:
    """1 for each cell and each cell before it that lies outside. → `[H, W, offsets]`"""
    height, width = size
    rows, columns = (np.array(each) for each in zip(*offsets(), strict=True))
    rows, columns = np.arange(height)[:, None, None] + rows, np.arange(width)[:, None] + columns
    outside: NDArray[np.bool_] = (rows < 0) | (columns < 0) | (columns >= width)
    return outside.astype(np.float32)


def _convolved(cells: jax.Array, kernel: jax.Array, padding: str, step: int = 1) -> jax.Array:
    return jax.lax.conv_general_dilated(
        cells, kernel, (step, step), padding, dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def _grown(cells: jax.Array, kernel: jax.Array, size: Size) -> jax.Array:
    """Returns every cell fourfold, convolved, then cut to the size.

    Of three cells in a row two are copies, so that their weights are added and half the work is done.
    """
    number, height, width, _ = cells.shape
    wide = jnp.pad(cells, ((0, 0), (1, 1), (1, 1), (0, 0)))
    rows = []
    for y, low in enumerate(_paired(kernel, 0)):
        parts = [
            _convolved(wide[:, y : y + height + 1, x : x + width + 1], small, "VALID")
            for x, small in enumerate(_paired(low, 1))
        ]
        rows.append(jnp.stack(parts, 3))
    return jnp.stack(rows, 2).reshape(number, 2 * height, 2 * width, -1)[:, : size[0], : size[1]]


def _paired(kernel: jax.Array, axis: int) -> tuple[jax.Array, jax.Array]:
    """Returns three weights along an axis as two, for the first and for the second copy of a cell."""
    a, b, c = jnp.split(kernel, 3, axis)
    return jnp.concatenate([a, b + c], axis), jnp.concatenate([a + b, c], axis)
