"""How alike levels are, turned and mirrored: by their cells, and by the keys that win them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from levelsmith.contracts import Mask
from levelsmith.core import Grid, Size

NOBODY = -1  # no level has that size
# Keys as they are, and turned to the left once, twice and three times, as cells are by `rot90`.
TURNS = [str.maketrans("ulrd", keys) for keys in ("ulrd", "ldur", "drlu", "rudl")]
MIRROR = str.maketrans("lr", "rl")


class Crowd:
    """Levels that others are compared with, each turned and mirrored in all eight ways."""

    def __init__(self, grids: Iterable[Grid]):
        images: dict[Size, list[tuple[int, Grid]]] = defaultdict(list)
        for number, grid in enumerate(grids):
            for side in (grid, grid[:, ::-1]):
                for turns in range(4):
                    image = np.rot90(side, turns)
                    images[image.shape[0], image.shape[1]].append((number, image))
        self.images = {size: np.array([image for _, image in some]) for size, some in images.items()}
        self.numbers = {size: [number for number, _ in some] for size, some in images.items()}

    def nearest(self, grid: Grid, cells: Mask) -> tuple[float, int]:
        """Returns the share of some cells of a level that differs from the nearest one of its size, and the
        number of that one; 1 and NOBODY where there is none."""
        size = grid.shape[0], grid.shape[1]
        if size not in self.images or not cells.any():
            return 1.0, NOBODY
        shares = (self.images[size][:, cells] != grid[cells]).mean(axis=1)
        first = int(shares.argmin())
        return float(shares[first]), self.numbers[size][first]


def way_of(keys: str) -> str:
    """Returns a text that keys share with those of the same way, turned or mirrored."""
    return min(side.translate(turn) for side in (keys, keys.translate(MIRROR)) for turn in TURNS)
