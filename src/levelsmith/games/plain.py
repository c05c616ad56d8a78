"""A game that is only its tiles: it can be read, drawn, converted and counted, and waits for its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Level, Objective, Size, Tiles
from levelsmith.levels.look import Look


@dataclass(frozen=True)
class PlainGame:
    """Metrics are the numbers of cells of each kind, under the names that `counts` gives them."""

    name: str
    summary: str
    tiles: Tiles
    counts: Mapping[str, tuple[str, ...]]  # metric -> the tiles it counts
    default_size: Size
    smallest: Size
    largest: Size
    looks: Callable[[], Look]
    objectives: Mapping[str, Objective] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)
    mirrors: bool = False  # the mirror image of a level is a level
    alike: Mapping[str, str] = field(default_factory=dict)  # tiles that count as another in comparisons
    channels: tuple[str, ...] = ()  # the tiles that models in the mode `paper` know, later ones win
    placed_after: tuple[str, ...] = ()  # the tiles that models leave out

    @property
    def metrics(self) -> Mapping[str, str]:
        return {name: f"cells that are {' or '.join(tiles)}" for name, tiles in self.counts.items()}

    def measure(self, grids: Grid) -> NDArray[np.float64]:
        columns = []
        for tiles in self.counts.values():
            kinds = [self.tiles.index_of(tile) for tile in tiles]
            columns.append(np.isin(grids, kinds).sum(axis=(1, 2)))
        return np.stack(columns, axis=1).astype(np.float64)

    def check(self, level: Level) -> None:
        """Any grid of its tiles will do until the rules are there."""

    def compiled(self, size: Size) -> Any:
        return None

    def look(self) -> Look:
        return self.looks()
