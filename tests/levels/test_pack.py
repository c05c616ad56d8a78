"""Packs keep what is said of levels together, stay files of levels, and know their own doubles."""

import json
from dataclasses import replace

import pytest

import levelsmith
from levelsmith import LevelsmithError, load, parse
from levelsmith.levels.pack import Pack, read_pack, write_pack
from levelsmith.levels.titles import KINDS, PLACES, made_up

ROOM = parse("######\n#@$ .#\n######", "sokoban")
TURNED = parse("###\n#@#\n#$#\n# #\n#.#\n###", "sokoban")
OTHER = parse("#######\n#@$  .#\n#######", "sokoban")


def test_a_pack_comes_back_with_all_that_is_said_of_it(tmp_path):
    path = tmp_path / "winter.json"
    pack = Pack((ROOM, OTHER), "Winter rooms", "Ann", "For long evenings.\nWith tea.")
    write_pack(pack.named(), str(path))
    again = read_pack(str(path))
    assert (again.title, again.author, again.notes) == (pack.title, pack.author, pack.notes)
    assert again.levels == pack.levels
    assert all(level.title for level in again.levels)
    assert load(path) == [ROOM, OTHER]
    assert levelsmith.solve(str(path))[1].solution == "RRR"


def test_a_file_that_says_nothing_is_a_pack_by_its_name(tmp_path):
    path = tmp_path / "two_rooms.xsb"
    levelsmith.save([ROOM, OTHER], path)
    pack = read_pack(str(path))
    assert (pack.title, len(pack.levels)) == ("Two rooms", 2)
    assert read_pack("puzzlescript:crates").title == "Crates"


def test_levels_that_turning_makes_equal_are_doubles_of_the_first():
    assert Pack((ROOM, OTHER, TURNED, ROOM)).duplicates() == [None, None, 1, 1]


def test_titles_are_the_same_for_the_same_level_and_no_two_alike():
    pack = Pack((ROOM, OTHER, ROOM, TURNED)).named()
    titles = [level.title for level in pack.levels]
    assert len(set(titles)) == 4
    assert Pack((ROOM,)).named().levels[0].title == titles[0]
    named = pack.with_levels([replace(ROOM, title="Mine"), OTHER])
    assert named.named().levels[0].title == "Mine"
    assert named.named(all=True).levels[0].title == titles[0]
    assert len(set(KINDS)) * len(set(PLACES)) == len(KINDS) * len(PLACES)
    taken = {made_up(key) for key in range(len(KINDS) * len(PLACES))}
    assert len(taken) == len(KINDS) * len(PLACES)
    assert made_up(0, taken) == f"{made_up(0)} 2"


@pytest.mark.parametrize(
    ("order", "wrong"),
    [([1], "2 missing"), ([1, 1, 2], "1 named twice"), ([1, 3], "a number from 1 to 2, got 3")],
)
def test_an_order_names_each_level_once(order, wrong):
    pack = Pack((ROOM, OTHER))
    assert pack.ordered([2, 1]).levels == (OTHER, ROOM)
    with pytest.raises(LevelsmithError, match=wrong):
        pack.ordered(order)


def test_what_is_no_pack_is_refused(tmp_path):
    with pytest.raises(LevelsmithError, match="levels of one game, got sokoban, binary"):
        Pack((ROOM, parse("..", "binary")))
    with pytest.raises(LevelsmithError, match="at least one level"):
        Pack(())
    with pytest.raises(LevelsmithError, match=r"expected a file that ends in \.json for a pack"):
        write_pack(Pack((ROOM,)), str(tmp_path / "a.xsb"))
    path = tmp_path / "odd.json"
    path.write_text(
        json.dumps({"levelsmith": 1, "pack": {"title": 3}, "levels": [{"game": "binary", "text": "."}]})
    )
    with pytest.raises(LevelsmithError, match="expected text for 'title'"):
        read_pack(str(path))


def test_the_levels_of_a_puzzlescript_file_are_put_in_order_in_it(tmp_path):
    crates = read_pack("puzzlescript:crates")
    path = tmp_path / "crates.txt"
    write_pack(crates, str(path))
    own = read_pack(str(path))
    write_pack(own.with_levels(reversed(own.levels)), str(path))
    again = read_pack(str(path))
    assert [level.text for level in again.levels] == [level.text for level in reversed(crates.levels)]
    assert again.title == crates.title
