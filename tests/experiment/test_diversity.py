"""Archives of pyribs and levels: filled by emitters, read back, made of elites, drawn."""

from __future__ import annotations

import numpy as np
import pytest

import levelsmith
from levelsmith import LevelsmithError, parse
from levelsmith.experiment import diversity
from levelsmith.levels.measure import measure

pytestmark = pytest.mark.slow

BY = "empty:0..100%:5, path:0..60%:5"


@pytest.fixture(scope="module", autouse=True)
def ribs():
    """Only here, as it takes seconds to import."""
    return pytest.importorskip("ribs", reason="pyribs comes with the extra qd")


@pytest.fixture(scope="module")
def archive():
    where = diversity.space("binary", BY, size=(6, 6), set={"goal": 12})
    return diversity.illuminate(where, evaluations=600, batch=60, seed=1)


def test_emitters_fill_an_archive_with_levels_and_their_true_measures(archive):
    levels = diversity.levels_of(archive, "binary")
    assert len(levels) == archive.stats.num_elites > 5
    for level in levels:
        found = measure(level)
        assert level.provenance["measures"] == [found["empty"], found["path"]]
    best = max(levels, key=lambda level: level.provenance["score"])
    assert best.provenance["score"] == archive.stats.obj_max


def test_a_score_is_that_of_the_searches():
    where = diversity.space("binary", BY, size=(6, 6), set={"goal": 12})
    result = levelsmith.generate("binary", size=(6, 6), set={"goal": 12}, seed=2, evaluations=30)
    vector = np.eye(2)[result.best.grid].reshape(1, -1)
    scores, _, grids = where.evaluate(vector)
    assert scores[0] == result.score
    assert np.array_equal(grids[0], result.best.grid)


def test_the_same_seed_fills_the_same_archive(archive):
    where = diversity.space("binary", BY, size=(6, 6), set={"goal": 12})
    again = diversity.illuminate(where, evaluations=600, batch=60, seed=1)
    assert diversity.levels_of(again, "binary") == diversity.levels_of(archive, "binary")


def test_levels_become_an_archive_and_are_read_back(archive):
    levels = diversity.levels_of(archive, "binary")
    again = diversity.archive_of(levels, BY)
    assert again.solution_dim == 36
    assert diversity.levels_of(again, "binary") == levels
    assert again.stats.qd_score == pytest.approx(archive.stats.qd_score)


def test_an_archive_of_tiles_alone_is_read_with_its_size():
    import ribs.archives

    plain = ribs.archives.GridArchive(solution_dim=4, dims=[2], ranges=[(0, 4)])
    plain.add([[0, 1, 1, 0]], [0.5], [[2]])
    assert diversity.levels_of(plain, "binary", (2, 2)) == [parse(".#\n#.", game="binary")]
    with pytest.raises(LevelsmithError, match="expected an archive with a field 'grid', or of tiles"):
        diversity.levels_of(plain, "binary")


def test_codes_of_a_model_are_a_space_too():
    where = diversity.space("loderunner", "gold:0..40:4, enemies:0..8:4", latent="ae")
    vectors = np.random.default_rng(0).normal(size=(3, where.dim))
    _, measures, grids = where.evaluate(vectors)
    assert grids.shape == (3, 22, 32)
    assert measures[:, 0].tolist() == [(grid == 5).sum() for grid in grids]
    assert np.array_equal(where.evaluate(vectors)[2], grids)


def test_a_heat_map_has_the_best_score_of_each_bin(archive, tmp_path):
    pytest.importorskip("matplotlib")
    levels = diversity.levels_of(archive, "binary")
    file = tmp_path / "map.svg"
    diversity.draw(levels, BY, str(file))
    assert f"{len(levels)} of 25 bins of binary" in file.read_text()
    with pytest.raises(LevelsmithError, match="expected two metrics for a heat map, got 1"):
        diversity.draw(levels, "empty:0..100%:5", str(file))


def test_levels_of_different_sizes_make_no_archive():
    with pytest.raises(LevelsmithError, match="one game and one size"):
        diversity.archive_of([parse("#.", game="binary"), parse("#", game="binary")], BY)


def test_without_pyribs_the_extra_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "ribs", None)
    with pytest.raises(LevelsmithError, match=r"pip install 'levelsmith\[qd\]'"):
        diversity.space("binary", BY, size=(6, 6)).archive()
