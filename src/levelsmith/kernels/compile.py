"""How functions become kernels: three decorators.

A kernel runs as it was built ahead of time for the types that it is called with; else numba compiles it,
where that is installed; else it runs as plain Python. `LEVELSMITH_KERNELS=numba` passes over what is built,
and `LEVELSMITH_KERNELS=plain` compiles nothing.
"""

from __future__ import annotations

import inspect
import json
import logging
import os
import sys
from collections.abc import Callable
from functools import cache, partial, update_wrapper
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from levelsmith.errors import LevelsmithError
from levelsmith.kernels import built
from levelsmith.kernels.signature import described
from levelsmith.kernels.sources import add_source

VARIABLE = "LEVELSMITH_KERNELS"
BUILT, NUMBA, UNCOMPILED = WAYS = ("built", "numba", "plain")
WHICH = os.environ.get(VARIABLE) or BUILT
if WHICH not in WAYS:
    raise LevelsmithError(f"expected {VARIABLE} to be one of {', '.join(WAYS)}, got {WHICH!r}")
PLAIN = WHICH == UNCOMPILED  # nothing is compiled
WANTED = os.environ.get("LEVELSMITH_WANTED")  # a file to which kernels are added that are not built
COMPILER = "levelsmith.kernels.jit"

if PLAIN:
    np.seterr(over="ignore")  # words wrap around in plain Python as they do compiled

others: dict[str, set[str]] = {NUMBA: set(), UNCOMPILED: set()}  # kernels that have run and are not built
compiled_for = 0.0  # seconds that numba has taken in this process

Notice = Callable[[str, float | None], None]


def _log(name: str, seconds: float | None) -> None:
    if seconds is not None:
        logging.getLogger("levelsmith").info("compiled %s in %.1f s", name, seconds)


notice: Notice = (
    _log  # called with (kernel, None) when a compilation starts and (kernel, seconds) when it ends
)


def clock() -> float:
    """Returns the seconds of a clock that stands still while numba compiles, for limits of time."""
    return perf_counter() - compiled_for


class Inside(NamedTuple):
    """What stands for a function inside kernels: `choose` returns it for the types of the arguments."""

    function: Any
    choose: Any
    on_gpu: Any
    inlined: bool  # whether it is written into whatever calls it; on a GPU everything is


inside: list[Inside] = []  # what numba is told once it is asked


def part(function: Any) -> Any:
    """Lets kernels call a function; from Python it stays plain, or its words would come back as ints."""
    add_source(function)
    replace_inside(function, _always(function))
    return function


def routine(function: Any) -> Any:
    """Makes a long part, which kernels may call instead of having it written into them.

    A call copies every number that it is given, and where each array lies.
    """
    add_source(function)
    replace_inside(function, _always(function), inlined=False)
    return function


def _always(function: Any) -> Any:
    def choose(*args: Any) -> Any:
        return function

    choose.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return choose


def replace_inside(function: Any, choose: Any, on_gpu: Any = None, inlined: bool = True) -> None:
    """Lets kernels, a GPU's too, run what `choose` makes of the types that a function is called with."""
    inside.append(Inside(function, choose, on_gpu or choose, inlined))
    if COMPILER in sys.modules:
        sys.modules[COMPILER].teach(inside[-1])


def kernel(function: Any) -> Any:
    """Lets Python call a function compiled, once for each type of problem."""
    add_source(function)
    if PLAIN:
        function.prepared = partial(partial, function)
    made = function if PLAIN else Kernel(function)
    replace_inside(made, _always(function), inlined=False)
    return made


class Kernel:
    """A function that Python calls compiled."""

    def __init__(self, function: Any) -> None:
        self.py_func = function
        self.name = f"{function.__module__}:{function.__qualname__}"
        self._entries: dict[str, built.Entry] = {}  # by the types that they take
        self._others: set[str] = set()  # types that nothing is built for
        update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        for entry in self._entries.values():
            try:
                return entry(args)
            except built.MisfitError:
                continue
        found = self._found(args) if WHICH == BUILT else None
        return self.otherwise(*args) if found is None else found(args)

    def _found(self, args: tuple[Any, ...]) -> built.Entry | None:
        """Returns what is built for arguments of types that did not come before."""
        try:
            types = ",".join(map(described, args))
        except TypeError:
            return None
        if types in self._others or types in self._entries:
            return self._entries.get(types)
        found = built.find(self.name, types)
        if found is None:
            self._others.add(types)
            if WANTED:
                with open(WANTED, "a") as file:
                    file.write(json.dumps([self.name, types]) + "\n")
        else:
            self._entries = {**self._entries, types: found}
        return found

    def prepared(self, *args: Any) -> Callable[[], Any]:
        """Returns a function that runs the kernel with these arrays, as they are then, and these numbers: a
        call of it takes a fraction of what looking at all arguments does."""
        found = self._found(args) if WHICH == BUILT else None
        return partial(self.otherwise, *args) if found is None else found.prepared(args)

    def otherwise(self, *args: Any) -> Any:
        """Runs what is not built: by numba, or as plain Python, which is told."""
        compiler = _compiler()
        others[NUMBA if compiler is not None else UNCOMPILED].add(self.py_func.__name__)
        if compiler is not None:
            return compiler.compiled(self)(*args)
        built.warn(
            f"{self.py_func.__name__} is not built for this system or these types and runs uncompiled, which "
            "may take a hundred times as long; try: pip install 'levelsmith[numba]'"
        )
        with np.errstate(over="ignore"):
            return self.py_func(*args)

    def __reduce__(self) -> str:
        return str(self.py_func.__qualname__)


def way() -> str:
    """Returns how kernels that ship run here: one of WAYS."""
    if WHICH == BUILT and built.target() in built.manifest()["libraries"]:
        return BUILT
    return UNCOMPILED if PLAIN or _compiler() is None else NUMBA


def ways() -> str:
    """Returns how kernels have run in this process, for people."""
    if PLAIN:
        return UNCOMPILED
    told = [f"{name} {', '.join(sorted(names))}" for name, names in others.items() if names]
    return "; ".join([BUILT, *told] if way() == BUILT else told)


@cache
def _compiler() -> Any:
    """Returns the module that compiles by numba; None where that is not installed."""
    global compiled_for
    if find_spec("numba") is None:
        return None
    begun = perf_counter()
    compiler = import_module(COMPILER)
    compiled_for += perf_counter() - begun
    return compiler
