"""Gymnasium knows the environments once both packages are imported, in whichever order."""

import gymnasium as gym
import pytest

from levelsmith.registry import games

NAMES = ("levelsmith/Sokoban-v0", "levelsmith/Design-orchard-wide-v0")


@pytest.mark.parametrize("imports", ["import gymnasium, levelsmith", "import levelsmith, gymnasium"])
def test_both_orders_of_imports_register(python, imports):
    assert python(f"{imports}\nprint(set({NAMES}) <= set(gymnasium.registry))") == "True\n"


def test_every_game_can_be_designed_in_three_ways():
    for game in games:
        for representation in ("narrow", "turtle", "wide"):
            assert f"levelsmith/Design-{game}-{representation}-v0" in gym.registry


def test_what_watches_the_imports_goes_once_gymnasium_is_there(python):
    count = "print(len(sys.meta_path))\n"
    told = python(f"import sys\n{count}import levelsmith, json\n{count}import gymnasium\n{count}").split()
    before, between, after = map(int, told)
    assert (between, after) == (before + 1, before)
