"""Models that have learned nothing: random weights, or one level whatever the code."""

from __future__ import annotations

import numpy as np

from levelsmith.learn.model import Model, Settings
from levelsmith.registry import games

SIZE = (5, 6)
VQ = {"latent": 8, "width": 8, "layers": 2}  # two numbers in each of four places


def model(mode="default", kind="vae", game="orchard", size=SIZE, seed=0, **more):
    """A model that has learned nothing: random weights."""
    tiles = games.get(game).tiles
    kinds = tiles.names[1 if mode == "paper" else 0 : tiles.kinds]
    shape = {"latent": 4, "features": 8, "hidden": 16, **(VQ if kind == "vq" else {}), **more}
    settings = Settings(game, size, tuple(kinds), kind, mode, **shape)
    rng = np.random.default_rng(seed)
    weights = {
        name: rng.normal(0.0, 0.2, shape).astype(np.float32) for name, shape in settings.shapes().items()
    }
    fitted = {"symmetry": np.zeros(1)} if kind == "vq" else {"spread": np.eye(4)}
    return Model(settings, weights | {name: array.astype(np.float32) for name, array in fitted.items()})


def model_of_one(level):
    """A model that draws the same level each time."""
    kinds = level.tiles.names[1 : level.tiles.kinds]
    settings = Settings(level.game, level.size, kinds, "vae", "paper", latent=2, hidden=3, net="dense")
    weights = {name: np.zeros(shape, np.float32) for name, shape in settings.shapes().items()}
    shown = level.grid.ravel()[:, None] == np.arange(1, level.tiles.kinds)
    weights["out_bias"] = np.where(shown, 1.0, -1.0).astype(np.float32).ravel()
    return Model(settings, weights)
