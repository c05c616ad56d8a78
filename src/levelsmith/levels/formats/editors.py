"""What the files of map editors share: the tileset picture, the names of tiles, what a level carries."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game
from levelsmith.core import Level, Parameter, Parameters, Size, Tiles, Values
from levelsmith.errors import UnknownTilesError, listed, option, quoted, unknown
from levelsmith.levels.formats.digest import digest, unless_edited
from levelsmith.levels.formats.format import Source, decode_json
from levelsmith.levels.formats.json import plain_data
from levelsmith.levels.formats.parts import blank_tile
from levelsmith.levels.look import THEMES

GAME = "levelsmith_game"
PROVENANCE = "levelsmith_provenance"
DIGEST = "levelsmith_digest"
CELLS = "levelsmith_cells"  # a digest of them: where it no longer fits, the solution is that of another level
MOST_TOLD = 12  # tiles that a message lists
LARGEST_NUMBER = 0xFFFF_FFFF  # Tiled's cells are 32 bits wide

PARAMETERS: Parameters = (
    Parameter("scale", 32, "pixels along a tile's side", low=4, high=128),
    Parameter("theme", "light", "colours of the tileset picture", choices=THEMES),
)


def tileset_name(game: str, values: Values) -> str:
    """Returns what the files of a game's tiles are called, without an extension."""
    return f"levelsmith-{_word(game)}-{values['theme']}-{values['scale']}"


def is_our_tileset(name: str, game: str) -> bool:
    """Tells whether a file is one that we write for a game: its tiles are those of the game, in their
    order."""
    return re.fullmatch(rf"levelsmith-{re.escape(_word(game))}-[a-z]+-[0-9]+\.tsx", name) is not None


def _word(game: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "-", game)


def tileset_file(game: str, values: Values) -> tuple[str, bytes]:
    """Returns the name and the bytes of the picture that shows all tiles of a game in a row."""
    from levelsmith.levels.formats.picture import (
        tileset_png,  # pillow is slow to import, and only writing needs it
    )

    return f"{tileset_name(game, values)}.png", tileset_png(game, values["scale"], values["theme"])


@cache
def _parts_in(file: str) -> dict[str, Any]:
    parts: dict[str, Any] = json.loads(files(__package__).joinpath(file).read_text(encoding="utf-8"))
    return parts


def filled(file: str, part: str, values: Mapping[str, Any]) -> Any:
    """Returns a part of an editor's files, as a JSON file beside this one has it: with the value of that name
    in place of each text such as "$name"."""
    return _filled(_parts_in(file)[part], values)


def _filled(part: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(part, dict):
        return {key: _filled(value, values) for key, value in part.items()}
    if isinstance(part, list):
        return [_filled(value, values) for value in part]
    return values[part[1:]] if isinstance(part, str) and part.startswith("$") else part


def carried(level: Level) -> dict[str, str]:
    """Returns what a level carries besides its cells, as named texts; what it has not is left out."""
    texts = {GAME: level.game}
    texts |= {key: getattr(level, key) for key in ("title", "author") if getattr(level, key)}
    if level.solution is not None:
        texts |= {"solution": level.solution, CELLS: _digest(level)}
    if level.provenance:
        texts |= {PROVENANCE: json.dumps(plain_data(level.provenance)), DIGEST: digest(level)}
    return texts


def fields(texts: Mapping[str, object], source: Source) -> dict[str, Any]:
    """Returns the fields of a level from such texts; a foreign map may use these names for other kinds of
    value."""
    found: dict[str, Any] = {
        key: texts[key] for key in ("title", "author", "solution") if isinstance(texts.get(key), str)
    }
    provenance = texts.get(PROVENANCE)
    if isinstance(provenance, str):
        found["provenance"] = decode_json(provenance, source)
        if not isinstance(found["provenance"], dict):
            raise source.error(f"expected an object in {PROVENANCE}, got {quoted(provenance)}")
    return found


def unless_changed(level: Level, texts: Mapping[str, object]) -> Level:
    """Returns the level; without the solution that came with it where its cells were changed in an editor."""
    changed = isinstance(texts.get(CELLS), str) and texts[CELLS] != _digest(level)
    return unless_edited(replace(level, solution=None) if changed else level, texts.get(DIGEST))


def _digest(level: Level) -> str:
    return blake2b(level.text.encode(), digest_size=8).hexdigest()


def plain(name: str) -> str:
    """Returns a tile's name as people vary it: case, spaces, underscores and hyphens make no difference.

    >>> plain("Box_On-goal")
    'box on goal'
    """
    return re.sub(r"[\s_-]+", " ", name).strip().casefold()


def names(tiles: Tiles) -> dict[str, int]:
    return {plain(name): index for index, name in enumerate(tiles.names)}


def empty_tile(game: Game, source: Source) -> int:
    """Returns the tile of a cell that an editor left without one; where there is none, that is an error."""
    tile = blank_tile(game.tiles)
    if tile is not None:
        return tile
    raise source.error(
        f"expected a tile in every cell, got a cell without one, and {game.name} has no empty tile; "
        f"fill it with one of: {listed(game.tiles.names)}"
    )


class KnownTiles:
    """What an editor's numbers and names of tiles are in a game: as the source says, or else as the game's
    own tiles are called.

    Args:
        more: further names of the game's tiles.
    """

    def __init__(self, game: Game, source: Source, more: Mapping[str, int] = MappingProxyType({})):
        self.game, self.source = game, source
        self._own = {**more, **names(game.tiles)}
        self._told = {plain(key): self._meant(value) for key, value in source.tiles.items()}

    def _meant(self, name: str) -> int:
        tile = self._own.get(plain(name))
        if tile is None:
            raise unknown(f"tile of {self.game.name}", name, self.game.tiles.names)
        return tile

    def of(self, number: int | None, words: Iterable[str]) -> int | None:
        """Returns the tile that has a number and goes by some words; None where that is not known."""
        called = [plain(word) for word in words]
        keys = called if number is None else [str(number), *called]
        told = next((self._told[key] for key in keys if key in self._told), None)
        return (
            told if told is not None else next((self._own[key] for key in called if key in self._own), None)
        )

    def empty(self) -> int:
        """Returns the tile of a cell without one, whose number is 0."""
        return self._told["0"] if "0" in self._told else empty_tile(self.game, self.source)

    def check(self, found: Iterable[tuple[int, Sequence[str]]], remedy: str) -> None:
        """Refuses tiles, given by their numbers and words, that are not known; all are told at once."""
        strange = [(number, words) for number, words in found if self.of(number, words) is None]
        if not strange:
            return
        nameless = [str(number) for number, words in strange if not words]
        named = list(dict.fromkeys(words[0] for _, words in strange if words))
        told = [f"the number{'s' * (len(nameless) > 1)} {_few(nameless)} without a name"] if nameless else []
        told += [_few([quoted(name) for name in named])] if named else []
        tiles = self.game.tiles
        example = next((tile.name for tile in tiles if "solid" in tile.tags), tiles.names[0])
        keys = [*nameless, *named]
        raise UnknownTilesError(
            f"{self.source.name}: expected tiles of {self.game.name} ({listed(tiles.names)}), got "
            f"{' and '.join(told)}; say what each is, such as {option('tiles', {keys[0]: example})}, "
            f"or {remedy}",
            keys,
            self.game.name,
        )


def _few(words: Sequence[str]) -> str:
    """Returns words in a list, the first of many."""
    return listed(words[:MOST_TOLD]) + (f" and {len(words) - MOST_TOLD} more" * (len(words) > MOST_TOLD))


def size_of(height: int, width: int, source: Source) -> Size:
    """Returns a size that a file claims, within the limits; nothing has been made of it yet."""
    if height < 1 or width < 1:
        raise source.error(f"expected a map of at least 1x1 cells, got {quoted(f'{width}x{height}')}")
    source.limits.check_side(height, width, source.name)
    source.check_room(1, height * width)
    return height, width


def numbers(data: list[Any], size: Size, source: Source) -> NDArray[np.uint32]:
    """Returns a flat list of a file as the numbers of a map `[H, W]` uint32."""
    if len(data) != size[0] * size[1]:
        raise source.error(
            f"expected {size[0] * size[1]:,} cells for a map of {size[1]}x{size[0]}, got {len(data):,}"
        )
    for value in data:
        if type(value) is not int or not 0 <= value <= LARGEST_NUMBER:
            raise source.error(
                f"expected whole numbers from 0 to {LARGEST_NUMBER} as cells, got {quoted(value)}"
            )
    return np.array(data, np.uint32).reshape(size)


def number(owner: Any, key: str, source: Source) -> float:
    """Returns a number of an object in a file; 0 where it says none."""
    value = owner.get(key, 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST_NUMBER:
        raise source.error(f"expected a number for {quoted(key)}, got {quoted(value)}")
    return float(value)


def cell(place: float) -> int:
    """Returns the row or the column that a place lies in, given in cells."""
    return math.floor(place)


def translated(cells: NDArray[np.integer[Any]], tile_of: Callable[[int], int]) -> NDArray[np.int64]:
    """Returns a grid of an editor's numbers as a grid of tiles; each number is looked up once."""
    kinds, where = np.unique(cells, return_inverse=True)
    tiles = np.array([tile_of(int(kind)) for kind in kinds], np.int64)
    grid: NDArray[np.int64] = tiles[where.reshape(cells.shape)]
    return grid
