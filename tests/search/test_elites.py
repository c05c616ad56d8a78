"""MAP-Elites meets the candidates of its slow twin and keeps the same archive, a level for each bin."""

from __future__ import annotations

import numpy as np
import pytest

import levelsmith
from levelsmith.errors import LevelsmithError
from levelsmith.making.build import build_problem, start_run
from levelsmith.making.plan import plan
from levelsmith.request import Request
from levelsmith.search.elites import Axis, axes_of
from levelsmith.search.kernels.evolution import FIRST
from reference.elites import elites as twin

pytestmark = pytest.mark.usefixtures("_words_wrap_around")

METRICS = ("empty", "path", "regions")


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("values", "choices"),
    [
        ({"samples": 20}, {}),
        ({"samples": 5, "mutation": 0.5, "by": "path:4..20:8"}, {}),
        ({"samples": 30, "crossover": 0.0, "by": "empty:40..60:4, regions:1..9:4, path"}, {}),
        ({"samples": 10, "mutation": 1.0}, {"representation": "narrow"}),
    ],
)
def test_it_is_its_slow_twin(values, choices, met):
    task = plan(Request("binary", search="elites", set=values, seed=3, **choices))
    search = start_run(task)
    states = met(search, 300)
    slow, archive = twin(build_problem(task), task.sequence, 300, task.values["elites"], search.axes)
    assert states == slow
    shape = [axis.bins for axis in search.axes]
    rows = {FIRST + np.ravel_multi_index(place, shape): kept for place, kept in archive.items()}
    assert set(FIRST + np.flatnonzero(np.isfinite(search.run.scores[FIRST:]))) == set(rows)
    for row, (score, packed) in rows.items():
        assert search.run.scores[row] == score
        assert search.run.states[row].tolist() == list(packed)


def test_every_elite_is_a_level_that_lies_in_its_bin():
    result = levelsmith.generate("binary", search="elites", seed=1, evaluations=3000)
    assert len(result.levels) == result.statistics["filled"] > 30
    solved = [level for level in result.levels if level.provenance["score"] == 1]
    assert len(solved) == result.statistics["solved_bins"] > 5
    bins = set()
    for level in result.levels:
        measured = levelsmith.measure(level)
        bins.add(tuple(level.provenance["bin"].values()))
        for metric, span in level.provenance["bin"].items():
            low, high = map(float, span.split(".."))
            assert low <= measured[metric] <= high
    assert len(bins) == len(result.levels)


def test_a_range_that_is_wanted_leaves_only_the_elites_within_it():
    result = levelsmith.generate(
        "binary", search="elites", seed=1, evaluations=2000, want={"empty": (50, 55)}
    )
    assert 1 < len(result.levels) < result.statistics["filled"]
    assert all(50 <= levelsmith.measure(level)["empty"] <= 55 for level in result.levels)


def test_axes_are_metrics_with_ranges_and_bins():
    assert axes_of("", METRICS, 200) == (Axis("empty", 0, 200, 10), Axis("path", 0, 200, 10))
    assert axes_of("path:2..20:3, regions:0..5%", METRICS, 200) == (
        Axis("path", 2, 20, 3),
        Axis("regions", 0, 10, 10),
    )
    assert axes_of("path:2..20:3", METRICS, 200)[0].range(1) == "8..14"


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("pth:0..5", "no metric is called 'pth'; did you mean 'path'?"),
        (
            "path:5..5",
            "expected a metric with its range and bins such as path:0..20:10 for by, got 'path:5..5'",
        ),
        ("path:0..nan", "expected a metric with its range and bins such as path:0..20:10"),
        ("path:1:2", "expected a metric with its range and bins such as path:0..20:10"),
        ("path:0..5:0", "expected a metric with its range and bins such as path:0..20:10"),
        ("path,path", "expected one to 3 different metrics for by, got 'path,path'"),
        ("path:0..9:1000, empty:0..9:1000", "expected at most 100,000 bins in all for by, got 1,000,000"),
    ],
)
def test_axes_that_cannot_be_are_refused_before_a_run_starts(by, message):
    with pytest.raises(LevelsmithError) as caught:
        plan(Request("binary", search="elites", set={"by": by}))
    assert str(caught.value).startswith(message)
