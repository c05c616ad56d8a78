"""Levels from a model: the compiled network against a plain one in numpy, and the promises of `latent`."""

from __future__ import annotations

import numpy as np
import pytest

from levelsmith.core import Canvas
from levelsmith.errors import LevelsmithError
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.random import seeded
from levelsmith.learn import network_kernels as network
from levelsmith.learn.latent import LATENT, LatentRepresentation
from levelsmith.learn.model import Model, Settings
from levelsmith.registry import games
from levelsmith.testing import check_representation
from reference import learn as plain

SIZE = (5, 6)


def model(mode="default", kind="vae", game="orchard", size=SIZE, seed=0):
    """A model that has learned nothing: random weights."""
    kinds = games.get(game).tiles.names[1:] if mode == "paper" else games.get(game).tiles.names
    settings = Settings(game, size, tuple(kinds), kind, mode, latent=4, features=8, hidden=16)
    rng = np.random.default_rng(seed)
    weights = {
        name: rng.normal(0.0, 0.2, shape).astype(np.float32) for name, shape in settings.shapes().items()
    }
    return Model(settings, weights | {"spread": np.eye(4, dtype=np.float32)})


@kernel
def coded(net, cells, out):
    network.encode(net, cells)
    for j in range(len(out)):
        out[j] = net.line[0, j]


@kernel
def drawn(net, code, cells, rng):
    for j in range(len(code)):
        net.line[0, j] = code[j]
    network.decode(net, cells, 0.0, rng)


@pytest.mark.parametrize(("mode", "kind"), [("default", "vae"), ("paper", "ae")])
def test_the_compiled_network_computes_what_its_plain_twin_does(mode, kind):
    made = model(mode, kind)
    settings, weights = made.settings, made.weights
    net, rng = network.make(made), np.random.default_rng(1)
    for _ in range(5):
        grid = rng.integers(0, 2, SIZE).astype(np.uint8)
        code, cells = np.zeros(settings.latent), np.zeros(grid.size, np.uint8)
        coded(net, grid.ravel(), code)
        seen = grid if mode == "default" else grid.astype(int) - 1  # a channel has no tile before its first
        assert code == pytest.approx(plain.code(settings, weights, seen), rel=1e-4, abs=1e-4)
        drawn(net, code, cells, seeded(np.random.SeedSequence(0)))
        level = cells.reshape(SIZE)
        found = plain.logits(settings, weights, plain.features(settings, weights, code), level)
        # The likeliest tile is taken each time, so that the level is what its own cells make likely.
        likely = found.argmax(-1) if mode == "default" else found[..., 0] > 0
        assert (level == likely).all()


def test_latent_keeps_the_promises_of_a_representation(tmp_path):
    class OfAnySize(LatentRepresentation):
        def build(self, game, canvas, values, needs):
            file = str(tmp_path / f"{canvas.size}.npz")
            model(size=canvas.size).save(file)
            return super().build(game, canvas, {**values, "model": file, "temperature": 10.0}, needs)

    check_representation(OfAnySize())


@pytest.mark.parametrize(
    ("choice", "size", "says"),
    [
        ("vae", SIZE, "no model of orchard is shipped"),
        ("nowhere.npz", SIZE, "expected vae or ae, or the path of a model, got 'nowhere.npz'"),
        ("model.npz", (4, 4), "expected the size 6x5 of the model, got 4x4"),
        ("other.npz", SIZE, "is a model of binary, but orchard was asked for"),
    ],
)
def test_models_that_do_not_fit_are_refused(choice, size, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model().save("model.npz")
    model(game="binary").save("other.npz")
    values = {p.name: p.default for p in LATENT.parameters} | {"model": choice}
    with pytest.raises(LevelsmithError, match=says):
        LATENT.build(games.get("orchard"), Canvas(size), values, "variation")
