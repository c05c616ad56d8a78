"""Cold starts: seconds to the first level and kernels compiled on the way, each with an empty cache.

`LEVELSMITH_WHEEL=dist/NAME.whl python benchmarks/run.py cold` also measures a wheel, in an environment of its
own; `make wheel` builds the one that needs no compiling.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from levelsmith.kernels.cache import VARIABLE

WHEEL = "LEVELSMITH_WHEEL"
WHEELS = Path(sys.prefix) / "wheels"  # the base install's wheels, which `make setup` keeps
LEVEL = "######\n#@ $.#\n# $ .#\n#    #\n######\n"
REQUESTS = {
    "Sokoban": "generate sokoban --seed 1",
    "hard Sokoban": "generate sokoban --difficulty hard --seed 1",
    "Lode Runner": "generate loderunner --seed 1",
    "Lode Runner, constructed": "generate loderunner --search construct --seed 1",
    "a Sokoban level solved": "solve level.xsb",
    "cave": "generate binary --seed 1",
}


def install(wheel: Path, folder: Path) -> Path:
    """Makes an environment with a wheel and what it needs, and nothing else; returns its command."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    where = "Scripts" if sys.platform == "win32" else "bin"
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", folder / where / "python", "install", wheel]
    kept = ["--no-index", "--find-links", WHEELS] if WHEELS.is_dir() else []
    subprocess.run([*pip, *kept], check=True, env=clean())
    return folder / where / "levelsmith"


def clean() -> dict[str, str]:
    """Returns this process's variables without those that lead Python elsewhere or keep it slow."""
    unwanted = ("PYTHONPATH", "PIP_INDEX_URL", "PYTHONDONTWRITEBYTECODE")
    return {name: value for name, value in os.environ.items() if name not in unwanted}


def first_level(command: Path, request: str) -> tuple[float, int]:
    """Returns the seconds that a request takes with an empty cache, and how many kernels were compiled."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "level.xsb").write_text(LEVEL)
        started = time.perf_counter()
        subprocess.run(
            [command, *request.split()],
            cwd=folder,
            env={**clean(), VARIABLE: folder},
            check=True,
            capture_output=True,
        )
        taken = time.perf_counter() - started
        found = Path(folder).glob("*/kernels/*/*-*")
        return taken, sum(path.suffix != ".lock" for path in found)


def measured(command: Path, name: str) -> Iterator[tuple[str, float, str]]:
    first_level(command, "--version")  # Python compiles its modules once
    for what, request in REQUESTS.items():
        seconds, kernels = first_level(command, request)
        yield f"{what}{name}: seconds", seconds, "s"
        yield f"{what}{name}: compiled", kernels, "kernels"


def measurements() -> Iterator[tuple[str, float, str]]:
    yield from measured(Path(sys.executable).with_name("levelsmith"), "")
    if wheel := os.environ.get(WHEEL):
        with tempfile.TemporaryDirectory() as folder:
            yield from measured(install(Path(wheel).absolute(), Path(folder)), ", wheel")
