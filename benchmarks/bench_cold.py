"""Cold starts: seconds to the first level with an empty cache, the slowest of three tries.

`LEVELSMITH_WHEEL=dist/NAME.whl python benchmarks/run.py cold` also measures a wheel, in an environment of its
own; `make wheel` builds one. With `LEVELSMITH_PYTHONS='python3.12 python3.13'` as well, it installs the wheel
in an environment of each of these, with what it needs from the package index and nothing else.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from urllib.request import Request, urlopen

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from levelsmith.kernels import cache

WHEEL = "LEVELSMITH_WHEEL"
PYTHONS = "LEVELSMITH_PYTHONS"  # commands, with blanks between
TRIES = 3
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


def ask_studio(command: Path, seed: int) -> tuple[float, float]:
    """Returns the seconds until a new studio answers, and those from asking it for a hard Sokoban level until
    there is one to see, finished or not."""
    with tempfile.TemporaryDirectory() as name:
        settings = {**clean(), "HOME": name, cache.VARIABLE: name}
        words = ["studio", "--no-browser", "--port", "0", "--store", f"{name}/studio.db"]
        started = time.perf_counter()
        with subprocess.Popen([command, *words], env=settings, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                address, token = re.findall(r"(http://\S+/)\?token=(\S+)", process.stdout.readline())[0]
                headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
                job = {"game": "sokoban", "seconds": 20, "want": {"difficulty": "hard"}, "seed": seed}
                asked = time.perf_counter()
                with urlopen(Request(f"{address}api/jobs", json.dumps(job).encode(), headers)) as answer:
                    number = json.load(answer)["id"]
                with urlopen(Request(f"{address}api/jobs/{number}/events", headers=headers)) as events:
                    seen = next(line for line in events if line.startswith(b"data:") and b'"text"' in line)
                assert seen
                return asked - started, time.perf_counter() - asked
            finally:
                process.send_signal(signal.SIGINT)


def kernels(folder: Path) -> int:
    """Returns how many kernels were compiled into a folder."""
    return len(list(folder.glob("*/kernels/*/**/*.nbi")))


def first_level(command: Path, request: str) -> tuple[float, int]:
    """Returns the seconds to a first level, the slowest of some, and the most kernels compiled for one."""
    seconds, compiled = [], []
    for _ in range(TRIES):
        with tempfile.TemporaryDirectory() as name:
            seconds.append(ask(command, request, Path(name)))
            compiled.append(kernels(Path(name)))
    return max(seconds), max(compiled)


def measured(command: Path, name: str) -> Iterator[tuple[str, float, str]]:
    """Yields the slowest first level of each request, and last how many kernels all of them compiled."""
    subprocess.run([command, "list", "games"], check=True, capture_output=True)  # Python compiles its modules
    total = 0
    for what, request in REQUESTS.items():
        seconds, compiled = first_level(command, request)
        yield f"{what}{name}", seconds, "s"
        total += compiled
    yield f"compiled for all of these{name}", total, "kernels"
    begun, seen = zip(*(ask_studio(command, seed) for seed in range(TRIES)), strict=True)
    yield f"the studio begins{name}", max(begun), "s"
    yield f"a hard Sokoban level to see there{name}", max(seen), "s"


def fetched(wheel: Path, python: str, folder: Path) -> Path:
    """Installs a wheel and what it needs in a new environment of a Python; returns its command."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    pip = [folder / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--no-compile", wheel], check=True)
    subprocess.run([*pip, "uninstall", "--yes", "pip", "setuptools"], check=True)
    return folder / "bin" / "levelsmith"


def megabytes(folder: Path) -> float:
    files = (file for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    return sum(file.stat().st_size for file in files) / 1e6


def measurements() -> Iterator[tuple[str, float, str]]:
    yield from measured(Path(sys.executable).with_name("levelsmith"), "")
    if not (wheel := os.environ.get(WHEEL)):
        return
    with tempfile.TemporaryDirectory() as folder:
        yield from measured(install(Path(wheel).absolute(), Path(folder)), ", wheel")
    for python in os.environ.get(PYTHONS, "").split():
        with tempfile.TemporaryDirectory() as folder:
            command = fetched(Path(wheel).absolute(), python, Path(folder))
            version = subprocess.check_output([python, "--version"], text=True).split()[1]
            yield f"the environment, Python {version}", megabytes(Path(folder)), "MB"
            yield from measured(command, f", Python {version}")
