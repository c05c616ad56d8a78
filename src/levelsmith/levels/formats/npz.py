"""Batches for programs: a numpy archive of `grids` [B, H, W] uint8, the `game`, the names of its `tiles`.

Reading executes nothing (no pickles) and looks at the size an array claims before it unpacks it.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from levelsmith.core import Level, Parameters, Values
from levelsmith.errors import quoted
from levelsmith.levels.formats.arrays import read_arrays
from levelsmith.levels.formats.format import MAIN, Source, uniform

GRIDS, GAME, TILES = "grids", "game", "tiles"
CELL_BYTES = 8  # of a cell, at most
WORD_BYTES = 1_000_000  # of the game and its tiles, at most


class NpzFormat:
    name = "npz"
    summary = "a batch of one game and size as numpy arrays"
    extensions = (".npz",)
    many = True
    names_game = True
    parameters: Parameters = ()

    def parse(self, data: bytes, source: Source) -> list[Level]:
        try:
            arrays = read_arrays(data, CELL_BYTES * source.limits.cells + WORD_BYTES, (GRIDS, GAME, TILES))
        except ValueError as error:
            raise source.error(f"expected a numpy archive (.npz), got one that is damaged: {error}") from None
        if GRIDS not in arrays:
            raise source.error(f"expected an array called {GRIDS}, got: {', '.join(arrays) or 'none'}")
        grids = arrays[GRIDS]
        if grids.ndim == 2:
            grids = grids[None]
        if grids.ndim != 3 or grids.size == 0 or grids.dtype.kind not in "iub":
            raise source.error(
                f"expected {GRIDS} as whole numbers of shape [levels, height, width], "
                f"got {grids.dtype} of shape {grids.shape}"
            )
        source.limits.check_side(grids.shape[1], grids.shape[2], source.name)
        source.check_room(len(grids), grids.size)
        game = source.the_game(_word(arrays.get(GAME)))
        if grids.dtype.kind == "b":
            grids = grids.astype(np.uint8)
        return [
            source.level(game, grid)
            for grid in _renumbered(grids, arrays.get(TILES), game.tiles.names, source)
        ]

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        game, grids = uniform(levels, "npz")
        arrays = {
            GRIDS: np.stack(grids),
            GAME: np.array(game),
            TILES: np.array(levels[0].tiles.names),
        }
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, array in arrays.items():
                member = io.BytesIO()
                npy.write_array(member, array, allow_pickle=False)
                # A fixed date, so that the same levels give the same bytes.
                archive.writestr(zipfile.ZipInfo(f"{name}.npy"), member.getvalue(), zipfile.ZIP_DEFLATED)
        return {MAIN: packed.getvalue()}


def _word(array: NDArray[np.generic] | None) -> str | None:
    if array is None or array.dtype.kind != "U" or array.size != 1:
        return None
    return str(array.reshape(-1)[0])


def _renumbered(
    grids: NDArray[np.generic], names: NDArray[np.generic] | None, tiles: tuple[str, ...], source: Source
) -> NDArray[np.generic]:
    """Returns cells by the file's own list of tiles, which may be in another order than the game's."""
    if names is None or names.dtype.kind != "U" or names.ndim != 1:
        return grids
    listed_tiles = [str(name) for name in names[:256]]
    if tuple(listed_tiles) == tiles:
        return grids
    for name in listed_tiles:
        if name not in tiles:
            raise source.error(f"expected tiles {', '.join(tiles)}, got {quoted(name)}")
    if int(grids.min()) < 0 or int(grids.max()) >= len(listed_tiles):
        raise source.error(f"expected cells from 0 to {len(listed_tiles) - 1}, got others")
    numbers: NDArray[np.generic] = np.array([tiles.index(name) for name in listed_tiles], np.uint8)[grids]
    return numbers


FORMAT = NpzFormat()
