"""Every registered game keeps the promises of its contract, and the check sees each one that is broken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from levelsmith import generate, parse
from levelsmith.contracts import RuleBook
from levelsmith.core import Aim, Objective, Parameter, Term, Verdict
from levelsmith.games.loderunner.rules import verify_still
from levelsmith.games.orchard import Orchard
from levelsmith.games.sokoban import Sokoban
from levelsmith.registry import games
from levelsmith.testing import CheckFailed, check_game
from levelsmith.testing.book import check_rule_book

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
SOLVED = Verdict("solved", True, "x")
BROKEN = {
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
    "a range of nothing": (changed(always={"apples": (1, 2)}), r"ranges of orchard name .* \['apples'\]"),
    "a tile that is none": (changed(keeps=("pear",)), r"lists of tiles of orchard .* \['pear'\]"),
    "a tag that is none": (changed(aims=(Aim("trees", same=("gold",)),)), r"aims of orchard .* \['gold'\]"),
    "an unknown representation": (changed(takes=frozenset({"deep"})), r"representations .* \['deep'\]"),
    "a pack that is missing": (changed(packs={"all": Path("nowhere.txt")}), "packs of orchard are there"),
    "two lines": (changed(headline=lambda self, level: "a\nb"), "headline of orchard is one line"),
    "a path that leaves": (changed(path=lambda self, level: [(0, 99)]), "path of orchard lies inside"),
    "a solver without rules": (changed(solve=lambda self, level, effort: SOLVED), "replays what it solves"),
    "rules that allow all": (
        changed(verify=lambda self, level: None, frames=lambda self, level: iter([level.grid])),
        "refuses a solution that is none",
    ),
    "a locked cell nudged": (
        changed(nudged=lambda self, grid, free, rng: 1 - grid),
        "nudged of orchard changes free cells alone",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_game_that_breaks_a_promise_is_told_which(case):
    game, message = BROKEN[case]
    with pytest.raises(CheckFailed, match=message):
        check_game(game)


class Numbered(Sokoban):
    """Numbers levels otherwise than the rules that it hands out."""

    def canonical_keys(self, grids):
        return super().canonical_keys(grids) + np.uint64(1)


class Strange(Sokoban):
    """Hands out the rules of another game."""

    def rule_book(self):
        return RuleBook(verify_still)


class Grown(Sokoban):
    """Hands out rules that count what it does not measure."""

    metrics = MappingProxyType({name: told for name, told in Sokoban.metrics.items() if name != "pushes"})


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Strange(), "rules that sokoban hands out play what it solves, but .*Fault"),
        (Numbered(), "number a level as it does"),
        (Grown(), r"count metrics of it, got \['pushes'\]"),
    ],
)
def test_rules_for_the_verifier_are_run(game, message):
    text, solution = Sokoban.example
    level = replace(parse(text, game="sokoban"), solution=solution)
    check_rule_book(Sokoban(), level)
    with pytest.raises(CheckFailed, match=message):
        check_rule_book(game, level)


def test_rules_that_allow_all_are_seen(tmp_path, monkeypatch):
    (tmp_path / "lenient.py").write_text("def play(grid, moves):\n    return\n")
    monkeypatch.syspath_prepend(tmp_path)
    import lenient

    class Lenient(Sokoban):
        def rule_book(self):
            return RuleBook(lenient)

    text, solution = Sokoban.example
    with pytest.raises(CheckFailed, match="refuse a solution that is none"):
        check_rule_book(Lenient(), replace(parse(text, game="sokoban"), solution=solution))


def test_metrics_that_are_not_finite_are_told():
    with np.errstate(all="ignore"), pytest.raises(CheckFailed, match="are finite"):
        check_game(Infinite())


class Plain:
    """Has what every game must have, inherits from nothing, and can hold no attribute of its own."""

    __slots__ = ()
    name, summary, tiles, metrics = "plain", "", Orchard.tiles, Orchard.metrics
    objectives, defaults = Orchard.objectives, Orchard.defaults
    default_size, smallest, largest = (6, 6), (2, 2), (8, 8)
    measure, check, compiled, look = Orchard.measure, Orchard.check, Orchard.compiled, Orchard.look


def test_a_game_that_inherits_from_nothing_is_given_the_defaults(entered):
    game = entered(games, "plain", Plain())
    assert (game.border, game.takes, game.headline(None)) == (0, None, "")
    check_game(game)
    assert generate("plain", evaluations=20, seed=1).best.game == "plain"


def test_a_whole_copy_of_the_example_passes():
    check_game(changed(name="copy"))
