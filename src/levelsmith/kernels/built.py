"""Kernels that are compiled ahead of time: plain libraries beside this file, called through ctypes.

`make kernels` writes them and `manifest.json`. An entry of a library takes the address of a block of words:
first numpy's class of arrays, then the addresses of all arrays, then all plain numbers. It looks itself
whether those are the arrays that it was built for, and reads where their cells lie. So a call copies nothing
and holds no lock. An entry is used while the files that its code was made of are as they were.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import logging
import platform
import struct
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from levelsmith.kernels.probe import probe
from levelsmith.kernels.signature import NONE, Array, Group, Number, Type, class_of, leaves, parsed

PACKAGE = Path(__file__).resolve().parent.parent
FOLDER = Path(__file__).resolve().parent / "built"
MANIFEST = FOLDER / "manifest.json"
MISFIT = 1000  # an entry returns this and more for arguments that it is not built for
NOTHING = -2  # what a kernel that returns None returns
SCRATCH = 16  # bytes for an error, before a kernel's result
LEAST = 8  # bytes of a result: one that is None is written too
FORMATS = {
    "i8": "b", "u8": "B", "b1": "?", "i16": "h", "u16": "H", "i32": "i", "u32": "I",
    "i64": "q", "u64": "Q", "f32": "f", "f64": "d",
}  # fmt: skip
V3 = set(b"avx avx2 bmi1 bmi2 f16c fma abm movbe".split())  # what "x86-64-v3" means beside older ones
VERSION = 1  # of the manifest and of what entries take
PROBE = np.arange(6, dtype=np.int32).reshape(2, 3)  # an array whose inside is known


class MisfitError(Exception):
    """Raised for arguments that an entry is not built for."""


class Entry:
    """A kernel that is built for one choice of types."""

    def __init__(self, function: Any, types: tuple[Type, ...], returns: tuple[Type, ...]) -> None:
        self._function = function
        self._apart = taken_apart(types)
        flat = leaves(types)
        words = "".join(slot(leaf.word) for leaf in flat if isinstance(leaf, Number) and leaf.word != NONE)
        self._pack = struct.Struct("=" + words).pack
        self._addresses = 8 * sum(isinstance(leaf, Array) for leaf in flat)  # bytes
        self._read = _Reader(returns)
        self._scratch = ctypes.c_char * (SCRATCH + max(LEAST, self._read.size))

    def __call__(self, args: Sequence[Any]) -> Any:
        """Calls the kernel; raises MisfitError for arguments of other types."""
        return self._run(*self._packed(args))

    def prepared(self, args: Sequence[Any]) -> Callable[[], Any]:
        """Returns what calls the kernel with these arrays and numbers, as often as is wanted."""
        return partial(self._run, *self._packed(args))

    def _packed(self, args: Sequence[Any]) -> tuple[bytes, tuple[Any, ...]]:
        """Returns the words that the kernel takes, and what must be alive while it runs."""
        try:
            arrays, numbers = self._apart(args)
            if NDARRAY:
                alive, addresses = arrays, ctypes.string_at(id(arrays) + ITEMS, self._addresses)
            else:
                alive = tuple(_Record(array) for array in arrays)
                addresses = b"".join(_word(ctypes.addressof(record.header)) for record in alive)
            return CLASS + addresses + self._pack(*numbers), alive
        except (struct.error, TypeError, ValueError, AttributeError) as error:
            raise MisfitError from error

    def _run(self, block: bytes, alive: tuple[Any, ...]) -> Any:
        scratch = self._scratch()
        status = self._function(block, scratch)
        if status == 0 or status == NOTHING:
            return self._read(scratch)
        if status >= MISFIT:
            raise MisfitError
        raise RuntimeError(f"a compiled kernel failed with status {status}")


def taken_apart(types: tuple[Type, ...]) -> Callable[[Sequence[Any]], tuple[tuple[Any, ...], ...]]:
    """Returns what takes arguments of some types apart, into a tuple of arrays and one of numbers.

    It raises MisfitError or ValueError for tuples of other classes or lengths. It is written out as a
    function of its own, as a dataclass's methods are: a call of a kernel takes half the time so.
    """
    lines: list[str] = ["def apart(v):"]
    arrays: list[str] = []
    numbers: list[str] = []
    names: dict[str, Any] = {"MisfitError": MisfitError}

    def take(value: str, inside: tuple[Type, ...]) -> None:
        parts = [f"{value}_{i}" for i in range(len(inside))]
        lines.append(f" {''.join(f'{part}, ' for part in parts) or '()'} = {value}")
        for part, each in zip(parts, inside, strict=True):
            if isinstance(each, Group):
                names[f"K{part}"] = class_of(each.kind)
                lines.append(f" if type({part}) is not K{part}: raise MisfitError")
                take(part, each.items)
            elif isinstance(each, Array):
                arrays.append(part)
            elif each.word != NONE:
                numbers.append(part)
            else:
                lines.append(f" if {part} is not None: raise MisfitError")

    take("v", types)
    lines.append(f" return ({', '.join([*arrays, ''])}), ({', '.join([*numbers, ''])})")
    exec("\n".join(lines), names)  # noqa: S102 (names of places and classes alone)
    return names["apart"]


def slot(word: str) -> str:
    """Returns the format of a number in a word of eight bytes."""
    size = struct.calcsize("=" + FORMATS[word])
    return FORMATS[word] + "x" * (8 - size)


class _Reader:
    """Reads what a kernel returned."""

    def __init__(self, types: tuple[Type, ...]) -> None:
        (self._type,) = types
        flat = [leaf.word for leaf in leaves(types) if leaf.word != NONE]
        self._struct = struct.Struct("@" + "".join(FORMATS[word] for word in flat))
        self.size = self._struct.size
        self._is_number = isinstance(self._type, Number) and self.size > 0

    def __call__(self, scratch: Any) -> Any:
        if not self.size:
            return None
        numbers = self._struct.unpack_from(scratch, SCRATCH)
        if self._is_number:
            return numbers[0]
        found = iter(numbers)
        return self._built(self._type, found)

    def _built(self, each: Type, found: Any) -> Any:
        if isinstance(each, Group):
            items = [self._built(item, found) for item in each.items]
            return class_of(each.kind)._make(items) if each.kind else tuple(items)  # type: ignore[attr-defined]
        return None if each.word == NONE else next(found)


# ---------------------------------------------------------------------------------------------------- arrays


class _Header(ctypes.Structure):
    """An array as numpy keeps it: the part of `PyArrayObject_fields` in its headers that entries read."""

    _fields_ = (
        ("references", ctypes.c_ssize_t),
        ("type", ctypes.c_void_p),
        ("data", ctypes.c_void_p),
        ("axes", ctypes.c_int),
        ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("base", ctypes.c_void_p),
        ("numbers", ctypes.c_void_p),
        ("flags", ctypes.c_int),
    )


class _Numbers(ctypes.Structure):
    """The numbers of an array as numpy keeps their type: the part of `PyArray_Descr` that entries read."""

    _fields_ = (("before", ctypes.c_char * 26), ("order", ctypes.c_char), ("kind", ctypes.c_int))


class _Record:
    """What entries read of an array, laid out anew: for a Python whose arrays lie otherwise in memory."""

    def __init__(self, array: Any) -> None:
        axes = ctypes.c_ssize_t * array.ndim
        self._array = array
        self._numbers = _Numbers(b"", array.dtype.byteorder.encode(), array.dtype.num)
        self.header = _Header(
            type=0,
            data=array.ctypes.data,
            axes=array.ndim,
            shape=axes(*array.shape),
            strides=axes(*array.strides),
            numbers=ctypes.addressof(self._numbers),
            flags=array.flags.num,
        )


def _word(number: int) -> bytes:
    return number.to_bytes(8, sys.byteorder)


def _is_as_expected(array: Any) -> bool:
    """Returns whether the inside of an array is where entries look for it."""
    if platform.python_implementation() != "CPython" or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return False
    alone = (array,)
    if ctypes.string_at(id(alone) + ITEMS, 8) != _word(id(array)):
        return False
    header = _Header.from_address(id(array))
    if header.type != id(np.ndarray) or header.axes != array.ndim or header.numbers != id(array.dtype):
        return False
    numbers = _Numbers.from_address(header.numbers)
    return bool(
        header.data == array.ctypes.data
        and tuple(header.shape[: array.ndim]) == array.shape
        and tuple(header.strides[: array.ndim]) == array.strides
        and header.flags == array.flags.num
        and numbers.kind == array.dtype.num
        and numbers.order == array.dtype.byteorder.encode()
    )


ITEMS = tuple.__basicsize__  # from where a tuple has the addresses of its items
NDARRAY = id(np.ndarray) if _is_as_expected(PROBE) else 0
CLASS = _word(NDARRAY)


# ------------------------------------------------------------------------------------------------- libraries


def target() -> str:
    """Returns the name of this system and processor."""
    machine = platform.machine().lower()
    return f"{sys.platform}-{ {'amd64': 'x86_64', 'arm64': 'aarch64'}.get(machine, machine) }"


@cache
def targets() -> tuple[str, ...]:
    """Returns what may be built for this system, what this processor does best first."""
    name = target()
    return (f"{name}-v3", name) if _instructions() >= V3 else (name,)


def _instructions() -> set[bytes]:
    """Returns the names of what Linux tells about the first processor."""
    try:
        with open("/proc/cpuinfo", "rb", buffering=0) as file:
            told = file.read(4096)
    except OSError:
        return set()
    line = next((line for line in told.splitlines() if line.startswith(b"flags")), b"")
    return set(line.split())


def find(name: str, types: str) -> Entry | None:
    """Returns the entry of a kernel for types, if one is built from the sources as they are."""
    told = manifest()["kernels"].get(name, {}).get(types)
    if not told or digest(told["files"]) != told["digest"]:
        return None
    library = _library(told["library"])
    if library is None:
        return None
    return Entry(_function(library, told["symbol"]), parsed(types), parsed(told["returns"]))


@cache
def manifest() -> dict[str, Any]:
    """Returns what is built: kernels, files and libraries."""
    try:
        found = json.loads(MANIFEST.read_bytes())
        if found["version"] != VERSION or not found.keys() >= {"kernels", "files", "libraries"}:
            raise ValueError("it is of another version")
        return dict(found)
    except (OSError, ValueError, KeyError, TypeError) as error:
        warn(f"{MANIFEST} is left alone ({error}): install levelsmith again")
    return {"version": VERSION, "kernels": {}, "files": [], "libraries": {}}


def digest(files: Sequence[int]) -> str:
    """Returns the digest of files as they are now, named by their places in the manifest."""
    names = manifest()["files"]
    return digest_of([names[i] for i in files])


def digest_of(files: Sequence[str]) -> str:
    """Returns the digest of files of the package."""
    return hashlib.sha256(b"".join(map(_content, files))).hexdigest()[:32]


@cache
def _content(file: str) -> bytes:
    try:
        return hashlib.sha256((PACKAGE / file).read_bytes()).digest()
    except OSError:
        return b""


@cache
def _library(name: str) -> Any:
    """Returns the best library for this processor that is whole and answers a known call; None without one.

    One that is left alone is told.
    """
    libraries = manifest()["libraries"]
    for each in (target for target in targets() if name in libraries.get(target, {})):
        library = _loaded(FOLDER / each / f"{name}.so", libraries[each][name])
        if library is not None:
            return library
    return None


def _loaded(path: Path, expected: str) -> Any:
    """Returns a library that is whole and answers a known call; None, with a warning, for another."""
    try:
        if hashlib.sha256(path.read_bytes()).hexdigest() != expected:
            raise OSError("it is damaged: install levelsmith again")
        library = ctypes.CDLL(str(path))
        answer = Entry(_function(library, "probe"), parsed("i32[2],f64"), parsed("f64"))((PROBE, 0.5))
        if answer != probe(PROBE, 0.5):
            raise OSError("it does not compute here what it should")
    except (OSError, AttributeError, MisfitError) as error:
        warn(f"the library {path} is left alone ({error})")
        return None
    return library


def _function(library: Any, symbol: str) -> Any:
    function = library[symbol]  # a new object each time: nobody else sets its types
    function.argtypes, function.restype = (ctypes.c_char_p, ctypes.c_void_p), ctypes.c_int32
    return function


@cache
def warn(message: str) -> None:
    """Says something once."""
    logging.getLogger("levelsmith").warning("levelsmith: %s", message)
