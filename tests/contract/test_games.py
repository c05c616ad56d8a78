"""Every registered game keeps the promises of its contract, and the check sees each one that is broken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from levelsmith.core import Objective, Parameter, Term, Tile, Tiles
from levelsmith.games.orchard import Orchard
from levelsmith.registry import games
from levelsmith.testing import CheckFailed, check_game

LOOK = Orchard().look()


@pytest.mark.parametrize("name", games.names)
def test_a_registered_game_keeps_its_promises(name):
    check_game(name)


def spaced(terms, **fields):
    return {"spaced": replace(Objective("spaced", "", lambda size, values: terms), **fields)}


class Impure(Orchard):
    def measure(self, grids):
        measured = super().measure(grids)
        grids[:] = 0
        return measured


class Batched(Orchard):
    """Measures a grid by its neighbours in the batch."""

    def measure(self, grids):
        return super().measure(grids) + len(grids)


class Narrow(Orchard):
    def measure(self, grids):
        return super().measure(grids).astype(np.float32)


class Short(Orchard):
    def measure(self, grids):
        return super().measure(grids)[:, :1]


class Infinite(Orchard):
    def measure(self, grids):
        return super().measure(grids) / np.zeros(1) if grids.any() else super().measure(grids)


class Disagreeing(Orchard):
    """Measures other than its compiled part does."""

    def measure(self, grids):
        return super().measure(grids) + np.array([0.0, 1.0])


class Unlike(Orchard):
    def __init__(self, change):
        self.change = change

    def look(self):
        return self.change(LOOK)


def changed(**attributes):
    return type("Changed", (Orchard,), attributes)()


GRASS, TREE = Orchard.tiles
BROKEN = {
    "two tiles of one symbol": (changed(tiles=Tiles(GRASS, Tile("tree", "."))), "stands for one tile"),
    "an alias that clashes": (
        changed(tiles=Tiles(GRASS, Tile("tree", "^", aliases="."))),
        "stands for one tile",
    ),
    "a symbol of two characters": (changed(tiles=Tiles(GRASS, Tile("tree", "^^"))), "printable character"),
    "a symbol nobody sees": (changed(tiles=Tiles(GRASS, Tile("tree", "\x07"))), "printable character"),
    "two tiles of one name": (changed(tiles=Tiles(GRASS, Tile("grass", "^"))), "name of its own"),
    "sizes upside down": (changed(smallest=(9, 9)), "sizes of orchard rise"),
    "metrics that write": (Impure(), "as they are"),
    "metrics of the batch": (Batched(), "each grid alone"),
    "metrics of float32": (Narrow(), "float64"),
    "a metric missing": (Short(), "shape"),
    "metrics compiled otherwise": (Disagreeing(), "compiled, crowded of orchard is as measured"),
    "an unknown metric": (
        changed(objectives=spaced([Term("apples", "ramp")])),
        "known metrics, got 'apples'",
    ),
    "an unknown shape": (changed(objectives=spaced([Term("trees", "hill")])), "uses the shapes"),
    "no terms": (changed(objectives=spaced([])), "weights that make sense"),
    "a negative weight": (changed(objectives=spaced([Term("trees", "ramp", weight=-1)])), "weights"),
    "a ramp downhill": (
        changed(objectives=spaced([Term("trees", "ramp", zero=5, low=1)])),
        "numbers that make",
    ),
    "a flat line": (
        changed(objectives=spaced([Term("trees", "linear", zero=1, low=1)])),
        "numbers that make",
    ),
    "a misfiled objective": (changed(objectives=spaced([Term("trees", "ramp")], name="x")), "its own name"),
    "a default out of range": (
        changed(
            objectives=spaced([Term("trees", "ramp")], parameters=(Parameter("share", 2.0, "", 0.0, 1.0),))
        ),
        "take their defaults",
    ),
    "an unknown search": (
        changed(defaults={**Orchard.defaults, "search": "luck"}),
        "known search, got 'luck'",
    ),
    "no default objective": (
        changed(defaults={"search": "hc", "representation": "wide"}),
        "known objective, got None",
    ),
    "a sprite missing": (
        Unlike(lambda look: replace(look, sprites={"grass": look.sprites["grass"]})),
        "the sprites of orchard",
    ),
    "a sprite too many": (
        Unlike(lambda look: replace(look, terminal={**look.terminal, "pear": ("grass", "ink")})),
        "the terminal colours of orchard",
    ),
    "a theme missing": (
        Unlike(lambda look: replace(look, palettes={"light": look.palettes["light"]})),
        "palette for each theme",
    ),
    "a colour missing": (
        Unlike(lambda look: replace(look, palettes={**look.palettes, "dark": {"grass": "#000000"}})),
        "dark palette of orchard has every colour",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_game_that_breaks_a_promise_is_told_which(case):
    game, message = BROKEN[case]
    with pytest.raises(CheckFailed, match=message):
        check_game(game)


def test_metrics_that_are_not_finite_are_told():
    with np.errstate(all="ignore"), pytest.raises(CheckFailed, match="are finite"):
        check_game(Infinite())


def test_a_whole_copy_of_the_example_passes():
    check_game(changed(name="copy"))
