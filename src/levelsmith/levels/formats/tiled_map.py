"""What we write for the Tiled editor: terrain as a tile layer, and on it the things of a level as objects.

The tileset has the game's tiles in their order, with their names as classes; what stands on a ground is
transparent around it. `tiled` reads it back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from levelsmith.core import Level
from levelsmith.levels.formats.editors import carried
from levelsmith.levels.formats.parts import parts_of

VERSION = "1.10"
TILED_VERSION = "1.11.0"
FIRST_GID = 1
NOTHING = 0  # the gid of a cell without a tile: beyond the walls of a level


def document(level: Level, image: str, scale: int) -> dict[str, Any]:
    """Returns a map as Tiled's JSON object, its tileset inside."""
    height, width = level.size
    size = {"width": width, "height": height}
    square = {"tilewidth": scale, "tileheight": scale}
    shown = {"x": 0, "y": 0, "opacity": 1, "visible": True}
    cells = [NOTHING if tile is None else tile + FIRST_GID for tile in parts_of(level.tiles).seen(level)]
    layers = [{"id": 1, "name": "level", **size, **shown, "type": "tilelayer", "data": cells}]
    objects = _objects(level, scale)
    if objects:
        layers.append(
            {
                "id": 2,
                "name": "objects",
                **shown,
                "type": "objectgroup",
                "draworder": "index",
                "objects": objects,
            }
        )
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
        "nextlayerid": len(layers) + 1,
        "nextobjectid": len(objects) + 1,
        "properties": [
            {"name": name, "type": "string", "value": value} for name, value in carried(level).items()
        ],
        "tilesets": [{"firstgid": FIRST_GID, **_tileset(level, image, scale)}],
        "layers": layers,
    }


def _tileset(level: Level, image: str, scale: int) -> dict[str, Any]:
    tiles = level.tiles
    return {
        "name": level.game,
        "tilewidth": scale,
        "tileheight": scale,
        "tilecount": len(tiles),
        "columns": len(tiles),
        "margin": 0,
        "spacing": 0,
        "image": image,
        "imagewidth": scale * len(tiles),
        "imageheight": scale,
        "tiles": [{"id": index, "type": tile.name} for index, tile in enumerate(tiles)],
    }


def _objects(level: Level, scale: int) -> list[dict[str, Any]]:
    """Returns the things of a level as tiles that stand on the lower left corner of their cells."""
    return [
        {
            "id": number,
            "name": thing.name,
            "type": level.tiles.names[thing.tile],
            "gid": thing.tile + FIRST_GID,
            "x": thing.column * scale,
            "y": (thing.row + 1) * scale,
            "width": scale,
            "height": scale,
            "rotation": 0,
            "visible": True,
        }
        for number, thing in enumerate(parts_of(level.tiles).placed(level), start=1)
    ]


# ------------------------------------------------------------------------------------------------ as XML


def map_to_xml(made: dict[str, Any], tileset: str) -> Element:
    """Returns a map whose tileset is a file of that name."""
    flat = {**made, "infinite": 0}
    versions, squares = ("version", "tiledversion"), ("tilewidth", "tileheight")
    directions, following = ("orientation", "renderorder"), ("infinite", "nextlayerid", "nextobjectid")
    root = _element(None, "map", flat, *versions, *directions, "width", "height", *squares, *following)
    properties = SubElement(root, "properties")
    for item in made["properties"]:
        _element(properties, "property", item, "name", "value")
    SubElement(root, "tileset", firstgid=str(FIRST_GID), source=tileset)
    terrain, *others = made["layers"]
    layer = _element(root, "layer", terrain, "id", "name", "width", "height")
    cells, step = list(map(str, terrain["data"])), terrain["width"]
    rows = (",".join(cells[i : i + step]) for i in range(0, len(cells), step))
    SubElement(layer, "data", encoding="csv").text = "\n" + ",\n".join(rows) + "\n"
    for other in others:
        group = _element(root, "objectgroup", other, "draworder", "id", "name")
        for item in other["objects"]:
            _element(group, "object", item, "id", "name", "type", "gid", "x", "y", "width", "height")
    return root


def tileset_to_xml(tileset: dict[str, Any]) -> Element:
    """Returns a tileset as a file of its own."""
    versions = {"version": VERSION, "tiledversion": TILED_VERSION}
    sizes = ("tilewidth", "tileheight", "tilecount", "columns")
    root = _element(None, "tileset", {**versions, **tileset}, *versions, "name", *sizes)
    width, height = str(tileset["imagewidth"]), str(tileset["imageheight"])
    SubElement(root, "image", source=tileset["image"], width=width, height=height)
    for tile in tileset["tiles"]:
        _element(root, "tile", tile, "id", "type")
    return root


def _element(parent: Element | None, tag: str, owner: Mapping[str, Any], *keys: str) -> Element:
    attributes = {key: str(owner[key]) for key in keys}
    return Element(tag, attributes) if parent is None else SubElement(parent, tag, attributes)
