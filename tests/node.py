"""Runs kernels as WebAssembly in node: each call copies its memory there and back.

`python tests/node.py PROGRAM [ARGUMENTS]` runs a program so, and prints how many calls node answered.
"""

from __future__ import annotations

import ctypes
import json
import runpy
import shutil
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from levelsmith.kernels import built
from levelsmith.kernels.signature import NONE, Number, described, leaves, parsed
from levelsmith.search import tree

SCRATCH = 4096  # bytes for what a kernel returns, as in node.js
calls: Counter[str] = Counter()  # answered, by kernel


class Node:
    """A process that keeps the libraries it has loaded."""

    def __init__(self) -> None:
        program = shutil.which("node")
        if program is None:
            raise FileNotFoundError("node")
        script = Path(__file__).with_suffix(".js")
        self.process = subprocess.Popen(
            [program, "--input-type=module", "-e", script.read_text()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def call(self, call: dict[str, Any], memory: Sequence[np.ndarray]) -> tuple[int, bytes]:
        """Returns the status and the scratch; what the kernel wrote to its memory is written here too."""
        to, back = self.process.stdin, self.process.stdout
        assert to is not None
        assert back is not None
        text = json.dumps({**call, "sizes": [len(part) for part in memory]}).encode()
        to.write(struct.pack("<I", len(text)) + text)
        for part in memory:
            to.write(part)
        to.flush()
        status = json.loads(back.readline())["status"]
        scratch = back.read(SCRATCH)
        for part in memory:
            part[:] = np.frombuffer(back.read(len(part)), np.uint8)
        return status, scratch


class Entry:
    """A kernel for one choice of types, by node; used where `built.Entry` is."""

    node: Node | None = None

    def __init__(self, name: str, types: str) -> None:
        told = built.manifest()["kernels"][name][types]
        self.name, self.types = name, types
        self.apart = built.taken_apart(parsed(types))
        numbers = [leaf.word for leaf in leaves(parsed(types)) if isinstance(leaf, Number)]
        self.slots = [f"={built.slot(word)}" for word in numbers if word != NONE]
        self.read = built._Reader(parsed(told["returns"]))
        self.told = {
            "library": str(built.FOLDER / "wasm" / f"{told['library']}.wasm"),
            "symbol": told["symbol"],
        }

    def __call__(self, args: Sequence[Any]) -> Any:
        if ",".join(map(described, args)) != self.types:
            raise built.MisfitError
        arrays, numbers = self.apart(args)
        regions = _regions(arrays)
        block = []
        for array in arrays:
            low, _ = byte_bounds(array) if array.size else (0, 0)
            region = next((i for i, (start, end) in enumerate(regions) if start <= low < end), None)
            block.append("0" if region is None else f"@{region}+{array.ctypes.data - regions[region][0]}")
            block += map(str, (*array.shape, *array.strides))
        for value, slot in zip(numbers, self.slots, strict=True):
            block.append(str(int.from_bytes(struct.pack(slot, value), "little", signed=True)))
        memory = [_bytes_at(start, end) for start, end in regions]
        Entry.node = Entry.node or Node()
        status, scratch = Entry.node.call({**self.told, "block": block}, memory)
        if status not in (0, built.NOTHING):
            raise RuntimeError(f"{self.name} failed in node with status {status}")
        calls[self.name] += 1
        return self.read(bytearray(scratch))


def _regions(arrays: Sequence[np.ndarray]) -> list[tuple[int, int]]:
    """Returns from where to where memory is used; arrays that share some lie in one region."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(byte_bounds(array) for array in arrays if array.size):
        if found and low < found[-1][1]:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    return found


def _bytes_at(start: int, end: int) -> np.ndarray:
    return np.ctypeslib.as_array((ctypes.c_uint8 * (end - start)).from_address(start))


def use_node() -> None:
    """Has every kernel that is built run in node from now on, and fail where it is not built.

    Trees get a few megabytes, as every call copies them.
    """
    built.find = Entry  # type: ignore[assignment]
    tree.MEBIBYTE = 1 << 11


if __name__ == "__main__":
    use_node()
    sys.argv = sys.argv[1:]
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    finally:
        print(f"node answered {calls.total():,} calls of {len(calls)} kernels", file=sys.stderr)
