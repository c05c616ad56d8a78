"""A reset takes a level, some levels, some boards; what it and the end of an episode tell; three modes."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import levelsmith
from levelsmith.envs.design import DesignVectorEnv
from levelsmith.envs.play import PlayEnv, PlayVectorEnv
from levelsmith.errors import LevelsmithError

SMALL = {"size": (5, 5), "boxes": 2, "pushes": (2, 12), "optimal": False}
PUSH = "#####\n#@$.#\n#####"
WALK = "#####\n#@ $.#\n######"
BEGUN = {"level", "index", "seed", "number", "solution", "optimal", "difficulty"}
ENDED = {"solved", "return", "steps", "regret"}


@pytest.fixture
def single():
    env = PlayEnv("sokoban", **SMALL, max_steps=30)
    yield env
    env.close()


@pytest.fixture
def boards():
    env = PlayVectorEnv("sokoban", 3, **SMALL, max_steps=30)
    yield env
    env.close()


def test_a_level_of_ones_own_is_played_as_a_value_or_as_text(single):
    level = levelsmith.parse(PUSH, "sokoban")
    for given in (level, PUSH):
        view, info = single.reset(seed=3, options={"level": given})
        assert info["level"] == level
        assert (info["index"], info["seed"], info["number"]) == (None, None, None)
        assert view[:3, :5].tolist() == level.grid.tolist()
        assert (view[3:] == 1).all()  # walls around it
        _, _, terminated, _, told = single.step(3)
        assert terminated
        assert set(told) == ENDED
        assert (told["solved"], told["steps"]) == (True, 1)
    assert single.reset()[1]["number"] == 0  # none of its own was used up


def test_the_info_of_a_reset_names_the_level(single):
    for number in range(2):
        _, info = single.reset(seed=None if number else 7)
        assert set(info) == BEGUN
        assert (info["seed"], info["number"], info["index"]) == (7, number, number)
    fixed = PlayEnv("sokoban", levels=[PUSH, WALK])
    indices = [fixed.reset(seed=1 if i == 0 else None)[1] for i in range(2)]
    assert sorted(info["index"] for info in indices) == [0, 1]
    for info in indices:
        assert info["level"] == levelsmith.parse([PUSH, WALK][info["index"]], "sokoban")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"levl": PUSH}, "no option of a reset is called 'levl'; did you mean 'level'?"),
        ({"level": "pack.xsb"}, "expected a level of sokoban, or its text in rows, got 'pack.xsb'"),
        ({"level": 3}, "expected a level of sokoban, or its text in rows, got '3'"),
        ({"level": levelsmith.parse("^.\n..", "orchard")}, "expected a level of sokoban, got one of orchard"),
        ({"level": "####\n#@$#\n####"}, "this is no level of sokoban"),
        ({"level": "#" * 20 + "\n#@$." + "#" * 16 + "\n" + "#" * 20}, "of at most 7x7 cells, got 20x3"),
        (["level"], "expected the options of a reset by name, got a list"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(single, options, words):
    with pytest.raises(LevelsmithError) as caught:
        single.reset(options=options)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"level": PUSH}, "no option of a reset is called 'level'; did you mean 'levels'?"),
        ({"levels": PUSH}, "expected a list of 3 levels, one for each board to reset"),
        ({"levels": [PUSH]}, "expected a list of 3 levels, one for each board to reset, got 1"),
        ({"reset_mask": [True] * 3}, "expected a reset_mask of 3 bools in a numpy array"),
        ({"reset_mask": np.zeros(3, np.bool_)}, "at least one of them True"),
        ({"reset_mask": np.ones(2, np.bool_)}, "expected a reset_mask of 3 bools"),
    ],
)
def test_so_it_is_for_many_boards(boards, options, words):
    boards.reset(seed=0)
    with pytest.raises(LevelsmithError) as caught:
        boards.reset(options=options)
    assert words in str(caught.value)


def test_each_board_takes_a_level_of_its_own(boards):
    views, infos = boards.reset(seed=0, options={"levels": [PUSH, None, levelsmith.parse(WALK, "sokoban")]})
    assert infos["level"][0].text == PUSH
    assert infos["number"].tolist() == [None, 0, None]
    assert views[2, 1, 2] == 0
    _, rewards, terminated, _, infos = boards.step(np.array([3, 3, 3]))
    assert terminated.tolist()[0]
    assert rewards[0] == pytest.approx(10.9)
    assert infos["_solved"].tolist() == terminated.tolist()
    assert infos["solved"][0]
    assert infos["steps"][0] == 1
    _, _, _, _, infos = boards.step(np.array([3, 3, 3]))
    assert infos["number"][0] == 0  # the next one is the first of its own


def test_a_mask_resets_some_boards_and_leaves_the_others_as_they_are(boards):
    boards.reset(seed=4)
    with pytest.raises(LevelsmithError, match="the first reset is of all boards"):
        PlayVectorEnv("sokoban", 3, **SMALL).reset(options={"reset_mask": np.ones(3, np.bool_)})
    for _ in range(3):
        before, *_ = boards.step(np.array([0, 1, 2]))
    numbers = list(boards.table.numbers)
    views, infos = boards.reset(options={"reset_mask": np.array([False, True, False])})
    assert np.array_equal(views[[0, 2]], before[[0, 2]])
    assert np.array_equal(views[1], infos["level"][1].grid)
    assert infos["_level"].tolist() == [False, True, False]
    assert boards.table.numbers == [numbers[0], numbers[1] + 1, numbers[2]]
    views, infos = boards.reset(options={"reset_mask": np.array([True, False, False]), "levels": [PUSH]})
    assert infos["level"][0].text == PUSH


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_vector_does_what_gymnasiums_own_does(mode):
    options = {**SMALL, "max_steps": 7, "rewards": {"step": 0}}
    ours = gym.make_vec(
        "levelsmith/Sokoban-v0",
        num_envs=3,
        vectorization_mode="vector_entry_point",
        autoreset_mode=mode,
        **options,
    )
    theirs = SyncVectorEnv([lambda: PlayEnv("sokoban", **options)] * 3, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"] == AutoresetMode(mode)
    views, infos = ours.reset(seed=2)
    expected, told = theirs.reset(seed=2)
    rng = np.random.default_rng(0)
    ends = 0
    for _ in range(40):
        assert np.array_equal(views, expected)
        for name in BEGUN & set(told) - {"optimal", "difficulty"}:
            assert infos[f"_{name}"].tolist() == told[f"_{name}"].tolist()
            assert infos[name].tolist() == told[name].tolist(), name
        end, ended = infos.get("final_info", infos), told.get("final_info", told)
        if "return" in ended:
            ends += 1
            assert end["_return"].tolist() == ended["_return"].tolist()
            for name in ("return", "steps"):
                assert end[name][ended["_return"]].tolist() == ended[name][ended["_return"]].tolist()
        if "final_obs" in told:
            assert infos["_final_obs"].tolist() == told["_final_obs"].tolist()
            for mine, other in zip(infos["final_obs"], told["final_obs"], strict=True):
                assert np.array_equal(mine, other)
        actions = rng.integers(0, 4, 3)
        views, *rest, infos = ours.step(actions)
        expected, *others, told = theirs.step(actions)
        assert [each.tolist() for each in rest] == [each.tolist() for each in others]
    assert ends > 4
    ours.close()
    theirs.close()


def test_without_autoreset_a_board_that_ended_waits_for_its_reset(boards):
    env = PlayVectorEnv("sokoban", 2, **SMALL, max_steps=2, autoreset_mode="Disabled")
    env.reset(seed=0, options={"levels": [None, PUSH]})
    *_, terminated, truncated, infos = env.step(np.array([0, 3]))
    assert (terminated | truncated).tolist() == [False, True]
    assert infos["solved"].tolist() == [False, True]
    with pytest.raises(LevelsmithError, match="got board 1: reset it first"):
        env.step(np.array([0, 3]))
    _, infos = env.reset(options={"reset_mask": terminated | truncated})
    assert infos["number"][1] == 0
    *_, terminated, truncated, _ = env.step(np.array([0, 0]))
    assert truncated.tolist() == [True, False]
    env.close()
    with pytest.raises(
        LevelsmithError, match="no autoreset mode is called 'never'; expected one of: NextStep"
    ):
        PlayVectorEnv("sokoban", 2, **SMALL, autoreset_mode="never")


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_so_does_a_vector_that_designs(mode):
    options = {"size": (5, 6), "max_steps": 5}
    ours = DesignVectorEnv("binary", "narrow", 3, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv(
        [lambda: gym.make("levelsmith/Design-binary-narrow-v0", **options)] * 3, autoreset_mode=mode
    )
    views, _ = ours.reset(seed=2)
    expected, _ = theirs.reset(seed=2)
    rng = np.random.default_rng(0)
    for step in range(14):
        assert np.array_equal(views, expected)
        actions = rng.integers(0, 2, 3)
        views, *rest, infos = ours.step(actions)
        expected, *others, told = theirs.step(actions)
        assert [each.tolist() for each in rest] == [each.tolist() for each in others]
        assert infos["score"].tolist() == told["score"].tolist()
        assert ("final_obs" in infos) == ("final_obs" in told)
        if step == 4 and mode == "SameStep":
            assert infos["final_info"]["score"].tolist() == told["final_info"]["score"].tolist()
    before, after = ours.seen, ours.reset(options={"reset_mask": np.array([True, False, False])})[0]
    assert np.array_equal(before[1:], after[1:])
    assert not np.array_equal(before[0], after[0])
