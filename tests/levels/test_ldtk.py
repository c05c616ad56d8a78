"""LDtk projects: ours come back whole and hang together, foreign ones are read, bad ones refused."""

from __future__ import annotations

import json
import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.levels.files import load, save
from levelsmith.levels.formats.format import MAIN, ReadLimits, Source
from levelsmith.levels.formats.ldtk import FORMAT
from levelsmith.levels.formats.ldtk_project import identifiers
from levelsmith.registry import games

VALUES = {"scale": 16, "theme": "dark"}
SOKOBAN = games.get("sokoban")
LODERUNNER = games.get("loderunner")
ROWS = [[1, 1, 1], [1, 0, 5]]  # of Sokoban: walls, a floor, a player


def level_of(name: str, rows: object, **fields: object) -> Level:
    return Level(name, games.get(name).tiles, np.array(rows, np.uint8), **fields)


@st.composite
def packs(draw: st.DrawFn, name: str) -> list[Level]:
    tiles = games.get(name).tiles
    text = st.text(max_size=20)
    made = st.dictionaries(text, st.integers() | text | st.none(), max_size=3)
    found = []
    for _ in range(draw(st.integers(1, 5))):
        shape = draw(st.tuples(st.integers(1, 12), st.integers(1, 12)))
        grid = draw(arrays.arrays(np.uint8, shape, elements=st.integers(0, len(tiles) - 1)))
        fields = {"solution": draw(st.none() | text), "provenance": draw(made)}
        found.append(Level(name, tiles, grid, title=draw(text), author=draw(text), **fields))
    return found


def carries(level: Level) -> tuple[object, ...]:
    return level.title, level.author, level.solution, dict(level.provenance)


def written(*levels: Level) -> Any:
    return json.loads(FORMAT.write(levels, "x", VALUES)[MAIN])


def foreign(**changes: object) -> Any:
    """A project of another hand: one level of 3x2 cells, its values named."""
    layer = {
        "__type": "IntGrid",
        "__cWid": 3,
        "__cHei": 2,
        "layerDefUid": 8,
        "intGridCsv": [2, 2, 2, 2, 1, 6],
    }
    level = {"identifier": "Cave", "fieldInstances": [], "layerInstances": [layer]}
    project = {"jsonVersion": "1.5.3", "externalLevels": False, "levels": [level], "worlds": []}
    named = [{"value": value, "identifier": name} for value, name in enumerate(SOKOBAN.tiles.names, start=1)]
    project["defs"] = {"layers": [{"uid": 8, "intGridValues": named}]}
    for key, value in changes.items():
        if key == "values":
            project["defs"] = {"layers": [{"uid": 8, "intGridValues": value}]}
        else:
            owners = [owner for owner in (layer, level, project) if key in owner]
            (owners or [project])[0][key] = value
    return project


def read(project: Any, game: Any = SOKOBAN, **source: object) -> list[Level]:
    data = project if isinstance(project, bytes) else json.dumps(project).encode()
    return FORMAT.parse(data, Source("world.ldtk", game, **source))


# ---------------------------------------------------------------------------------------------- what we write


@pytest.mark.first(2)
@pytest.mark.parametrize("name", list(games))
def test_levels_come_back_whole(name):
    @given(packs(name))
    @settings(max_examples=30, deadline=None)
    def check(levels):
        back = FORMAT.parse(FORMAT.write(levels, "x", VALUES)[MAIN], Source("x"))
        assert back == levels
        assert list(map(carries, back)) == list(map(carries, levels))

    check()


@pytest.mark.first(2)
@pytest.mark.parametrize("name", list(games))
def test_a_project_hangs_together(name):
    @given(packs(name))
    @settings(max_examples=30, deadline=None)
    def check(levels):
        project = written(*levels)
        defs, placed = project["defs"], project["levels"]
        (*above, layer), (tileset,) = defs["layers"], defs["tilesets"]
        (group,) = layer["autoRuleGroups"]
        numbered = [*above, layer, tileset, group, *group["rules"], *defs["levelFields"]]
        numbered += [*defs["entities"], *placed]
        uids = [item["uid"] for item in numbered]
        assert len(set(uids)) == len(uids)
        assert max(uids) < project["nextUid"]
        layers = [layer for level in placed for layer in level["layerInstances"]]
        things = [thing for layer in layers for thing in layer["entityInstances"]]
        assert {thing["defUid"] for thing in things} <= {entity["uid"] for entity in defs["entities"]}
        iids = [item["iid"] for item in (project, *placed, *layers, *things)] + [project["dummyWorldIid"]]
        assert len(set(iids)) == len(iids)
        names = [level["identifier"] for level in placed]
        assert len({word.lower() for word in names}) == len(names)
        assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", word) for word in names)
        for one, two in combinations(placed, 2):
            apart = (
                one["worldX"] + one["pxWid"] < two["worldX"]
                or two["worldX"] + two["pxWid"] < one["worldX"]
                or one["worldY"] + one["pxHei"] < two["worldY"]
                or two["worldY"] + two["pxHei"] < one["worldY"]
            )
            assert apart

    check()


def test_every_cell_is_drawn_with_its_tile():
    project = written(level_of("sokoban", ROWS))
    (level,) = project["levels"]
    objects, layer = level["layerInstances"]
    (player,) = objects["entityInstances"]
    assert (player["__identifier"], player["__grid"], player["px"]) == ("player", [2, 1], [32, 16])
    assert player["__tile"] == {"tilesetUid": 1, "x": 80, "y": 0, "w": 16, "h": 16}
    assert (layer["__cWid"], layer["__cHei"], level["pxWid"], level["pxHei"]) == (3, 2, 48, 32)
    assert layer["intGridCsv"] == [2, 2, 2, 2, 1, 1]
    drawn = {(t["px"][0] // 16, t["px"][1] // 16): t["src"][0] // 16 for t in layer["autoLayerTiles"]}
    assert drawn == {(x, y): ROWS[y][x] % 5 for x in range(3) for y in range(2)}  # floor below the player
    rules = {rule["uid"]: rule for rule in project["defs"]["layers"][1]["autoRuleGroups"][0]["rules"]}
    for tile in layer["autoLayerTiles"]:
        rule = rules[tile["d"][0]]
        assert rule["tileRectsIds"] == [[tile["t"]]]
        assert rule["pattern"] == [layer["intGridCsv"][tile["d"][1]]]


def test_values_are_named_and_coloured_after_the_tiles():
    defs = written(level_of("sokoban", ROWS))["defs"]
    values, entities = defs["layers"][1]["intGridValues"], defs["entities"]
    assert [(value["value"], value["identifier"]) for value in values] == [(1, "floor"), (2, "wall")]
    assert [entity["identifier"] for entity in entities] == ["goal", "box", "player"]
    assert all(re.fullmatch("#[0-9A-F]{6}", item["color"]) for item in (*values, *entities))


# ----------------------------------------------------------------------------------------- things as entities


def test_an_entity_moved_by_hand_comes_back_moved():
    project = written(level_of("sokoban", ROWS, solution="l"))
    (player,) = project["levels"][0]["layerInstances"][0]["entityInstances"]
    assert read(project)[0].solution == "l"
    player["px"] = [20, 19]  # not quite on the grid
    (level,) = read(project)
    assert (level.grid.tolist(), level.solution) == ([[1, 1, 1], [1, 5, 0]], None)
    player |= {"px": [24, 24], "__pivot": [0.5, 0.5]}
    assert read(project)[0].grid.tolist() == [[1, 1, 1], [1, 5, 0]]


def test_a_level_renamed_by_hand_has_another_title():
    project = written(level_of("sokoban", ROWS, title="The Pit!"), level_of("sokoban", ROWS))
    assert [level["identifier"] for level in project["levels"]] == ["The_Pit", "Level_2"]
    assert [level.title for level in read(project)] == ["The Pit!", ""]
    project["levels"][0]["identifier"], project["levels"][1]["identifier"] = "The_Well", "Cellar"
    assert [level.title for level in read(project)] == ["The Well", "Cellar"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"px": [0, 16]}, "got player on wall at column 1, row 2; move the player"),
        ({"px": [160, 16]}, "expected 'player' within the 3x2 cells of the map, got it at column 11, row 2"),
        ({"px": [1]}, "expected two numbers for 'px'"),
        ({"px": 5}, "expected a list for 'px'"),
        ({"px": [None, 0]}, "expected a number for 'px', got 'None'"),
        ({"width": "wide"}, "expected a number for 'width', got 'wide'"),
        ({"__identifier": 3}, "expected text for '__identifier'"),
    ],
)
def test_a_bad_entity_is_refused_with_the_reason(change, message):
    project = written(level_of("sokoban", ROWS))
    project["levels"][0]["layerInstances"][0]["entityInstances"][0] |= change
    with pytest.raises(LevelsmithError, match=re.escape(message)):
        read(project)


def test_entities_that_are_no_tile_are_passed_over():
    project = written(level_of("sokoban", ROWS))
    project["levels"][0]["layerInstances"][0]["entityInstances"][0]["__identifier"] = "Trigger"
    assert read(project)[0].grid.tolist() == [[1, 1, 1], [1, 0, 0]]


def test_titles_become_identifiers():
    titles = ["My level!", "my LEVEL", "", "7 up", "Ünïcode", "my level 2", "", "___"]
    assert list(identifiers(titles, "Level")) == [
        *("My_level", "my_LEVEL_2", "Level_3", "Level_7_up", "n_code", "my_level_2_2", "Level_7", "Level_8"),
    ]


def test_the_same_levels_give_the_same_bytes():
    levels = [level_of("sokoban", ROWS, provenance={"seed": 0}), level_of("sokoban", [[1]])]
    assert FORMAT.write(levels, "x", VALUES) == FORMAT.write(levels, "y", VALUES)


def test_the_picture_of_the_tiles_lies_beside_the_project(tmp_path):
    levels = [
        level_of("loderunner", [[0, 7]], title="a", author="b", solution="r"),
        level_of("loderunner", [[3]]),
    ]
    save(levels, tmp_path / "pack.ldtk", scale=8)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "levelsmith-loderunner-light-8.png",
        "pack.ldtk",
    ]
    assert load(tmp_path / "pack.ldtk") == levels
    assert load(tmp_path / "pack.ldtk#2") == levels[1:]
    assert written(*levels)["defs"]["tilesets"][0]["relPath"] == "levelsmith-loderunner-dark-16.png"


def test_a_project_holds_one_game():
    with pytest.raises(LevelsmithError, match="one LDtk file holds levels of one game"):
        FORMAT.write([level_of("sokoban", ROWS), level_of("binary", [[0]])], "x", VALUES)
    with pytest.raises(LevelsmithError, match="at least one level"):
        FORMAT.write([], "x", VALUES)


def test_fields_are_read_in_any_case():
    """LDtk's identifier styles rename fields and values."""
    project = written(level_of("sokoban", ROWS, title="T"))
    for field in project["levels"][0]["fieldInstances"]:
        field["__identifier"] = field["__identifier"].upper()
    for value in project["defs"]["layers"][1]["intGridValues"]:
        value["identifier"] = value["identifier"].capitalize()
    (level,) = read(project, None)
    assert (level.grid.tolist(), level.title) == (ROWS, "T")


# ----------------------------------------------------------------------------------------- what others write


def test_values_and_names_mean_what_the_reader_says():
    (level,) = read(foreign())
    assert (level.grid.tolist(), level.title) == (ROWS, "Cave")
    with pytest.raises(LevelsmithError, match="got the numbers 1, 2, 6 without a name; say what each is"):
        read(foreign(values=[]))
    (level,) = read(foreign(values=[]), tiles={"1": "wall", "2": "floor", "6": "player"})
    assert level.grid.tolist() == [[0, 0, 0], [0, 1, 5]]
    values = [{"value": 1, "identifier": "Lava"}, {"value": 2, "identifier": "rock"}]
    (level,) = read(foreign(values=values), tiles={"lava": "floor", "rock": "wall", "6": "player"})
    assert level.grid.tolist() == ROWS


def test_values_are_known_by_their_names_whatever_their_order():
    named = [(6, "WALL"), (1, "floor"), (2, "Player_on goal"), (9, None), (8, "unused")]
    values = [{"value": value, "identifier": name} for value, name in named]
    (level,) = read(foreign(values=values, intGridCsv=[6, 6, 6, 6, 1, 2]))
    assert level.grid.tolist() == [[1, 1, 1], [1, 0, 6]]


@pytest.mark.parametrize(
    ("game", "tile"), [("sokoban", "floor"), ("binary", "empty"), ("loderunner", "empty")]
)
def test_an_empty_cell_is_the_empty_tile(game, tile):
    game = games.get(game)
    (level,) = read(foreign(intGridCsv=[0] * 6), game)
    assert level.grid.tolist() == [[game.tiles.index_of(tile)] * 3] * 2


def test_the_first_int_grid_layer_is_read():
    layer = foreign()["levels"][0]["layerInstances"][0]
    other = {**layer, "intGridCsv": [1] * 6}
    (level,) = read(foreign(layerInstances=[{"__type": "Entities"}, layer, other]))
    assert level.grid.tolist() == ROWS


def test_many_levels_share_one_reading_of_the_definitions():
    """A large project of small levels must not take the time of levels times definitions."""
    values = [{"value": value, "identifier": "wall"} for value in range(1, 50_000)]
    level = {"layerInstances": foreign()["levels"][0]["layerInstances"]}
    assert len(read(foreign(values=values, levels=[level] * 2_000))) == 2_000


def test_levels_of_all_worlds_are_read():
    levels = foreign()["levels"]
    assert len(read(foreign(worlds=[{"levels": levels}, {"levels": levels * 2}]))) == 4


# ------------------------------------------------------------------------------------------------- bad input

NAMED = [{"value": 1, "identifier": "floor"}, {"value": 2, "identifier": "lava"}]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"externalLevels": True}, "clear Project settings > Save levels to separate files"),
        ({"jsonVersion": "0.9.3"}, "expected a project of LDtk 1.0 or newer"),
        ({"jsonVersion": 1}, "expected text for 'jsonVersion'"),
        ({"levels": []}, "expected at least one level, got none"),
        ({"levels": {}}, "expected a list for 'levels'"),
        ({"levels": [None]}, "world.ldtk#1: expected an object"),
        ({"worlds": [7]}, "expected an object with the key 'levels'"),
        ({"defs": []}, "expected an object for 'defs'"),
        ({"defs": {"layers": [{}]}}, "expected the key 'uid'"),
        ({"values": 5}, "expected a list for 'intGridValues'"),
        ({"values": [{"identifier": "x"}]}, "expected the key 'value'"),
        ({"values": NAMED}, "got the number 6 without a name and 'lava'; say what each is"),
        ({"values": NAMED[:1]}, "got the numbers 2, 6 without a name"),
        ({"layerInstances": None}, "expected a list for 'layerInstances'"),
        ({"layerInstances": []}, "expected a level with an IntGrid layer, got none"),
        ({"layerInstances": [{"__type": "Tiles"}]}, "expected a level with an IntGrid layer, got none"),
        ({"fieldInstances": [{}]}, "expected the key '__identifier'"),
        ({"fieldInstances": [1.5]}, "expected an object with the key '__identifier', got '1.5'"),
        ({"__cWid": 0}, "at least 1x1 cells, got '0x2'"),
        ({"__cHei": -1}, "at least 1x1 cells, got '3x-1'"),
        ({"__cWid": True}, "expected a whole number for '__cWid', got 'True'"),
        ({"__cWid": float("nan")}, "expected JSON"),
        ({"__cWid": 10**30}, "at most 1000x1000 cells"),
        ({"__cWid": 4}, "expected 8 cells for a map of 4x2, got 6"),
        ({"intGridCsv": "1,2"}, "expected a list for 'intGridCsv'"),
        ({"intGridCsv": [1, 1, 1, 1, 1, None]}, "as cells, got 'None'"),
        ({"intGridCsv": [1, 1, 1, 1, 1, False]}, "as cells, got 'False'"),
        ({"intGridCsv": [1, 1, 1, 1, 1, -1]}, "as cells, got '-1'"),
        ({"intGridCsv": [1, 1, 1, 1, 1, 10**99]}, "as cells, got '1000"),
        ({"intGridCsv": [1, 1, 1, 1, 1, 8]}, "got the number 8 without a name"),
    ],
    ids=lambda value: re.sub(r"\W+", " ", str(value))[:40],
)
def test_a_bad_project_is_refused_with_the_reason(changes, message):
    with pytest.raises(LevelsmithError, match=re.escape(message)):
        read(foreign(**changes))


@pytest.mark.parametrize("data", [b"[]", b"3", b"{", b"\xff", b"{}", b"[" * 100_000, b'"' + b"x" * 1000])
def test_what_is_no_project_is_refused(data):
    with pytest.raises(LevelsmithError, match=r"world\.ldtk: expected"):
        read(data)


def test_deep_nesting_is_refused():
    """Some depths can be parsed but not quoted in a message; which ones depends on the caller's own depth."""
    for depth in range(500, 1_000):
        nested = b"[" * depth + b"]" * depth
        with pytest.raises(LevelsmithError, match="expected"):
            read(b'{"jsonVersion": %s}' % nested)


def test_the_limits_of_the_caller_hold():
    two = foreign()["levels"] * 2
    with pytest.raises(LevelsmithError, match="at most 2x2 cells, got 3x2"):
        read(foreign(), limits=ReadLimits(side=2))
    with pytest.raises(LevelsmithError, match="expected at most 1 levels, got more"):
        read(foreign(levels=two), limits=ReadLimits(levels=1))
    with pytest.raises(LevelsmithError, match="#2: expected at most 11 cells in all levels"):
        read(foreign(levels=two), limits=ReadLimits(cells=11))


def test_the_game_must_be_known():
    with pytest.raises(LevelsmithError, match="which game is this"):
        read(foreign(), None)
    with pytest.raises(LevelsmithError, match="a level of sokoban, but loderunner was asked for"):
        read(written(level_of("sokoban", ROWS)), LODERUNNER)
