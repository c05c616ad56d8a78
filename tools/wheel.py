"""Builds a wheel for each system that kernels are built for, with its libraries and no others.

Type `make wheel`. The libraries are those of `make kernels`; nothing is compiled here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).resolve().parent.parent
BUILT = "levelsmith/kernels/built/"
TAGS = {
    "linux-x86_64": "py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux-aarch64": "py3-none-manylinux2014_aarch64.musllinux_1_1_aarch64",
}


class Builder(WheelBuilder):
    """Builds the wheel for one system."""

    system: str

    def get_default_build_data(self) -> dict[str, object]:
        return {**super().get_default_build_data(), "pure_python": False, "tag": TAGS[self.system]}

    def recurse_included_files(self) -> Iterable[Any]:
        for file in super().recurse_included_files():
            folder = Path(file.distribution_path).as_posix().removeprefix(BUILT).partition("/")[0]
            system = next((name for name in TAGS if folder.startswith(name)), self.system)
            if system == self.system:
                yield file


def build(system: str, out: Path) -> Path:
    """Writes the wheel for a system."""
    builder = Builder(str(ROOT))
    builder.system = system
    (made,) = builder.build(directory=str(out), versions=["standard"])
    return Path(made)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tools/wheel.py FOLDER")
    for name in TAGS:
        print(build(name, Path(sys.argv[1]).absolute()))
