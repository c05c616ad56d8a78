"""The wheel with compiled kernels: it adds these and nothing else, and its first levels compile nothing."""

import os
import runpy
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.tags import sys_tags
from packaging.utils import parse_wheel_filename

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "wheel.py"), run_name="wheel")
COLD = runpy.run_path(str(ROOT / "benchmarks" / "bench_cold.py"), run_name="cold")
OWN = Path(sys.executable).with_name("levelsmith")

SECONDS = 3.0  # of the processor, to any first level
ENTRY = "0123456789abcdef/climb-0123456789abcdef01234567"


def build_small(folder):
    """Builds the wheel with one entry that is no code."""
    entry = folder / "compiled" / ENTRY
    entry.parent.mkdir(parents=True)
    entry.write_bytes(b"code")
    return TOOL["build"](folder / "compiled", folder)


def test_it_adds_compiled_code_to_the_package_and_nothing_else(tmp_path):
    wheel = zipfile.ZipFile(build_small(tmp_path))
    (pure,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    added = set(wheel.namelist()) - set(zipfile.ZipFile(pure).namelist())
    assert added == {f"levelsmith/kernels/compiled/{ENTRY}"}
    (about,) = (name for name in wheel.namelist() if name.endswith("/WHEEL"))
    assert "Root-Is-Purelib: false" in wheel.read(about).decode()


def test_it_is_for_this_python_on_systems_like_this_one(tmp_path):
    tags = parse_wheel_filename(build_small(tmp_path).name)[3]
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    assert {(tag.interpreter, tag.abi) for tag in tags} == {(python, python)}
    assert tags & set(sys_tags())
    assert "any" not in {tag.platform for tag in tags}


def test_its_tag_is_that_of_numbas_wheel():
    told = "Tag: cp312-cp312-manylinux_2_27_x86_64\nTag: cp312-cp312-manylinux_2_28_x86_64\n"
    assert TOOL["wheel_tag"](told) == "cp312-cp312-manylinux_2_27_x86_64.manylinux_2_28_x86_64"
    assert TOOL["wheel_tag"]("Tag: cp313-cp313-win_amd64") == "cp313-cp313-win_amd64"
    with pytest.raises(SystemExit, match="expected numba installed from a wheel"):
        TOOL["wheel_tag"]("")


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """The command of a bare environment with the whole wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    TOOL["main"](folder)
    (wheel,) = folder.glob("*.whl")
    assert wheel.stat().st_size < 20e6
    return COLD["install"](wheel, folder / "bare")


@pytest.mark.slow
@pytest.mark.parametrize("what", COLD["REQUESTS"])
def test_a_first_level_compiles_nothing_and_comes_soon(command, what):
    taken = []
    for _ in range(2):  # the first time, Python compiles its modules
        before = os.times()
        with tempfile.TemporaryDirectory() as name:
            COLD["ask"](command, COLD["REQUESTS"][what], Path(name), "compiled")
            assert COLD["kernels"](Path(name)) == 0
        after = os.times()
        taken.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    assert min(taken) < SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("what", [name for name, words in COLD["REQUESTS"].items() if "generate" in words])
def test_its_levels_are_those_of_code_compiled_for_this_machine(command, tmp_path, what):
    for name, which in (("wheel", command), ("own", OWN)):
        words = [which, *COLD["REQUESTS"][what].split(), "-o", tmp_path / f"{name}.txt"]
        environment = {**COLD["clean"](), **({"LEVELSMITH_CACHE": str(tmp_path)} if name == "wheel" else {})}
        subprocess.run(words, check=True, capture_output=True, env=environment)
    assert (tmp_path / "wheel.txt").read_bytes() == (tmp_path / "own.txt").read_bytes()
