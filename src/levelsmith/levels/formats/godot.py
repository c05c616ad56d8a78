"""Scenes of the Godot 4 engine (.tscn): terrain as a TileMapLayer, and on it a named node for each thing.

Beside a scene lie its TileSet, in which solid tiles have a shape to collide with, and the picture of the
tiles; all scenes in a folder share them. A scene is read back as Godot saves it: the cells of its first
TileMapLayer, and every node with the metadata `tile` where it stands by its position and those of the nodes
above it. The cells are those of Godot 4.3 and later: 12 bytes each behind the number of their format.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from levelsmith.contracts import Game
from levelsmith.core import Level, Parameter, Parameters, Values
from levelsmith.errors import quoted
from levelsmith.levels.formats.editors import (
    GAME,
    PARAMETERS,
    carried,
    cell,
    empty_tile,
    fields,
    size_of,
    tileset_file,
    unless_changed,
)
from levelsmith.levels.formats.format import MAIN, Source, decode_text, single
from levelsmith.levels.formats.parts import assembled, parts_of
from levelsmith.registry import games

SIZE, SIDE, TILE = "levelsmith_size", "levelsmith_side", "tile"  # metadata of the scene, and of a thing
HEADER = struct.Struct("<H")
CELL = struct.Struct("<hhHHHH")
FORMAT = 0  # of the cells
PROJECT = "project.godot"
LAYER = "TileMapLayer"
SECTION = r'^\[(?P<kind>\w+)(?P<head>(?:[^\]"\n]|"(?:\\.|[^"\\])*")*)\]'
PAIR = r'^(?P<key>\w[\w/]*) = (?P<value>"(?:\\.|[^"\\])*"|[^\n]*)'
PART = re.compile(f"{SECTION}|{PAIR}", re.M | re.S)
ATTRIBUTE = re.compile(r'(\w+)="((?:\\.|[^"\\])*)"', re.S)
NUMBER = r"\s*(-?[0-9.]{1,20}(?:e-?[0-9]{1,3})?)\s*"
VECTOR = re.compile(rf"Vector2i?\({NUMBER},{NUMBER}\)")
BYTES = re.compile(r'PackedByteArray\(\s*(?:"(?P<base64>[A-Za-z0-9+/=\s]*)"|(?P<numbers>[0-9,\s]*))\s*\)')


# -------------------------------------------------------------------------------------------------- writing


def _scene(level: Level, tileset: str, picture: str, side: int) -> str:
    """Returns a level as a scene."""
    (height, width), parts = level.size, parts_of(level.tiles)
    cells = [
        CELL.pack(i % width, i // width, 0, tile, 0, 0)
        for i, tile in enumerate(parts.seen(level))
        if tile is not None
    ]
    data = base64.b64encode(HEADER.pack(FORMAT) + b"".join(cells)).decode()
    lines = [
        "[gd_scene load_steps=3 format=4]",
        "",
        f'[ext_resource type="TileSet" path="{tileset}" id="1"]',
        f'[ext_resource type="Texture2D" path="{picture}" id="2"]',
        "",
        '[node name="Level" type="Node2D"]',
        *(f"metadata/{name} = {_quoted(text)}" for name, text in carried(level).items()),
        f"metadata/{SIZE} = Vector2i({width}, {height})",
        f"metadata/{SIDE} = {side}",
        "",
        f'[node name="Terrain" type="{LAYER}" parent="."]',
        f'tile_map_data = PackedByteArray("{data}")',
        'tile_set = ExtResource("1")',
        "",
        '[node name="Things" type="Node2D" parent="."]',
        "",
    ]
    for thing in parts.placed(level):
        name = level.tiles.names[thing.tile]
        at = [_plain((place + 0.5) * side) for place in (thing.column, thing.row)]
        head = f'name="{_node_name(thing.name)}" type="Sprite2D" parent="Things"'
        lines += [
            f"[node {head} groups=[{_quoted(name)}]]",
            f"position = Vector2({', '.join(at)})",
            'texture = ExtResource("2")',
            "region_enabled = true",
            f"region_rect = Rect2({thing.tile * side}, 0, {side}, {side})",
            f"metadata/{TILE} = {_quoted(name)}",
            "",
        ]
    return "\n".join(lines)


def _node_name(name: str) -> str:
    """Returns the name of a thing as a node has it: `Box3` for `box 3`."""
    return re.sub(r"[^0-9A-Za-z]", "", name.title()) or "Thing"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _plain(value: float) -> str:
    return f"{value:g}"


def _tileset(game: Game, picture: str, side: int) -> str:
    """Returns the tiles of a game as a TileSet: each with its name, and solid ones with a shape."""
    half = _plain(side / 2)
    square = ", ".join([f"-{half}, -{half}", f"{half}, -{half}", f"{half}, {half}", f"-{half}, {half}"])
    tiles = []
    for i, tile in enumerate(game.tiles):
        tiles += [f"{i}:0/0 = 0", f"{i}:0/0/custom_data_0 = {_quoted(tile.name)}"]
        if "solid" in tile.tags:
            tiles.append(f"{i}:0/0/physics_layer_0/polygon_0/points = PackedVector2Array({square})")
    return "\n".join(
        [
            '[gd_resource type="TileSet" load_steps=3 format=3]',
            "",
            f'[ext_resource type="Texture2D" path="{picture}" id="1"]',
            "",
            '[sub_resource type="TileSetAtlasSource" id="tiles"]',
            'texture = ExtResource("1")',
            f"texture_region_size = Vector2i({side}, {side})",
            *tiles,
            "",
            "[resource]",
            f"tile_size = Vector2i({side}, {side})",
            "physics_layer_0/collision_layer = 1",
            'custom_data_layer_0/name = "tile"',
            "custom_data_layer_0/type = 4",
            'sources/0 = SubResource("tiles")',
            "",
        ]
    )


_PROJECT = """config_version=5

[application]

config/name="Levels"
config/features=PackedStringArray("4.3")

[rendering]

textures/canvas_textures/default_texture_filter=0
"""


# -------------------------------------------------------------------------------------------------- reading


@dataclass
class _Node:
    kind: str
    path: str  # "." for the root
    parent: str | None
    values: dict[str, str] = field(default_factory=dict)


def _nodes(text: str, source: Source) -> Iterator[_Node]:
    """Yields the nodes of a scene with their properties as they are written."""
    node: _Node | None = None
    for match in PART.finditer(text):
        if match["kind"] is None:
            if node is not None:
                node.values[match["key"]] = match["value"].strip()
            continue
        if node is not None:
            yield node
        node = None
        if match["kind"] != "node":
            continue
        told = dict(ATTRIBUTE.findall(match["head"]))
        name, parent = told.get("name", ""), told.get("parent")
        path = "." if parent is None else name if parent == "." else f"{parent}/{name}"
        node = _Node(told.get("type", ""), path, parent)
    if node is not None:
        yield node


def _level(text: str, source: Source) -> Level:
    """Returns the level that a scene shows."""
    if not text.lstrip().startswith("[gd_scene"):
        raise source.error("expected a scene of Godot 4, which begins with [gd_scene")
    nodes = {node.path: node for node in _nodes(text, source)}
    root = nodes.get(".")
    layer = next((node for node in nodes.values() if node.kind == LAYER), None)
    if root is None or layer is None:
        raise source.error(f"expected a scene with a {LAYER}, got none")
    texts = _metadata(root, source)
    game = source.the_game(texts.get(GAME))
    width, height = map(cell, _vector(root.values.get(f"metadata/{SIZE}"), "its size", source))
    size = size_of(height, width, source)
    told = root.values.get(f"metadata/{SIDE}")
    side = (_numbers(f"Vector2({told}, 0)") or (0.0, 0.0))[0]
    if side < 1:
        raise source.error(f"expected {SIDE} of at least 1 pixel, got {quoted(told)}")
    grid = np.full(size, -1, np.int64)
    for x, y, tile in _cells(layer.values.get("tile_map_data", ""), source):
        if not (0 <= x < width and 0 <= y < height):
            where = f"column {x + 1}, row {y + 1}"
            raise source.error(f"expected cells within {width}x{height}, got one at {where}")
        if tile >= len(game.tiles):
            raise source.error(f"expected tiles from 0 to {len(game.tiles) - 1}, got {tile}")
        grid[y, x] = tile
    if (grid < 0).any():
        grid[grid < 0] = empty_tile(game, source)
    things = list(_things(nodes, game, side, source))
    made = assembled(grid, things, game, source)
    return unless_changed(source.level(game, made, **fields(texts, source)), texts)


def _metadata(node: _Node, source: Source) -> dict[str, object]:
    """Returns the texts that a node carries."""
    return {
        key.removeprefix("metadata/"): _text(value, source)
        for key, value in node.values.items()
        if key.startswith("metadata/") and value.startswith('"')
    }


def _text(value: str, source: Source) -> str:
    try:
        return str(json.loads(value, strict=False))
    except (ValueError, RecursionError):
        raise source.error(f"expected text in quotes, got {quoted(value)}") from None


def _vector(value: str | None, what: str, source: Source) -> tuple[float, float]:
    found = _numbers(value or "")
    if found is None:
        raise source.error(f"expected {what} as Vector2(x, y), got {quoted(value)}")
    return found


def _numbers(value: str) -> tuple[float, float] | None:
    """Returns the numbers of a vector; None where it is none."""
    match = VECTOR.fullmatch(value)
    try:
        return None if match is None else (float(match[1]), float(match[2]))
    except ValueError:  # such as 1.2.3
        return None


def _cells(value: str, source: Source) -> Iterator[tuple[int, int, int]]:
    """Yields column, row and tile of each cell of a layer."""
    match = BYTES.fullmatch(value)
    if match is None:
        raise source.error("expected cells as Godot 4.3 and later write them; save the scene there again")
    try:
        if match["base64"] is not None:
            data = base64.b64decode(match["base64"], validate=False)
        else:
            data = bytes(int(part) for part in match["numbers"].split(",") if part.strip())
    except (binascii.Error, ValueError):
        raise source.error("expected the cells of a layer as bytes, got something else") from None
    cells = len(data) - HEADER.size
    if cells < 0 or cells % CELL.size or HEADER.unpack_from(data)[0] != FORMAT:
        raise source.error(f"expected cells in the format {FORMAT} of Godot 4, got others")
    source.check_room(1, cells // CELL.size)
    for x, y, _, column, _, _ in CELL.iter_unpack(data[HEADER.size :]):
        yield x, y, column


def _things(
    nodes: Mapping[str, _Node], game: Game, side: float, source: Source
) -> Iterator[tuple[int, int, int]]:
    """Yields the nodes that are tiles of the game, with the row and the column that they stand in."""
    for node in nodes.values():
        name = _metadata(node, source).get(TILE)
        if name is None:
            continue
        if name not in game.tiles.names:
            raise source.error(f"expected a tile of {game.name} as {TILE}, got {quoted(name)}")
        x, y = _place(node, nodes, source)
        yield game.tiles.names.index(str(name)), cell(y / side), cell(x / side)


def _place(node: _Node, nodes: Mapping[str, _Node], source: Source) -> tuple[float, float]:
    """Returns where a node is, by its position and those of the nodes above it."""
    x = y = 0.0
    above: _Node | None = node
    for _ in range(len(nodes)):
        if above is None or above.parent is None:
            break
        if "position" in above.values:
            dx, dy = _vector(above.values["position"], "a position", source)
            x, y = x + dx, y + dy
        above = nodes.get(above.parent)
    if not (abs(x) < 1e9 and abs(y) < 1e9):
        raise source.error(f"expected a position within the level, got {x:g}, {y:g}")
    return x, y


class GodotFormat:
    name = "godot"
    summary = "a scene of Godot 4, with its TileSet and their picture"
    extensions: tuple[str, ...] = (".tscn",)
    many = False
    names_game = True
    parameters: Parameters = (
        *PARAMETERS,
        Parameter("project", False, f"also write {PROJECT}, so that Godot opens the folder"),
    )

    def parse(self, data: bytes, source: Source) -> list[Level]:
        return [_level(decode_text(data, source), source)]

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        level, side = single(levels, self.name), values["scale"]
        picture, image = tileset_file(level.game, values)
        tileset = f"{picture.removesuffix('.png')}.tres"
        files = {
            MAIN: _scene(level, tileset, picture, side),
            tileset: _tileset(games.get(level.game), picture, side),
            **({PROJECT: _PROJECT} if values["project"] else {}),
        }
        encoded = {name: text.encode("utf-8", "backslashreplace") for name, text in files.items()}
        return {**encoded, picture: image}


GODOT = GodotFormat()
