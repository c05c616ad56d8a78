"""Levels to codes and back, for every game that can be learned."""

from __future__ import annotations

import numpy as np
import pytest

import levelsmith
from learn.untrained import SIZE, model, model_of_one
from levelsmith import LevelsmithError, learn, parse
from levelsmith.learn.sampling import samples

pytestmark = pytest.mark.slow

ROOM = parse("#####\n#@$.#\n#####", "sokoban")


@pytest.mark.slow
def test_one_level_has_one_code_and_several_have_a_row_each():
    made = model()
    levels = made.sample(3, seed=1)
    codes = made.encode(levels)
    assert codes.shape == (3, made.latent) == (3, 4)
    np.testing.assert_array_equal(made.encode(levels[1]), codes[1])
    assert made.encode([]).shape == (0, 4)


@pytest.mark.slow
def test_one_code_has_one_level_and_several_have_a_list():
    made = model()
    codes = np.random.default_rng(1).normal(size=(3, 4))
    levels = made.decode(codes)
    assert [level.size for level in levels] == [SIZE] * 3
    assert made.decode(codes[1]) == levels[1]
    assert made.decode(codes[1].tolist()) == levels[1]
    warm = [made.decode(codes, temperature=5, seed=seed) for seed in (1, 1, 2)]
    assert warm[0] == warm[1] != warm[2]


@pytest.mark.parametrize("name", ["vae", "ae", "vq"])
def test_shipped_models_draw_gold_of_a_code(name):
    made = levelsmith.learn.load(name, game="loderunner")
    codes = made.encode(made.sample(6, seed=1))
    levels = made.decode((codes[::2] + codes[1::2]) / 2)
    assert all(level.text.count("G") for level in levels)
    assert made.decode(codes[0]) == made.decode(codes[:2])[0]


def test_samples_are_those_of_their_seed():
    made = model()
    levels = made.sample(4, seed=7)
    np.testing.assert_array_equal([level.grid for level in levels], samples(made, 4, seed=7))
    assert [level.provenance["number"] for level in levels] == [0, 1, 2, 3]
    (fresh,) = made.sample()
    assert made.sample(seed=fresh.provenance["seed"]) == [fresh]


def test_a_model_of_sokoban_can_be_used():
    made = model_of_one(ROOM)
    assert made.decode(made.encode(ROOM)) == ROOM
    (level,) = made.sample(1, seed=1)
    assert (level, level.solution) == (ROOM, None)
    (level, _) = made.sample(2, seed=1, playable=True)
    assert (level, level.solution) == (ROOM, "R")
    with pytest.raises(
        LevelsmithError, match=r"latent does not serve sokoban; .*sample\(5\) draws levels of a"
    ):
        levelsmith.generate("sokoban", representation="latent", search="es", evaluations=1)


def test_a_model_that_draws_nothing_playable_says_so():
    stuck = model_of_one(parse("#####\n#@$ #\n#####", "sokoban"))
    with pytest.raises(
        LevelsmithError, match="of 600 levels that the model drew 0 can be played, and 3 were"
    ):
        stuck.sample(3, seed=1, playable=True)


def test_a_model_comes_from_its_file_or_its_name(tmp_path):
    model().save(tmp_path / "m.npz")
    assert learn.load(tmp_path / "m.npz").sample(seed=1) == model().sample(seed=1)
    assert learn.load(str(tmp_path / "m.npz"), game="orchard").game == "orchard"
    assert learn.load("ae", game="loderunner").size == (22, 32)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            lambda made: made.encode(ROOM),
            "expected levels of orchard, 6x5, as the model knows, got one of sokoban",
        ),
        (lambda made: made.encode(3), "expected a level, several, or a result, got '3'"),
        (lambda made: made.decode([1, 2]), "expected codes of 4 finite numbers"),
        (lambda made: made.decode([[1, 2, 3, np.nan]]), "expected codes of 4 finite numbers"),
        (lambda made: made.decode("abcd"), "expected codes as numbers, got 'abcd'"),
        (lambda made: made.decode([1, 2, 3, 4], seed=-1), "expected a seed from 0"),
        (lambda made: made.sample(0), "expected a count from 1"),
        (lambda made: made.sample(1, temperature=11), "expected a temperature from 0 to 10, got 11"),
        (lambda made: made.sample(1, temperature="hot"), "expected a number as the temperature, got 'hot'"),
        (lambda made: model_of_one(ROOM).sample(temperature=1), "leave out temperature"),
        (lambda made: learn.load("vae"), "expected the game whose model 'vae' is"),
        (lambda made: learn.load(3), "expected the path of a model, got '3'"),
        (lambda made: learn.load("none.npz"), "cannot read the model 'none.npz'"),
    ],
)
def test_what_cannot_be_is_named(asked, message):
    with pytest.raises(LevelsmithError) as caught:
        asked(model())
    assert message in str(caught.value)


def test_public_names_are_there():
    for name in learn.__all__:
        assert getattr(learn, name) is not None
    assert dir(learn) == learn.__all__
    with pytest.raises(AttributeError, match="has no attribute 'model_of'"):
        _ = learn.model_of
