"""A pack goes through every format and comes back: its levels, their order, and what the page on formats says
that each format keeps."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from levelsmith import load, parse, save
from levelsmith.cli import cli
from levelsmith.levels.pack import Pack, read_pack, write_pack
from levelsmith.registry import formats, games

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
ROW = re.compile(r"^\| \[`(\w+)`\]\([^)]*\) \| `(\.\w+)` \| (.*) \| (yes|no) \| (.*) \| (yes|no) \|$", re.M)
TABLE = {name: rest for name, *rest in ROW.findall(PAGE.read_text(encoding="utf-8"))}
YES, TITLES, NO = "yes", "title alone", "no"
ROOMS = {
    "sokoban": [
        ("######\n#@$ .#\n######", "RR"),
        ("######\n#. $@#\n######", "LL"),
        ("######\n#.$@ #\n######", "L"),
    ],
    "loderunner": [(".M.G.E\nbb#bbb\n..#...", None), ("..G..E\nbb#bbb\n.M#...", None)],
    "binary": [("..#.\n#...\n..##", None), ("...#\n##..\n...#", None)],
}
BOARDS = {"totalrecall": (16, 28), "kgoldrunner": (20, 28)}  # as large as their programs have them
ONE_GAME = {"of Sokoban": "sokoban", "of Lode Runner": "loderunner"}


def taken(held):
    """Returns the games of which a format takes packs, as the page says it."""
    only = next((game for words, game in ONE_GAME.items() if words in held), None)
    solved = [game for game, rooms in ROOMS.items() if rooms[0][1]]
    return [only] if only else solved if "with a solution" in held else [*ROOMS]


PAIRS = [(name, game) for name, (_, held, *_) in TABLE.items() for game in taken(held)]


def pack_of(game, size=None):
    """Returns a pack of which each level says all that a level can say."""
    levels = []
    for number, (text, solution) in enumerate(ROOMS[game], start=1):
        level = parse(text, game)
        if size is not None:
            solid = np.full(size, level.tiles.index_of("solid"), np.uint8)
            solid[: level.size[0], : level.size[1]] = level.grid
            level = replace(level, grid=solid)
        said = {"title": f"Room {9 + number}", "author": "Ann", "provenance": {"seed": number}}
        levels.append(replace(level, solution=solution, **said))
    return levels


def through(levels, name, folder):
    """Writes levels in a format, a file each where it holds one, and returns what is read of that."""
    ending, held, *_ = TABLE[name]
    if held.startswith("many"):
        path = folder / f"pack{ending}"
        save(levels, path, format=name)
    else:
        path = f"{folder}/pack/"
        save(levels, path, format=name)
    return load(path, format=name, game=levels[0].game)


def test_the_page_tells_of_every_format():
    assert set(TABLE) == set(formats)


@pytest.mark.parametrize(("name", "game"), PAIRS)
def test_a_pack_comes_back_from_a_format_with_what_that_keeps(name, game, tmp_path):
    _, _, _, said, made = TABLE[name]
    levels = pack_of(game, BOARDS.get(name))
    again = through(levels, name, tmp_path)
    assert again == levels  # the cells, in their order
    titles = [level.title for level in levels]
    if said in (YES, TITLES):
        assert [level.title for level in again] == titles
    kept = [level.author for level in again], [level.solution for level in again]
    if said == YES:
        assert kept == (["Ann"] * len(levels), [level.solution for level in levels])
    else:
        assert kept == ([""] * len(levels), [None] * len(levels))
    origins = [level.provenance for level in levels] if made == YES else None
    assert [level.provenance for level in again] == (origins or [{}] * len(levels))


def test_a_pack_says_more_in_its_own_file_than_in_others(tmp_path):
    pack = Pack(tuple(pack_of("sokoban")), "Winter rooms", "Ann", "For long evenings.")
    write_pack(pack, str(tmp_path / "winter.json"))
    save(pack.levels, tmp_path / "winter.xsb")
    assert read_pack(str(tmp_path / "winter.json")) == pack
    other = read_pack(str(tmp_path / "winter.xsb"))
    assert (other.title, other.author, other.notes) == ("Winter", "", "")
    told = CliRunner().invoke(
        cli, ["convert", str(tmp_path / "winter.json"), f"{tmp_path}/maps/", "--format", "tmj"]
    )
    assert told.exit_code == 0
    assert "not kept there: the pack's title, author, notes" in told.output
    one = f"{tmp_path / 'winter.json'}#1"
    assert "not kept" not in CliRunner().invoke(cli, ["convert", one, str(tmp_path / "one.tmj")]).output


def test_a_game_in_one_text_keeps_its_levels_in_its_own_file(tmp_path):
    pack = read_pack("puzzlescript:crates")
    path = tmp_path / "game.txt"
    path.write_text(games.sources["puzzlescript:crates"])
    turned = pack.with_levels(reversed(pack.levels))
    write_pack(turned, str(path))
    again = read_pack(str(path))
    assert [level.text for level in again.levels] == [level.text for level in turned.levels]
    assert (again.title, again.author) == (pack.title, pack.author)
