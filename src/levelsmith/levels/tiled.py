"""Maps of the Tiled editor, as JSON (.tmj) and as XML (.tmx): one orthogonal, finite map with a tileset.

We write one tile layer and an embedded tileset whose tiles carry our tile names as their class. Of other maps
the first tile layer is read, in whatever encoding but zstd. A tile is known by its class, or by a property
`levelsmith_tile` or `name`; in a tileset without any of these, by its id. Flips and rotations are dropped.
A cell without a tile becomes the game's blank tile, or else its first tile tagged empty.

An XML map becomes the object that the same map has in JSON first, so that both are read by the same code.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import Element, SubElement

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Game, Level, Parameters, Size, Values
from levelsmith.errors import listed, quoted
from levelsmith.levels.editors import (
    GAME,
    PARAMETERS,
    carried,
    empty_tile,
    fields,
    names,
    numbers,
    plain,
    size_of,
    tileset_file,
    translated,
)
from levelsmith.levels.format import MAIN, Source, decode_json, member, single
from levelsmith.levels.xml import parse_xml, write_xml
from levelsmith.registry import games

VERSION = "1.10"
TILED_VERSION = "1.11.0"
GID = 0x0FFF_FFFF  # the four bits above it are flips and rotations
WINDOW_BITS = {"zlib": 15, "gzip": 31}  # how zlib is told which of the two headers to expect
XML_NUMBERS = {"id", "gid", "width", "height", "firstgid"}  # the attributes we look at that are numbers
CHANGE_ENCODING = "in Tiled, set Map > Map Properties > Tile Layer Format to CSV and save again"


# -------------------------------------------------------------------------------------------------- reading


def _level(document: Any, source: Source) -> Level:
    """The level in a map given as Tiled's JSON object."""
    if member(document, "type", str, source, "map") != "map":
        raise source.error(f"expected a Tiled map, got a {quoted(document['type'])}")
    orientation = document.get("orientation", "orthogonal")
    if orientation != "orthogonal":
        raise source.error(
            f"expected an orthogonal map, got {quoted(orientation)}; in Tiled, set Map > Map Properties > "
            "Orientation to Orthogonal"
        )
    if document.get("infinite"):
        raise source.error(
            "expected a map of fixed size, got an infinite one; "
            "in Tiled, clear Map > Map Properties > Infinite"
        )
    size = _size(document, source)
    properties = _properties(document, source)
    game = source.the_game(properties.get(GAME))
    layer = _first_tile_layer(document, source)
    if ("width" in layer or "height" in layer) and _size(layer, source) != size:
        raise source.error(f"expected a layer as large as the map, {size[1]}x{size[0]}")
    tilesets = _Tilesets(member(document, "tilesets", list, source, []), game, source)
    grid = translated(_gids(layer, size, source) & GID, tilesets.tile_of)
    return source.level(game, grid, **fields(properties, source))


def _size(owner: Any, source: Source) -> Size:
    return size_of(member(owner, "height", int, source), member(owner, "width", int, source), source)


def _properties(owner: Any, source: Source) -> dict[str, object]:
    found: dict[str, object] = {}
    for item in member(owner, "properties", list, source, []):
        name = member(item, "name", str, source)
        found[name] = item.get("value")
    return found


def _first_tile_layer(document: Any, source: Source) -> dict[str, Any]:
    """The first tile layer in the order Tiled draws them, groups opened."""
    waiting = list(reversed(member(document, "layers", list, source)))
    while waiting:
        layer = waiting.pop()
        kind = member(layer, "type", str, source)
        if kind == "tilelayer":
            found: dict[str, Any] = layer
            return found
        if kind == "group":
            waiting += reversed(member(layer, "layers", list, source, []))
    raise source.error("expected a map with a tile layer, got none; in Tiled, add one with Layer > New")


def _gids(layer: dict[str, Any], size: Size, source: Source) -> NDArray[np.uint32]:
    """The cells of a layer, still with their flags. `[H, W]`"""
    encoding = layer.get("encoding") or "csv"
    data = layer.get("data")
    if isinstance(data, list):
        return numbers(data, size, source)
    if not isinstance(data, str):
        raise source.error(f"expected the cells of the layer under 'data', got {quoted(data)}")
    if encoding == "csv":
        return numbers(_comma_separated(data, size, source), size, source)
    if encoding != "base64":
        raise source.error(
            f"expected csv or base64 as the encoding, got {quoted(encoding)}; {CHANGE_ENCODING}"
        )
    try:
        packed = base64.b64decode(re.sub(r"\s+", "", data), validate=True)
    except ValueError:
        raise source.error("expected base64 as the data of the layer, got something else") from None
    expected = size[0] * size[1] * 4
    raw = _unpacked(packed, layer.get("compression") or "", expected, source)
    if len(raw) != expected:
        raise source.error(
            f"expected {expected:,} bytes for a map of {size[1]}x{size[0]}, "
            f"got {'more' if len(raw) > expected else f'{len(raw):,}'}"
        )
    return np.frombuffer(raw, "<u4").astype(np.uint32).reshape(size)


def _comma_separated(text: str, size: Size, source: Source) -> list[int]:
    found = text.count(",") + 1
    if found != size[0] * size[1]:  # counted first, so that a long text is never split in vain
        raise source.error(
            f"expected {size[0] * size[1]:,} cells for a map of {size[1]}x{size[0]}, got {found:,}"
        )
    return [_whole(cell.strip(), source) for cell in text.split(",")]


def _whole(text: str, source: Source) -> int:
    if not re.fullmatch(r"-?[0-9]{1,10}", text):
        raise source.error(f"expected a whole number, got {quoted(text)}")
    return int(text)


def _unpacked(packed: bytes, compression: object, expected: int, source: Source) -> bytes:
    """Decompressed bytes, never more than one beyond what is expected."""
    if compression == "":
        return packed
    if not isinstance(compression, str) or compression not in WINDOW_BITS:
        raise source.error(
            f"expected zlib or gzip as the compression, got {quoted(compression)}; {CHANGE_ENCODING}"
        )
    try:
        return zlib.decompressobj(WINDOW_BITS[compression]).decompress(packed, expected + 1)
    except zlib.error:
        raise source.error(f"expected data compressed with {compression}, got something else") from None


class _Tilesets:
    """The tilesets of a map, each read when a cell first asks for it."""

    def __init__(self, entries: list[Any], game: Game, source: Source):
        entries = sorted(entries, key=lambda entry: _first_gid(entry, source))
        self._entries = entries
        self._first_gids = [_first_gid(entry, source) for entry in entries]
        self._names: dict[int, dict[int, list[str]]] = {}
        self._game, self._known, self._source = game, names(game.tiles), source

    def tile_of(self, gid: int) -> int:
        """The index of our tile for a global tile id without flags."""
        if gid == 0:
            return empty_tile(self._game, self._source)
        number = bisect_right(self._first_gids, gid) - 1
        if number < 0:
            raise self._source.error(f"expected tiles of the map's tilesets, got the tile id {gid} of none")
        if number not in self._names:
            self._names[number] = self._named(self._entries[number])
        return self._index(gid - self._first_gids[number], self._names[number])

    def _index(self, tile: int, named: dict[int, list[str]]) -> int:
        legend = listed(self._game.tiles.names)
        if not named:
            if tile < len(self._game.tiles):
                return tile
            raise self._source.error(
                f"expected tile ids from 0 to {len(self._game.tiles) - 1} for {self._game.name} ({legend}), "
                f"got {tile}; or give the tiles a class in Tiled"
            )
        if tile not in named:
            raise self._source.error(
                f"expected a class for tile {tile} of the tileset, got none; "
                f"in Tiled, set it to one of: {legend}"
            )
        for name in named[tile]:
            if plain(name) in self._known:
                return self._known[plain(name)]
        raise self._source.error(
            f"expected tiles of {self._game.name} ({legend}), got {quoted(named[tile][0])} as tile {tile} "
            "of the tileset"
        )

    def _named(self, entry: dict[str, Any]) -> dict[int, list[str]]:
        """The names that each tile of a tileset goes by."""
        source, found = self._source, {}
        if "source" in entry:
            entry, source = _external(member(entry, "source", str, source), source)
        for tile in member(entry, "tiles", list, source, []):
            properties = _properties(tile, source)
            said = (
                properties.get("levelsmith_tile"),
                tile.get("type"),
                tile.get("class"),
                properties.get("name"),
            )
            words = [word for word in said if isinstance(word, str) and word.strip()]
            if words:
                found[member(tile, "id", int, source)] = words
        return found


def _first_gid(entry: Any, source: Source) -> int:
    first: int = member(entry, "firstgid", int, source)
    return first


def _external(name: str, source: Source) -> tuple[dict[str, Any], Source]:
    """A tileset that lies in a file of its own beside the map."""
    try:
        data = source.neighbour(name)
    except (OSError, ValueError):  # a name that no file can have, or a file that may not be read
        data = None
    if data is None:
        raise source.error(
            f"expected the tileset {quoted(name)} beside the map, got no such file; "
            "or embed it in Tiled (Embed Tileset, below the tileset)"
        )
    beside = replace(source, name=name)
    if name.lower().endswith((".tsx", ".xml")):
        root = parse_xml(data, beside)
        if root.tag != "tileset":
            raise beside.error(f"expected a tileset, got an element {quoted(root.tag)}")
        return _tileset_from_xml(root, beside), beside
    document = decode_json(data, beside)
    member(document, "tiles", list, beside, [])
    return document, beside


# ---------------------------------------------------------------------------------------- XML as JSON objects


def _attributes(element: Element, source: Source) -> dict[str, Any]:
    return {key: _whole(value, source) if key in XML_NUMBERS else value for key, value in element.items()}


def _owner(element: Element, source: Source) -> dict[str, Any]:
    """An element's attributes and custom properties; a long property stands in the element's text."""
    properties = [
        {**item.attrib, "value": item.get("value", item.text or "")}
        for item in element.iterfind("properties/property")
    ]
    return {**_attributes(element, source), "properties": properties}


def _map_from_xml(root: Element, source: Source) -> dict[str, Any]:
    if root.tag != "map":
        raise source.error(f"expected a Tiled map, got an element {quoted(root.tag)}")
    layer = next(root.iter("layer"), None)  # those in groups too, in the order of the file
    return {
        **_owner(root, source),
        "type": "map",
        "infinite": root.get("infinite", "0") != "0",
        "layers": [] if layer is None else [_layer_from_xml(layer, source)],
        "tilesets": [_tileset_from_xml(tileset, source) for tileset in root.iterfind("tileset")],
    }


def _layer_from_xml(element: Element, source: Source) -> dict[str, Any]:
    data = element.find("data")
    if data is None:
        raise source.error("expected a layer with data, got one without")
    layer: dict[str, Any] = {**_attributes(element, source), **data.attrib}
    layer |= {"type": "tilelayer", "data": data.text or ""}
    if "encoding" not in data.attrib:
        layer["data"] = [_attributes(tile, source).get("gid", 0) for tile in data.iterfind("tile")]
    return layer


def _tileset_from_xml(element: Element, source: Source) -> dict[str, Any]:
    return {
        **_attributes(element, source),
        "tiles": [_owner(tile, source) for tile in element.iterfind("tile")],
    }


# -------------------------------------------------------------------------------------------------- writing


def _document(level: Level, image: str, scale: int) -> dict[str, Any]:
    """A map as Tiled's JSON object."""
    height, width = level.size
    tiles = games.get(level.game).tiles
    size = {"width": width, "height": height}
    square = {"tilewidth": scale, "tileheight": scale}
    layer = {"id": 1, "name": "level", **size, "x": 0, "y": 0, "opacity": 1, "visible": True}
    picture = {"image": image, "imagewidth": scale * len(tiles), "imageheight": scale}
    return {
        "type": "map",
        "version": VERSION,
        "tiledversion": TILED_VERSION,
        "orientation": "orthogonal",
        "renderorder": "right-down",
        **size,
        **square,
        "infinite": False,
        "compressionlevel": -1,
        "nextlayerid": 2,
        "nextobjectid": 1,
        "properties": [
            {"name": name, "type": "string", "value": value} for name, value in carried(level).items()
        ],
        "tilesets": [
            {
                "firstgid": 1,
                "name": level.game,
                **square,
                "tilecount": len(tiles),
                "columns": len(tiles),
                "margin": 0,
                "spacing": 0,
                **picture,
                "tiles": [{"id": index, "type": tile.name} for index, tile in enumerate(tiles)],
            }
        ],
        "layers": [{**layer, "type": "tilelayer", "data": (level.grid.ravel() + 1).tolist()}],
    }


def _map_to_xml(document: dict[str, Any]) -> Element:
    def element(parent: Element | None, tag: str, owner: Mapping[str, Any], *keys: str) -> Element:
        attributes = {key: str(owner[key]) for key in keys}
        return Element(tag, attributes) if parent is None else SubElement(parent, tag, attributes)

    layer, tileset = document["layers"][0], document["tilesets"][0]
    flat = {**document, "infinite": 0}
    versions, squares = ("version", "tiledversion"), ("tilewidth", "tileheight")
    directions, following = ("orientation", "renderorder"), ("infinite", "nextlayerid", "nextobjectid")
    root = element(None, "map", flat, *versions, *directions, "width", "height", *squares, *following)
    properties = SubElement(root, "properties")
    for item in document["properties"]:
        element(properties, "property", item, "name", "value")
    tiles = element(root, "tileset", tileset, "firstgid", "name", *squares, "tilecount", "columns")
    width, height = str(tileset["imagewidth"]), str(tileset["imageheight"])
    SubElement(tiles, "image", source=tileset["image"], width=width, height=height)
    for tile in tileset["tiles"]:
        element(tiles, "tile", tile, "id", "type")
    data = SubElement(element(root, "layer", layer, "id", "name", "width", "height"), "data", encoding="csv")
    cells, step = list(map(str, layer["data"])), layer["width"]
    data.text = "\n" + ",\n".join(",".join(cells[i : i + step]) for i in range(0, len(cells), step)) + "\n"
    return root


# ----------------------------------------------------------------------------------------------- the formats


class _Tiled:
    name = ""
    many = False
    names_game = True
    parameters: Parameters = PARAMETERS

    def parse(self, data: bytes, source: Source) -> list[Level]:
        try:
            return [_level(self._decoded(data, source), source)]
        except RecursionError:  # a value that some Pythons can parse but not quote in a message
            raise source.error("expected a Tiled map, got values nested too deeply") from None

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        level = single(levels, self.name)
        image, picture = tileset_file(level.game, values)
        return {MAIN: self._encoded(_document(level, image, values["scale"])), image: picture}

    def _decoded(self, data: bytes, source: Source) -> Any:
        raise NotImplementedError

    def _encoded(self, document: dict[str, Any]) -> bytes:
        raise NotImplementedError


class TmjFormat(_Tiled):
    name = "tmj"
    summary = "a Tiled map as JSON, with its tileset picture"
    extensions: tuple[str, ...] = (".tmj",)

    def _decoded(self, data: bytes, source: Source) -> Any:
        return decode_json(data, source)

    def _encoded(self, document: dict[str, Any]) -> bytes:
        return json.dumps(document, ensure_ascii=False).encode() + b"\n"


class TmxFormat(_Tiled):
    name = "tmx"
    summary = "a Tiled map as XML, with its tileset picture"
    extensions: tuple[str, ...] = (".tmx",)

    def _decoded(self, data: bytes, source: Source) -> Any:
        return _map_from_xml(parse_xml(data, source), source)

    def _encoded(self, document: dict[str, Any]) -> bytes:
        return write_xml(_map_to_xml(document))


TMJ = TmjFormat()
TMX = TmxFormat()
