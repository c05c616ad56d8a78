"""Splits share nothing up to symmetry, whatever the order; shares are what was asked for."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

import levelsmith
import levelsmith.envs
from levelsmith.errors import LevelsmithError
from levelsmith.levels.splits import Allowed, Splits, canonical_keys, split

LEVEL = "#######\n#@ $ .#\n#  #  #\n#######"
ALIKE = {
    "the player elsewhere in its room": "#######\n#  $ .#\n# @#  #\n#######",
    "in a larger wall": "########\n########\n##@ $ .#\n##  #  #\n########\n########",
    "floor outside": "       \n#######\n#@ $ .#\n#  #  #\n#######",
    "a hollow in the wall": "##########\n#@ $ .## #\n#  #  ####\n##########",
}
ONE_BOX = {"size": (5, 5), "boxes": 1, "pushes": (1, 12), "optimal": False}


def sokoban(text):
    return levelsmith.parse(text, game="sokoban")


def images(level):
    grids = [np.rot90(side, k) for side in (level.grid, level.grid[:, ::-1]) for k in range(4)]
    return [levelsmith.Level(level.game, level.tiles, grid) for grid in grids]


@pytest.mark.parametrize("what", ALIKE)
def test_levels_that_play_the_same_have_the_same_key(what):
    level = sokoban(LEVEL)
    keys = canonical_keys([*images(level), *images(sokoban(ALIKE[what]))])
    assert len(set(keys.tolist())) == 1


def test_levels_that_differ_have_other_keys():
    texts = [LEVEL, LEVEL.replace("#  #  #", "#     #"), LEVEL.replace("$ .", " $."), LEVEL.replace(".", "*")]
    across = LEVEL.replace("@ $", " $@")  # the player in another room
    assert len(set(canonical_keys([sokoban(text) for text in [*texts, across]]).tolist())) == 5


def test_any_game_has_keys_that_turning_and_mirroring_leave_as_they_are():
    one, other = (levelsmith.parse(text, game="orchard") for text in ("^..\n.^.", "^..\n..^"))
    assert len(set(canonical_keys(images(one)).tolist())) == 1
    assert canonical_keys([one]) != canonical_keys([other])


def test_shares_are_as_asked_for_and_do_not_depend_on_the_order():
    keys = np.arange(200_000, dtype=np.uint64)  # as uneven as keys can be
    splits = Splits.of((0.9, 0.05, 0.05))
    parts = splits.parts(keys)
    shares = np.bincount(parts) / len(parts)
    assert shares == pytest.approx([0.9, 0.05, 0.05], abs=0.003)
    assert np.array_equal(splits.parts(keys[::-1]), parts[::-1])
    assert np.array_equal(Splits.of({"a": 90, "b": 10}).parts(keys) == 0, parts == 0)


def test_a_set_is_split_by_what_its_levels_are():
    levels = [
        levelsmith.parse(f"{i:06b}".replace("0", ".").replace("1", "^"), game="orchard") for i in range(64)
    ]
    parts = split(levels, (0.5, 0.25, 0.25))
    assert sum(map(len, parts.values())) == 64
    assert all(len(part) > 4 for part in parts.values())
    found = {name: set(canonical_keys(part).tolist()) for name, part in parts.items()}
    assert not found["train"] & found["test"]
    assert not found["train"] & found["validation"]
    assert split(levels[::-1], (0.5, 0.25, 0.25))["test"] == parts["test"][::-1]


def played(count, seed, **options):
    """The levels that an environment plays, a set of so many."""
    env = gym.make("levelsmith/Sokoban-v0", count=count, level_seed=seed, **ONE_BOX, **options)
    found = [env.reset(seed=0 if i == 0 else None)[1]["level"] for i in range(count)]
    env.close()
    return found


def test_environments_of_two_splits_share_nothing_where_those_of_two_seeds_do():
    levelsmith.envs.register()
    keys = [set(canonical_keys(played(150, seed)).tolist()) for seed in (0, 1)]
    assert keys[0] & keys[1]
    train = played(150, 0, splits=(0.6, 0.4), split="train")
    test = played(60, 1, splits=(0.6, 0.4), split="test")
    assert not set(canonical_keys(train).tolist()) & set(canonical_keys(test).tolist())
    others = played(60, 1, unlike=train)
    assert not set(canonical_keys(others).tolist()) & set(canonical_keys(train).tolist())


def test_fresh_levels_and_files_keep_to_the_split_too():
    levelsmith.envs.register()
    env = gym.make("levelsmith/Sokoban-v0", **ONE_BOX, splits=(0.5, 0.5), split="test")
    test = [env.reset(seed=3 if i == 0 else None)[1]["level"] for i in range(12)]
    env.close()
    allowed = Allowed((0.5, 0.5), "test")
    assert allowed(test).all()
    levels = played(40, 5)
    env = gym.make("levelsmith/Sokoban-v0", levels=levels, splits=(0.5, 0.5), split="test")
    found = {env.reset(seed=3 if i == 0 else None)[1]["level"] for i in range(40)}
    assert found == {level for level, good in zip(levels, allowed(levels), strict=True) if good}
    assert 0 < len(found) < 40


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            {"splits": (0.9, 0.2)},
            "shares of splits that add up to 1 or 100, such as 90, 5 and 5, got 0.9, 0.2",
        ),
        ({"splits": (0.5, -0.5, 1.0)}, "add up to 1"),
        ({"splits": (0.1,) * 10}, "three shares at most, or names with shares"),
        ({"splits": "train"}, "add up to 1"),
        ({"splits": (0.9, "a")}, "expected a number as the share of a split"),
        ({"splits": (0.9, 0.1), "split": "tset"}, "did you mean 'test'"),
        ({"splits": (0.9, 0.1)}, "say which split: split='train'"),
    ],
)
def test_what_is_no_split_is_refused(wrong, said):
    with pytest.raises(LevelsmithError, match=None) as error:
        Allowed(**wrong)
    assert said in str(error.value)


def test_a_split_that_leaves_nothing_is_said():
    levelsmith.envs.register()
    level = sokoban(LEVEL)
    with pytest.raises(LevelsmithError, match="got none of 1 that may appear"):
        gym.make("levelsmith/Sokoban-v0", levels=level, unlike=images(level)[3])
