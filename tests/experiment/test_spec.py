"""What an experiment consists of, and the one line for each mistake in it, before anything runs."""

from __future__ import annotations

import pytest

from experiment.conftest import SPEC
from levelsmith import experiment, presets
from levelsmith.errors import LevelsmithError

CELLS = {
    "fdg20": 3 * 48 + 12 + 42 + 9,
    "arxiv19": 2 * 72 + 18 + 54,
    "kartal2016": 18 + 90 + 18 + 78 + 6,
    "koczorowski2023": 63,
    "thakkar2019": 20,
}
HEAD = '[binary]\n[experiment]\nevaluations = 9\n[[experiment.part]]\nname = "a"\n'


@pytest.mark.first(5)
@pytest.mark.parametrize("name", CELLS)
@pytest.mark.parametrize("quick", [False, True])
def test_an_experiment_that_ships_can_be_planned(name, quick):
    spec = experiment.read(name, quick=quick)
    assert spec.title
    fewer = {"kartal2016": 54, "koczorowski2023": 12, "thakkar2019": 16}.get(name, 0) if quick else 0
    assert len(spec.cells) == CELLS[name] - fewer
    assert len({cell.id(0) for cell in spec.cells}) == len(spec.cells)
    assert spec.pages


def test_cells_are_the_combinations_of_what_a_part_lists(spec):
    found = experiment.read(spec())
    assert [(cell.part, cell.name, dict(cell.varied)) for cell in found.cells] == [
        ("searches", "random", {"search": "random"}),
        ("searches", "hc", {"search": "hc"}),
        ("patience", "hc.patience=100", {"hc.patience": 100}),
        ("patience", "hc.patience=500", {"hc.patience": 500}),
    ]
    fills = [found.cells[2].task(k).values["wide"]["fill"] for k in range(3)]
    assert (fills, found.cells[2].turn(1)) == ([0.25, 0.5, 0.25], '{"fill":0.5}')


def test_runs_of_the_same_number_have_the_same_seed_in_every_cell(spec):
    found = experiment.read(spec(), seed=4)
    assert {(cell.task(7).seed, cell.task(7).run) for cell in found.cells} == {(4, 7)}


def test_the_id_of_a_run_is_that_of_its_settings(spec):
    first, again, other = (experiment.read(spec(), runs=k, seed=s) for k, s in ((1, 0), (5, 0), (1, 1)))
    assert [cell.id(3) for cell in first.cells] == [cell.id(3) for cell in again.cells]
    assert not {cell.id(3) for cell in first.cells} & {cell.id(3) for cell in other.cells}
    assert first.cells[0].id(3) != first.cells[0].id(4)


def test_what_is_given_replaces_the_experiments_own_and_a_parts_own_stays(spec):
    text = SPEC + '[[experiment.part]]\nname = "own"\nsearch = "hc"\nruns = 3\nseconds = 2.5\n'
    for quick, runs, evaluations in ((False, 10, 20_000), (True, 2, 100)):
        *others, own = experiment.read(spec(text), quick=quick).cells
        assert {(cell.runs, cell.tasks[0].budget.evaluations) for cell in others} == {(runs, evaluations)}
        assert (own.runs, own.tasks[0].budget.evaluations, own.tasks[0].budget.seconds) == (3, None, 2.5)
    cells = experiment.read(spec(text), runs=50, seconds=0.5, quick=True).cells
    assert [(cell.runs, cell.tasks[0].budget.seconds) for cell in cells] == [*[(50, 0.5)] * 4, (3, 2.5)]
    assert cells[0].tasks[0].budget.evaluations is None


def test_a_part_may_have_a_short_form_of_its_own_or_none(spec):
    text = (
        HEAD
        + 'search = "hc"\nruns = 4\nquick = { runs = 0 }\n[[experiment.part]]\nname = "b"\nsearch = "sa"\n'
    )
    assert [cell.part for cell in experiment.read(spec(text)).cells] == ["a", "b"]
    assert [cell.part for cell in experiment.read(spec(text), quick=True).cells] == ["b"]


def test_rows_are_named_cells_with_settings_of_their_own(spec):
    text = (
        HEAD
        + 'rows = { "one" = { search = "hc", "hc.patience" = 3 }, "two" = { search = "sa", size = "5x4" } }'
    )
    one, two = experiment.read(spec(text)).cells
    assert (one.name, one.varied, one.tasks[0].values["hc"]["patience"]) == ("one", {"row": "one"}, 3)
    assert (two.name, two.tasks[0].search, two.tasks[0].size) == ("two", "sa", (4, 5))


def test_only_some_cells_can_be_chosen(spec):
    found = experiment.read(spec())
    assert found.chosen([]) == [0, 1, 2, 3]
    assert found.chosen(["patience"]) == [2, 3]
    assert found.chosen(["hc"]) == [1, 2, 3]
    assert found.chosen(["searches/random", "patience/hc.patience=500"]) == [0, 3]


MISTAKES = {
    '[[experiment.part]]\nname = "b"\nserach = 1': "b: no setting is called 'serach'; did you mean 'search'?",
    '[[experiment.part]]\nsearch = "hc"': "expected a name for each part, got search",
    '[[experiment.part]]\nname = "a"\nsearch = "hc"': "expected each part once, got 'a' twice",
    'search = "hcc"': "a: no search is called 'hcc'; did you mean 'hc'?",
    'search = ["hc", "mtcs"]': "a, mtcs: no search is called 'mtcs'; did you mean 'mcts'?",
    'search = "bfs"\nrepresentation = ["wide", "play"]': "a, play: play makes levels of sokoban alone",
    'objective = "path-lenght"': "no objective of binary is called 'path-lenght'; did you mean",
    "search = 3": "expected a name, or a list of names for search, got '3'",
    "runs = -1": "expected a whole number for runs, got '-1'",
    "runs = 0": "expected at least one part with runs, got none",
    'set = { "hc.patiense" = [1, 2] }': "no parameter of hc is called 'patiense'; did you mean 'patience'?",
    'set = { "mcts.c" = 1 }': "c belongs to mcts, which this run does not use",
    "turns = { fill = 0.5 }": "expected a table of lists for turns, got an object",
    'rows = { "x" = { serach = "hc" } }': "a, x: no setting is called 'serach'; did you mean 'search'?",
    'rows = { "x" = {}, "y" = { runs = "many" } }': "a, y: expected a whole number for runs, got 'many'",
    'size = ["5x5", "5x5"]': "two cells are called '5x5'",
    f"turns = {{ fill = {[0.5] * 101}, 'hc.rate' = {[0.5] * 103} }}": "10,000 runs, got 10,403",
    f"evaluations = {[*range(1, 102)]}\nset = {{ 'hc.patience' = {[*range(101)]} }}": "10,000 cells",
    "until = inf": "expected a number for until, got 'inf'",
    "set = { 'wide.fill' = [0.5, nan] }": "expected a table of values, or of lists of them for set",
    "seed = 99999999999999999999": "a whole number beyond 64 bits",
    f"want = {{ path = {'[' * 9999}": "nested too deeply",
    "quick = { rums = 3 }": "quick: no setting is called 'rums'; did you mean 'runs'?",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_named_before_anything_runs(spec, tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    spec(HEAD + text)
    with pytest.raises(LevelsmithError) as caught:
        experiment.run("small.toml", "x.db")
    assert MISTAKES[text] in str(caught.value)
    assert "small.toml" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "x.db").exists()


def test_a_search_that_a_representation_cannot_serve_is_refused(spec):
    text = HEAD.replace("binary", "sokoban") + 'search = ["mcts", "hc"]\nrepresentation = "play"'
    with pytest.raises(
        LevelsmithError, match=r"a, hc: hc needs a representation that offers variation, and play"
    ):
        experiment.read(spec(text))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "fdg2O --quick",
            "no preset is called 'fdg2O'; did you mean 'fdg20'? (or a path that ends in .toml)",
        ),
        ("boxoban", "the preset 'boxoban' has no table [experiment]; expected one of: arxiv19, fdg20, "),
        ("fdg20 --only tress", "no part or search of fdg20 is called 'tress'; did you mean 'trees'?"),
        ("fdg20 --shard 3/2", "expected a shard such as 2/8, the second of eight, got '3/2'"),
        ("fdg20 --quick --workers 0", "expected a number from 1 to 4096 of workers, got '0'"),
        ("fdg20 --quick --timeout 0", "expected a timeout of more than 0 seconds, got 0"),
        (
            "fdg20 --quick --executor head:1",
            "expected an executor such as dask://localhost:8786, got 'head:1'",
        ),
        ("fdg20 --runs many", "Invalid value for '--runs': expected a whole number such as 5000, 50k or 2M"),
        (
            "fdg20 --evaluations 0",
            "fdg20, trees, bfs narrow empty-tiles: expected a budget from 1 to 2**63 - 1 evaluations",
        ),
        ("fdg20 --seed -1", "expected a seed from 0 to 2**63 - 1, got '-1'"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_line(words, message, tmp_path, monkeypatch, capsys):
    from levelsmith.cli import main

    monkeypatch.setattr(
        "sys.argv", ["levelsmith", "experiment", "run", *words.split(), "-o", str(tmp_path / "x")]
    )
    with pytest.raises(SystemExit) as caught:
        main()
    said = capsys.readouterr().err
    assert caught.value.code == 2
    assert said.count("\n") == 1
    assert message in said


def test_the_table_is_part_of_the_preset():
    assert presets.load("fdg20").experiment["pages"] == "maps"
    assert presets.load("boxoban").experiment is None
