"""Scenes of Godot: what is written is what a reader of its text format finds, and it comes back as it was."""

import base64
import re
import shutil
import struct
import subprocess
from dataclasses import replace

import pytest

from levelsmith import LevelsmithError, load, parse, save, solve

ROOM = parse("  ####\n###  #\n#@$ .#\n# *  #\n######", "sokoban")
RUN = parse("........\n..G...E.\nbbbb#bbb\n....#...\n.M..#-B.\nbbbbbbbb", "loderunner")


def text_of(path, old="", new=""):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return text


@pytest.mark.parametrize("level", [ROOM, RUN], ids=lambda level: level.game)
def test_a_level_comes_back_with_all_it_carries(tmp_path, level):
    said = {"title": 'The "first"', "author": "Ann", "provenance": {"a": 1}}
    solved = replace(level, solution=solve(level).solution, **said)
    save(solved, tmp_path / "room.tscn")
    (again,) = load(tmp_path / "room.tscn")
    assert again == level
    assert (again.title, again.author, again.solution) == ('The "first"', "Ann", solved.solution)
    assert again.provenance == {"a": 1}


def test_terrain_is_a_layer_of_cells_and_things_are_nodes_with_names(tmp_path):
    save(ROOM, tmp_path / "room.tscn")
    text = text_of(tmp_path / "room.tscn")
    data = base64.b64decode(re.search(r'tile_map_data = PackedByteArray\("([^"]*)"\)', text)[1])
    cells = {(x, y): tile for x, y, _, tile, _, _ in struct.iter_unpack("<hhHHHH", data[2:])}
    assert data[:2] == b"\0\0"
    assert (0, 0) not in cells  # beyond the walls
    assert cells[2, 0] == ROOM.tiles.index_of("wall")
    assert cells[1, 2] == ROOM.tiles.index_of("floor")
    nodes = re.findall(r'\[node name="(\w+)" type="Sprite2D"[^\n]*\nposition = Vector2\((\S+), (\S+)\)', text)
    assert ("Player", "48", "80") in nodes
    assert [name for name, _, _ in nodes if name.startswith("Box")] == ["Box1", "Box2"]
    tileset = (tmp_path / "levelsmith-sokoban-light-32.tres").read_text()
    wall = ROOM.tiles.index_of("wall")
    assert f'{wall}:0/0/custom_data_0 = "wall"' in tileset
    assert re.findall(r"(\d+):0/0/physics_layer_0", tileset) == [str(wall)]
    assert sorted(file.suffix for file in tmp_path.iterdir()) == [".png", ".tres", ".tscn"]


def test_a_project_is_written_where_it_is_asked_for(tmp_path):
    save([ROOM, ROOM], f"{tmp_path}/game/", format="godot", project=True)
    assert "config_version=5" in (tmp_path / "game" / "project.godot").read_text()
    assert len(load(tmp_path / "game")) == 2


LOOK = """extends SceneTree
func _init():
	for file in DirAccess.get_files_at("res://"):
		if file.ends_with(".tscn"):
			var scene = load("res://" + file).instantiate()
			print(file, " ", scene.get_node("Things").get_child_count(), " things")
	quit()
"""


@pytest.mark.slow
def test_godot_opens_the_project(tmp_path):
    godot = next(filter(None, map(shutil.which, ("godot", "godot4"))), None)
    if godot is None:
        pytest.skip("no Godot 4 here; it is on https://godotengine.org, and Debian has Godot 3")
    save([ROOM, RUN], f"{tmp_path}/game/", format="godot", project=True)
    (tmp_path / "game" / "look.gd").write_text(LOOK)
    for what in (["--import"], ["--script", "res://look.gd"]):
        command = [godot, "--headless", "--path", str(tmp_path / "game"), *what]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
        assert "ERROR" not in done.stderr, done.stderr
    told = re.findall(r"(\d+) things", done.stdout)
    things = [re.findall(r'type="Sprite2D"', path.read_text()) for path in (tmp_path / "game").glob("*.tscn")]
    assert sorted(map(int, told)) == sorted(map(len, things))


def test_what_is_moved_in_the_engine_moves_in_the_level(tmp_path):
    path = tmp_path / "room.tscn"
    save(ROOM, path)
    text_of(path, "position = Vector2(48, 80)", "position = Vector2(48, 111.5)")
    (moved,) = load(path)
    assert moved.text.split("\n")[3][1] == "@"
    things = '[node name="Things" type="Node2D" parent="."]'
    text_of(path, things, f"{things}\nposition = Vector2(0.4, -0.4)")
    assert load(path) == [moved]  # positions add up
    numbers = ", ".join(map(str, base64.b64decode(re.search(r'Array\("([^"]*)"\)', path.read_text())[1])))
    path.write_text(re.sub(r'PackedByteArray\("[^"]*"\)', f"PackedByteArray({numbers})", path.read_text()))
    assert load(path) == [moved]  # as Godot 4.2 writes bytes


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[gd_scene", "[gd_resource", "expected a scene of Godot 4"),
        ('type="TileMapLayer"', 'type="TileMap"', "expected a scene with a TileMapLayer, got none"),
        ("PackedByteArray(", "PackedInt32Array(", "expected cells as Godot 4.3 and later write them"),
        ('PackedByteArray("AAA', 'PackedByteArray("AQA', "expected cells in the format 0 of Godot 4"),
        ("Vector2i(6, 5)", "Vector2i(2, 2)", "expected cells within 2x2, got one at column 3, row 1"),
        ("levelsmith_side = 32", "levelsmith_side = no", "expected levelsmith_side of at least 1 pixel"),
        ('tile = "player"', 'tile = "hero"', "expected a tile of sokoban as tile, got 'hero'"),
        ("Vector2(48, 80)", "Vector2(480, 80)", "expected 'player' within the 6x5 cells of the map"),
        ("Vector2(48, 80)", "Vector2(4.8.1, 80)", "expected a position as Vector2"),
    ],
)
def test_what_is_wrong_in_a_scene_is_named(tmp_path, old, new, told):
    path = tmp_path / "room.tscn"
    save(ROOM, path)
    text_of(path, old, new)
    with pytest.raises(LevelsmithError, match=re.escape(told)):
        load(path)
