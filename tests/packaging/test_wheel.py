"""The wheel and the source archive: built here, and the wheel used in a bare environment of its own."""

import json
import runpy
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COLD = runpy.run_path(str(ROOT / "benchmarks" / "bench_cold.py"), run_name="cold")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    source = tmp_path_factory.mktemp("source") / "levelsmith"
    ignored = shutil.ignore_patterns(".venv", ".git", "__pycache__", "_build", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, source, ignore=ignored)
    words = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(source)]
    subprocess.run(words, check=True, capture_output=True)
    return out


def test_the_wheel_holds_the_package_and_no_more(built):
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "levelsmith/py.typed" in names
    assert "levelsmith/presets/dense-orchard.toml" in names
    assert "levelsmith/studio/static/index.html" in names
    assert "levelsmith/games/skeleton/game.py.txt" in names
    assert "levelsmith/levels/formats/ldtk_project.json" in names
    assert "levelsmith/games/loderunner/levels/corpus.txt" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"levelsmith"}
    assert "-py3-none-any" in wheel.name
    assert {name.split("/")[3] for name in names if "kernels/built/" in name} >= {
        "manifest.json",
        "linux-aarch64",
        "linux-x86_64",
    }


def test_the_source_archive_holds_tests_and_licence(built):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.split("/", 1)[1] for name in opened.getnames() if "/" in name}
    assert {
        "LICENSE",
        "README.md",
        "tests/test_layers.py",
        "src/levelsmith/core.py",
        "pyproject.toml",
    } <= names


@pytest.mark.slow
def test_the_wheel_works_in_a_bare_environment(built, tmp_path):
    (wheel,) = built.glob("*.whl")
    levelsmith = COLD["install"](wheel, tmp_path / "bare")
    environment = COLD["clean"]()

    def run(*words):
        return subprocess.run(
            [levelsmith, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert run("--version").startswith("levelsmith ")
    run("generate", "orchard", "--seed", "1", "-o", "a.json")
    assert run("convert", "a.json", "-").startswith("; game: orchard\n")
    (tmp_path / "made").mkdir()
    writes = """
import levelsmith
for extension in ("png", "svg", "tmx", "tmj", "ldtk", "npz", "txt"):
    levelsmith.save(levelsmith.load("a.json"), f"made/a.{extension}")
"""
    subprocess.run([levelsmith.with_name("python"), "-c", writes], cwd=tmp_path, env=environment, check=True)
    level = json.loads(run("measure", "a.json", "--json"))
    for measured, expected in (("made", 5), ("made/a.png", 1), ("made/a.svg", 1)):
        found = [json.loads(line) for line in run("measure", measured, "--json").splitlines()]
        assert [{**one, "title": ""} for one in found] == expected * [level]
