"""The networks in JAX: they do what plain loops do, and a cell sees only the cells before it."""

from __future__ import annotations

import numpy as np
import pytest

from levelsmith.learn.model import Settings
from reference import learn as plain

# What imports JAX is imported only where it is used, as that takes long.
SIZES = ((5, 6), (8, 8))  # one that is cut when it grows, one that is not


def some(settings):
    """Random weights, biases and places too."""
    from levelsmith.learn import network

    rng = np.random.default_rng(3)
    weights = network.initial(settings, rng)
    return {
        name: np.asarray(a) + 0.1 * rng.standard_normal(a.shape, np.float32) for name, a in weights.items()
    }


def grids_of(settings, number=2):
    return np.random.default_rng(5).integers(
        len(settings.kinds), size=(number, *settings.size), dtype=np.int32
    )


@pytest.mark.first(2)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("model", "mode", "more"),
    [
        ("vae", "default", {}),
        ("ae", "default", {}),
        ("vq", "default", {"latent": 8, "width": 8, "layers": 2}),
        ("ae", "paper", {"bound": "sigmoid"}),
        ("ae", "paper", {"net": "dense", "bound": "tanh"}),
    ],
)
def test_the_network_is_its_plain_twin(size, model, mode, more):
    import jax

    from levelsmith.learn import network

    shape = {"latent": 3, "features": 4, "hidden": 5, **more}
    settings = Settings("binary", size, ("empty", "wall"), model, mode, **shape)
    weights, grids = some(settings), grids_of(settings)
    told = np.where(np.random.default_rng(1).random(grids.shape) < 0.2, 3, grids)
    if mode == "default":
        weights["around"][:, -1] = 0.0  # what is not told adds nothing

    @jax.jit
    def network_of(weights):
        codes, _ = network.encode(settings, weights, grids)
        found = network.features(settings, weights, codes)
        return codes, found, network.logits(settings, weights, found, told)

    for i, found in enumerate(zip(*map(np.asarray, network_of(weights)), strict=True)):
        code = plain.code(settings, weights, grids[i])
        cells = plain.features(settings, weights, code)
        wanted = (code, cells, plain.logits(settings, weights, cells, told[i]))
        for ours, theirs in zip(found, wanted, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)


def test_first_weights_have_the_shapes_of_the_settings_and_what_is_not_told_adds_nothing():
    from levelsmith.learn import network

    settings = Settings("binary", (5, 6), ("empty", "wall"))
    weights = network.initial(settings, np.random.default_rng(0))
    shapes = {name: array.shape for name, array in weights.items()}
    assert shapes | {"mean": (32,), "spread": (32, 32)} == settings.shapes()
    assert not np.asarray(weights["around"])[:, -1].any()
    assert np.asarray(weights["around"])[:, :-1].any()


@pytest.mark.slow
def test_the_prior_of_a_vq_is_its_plain_twin_and_a_place_sees_only_those_before_it():
    from levelsmith.learn import prior

    shape = {"latent": 8, "features": 4, "hidden": 5, "width": 8, "layers": 2}
    settings = Settings("binary", (5, 6), ("empty", "wall"), "vq", **shape)
    weights = some(settings)
    codes = np.random.default_rng(2).integers(-1, 2, size=(2, 8))
    codes[1, :6] = codes[0, :6]  # they differ in the last place at most
    codes[1, 6:] = -codes[0, 6:] + (codes[0, 6:] == 0)
    told = np.ones((2, 4), bool)
    found = np.asarray(prior.scores(settings, weights, codes.reshape(2, 4, 2) + 1, told))
    for code, ours in zip(codes, found, strict=True):
        np.testing.assert_allclose(ours, plain.scores(settings, weights, code), rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(found[0], found[1])
    chances = np.exp(found - found.max(-1, keepdims=True))
    chances /= chances.sum(-1, keepdims=True)
    tokens = (codes.reshape(2, 4, 2) + 1) @ [1, 3]
    wanted = -np.log(np.take_along_axis(chances, tokens[..., None], -1)).sum((1, 2)).mean()
    assert float(prior.nats(settings, weights, codes.astype(np.float32), np.zeros((2, 8)))) == pytest.approx(
        wanted, rel=1e-4
    )
    hidden = np.zeros((2, 8))
    hidden[:, 2] = 9.0  # the second place
    assert float(prior.nats(settings, weights, codes.astype(np.float32), hidden)) != pytest.approx(
        wanted, rel=1e-4
    )
