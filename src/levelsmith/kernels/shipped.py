"""Compiled code that a wheel brings along, for any processor of its kind: a first start compiles nothing.

`tools/wheel.py` writes it and nothing does so at run time. It is as trusted as the sources beside it; its
digest tells damage. What does not fit, by its name, is not looked at.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import NamedTuple

from levelsmith.kernels.cache import digested, undigested

FOLDER = Path(__file__).resolve().parent / "compiled"


class Baseline(NamedTuple):
    """What all processors of a kind have in common: LLVM's name for it, and features that tell them."""

    name: str
    features: frozenset[str]


ARM = Baseline("generic", frozenset({"+neon"}))
BASELINES = {
    "x86_64": Baseline("x86-64-v2", frozenset({"+cx16", "+popcnt", "+sse4.2"})),  # since about 2009
    "aarch64": ARM,
    "arm64": ARM,  # the same by its name on macOS
}


def architecture(triple: str) -> str:
    """Returns the first word of LLVM's name of a system."""
    return triple.partition("-")[0]


def baseline(machine: tuple[str, str, str]) -> tuple[str, str, str] | None:
    """Returns the machine whose code runs on this one too, each as LLVM's triple, processor and features."""
    triple, _, features = machine
    found = BASELINES.get(architecture(triple))
    if found is None or not found.features <= set(features.split(",")):
        return None
    return triple, found.name, ""


def read_shipped(path: Path) -> bytes | None:
    """Returns an entry that came with the wheel; None where there is none or it is damaged."""
    try:
        packed = undigested(path.read_bytes())
        return None if packed is None else zlib.decompress(packed)
    except (OSError, zlib.error):
        return None


def write_shipped(path: Path, data: bytes) -> None:
    """Writes an entry for the wheel."""
    path.write_bytes(digested(zlib.compress(data, 9)))
