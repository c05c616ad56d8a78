"""What we write for the Tiled editor: terrain as a tile layer, and on it the things of a level as objects.

The tileset has the game's tiles in their order, with their names as classes; what stands on a ground is
transparent around it. The parts of a map, with places for what differs, are in `tiled_map.json`. `tiled`
reads it back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from levelsmith.core import Level
from levelsmith.levels.formats.editors import carried, filled
from levelsmith.levels.formats.parts import parts_of

FIRST_GID = 1
NOTHING = 0  # the gid of a cell without a tile: beyond the walls of a level


def document(level: Level, image: str, scale: int) -> dict[str, Any]:
    """Returns a map as Tiled's JSON object, its tileset inside."""
    (height, width), tiles = level.size, level.tiles
    shared = {"height": height, "width": width, "scale": scale}

    def made(part: str, **values: Any) -> Any:
        return filled("tiled_map.json", part, {**shared, **values})

    cells = [NOTHING if tile is None else tile + FIRST_GID for tile in parts_of(tiles).seen(level)]
    things = parts_of(tiles).placed(level)
    objects = [
        made(
            "object",
            id=number,
            name=thing.name,
            kind=tiles.names[thing.tile],
            gid=thing.tile + FIRST_GID,
            x=thing.column * scale,
            y=(thing.row + 1) * scale,  # a tile stands on the lower left corner of its cell
        )
        for number, thing in enumerate(things, start=1)
    ]
    layers = [made("terrain", cells=cells), *([made("objects", objects=objects)] if objects else [])]
    whole: dict[str, Any] = made(
        "map",
        game=level.game,
        image=image,
        tiles=len(tiles),
        pixels=len(tiles) * scale,
        classes=[{"id": index, "type": tile.name} for index, tile in enumerate(tiles)],
        next_layer=len(layers) + 1,
        next_object=len(objects) + 1,
        properties=[
            {"name": name, "type": "string", "value": value} for name, value in carried(level).items()
        ],
        layers=layers,
    )
    return whole


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


def tileset_to_xml(made: dict[str, Any]) -> Element:
    """Returns the tileset of a map as a file of its own."""
    (tileset,) = made["tilesets"]
    versions, sizes = ("version", "tiledversion"), ("tilewidth", "tileheight", "tilecount", "columns")
    root = _element(None, "tileset", {**made, **tileset}, *versions, "name", *sizes)
    width, height = str(tileset["imagewidth"]), str(tileset["imageheight"])
    SubElement(root, "image", source=tileset["image"], width=width, height=height)
    for tile in tileset["tiles"]:
        _element(root, "tile", tile, "id", "type")
    return root


def _element(parent: Element | None, tag: str, owner: Mapping[str, Any], *keys: str) -> Element:
    attributes = {key: str(owner[key]) for key in keys}
    return Element(tag, attributes) if parent is None else SubElement(parent, tag, attributes)
