"""Small levels to learn from, and JAX that compiles fast rather than well."""

from __future__ import annotations

import os

import numpy as np
import pytest

from levelsmith.core import Level
from levelsmith.registry import games

os.environ["XLA_FLAGS"] = "--xla_backend_optimization_level=0"  # before JAX is imported


@pytest.fixture
def maps():
    """Binary maps that are all alike: walls in some columns, a few cells changed."""

    def made(number, size=(5, 6)):
        rng = np.random.default_rng(7)
        columns = (np.arange(size[1]) + rng.integers(2, size=(number, 1))) % 2
        grids = np.repeat(columns[:, None], size[0], 1) ^ (rng.random((number, *size)) < 0.1)
        return [Level("binary", games.get("binary").tiles, grid.astype(np.uint8)) for grid in grids]

    return made
