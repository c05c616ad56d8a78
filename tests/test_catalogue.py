"""What there is to choose from: the same for a program as for `levelsmith list`."""

import pytest

import levelsmith
from levelsmith import LevelsmithError, catalogue
from levelsmith.cli.lists import KINDS as PRINTED
from levelsmith.registry import LISTS, games, searches


def names(kind, game=None):
    return [entry.name for entry in catalogue(kind, game)]


def test_a_list_has_the_names_and_says_what_each_is():
    assert names("games") == games.names
    assert names("searches") == searches.names
    for kind in LISTS:
        entries = catalogue(kind)
        assert entries
        assert all(entry.kind == kind and entry.name and entry.summary for entry in entries)


def test_the_command_prints_the_same_lists():
    assert tuple(LISTS) == PRINTED


def test_a_game_has_its_metrics_and_objectives():
    assert names("metrics", "orchard") == ["trees", "crowded"]
    (spaced, *_) = catalogue("objectives", "orchard")
    assert (spaced.games, [each.name for each in spaced.parameters]) == (("orchard",), ["share"])
    (orchard,) = catalogue("games", "orchard")
    assert orchard.tiles == {".": "grass", "^": "tree"}
    assert list(orchard.metrics) == ["trees", "crowded"]


def test_what_is_listed_of_a_game_serves_it():
    assert names("representations", "sokoban") == ["play", "rooms"]
    assert "wide" in names("representations", "orchard")
    assert names("generators", "sokoban") == ["carve", "warehouse"]
    assert "boxoban" in names("presets", "sokoban")
    assert "boxoban" not in names("presets", "orchard")
    for search in names("searches", "sokoban"):
        made_for = [searches.get(search).needs in entry_offers("sokoban")]
        assert made_for == [True], search


def entry_offers(game):
    from levelsmith.registry import representations

    return {need for name in names("representations", game) for need in representations.get(name).offers}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("game",), "no list is called 'game'; did you mean 'games'?"),
        ((3,), "expected the name of a list, got '3'"),
        (("metrics", "orchrd"), "no game is called 'orchrd'; did you mean 'orchard'?"),
        (("metrics", 3), "expected the name of a game, got '3'"),
    ],
)
def test_what_is_no_list_or_no_game_is_named(asked, message):
    with pytest.raises(LevelsmithError) as caught:
        catalogue(*asked)
    assert str(caught.value).startswith(message)


def test_public_modules_are_there_without_an_import_of_their_own():
    assert levelsmith.experiment.run is not None
    assert levelsmith.plugin.games is games
