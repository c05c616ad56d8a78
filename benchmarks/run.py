"""Runs every `bench_*.py` here, or those named, and prints a table; `make bench` calls it.

python benchmarks/run.py [NAME …] [--write]

A benchmark is a module with `measurements()`, which yields (what, figure, unit). Machines are noisy: a figure
that matters is a ratio of two measurements in the same run. With `--write` the figures replace older ones in
`results.json` beside this file, and all of them are written to `docs/benchmarks.md`.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

import numba
import numpy

import levelsmith
from levelsmith.kernels.device import missing

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
PAGE = HERE.parent / "docs" / "benchmarks.md"
HEAD = """# Benchmarks

What `make bench` measured, written by it. Machines differ and are noisy, so a figure that matters is a ratio
of two measurements in one run; the others say what to expect.
"""


def load(file: Path):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def machine() -> str:
    versions = f"levelsmith {levelsmith.__version__}, numba {numba.__version__}, numpy {numpy.__version__}"
    parts = [platform.machine(), f"{os.cpu_count()} cores", f"Python {platform.python_version()}", versions]
    if missing() is None:
        from levelsmith.kernels.gpu import device_name

        parts.append(device_name())
    return ", ".join(parts)


def main(names: list[str]) -> None:
    write = "--write" in names
    names = [name for name in names if name != "--write"]
    print(machine())
    for file in sorted(HERE.glob("bench_*.py")):
        name = file.stem.removeprefix("bench_")
        if names and name not in names:
            continue
        module = load(file)
        title = module.__doc__.splitlines()[0]
        print(f"\n{title}")
        rows = []
        for what, figure, unit in module.measurements():
            print(f"  {what:<58} {readable(figure):>12} {unit}", flush=True)
            rows.append([what, float(figure), unit])
        if write:
            keep(name, title, rows)


def keep(name: str, title: str, rows: list[list[object]]) -> None:
    """Notes the figures of one benchmark, and writes the page of all of them anew."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    day = datetime.now(UTC).date().isoformat()
    results[name] = {"title": title, "on": machine(), "day": day, "rows": rows}
    RESULTS.write_text(json.dumps(dict(sorted(results.items())), indent=1) + "\n")
    PAGE.write_text(page(results))


def readable(figure: float) -> str:
    """Four figures of a number, with commas instead of powers of ten."""
    return f"{figure:.4g}" if abs(figure) < 1000 else f"{float(f'{figure:.4g}'):,.0f}"


def page(results: dict[str, dict]) -> str:
    parts = [HEAD]
    for name, kept in sorted(results.items()):
        rows = "\n".join(f"| {what} | {readable(figure)} {unit} |" for what, figure, unit in kept["rows"])
        title, how = kept["title"].rstrip("."), f"`python benchmarks/run.py {name}`"
        parts.append(f"## {title}\n\n{how}, {kept['day']}, {kept['on']}\n\n| | |\n|---|---|\n{rows}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    main(sys.argv[1:])
