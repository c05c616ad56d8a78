"""Runs every `bench_*.py` here, or those named, and prints a table; `make bench` calls it.

A benchmark is a module with `measurements()`, which yields (what, figure, unit). Machines are noisy: a figure
that matters is a ratio of two measurements in the same run.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from pathlib import Path

import numba
import numpy

import levelsmith

HERE = Path(__file__).parent


def load(file: Path):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(names: list[str]) -> None:
    versions = f"levelsmith {levelsmith.__version__}, numba {numba.__version__}, numpy {numpy.__version__}"
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {versions}")
    for file in sorted(HERE.glob("bench_*.py")):
        if names and file.stem.removeprefix("bench_") not in names:
            continue
        module = load(file)
        print(f"\n{module.__doc__.splitlines()[0]}")
        for what, figure, unit in module.measurements():
            print(f"  {what:<58} {figure:>12,.4g} {unit}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
