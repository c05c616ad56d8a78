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
from levelsmith.kernels.cache import cache_home
from levelsmith.learn import trained
from levelsmith.learn.model import load_model
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


def test_a_span_of_seeds_stands_for_a_model_each(home):
    names = trained.each_of("trained:ae,seed=9..11,bound=sigmoid")
    assert names == [f"trained:ae,seed={seed},bound=sigmoid" for seed in (9, 10, 11)]
    for plain in ("trained:ae,seed=3", "shipped,seed=1..3", 7):
        assert trained.each_of(plain) == [plain]
    for span in ("3..2", "1..20000"):
        with pytest.raises(LevelsmithError, match=r"expected from 1 to 10,000 seeds in 'trained:ae,seed="):
            trained.each_of(f"trained:ae,seed={span}")


def test_a_training_that_was_interrupted_leaves_no_model_and_is_gone_on_with(home, data):
    name = f"trained:ae,epochs=40,{SMALL}"
    steps = [0]
    for told in trained.train_missing("binary", name, cancel=lambda: steps[-1] >= 50):  # after the first look
        steps.append(told.step)
    assert trained.file_of("binary", name).exists()  # the best so far
    assert not trained.is_kept("binary", name)
    assert models.described([("binary", name)]) == {}
    begun = trained.seconds_of("binary", name)
    trained.kept("binary", name)
    assert 0 < begun < trained.seconds_of("binary", name)  # of both times together
    assert trained.is_kept("binary", name)
    assert load_model(trained.file_of("binary", name)).told["stopped"] == "steps"


@pytest.mark.slow
def test_workers_share_out_trainings_and_get_the_same_models(home, data, monkeypatch):
    names = trained.each_of(f"trained:ae,seed=1..3,epochs=2,{SMALL}")
    weights = []
    for workers in (1, 2):
        monkeypatch.setattr(
            trained, "cache_home", cache_home.__wrapped__
        )  # as in workers, by the environment
        monkeypatch.setenv("LEVELSMITH_CACHE", str(home / f"cache{workers}"))
        needed = [("binary", trained.full_name("binary", name)) for name in names]
        doing = list(models.train_missing(needed, lambda: False, workers))
        assert f"model 3 of 3: {needed[2][1]}" in doing[-1]
        weights.append([trained.file_of(*each).read_bytes() for each in needed])
    assert weights[0] == weights[1]
    assert len(set(weights[0])) == 3


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
    assert all(0 < each["seconds"] < 60 for each in told.values())
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
