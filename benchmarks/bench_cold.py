"""Cold starts: seconds to the first level with an empty cache, and how many kernels numba compiles for it.

`LEVELSMITH_WHEEL=dist/NAME.whl python benchmarks/run.py cold` also measures a wheel, in an environment of its
own; `make wheel` builds one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from levelsmith.kernels import cache

WHEEL = "LEVELSMITH_WHEEL"
LEVEL = "######\n#@ $.#\n# $ .#\n#    #\n######\n"
REQUESTS = {
    "Sokoban": "generate sokoban --seed 1",
    "hard Sokoban": "generate sokoban --difficulty hard --seed 1",
    "Lode Runner": "generate loderunner --seed 0",
    "Lode Runner, constructed": "generate loderunner --search construct --seed 1",
    "a Sokoban level solved": "solve level.xsb",
    "cave": "generate binary --seed 1",
    "Kartal's preset": "generate sokoban --preset kartal2016 --evaluations 1k --seed 1",
    "Koczorowski's preset": "generate sokoban --preset koczorowski2023 --evaluations 1k --seed 1",
    "FDG'20's preset": "generate binary --preset fdg20 --evaluations 1k --seed 1",
    "Thakkar's preset": "generate loderunner --preset thakkar2019 --evaluations 100 --seed 1",
    "PuzzleScript": "generate puzzlescript:crates --seed 1",
    "a PuzzleScript level solved": "solve puzzlescript:crates#1",
}


def install(wheel: Path, folder: Path) -> Path:
    """Makes an environment with a wheel and links to what it needs, and nothing else; returns its command."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    paths = sysconfig.get_paths("venv", {"base": str(folder), "platbase": str(folder)})
    for name in needed("levelsmith"):
        files = metadata.distribution(name)
        for top in {file.parts[0] for file in files.files or ()} - {"..", "__pycache__"}:
            Path(paths["purelib"], top).symlink_to(str(files.locate_file(top)))
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", Path(paths["scripts"]) / "python"]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", wheel], check=True, env=clean())
    subprocess.run([*pip, "check"], check=True, env=clean())
    return Path(paths["scripts"]) / "levelsmith"


def needed(name: str) -> set[str]:
    """Returns the distributions that one needs without its extras, and those that they need."""
    found: set[str] = set()
    for text in metadata.requires(name) or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            found |= {canonicalize_name(requirement.name)} | needed(requirement.name)
    return found


def clean() -> dict[str, str]:
    """Returns this process's variables without those that lead Python elsewhere or keep it slow."""
    unwanted = ("PYTHONPATH", "PIP_INDEX_URL", "PYTHONDONTWRITEBYTECODE")
    return {name: value for name, value in os.environ.items() if name not in unwanted}


def ask(command: Path, request: str, folder: Path) -> float:
    """Returns the seconds that a request takes with what is compiled in a folder."""
    (folder / "level.xsb").write_text(LEVEL)
    settings = {cache.VARIABLE: str(folder)}
    started = time.perf_counter()
    subprocess.run(
        [command, *request.split()], cwd=folder, env={**clean(), **settings}, check=True, capture_output=True
    )
    return time.perf_counter() - started


def kernels(folder: Path) -> int:
    """Returns how many kernels were compiled into a folder."""
    return len(list(folder.glob("*/kernels/*/**/*.nbi")))


def first_level(command: Path, request: str) -> tuple[float, int]:
    """Returns the seconds to a first level, and the kernels compiled for it."""
    with tempfile.TemporaryDirectory() as name:
        return ask(command, request, Path(name)), kernels(Path(name))


def measured(command: Path, name: str) -> Iterator[tuple[str, float, str]]:
    subprocess.run([command, "list", "games"], check=True, capture_output=True)  # Python compiles its modules
    for what, request in REQUESTS.items():
        seconds, compiled = first_level(command, request)
        yield f"{what}{name}", seconds, "s"
        yield f"{what}{name}, compiled", compiled, "kernels"


def measurements() -> Iterator[tuple[str, float, str]]:
    yield from measured(Path(sys.executable).with_name("levelsmith"), "")
    if wheel := os.environ.get(WHEEL):
        with tempfile.TemporaryDirectory() as folder:
            yield from measured(install(Path(wheel).absolute(), Path(folder)), ", wheel")
