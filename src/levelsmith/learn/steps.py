"""The steps of training in JAX; importing this file imports it."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import optax

from levelsmith.learn.model import Settings
from levelsmith.learn.network import Arrays, encode, losses

STEEPEST = 50.0  # gradients longer than this are shortened to it
SHRINK = 0.002  # of each weight is added to its gradient, so that it stays small

# Weights, the state of the optimiser, sums of the losses since the last validation.
State = tuple[Arrays, Any, jax.Array]

OPTIMISER = optax.flatten(
    optax.chain(optax.clip_by_global_norm(STEEPEST), optax.add_decayed_weights(SHRINK), optax.scale_by_adam())
)


def begin(weights: Arrays) -> State:
    return weights, OPTIMISER.init(weights), jnp.zeros(3)


# One step a call: within a loop of JAX's own its convolutions are several times slower on a CPU.
@partial(jax.jit, static_argnames="settings", donate_argnames="state")
def advance(
    settings: Settings,
    state: State,
    grids: jax.Array,
    told: jax.Array,
    noise: jax.Array,
    counts: jax.Array,
    free: float,
    beta: float,
    rate: float,
) -> State:
    """Returns the state after one step more."""

    def loss(weights: Arrays) -> tuple[jax.Array, jax.Array]:
        weighed, nll, kl = losses(settings, weights, grids, told, noise, counts, free)
        return weighed + beta * kl, jnp.stack([weighed, nll, kl])

    weights, moments, sums = state
    gradient, found = jax.grad(loss, has_aux=True)(weights)
    change, moments = OPTIMISER.update(gradient, moments, weights)
    return jax.tree.map(lambda old, by: old - rate * by, weights, change), moments, sums + found


@partial(jax.jit, static_argnames="settings")
def validate(
    settings: Settings, weights: Arrays, grids: jax.Array, noise: jax.Array, counts: jax.Array, free: float
) -> jax.Array:
    """Returns the three losses of levels, all of their cells told."""
    return jnp.stack(losses(settings, weights, grids, grids, noise, counts, free))


@partial(jax.jit, static_argnames="settings")
def codes(settings: Settings, weights: Arrays, grids: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Means and variances of the codes of levels."""
    mean, spread = encode(settings, weights, grids)
    return mean, jnp.exp(spread)
