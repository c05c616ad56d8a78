"""Calls every built kernel beside what numba makes of it: all memory must be the same byte for byte.

python tools/check_kernels.py [--calls 1000] [--seconds 3000] [--drawing 2] [--part 1/8] [--only loderunner]

Everything that ships is asked for, as `tools/kernels.py record` does. Each call that comes up is made twice
on copies of its memory, by the library and by numba, and again with other random words, until a kernel has
had as many calls as wanted. A line for each kernel and its types says how many there were and differed.
Trees and frontiers get a few megabytes, so that they can be copied. A call that is slow gets `--drawing`
seconds of other words, then the next that comes up. With `--part 1/8`, eight processes share the kernels;
`--only` takes those alone that have a word in their names.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from asking import everything
from numpy.lib.array_utils import byte_bounds

from levelsmith.errors import LevelsmithError
from levelsmith.kernels import built, compile, jit
from levelsmith.kernels.outside import Outside
from levelsmith.kernels.signature import described
from levelsmith.search import frontier, tree

LARGEST = 1 << 26  # bytes of a call that is tried
Key = tuple[str, str]


class Copy:
    """The memory of a call, copied; arrays that share some still do."""

    def __init__(self, args: Sequence[Any]) -> None:
        self.args = args
        self.regions: list[tuple[int, int]] = []
        for low, high in sorted(byte_bounds(array) for array in _arrays(args) if array.size):
            if self.regions and low < self.regions[-1][1]:
                self.regions[-1] = self.regions[-1][0], max(high, self.regions[-1][1])
            else:
                self.regions.append((low, high))
        self.size = sum(high - low for low, high in self.regions)

    def made(self, dice: np.random.Generator | None) -> tuple[tuple[Any, ...], list[Any]]:
        """Returns arguments over memory of their own, with other random words if dice are given."""
        memory = [np.empty(high - low + 64, np.uint8) for low, high in self.regions]
        aligned = [
            part[-part.ctypes.data % 64 :][: high - low]
            for part, (low, high) in zip(memory, self.regions, strict=True)
        ]
        for part, (low, high) in zip(aligned, self.regions, strict=True):
            part[:] = _bytes_at(low, high)
        args = tuple(self._moved(value, aligned) for value in self.args)
        if dice is not None:
            for array in _arrays(args):
                if array.dtype == np.uint64 and array.shape == (2,) and array.flags.writeable:
                    array[:] = dice.integers(1, 2**64, 2, np.uint64, endpoint=False)
        return args, aligned

    def _moved(self, value: Any, memory: list[Any]) -> Any:
        if isinstance(value, np.ndarray):
            if not value.size:
                return value.copy()
            low = byte_bounds(value)[0]
            k = next(k for k, (start, end) in enumerate(self.regions) if start <= low < end)
            offset = value.ctypes.data - self.regions[k][0]
            made = np.ndarray(value.shape, value.dtype, memory[k], offset, value.strides)
            made.flags.writeable = value.flags.writeable
            return made
        if isinstance(value, Outside):  # what measures knows these arrays alone
            return value
        if isinstance(value, tuple):
            items = [self._moved(item, memory) for item in value]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        return value


def _arrays(value: Any) -> list[Any]:
    if isinstance(value, np.ndarray):
        return [value]
    return [array for item in value for array in _arrays(item)] if isinstance(value, tuple | list) else []


def _bytes_at(start: int, end: int) -> Any:
    return np.ctypeslib.as_array((ctypes.c_uint8 * (end - start)).from_address(start))


class Checked:
    """What `Kernel.__call__` is replaced by."""

    def __init__(self, calls: int, seconds: float, drawing: float, mine: set[Key]) -> None:
        self.calls, self.drawing, self.mine = calls, drawing, mine
        self.dice, self.end = np.random.default_rng(1), time.perf_counter() + seconds
        self.came: Counter[Key] = Counter()
        self.done: Counter[Key] = Counter()
        self.wrong: Counter[Key] = Counter()
        self.large: Counter[Key] = Counter()
        self.inside = False
        self.before = compile.Kernel.__call__

    def __call__(self, kernel: compile.Kernel, *args: Any) -> Any:
        if self.inside:
            return self.before(kernel, *args)
        self.inside = True
        try:
            key = (kernel.name, ",".join(map(described, args)))
            if key in self.mine and time.perf_counter() < self.end:
                self.came[key] += 1
                if self.done[key] < self.calls:
                    self._tried(kernel, key, Copy(args))
            return self.before(kernel, *args)
        finally:
            self.inside = False

    def _tried(self, kernel: compile.Kernel, key: Key, copy: Copy) -> None:
        if copy.size > LARGEST:
            self.large[key] += 1
            return
        entry = built.find(*key)
        assert entry is not None, key
        by_numba, drawn, end = jit.compiled(kernel), False, 0.0
        while self.done[key] < self.calls and (not drawn or time.perf_counter() < end):
            state = self.dice.bit_generator.state
            ours, memory = copy.made(self.dice if drawn else None)
            self.dice.bit_generator.state = state
            theirs, other = copy.made(self.dice if drawn else None)
            found, expected = entry(ours), by_numba(*theirs)
            same = repr(found) == repr(expected) and all(map(np.array_equal, memory, other))
            self.done[key] += 1
            self.wrong[key] += not same
            if not drawn:
                drawn, end = True, time.perf_counter() + self.drawing


def _part(text: str) -> tuple[int, int]:
    """Reads which part of how many, such as 2/8."""
    part, _, parts = text.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError(f"expected a part such as 2/8, got {text}")
    return int(part), int(parts)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=3000.0)
    parser.add_argument("--drawing", type=float, default=2.0)
    parser.add_argument("--part", type=_part, default="1/1")
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    part, parts = asked.part
    every = [(name, types) for name, known in built.manifest()["kernels"].items() for types in known]
    every = [each for each in every if asked.only in each[0]][part - 1 :: parts]
    if not every:
        parser.error(f"no kernel has {asked.only!r} in its name, or none is left for this part")
    checked = Checked(asked.calls, asked.seconds, asked.drawing, set(every))
    compile.Kernel.__call__ = lambda kernel, *args: checked(kernel, *args)  # type: ignore[method-assign]
    tree.MEBIBYTE = frontier.MEBIBYTE = 1 << 12
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, ask in everything():
            if time.perf_counter() - begun > asked.seconds:
                print(f"stopped before {name}")
                break
            with contextlib.suppress(LevelsmithError, gymnasium.error.Error):
                ask()
    for key in every:
        print(
            f"{checked.done[key]:5} calls, {checked.wrong[key]} differ, {checked.large[key]} too large: "
            f"{key[0]} {key[1][:60]}"
        )
    enough = sum(checked.done[key] >= asked.calls for key in every)
    never = sum(not checked.done[key] for key in every)
    print(
        f"{len(every)} kernels, {sum(checked.done.values()):,} calls, {sum(checked.wrong.values())} differ; "
        f"{enough} kernels with {asked.calls:,} calls, {never} with none"
    )
    sys.exit(sum(checked.wrong.values()) > 0)


if __name__ == "__main__":
    main()
