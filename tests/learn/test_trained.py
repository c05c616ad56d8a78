"""Models that are trained when they are first asked for: what their names say, and where they are kept."""

from __future__ import annotations

import json

import pytest

import levelsmith
from levelsmith import experiment
from levelsmith.errors import LevelsmithError
from levelsmith.experiment import models
from levelsmith.experiment.spec import Run
from levelsmith.experiment.store import Reader, Store, meta_of
from levelsmith.learn import trained
from levelsmith.learn.named import model_of

SMALL = "hidden=8,latent=2,batch=4"
SPEC = """
[binary]
size = "6x5"
search = "islands"
representation = "latent"
evaluations = 9
[experiment]
runs = 3
[[experiment.part]]
name = "a"
[experiment.part.rows.plain]
turns = {{ "latent.model" = ["trained:ae,seed=1,{}", "trained:ae,seed=2,{}"] }}
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(trained, "cache_home", lambda: tmp_path / "cache" / "kernels")
    monkeypatch.delenv("LEVELSMITH_DATA", raising=False)
    trained.digest_of.cache_clear()
    return tmp_path


@pytest.fixture
def data(home, maps, monkeypatch):
    (home / "binary-vglc" / "levels").mkdir(parents=True)
    for i, level in enumerate(maps(9)):
        levelsmith.save(level, home / "binary-vglc" / "levels" / f"{i}.txt")
    monkeypatch.setenv("LEVELSMITH_DATA", str(home))


def test_a_name_says_what_the_model_learns_from(home, data, monkeypatch):
    name = trained.full_name("binary", "trained:ae,seed=3,bound=sigmoid")
    assert name.startswith("trained:ae,seed=3,bound=sigmoid,data=originals,digest=")
    assert trained.full_name("binary", name) == name
    monkeypatch.delenv("LEVELSMITH_DATA")
    trained.digest_of.cache_clear()
    assert trained.full_name("binary", name) == name  # the levels need not be there
    other = trained.full_name("loderunner", "trained:vae")
    assert other.startswith("trained:vae,data=corpus,digest=")
    with pytest.raises(LevelsmithError, match=r"original levels of binary in LEVELSMITH_DATA"):
        trained.kept("binary", name)


def test_a_model_is_kept_under_all_that_decides_about_it(home, data):
    names = [
        "trained:ae,seed=1",
        "trained:ae",
        "trained:vae",
        "trained:ae,bound=sigmoid",
        "trained:ae,epochs=9",
    ]
    files = [trained.file_of("binary", name) for name in names]
    assert len(set(files)) == 5
    assert trained.file_of("binary", "trained:ae,seed=0,epochs=1000") == files[1]  # as the mode has them


def test_a_name_that_is_none_is_refused(home):
    for name, message in (
        ("trained:gan", "no model in 'trained:gan' is called 'gan'"),
        ("trained:ae,sed=1", "no parameter of training is called 'sed'; did you mean 'seed'"),
        ("trained:ae,seed=x", "expected a whole number from 0"),
        ("trained:ae,data=mine", "no data in 'trained:ae,data=mine' is called 'mine'"),
    ):
        with pytest.raises(LevelsmithError, match=message):
            trained.parse(name)


def test_an_experiment_trains_what_is_missing_and_tells_it_in_its_file(home, data, monkeypatch):
    (home / "mine.toml").write_text(SPEC.format(*[f"epochs=2,{SMALL}"] * 2))
    spec = experiment.read(str(home / "mine.toml"))  # which trains nothing
    needed = models.models_of(spec, [Run(0, number) for number in range(3)])
    assert [name.partition(",")[0] for _, name in needed] == ["trained:ae", "trained:ae"]
    assert models.described(needed) == {}
    doing = list(models.train_missing(needed, lambda: False))
    assert doing[0].startswith("training model 1 of 2: trained:ae,seed=1,")
    assert doing[-1].startswith("training model 2 of 2: trained:ae,seed=2,")
    assert list(models.train_missing(needed, lambda: False)) == []
    told = models.described(needed)
    assert [each["seed"] for each in told.values()] == [1, 2]
    first = told[needed[0][1]]
    assert (first["data"], first["learned"], first["epochs"], first["code_nats"]) == ("originals", 18, 2, 0.0)
    assert first["nats"] > 0
    assert model_of("binary", needed[0][1]).settings.net == "dense"
    with Store(home / "runs.db", meta_of(spec)) as store:
        store.note_models({needed[0][1]: first})
        store.note_models({})
        store.note_models({needed[1][1]: told[needed[1][1]]})
    with Reader(home / "runs.db") as reader:
        assert set(json.loads(reader.meta["models"])) == set(told)
