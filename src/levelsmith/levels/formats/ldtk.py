"""Projects of the LDtk editor: terrain as an IntGrid layer, things on it as entities, one LDtk level a level.

Of a level the first IntGrid layer is read: its values are known by their identifiers, or by what the reader
says of a value or an identifier; any other is refused. An empty cell becomes the game's blank tile, or else
its first tile tagged empty. Entities with the name of a tile are read too; each belongs to the cell that its
middle lies in. What we write is in `ldtk_project`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from levelsmith.contracts import Game
from levelsmith.core import Level, Parameters, Values
from levelsmith.errors import quoted
from levelsmith.levels.formats.editors import (
    GAME,
    PARAMETERS,
    KnownTiles,
    cell,
    fields,
    number,
    numbers,
    plain,
    size_of,
    tileset_file,
    translated,
    unless_changed,
)
from levelsmith.levels.formats.format import MAIN, Source, decode_json, member, uniform
from levelsmith.levels.formats.ldtk_project import identifiers, project
from levelsmith.levels.formats.parts import assembled


def _levels(document: Any, source: Source) -> list[Level]:
    if member(document, "jsonVersion", str, source) < "1":
        raise source.error(
            "expected a project of LDtk 1.0 or newer; open it in a current LDtk and save it again"
        )
    if document.get("externalLevels"):
        raise source.error(
            "expected a project with its levels inside, got one with separate files; in LDtk, clear "
            "Project settings > Save levels to separate files and save again"
        )
    entries = list(member(document, "levels", list, source))
    for world in member(document, "worlds", list, source, []):
        entries += member(world, "levels", list, source)
    if not entries:
        raise source.error("expected at least one level, got none")
    source.check_room(len(entries))
    tiles = _Tiles(member(member(document, "defs", dict, source, {}), "layers", list, source, []), source)
    return [
        _level(entry, tiles, replace(source, name=f"{source.name}#{number}"))
        for number, entry in enumerate(entries, start=1)
    ]


def _level(entry: Any, tiles: _Tiles, source: Source) -> Level:
    texts: dict[str, object] = {}
    for item in member(entry, "fieldInstances", list, source, []):
        name = member(item, "__identifier", str, source).lower()
        texts[name] = item.get("__value")
    game = source.the_game(texts.get(GAME))
    _entitle(texts, entry.get("identifier"))
    layer = _int_grid(entry, source)
    height, width = member(layer, "__cHei", int, source), member(layer, "__cWid", int, source)
    size = size_of(height, width, source)
    cells = numbers(member(layer, "intGridCsv", list, source), size, source)
    uid = member(layer, "layerDefUid", int, source)
    known = _known(game, source)
    used = [(value, tiles.names_of(value, uid)) for value in np.unique(cells).tolist() if value]
    known.check(used, "name the values in LDtk")
    called = {0: known.empty()} if (cells == 0).any() else {}
    called |= {value: known.of(value, words) for value, words in used}
    grid = translated(cells, lambda value: called[value])
    grid = assembled(grid, _things(entry, layer, known, source), game, source)
    return unless_changed(source.level(game, grid, **fields(texts, source)), texts)


def _entitle(texts: dict[str, object], identifier: object) -> None:
    """Takes the name as the title of a foreign level, and of one of ours that LDtk gave another name."""
    if GAME not in texts:
        texts.setdefault("title", identifier)
        return
    title = texts.get("title")
    ours = next(identifiers([title if isinstance(title, str) else ""], "Level"))
    ours = "Level" if ours == "Level_1" else ours  # without a title it has some number
    if isinstance(identifier, str) and not re.fullmatch(rf"(?i){re.escape(ours)}(_[0-9]+)*", identifier):
        texts["title"] = identifier.replace("_", " ")


def _things(
    entry: Any, terrain: dict[str, Any], known: KnownTiles, source: Source
) -> Iterator[tuple[int, int, int]]:
    """Yields the entities that are tiles of the game: each with the row and the column that its middle
    lies in."""
    for layer in member(entry, "layerInstances", list, source):
        if member(layer, "__type", str, source) != "Entities":
            continue
        for item in member(layer, "entityInstances", list, source, []):
            tile = known.of(None, [member(item, "__identifier", str, source)])
            if tile is None:
                continue
            side = number(terrain, "__gridSize", source) or number(layer, "__gridSize", source)
            if side <= 0:
                raise source.error(f"expected cells of at least one pixel, got {quoted(side)}")
            x, y = _pair(item, "px", (0, 0), source)
            left, above = _pair(item, "__pivot", (0, 0), source)
            width, height = number(item, "width", source), number(item, "height", source)
            yield tile, cell((y + (0.5 - above) * height) / side), cell((x + (0.5 - left) * width) / side)


def _pair(item: Any, key: str, default: tuple[float, float], source: Source) -> tuple[float, float]:
    found = member(item, key, list, source, list(default))
    if len(found) != 2:
        raise source.error(f"expected two numbers for {quoted(key)}, got {quoted(found)}")
    one, two = (number({key: value}, key, source) for value in found)
    return one, two


def _int_grid(entry: Any, source: Source) -> dict[str, Any]:
    for layer in member(entry, "layerInstances", list, source):
        if member(layer, "__type", str, source) == "IntGrid":
            found: dict[str, Any] = layer
            return found
    raise source.error("expected a level with an IntGrid layer, got none; in LDtk, add one to the project")


class _Tiles:
    """What the values of IntGrid layers mean; the project's definitions are read once for all its levels."""

    def __init__(self, definitions: list[Any], source: Source):
        self._named: dict[int, dict[int, str]] = {}  # layer -> value -> its identifier, where it has one
        for definition in definitions:
            named = self._named.setdefault(member(definition, "uid", int, source), {})
            for item in member(definition, "intGridValues", list, source, []):
                value, name = member(item, "value", int, source), item.get("identifier")
                if isinstance(name, str) and name.strip():
                    named[value] = name

    def names_of(self, value: int, layer: int) -> list[str]:
        """Returns the names that a value of a layer goes by: its identifier, where it has one."""
        named = self._named.get(layer, {})
        return [named[value]] if value in named else []


def _known(game: Game, source: Source) -> KnownTiles:
    """Returns what is known of a game's tiles; identifiers are theirs too."""
    ours = {plain(name): index for index, name in enumerate(identifiers(game.tiles.names))}
    return KnownTiles(game, source, ours)


class LdtkFormat:
    name = "ldtk"
    summary = "an LDtk project with all the levels, and its tileset picture"
    extensions = (".ldtk",)
    many = True
    names_game = True
    parameters: Parameters = PARAMETERS

    def parse(self, data: bytes, source: Source) -> list[Level]:
        try:
            return _levels(decode_json(data, source), source)
        except RecursionError:  # a value that some Pythons can parse but not quote in a message
            raise source.error("expected an LDtk project, got values nested too deeply") from None

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        game, _ = uniform(levels, "LDtk", one_size=False)
        image, picture = tileset_file(game, values)
        document = project(levels, image, values)
        return {
            MAIN: json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(),
            image: picture,
        }


FORMAT = LdtkFormat()
