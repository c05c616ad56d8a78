"""Cells beyond the walls of a level: pictures leave them blank, and read back as the same level."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from rich.console import Console

from levelsmith import Level, load, parse, save
from levelsmith.cli.terminal import render
from levelsmith.levels.formats.picture import png
from levelsmith.levels.formats.sheet import shown
from levelsmith.registry import games

NOTCHED = replace(parse("  ####\n###  #\n#@$. #\n######", "sokoban"), solution="R")  # two cells are beyond
WHITE = (255, 255, 255)


def blank(level: Level) -> list[list[int]]:
    found: list[list[int]] = np.argwhere(shown(level, level.grid) == len(level.tiles)).tolist()
    return found


def test_floor_beyond_the_walls_is_blank_and_nothing_else() -> None:
    tiles = games.get("sokoban").tiles
    floor = np.full((2, 3), tiles.names.index("floor"), np.uint8)
    assert blank(NOTCHED) == [[0, 0], [0, 1]]
    assert blank(parse("  ###\n@ $.#\n#####", "sokoban")) == []  # open: nobody can say what is beyond
    assert blank(Level("sokoban", tiles, floor)) == []  # no walls
    assert blank(parse("#.\n..", "binary")) == []


@pytest.mark.parametrize("kind", ["png", "svg", "gif"])
def test_a_picture_with_blank_cells_reads_back_as_the_same_level(kind, tmp_path) -> None:
    save([NOTCHED], tmp_path / f"level.{kind}")
    assert load(tmp_path / f"level.{kind}") == [NOTCHED]


@pytest.mark.parametrize("kind", ["tmj", "tmx", "ldtk"])
def test_a_map_of_an_editor_has_no_tile_there_and_reads_back_as_the_same_level(kind, tmp_path) -> None:
    save([NOTCHED], tmp_path / f"level.{kind}")
    assert load(tmp_path / f"level.{kind}") == [NOTCHED]
    text = (tmp_path / f"level.{kind}").read_text().replace(" ", "").replace("\n", "")
    assert {"tmj": '"data":[0,0,2,', "tmx": ">0,0,2,", "ldtk": '"intGridCsv":[0,0,2,'}[kind] in text
    if kind == "ldtk":
        tiles = json.loads(text)["levels"][0]["layerInstances"][-1]["autoLayerTiles"]
        assert len(tiles) == NOTCHED.grid.size - 2


def test_blank_cells_have_the_colour_of_the_page() -> None:
    image = Image.open(io.BytesIO(png(NOTCHED, "light", 8)))
    assert image.getpixel((4, 4)) == WHITE
    assert image.getpixel((4 * 8 + 4, 2 * 8 + 4)) != WHITE  # floor inside


@pytest.mark.parametrize(("style", "first"), [("cells", "  "), ("half", "▄")])
def test_a_terminal_shows_its_own_ground_there(style, first) -> None:
    out = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=80)
    segment = next(iter(out.render(render(NOTCHED, style=style))))
    assert segment.text.startswith(first)
    assert segment.style is None or segment.style.bgcolor is None
