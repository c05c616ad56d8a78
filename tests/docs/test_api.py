"""Every public name is on the pages of the reference, and what they name is there."""

from __future__ import annotations

import ast
import re
from importlib import import_module

import pytest

import levelsmith
from docs.documents import DOCS, ROOT
from levelsmith import plugin

PAGES = {name: (DOCS / name).read_text(encoding="utf-8") for name in ("api.md", "plugin.md")}
TEXT = "\n".join(PAGES.values())
NAMED = re.findall(r"^\.\. (?:auto\w+|py:data):: (levelsmith\.[\w.]+)", TEXT, re.MULTILINE)
MODULES = ["levelsmith", *(f"levelsmith.{name}" for name in levelsmith._MODULES if name != "testing")]


def public(module):
    """The public names of a module: those of `__all__`, or what it hands on."""
    found = import_module(module)
    if module == "levelsmith.plugin":
        tree = ast.parse((ROOT / "src" / "levelsmith" / "plugin.py").read_text(encoding="utf-8"))
        names = [
            a.name for node in tree.body if isinstance(node, ast.ImportFrom) for a in node.names if a.asname
        ]
        return [*names, *plugin._HOMES]
    return [name for name in found.__all__ if name != "__version__"]


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_in_the_reference(module):
    names = public(module)
    assert names
    missing = [name for name in names if f"{module}.{name}" not in NAMED]
    assert missing == [], f"add them to docs/api.md or docs/plugin.md: {missing}"


@pytest.mark.parametrize("path", NAMED)
def test_what_the_reference_names_is_there_and_documented(path):
    module, name = path.rsplit(".", 1)
    found = getattr(import_module(module), name)
    assert not callable(found) or isinstance(found, type) or found.__doc__, f"{path} has no docstring"


def test_no_name_is_there_twice():
    assert sorted(set(NAMED)) == sorted(NAMED)
