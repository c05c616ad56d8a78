"""What levelsmith needs: versions that were tried, and no others of what it builds on from inside."""

import runpy
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
PINNED = runpy.run_path(str(ROOT / "tools" / "hashes.py"), run_name="hashes")["pinned"]()


def needed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {one.name: one.specifier for one in map(Requirement, project["dependencies"])}


def test_the_versions_that_are_tested_are_among_those_that_are_let_in():
    assert [name for name, versions in needed().items() if PINNED[name] not in versions] == []


def test_a_numba_newer_than_the_tested_one_is_not_let_in():
    """Its private classes are subclassed, and any version may change them."""
    major, minor, _ = map(int, PINNED["numba"].split("."))
    assert f"{major}.{minor + 1}.0" not in needed()["numba"]
