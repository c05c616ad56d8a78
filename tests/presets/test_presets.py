"""Presets: those that ship can be planned for each game they name; mistakes in a file are named."""

from __future__ import annotations

import os
import time

import pytest

import levelsmith
from levelsmith import presets
from levelsmith.errors import LevelsmithError
from levelsmith.making.plan import plan
from levelsmith.registry import games, representations, searches
from levelsmith.request import Request


@pytest.mark.parametrize("name", presets.names())
def test_a_preset_that_ships_can_be_planned_for_each_of_its_games(name):
    preset = presets.load(name)
    assert preset.summary
    for game in preset.games:
        task = plan(Request(game, preset=name, seed=1))
        for key, value in preset.values.items():
            owner, _, parameter = key.rpartition(".")
            if owner in task.values:
                assert task.values[owner][parameter] == value


PAPERS = ["fdg20", "arxiv19"]


def settings(name):
    return [(*key.rsplit(".", 1), value) for key, value in presets.load(name).values.items()]


@pytest.mark.parametrize("name", PAPERS)
def test_a_preset_of_a_paper_is_for_maps_as_large_and_runs_as_long_as_there(name):
    assert name in presets.names()
    assert presets.load(name).games == {"binary": {"size": "10x10", "evaluations": 50_000}}
    task = plan(Request("binary", preset=name, seed=1))
    assert (task.size, task.budget.evaluations) == ((10, 10), 50_000)


@pytest.mark.parametrize("name", PAPERS)
def test_every_setting_of_a_paper_is_a_value_of_a_parameter_that_exists(name):
    objectives = games.get("binary").objectives
    for owner, parameter, value in settings(name):
        part = next(known for known in (searches, representations, objectives) if owner in known)
        holder = part[owner] if part is objectives else part.get(owner)
        (found,) = [p for p in holder.parameters if p.name == parameter]
        assert (found.check(value), type(found.check(value))) == (value, type(value)), f"{owner}.{parameter}"


@pytest.mark.parametrize("name", PAPERS)
def test_every_setting_of_a_paper_lands_in_the_provenance(name):
    kinds = {
        "search": searches,
        "representation": representations,
        "objective": games.get("binary").objectives,
    }
    for owner, parameter, value in settings(name):
        (kind,) = [kind for kind, known in kinds.items() if owner in known]
        told = plan(Request("binary", preset=name, **{kind: owner}, seed=1)).provenance()
        assert told["parameters"][owner][parameter] == value


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("fdg20", {"bfs", "dfs", "best", "mcts", "hc", "sa", "es", "ga"}),
        ("arxiv19", {"bfs", "dfs", "astar", "mcts", "hc", "sa", "es", "ga"}),
    ],
)
def test_a_preset_of_a_paper_has_settings_for_each_of_its_searches(name, asked):
    assert {owner for owner, _, _ in settings(name) if owner in searches} == asked


def test_a_paper_can_be_repeated_in_one_line():
    result = levelsmith.generate("binary", preset="fdg20", search="hc", seed=1)
    assert result.stopped in ("solved", "exhausted")
    assert result.best.provenance["parameters"]["hc"] == {
        "patience": 0,
        "rate": 0.0,
        "plateaus": False,
        "steepest": True,
    }


def test_the_preset_of_the_lode_runner_paper_spends_what_its_pool_and_generations_take():
    task = plan(Request("loderunner", preset="thakkar2019", seed=1))
    found = task.values["islands"]
    each = found["islands"] * found["population"]
    assert (found["pool"], each, found["generations"], found["ends"]) == (10_000, 320, 150, "generations")
    bred = found["generations"] * (each + found["islands"])  # the populations, then the ten best
    assert task.budget.evaluations == found["pool"] + bred == 59_500
    assert task.objectives == ("thakkar2019",)


def test_the_dense_orchard_can_be_grown():
    result = levelsmith.generate("orchard", preset="dense-orchard", seed=2)
    assert result.best.size == (10, 10)
    assert result.score > 0.8
    assert levelsmith.measure(result.best)["trees"] >= 40


def test_a_preset_of_ones_own_is_read_from_a_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'summary = "mine"\n[orchard]\nsize = "5x4"\nevaluations = 30\nsearch = "random"\n'
        'objective = ["spaced"]\n[set]\n"spaced.share" = 0.5\n"hc.patience" = 9\n'
    )
    result = levelsmith.generate("orchard", preset=str(file), seed=1)
    assert result.best.size == (4, 5)
    assert result.evaluations == 30
    assert result.best.provenance["parameters"]["spaced"] == {"share": 0.5}


@pytest.mark.parametrize("asked", [{"patience": 7}, {"hc.patience": 7}])
def test_what_is_asked_for_beats_the_preset_by_either_name(asked):
    assert plan(Request("orchard", preset="dense-orchard", set=asked)).values["hc"]["patience"] == 7


def test_the_ranges_of_a_preset_hold_where_no_others_are_asked_for():
    spans = {want.metric: want.range for want in plan(Request("sokoban", preset="boxoban")).wants}
    assert spans == {"pushes": "8..30"}
    asked = plan(Request("sokoban", preset="boxoban", want={"pushes": "5..9", "moves": "..60"})).wants
    assert {want.metric: want.range for want in asked} == {"pushes": "5..9", "moves": "0..60"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("= 3", "is not valid TOML"),
        ("", "expected a table for at least one game, got none"),
        ('summary = "only"', "expected a table for at least one game, got none"),
        ("summary = 3\n[orchard]", "expected text as summary and a table [set]"),
        ("set = 3\n[orchard]", "expected text as summary and a table [set]"),
        ("orchard = 3", "expected a table for"),
        ("[orchard]\nserach = 'hc'", "is called 'serach'; did you mean 'search'?"),
        ("[orchard]\n[set]\npatience = 3", "under [set], got 'patience'"),
        ("[orchard]\nevaluations = '50k'", "expected a whole number for evaluations, got '50k'"),
        ("[orchard]\nevaluations = true", "expected a whole number for evaluations, got 'True'"),
        ("[orchard]\nsearch = 5", "expected a name for search, got '5'"),
        ("[orchard]\nsize = [8, 8]", "expected text such as '10x8' for size, got"),
        ("[orchard]\nobjective = [1]", "expected a name for objective, got"),
        ("[orchard]\nwant = 3", "expected a table of ranges for want, got '3'"),
        ("[orchard.want]\ntrees = [1]", "expected a table of ranges for want, got"),
    ],
)
def test_a_mistake_in_a_file_is_named(text, message):
    with pytest.raises(LevelsmithError) as caught:
        presets.parse("mine.toml", text)
    assert message in str(caught.value)
    assert "'mine.toml'" in str(caught.value)


def test_a_preset_that_is_not_there_is_named(tmp_path):
    with pytest.raises(
        LevelsmithError, match="no preset is called 'dense-orchid'; did you mean 'dense-orchard'"
    ):
        presets.load("dense-orchid")
    with pytest.raises(LevelsmithError, match="cannot read the preset"):
        presets.load(str(tmp_path / "none.toml"))
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LevelsmithError, match="cannot read the preset"):
        presets.load(str(tmp_path / "binary.toml"))


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "a = " + "[" * 50_000: "lists or tables nested too deeply",
        "a = " + "{a = " * 10_000: "lists or tables nested too deeply",
        "a = " + "9" * 5_000: "a whole number beyond 64 bits",
        "[set]\n'hc.patience' = 9223372036854775808": "a whole number beyond 64 bits",
        "[orchard]\nevaluations = 99999999999999999999": "a whole number beyond 64 bits",
        "a = 2024-13-45": "is not valid TOML",
        "a" + ".a" * 40_000 + " = 1": "keys of more than 20 parts",
        "[" + "a . " * 20_000 + "a]": "keys of more than 20 parts",
        "[" + "','." * 20_000 + "a]": "keys of more than 20 parts",
        "a = 1\na = 2": "is not valid TOML",
    }.items(),
    ids=lambda value: value[:20],
)
def test_toml_that_is_deep_or_huge_is_refused_in_one_line(text, message, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    started = time.process_time()
    with pytest.raises(LevelsmithError, match=message) as refused:
        presets.load(str(path))
    assert "\n" not in str(refused.value)
    assert time.process_time() - started < 1


def test_a_preset_is_a_plain_file_of_moderate_size(tmp_path):
    large = tmp_path / "large.toml"
    large.write_text("#" * 100_001)
    with pytest.raises(LevelsmithError, match=r"cannot read the preset .* expected at most 0.1 MB, got more"):
        presets.load(str(large))
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    for name in ("pipe", "folder", "zero", "long" * 1000, "no\0name"):
        with pytest.raises(LevelsmithError, match="cannot read the preset"):
            presets.load(str(tmp_path / f"{name}.toml"))
