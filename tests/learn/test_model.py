"""Model files: what is saved is loaded, and nothing that is broken or foreign does harm."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from levelsmith.errors import LevelsmithError
from levelsmith.learn.model import Model, Settings, load_model


@pytest.fixture
def model():
    settings = Settings("binary", (5, 6), ("empty", "wall"), latent=3, features=4, hidden=5)
    rng = np.random.default_rng(0)
    weights = {name: rng.standard_normal(shape, np.float32) for name, shape in settings.shapes().items()}
    return Model(settings, weights, {"steps": 7})


@pytest.fixture
def file(model, tmp_path):
    model.save(tmp_path / "model.npz")
    return tmp_path / "model.npz"


def rewritten(file, head=None, **arrays):
    """The file with some fields of its settings and some arrays replaced, or left out where they are None."""
    with np.load(file) as archive:
        found = dict(archive)
    settings = json.loads(str(found.pop("settings"))) | (head or {})
    found = {name: array for name, array in (found | arrays).items() if array is not None}
    np.savez(file, settings=np.array(json.dumps(settings)), **found)
    return file


def test_what_is_saved_is_loaded(model, file):
    found = load_model(file)
    assert found.settings == model.settings
    assert found.told == {"steps": 7}
    for name, array in model.weights.items():
        np.testing.assert_array_equal(found.weights[name], array)


def test_the_same_model_is_the_same_bytes(model, file, tmp_path):
    model.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == file.read_bytes()


HEADS = {
    "version": (9, "expected a model of version 1, got 9"),
    "game": ("chess", "levels of 'chess', a game that is not here"),
    "size": ([5], "sizes from 1 to 4096"),
    "latent": ("many", "sizes from 1 to 4096"),
    "hidden": (-1, "sizes from 1 to 4096"),
    "features": (3, "expected decode3 to be finite numbers of shape"),
    "mode": ("other", "got 'vae' in mode 'other'"),
    "kinds": (["empty", "lava"], "expected tiles of binary, got lava"),
}


@pytest.mark.parametrize("name", HEADS)
def test_a_wrong_setting_is_named(file, name):
    value, message = HEADS[name]
    with pytest.raises(LevelsmithError, match=message):
        load_model(rewritten(file, {name: value}))


@pytest.mark.parametrize(
    "value", [None, [], {}, ["binary"], 1e999, -1, 10**30, "9" * 5000, [1e999, 1]], ids=str
)
@pytest.mark.parametrize(
    "name", ["version", "game", "size", "latent", "hidden", "features", "mode", "model", "kinds"]
)
def test_a_setting_of_another_kind_is_refused(file, name, value):
    with pytest.raises(LevelsmithError):
        load_model(rewritten(file, {name: value}))


WRONG = {
    "of another shape": ({"out": np.zeros((2, 2), np.float32)}, "expected out to be finite numbers of shape"),
    "not numbers": ({"mean": np.full(3, np.nan, np.float32)}, "expected mean to be finite numbers"),
    "words": ({"mean": np.array(["a", "b", "c"])}, "expected mean to be finite numbers"),
    "missing": ({"decode1": None}, "decode1 are missing"),
    "of no use": ({"extra": np.zeros(1)}, "extra are missing or of no use"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_weight_is_named(file, name):
    arrays, message = WRONG[name]
    with pytest.raises(LevelsmithError, match=message):
        load_model(rewritten(file, **arrays))


class Bomb:
    def __reduce__(self):
        return print, ("boom",)


def test_nothing_in_a_file_is_executed(file, tmp_path, capsys):
    for content in (np.array([Bomb()], dtype=object), np.array(Bomb(), dtype=object)):
        with np.load(file) as archive:
            found = dict(archive) | {"mean": content}
        np.savez(tmp_path / "bomb.npz", **found)
        with pytest.raises(LevelsmithError, match="expected a model from `levelsmith train`"):
            load_model(tmp_path / "bomb.npz")
    (tmp_path / "pickle.npz").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(LevelsmithError, match="expected a model"):
        load_model(tmp_path / "pickle.npz")
    assert capsys.readouterr().out == ""


def test_a_small_file_that_unpacks_to_a_large_one_is_refused(file):
    with np.load(file) as archive:
        found = dict(archive) | {"mean": np.zeros(30_000_000, np.float32)}
    np.savez_compressed(file, **found)
    assert file.stat().st_size < 1_000_000
    with pytest.raises(LevelsmithError, match="mean claims 30,000,000 cells, more than there may be"):
        load_model(file)


def test_a_file_that_is_cut_or_flipped_anywhere_is_refused_or_still_the_model(model, file, tmp_path):
    whole = file.read_bytes()
    broken = tmp_path / "broken.npz"
    for i in range(0, len(whole), max(1, len(whole) // 150)):
        for content in (whole[:i], whole[:i] + bytes([whole[i] ^ 255]) + whole[i + 1 :]):
            broken.write_bytes(content)
            try:
                found = load_model(broken)
            except LevelsmithError:
                continue
            assert found.settings == model.settings
    with pytest.raises(LevelsmithError, match=r"cannot read the model .* No such file"):
        load_model(tmp_path / "nothing.npz")
    with pytest.raises(LevelsmithError, match="cannot read the model"):
        load_model(tmp_path)
