"""Wheels by system: each has its own kernels and no others, and its first levels compile nothing."""

import os
import runpy
import tempfile
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.tags import sys_tags
from packaging.utils import parse_wheel_filename

from levelsmith.kernels.built import target

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "wheel.py"), run_name="wheel")
COLD = runpy.run_path(str(ROOT / "benchmarks" / "bench_cold.py"), run_name="cold")

SECONDS = 3.0  # of the processor, to any first level


@pytest.mark.parametrize("system", TOOL["TAGS"])
def test_it_has_the_libraries_of_its_system_and_no_others(tmp_path, system):
    path = TOOL["build"](system, tmp_path)
    wheel = zipfile.ZipFile(path)
    (pure,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    missing = set(zipfile.ZipFile(pure).namelist()) - set(wheel.namelist())
    other = next(name for name in TOOL["TAGS"] if name != system)
    assert {name.split("/")[3].removesuffix("-v3") for name in missing} == {other}
    assert f"levelsmith/kernels/built/{system}/sokoban-solver.so" in wheel.namelist()
    assert "levelsmith/kernels/built/manifest.json" in wheel.namelist()
    (about,) = (name for name in wheel.namelist() if name.endswith("/WHEEL"))
    assert "Root-Is-Purelib: false" in wheel.read(about).decode()
    assert path.stat().st_size < 10.5e6


def test_that_for_this_system_can_be_installed_here(tmp_path):
    if target() not in TOOL["TAGS"]:
        pytest.skip("no kernels are built for this system")
    tags = parse_wheel_filename(TOOL["build"](target(), tmp_path).name)[3]
    assert tags & set(sys_tags())
    assert "any" not in {tag.platform for tag in tags}


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """The command of a bare environment with the whole wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    return COLD["install"](TOOL["build"](target(), folder), folder / "bare")


@pytest.mark.slow
@pytest.mark.parametrize("what", COLD["REQUESTS"])
def test_a_first_level_compiles_nothing_and_comes_soon(command, what):
    taken = []
    for _ in range(2):  # the first time, Python compiles its modules
        before = os.times()
        with tempfile.TemporaryDirectory() as name:
            COLD["ask"](command, COLD["REQUESTS"][what], Path(name))
            assert COLD["kernels"](Path(name)) == 0
        after = os.times()
        taken.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    assert min(taken) < SECONDS
