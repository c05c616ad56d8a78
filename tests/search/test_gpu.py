"""Trees on a GPU, in the simulator of numba-cuda: the same source, run by threads of the processor."""

import sys
from dataclasses import replace

import pytest

import levelsmith
from levelsmith.errors import LevelsmithError
from levelsmith.kernels import device
from levelsmith.making.build import start_run
from levelsmith.making.plan import plan
from levelsmith.registry import games
from levelsmith.request import Request
from levelsmith.search.kernels.run import BEST
from simulator import simulated

pytestmark = pytest.mark.slow


def task(size=(5, 5), **values):
    chosen = {"mcts.c": 0.566, "mcts.trees": 3, "mcts.memory": 1}
    chosen |= {f"mcts.{name}": value for name, value in values.items()}
    return plan(Request("sokoban", preset="koczorowski2023", size=size, set=chosen, seed=1, device="cuda"))


@pytest.mark.slow
@simulated
def test_each_tree_grows_as_it_would_on_the_processor():
    for size, values in (
        ((5, 5), {}),
        ((4, 9), {"selection": "sp-mcts", "scored": "all", "length": 40}),
        ((9, 9), {"selection": "adaptive", "expansion": "any"}),
    ):
        forest = start_run(task(size, **values))
        numbers = forest._runs.rng.copy_to_host()
        for portion in (0, 25, 50):
            forest.advance(portion)
        scores = forest._runs.scores.copy_to_host()[BEST]
        for i in range(3):
            alone = start_run(replace(task(size, **values), device="cpu"))
            alone.run.rng[:] = numbers[:, i]
            while alone.evaluations < 25:
                alone.advance(25 - alone.evaluations)
            assert alone.score == scores[i], (size, i)
        assert forest.score == scores.max()


@simulated
def test_trees_without_room_begin_again_from_the_best_of_all():
    forest = start_run(task((3, 3), trees=8))
    forest._nodes = forest._nodes._replace(squares=forest._nodes.squares[:, :300])
    for _ in range(3):
        forest.advance(320)
    statistics = forest.statistics()
    assert statistics["restarts"] > 0
    assert statistics["iterations"] == 960
    assert len({level for _, level, _ in forest._pool}) == len(forest._pool) > 1


@simulated
def test_levels_are_kept_and_proved_and_come_again():
    chosen = {"mcts.trees": 4, "mcts.memory": 1, "mcts.bootstrap": 0.5, "mcts.cycle": 20}
    asked = {"preset": "koczorowski2023", "set": chosen | {"play.player": "anywhere"}, "evaluations": 300}
    asked |= {"seed": 2, "keep_above": 0.3, "keep_most": 5, "device": "cuda"}
    result = levelsmith.generate("sokoban", **asked)
    assert result.evaluations == 300
    assert 1 < len(result.levels) <= 5
    for level in result.levels:
        games.get("sokoban").verify(level)
        assert level.provenance["device"] == "cuda"
    again = levelsmith.generate("sokoban", **asked)
    assert [level.text for level in again.levels] == [level.text for level in result.levels]


def test_without_numba_cuda_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(device.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(LevelsmithError, match=r"pip install 'levelsmith\[gpu\]'"):
        levelsmith.generate("sokoban", representation="play", evaluations=10, device="cuda")
    result = levelsmith.generate("sokoban", representation="play", evaluations=10, seed=1, device="auto")
    assert "device" not in result.best.provenance


def test_a_numba_cuda_that_does_not_load_is_said(monkeypatch):
    monkeypatch.setattr(device.importlib.util, "find_spec", lambda name: True)
    monkeypatch.setitem(sys.modules, "levelsmith.kernels.gpu", None)  # it does not load
    with pytest.raises(LevelsmithError, match="numba-cuda does not load beside these versions"):
        levelsmith.generate("sokoban", representation="play", evaluations=10, device="cuda")
    result = levelsmith.generate("sokoban", representation="play", evaluations=10, seed=1, device="auto")
    assert "device" not in result.best.provenance


def test_what_a_gpu_cannot_do_is_said():
    with pytest.raises(LevelsmithError, match="mcts with play alone"):
        levelsmith.generate("orchard", evaluations=10, device="cuda")
    with pytest.raises(LevelsmithError, match=r"mcts with play alone: .* or add representation=.play."):
        levelsmith.generate("sokoban", evaluations=10, device="cuda")
    with pytest.raises(LevelsmithError, match="carve runs on the processor alone: leave out device"):
        levelsmith.generate("sokoban", preset="boxoban", device="cuda")
    with pytest.raises(LevelsmithError, match="no device"):
        levelsmith.generate("sokoban", representation="play", evaluations=10, device="gpu")
