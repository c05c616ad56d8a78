"""Files: formats by extension, levels of a pack, folders, streams, writes that are whole or not at all."""

import io
import os
import sys
from dataclasses import replace

import pytest

from levelsmith import LevelsmithError, generate, load, parse, save
from levelsmith.levels.files import load_named, writable
from levelsmith.levels.formats.format import ReadLimits, Source
from levelsmith.registry import formats, games

LEVELS = [parse("#.#", "binary"), parse("..#", "binary"), parse("###", "binary")]


OF_SOKOBAN = [name for name in formats.names if name not in ("totalrecall", "kgoldrunner")]


@pytest.mark.parametrize("name", OF_SOKOBAN)
def test_every_extension_leads_to_its_format_and_back(name, tmp_path):
    chosen = formats.get(name)
    level = replace(parse("#####\n#@$.#\n#####", "sokoban"), solution="R")  # even a film takes it
    save(level, tmp_path / f"level{chosen.extensions[0]}", format=name)
    assert load(tmp_path / f"level{chosen.extensions[0]}", format=name, game="sokoban") == [level]


def test_a_number_names_a_level_of_a_pack(tmp_path):
    save(LEVELS, tmp_path / "pack.json")
    assert load(f"{tmp_path}/pack.json#2") == [LEVELS[1]]
    with pytest.raises(LevelsmithError, match="holds 3 levels: expected #1 to #3, got #4"):
        load(f"{tmp_path}/pack.json#4")
    with pytest.raises(LevelsmithError, match="got #0"):
        load(f"{tmp_path}/pack.json#0")


def test_a_file_whose_name_has_a_number_sign_is_itself(tmp_path):
    save(LEVELS, tmp_path / "a#1.json")
    (tmp_path / "a#1.json").rename(tmp_path / "a.json#1")
    assert len(load(f"{tmp_path}/a.json#1", format="json")) == 3


def test_a_folder_is_read_in_natural_order(tmp_path):
    for number in (10, 2, 1):
        (tmp_path / f"Level {number}.txt").write_text("." * number + "\n")
    (tmp_path / "notes.md").write_text("not a level")
    levels = load(tmp_path, game="binary")
    assert [level.size[1] for level in levels] == [1, 2, 10]
    assert [level.title for level in levels] == ["Level 1", "Level 2", "Level 10"]


def test_a_folder_without_levels_is_refused(tmp_path):
    with pytest.raises(LevelsmithError, match="a folder with level files"):
        load(tmp_path)


def test_a_path_that_ends_in_a_slash_makes_a_folder_of_files(tmp_path):
    save(LEVELS, f"{tmp_path}/out/", format="tmj")
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert names == ["binary-01.tmj", "binary-02.tmj", "binary-03.tmj", "levelsmith-binary-light-32.png"]
    assert load(tmp_path / "out", format="tmj") == LEVELS


def test_what_was_generated_is_saved_as_it_is(tmp_path):
    result = generate("orchard", size=(4, 5), seed=1, count=2, evaluations=50)
    save(result, tmp_path / "orchards.npz")
    again = load(tmp_path / "orchards.npz")
    assert again == list(result.levels)
    assert [level.provenance["run"] for level in again] == [0, 1]


@pytest.mark.parametrize(
    ("levels", "where", "message"),
    [
        (3, "a.json", "expected a level, several, or a result, got '3'"),
        ([parse("#.", "binary"), "#."], "a.json", "expected levels, got '#.' among them"),
        ([], "a.json", "expected at least one level to write, got none"),
        (LEVELS, 3, "expected the path of a file or a folder, got '3'"),
        ("a.json", LEVELS, "expected the path of a file or a folder, got a list"),
        ("a.json", "b.json", "expected levels to write, got the path 'a.json'"),
    ],
)
def test_what_cannot_be_saved_is_named(levels, where, message):
    with pytest.raises(LevelsmithError) as caught:
        save(levels, where)
    assert message in str(caught.value)


def test_what_is_no_path_is_not_loaded():
    with pytest.raises(LevelsmithError, match="expected the path of a file or a folder, got '3'"):
        load(3)


def test_streams_are_read_and_written(monkeypatch, capsysbinary):
    save(LEVELS, "-", format="json")
    written = capsysbinary.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written)))
    assert load("-") == LEVELS


@pytest.mark.parametrize("name", ["json", "jsonl", "text", "npz", "png", "svg"])
def test_a_stream_says_itself_what_it_is(name, monkeypatch, capsysbinary):
    save(LEVELS[:1], "-", format=name)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(capsysbinary.readouterr().out)))
    assert load("-") == LEVELS[:1]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("missing.json", "no file is called.*missing.json"),
        ("level.jsn", "no format is called '.jsn'; did you mean '.json"),
        ("level", "no file is called.*level"),
        ("empty", "an extension that tells the format"),
        ("empty.json", "got an empty file"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(name, expected, tmp_path):
    (tmp_path / "empty").touch()
    (tmp_path / "empty.json").touch()
    with pytest.raises(LevelsmithError, match=expected):
        load(tmp_path / name)


def test_a_file_past_the_limit_is_refused_without_reading_it_whole(tmp_path):
    (tmp_path / "big.txt").write_bytes(b"." * 2000)
    with pytest.raises(LevelsmithError, match=r"at most 1,000 bytes.*limits"):
        load(tmp_path / "big.txt", game="binary", limits=ReadLimits(bytes=1000))


def test_an_unknown_format_or_setting_is_named(tmp_path):
    with pytest.raises(LevelsmithError, match="no format is called 'jso'; did you mean 'json"):
        save(LEVELS, tmp_path / "a.json", format="jso")
    with pytest.raises(
        LevelsmithError, match="no parameter of the format png is called 'scal'; did you mean 'scale'"
    ):
        save(LEVELS, tmp_path / "a.png", scal=3)
    with pytest.raises(LevelsmithError, match="a whole number from 4 to 256 for scale, got 3"):
        save(LEVELS, tmp_path / "a.png", scale=3)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    target = tmp_path / "level.tmj"
    save(LEVELS[0], target)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LevelsmithError, match="No space left on device"):
        save(LEVELS[1], target)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    for act in (lambda path: save(LEVELS, path), writable):
        with pytest.raises(LevelsmithError, match="cannot write"):
            act(f"{tmp_path}/file/level.json")


def test_nothing_to_write_is_refused(tmp_path):
    with pytest.raises(LevelsmithError, match="at least one level to write"):
        save([], tmp_path / "a.json")


@pytest.mark.parametrize("name", ["../secret", "a/b", "/etc/passwd", "..", "", "C:x", "a\\b", "a\0b"])
def test_a_neighbour_lies_in_the_same_folder(name, tmp_path):
    with pytest.raises(LevelsmithError, match="a file in the same folder"):
        Source("f", folder=tmp_path).neighbour(name)


def test_a_neighbour_that_is_a_link_is_not_followed(tmp_path):
    (tmp_path / "secret").write_text("x")
    folder = tmp_path / "maps"
    folder.mkdir()
    (folder / "tiles.tsx").symlink_to(tmp_path / "secret")
    assert Source("f", folder=folder).neighbour("tiles.tsx") is None
    assert Source("f", folder=folder).neighbour("a" * 5000) is None


def test_real_levels_of_lode_runner_are_read_both_ways(data_folder):
    folder = data_folder / "loderunner-vglc" / "levels"
    plain = load(folder, game="loderunner")
    assert len(plain) == 150
    assert {level.size for level in plain} == {(22, 32)}
    assert load(folder, game="loderunner", format="vglc") == plain
    assert games.get("loderunner").tiles.symbols == ".bB#-GEMth"


def test_files_of_a_folder_are_called_after_their_levels_and_keep_their_order(tmp_path):
    titles = ["First steps", "", "03 A/b: the end", "First steps"]
    cave = parse(".#", "binary")
    save([replace(cave, title=title) for title in titles], f"{tmp_path}/maps/", format="tmx")
    names = sorted(path.name for path in (tmp_path / "maps").glob("*.tmx"))
    assert names == ["01-First-steps.tmx", "02-binary.tmx", "03-A-b-the-end.tmx", "04-First-steps.tmx"]
    assert [level.title for level in load(tmp_path / "maps")] == [
        *("First steps", "02-binary", "03 A/b: the end", "First steps"),
    ]


def test_each_level_of_a_folder_has_a_name_that_loads_it_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save([parse(".#", "binary")], "maps/one.json")
    save([parse("..", "binary"), parse("##", "binary")], "maps/two.json")
    found = load_named("maps")
    assert [name for name, _ in found] == ["maps/one.json", "maps/two.json#1", "maps/two.json#2"]
    assert [load(name) for name, _ in found] == [[level] for _, level in found]
