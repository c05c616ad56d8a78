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


def convolved(image, weights, halved):
    """A plain convolution of 3x3 with zeros around; halved as JAX does it, which sees one row less before."""
    height, width = image.shape[:2]
    step = 2 if halved else 1
    top, left = (0 if halved and n % 2 == 0 else 1 for n in (height, width))
    padded = np.pad(image, ((top, 2), (left, 2), (0, 0)))
    out = np.zeros(((height + step - 1) // step, (width + step - 1) // step, weights.shape[-1]))
    for y, x in np.ndindex(out.shape[:2]):
        window = padded[step * y : step * y + 3, step * x : step * x + 3]
        out[y, x] = np.einsum("ijk,ijkl->l", window, weights)
    return out


def plain_code(made, grid):
    weights = made.weights
    names = games.get(made.settings.game).tiles.names
    image = np.stack([grid == names.index(kind) for kind in made.settings.kinds], -1).astype(float)
    for name in ("encode1", "encode2", "encode3"):
        image = np.maximum(convolved(image, weights[name], halved=True), 0)
    code = (image.ravel() @ weights["code"] + weights["code_bias"])[: made.settings.latent]
    return np.tanh(code) if made.settings.model == "ae" else code


def plain_features(made, code):
    weights, sizes = made.weights, made.settings.sizes
    image = np.maximum(code @ weights["decode0"] + weights["decode0_bias"], 0).reshape(*sizes[3], -1)
    for layer, name in ((2, "decode1"), (1, "decode2"), (0, "decode3")):
        height, width = sizes[layer]
        image = convolved(image.repeat(2, 0).repeat(2, 1), weights[name], halved=False)[:height, :width]
        image = np.maximum(image + (weights["places"] if layer == 0 else 0), 0)
    return image


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
def test_the_compiled_network_computes_what_the_plain_one_does(mode, kind):
    made = model(mode, kind)
    net, rng = network.make(made), np.random.default_rng(1)
    for _ in range(5):
        grid = rng.integers(0, 2, SIZE).astype(np.uint8)
        code, cells = np.zeros(4), np.zeros(grid.size, np.uint8)
        coded(net, grid.ravel(), code)
        assert code == pytest.approx(plain_code(made, grid), rel=1e-4, abs=1e-4)
        drawn(net, code, cells, seeded(np.random.SeedSequence(0)))
        assert (cells.reshape(SIZE) == plain_level(made, code)).all()


def plain_level(made, code):
    """The level of a code where the likeliest tile is taken each time."""
    weights, features = made.weights, plain_features(made, code)
    kinds = len(made.settings.kinds)
    tiles = [games.get(made.settings.game).tiles.names.index(kind) for kind in made.settings.kinds]
    if made.settings.mode == "paper":
        chances = features @ weights["out"] + weights["out_bias"]
        grid = np.zeros(SIZE, int)
        for k in range(kinds):
            grid[chances[..., k] > 0] = tiles[k]
        return grid
    before = {}
    for y, x in np.ndindex(SIZE):
        hidden = features[y, x] @ weights["inside"] + weights["hidden_bias"]
        for k, (up, side) in enumerate(network.offsets()):
            hidden = hidden + weights["around"][k, before.get((y + up, x + side), kinds)]
        hidden = np.maximum(hidden, 0)
        hidden = hidden + np.maximum(hidden @ weights["deeper"] + weights["deeper_bias"], 0)
        before[y, x] = int(np.argmax(hidden @ weights["out"] + weights["out_bias"]))
    return np.array([[tiles[before[y, x]] for x in range(SIZE[1])] for y in range(SIZE[0])])


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
