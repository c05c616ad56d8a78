"""Gymnasium knows the environments once both packages are imported, in whichever order."""

import gymnasium as gym
import pytest

from levelsmith.registry import games

MADE = "print('levelsmith/Sokoban-v0' in gymnasium.registry, 'levelsmith/Design-orchard-wide-v0' in gymnasium.registry)"


@pytest.mark.parametrize("imports", ["import gymnasium, levelsmith", "import levelsmith, gymnasium"])
def test_both_orders_of_imports_register(python, imports):
    assert python(f"{imports}\n{MADE}") == "True True\n"


def test_every_game_can_be_designed_in_three_ways():
    for game in games:
        for representation in ("narrow", "turtle", "wide"):
            assert f"levelsmith/Design-{game}-{representation}-v0" in gym.registry


def test_the_import_of_other_packages_is_left_alone(python):
    assert python("import levelsmith, json, sys; print(len(sys.meta_path))\nimport gymnasium\nprint(len(sys.meta_path))")
