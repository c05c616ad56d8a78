"""Measures of a set of levels: how like it is to another set, and how varied by itself.

Similarity is that of Thakkar et al. (CoG 2019, table III): cells that hold the same tile, blank ones aside,
over all cells. The divergence of tile patterns is that of Lucas and Volz (GECCO 2019), in bits. Tiles that a
game holds `alike` count as one kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game
from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError
from levelsmith.levels.files import Levels, PathLike, all_levels
from levelsmith.registry import games

BLANK = 0  # the first tile of a game is the one that stands for nothing
KINDS = 128  # tile kinds that windows are told apart by
UNSEEN = 0.5  # how often a pattern that never occurs is taken to occur, so that no divergence is infinite


def compare(
    levels: Levels | PathLike, reference: Level | Levels | PathLike | None = None, mirrored: bool = True
) -> dict[str, int | float]:
    """Returns measures of levels against a reference, or without one, of each level against the others.

    Args:
        levels: at least two, of one game and size, as a list, a result or the path of a file.
        reference: levels of the same game and size.
        mirrored: whether the mirror images of the reference belong to it.

    >>> import levelsmith
    >>> a = levelsmith.parse("^.^\\n...", game="orchard")
    >>> b = levelsmith.parse("^..\\n...", game="orchard")
    >>> round(compare([a, b])["hamming"], 4)
    0.1667
    """
    levels = all_levels(levels)
    ours = _grids(levels, 2, levels[0] if levels else None)
    found: dict[str, int | float] = {"levels": len(ours)}
    if reference is None:
        theirs, own = ours, True
    else:
        theirs, own = _grids(all_levels(reference), 1, levels[0]), False
        found["reference"] = len(theirs)
    images = np.concatenate([theirs, theirs[:, :, ::-1]]) if mirrored else theirs
    similarity, jaccard = _nearest(ours, images, own)
    found |= {
        "similarity": float(similarity.mean()),
        "similarity_above_30": int((similarity > 0.3).sum()),
        "similarity_above_50": int((similarity > 0.5).sum()),
        "jaccard": float(jaccard.mean()),
        "jaccard_most": float(jaccard.max()),
    }
    for n in (2, 3):
        if min(ours.shape[1:]) >= n:
            found |= _patterns(windows(ours, n), windows(images, n), f"{n}x{n}", own)
    found["hamming"] = hamming(ours)
    found["duplicates"] = len(ours) - len({grid.tobytes() for grid in ours})
    return found


def likeness(
    levels: Sequence[Level], reference: Sequence[Level]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns how like each level is to the nearest of the reference and its mirror images.

    By the measure of table III, then by Jaccard's.
    """
    theirs = _grids(reference, 1, levels[0])
    return _nearest(_grids(levels, 1, levels[0]), np.concatenate([theirs, theirs[:, :, ::-1]]), False)


def _grids(levels: Sequence[Level], least: int, like: Level | None) -> Grid:
    """Returns the levels as one array, tiles that are alike as the same kind."""
    if like is None or len(levels) < least:
        raise LevelsmithError(f"expected at least {least} levels to compare, got {len(levels)}")
    for level in levels:
        if (level.game, level.size) != (like.game, like.size):
            raise LevelsmithError(
                f"expected levels of one game and size, got {_kind(like)} and {_kind(level)} levels"
            )
    grids: Grid = kind_of(games.get(like.game))[np.stack([level.grid for level in levels])]
    return grids


def kind_of(game: Game) -> NDArray[np.uint8]:
    """Returns the kind of each tile of a game, which is the first tile that is alike."""
    names = game.tiles.names
    return np.array([names.index(game.alike.get(name, name)) for name in names], np.uint8)


def _kind(level: Level) -> str:
    return f"{level.game} {level.size[1]}x{level.size[0]}"


def _nearest(ours: Grid, images: Grid, own: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Returns how like each level is to the nearest image, by the paper's measure and by Jaccard's."""
    filled = images != BLANK
    similarity, jaccard = np.zeros(len(ours)), np.zeros(len(ours))
    for i, grid in enumerate(ours):
        same = ((images == grid) & filled).sum((1, 2))
        union = (filled | (grid != BLANK)).sum((1, 2))
        if own:  # its mirror image is no other level either
            same[i :: len(ours)] = 0
        similarity[i] = same.max() / grid.size
        jaccard[i] = (same / np.maximum(union, 1)).max()
    return similarity, jaccard


def windows(grids: Grid, n: int) -> NDArray[np.int64]:
    """Returns a number for what each n x n window of each level shows. → `[N, windows]`"""
    cut = np.lib.stride_tricks.sliding_window_view(grids, (n, n), axis=(1, 2))
    places = np.int64(KINDS) ** np.arange(n * n, dtype=np.int64)
    numbers: NDArray[np.int64] = cut.reshape(len(grids), -1, n * n).astype(np.int64) @ places
    return numbers


def _patterns(ours: NDArray[np.int64], theirs: NDArray[np.int64], name: str, own: bool) -> dict[str, float]:
    """Returns how far the patterns diverge from those of the reference, and the share that never occurs
    there."""
    if own:  # the images of a level, every so many rows apart, are not among the others
        kinds, numbers = np.unique(theirs, return_inverse=True)
        level = np.arange(len(theirs)) % len(ours)
        met = np.unique(numbers.reshape(theirs.shape) * len(ours) + level[:, None])
        once = np.bincount(met // len(ours)) == 1
        return {f"unseen_{name}": float(once[np.searchsorted(kinds, ours)].mean())}
    kinds = np.unique(np.concatenate([ours.ravel(), theirs.ravel()]))
    here, there = (
        np.bincount(np.searchsorted(kinds, side.ravel()), minlength=len(kinds)) + UNSEEN
        for side in (ours, theirs)
    )
    here, there = here / here.sum(), there / there.sum()
    return {
        f"kl_{name}": float((here * np.log2(here / there)).sum()),
        f"unseen_{name}": float(np.isin(ours, theirs, invert=True).mean()),
    }


def hamming(grids: Grid) -> float:
    """Returns the mean share of cells in which two of the levels differ."""
    n = len(grids)
    flat = grids.reshape(n, -1)
    equal_pairs = 0
    for kind in np.unique(flat):
        here = (flat == kind).sum(0, dtype=np.int64)
        equal_pairs += int((here * (here - 1)).sum())
    return 1.0 - equal_pairs / (n * (n - 1) * flat.shape[1])
