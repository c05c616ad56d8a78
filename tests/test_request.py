"""A request: each field once, and every spelling of it leads back to the same request."""

import inspect
import json

import pytest
from click.testing import CliRunner

import levelsmith
from levelsmith.cli import cli
from levelsmith.errors import LevelsmithError
from levelsmith.making.plan import plan
from levelsmith.presets import parse
from levelsmith.request import (
    DATASET,
    EXPERIMENT,
    FIELDS,
    FILL,
    IMPROVE,
    JOB,
    OPTION,
    PRESET,
    REPAIR,
    Keywords,
    Request,
    fields_of,
)
from levelsmith.studio.catalogue import catalogue
from levelsmith.studio.setting import request_of


def test_what_is_not_given_has_its_default_and_nothing_changes_a_request():
    request = Request("binary", seed=0)
    assert (request.seed, request.keep_most, request.lock, request.size) == (0, 100, (), None)
    assert request.but(seed=1).seed == 1
    assert request == Request("binary", seed=0) != request.but(seed=1)
    with pytest.raises(AttributeError):
        request.game = "sokoban"
    with pytest.raises(AttributeError):
        request.sead  # noqa: B018


@pytest.mark.parametrize(
    "ask", [levelsmith.generate, lambda *a, **k: next(levelsmith.stream(*a, **k)), Request]
)
def test_a_mistyped_keyword_is_told_with_what_was_meant(ask):
    with pytest.raises(TypeError, match="unexpected keyword argument 'sead'; did you mean 'seed'"):
        ask("binary", sead=1)


def test_every_field_is_an_option_a_keyword_and_a_field_of_a_job_where_it_says_so():
    options = {o.name for o in cli.commands["generate"].params}
    assert fields_of(OPTION).keys() <= options
    assert {each["name"] for each in catalogue()["fields"]} == fields_of(JOB).keys()
    assert set(Keywords.__annotations__) == set(FIELDS)
    assert "**asked" in str(inspect.signature(levelsmith.generate))


@pytest.mark.parametrize("place", [DATASET, EXPERIMENT, IMPROVE, REPAIR, FILL])
def test_what_would_be_ignored_in_a_place_is_refused_there(place):
    taken = fields_of(place)
    assert Request("binary", seed=0, evaluations=3).at(place).given["seed"] == 0
    for name in set(FIELDS) - set(taken):
        with pytest.raises(LevelsmithError, match=f"{place} takes no {name}; leave it out"):
            Request("binary", **{name: FIELDS[name].default}).at(place)


def test_a_default_is_that_of_the_place():
    assert Request("binary").at(REPAIR).evaluations == 500_000
    assert Request("binary", evaluations=7).at(REPAIR).evaluations == 7
    assert Request("binary").at(IMPROVE).seed == 0
    assert Request("binary").at(DATASET).given == {}


@pytest.mark.parametrize("name", fields_of(PRESET))
def test_a_preset_may_say_what_is_marked_so_and_nothing_of_another_kind(name):
    wrong = "true" if FIELDS[name].kind != "switch" else "1"
    with pytest.raises(LevelsmithError, match=f"for {name}, got"):
        parse("mine.toml", f"[binary]\n{name} = {wrong}")
    with pytest.raises(LevelsmithError, match="no setting of the preset"):
        parse("mine.toml", "[binary]\nkeep_gains = true")


SETTING = {
    "game": "sokoban",
    "size": "5x6",
    "objective": ["pushes"],
    "set": {"rooms.boxes": 2, "sa.floor": 0.123456789},
    "evaluations": 40,
    "seed": 0,
    "want": {"pushes": [3, None], "moves": "4..90"},
    "keep_above": 0.001,
}


def test_the_words_of_a_request_ask_for_the_same():
    request = request_of(SETTING)
    task = plan(request)
    assert task.values["sa"]["floor"] == 0.123456789
    done = CliRunner().invoke(cli, [*request.words()[1:], "--json"])
    printed = json.loads(done.stdout.splitlines()[0])
    best = levelsmith.generate("sokoban", partial=True, **request.given).best
    assert printed["provenance"] == json.loads(json.dumps(best.provenance))
    assert printed["text"] == best.text


def test_a_level_says_what_to_ask_for_to_get_it_again():
    first = levelsmith.generate("orchard", search="hc", size=(4, 5), seed=0, skip=2, evaluations=50)
    again = Request.again(first.best.provenance)
    assert again.seed == 0
    assert again.skip == 2
    second = levelsmith.generate(again.game, **again.given)
    assert (second.best.text, second.best.provenance) == (first.best.text, first.best.provenance)


def test_ends_of_a_range_may_be_text_or_left_open():
    ranges = {"pushes": ["3", None], "moves": (float("-inf"), 9), "boxes": 2}
    command = Request("sokoban", want=ranges).command
    assert command == "levelsmith generate sokoban --pushes 3.. --moves ..9 --boxes 2..2"
