"""What levelsmith needs: versions that were tried, and no compiler where kernels are built."""

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


def test_linux_needs_no_compiler():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (numba,) = (one for one in map(Requirement, project["dependencies"]) if one.name == "numba")
    for machine in ("x86_64", "aarch64"):
        assert not numba.marker.evaluate({"sys_platform": "linux", "platform_machine": machine})
    assert numba.marker.evaluate({"sys_platform": "linux", "platform_machine": "riscv64"})
    assert numba.marker.evaluate({"sys_platform": "darwin", "platform_machine": "arm64"})
