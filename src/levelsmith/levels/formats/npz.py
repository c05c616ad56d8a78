"""Batches for programs: a numpy archive of `grids` [B, H, W] uint8, the `game`, the names of its `tiles`.

Where levels have them, `titles`, `authors` and `solutions` [B] are text, and `provenance` is JSON in UTF-8:
under `all` what all levels share, under `each` [B] the rest.

Reading executes nothing (no pickles) and looks at the size an array claims before it unpacks it.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from levelsmith.core import Level, Parameters, Values
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.levels.formats.arrays import read_arrays
from levelsmith.levels.formats.digest import digest, unless_edited
from levelsmith.levels.formats.format import MAIN, Source, decode_json, member, uniform
from levelsmith.levels.formats.json import plain_data

GRIDS, GAME, TILES, PROVENANCE = "grids", "game", "tiles", "provenance"
DIGESTS = "digests"  # beside the provenance, one for each level
WORDS = {"titles": "title", "authors": "author", "solutions": "solution"}  # arrays of them, and the fields
CELL_BYTES = 8  # of a cell, at most
WORD_BYTES = 100_000_000  # of all that is told in words, at most


class NpzFormat:
    name = "npz"
    summary = "a batch of one game and size as numpy arrays"
    extensions = (".npz",)
    many = True
    names_game = True
    parameters: Parameters = ()

    def parse(self, data: bytes, source: Source) -> list[Level]:
        try:
            most = CELL_BYTES * source.limits.cells + WORD_BYTES
            arrays = read_arrays(data, most, (GRIDS, GAME, TILES, *WORDS, PROVENANCE))
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
        cells = _renumbered(grids, arrays.get(TILES), game.tiles.names, source)
        told = _told(arrays, len(grids), source)
        digests = [fields.pop(DIGESTS, None) for fields in told]
        levels = [source.level(game, grid, **fields) for grid, fields in zip(cells, told, strict=True)]
        return [unless_edited(*pair) for pair in zip(levels, digests, strict=True)]

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        game, grids = uniform(levels, "npz")
        arrays: dict[str, NDArray[np.generic]] = {
            GRIDS: np.stack(grids),
            GAME: np.array(game),
            TILES: np.array(levels[0].tiles.names),
            **_words(levels),
            **_origins(levels),
        }
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, array in arrays.items():
                member = io.BytesIO()
                npy.write_array(member, array, allow_pickle=False)
                # A fixed date, so that the same levels give the same bytes.
                archive.writestr(zipfile.ZipInfo(f"{name}.npy"), member.getvalue(), zipfile.ZIP_DEFLATED)
        return {MAIN: packed.getvalue()}


def _words(levels: Sequence[Level]) -> dict[str, NDArray[np.generic]]:
    """Returns titles, authors and solutions as arrays, those that no level has left out."""
    found: dict[str, NDArray[np.generic]] = {}
    for name, field in WORDS.items():
        words = [getattr(level, field) or "" for level in levels]
        if 4 * len(words) * max(map(len, words)) > WORD_BYTES:  # numpy gives each the room of the longest
            raise LevelsmithError(f"the {name} are too long for an array of numpy; write them as .json")
        if any(words):
            found[name] = np.array(words)
    return found


def _origins(levels: Sequence[Level]) -> dict[str, NDArray[np.generic]]:
    """Returns the provenance of levels as one array; what is the same for all of them is said once."""
    first, *others = [plain_data(level.provenance) for level in levels]
    if not any((first, *others)):
        return {}
    shared = {key: value for key, value in first.items() if all(key in o and o[key] == value for o in others)}
    each = [{key: o[key] for key in o if key not in shared} for o in (first, *others)]
    told = {"all": shared, "each": each, DIGESTS: [digest(level) for level in levels]}
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return {PROVENANCE: np.frombuffer(text.encode("utf-8", "backslashreplace"), np.uint8)}


def _told(arrays: Mapping[str, NDArray[np.generic]], count: int, source: Source) -> list[dict[str, Any]]:
    """Returns of each level what the file says besides its cells."""
    told: list[dict[str, Any]] = [{} for _ in range(count)]
    for name, field in WORDS.items():
        if name not in arrays:
            continue
        words = arrays[name]
        if words.dtype.kind != "U" or words.shape != (count,):
            raise source.error(
                f"expected {name} as text, one for each level, got {words.dtype} {words.shape}"
            )
        for fields, word in zip(told, words.tolist(), strict=True):
            if word:
                fields[field] = word
    if PROVENANCE not in arrays:
        return told
    origins = arrays[PROVENANCE]
    if origins.dtype != np.uint8 or origins.ndim != 1:
        raise source.error(f"expected {PROVENANCE} as JSON in bytes, got {origins.dtype} {origins.shape}")
    document = decode_json(origins.tobytes(), source)
    shared, each = member(document, "all", dict, source), member(document, "each", list, source)
    if len(each) != count or not all(isinstance(one, dict) for one in each):
        raise source.error(f"expected {PROVENANCE} of each of the {count} levels, got others")
    digests = document.get(DIGESTS)
    digests = digests if isinstance(digests, list) and len(digests) == count else [None] * count
    for fields, one, digest_ in zip(told, each, digests, strict=True):
        fields |= {"provenance": {**shared, **one}, DIGESTS: digest_}
    return told


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
