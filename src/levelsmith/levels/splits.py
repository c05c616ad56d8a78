"""Levels split into parts that share nothing: levels that are alike up to symmetry fall into the same part.

A level's part is decided by its canonical key alone, not by its place among others: it is the same in any
order, on any number of workers, and for levels that are made later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import inf, isclose
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game
from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError, listed, quoted, unknown
from levelsmith.numbers import check_number
from levelsmith.registry import games

NAMES = {2: ("train", "test"), 3: ("train", "validation", "test")}
USUAL = (0.9, 0.05, 0.05)
Shares = Sequence[float] | Mapping[str, float]
Keys = NDArray[np.uint64]


@runtime_checkable
class Keyed(Protocol):
    """A game that numbers its levels faster, or holds more of them alike, than turning and mirroring does."""

    def canonical_keys(self, grids: Grid) -> Keys:
        """Returns a number for each level, the same for levels that are alike. grids: `[N, H, W]`"""


def canonical_keys(levels: Sequence[Level]) -> Keys:
    """Returns a number for each level; levels that turning or mirroring makes equal have the same.

    Two levels that differ share a number with a chance of about one in 2**64.
    """
    keys = np.zeros(len(levels), np.uint64)
    alike: dict[tuple[str, tuple[int, int]], list[int]] = {}
    for i, level in enumerate(levels):
        alike.setdefault((level.game, level.size), []).append(i)
    for (name, _), places in alike.items():
        keys[places] = keys_of_grids(games.get(name), np.stack([levels[i].grid for i in places]))
    return keys


def keys_of_grids(game: Game, grids: Grid) -> Keys:
    """Returns the canonical keys of levels of one size. grids: `[N, H, W]`"""
    if isinstance(game, Keyed):
        return game.canonical_keys(grids)
    return np.array([_key(game, grid) for grid in grids], np.uint64)


def _key(game: Game, grid: Grid) -> int:
    """Returns the least number of the level as it looks turned and mirrored in each of eight ways.

    Some games hold fewer of them for the same level. To keep them together all the same does no harm.
    """
    turned = [np.ascontiguousarray(np.rot90(side, k)) for side in (grid, grid[:, ::-1]) for k in range(4)]
    found = min(repr(each.shape).encode() + game.canonical(each) for each in turned)
    return int.from_bytes(blake2b(found, digest_size=8).digest(), "little")


@dataclass(frozen=True)
class Splits:
    """Parts of all levels there are: their names, and the share of each."""

    names: tuple[str, ...]
    shares: tuple[float, ...]

    @classmethod
    def of(cls, given: Splits | Shares) -> Splits:
        """Returns the parts of shares that add up to 1 (or 100): two for train and test, three with
        validation between them, or any that are named.

        >>> Splits.of((90, 5, 5))
        Splits(names=('train', 'validation', 'test'), shares=(0.9, 0.05, 0.05))
        """
        if isinstance(given, Splits):
            return given
        expected = "expected shares of splits that add up to 1 or 100, such as 90, 5 and 5"
        if isinstance(given, Mapping):
            names, shares = tuple(map(str, given)), tuple(given.values())
        elif isinstance(given, Sequence | np.ndarray) and not isinstance(given, str) and len(given) in NAMES:
            names, shares = NAMES[len(given)], tuple(given)
        else:
            raise LevelsmithError(
                f"{expected}, got {quoted(given)}; three shares at most, or names with shares"
            )
        for share in shares:
            check_number(share, "the share of a split")
        total = float(sum(shares))
        if not all(0 < share < inf for share in shares) or not any(isclose(total, each) for each in (1, 100)):
            raise LevelsmithError(f"{expected}, got {listed(f'{share:g}' for share in shares)}")
        return cls(names, tuple(float(share) / total for share in shares))

    @property
    def text(self) -> str:
        """The same as the command line has it; no digit that counts is lost.

        >>> Splits.of((0.9, 0.05, 0.05)).text, Splits.of({"train": 0.8, "dev": 0.2}).text
        ('90/5/5', 'train=80/dev=20')
        """
        percent, short = ([f"{scale * share:g}" for share in self.shares] for scale in (100, 1))
        shares = percent if self._are(percent) else short if self._are(short) else map(repr, self.shares)
        if self.names == NAMES.get(len(self.names)):
            return "/".join(shares)
        return "/".join(f"{name}={share}" for name, share in zip(self.names, shares, strict=True))

    def _are(self, shares: Sequence[str]) -> bool:
        """Tells whether shares that are written so are these."""
        try:
            return Splits.of(dict(zip(self.names, map(float, shares), strict=True))) == self
        except LevelsmithError:  # they do not add up any more
            return False

    def share(self, name: str) -> float:
        """Returns the share of a part."""
        if name not in self.names:
            raise unknown("split", name, self.names)
        return self.shares[self.names.index(name)]

    def parts(self, keys: Keys) -> NDArray[np.int64]:
        """Returns for each canonical key the index of its part."""
        cuts = np.cumsum(self.shares)[:-1]
        found: NDArray[np.int64] = np.searchsorted(cuts, _fractions(keys), side="right")
        return found


def _fractions(keys: Keys) -> NDArray[np.float64]:
    """Returns numbers from 0 to 1, evenly spread whatever the keys are, by the finalizer of SplitMix64."""
    mixed = np.asarray(keys, np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return (mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53


def split(levels: Sequence[Level], splits: Splits | Shares = USUAL) -> dict[str, list[Level]]:
    """Returns levels in parts that share nothing up to symmetry, by name, each in the order given.

    Args:
        levels: of any games and sizes.
        splits: the shares of train and test, or of train, validation and test; or shares by name.

    >>> import levelsmith
    >>> levels = levelsmith.generate("orchard", size=(6, 6), count=40, seed=1).levels
    >>> parts = split(levels, (0.5, 0.5))
    >>> sorted(parts), sum(map(len, parts.values()))
    (['test', 'train'], 40)
    """
    shares = Splits.of(splits)
    parts = shares.parts(canonical_keys(levels)).tolist()
    return {
        name: [level for level, part in zip(levels, parts, strict=True) if part == i]
        for i, name in enumerate(shares.names)
    }


class Allowed:
    """Says which levels may appear: those of one split, and none that is alike to certain others.

    Args:
        splits: into which all levels are split; None for no split.
        split: the name of the one that is wanted.
        unlike: levels that shall not appear, turned or mirrored or not.
    """

    def __init__(
        self, splits: Splits | Shares | None = None, split: str | None = None, unlike: Sequence[Level] = ()
    ):
        if split is not None:
            splits = USUAL if splits is None else splits
        elif splits is not None:
            raise LevelsmithError(f"say which split: split={quoted(Splits.of(splits).names[0])}")
        self.splits = None if splits is None else Splits.of(splits)
        self.share = 1.0 if self.splits is None or split is None else self.splits.share(split)
        self.part = 0 if self.splits is None or split is None else self.splits.names.index(split)
        self.split = split
        self.unlike = np.unique(canonical_keys(unlike))

    def __bool__(self) -> bool:
        """Returns whether any level is kept out."""
        return self.splits is not None or len(self.unlike) > 0

    def __call__(self, levels: Sequence[Level]) -> NDArray[np.bool_]:
        """Returns for each level whether it may appear."""
        if not self or not levels:
            return np.ones(len(levels), np.bool_)
        keys = canonical_keys(levels)
        allowed = ~np.isin(keys, self.unlike)
        return allowed if self.splits is None else allowed & (self.splits.parts(keys) == self.part)
