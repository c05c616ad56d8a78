"""Maps of the Tiled editor, as JSON (.tmj) and as XML (.tmx): one orthogonal, finite map with a tileset.

Of a map the first tile layer is read, in whatever encoding but zstd, and of all object layers the objects
that are known as tiles of the game. A tile is known by its class, or by a property `levelsmith_tile` or
`name`, or by what the reader says of its number or name; any other is refused. An object is known by its
class, the class of its tile, or its name, and belongs to the cell that its middle lies in. Flips and
rotations are dropped. A cell without a tile becomes the game's blank tile, or else its first tile tagged
empty. What we write is in `tiled_map`.

An XML map becomes the object that the same map has in JSON first, so that both are read by the same code.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game
from levelsmith.core import Level, Parameters, Size, Values
from levelsmith.errors import quoted
from levelsmith.levels.formats.editors import (
    GAME,
    PARAMETERS,
    KnownTiles,
    cell,
    fields,
    is_our_tileset,
    number,
    numbers,
    size_of,
    tileset_file,
    translated,
    unless_changed,
)
from levelsmith.levels.formats.format import MAIN, Source, decode_json, member, single
from levelsmith.levels.formats.parts import assembled, without_number
from levelsmith.levels.formats.tiled_map import document, map_to_xml, tileset_to_xml
from levelsmith.levels.formats.xml import parse_xml, write_xml

GID = 0x0FFF_FFFF  # the four bits above it are flips and rotations
WINDOW_BITS = {"zlib": 15, "gzip": 31}  # how zlib is told which of the two headers to expect
XML_NUMBERS = {"id", "gid", "width", "height", "firstgid"}  # the attributes we look at that are numbers
CHANGE_ENCODING = "in Tiled, set Map > Map Properties > Tile Layer Format to CSV and save again"


# -------------------------------------------------------------------------------------------------- reading


def _level(document: Any, source: Source) -> Level:
    """Returns the level in a map given as Tiled's JSON object."""
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
    layers = list(_layers(document, source))
    layer = next((layer for layer in layers if layer["type"] == "tilelayer"), None)
    if layer is None:
        raise source.error("expected a map with a tile layer, got none; in Tiled, add one with Layer > New")
    if ("width" in layer or "height" in layer) and _size(layer, source) != size:
        raise source.error(f"expected a layer as large as the map, {size[1]}x{size[0]}")
    tilesets = _Tilesets(member(document, "tilesets", list, source, []), game, source)
    gids = _gids(layer, size, source) & GID
    tilesets.check(np.unique(gids).tolist())
    cells = translated(gids, tilesets.tile_of)
    grid = assembled(cells, _things(document, layers, tilesets, source), game, source)
    return unless_changed(source.level(game, grid, **fields(properties, source)), properties)


def _size(owner: Any, source: Source) -> Size:
    return size_of(member(owner, "height", int, source), member(owner, "width", int, source), source)


def _properties(owner: Any, source: Source) -> dict[str, object]:
    found: dict[str, object] = {}
    for item in member(owner, "properties", list, source, []):
        name = member(item, "name", str, source)
        found[name] = item.get("value")
    return found


def _layers(document: Any, source: Source) -> Iterator[dict[str, Any]]:
    """Yields the layers in the order Tiled draws them, groups opened."""
    waiting = list(reversed(member(document, "layers", list, source)))
    while waiting:
        layer = waiting.pop()
        if member(layer, "type", str, source) == "group":
            waiting += reversed(member(layer, "layers", list, source, []))
        else:
            yield layer


def _things(
    document: Any, layers: list[dict[str, Any]], tilesets: _Tilesets, source: Source
) -> Iterator[tuple[int, int, int]]:
    """Yields the objects that are tiles of the game: each with the row and the column that its middle lies
    in."""
    for layer in layers:
        if layer["type"] != "objectgroup":
            continue
        for item in member(layer, "objects", list, source, []):
            tile = _thing(item, tilesets, source)
            if tile is None:
                continue
            x, y, width, height = (number(item, key, source) for key in ("x", "y", "width", "height"))
            middle = y - height / 2 if "gid" in item else y + height / 2  # tiles stand on their corner
            across, down = (number(document, f"tile{side}", source) for side in ("width", "height"))
            if across <= 0 or down <= 0:
                raise source.error("expected tiles of at least one pixel, got less")
            yield tile, cell(middle / down), cell((x + width / 2) / across)


def _thing(item: Any, tilesets: _Tilesets, source: Source) -> int | None:
    """Returns the tile that an object stands for; None for one that is none of ours, such as a note."""
    name, properties = member(item, "name", str, source, ""), _properties(item, source)
    if "template" in item:
        raise source.error(
            f"expected objects of the map itself, got {quoted(name or 'one')} of a template; "
            "in Tiled, choose Detach for it"
        )
    words = [*_said(item, properties), without_number(name)]
    if "gid" not in item:
        return tilesets.known.of(None, words)
    gid = member(item, "gid", int, source) & GID
    words += tilesets.names_of(gid)
    tile = tilesets.known.of(gid, words)
    if tile is None and not any(map(str.strip, words)):
        tilesets.check([gid])
    return tile


def _gids(layer: dict[str, Any], size: Size, source: Source) -> NDArray[np.uint32]:
    """Returns the cells of a layer, still with their flags. `[H, W]`"""
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
    """Returns decompressed bytes, never more than one beyond what is expected."""
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
        self._game, self.known, self._source = game, KnownTiles(game, source), source

    def check(self, gids: Iterable[int]) -> None:
        """Refuses a map of which not all tiles are known."""
        self.known.check(
            ((gid, self.names_of(gid)) for gid in gids if gid), "give the tiles a class in Tiled"
        )

    def tile_of(self, gid: int) -> int:
        """Returns the index of our tile for a global tile id without flags, which was checked."""
        tile = self.known.of(gid, self.names_of(gid)) if gid else None
        return self.known.empty() if tile is None else tile

    def names_of(self, gid: int) -> list[str]:
        """Returns the names that a tile goes by."""
        number = bisect_right(self._first_gids, gid) - 1
        if number < 0:
            raise self._source.error(f"expected tiles of the map's tilesets, got the tile id {gid} of none")
        if number not in self._names:
            self._names[number] = self._named(self._entries[number])
        return self._names[number].get(gid - self._first_gids[number], [])

    def _named(self, entry: dict[str, Any]) -> dict[int, list[str]]:
        """Returns the names that each tile of a tileset goes by."""
        source, found = self._source, {}
        if "source" in entry:
            name = member(entry, "source", str, source)
            if is_our_tileset(name, self._game.name) and source.neighbour(name) is None:
                return {i: [tile.name] for i, tile in enumerate(self._game.tiles)}  # a map that came alone
            entry, source = _external(name, source)
        for tile in member(entry, "tiles", list, source, []):
            words = _said(tile, _properties(tile, source))
            if words:
                found[member(tile, "id", int, source)] = words
        return found


def _first_gid(entry: Any, source: Source) -> int:
    first: int = member(entry, "firstgid", int, source)
    return first


def _said(owner: Any, properties: Mapping[str, object]) -> list[str]:
    """Returns the names that a tile or an object is given, in the order in which they count."""
    said = (
        *(properties.get("levelsmith_tile"), owner.get("type"), owner.get("class")),
        properties.get("name"),
    )
    return [word for word in said if isinstance(word, str) and word.strip()]


def _external(name: str, source: Source) -> tuple[dict[str, Any], Source]:
    """Returns a tileset that lies in a file of its own beside the map."""
    data = source.neighbour(name)
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
    """Returns an element's attributes and custom properties."""
    return {**_attributes(element, source), "properties": _custom(element)}


def _custom(element: Element) -> list[dict[str, str]]:
    """Returns the custom properties of an element; a long one stands in the property's text."""
    return [
        {**item.attrib, "value": item.get("value", item.text or "")}
        for item in element.iterfind("properties/property")
    ]


def _map_from_xml(root: Element, source: Source) -> dict[str, Any]:
    if root.tag != "map":
        raise source.error(f"expected a Tiled map, got an element {quoted(root.tag)}")
    return {
        **_owner(root, source),
        "type": "map",
        "infinite": root.get("infinite", "0") != "0",
        "tilewidth": _decimal(root.get("tilewidth", "0"), source),
        "tileheight": _decimal(root.get("tileheight", "0"), source),
        "layers": list(_layers_from_xml(root, source)),
        "tilesets": [_tileset_from_xml(tileset, source) for tileset in root.iterfind("tileset")],
    }


def _layers_from_xml(root: Element, source: Source) -> Iterator[dict[str, Any]]:
    """Yields the first tile layer and all object layers, those in groups too, in the order of the file."""
    waiting, tiles = list(reversed(root)), False
    while waiting:
        element = waiting.pop()
        if element.tag == "group":
            waiting += reversed(element)
        elif element.tag == "layer" and not tiles:
            tiles = True
            yield _layer_from_xml(element, source)
        elif element.tag == "objectgroup":
            objects = [_object_from_xml(item, source) for item in element.iterfind("object")]
            yield {"type": "objectgroup", "objects": objects}


def _object_from_xml(element: Element, source: Source) -> dict[str, Any]:
    found: dict[str, Any] = {**element.attrib, "properties": _custom(element)}
    for key in {"x", "y", "width", "height"} & set(found):
        found[key] = _decimal(found[key], source)
    if "gid" in found:
        found["gid"] = _whole(found["gid"], source)
    return found


def _decimal(text: str, source: Source) -> float:
    if not re.fullmatch(r"-?[0-9]{1,10}(\.[0-9]{0,20})?(e[-+]?[0-9]{1,2})?", text):
        raise source.error(f"expected a number, got {quoted(text)}")
    return float(text)


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
        return {**self._encoded(document(level, image, values["scale"])), image: picture}

    def _decoded(self, data: bytes, source: Source) -> Any:
        raise NotImplementedError

    def _encoded(self, made: dict[str, Any]) -> dict[str, bytes]:
        raise NotImplementedError


class TmjFormat(_Tiled):
    name = "tmj"
    summary = "a Tiled map as JSON, with its tileset picture"
    extensions: tuple[str, ...] = (".tmj",)

    def _decoded(self, data: bytes, source: Source) -> Any:
        return decode_json(data, source)

    def _encoded(self, made: dict[str, Any]) -> dict[str, bytes]:
        """Returns the map with its tileset inside: several engines that read these files know no other."""
        return {MAIN: json.dumps(made, ensure_ascii=False).encode() + b"\n"}


class TmxFormat(_Tiled):
    name = "tmx"
    summary = "a Tiled map as XML, with its tileset beside it"
    extensions: tuple[str, ...] = (".tmx",)

    def _decoded(self, data: bytes, source: Source) -> Any:
        return _map_from_xml(parse_xml(data, source), source)

    def _encoded(self, made: dict[str, Any]) -> dict[str, bytes]:
        """Returns the map, and its tileset as a file of its own, which all maps in a folder share."""
        (tileset,) = made["tilesets"]
        name = f"{tileset['image'].removesuffix('.png')}.tsx"
        return {MAIN: write_xml(map_to_xml(made, name)), name: write_xml(tileset_to_xml(made))}


TMJ = TmjFormat()
TMX = TmxFormat()
