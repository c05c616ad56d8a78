"""A task: what is asked for comes before the preset and the game's defaults, and every mistake is named."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from levelsmith.core import Budget, Level, Objective, Parameter, Term
from levelsmith.errors import LevelsmithError
from levelsmith.games.drawn import Drawer
from levelsmith.games.orchard import Orchard
from levelsmith.making.build import build_problem
from levelsmith.making.plan import plan
from levelsmith.numbers import parse_size
from levelsmith.registry import games, generators, representations, searches
from levelsmith.representations.grid import Wide
from levelsmith.request import Request
from levelsmith.search.local import HillClimbing


class Sparse(Orchard):
    """An orchard with two objectives, so that they can be combined."""

    name = "sparse"
    objectives: ClassVar = {
        **Orchard.objectives,
        "few": Objective(
            "few", "few trees", lambda size, values: [Term("trees", "inverse", low=1.0)], goal=False
        ),
    }


class Steps(Wide):
    name = "steps"
    offers = frozenset({"steps"})


class Fill(HillClimbing):
    """A search with a parameter that the representation has too."""

    parameters = (Parameter("fill", 0.1, "", 0.0, 1.0), Parameter("patience", 5, ""))


class Builder(Drawer):
    game = "loderunner"
    summary = ""
    parameters = (Parameter("rooms", 3, "how many", 1, 9),)

    def candidate(self, dice):
        return None


def test_a_game_alone_takes_its_defaults():
    task = plan(Request("orchard", seed=3))
    assert (task.size, task.search, task.representation) == ((8, 8), "hc", "wide")
    assert task.objectives == ("spaced",)
    assert task.combine == "mean"
    assert task.values == {
        "hc": {"patience": 2000, "rate": 0.0, "plateaus": True, "steepest": False},
        "wide": {"fill": 0.5, "depth": 0},
        "spaced": {"share": 0.4},
    }
    assert task.budget == Budget(evaluations=50_000)


def test_lode_runner_levels_are_built_unless_something_of_a_search_is_asked_for():
    for choices in ({}, {"size": (12, 16)}, {"want": {"gold": "8..15"}}, {"seconds": 2.0}):
        assert plan(Request("loderunner", **choices, seed=1)).search == "construct"
    for choices in ({"want": {"gold": "40.."}}, {"objective": "playable"}, {"until": 0.9}):
        assert plan(Request("loderunner", **choices, seed=1)).search == "hc"


def test_fresh_levels_of_a_game_with_a_model_come_from_it_where_they_have_its_size():
    start = Level("loderunner", games.get("loderunner").tiles, np.zeros((22, 32), np.uint8))
    assert plan(Request("loderunner", objective="playable", seed=1)).representation == "latent"
    assert plan(Request("loderunner", objective="playable", size=(12, 16), seed=1)).representation == "wide"
    assert plan(Request("loderunner", start=start, seed=1)).representation == "wide"
    assert plan(Request("loderunner", search="mcts", seed=1)).representation == "wide"
    assert plan(Request("loderunner", representation="narrow", seed=1)).representation == "narrow"


def test_a_preset_comes_before_defaults_and_what_is_asked_for_before_the_preset():
    task = plan(Request("orchard", preset="dense-orchard", seed=3))
    assert task.size == (10, 10)
    assert (task.values["spaced"]["share"], task.values["hc"]["patience"]) == (0.44, 5000)
    assert task.budget == Budget(evaluations=2_000_000)
    task = plan(Request("orchard", preset="dense-orchard", until=0.9, seed=3))
    assert task.budget == Budget(evaluations=2_000_000, score=0.9)
    assert plan(Request("orchard", preset="dense-orchard", seconds=1, seed=3)).budget == Budget(seconds=1)
    task = plan(
        Request("orchard", preset="dense-orchard", size=(4, 5), set={"share": 0.1, "hc.patience": 7}, seed=3)
    )
    assert task.size == (4, 5)
    assert (task.values["spaced"]["share"], task.values["hc"]["patience"]) == (0.1, 7)


def test_settings_of_a_preset_for_parts_that_are_not_used_are_passed_over():
    task = plan(Request("orchard", preset="dense-orchard", search="random", seed=3))
    assert "hc" not in task.values
    assert task.values["spaced"]["share"] == 0.44


def test_parameters_are_set_by_name_or_by_owner_and_name():
    assert plan(Request("orchard", set={"fill": "0.25"})).values["wide"]["fill"] == 0.25
    assert plan(Request("orchard", set={"wide.fill": 1})).values["wide"]["fill"] == 1.0


def test_several_objectives_are_scored_together(entered):
    entered(games, "sparse", Sparse())
    task = plan(Request("sparse", objective=["spaced", "few"], combine="product", seed=0))
    objective = build_problem(task).objective
    assert objective.product
    assert len(objective.rows) == 3
    assert not task.has_goal
    assert plan(Request("sparse", objective="spaced")).has_goal


def test_a_task_travels_and_its_provenance_is_plain_data():
    task = plan(Request("orchard", seed=np.int64(7), evaluations=5))
    assert pickle.loads(pickle.dumps(task)) == task
    told = json.loads(json.dumps(task.provenance()))
    assert told["seed"] == 7
    assert told["size"] == "8x8"
    assert told["parameters"]["hc"]["patience"] == 2000


def test_runs_of_a_seed_have_seeds_of_their_own():
    task = plan(Request("orchard", seed=5))
    states = [tuple(replace(task, run=i).sequence.generate_state(2)) for i in range(20)]
    assert len(set(states)) == 20
    assert states[3] == tuple(replace(plan(Request("orchard", seed=5)), run=3).sequence.generate_state(2))


def test_a_generator_of_its_own_makes_a_task_without_a_representation(entered):
    entered(generators, "builder", Builder)
    task = plan(Request("loderunner", search="builder", set={"rooms": 5}, seed=1))
    assert (task.representation, task.objectives) == (None, ())
    assert task.values == {"builder": {"rooms": 5}}
    assert task.has_goal
    with pytest.raises(LevelsmithError, match="it has no search problem"):
        build_problem(task)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "orchid"}, "no game is called 'orchid'; did you mean 'orchard'?"),
        ({"size": (1, 8)}, "expected a size from 2x2 to 16x16 for orchard, got 8x1"),
        ({"size": (8, 17)}, "expected a size from 2x2 to 16x16 for orchard, got 17x8"),
        ({"size": "8by8"}, "expected a size such as 10x8 (width x height), got '8by8'"),
        ({"search": "randm"}, "no search is called 'randm'; did you mean 'random'?"),
        ({"search": "zzz"}, "no search is called 'zzz'; expected one of: "),
        ({"representation": "wider"}, "no representation is called 'wider'; did you mean 'wide'?"),
        ({"objective": "spacy"}, "no objective of orchard is called 'spacy'; did you mean 'spaced'?"),
        ({"objective": ["spaced", "spaced"]}, "expected each objective once, got spaced, spaced"),
        ({"combine": "sum"}, "no way to combine objectives is called 'sum'; expected one of: mean, product"),
        ({"preset": "dense"}, "no preset is called 'dense'; did you mean 'dense-orchard'?"),
        ({"set": {"patient": 3}}, "no parameter is called 'patient'; did you mean 'patience'?"),
        ({"set": {"hc.fill": 3}}, "no parameter of hc is called 'fill'; expected one of: patience"),
        ({"set": {"sa.patience": 3}}, "no part of this run is called 'sa'"),
        ({"set": {"share": 0.9}}, "expected a number from 0 to 0.5 for share, got 0.9"),
        ({"set": {"patience": "long"}}, "expected a whole number of at least 0 for patience, got 'long'"),
        ({"seed": -1}, "expected a seed from 0 to 2**63 - 1, got '-1'"),
    ],
)
def test_a_mistake_is_named_with_what_was_expected(arguments, message):
    with pytest.raises(LevelsmithError) as caught:
        plan(Request(**{"game": "orchard", **arguments}))
    assert str(caught.value).startswith(message)


def test_a_search_that_a_representation_cannot_serve_names_one_that_can(entered):
    entered(representations, "steps", Steps())
    with pytest.raises(
        LevelsmithError, match=r"hc needs a .* offers variation, and steps does not"
    ) as caught:
        plan(Request("orchard", representation="steps"))
    able, others = str(caught.value).split("; take ")[1].split(" for hc, or ")
    assert "wide" in able.split(", ")
    assert "steps" not in able.split(", ")
    assert "random" in others.removesuffix(" for steps").split(", ")


def test_a_parameter_of_two_parts_must_say_whose_it_is(entered):
    entered(searches, "fill", Fill)
    with pytest.raises(LevelsmithError, match=r"^fill belongs to fill, wide; write fill.fill=…$"):
        plan(Request("orchard", search="fill", set={"fill": 0.2}))
    assert plan(Request("orchard", search="fill", set={"wide.fill": 0.2})).values["fill"]["fill"] == 0.1


def test_a_generator_of_another_game_is_refused(entered):
    entered(generators, "builder", Builder)
    with pytest.raises(
        LevelsmithError, match="builder makes levels of loderunner, but orchard was asked for"
    ):
        plan(Request("orchard", search="builder"))


def test_a_preset_for_another_game_is_refused(entered):
    entered(games, "sparse", Sparse())
    with pytest.raises(LevelsmithError, match="is for orchard, but sparse was asked for"):
        plan(Request("sparse", preset="dense-orchard"))


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("10x8", (8, 10)),
        ("3X4", (4, 3)),
        ((5, 6), (5, 6)),
        ([5, 6], (5, 6)),
        (np.array([5, 6]), (5, 6)),
        ((np.int64(5), 6.0), (5, 6)),
    ],
)
def test_a_size_is_width_by_height_in_words_and_a_pair_is_height_and_width(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text", ["10", "x", "10x", "x8", "-1x8", "8x8x8", "1e3x8", "²x3", "1000000x1", "", (1, 2, 3), 5]
)
def test_what_is_no_size_is_refused(text):
    with pytest.raises(LevelsmithError, match="expected a size such as "):
        parse_size(text)
