"""Levels of a game as the numbers that a model learns from: checked, mirrored, split."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game
from levelsmith.core import Level, Size
from levelsmith.errors import LevelsmithError, listed, option, quoted
from levelsmith.learn.kernels.shape import MIRRORED

FEWEST = 8  # different levels
LARGEST = 128  # cells along a side
MOST_KEPT = 500_000  # cells of levels kept for validation, so that their memory is a few hundred megabytes
MOST_WEIGHT = 1.5  # of a rare kind of tile, where common ones have 1


@dataclass(frozen=True, eq=False)
class Data:
    """What a model learns from. A cell holds the number of its kind; the number of kinds means none."""

    size: Size
    kinds: tuple[str, ...]
    learned: NDArray[np.int32]  # [N, H, W]
    kept: NDArray[np.int32]  # [M, H, W] to validate by, and never learned from
    levels: int  # different ones, mirror images not counted
    mirrored: bool

    @property
    def digest(self) -> str:
        """The same for the same data."""
        return hashlib.sha256(self.learned.tobytes() + self.kept.tobytes()).hexdigest()[:16]

    @property
    def symmetry(self) -> float:
        """The share of the levels learned from that are like their mirror images, where these are levels."""
        images = self.learned[:, :, ::-1]
        same = ((self.learned == images) & (self.learned > 0)).sum((1, 2))
        either = ((self.learned > 0) | (images > 0)).sum((1, 2))
        return float((same >= MIRRORED * np.maximum(either, 1)).mean()) if self.mirrored else 0.0

    def weights(self, power: float) -> NDArray[np.float32]:
        """Of each kind: 1, and more the rarer it is if it fills less than its part of the cells."""
        counts = np.bincount(self.learned.ravel(), minlength=len(self.kinds))[: len(self.kinds)]
        rarity: NDArray[np.float64] = counts.sum() / len(self.kinds) / np.maximum(counts, 1)
        return np.clip(rarity**power, 1.0, MOST_WEIGHT).astype(np.float32)


def prepare(
    game: Game, levels: Sequence[Level], mode: str, mirror: bool | None, validation: float, seed: int
) -> Data:
    """Returns the levels as numbers, with their mirror images where `mirror` or else the game says so."""
    size = _one_size(game, levels)
    kinds, numbers = _kinds(game, mode)
    mirrored = game.mirrors if mirror is None else mirror
    different: dict[bytes, Any] = {}
    for level in levels:
        images = [level.grid, level.grid[:, ::-1]] if mirrored else [level.grid]
        different.setdefault(min(image.tobytes() for image in images), level.grid)
    if len(different) < FEWEST:
        raise LevelsmithError(
            f"expected at least {FEWEST} different levels to learn from, got {len(different)}; "
            f"add more files to {option('data')}"
        )
    grids = numbers[np.stack(list(different.values()))]
    order = np.random.default_rng(seed).permutation(len(grids))
    most = max(1, MOST_KEPT // (grids[0].size * (2 if mirrored else 1)))
    kept = min(most, max(1, round(validation * len(grids)))) if validation else 0
    parts = [grids[np.sort(part)] for part in (order[kept:], order[:kept])]
    if mirrored:
        parts = [np.concatenate([part, part[:, :, ::-1]]) for part in parts]
    return Data(size, kinds, parts[0], parts[1], len(grids), mirrored)


def _one_size(game: Game, levels: Sequence[Level]) -> Size:
    if not levels:
        raise LevelsmithError(f"expected at least {FEWEST} different levels to learn from, got none")
    for level in levels:
        if level.game != game.name:
            raise LevelsmithError(
                f"expected levels of {game.name}, got one of {level.game}: {quoted(level.title)}"
            )
        level.tiles.check_kinds(level.grid, "a model")
    sizes = Counter(level.size for level in levels).most_common()
    if len(sizes) > 1:
        told = [f"{width}x{height} ({number})" for (height, width), number in sizes[:4]]
        odd = next(level for level in levels if level.size == sizes[-1][0])
        raise LevelsmithError(
            f"expected levels of one size, got {listed(told)}; the rarest is that of {quoted(odd.title)}: "
            "leave out all but one size"
        )
    (height, width), _ = sizes[0]
    if max(height, width) > LARGEST:
        raise LevelsmithError(f"expected levels of at most {LARGEST}x{LARGEST}, got {width}x{height}")
    return height, width


def _kinds(game: Game, mode: str) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Returns the names of the kinds that a model of the game knows, and for each tile the number of its
    kind.

    By default tiles that are `placed_after` count as the first tile. In the mode `paper` each of the game's
    `channels` is a kind, tiles that are `alike` as one; where it names none, all tiles after the first are.
    """
    names = game.tiles.names[: game.tiles.kinds]
    if mode == "paper":
        kinds = tuple(game.channels) or names[1:]
        counted = [game.alike.get(name, name) for name in names]
        numbers = [kinds.index(name) if name in kinds else len(kinds) for name in counted]
    else:
        kinds = tuple(name for name in names if name not in game.placed_after)
        numbers = [kinds.index(name) if name in kinds else 0 for name in names]
    return kinds, np.array(numbers, np.int32)
