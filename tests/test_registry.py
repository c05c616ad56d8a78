"""Names are found when asked for; plug-ins come in by entry points, and a broken one does no harm."""

from __future__ import annotations

import json

import pytest

from levelsmith.errors import LevelsmithError
from levelsmith.registry import ALL, Registry, games, searches

# A package that plugs in a game, as an installer would leave it: a module and a .dist-info folder.
POND = """
from typing import NamedTuple

from levelsmith.games.orchard import Orchard
from levelsmith.kernels.bits import count
from levelsmith.kernels.problem import implement, metric


class Board(NamedTuple):
    width: int


@implement(metric, Board)
def pond_metric(game, cells, k):
    return float(count(cells)) if k == 0 else 0.0


class Pond(Orchard):
    name = "pond"
    largest = (8, 8)  # of one word, or all would be compiled twice

    def compiled(self, size):
        return Board(size[1])

    def measure(self, grids):
        import numpy as np

        return np.stack([grids.sum(axis=(1, 2)), 0 * grids.sum(axis=(1, 2))], axis=1).astype(np.float64)


GAME = Pond()
"""
USED = """
import json, levelsmith
from levelsmith.registry import games
from levelsmith.testing import check_game

if __name__ == "__main__":
    check_game("pond")
    made = levelsmith.generate("pond", evaluations=30, seed=1, count=2)
    print(json.dumps([games.names, made.best.game, made.best.text.count("^"), games.portable("pond")]))
"""
BROKEN = """
import levelsmith
from levelsmith.registry import games
print(games.names)
try:
    games.get("pond")
except levelsmith.LevelsmithError as error:
    print(error)
print(levelsmith.generate("orchard", evaluations=5, seed=1).evaluations)
"""


@pytest.fixture
def installed(tmp_path):
    def install(code):
        (tmp_path / "pond_game.py").write_text(code)
        facts = tmp_path / "pond_levels-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: pond-levels\nVersion: 1.0\n")
        (facts / "entry_points.txt").write_text("[levelsmith.games]\npond = pond_game:GAME\n")
        return tmp_path

    return install


def test_a_plug_in_game_appears_and_can_be_generated(installed, python):
    names, game, trees, portable = json.loads(python(USED, path=[installed(POND)]))
    assert names[-1] == "pond"
    assert game == "pond"
    assert trees >= 26
    assert portable


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import a_package_that_is_not_there", "ModuleNotFoundError: No module named"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def (", "SyntaxError"),
        ("OTHER = 1", "AttributeError"),
    ],
)
def test_a_broken_plug_in_is_named_with_its_package_and_the_rest_works(installed, python, code, reason):
    names, error, evaluations = python(BROKEN, path=[installed(code)]).splitlines()
    assert "'pond'" in names
    assert error.startswith("the game 'pond' comes from the package 'pond-levels', which fails to load: ")
    assert reason in error
    assert error.endswith("; update or uninstall it")
    assert evaluations == "5"


def test_a_broken_plug_in_is_left_out_of_the_studio(installed, python):
    code = (
        "from levelsmith.studio.catalogue import catalogue; print([g['name'] for g in catalogue()['games']])"
    )
    told = python(code, path=[installed("1 / 0")])
    assert "orchard" in told
    assert "pond" not in told


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, registry in ALL.items() for name in registry]
)
def test_every_name_of_our_own_loads_and_describes_itself(kind, name):
    entry = ALL[kind].get(name)
    assert name in ALL[kind]
    assert ALL[kind].get(name) is entry
    assert ALL[kind].portable(name)
    assert entry.summary
    assert entry.summary == entry.summary.strip()
    if kind in ("games", "representations", "formats"):
        assert entry.name == name


def test_a_registry_knows_its_plural():
    assert set(ALL) == {"games", "representations", "searches", "formats", "generators"}
    assert searches.plural == "searches"


def test_an_entry_is_registered_for_this_process_and_a_taken_name_refused():
    registry = Registry("game", {"mine": "levelsmith.games.orchard:GAME"})
    registry.register("yours", object())
    assert registry.names == ["mine", "yours"]
    assert list(registry) == registry.names
    assert "yours" in registry
    assert not registry.portable("yours")
    for taken in ("mine", "yours"):
        with pytest.raises(LevelsmithError, match=f"a game called '{taken}' exists already"):
            registry.register(taken, object())
    registry.unregister("yours")
    assert "yours" not in registry


def test_an_unknown_name_is_met_with_what_was_meant():
    with pytest.raises(LevelsmithError, match="no game is called 'sokobon'; did you mean 'sokoban'"):
        games.get("sokobon")
    with pytest.raises(
        LevelsmithError, match=r"no game is called 'go'; expected one of: .*levelsmith list games"
    ):
        games.get("go")
    assert "go" not in games
