"""Training: it lowers the loss, it goes on to the same bytes, it says what is wrong."""

from __future__ import annotations

import math
import os
import sys

import numpy as np
import pytest

import levelsmith
from levelsmith.errors import LevelsmithError
from levelsmith.learn import training
from levelsmith.learn.checkpoint import beside
from levelsmith.learn.model import load_model
from levelsmith.learn.training import Trained, follow, train

BEFORE = os.environ.get("NPROC")
GUESSED = 30 * math.log(2)  # nats to tell the cells of a map without knowing anything
SMALL = {"latent": 2, "hidden": 8, "features": 4, "batch": 4}


@pytest.fixture(autouse=True)
def often(monkeypatch):
    """Looks and checkpoints that small trainings have some of."""
    monkeypatch.setattr(training, "EVERY", 10)
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", 0.0)


@pytest.fixture
def small(maps):
    return maps(16)


@pytest.mark.slow
def test_a_model_of_binary_maps_learns_them(small, tmp_path):
    done = train("binary", small, **SMALL, steps=60, rate=0.01, output=tmp_path / "a.npz")
    assert done.history[-1][3] < 0.6 * GUESSED
    assert [row[0] for row in done.history] == [10, 20, 30, 40, 50, 60]
    assert min(row[-1] for row in done.history) == next(r[-1] for r in done.history if r[0] == done.step)
    assert os.environ.get("NPROC") == BEFORE
    found = load_model(tmp_path / "a.npz")
    assert found.settings == done.model.settings
    assert found.told["levels"] == 16
    assert np.linalg.norm(found.weights["spread"]) > 0
    assert not beside(tmp_path / "a.npz").exists()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_a_vq_learns_maps_its_codes_tell_them_apart_and_its_prior_learns_the_codes(small, seed):
    shape = {"latent": 2, "hidden": 8, "features": 4, "batch": 4, "width": 8, "layers": 1}
    done = train("binary", small, **shape, model="vq", steps=60, rate=0.02, seed=seed)
    assert done.model.latent == 8  # in four places
    assert done.history[-1][3] < 0.7 * GUESSED
    assert 0.0 < done.history[-1][4] < 0.9 * 8 * math.log(3)  # nats to tell a code without knowing anything
    assert len({code.tobytes() for code in done.model.encode(small)}) >= 2  # walls in even or in odd columns
    mirrored = [(level.grid == level.grid[:, ::-1])[level.grid > 0].mean() >= 0.9 for level in small]
    assert abs(done.model.weights["symmetry"][0] - np.mean(mirrored)) < 0.2


@pytest.mark.slow
def test_a_model_of_sokoban_rooms_learns_them_in_the_mode_of_the_paper():
    rooms = levelsmith.generate(
        "sokoban", representation="play", size=(4, 4), evaluations=20, count=16, seed=1
    ).levels
    done = train("sokoban", rooms, **SMALL, model="ae", mode="paper", steps=40, rate=0.01)
    assert done.history[-1][1] < 0.7 * done.history[0][1]
    assert done.history[-1][2] == 0.0  # the codes of an ae cost nothing
    assert done.model.settings.kinds == ("wall", "box", "goal", "box on goal", "player", "player on goal")
    assert (done.model.settings.net, done.model.settings.bound) == ("dense", "tanh")
    np.testing.assert_array_equal(done.model.weights["mean"], [0, 0])
    np.testing.assert_array_equal(done.model.weights["spread"], np.eye(2))


@pytest.mark.slow
def test_codes_of_an_ae_are_summed_up_as_those_of_a_vae_even_if_they_are_longer_than_levels_are_many(small):
    choices = {**SMALL, "latent": 20, "steps": 10, "model": "ae", "mirror": False}
    model = train("binary", small[:8], **choices).model
    weights = model.weights
    assert np.linalg.matrix_rank(weights["spread"], 1e-3) <= 7
    assert np.linalg.norm(weights["mean"]) > 0
    assert model.told["rare"] == 0  # it needs no help to keep rare tiles


@pytest.mark.slow
def test_the_mode_of_the_paper_has_its_table_ii_and_keeps_no_levels(small):
    begun = [next(follow("binary", small, mode=mode)).steps for mode in ("default", "paper")]
    assert begun == [1200, 1000 * 2]  # 32 maps, mirror images among them: an epoch is two steps of 30
    told = train("binary", small, **SMALL, mode="paper", steps=10).model.told
    assert (told["kept"], told["rate"], told["net"], told["bound"]) == (0, 1e-3, "dense", "none")
    assert training.values_of("vae", "paper", {})["latent"] == 16


@pytest.mark.slow
def test_steps_go_as_far_as_the_rate_says_or_where_they_are_scaled_4_and_8_times_as_far(small):
    """The first step of Adam goes as far as the rate for each weight that has a gradient."""
    for pace, far in (("even", {}), ("scaled", {"inner": 4, "decode0": 4, "out": 8})):
        choices = {**SMALL, "model": "ae", "mode": "paper", "steps": 1, "pace": pace}
        before, after = (train("binary", small, **choices, rate=rate).model.weights for rate in (0.0, 0.01))
        for name in ("inner", "inner_bias", "code", "decode0", "decode0_bias", "out", "out_bias"):
            moved = np.abs(after[name] - before[name]).max()
            assert moved == pytest.approx(0.01 * far.get(name, 1), rel=1e-3), name
        np.testing.assert_array_equal(after["centre"], before["centre"])


def test_every_level_is_learned_once_in_an_epoch(small, monkeypatch):
    met = []
    chosen = training._Training._picked

    def picked(self, step, rng):
        met.append(chosen(self, step, rng))
        return met[-1]

    monkeypatch.setattr(training._Training, "_picked", picked)
    train("binary", small, **SMALL, mode="paper", epochs=2)
    first, second = np.concatenate(met[:8]), np.concatenate(met[8:])
    assert len(met) == 16
    assert sorted(first) == sorted(second) == list(range(32))
    assert list(first) != list(second)


def test_the_model_of_the_paper_is_that_of_the_best_look(small):
    done = train("binary", small, **SMALL, model="ae", mode="paper", steps=40, rate=0.5)
    best = min(done.history, key=lambda row: row[1])
    assert done.step == done.model.told["step"] == best[0]
    assert done.model.told["loss"] == best[1:]


def test_a_vae_of_the_paper_draws_codes_by_the_standard_normal_distribution(small):
    weights = train("binary", small, **SMALL, mode="paper", steps=10).model.weights
    np.testing.assert_array_equal(weights["mean"], [0, 0])
    np.testing.assert_array_equal(weights["spread"], np.eye(2))


@pytest.mark.slow
def test_an_interrupted_training_goes_on_to_the_same_bytes(small, tmp_path):
    choices = {**SMALL, "steps": 40, "seed": 3}
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    train("binary", small, **choices, output=whole)
    asked = iter([False, False, True])
    cut = train("binary", small, **choices, output=parts, cancel=lambda: next(asked))
    assert (cut.stopped, cut.model) == ("cancelled", None)  # seven steps: too early for a look
    for event in follow("binary", small, **choices, output=parts):
        if event.step >= 22:
            break  # as if it were killed
    cut = train("binary", small, **choices, output=parts, cancel=lambda: True)
    assert cut.stopped == "cancelled"
    assert load_model(parts).told["stopped"] == "cancelled"
    assert beside(parts).exists()
    last = train("binary", small, **choices, output=parts)
    assert isinstance(last, Trained)
    assert parts.read_bytes() == whole.read_bytes()
    assert not beside(parts).exists()


def test_a_checkpoint_of_another_training_or_a_broken_one_is_refused(small, tmp_path):
    output = tmp_path / "a.npz"
    train("binary", small, **SMALL, steps=40, output=output, cancel=lambda: True)
    with pytest.raises(
        LevelsmithError, match=r"begun with another seed; go on .* delete '.*a.npz.part' to begin"
    ):
        train("binary", small, **SMALL, steps=40, seed=1, output=output)
    with pytest.raises(LevelsmithError, match="begun with other levels"):
        train("binary", small[:15] + small[:1], **SMALL, steps=40, output=output)
    data = beside(output).read_bytes()
    beside(output).write_bytes(data[: len(data) // 2])
    with pytest.raises(LevelsmithError, match="this checkpoint is broken"):
        train("binary", small, **SMALL, steps=40, output=output)


@pytest.mark.slow
def test_the_rate_falls_and_it_ends_when_validation_does_not_get_better(small):
    done = train("binary", small, **SMALL, steps=100, rate=0.0, patience=20)
    assert done.stopped == "patience"
    assert done.history[-1][0] == 80  # the weight of the code has its full size at 30, the rate falls from 50


def test_patience_counts_from_the_best_look():
    history = [[float(step), 0.0, 0.0, value] for step, value in ((40, 5.0), (50, 4.0), (60, 4.5), (70, 4.5))]
    assert training.falls_from(history, patience=20, last=100) == 70
    assert training.falls_from(history, patience=30, last=100) == 70  # as without it
    assert training.falls_from(history, patience=20, last=120) == 70
    assert training.falls_from(history, patience=30, last=120) == 84


def test_a_loss_that_is_no_number_is_told_with_what_helps(small):
    with pytest.raises(
        LevelsmithError, match=r"no number any more after step \d+: expected a smaller rate than 1e"
    ):
        train("binary", small, **SMALL, steps=40, rate=1e30)


def test_wrong_choices_are_named(small, tmp_path):
    for choices, message in (
        ({"model": "gan"}, "no model is called 'gan'; did you mean 'vae'|expected one of: vq, vae, ae"),
        ({"model": "vq", "beta": 2.0}, "a vq makes no use of beta: leave it out"),
        ({"layers": 2}, "a vae makes no use of layers: leave it out"),
        ({"model": "vq", "mode": "paper"}, "expected vae or ae in the mode paper, got vq"),
        ({"model": "vq", "latent": 7}, "expected at most 6 numbers in each place of a vq .* got latent 7"),
        ({"model": "vq", "width": 30}, "a width that is a multiple of 4, got latent 5 and width=30"),
        ({"mode": "papr"}, "no mode is called 'papr'; did you mean 'paper'"),
        ({"steps": 0}, "expected a whole number from 1 to 1000000 for steps, got 0"),
        ({"latent": 0}, "expected a whole number from 1 to 256 for latent, got 0"),
        ({"pace": "scaled"}, "only a dense net has a pace: leave it out"),
        ({"net": "dense"}, "expected net=dense in the mode paper alone and a bound for an ae alone"),
        ({"validation": 0.9}, "expected a number from 0 to 0.5 for validation, got 0.9"),
        ({"beta": float("nan")}, "expected a number from 0 to 1000 for beta"),
    ):
        with pytest.raises(LevelsmithError, match=message):
            follow("binary", small, **choices)
    (tmp_path / "taken").write_text("")
    with pytest.raises(LevelsmithError, match="cannot write"):
        follow("binary", small, output=tmp_path / "taken" / "a.npz")


def test_without_jax_the_extra_is_named(small, monkeypatch):
    for name in ("jax", "levelsmith.learn.network", "levelsmith.learn.steps"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(LevelsmithError, match=r'training needs JAX .*: pip install "levelsmith\[learn\]"'):
        follow("binary", small)
