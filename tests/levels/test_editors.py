"""What Tiled and LDtk files share."""

from __future__ import annotations

import numpy as np
import pytest

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.levels.formats import picture
from levelsmith.levels.formats.editors import (
    CELLS,
    DIGEST,
    PROVENANCE,
    carried,
    fields,
    names,
    numbers,
    plain,
    tileset_file,
)
from levelsmith.levels.formats.format import Source
from levelsmith.registry import games

SOURCE = Source("map")
TILES = games.get("sokoban").tiles


@pytest.mark.parametrize("name", ["box on goal", "Box_on_goal", " BOX  on-goal ", "box_On goal"])
def test_a_tile_is_known_however_its_name_is_spelled(name):
    assert names(TILES)[plain(name)] == TILES.index_of("box on goal")


def test_a_plug_in_cannot_place_its_picture_outside_the_folder(monkeypatch):
    monkeypatch.setattr(picture, "tileset_png", lambda game, scale, theme: b"png")
    name, data = tileset_file("../../etc/x", {"scale": 8, "theme": "dark"})
    assert (name, data) == ("levelsmith-------etc-x-dark-8.png", b"png")


def test_what_a_level_carries_comes_back():
    made = {"seed": 0, "shape": (2, 3), "size": np.int64(4), "end": [float("inf")]}
    level = Level("sokoban", TILES, np.zeros((1, 1), np.uint8), title="T", solution="", provenance=made)
    texts = carried(level)
    assert set(texts) == {"levelsmith_game", "title", "solution", PROVENANCE, CELLS, DIGEST}
    assert fields(texts, SOURCE) == {
        "title": "T",
        "solution": "",
        "provenance": {"seed": 0, "shape": [2, 3], "size": "4", "end": ["inf"]},
    }


def test_cells_must_be_whole_numbers_of_the_right_count():
    assert numbers([0, 2**32 - 1], (1, 2), SOURCE).tolist() == [[0, 2**32 - 1]]
    with pytest.raises(LevelsmithError, match="expected 2 cells for a map of 2x1, got 1"):
        numbers([0], (1, 2), SOURCE)
    with pytest.raises(LevelsmithError, match="as cells, got '4294967296'"):
        numbers([0, 2**32], (1, 2), SOURCE)
