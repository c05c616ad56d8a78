"""Tiled maps: ours come back whole, other readers agree on them, foreign ones are read, bad ones refused."""

from __future__ import annotations

import base64
import gzip
import json
import re
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pytiled_parser
import pytmx
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.levels.files import load, save
from levelsmith.levels.formats.format import MAIN, ReadLimits, Source
from levelsmith.levels.formats.parts import assembled, blank_tile, parts_of
from levelsmith.levels.formats.text import parse
from levelsmith.levels.formats.tiled import TMJ, TMX
from levelsmith.levels.formats.xml import ILLEGAL
from levelsmith.registry import games

VALUES = {"scale": 16, "theme": "light"}
BINARY = games.get("binary")
SOKOBAN = games.get("sokoban")
NAMED = [{"id": i, "type": name} for i, name in enumerate(SOKOBAN.tiles.names)]
NAMELESS = [{"firstgid": 1, "name": "t"}]
NAMED_XML = f"""<tileset firstgid="1" name="t">{
    "".join(f'<tile id="{i}" type="{name}"/>' for i, name in enumerate(SOKOBAN.tiles.names))
}</tileset>"""
ROWS = [[1, 1, 1], [1, 0, 5]]  # of Sokoban: walls, a floor, a player
CLOSED = [[0, 1, 1, 1], [1, 1, 0, 1], [1, 1, 1, 1]]  # of Sokoban: a corner beyond the walls


def level_of(name: str, rows: object, **fields: object) -> Level:
    return Level(name, games.get(name).tiles, np.array(rows, np.uint8), **fields)


@st.composite
def levels(draw: st.DrawFn, name: str) -> Level:
    tiles = games.get(name).tiles
    shape = draw(st.tuples(st.integers(1, 12), st.integers(1, 12)))
    grid = draw(arrays.arrays(np.uint8, shape, elements=st.integers(0, len(tiles) - 1)))
    text = st.text(max_size=20)
    made = st.dictionaries(
        text,
        st.integers() | text | st.none() | st.lists(st.floats(allow_nan=False, allow_infinity=False)),
        max_size=3,
    )
    fields = {"solution": draw(st.none() | text), "provenance": draw(made)}
    return Level(name, tiles, grid, title=draw(text), author=draw(text), **fields)


def carries(level: Level) -> tuple[object, ...]:
    return level.title, level.author, level.solution, dict(level.provenance)


def tmj(**changes: object) -> bytes:
    """A foreign map of 3x2 cells in JSON, its tiles named."""
    layer = {"type": "tilelayer", "width": 3, "height": 2, "data": [2, 2, 2, 2, 1, 6]}
    document = {"type": "map", "orientation": "orthogonal", "width": 3, "height": 2, "infinite": False}
    document |= {"layers": [layer], "tilesets": [{"firstgid": 1, "name": "t", "tiles": NAMED}]}
    for key, value in changes.items():
        owner = layer if key in ("data", "encoding", "compression", "chunks") else document
        owner[key] = value
    return json.dumps(document).encode()


def tmx(data: str, tileset: str = NAMED_XML, attributes: str = "") -> bytes:
    """A foreign map of 3x2 cells in XML."""
    return (
        f'<map orientation="orthogonal" width="3" height="2" infinite="0" {attributes}>{tileset}'
        f'<layer id="1" width="3" height="2">{data}</layer></map>'
    ).encode()


def read(format_, data: bytes, game=SOKOBAN, **source: object) -> Level:
    (level,) = format_.parse(data, Source("map", game, **source))
    return level


# ---------------------------------------------------------------------------------------------- what we write


@pytest.mark.parametrize("name", list(games))
@pytest.mark.parametrize("format_", [TMJ, TMX], ids=["tmj", "tmx"])
def test_a_level_comes_back_whole(name, format_):
    @given(levels(name))
    @settings(max_examples=30, deadline=None)
    def check(level):
        (back,) = format_.parse(format_.write([level], "x", VALUES)[MAIN], Source("x"))
        assert back == level
        if format_ is TMX:  # a few characters do not exist in XML
            texts = [text and ILLEGAL.sub("\ufffd", text) for text in carries(level)[:3]]
            assert carries(back) == (*texts, level.provenance)
        else:
            assert carries(back) == carries(level)

    check()


@pytest.mark.parametrize("name", list(games))
@pytest.mark.parametrize("extension", ["tmj", "tmx"])
def test_pytiled_parser_reads_the_same_cells_and_classes(name, extension, tmp_path_factory):
    folder, names = tmp_path_factory.mktemp("maps"), games.get(name).tiles.names

    @given(levels(name))
    @example(level_of(name, CLOSED))
    @settings(max_examples=30, deadline=None)
    def check(level):
        path = folder / f"level.{extension}"
        save(level, path)
        theirs = pytiled_parser.parse_map(path)
        layer, *others = theirs.layers
        seen = [tile - 1 if tile else None for row in layer.data for tile in row]
        assert seen == parts_of(level.tiles).seen(level)
        terrain = np.array([blank_tile(level.tiles) if tile is None else tile for tile in seen])
        things = [
            (names.index(item.class_), int(item.coordinates.y) // 32 - 1, int(item.coordinates.x) // 32)
            for group in others
            for item in group.tiled_objects
        ]
        assert np.array_equal(
            assembled(terrain.reshape(level.grid.shape), things, games.get(name), Source("x")), level.grid
        )
        (tileset,) = theirs.tilesets.values()
        classes = {index: tile.class_ for index, tile in tileset.tiles.items()}
        assert classes == dict(enumerate(names))
        assert Path(tileset.image).name == f"levelsmith-{name}-light-32.png"
        assert theirs.properties["levelsmith_game"] == name

    check()


@pytest.mark.parametrize("name", list(games))
def test_pytmx_reads_the_same_cells(name, tmp_path_factory):
    folder = tmp_path_factory.mktemp("maps")

    @given(levels(name))
    @example(level_of(name, CLOSED))
    @settings(max_examples=30, deadline=None)
    def check(level):
        path = folder / "level.tmx"
        save(level, path)
        theirs = pytmx.TiledMap(str(path))
        layer = theirs.get_layer_by_name("level")
        names = [gid and theirs.get_tile_properties_by_gid(gid)["type"] for row in layer.data for gid in row]
        seen = parts_of(level.tiles).seen(level)
        assert names == [0 if tile is None else level.tiles.names[tile] for tile in seen]
        things = [(item.name, item.type, item.x // 32, item.y // 32) for item in theirs.objects]
        assert things == [
            (thing.name, level.tiles.names[thing.tile], thing.column, thing.row)
            for thing in parts_of(level.tiles).placed(level)
        ]

    check()


@pytest.mark.parametrize("extension", ["tmj", "tmx"])
def test_the_picture_of_the_tiles_lies_beside_the_map(extension, tmp_path):
    level = level_of("sokoban", ROWS, title="<A> & 'b'", author='"me"', solution="lR")
    save(level, tmp_path / f"level.{extension}", scale=8, theme="dark")
    tileset = ["levelsmith-sokoban-dark-8.tsx"] if extension == "tmx" else []
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"level.{extension}",
        "levelsmith-sokoban-dark-8.png",
        *tileset,
    ]
    (back,) = load(tmp_path / f"level.{extension}")
    assert back == level
    assert carries(back) == carries(level)


def test_a_map_holds_one_level():
    with pytest.raises(LevelsmithError, match="holds one level, got 2"):
        TMJ.write([level_of("binary", [[0]])] * 2, "x", VALUES)


@pytest.mark.parametrize("format_", [TMJ, TMX], ids=["tmj", "tmx"])
def test_the_same_level_gives_the_same_bytes(format_):
    level = level_of("sokoban", ROWS, provenance={"seed": 0})
    assert format_.write([level], "x", VALUES) == format_.write([level], "y", VALUES)


def test_a_map_of_one_game_is_not_read_as_another():
    data = TMJ.write([level_of("sokoban", ROWS)], "x", VALUES)[MAIN]
    with pytest.raises(LevelsmithError, match="a level of sokoban, but binary was asked for"):
        read(TMJ, data, BINARY)


def test_maps_in_a_folder_share_one_tileset(tmp_path):
    save([level_of("sokoban", ROWS)] * 3, f"{tmp_path}/", format="tmx")
    assert len(list(tmp_path.glob("*.tmx"))) == 3
    assert [path.name for path in tmp_path.glob("*.tsx")] == ["levelsmith-sokoban-light-32.tsx"]
    assert "<tile " not in (tmp_path / "sokoban-01.tmx").read_text()


# ------------------------------------------------------------------------------------------ things as objects

ROOM = "#######\n#@$.* #\n#######"


def moved(text: str, name: str, x: int, y: int) -> str:
    """An XML map with one object moved by so many cells, as by hand."""

    def move(found):
        return f'{found[1]}x="{int(found[2]) + 16 * x}" y="{int(found[3]) + 16 * y}"'

    return re.sub(rf'(<object [^>]*name="{name}"[^>]*)x="(\d+)" y="(\d+)"', move, text)


def room_xml(text: str = ROOM, **fields: object) -> str:
    level = replace(parse(text, "sokoban"), **fields)
    return TMX.write([level], "x", VALUES)[MAIN].decode()


def test_an_object_moved_by_hand_comes_back_moved():
    assert read(TMX, moved(room_xml(), "player", 4, 0).encode()).text == "#######\n# $.*@#\n#######"
    assert read(TMX, moved(room_xml(), "box 1", 1, 0).encode()).text == "#######\n#@ **_#\n#######".replace(
        "_", " "
    )
    document = json.loads(TMJ.write([parse(ROOM, "sokoban")], "x", VALUES)[MAIN])
    player = next(item for item in document["layers"][1]["objects"] if item["name"] == "player")
    player |= {"x": player["x"] + 64 + 7, "y": player["y"] - 7}  # not quite on the grid
    assert read(TMJ, json.dumps(document).encode()).text == "#######\n# $.*@#\n#######"


def test_a_level_that_was_changed_loses_the_solution_of_the_other():
    xml = room_xml("#####\n#@$.#\n#####", solution="R")
    assert read(TMX, xml.encode()).solution == "R"
    assert read(TMX, moved(xml, "goal", -1, 0).encode()).solution is None


def test_objects_are_known_by_class_by_tile_and_by_name():
    xml = room_xml("#####\n#@$.#\n#####")
    for known in ('type="Player"', 'class="player"', 'name="player 2" class=""'):
        data = re.sub(r'name="player" type="player"', known, xml)
        assert read(TMX, data.encode()).text == "#####\n#@$.#\n#####"
    bare = re.sub(r'name="player" type="player" gid="6" x="16" y="32"', 'name="player" x="16" y="16"', xml)
    assert read(TMX, bare.encode()).text == "#####\n#@$.#\n#####"
    note = re.sub(r'name="player" type="player" gid="6"', 'name="look here"', xml)
    assert read(TMX, note.encode()).text == "#####\n# $.#\n#####"


def test_maps_of_the_first_version_are_still_read():
    """It had all tiles in one layer, and the tileset inside."""
    tiles = "".join(f'<tile id="{i}" type="{name}"/>' for i, name in enumerate(SOKOBAN.tiles.names))
    tileset = f'<tileset firstgid="1" name="sokoban">{tiles}</tileset>'
    assert read(TMX, tmx('<data encoding="csv">2,5,7,2,3,6</data>', tileset)).text == "#*+\n#$@"


@pytest.mark.parametrize(
    ("name", "x", "y", "message"),
    [
        ("player", -1, 0, "got player on wall at column 1, row 2; move the player"),
        ("player", 1, 0, "got box and player on floor at column 3, row 2"),
        ("goal 1", 1, 0, "got goal and goal on floor at column 5, row 2"),
        ("player", 0, 9, "expected 'player' within the 7x3 cells of the map, got it at column 2, row 11"),
        ("player", 0, -9, "within the 7x3 cells of the map, got it at column 2, row -7"),
    ],
)
def test_an_object_where_it_cannot_be_is_refused(name, x, y, message):
    with pytest.raises(LevelsmithError, match=re.escape(message)):
        read(TMX, moved(room_xml(), name, x, y).encode())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": "here"}, "expected a number for 'x', got 'here'"),
        ({"x": True}, "expected a number for 'x'"),
        ({"y": 1e300}, "expected a number for 'y'"),
        ({"gid": "3"}, "expected a whole number for 'gid'"),
        ({"name": 7}, "expected text for 'name'"),
        ({"template": "box.tx"}, "in Tiled, choose Detach"),
    ],
)
def test_a_bad_object_is_refused_with_the_reason(change, message):
    document = json.loads(TMJ.write([parse(ROOM, "sokoban")], "x", VALUES)[MAIN])
    document["layers"][1]["objects"][0] |= change
    with pytest.raises(LevelsmithError, match=re.escape(message)):
        read(TMJ, json.dumps(document).encode())


# ----------------------------------------------------------------------------------------- what others write

CELLS = np.array([[2, 2, 2], [2, 1, 6]], "<u4")
PACKED = {
    "": base64.b64encode(CELLS.tobytes()).decode(),
    "zlib": base64.b64encode(zlib.compress(CELLS.tobytes())).decode(),
    "gzip": base64.b64encode(gzip.compress(CELLS.tobytes())).decode(),
}


@pytest.mark.parametrize("compression", ["", "zlib", "gzip"])
def test_base64_layers_are_read(compression):
    data = PACKED[compression]
    assert read(TMJ, tmj(encoding="base64", compression=compression, data=data)).grid.tolist() == ROWS
    attribute = f'compression="{compression}"' if compression else ""
    xml = tmx(f'<data encoding="base64" {attribute}>\n  {data}\n </data>')
    assert read(TMX, xml).grid.tolist() == ROWS


def test_csv_and_xml_layers_are_read():
    assert read(TMJ, tmj()).grid.tolist() == ROWS
    assert read(TMX, tmx('<data encoding="csv">\n2,2,2,\n2,1,6\n</data>')).grid.tolist() == ROWS
    tiles = "".join(f'<tile gid="{gid}"/>' for gid in CELLS.ravel())
    assert read(TMX, tmx(f"<data>{tiles}</data>")).grid.tolist() == ROWS
    without = tiles.replace('<tile gid="1"/>', "<tile/>")
    assert read(TMX, tmx(f"<data>{without}</data>")).grid.tolist() == ROWS


def test_flips_and_rotations_are_dropped():
    flags = [0x8000_0000, 0x4000_0000, 0x2000_0000, 0x1000_0000, 0xF000_0000, 0]
    flipped = [int(gid) | flag for gid, flag in zip(CELLS.ravel(), flags, strict=True)]
    assert read(TMJ, tmj(data=flipped)).grid.tolist() == ROWS


@pytest.mark.parametrize(
    ("game", "tile"), [("sokoban", "floor"), ("binary", "empty"), ("loderunner", "empty")]
)
def test_a_cell_without_a_tile_is_empty(game, tile):
    game = games.get(game)
    assert read(TMJ, tmj(data=[0] * 6), game).grid.tolist() == [[game.tiles.index_of(tile)] * 3] * 2


@pytest.mark.parametrize("key", ["type", "class"])
def test_tiles_are_known_by_their_class_whatever_their_order(key):
    named = [{"id": 7, key: "Wall"}, {"id": 3, key: "floor"}, {"id": 4, key: "player_on-Goal"}]
    data = tmj(data=[8, 8, 8, 8, 4, 5], tilesets=[{"firstgid": 1, "tiles": named}])
    assert read(TMJ, data).grid.tolist() == [[1, 1, 1], [1, 0, 6]]


@pytest.mark.parametrize("key", ["levelsmith_tile", "name"])
def test_tiles_are_known_by_a_property(key):
    def tile(number, name):
        return {"id": number, "type": "decor", "properties": [{"name": key, "type": "string", "value": name}]}

    data = tmj(
        data=[1, 1, 1, 1, 2, 2], tilesets=[{"firstgid": 1, "tiles": [tile(0, "wall"), tile(1, "box")]}]
    )
    assert read(TMJ, data).grid.tolist() == [[1, 1, 1], [1, 2, 2]]


def test_each_gid_belongs_to_the_tileset_below_it():
    sets = [
        {"firstgid": 100, "tiles": [{"id": 0, "type": "box"}]},
        {"firstgid": 1, "tiles": [{"id": 0, "type": "wall"}]},
    ]
    assert read(TMJ, tmj(data=[1, 1, 1, 1, 100, 100], tilesets=sets)).grid.tolist() == [[1, 1, 1], [1, 2, 2]]


def test_the_first_tile_layer_is_read_also_in_a_group():
    group = {"type": "group", "layers": [json.loads(tmj())["layers"][0]]}
    other = {"type": "tilelayer", "width": 3, "height": 2, "data": [1] * 6}
    assert read(TMJ, tmj(layers=[{"type": "objectgroup"}, group, other])).grid.tolist() == ROWS


TSX = (
    b'<tileset name="t"><tile id="0" type="wall"/><tile id="1" class="floor"/>'
    b'<tile id="5" type="player"/></tileset>'
)
TSJ = json.dumps(
    {"tiles": [{"id": 0, "type": "wall"}, {"id": 1, "type": "floor"}, {"id": 5, "class": "player"}]}
)


@pytest.mark.parametrize(("name", "content"), [("t.tsx", TSX), ("t.tsj", TSJ.encode())])
def test_a_tileset_in_a_file_beside_the_map_is_read(name, content, tmp_path):
    (tmp_path / name).write_bytes(content)
    (tmp_path / "map.tmx").write_bytes(
        tmx('<data encoding="csv">1,1,1,1,2,6</data>', f'<tileset firstgid="1" source="{name}"/>')
    )
    (tmp_path / "map.tmj").write_bytes(
        tmj(data=[1, 1, 1, 1, 2, 6], tilesets=[{"firstgid": 1, "source": name}])
    )
    for file in ("map.tmx", "map.tmj"):
        (level,) = load(tmp_path / file, game="sokoban")
        assert level.grid.tolist() == ROWS


@pytest.mark.parametrize("name", ["../t.tsx", "/etc/t.tsx", "a/t.tsx", "..", "c:\\t.tsx", ""])
def test_a_tileset_outside_the_folder_is_refused(name, tmp_path):
    folder = tmp_path / "maps"
    folder.mkdir()
    (tmp_path / "t.tsx").write_bytes(TSX)
    with pytest.raises(LevelsmithError, match="expected a file in the same folder"):
        read(TMJ, tmj(tilesets=[{"firstgid": 1, "source": name}]), folder=folder)


@pytest.mark.parametrize("name", ["none.tsx", "x" * 5000 + ".tsx", "\ud800.tsx", "a\tb.tsx"])
def test_a_tileset_that_is_not_there_is_named(name, tmp_path):
    with pytest.raises(LevelsmithError, match=r"expected the tileset .* beside the map"):
        read(TMJ, tmj(tilesets=[{"firstgid": 1, "source": name}]), folder=tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.tsx", b"<map/>", "t.tsx: expected a tileset, got an element 'map'"),
        ("t.tsx", b"<!DOCTYPE a><tileset/>", "t.tsx: expected plain XML"),
        ("t.tsj", b"[]", "t.tsj: expected an object"),
        ("t.tsj", b"\xff", "t.tsj: expected text in UTF-8"),
        ("t.tsj", b'{"tiles": 3}', "t.tsj: expected a list for 'tiles'"),
    ],
)
def test_a_bad_tileset_file_is_refused_by_its_name(name, content, message, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(LevelsmithError, match=message):
        read(TMJ, tmj(tilesets=[{"firstgid": 1, "source": name}]), folder=tmp_path)


# ------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"type": "tileset"}, "expected a Tiled map, got a 'tileset'"),
        ({"orientation": "hexagonal"}, "expected an orthogonal map, got 'hexagonal'"),
        ({"infinite": True}, "clear Map > Map Properties > Infinite"),
        ({"width": 0}, "at least 1x1 cells, got '0x2'"),
        ({"height": -5}, "at least 1x1 cells, got '3x-5'"),
        ({"width": True}, "expected a whole number for 'width', got 'True'"),
        ({"width": 3.0}, "expected a whole number for 'width'"),
        ({"width": float("nan")}, "expected JSON"),
        ({"width": None}, "expected a whole number for 'width'"),
        ({"width": 10**4000}, "at most 1000x1000 cells"),
        ({"width": 10**9, "height": 10**9}, "at most 1000x1000 cells"),
        ({"width": 2}, "expected a layer as large as the map, 2x2"),
        ({"layers": []}, "expected a map with a tile layer, got none"),
        ({"layers": [{"type": "objectgroup"}]}, "expected a map with a tile layer, got none"),
        ({"layers": {}}, "expected a list for 'layers'"),
        ({"layers": [7]}, "expected an object with the key 'type', got '7'"),
        ({"tilesets": []}, "got the tile id 1 of none"),
        ({"tilesets": [None]}, "expected an object with the key 'firstgid'"),
        ({"tilesets": [{"firstgid": "1"}]}, "expected a whole number for 'firstgid'"),
        ({"tilesets": [{"firstgid": 9}]}, "got the tile id 1 of none"),
        ({"tilesets": [{"firstgid": 1, "tiles": {}}]}, "expected a list for 'tiles'"),
        ({"tilesets": [{"firstgid": 1, "tiles": [{"type": "wall"}]}]}, "expected the key 'id'"),
        (
            {"tilesets": [{"firstgid": 1, "tiles": [{"id": 0, "type": "wall"}]}]},
            "got the numbers 2, 6 without a name; say what each is, such as tiles={'2': 'wall'}, or give",
        ),
        (
            {"tilesets": [{"firstgid": 1, "tiles": [{"id": 0, "type": "lava"}]}]},
            "got the numbers 2, 6 without a name and 'lava'; say what each is",
        ),
        ({"tilesets": NAMELESS}, "got the numbers 1, 2, 6 without a name; say what each is"),
        ({"tilesets": [{"firstgid": 1, "source": 5}]}, "expected text for 'source'"),
        ({"properties": {}}, "expected a list for 'properties'"),
        ({"properties": [{}]}, "expected the key 'name'"),
        ({"properties": [1.5]}, "expected an object with the key 'name', got '1.5'"),
        (
            {"properties": [{"name": "levelsmith_provenance", "value": "[]"}]},
            "expected an object in levelsmith",
        ),
        ({"properties": [{"name": "levelsmith_provenance", "value": "{"}]}, "expected JSON"),
        ({"data": [1]}, "expected 6 cells for a map of 3x2, got 1"),
        ({"data": [1, 1, 1, 1, 1, -1]}, "as cells, got '-1'"),
        ({"data": [1, 1, 1, 1, 1, True]}, "as cells, got 'True'"),
        ({"data": [1, 1, 1, 1, 1, 1.5]}, "as cells, got '1.5'"),
        ({"data": [1, 1, 1, 1, 1, float("nan")]}, "expected JSON"),
        ({"data": [1, 1, 1, 1, 1, 10**300]}, "as cells, got '1000"),
        ({"data": [1, 1, 1, 1, 1, 99]}, "got the number 99 without a name"),
        ({"data": None}, "expected the cells of the layer under 'data', got 'None'"),
        ({"data": "AAAA", "encoding": "hex"}, "expected csv or base64 as the encoding, got 'hex'"),
        ({"data": "AAAA", "encoding": "base64"}, "expected 24 bytes for a map of 3x2, got 3"),
        ({"data": "A", "encoding": "base64"}, "expected base64 as the data"),
        ({"data": "ü!", "encoding": "base64"}, "expected base64 as the data"),
        ({"data": "AAAA", "encoding": "base64", "compression": "zstd"}, "got 'zstd'; in Tiled, set"),
        ({"data": "AAAA", "encoding": "base64", "compression": ["zlib"]}, "expected zlib or gzip"),
        ({"data": "AAAA", "encoding": "base64", "compression": "zlib"}, "expected data compressed with zlib"),
        ({"data": PACKED["zlib"][:12], "encoding": "base64", "compression": "zlib"}, "expected 24 bytes"),
    ],
    ids=lambda value: re.sub(r"\W+", " ", str(value))[:40],
)
def test_a_bad_map_is_refused_with_the_reason(changes, message):
    with pytest.raises(LevelsmithError, match=re.escape(message)):
        read(TMJ, tmj(**changes))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<svg/>", "expected a Tiled map, got an element 'svg'"),
        (tmx("")[:-10], "expected XML, but line 1"),
        (tmx(""), "expected a layer with data"),
        (b'<map width="3" height="2"/>', "expected a map with a tile layer"),
        (b'<map height="2"/>', "expected the key 'width'"),
        (b'<map width="3_0" height="2"/>', "expected a whole number, got '3_0'"),
        (b'<map width="99999999999" height="2"/>', "expected a whole number"),
        (b'<map width="3000" height="2"><layer><data/></layer></map>', "at most 1000x1000 cells, got 3000x2"),
        (tmx("<data/>", attributes='infinite="1"'), "duplicate attribute"),
        (tmx("<data/>").replace(b'infinite="0"', b'infinite="1"'), "clear Map > Map Properties > Infinite"),
        (tmx("<data><chunk/></data>"), "expected 6 cells"),
        (tmx('<data encoding="csv">1,2</data>'), "expected 6 cells for a map of 3x2, got 2"),
        (tmx('<data encoding="csv">1,2,x,1,1,1</data>'), "expected a whole number, got 'x'"),
        (tmx('<data encoding="csv">1,2,,1,1,1</data>'), "expected a whole number, got ''"),
        (tmx('<data encoding="csv">1,2,-1,1,1,1</data>'), "as cells, got '-1'"),
        (tmx('<data encoding="csv">1,2,１,1,1,1</data>'), "expected a whole number, got '１'"),
        (tmx('<data><tile gid="x"/></data>'), "expected a whole number, got 'x'"),
    ],
)
def test_a_bad_xml_map_is_refused_with_the_reason(data, message):
    with pytest.raises(LevelsmithError, match=re.escape(message)):
        read(TMX, data)


def test_an_entity_bomb_is_refused():
    bomb = b'<!DOCTYPE map [<!ENTITY a "1,"><!ENTITY b "&a;&a;&a;&a;">]>' + tmx("<data>&b;</data>")
    with pytest.raises(LevelsmithError, match="got a DOCTYPE"):
        read(TMX, bomb)


@pytest.mark.parametrize("pack", [zlib.compress, gzip.compress], ids=["zlib", "gzip"])
def test_a_compressed_bomb_is_not_inflated(pack, monkeypatch):
    """Gigabytes of zeros would fill the memory; what is read stops one byte past the map."""
    inflated = []

    class Watched:
        def __init__(self, bits):
            self.inner = real(bits)

        def decompress(self, data, most):
            inflated.append(len(out := self.inner.decompress(data, most)))
            return out

    real = zlib.decompressobj
    monkeypatch.setattr(zlib, "decompressobj", Watched)
    bomb = base64.b64encode(pack(bytes(50_000_000))).decode()
    with pytest.raises(LevelsmithError, match="expected 24 bytes for a map of 3x2, got more"):
        read(TMJ, tmj(encoding="base64", compression=pack.__module__, data=bomb))
    assert inflated == [25]


def test_the_limits_of_the_caller_hold():
    with pytest.raises(LevelsmithError, match="at most 2x2 cells, got 3x2"):
        read(TMJ, tmj(), limits=ReadLimits(side=2))
    with pytest.raises(LevelsmithError, match="at most 5 cells in all levels, got more"):
        read(TMJ, tmj(), limits=ReadLimits(cells=5))


def test_the_game_must_be_known():
    with pytest.raises(LevelsmithError, match="which game is this"):
        read(TMJ, tmj(), None)
    named = [{"name": "levelsmith_game", "value": "sokobam"}]
    with pytest.raises(LevelsmithError, match="did you mean 'sokoban'"):
        read(TMJ, tmj(properties=named), None)
    with pytest.raises(LevelsmithError, match="expected the name of a game, got '5'"):
        read(TMJ, tmj(properties=[{"name": "levelsmith_game", "value": 5}]), None)


def test_deep_nesting_is_refused():
    """Some depths can be parsed but not quoted in a message; which ones depends on the caller's own depth."""
    for depth in (*range(500, 1_000), 100_000):
        nested = b"[" * depth + b"]" * depth
        for key in (b"orientation", b"width"):
            with pytest.raises(LevelsmithError, match="expected"):
                read(TMJ, b'{"height": 1, "%s": %s}' % (key, nested))


def test_numbers_and_names_mean_what_the_reader_says():
    tiles = {"1": "wall", "2": "floor", "6": "player"}
    assert read(TMJ, tmj(tilesets=NAMELESS), tiles=tiles).grid.tolist() == [[0, 0, 0], [0, 1, 5]]
    named = [{"id": 0, "type": "Lava"}, {"id": 1, "type": "rock"}, {"id": 5, "type": "player"}]
    found = read(
        TMJ, tmj(tilesets=[{"firstgid": 1, "tiles": named}]), tiles={"lava": "floor", "rock": "wall"}
    )
    assert found.grid.tolist() == ROWS
    found = read(TMJ, tmj(data=[0, 2, 2, 2, 1, 6]), tiles={"0": "wall", "1": "goal"})
    assert found.grid.tolist() == [[1, 1, 1], [1, 3, 5]]
    with pytest.raises(LevelsmithError, match="no tile of sokoban is called 'wal'; did you mean 'wall'"):
        read(TMJ, tmj(), tiles={"1": "wal"})


def test_an_object_whose_tile_nobody_knows_is_not_passed_over():
    def placed(**item):
        layers = [
            {"type": "tilelayer", "data": [2, 2, 2, 2, 1, 1]},
            {
                "type": "objectgroup",
                "objects": [{"gid": 106, "x": 64, "y": 64, "width": 32, "height": 32, **item}],
            },
        ]
        sets = [{"firstgid": 1, "tiles": NAMED}, {"firstgid": 101, "name": "other"}]
        return tmj(layers=layers, tilesets=sets, tilewidth=32, tileheight=32)

    with pytest.raises(LevelsmithError, match="got the number 106 without a name"):
        read(TMJ, placed())
    assert read(TMJ, placed(), tiles={"106": "player"}).grid.tolist() == ROWS
    assert read(TMJ, placed(name="player 1")).grid.tolist() == ROWS
    assert read(TMJ, placed(name="a note")).grid.tolist() == [[1, 1, 1], [1, 0, 0]]


@pytest.mark.parametrize("format_", [TMJ, TMX], ids=["tmj", "tmx"])
def test_a_map_of_ours_that_came_without_its_tileset_says_what_its_tiles_are(format_):
    level = parse("#####\n#@$.#\n#####", "sokoban")
    assert read(format_, format_.write([level], "x", VALUES)[MAIN]) == level


def test_a_foreign_property_of_another_kind_is_passed_over():
    level = read(TMJ, tmj(properties=[{"name": "title", "value": 5}, {"name": "author", "value": "A"}]))
    assert (level.title, level.author) == ("", "A")


def test_a_cell_without_a_tile_needs_a_game_with_an_empty_one():
    tiles = type(BINARY.tiles)(*(replace(tile, tags=()) for tile in BINARY.tiles))
    with pytest.raises(LevelsmithError, match="expected a tile in every cell"):
        read(TMJ, tmj(data=[0] * 6), type("Bare", (type(BINARY),), {"tiles": tiles})())
