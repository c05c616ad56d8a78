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
SLOWING, STEADYING, TINY = 0.5, 0.999, 1e-8  # of Adam in the mode `paper`, the first as in that program


def begin(settings: Settings, weights: Arrays) -> State:
    if settings.mode == "paper":
        first, second = ({name: jnp.zeros_like(a) for name, a in weights.items()} for _ in range(2))
        return weights, (jnp.zeros(()), first, second), jnp.zeros(3)
    return weights, OPTIMISER.init(weights), jnp.zeros(3)


def adam(moments: Any, gradient: Arrays) -> tuple[Arrays, Any]:
    """Returns the directions of Adam (Kingma and Ba, 2015, algorithm 1) and its moments after a step.

    In one go for each weight, which takes a third of what a chain of transformations does.
    """
    count, first, second = moments
    count = count + 1
    first = {name: SLOWING * first[name] + (1 - SLOWING) * g for name, g in gradient.items()}
    second = {name: STEADYING * second[name] + (1 - STEADYING) * g**2 for name, g in gradient.items()}
    scales = 1 / (1 - SLOWING**count), 1 / (1 - STEADYING**count)
    change = {n: first[n] * scales[0] / (jnp.sqrt(second[n] * scales[1]) + TINY) for n in gradient}
    return change, (count, first, second)


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
    pace: dict[str, float],
) -> State:
    """Returns the state after one step more."""

    def loss(weights: Arrays) -> tuple[jax.Array, jax.Array]:
        weighed, nll, kl = losses(settings, weights, grids, told, noise, counts, free)
        return weighed + beta * kl, jnp.stack([weighed, nll, kl])

    weights, moments, sums = state
    gradient, found = jax.grad(loss, has_aux=True)(weights)
    if settings.mode == "paper":
        change, moments = adam(moments, gradient)
    else:
        change, moments = OPTIMISER.update(gradient, moments, weights)
    weights = {name: old - rate * pace.get(name, 1.0) * change[name] for name, old in weights.items()}
    return weights, moments, sums + found


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
