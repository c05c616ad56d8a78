"""Many levels measured at once, on a GPU too."""

from dataclasses import replace

import numpy as np
import pytest

import levelsmith
from levelsmith.errors import LevelsmithError
from levelsmith.kernels import device
from levelsmith.registry import games
from simulator import simulated


def small_portions():
    """Has levels go to the GPU in several portions, though they are few."""
    from levelsmith.games.loderunner.judge.kernels import gpu as judge
    from levelsmith.kernels import gpu

    gpu.PORTION = 300  # bytes
    judge.THREADS_A_PROCESSOR = 2  # each judges several


@pytest.mark.slow
@simulated
def test_a_gpu_measures_maps_as_the_processor_does():
    small_portions()
    rng = np.random.default_rng(0)
    binary = games.get("binary")
    for size in ((2, 2), (5, 7), (10, 10), (14, 14)):
        grids = (rng.random((7, *size)) < 0.4).astype(np.uint8)
        found = binary.measure(grids, "cuda")
        assert (found == binary.measure(grids)).all(), size
        assert len(np.unique(found, axis=0)) > 1
    assert binary.measure(grids[:0], "cuda").shape == binary.measure(grids[:0]).shape == (0, 6)


@pytest.mark.slow
@simulated
def test_a_gpu_judges_levels_as_the_processor_does():
    small_portions()
    rng = np.random.default_rng(0)
    for rules in ("no-dig", "dig", "mmneat", "pcg-benchmark", "relaxed"):
        game = games.get("loderunner").under(rules)
        grids = rng.choice([0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 6], (10, 6, 9)).astype(np.uint8)
        grids.reshape(10, -1)[np.arange(8), rng.integers(54, size=8)] = 7  # two have no player
        found = game.measure(grids, "cuda")
        assert (found == game.measure(grids)).all(), rules
        assert len(np.unique(found[:, 11])) > 1


@simulated
def test_levels_on_a_gpu_keep_the_metrics_of_their_solutions():
    text = "......\n......\n.MG...\nbbbbbb\n.G....\nbbbbbb"
    plain = levelsmith.parse(text, "loderunner")
    solved = levelsmith.parse(text.replace("b\n.G", "b\n.."), "loderunner")
    levels = [plain, replace(solved, solution="r"), levelsmith.parse("..#.", "binary")]
    found = levelsmith.measure(levels, device="auto")
    assert found == levelsmith.measure(levels)
    assert [found[0]["moves"], found[1]["moves"], found[2]["empty"]] == [None, 1, 3]


def test_without_numba_cuda_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(device.importlib.util, "find_spec", lambda name: None)
    level = levelsmith.parse("..#.", "binary")
    with pytest.raises(LevelsmithError, match=r"pip install 'levelsmith\[gpu\]'"):
        levelsmith.measure(level, device="cuda")
    assert levelsmith.measure(level, device="auto") == levelsmith.measure(level)


def test_what_a_gpu_cannot_measure_is_said():
    with pytest.raises(LevelsmithError, match="orchard is measured on the processor alone"):
        levelsmith.measure(levelsmith.parse("^.", "orchard"), device="cuda")
    with pytest.raises(LevelsmithError, match="up to 256 cells, got 80x4"):
        levelsmith.measure(levelsmith.parse("\n".join(["." * 80] * 4), "binary"), device="cuda")
    with pytest.raises(LevelsmithError, match="no device"):
        levelsmith.measure(levelsmith.parse("..", "binary"), device="gpu")


def test_what_no_solution_tells_is_unknown():
    found = levelsmith.measure(levelsmith.parse("######\n#@ $.#\n#   $#\n#.   #\n######", "sokoban"))
    assert found["boxes"] == 2
    assert found["pushes"] is None
    assert found["difficulty"] is None


ONE, TWO = levelsmith.parse("^.^\n...", "orchard"), levelsmith.parse("^^^\n...", "orchard")
FOUND = [{"trees": 2, "crowded": 0}, {"trees": 3, "crowded": 3}]


def test_one_level_has_one_answer_and_many_have_a_list(tmp_path):
    levelsmith.save([ONE, TWO], tmp_path / "two.json")
    assert levelsmith.measure(ONE) == FOUND[0]
    for given in ([ONE, TWO], (ONE, TWO), iter([ONE, TWO]), tmp_path / "two.json"):
        assert levelsmith.measure(given) == FOUND
    assert levelsmith.measure([ONE]) == FOUND[:1]
    assert levelsmith.measure([]) == []


def test_levels_are_measured_one_by_one_where_that_is_asked_for():
    taken = []

    def given():
        for level in (ONE, TWO):
            taken.append(level)
            yield level

    found = levelsmith.measure(given(), lazily=True)
    assert (next(found), len(taken)) == (FOUND[0], 1)
    assert (list(found), len(taken)) == (FOUND[1:], 2)


@pytest.mark.parametrize("ask", [levelsmith.measure, levelsmith.solve])
@pytest.mark.parametrize(
    ("levels", "choices", "message"),
    [
        (3, {}, "expected a level, several, or a result, got '3'"),
        ([ONE, 3], {}, "expected levels, got '3' among them"),
        ("none.json", {}, "no file is called 'none.json'"),
        (ONE, {"lazily": True}, "lazily=True is for several levels"),
        (ONE, {"game": "orchard"}, "game= says which game a file is of"),
        ([ONE], {"game": "orchard"}, "game= says which game a file is of"),
    ],
)
def test_what_is_no_level_or_says_nothing_is_refused(ask, levels, choices, message):
    with pytest.raises(levelsmith.LevelsmithError) as caught:
        ask(levels, **choices)
    assert message in str(caught.value)
