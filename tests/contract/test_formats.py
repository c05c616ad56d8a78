"""Every registered format keeps the promises of `levels.format.Format`, and breaking one is seen."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.levels.formats.format import MAIN
from levelsmith.levels.formats.json import JsonFormat
from levelsmith.registry import formats, games
from levelsmith.testing import CheckFailed, check_format

BOARDS = {"totalrecall": (16, 28), "kgoldrunner": (20, 28)}  # Lode Runner of one size
CHOOSY = {"xsb", "sok", "gif", *BOARDS}  # of one game, or of levels with a solution


@pytest.mark.parametrize("name", [name for name in formats.names if name not in BOARDS])
def test_a_registered_format_keeps_its_promises(name):
    check_format(name)


@pytest.mark.parametrize("name", BOARDS)
def test_one_for_boards_of_one_size_keeps_them_for_these(name):
    rng, tiles = np.random.default_rng(1), games.get("loderunner").tiles
    grids = rng.integers(0, len(tiles), (3, *BOARDS[name]), dtype=np.uint8)
    check_format(name, [Level("loderunner", tiles, grid) for grid in grids])


@pytest.mark.parametrize("name", [name for name in formats.names if name not in CHOOSY])
@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1)])
def test_it_keeps_them_for_levels_of_one_row_or_column(name, size):
    tiles = games.get("binary").tiles
    check_format(
        name, [Level("binary", tiles, np.ones(size, np.uint8)), Level("binary", tiles, np.zeros(size))]
    )


class Dated(JsonFormat):
    counter = itertools.count()

    def write(self, levels, stem, values):
        return {MAIN: super().write(levels, stem, values)[MAIN] + b" " * next(self.counter)}


class Forgetful(JsonFormat):
    def parse(self, data, source):
        return super().parse(data, source)[:1]


class Anonymous(JsonFormat):
    """Says that its files name their game, but needs to be told."""

    def parse(self, data, source):
        if source.game is None:
            raise source.error("which game is this?")
        return super().parse(data, source)


class Brittle(JsonFormat):
    def parse(self, data, source):
        return super().parse(data.decode().encode(), source)


class Generous(JsonFormat):
    def parse(self, data, source):
        return super().parse(data, source) if data else []


class Fussy(JsonFormat):
    def write(self, levels, stem, values):
        raise LevelsmithError("not mine")


class Wandering(JsonFormat):
    def write(self, levels, stem, values):
        return {**super().write(levels, stem, values), "../beside": b""}


class Headless(JsonFormat):
    def write(self, levels, stem, values):
        return {"beside": b""}


class Dotless(JsonFormat):
    extensions = ("json",)


@pytest.mark.parametrize(
    ("format", "message"),
    [
        (Dated, "same bytes each time"),
        (Forgetful, "reads back"),
        (Anonymous, "reads back"),
        (Brittle, "raises LevelsmithError only, got UnicodeDecodeError"),
        (Generous, "refuses an empty file"),
        (Fussy, "refused them all"),
        (Wandering, "side by side"),
        (Headless, "writes a main file"),
        (Dotless, "start with a dot"),
    ],
)
def test_a_format_that_breaks_a_promise_is_told_which(format, message):
    with pytest.raises(CheckFailed, match=message):
        check_format(format())
