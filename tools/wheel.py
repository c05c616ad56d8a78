"""Builds the wheel that needs no compiling: the package, its kernels compiled for any processor of a kind.

Type `make wheel`. What people ask for first is asked for here, in processes that compile for the baseline of
this architecture. What they compile goes into the wheel, under the names by which `levelsmith.kernels` finds
it. That takes minutes.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import distribution
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder
from llvmlite.binding import get_process_triple

from levelsmith.kernels import cache, cold
from levelsmith.kernels.shipped import BASELINES, architecture, write_shipped
from levelsmith.kernels.sources import source_hash

ROOT = Path(__file__).resolve().parent.parent
PLACE = "levelsmith/kernels/compiled"

# What comes first on a fresh machine; what comes after reads the files that these write.
FIRST = """
generate binary -o binary.json
generate binary --search hc
generate sokoban -o sokoban.xsb
generate sokoban --difficulty hard
generate loderunner -o loderunner.json
generate loderunner --search construct -o built.json
generate orchard -o orchard.json
demo demo
"""
# A small budget compiles as much as a large one.
OTHERS = """
solve sokoban.xsb
solve loderunner.json
solve built.json
solve puzzlescript:crates
measure binary.json --json
measure sokoban.xsb --json
measure loderunner.json --json
measure orchard.json --json
improve sokoban.xsb --evaluations 100
repair binary.json
repair loderunner.json
generate sokoban --preset boxoban
generate sokoban --preset boxoban --difficulty hard
generate sokoban --preset aiide2016 --evaluations 1k
generate sokoban --preset kartal2016 --evaluations 1k
generate sokoban --preset koczorowski2023 --evaluations 1k
generate sokoban --size 7x7 --boxes 3 --pushes 10..30
generate sokoban --size 5x5 --objective pushes --evaluations 1k
generate sokoban --size 9x9 --evaluations 1k
generate sokoban --size 9x9 --boxes 3 --pushes 10..30
generate loderunner --preset thakkar2019 --evaluations 1k
generate loderunner --size 16x12 --evaluations 1k
generate binary --preset fdg20 --evaluations 1k
generate binary --preset arxiv19 --evaluations 1k
generate binary --search hc --size 8x8 --evaluations 1k
generate binary --search hc --size 20x15 --evaluations 1k
generate orchard --preset dense-orchard
"""
PLAY = """
import gymnasium, levelsmith
for name in ("levelsmith/Sokoban-v0", "levelsmith/LodeRunner-v0"):
    env = gymnasium.make(name)
    env.reset(seed=1)
    env.unwrapped.action_masks()
    env.step(env.action_space.sample())
    env.close()
from levelsmith.games.sokoban.solver.solve import compile_macro, compile_order
compile_order()  # what `solve --any` needs besides, and large levels
compile_macro()
"""


class Builder(WheelBuilder):
    """Builds the wheel with a folder of compiled code, for the systems that its compiler's wheel is for."""

    compiled: Path

    def get_default_build_data(self) -> dict[str, object]:
        return {
            **super().get_default_build_data(),
            "pure_python": False,
            "tag": wheel_tag(distribution("numba").read_text("WHEEL") or ""),
            "force_include": {str(self.compiled): PLACE},
        }


def wheel_tag(told: str) -> str:
    """Returns the tag for a wheel whose code runs wherever numba does, from what numba's own wheel tells."""
    tags = [line.removeprefix("Tag: ") for line in told.splitlines() if line.startswith("Tag: ")]
    start = {tag.rpartition("-")[0] for tag in tags}
    if len(start) != 1:
        sys.exit("wheel: expected numba installed from a wheel for one Python, got none")
    return f"{start.pop()}-{'.'.join(tag.rpartition('-')[2] for tag in tags)}"


def baseline_settings() -> dict[str, str]:
    """Returns variables of a process that compiles for every processor of this architecture."""
    name = architecture(get_process_triple())
    if name not in BASELINES:
        sys.exit(f"wheel: expected a processor of {', '.join(BASELINES)}, got {name}")
    return {"NUMBA_CPU_NAME": BASELINES[name].name, "NUMBA_CPU_FEATURES": ""}


def compile_all(folder: Path) -> Path:
    """Asks for everything, and returns the folder of what was compiled for it."""
    settings = {**baseline_settings(), cache.VARIABLE: str(folder), cold.VARIABLE: "compiled"}
    settings["PYTHONPATH"] = str(ROOT / "src")
    options = {"cwd": folder, "env": {**os.environ, **settings}, "capture_output": True, "text": True}

    def run(words: list[str]) -> None:
        done = subprocess.run([sys.executable, *words], **options)
        if done.returncode:
            sys.exit(f"wheel: {shlex.join(words)} failed: {done.stderr.strip()}")

    for requests in (FIRST, OTHERS):
        lines = [["-m", "levelsmith", *shlex.split(line)] for line in requests.strip().splitlines()]
        lines = [line + ["--seed", "1"] * ("generate" in line) for line in lines]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(run, lines))
    run(["-c", PLAY])
    return folder / cache.OWN / "kernels" / source_hash(False)


def pack(entries: Path, into: Path) -> None:
    """Writes the entries of a folder of the cache for the wheel, into a folder of the same name."""
    folder = into / entries.name
    folder.mkdir(parents=True)
    for path in sorted(entries.iterdir()):
        data = cache.read_entry(path)
        if data:  # else a lock or the mark
            write_shipped(folder / path.name, data)


def build(compiled: Path, out: Path) -> Path:
    """Writes the wheel with that folder of compiled code."""
    builder = Builder(str(ROOT))
    builder.compiled = compiled
    (made,) = builder.build(directory=str(out), versions=["standard"])
    return Path(made)


def main(out: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "cache").mkdir()
        pack(compile_all(work / "cache"), work / "compiled")
        print(build(work / "compiled", out))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tools/wheel.py FOLDER")
    main(Path(sys.argv[1]).absolute())
