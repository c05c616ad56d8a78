"""From levels to codes and back: what a model draws, without a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid
from levelsmith.kernels.random import seeded
from levelsmith.learn.kernels import latent
from levelsmith.learn.kernels import network as kernels

if TYPE_CHECKING:
    from levelsmith.learn.model import Model

Codes = NDArray[np.floating]


def encoded(model: Model, grids: Grid) -> NDArray[np.float32]:
    """Returns the code of each level. grids: `[B, H, W]` → `[B, latent]`"""
    network = kernels.make(model)
    codes = np.zeros((len(grids), network.latent), np.float32)
    for code, board in zip(codes, grids.reshape(len(grids), network.height * network.width), strict=True):
        kernels.encode(network, board)
        code[:] = network.line[0][: network.latent]
    return codes


def decoded(model: Model, codes: Codes, temperature: float = 0.0, seed: int = 0) -> Grid:
    """Returns a level of each code `[B, latent]`, at temperature 0 the likeliest. → `[B, H, W]`

    Each is drawn with the same random numbers, so that none hangs on the others.
    """
    grids = np.zeros((len(codes), *model.settings.size), np.uint8)
    network = kernels.make(model)
    for code, board in zip(codes, grids.reshape(len(codes), network.height * network.width), strict=True):
        network.line[0][: network.latent] = code
        kernels.decode(network, board, temperature, seeded(np.random.SeedSequence(seed)))
    return grids


def samples(model: Model, count: int, seed: int | tuple[int, ...], temperature: float = 0.9) -> Grid:
    """Returns levels of random codes, `[count, H, W]`: no search has touched them."""
    grids = np.zeros((count, *model.settings.size), np.uint8)
    rng = seeded(np.random.SeedSequence(seed))
    latent.draw_boards(kernels.make(model), temperature, grids.reshape(count, -1), rng)
    return grids


def spread_codes(model: Model, vectors: NDArray[np.float64]) -> Codes:
    """Returns codes that are given in units of how codes are spread, within their bounds. `[B, latent]`

    Those of a vq are the vectors themselves, rounded.
    """
    if model.settings.model == "vq":
        return np.clip(np.rint(np.asarray(vectors)), -1.0, 1.0)
    size = model.settings.latent
    spread = model.weights["spread"].reshape(size, size)
    codes = np.stack([model.weights["mean"] + spread @ vector for vector in vectors])
    bounded: Codes = np.clip(codes, *(model.settings.bounds or (-np.inf, np.inf)))
    return bounded
