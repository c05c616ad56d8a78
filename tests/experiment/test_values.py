"""Experiments as values: tables in place of a file, results as columns, cells compared in pairs."""

from __future__ import annotations

import builtins
import gc
import math

import numpy as np
import pytest

import levelsmith
from levelsmith import LevelsmithError, experiment

TABLES = {
    "orchard": {"size": (6, 6)},
    "experiment": {
        "runs": 8,
        "evaluations": np.int64(200),
        "part": [
            {"name": "searches", "search": ["random", "hc"], "set": {"spaced.share": 0.25}},
            {"name": "ranges", "search": "hc", "size": [(6, 6), "5x6"], "want": {"trees": (3, 9)}, "runs": 2},
        ],
    },
}


@pytest.fixture(scope="module")
def results():
    return experiment.run(TABLES, workers=1).results


def test_tables_are_what_a_file_says(tmp_path):
    (tmp_path / "orchards.toml").write_text(
        """[orchard]
size = "6x6"
[experiment]
runs = 8
evaluations = 200
[[experiment.part]]
name = "searches"
search = ["random", "hc"]
set = { "spaced.share" = 0.25 }
[[experiment.part]]
name = "ranges"
search = "hc"
size = ["6x6", "5x6"]
want = { trees = "3..9" }
runs = 2
"""
    )
    spec, written = experiment.read(TABLES), experiment.read(tmp_path / "orchards.toml")
    assert spec.text == written.text.replace("orchards", "experiment")
    assert [cell.tasks for cell in spec.cells] == [cell.tasks for cell in written.cells]
    assert (spec.name, written.name) == ("experiment", "orchards")
    assert experiment.read(TABLES, name="mine", quick=True).name == "mine"


def test_every_run_is_a_place_in_each_column(results):
    columns = results.columns()
    assert {len(column) for column in columns.values()} == {20}
    assert columns["cell"].tolist() == ["random"] * 8 + ["hc"] * 8 + ["6x6"] * 2 + ["5x6"] * 2
    assert columns["run"].tolist() == [*range(8), *range(8), 0, 1, 0, 1]
    assert columns["solved"].tolist()[:16] == [0.0] * 8 + [1.0] * 8
    first = levelsmith.generate(
        "orchard", size=(6, 6), search="hc", seed=0, evaluations=200, set={"share": 0.25}
    )
    assert columns["trees"][8] == levelsmith.measure(first.best)["trees"]


def test_a_frame_has_a_row_for_each_run(results):
    pytest.importorskip("pandas", reason="frames are pandas'")
    frame = results.frame()
    assert len(frame) == 20
    assert frame.groupby("cell")["run"].count().to_dict() == {"5x6": 2, "6x6": 2, "hc": 8, "random": 8}


def test_a_frame_without_pandas_names_the_extra(results, monkeypatch):
    imported = builtins.__import__

    def absent(name, *rest):
        if name == "pandas":
            raise ImportError(name)
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(LevelsmithError, match=r"levelsmith\[analysis\]"):
        results.frame()


def test_cells_are_compared_run_by_run(results):
    found = experiment.compare_cells(results, "random", "searches/hc")
    assert (found.runs, found.sure, found.solved.value) == (8, True, 1.0)
    assert found.corrected == found.chance < 0.05
    same = experiment.compare(results, results)
    assert same.alike == 4
    with pytest.raises(LevelsmithError, match="no cell is called 'hcc'; did you mean"):
        experiment.compare_cells(results, "random", "hcc")


def test_runs_without_a_path_go_when_nobody_has_them_any_more():
    tables = {**TABLES, "experiment": {**TABLES["experiment"], "part": TABLES["experiment"]["part"][:1]}}
    standing = experiment.run(tables, workers=1, runs=1)
    assert (standing.done, standing.asked) == (2, 2)
    path = standing.place.path
    found = standing.results
    del standing
    gc.collect()
    assert path.exists()
    assert math.isfinite(found.values(found.cell("hc"), "score")[0])
    found.reader.close()
    del found
    gc.collect()
    assert not path.exists()


def test_a_path_keeps_the_runs(tmp_path):
    spec = experiment.read(TABLES, runs=1, evaluations=20)
    assert experiment.run(spec, tmp_path / "x.db", workers=1, only=["searches"]).done == 2
    assert experiment.Results(tmp_path / "x.db").columns()["evaluations"].tolist() == [20.0, 20.0]
    with pytest.raises(LevelsmithError, match=r"runs belongs to experiment\.read, which has made this Spec"):
        experiment.run(spec, tmp_path / "x.db", runs=3)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"orchard": {}}, "no table [experiment]"),
        ({"experiment": TABLES["experiment"]}, "expected a table for at least one game"),
        ({"orchard": {"siez": (6, 6)}, "experiment": TABLES["experiment"]}, "did you mean 'size'?"),
        ({"orchard": {"size": (6,)}, "experiment": TABLES["experiment"]}, "expected a size such as (8, 10)"),
        ({"orchard": {}, "experiment": {"part": []}}, "expected tables [[experiment.part]] for part"),
        ({"orchard": {}, "experiment": {"part": [{"search": "hc"}]}}, "expected a name for each part"),
        (3, "no preset is called '3'"),
    ],
)
def test_what_is_no_experiment_is_named(tables, message):
    with pytest.raises(LevelsmithError) as caught:
        experiment.read(tables)
    assert message in str(caught.value)
