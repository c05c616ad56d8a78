"""The prior of a vq in JAX, as training needs it: how likely each place of a code is by the places before it.

`kernels/prior.py` draws by it. Importing this file imports JAX.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from levelsmith.learn.kernels.prior import TINY
from levelsmith.learn.kernels.shape import HEADS, VALUES
from levelsmith.learn.model import Settings

Arrays = dict[str, jax.Array]
HIDDEN = 1.28  # a normal number above it hides a place from those after it: one in ten


def nats(settings: Settings, weights: Arrays, codes: jax.Array, noise: jax.Array) -> jax.Array:
    """Returns the mean of what it takes to tell a code. codes, noise: `[N, latent]`

    Where the first number of a place in `noise` is above `HIDDEN`, later places do not see it.
    """
    shape = (len(codes), settings.places, settings.depth)
    values = jnp.round(codes.reshape(shape)).astype(jnp.int32) + VALUES // 2
    told = noise.reshape(shape)[..., 0] <= HIDDEN
    found = jax.nn.log_softmax(scores(settings, weights, values, told))
    tokens = (values * VALUES ** np.arange(settings.depth)).sum(-1)
    return -jnp.take_along_axis(found, tokens[..., None], -1).sum((1, 2)).mean()


def scores(settings: Settings, weights: Arrays, values: jax.Array, told: jax.Array) -> jax.Array:
    """Returns the logarithm of the chance of each token in each place, but for a sum. → `[N, places, tokens]`

    Args:
        settings: of the model.
        weights: of the model.
        values: the numbers of codes, from 0 on `[N, places, depth]`.
        told: whether later places see a place `[N, places]`.
    """
    number, places, width = len(values), settings.places, settings.width
    seen = sum(weights["seen"][j][values[..., j]] for j in range(settings.depth)) * told[..., None]
    first = jnp.broadcast_to(weights["first"], (number, 1, width))
    x = jnp.concatenate([first, seen[:, :-1]], 1) + weights["at"]
    before = np.tril(np.ones((places, places), bool))
    for layer in range(settings.layers):
        asked = (_normed(x) @ weights["attend"][layer]).reshape(number, places, 3, HEADS, -1)
        queries, keys, found = asked[:, :, 0], asked[:, :, 1], asked[:, :, 2]
        each = jnp.einsum("nphd,nqhd->nhpq", queries, keys) / np.sqrt(width // HEADS)
        shares = jax.nn.softmax(jnp.where(before, each, -jnp.inf), -1)
        taken = jnp.einsum("nhpq,nqhd->nphd", shares, found).reshape(number, places, width)
        x = x + taken @ weights["mix"][layer]
        hidden = jax.nn.relu(_normed(x) @ weights["up"][layer] + weights["up_bias"][layer])
        x = x + hidden @ weights["down"][layer]
    return _normed(x) @ weights["token"] + weights["token_bias"]


def _normed(x: jax.Array) -> jax.Array:
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + TINY)
