"""The package's public names load on first use and importing it costs next to nothing."""

from __future__ import annotations

import json
import re

import pytest

import levelsmith

LOADED = """
import json, sys
import levelsmith
dir(levelsmith)
heavy = ("numpy", "numba", "PIL", "click", "rich", "starlette", "gymnasium")
print(json.dumps([name for name in heavy if name in sys.modules]))
levelsmith.Level
print(json.dumps([name for name in heavy if name in sys.modules]))
"""


@pytest.mark.parametrize("name", levelsmith.__all__)
def test_a_public_name_resolves(name):
    assert getattr(levelsmith, name) is not None
    assert name in dir(levelsmith)


def test_the_table_of_homes_and_the_list_of_names_agree():
    assert sorted(levelsmith.__all__) == sorted(["__version__", *levelsmith._HOMES])


def test_importing_the_package_loads_nothing_heavy(python):
    before, after = map(json.loads, python(LOADED, fresh=True).splitlines())
    assert before == []
    assert after == ["numpy"]  # a level is an array, but nothing is compiled for it


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'generator'"):
        _ = levelsmith.generator
    assert not hasattr(levelsmith, "generator")


def test_the_version_is_three_numbers():
    assert re.fullmatch(r"\d+\.\d+\.\d+", levelsmith.__version__)


def test_everything_can_be_taken_at_once():
    names: dict[str, object] = {}
    exec("from levelsmith import *", names)
    assert set(levelsmith.__all__) <= set(names)
