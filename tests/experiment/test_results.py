"""A file of runs is read in columns, in which runs of the same number stand at the same place."""

import sqlite3

import numpy as np
import pytest

from experiment import stores
from levelsmith import LevelsmithError
from levelsmith.experiment.results import Results


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    cells = [("one", search, "wide", "path-length") for search in ("bfs", "hc")]
    return stores.maps(tmp_path_factory.mktemp("results") / "runs.db", 9, cells=cells)


@pytest.fixture(scope="module")
def results(file):
    return Results(file)


def test_a_cell_knows_what_sets_it_apart(results):
    cell = results.cells[0]
    assert (cell.search, cell.goal, cell.runs, cell.asked) == ("bfs", "path-length", 9, 9)
    assert [cell.name for cell in results.of("one")] == ["bfs wide path-length", "hc wide path-length"]


def test_columns_come_from_runs_statistics_and_levels(results, file):
    base = sqlite3.connect(file)
    for cell in results.cells:
        told = base.execute(
            "SELECT number, seconds, json_extract(statistics, '$.depth_reached'), "
            "json_extract(metrics, '$.path') FROM runs JOIN levels ON run = id WHERE cell = ?",
            [cell.id],
        ).fetchall()
        for name, place in (("seconds", 1), ("depth_reached", 2), ("path", 3)):
            wanted = np.array([row[place] for row in sorted(told)], np.float64)
            np.testing.assert_array_equal(results.values(cell, name), wanted)
    base.close()


def test_missing_runs_leave_a_gap(tmp_path):
    path = stores.maps(tmp_path / "gap.db", 5, cells=[("one", "hc", "wide", "path-length")])
    base = sqlite3.connect(path)
    base.execute("DELETE FROM runs WHERE number = 2")
    base.commit()
    base.close()
    found = Results(path)
    column = found.values(found.cells[0], "score")
    assert len(column) == 5
    assert np.isnan(column).tolist() == [False, False, True, False, False]


def test_the_best_so_far_is_that_of_the_last_improvement_before(results):
    cell = results.cells[0]
    grid = np.array([0.0, 1.0, 7.0, 500.0, 60_000.0])
    owners, steps = results.history(cell)
    for number, row in enumerate(results.anytime(cell, grid)):
        mine = steps[owners == number]
        wanted = [max(mine[mine[:, 0] <= at, 2], default=0.0) for at in grid]
        assert row.tolist() == wanted


def test_levels_come_best_first_or_in_order(results):
    cell = results.cells[1]
    assert [known["number"] for _, known in results.levels(cell, 3, best=False)] == [0, 1, 2]
    scores = [known["score"] for _, known in results.levels(cell, 9)]
    assert scores == sorted(scores, reverse=True)
    level, known = results.levels(cell, 1, solved=True)[0]
    assert (level.game, level.size, known["score"]) == ("binary", (10, 10), 1.0)


def test_only_metrics_that_vary_are_worth_a_figure(results):
    assert results.metric_names(results.cells) == ["empty", "path", "regions"]


def test_a_file_without_runs_is_refused(tmp_path):
    base = stores.create(tmp_path / "empty.db")
    base.commit()
    base.close()
    with pytest.raises(LevelsmithError, match="holds no runs yet"):
        Results(tmp_path / "empty.db")
