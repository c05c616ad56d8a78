"""How functions are compiled: two decorators, and a notice that it happens.

`NUMBA_DISABLE_JIT=1` runs the same source as plain Python.
"""

from __future__ import annotations

import gc
import inspect
import logging
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numba
import numpy as np
from numba.core import event
from numba.extending import overload
from numba.np import linalg

from levelsmith.kernels import forecast
from levelsmith.kernels.cache import DiskCache
from levelsmith.kernels.interrupts import held
from levelsmith.kernels.shipped import FOLDER, baseline, read_shipped
from levelsmith.kernels.sources import add_source, folder_for, source_hash, takes_foreign

PLAIN = bool(numba.config.DISABLE_JIT)  # nothing is compiled
TESTED = (0, 63), (0, 69)  # the versions of numba from and before which our code library fits its inside
OPTIONS: dict[str, Any] = {
    "nogil": True,
    "_nrt": False,  # kernels never allocate, so nothing is counted
}
PART: dict[str, Any] = {
    "_nrt": False,
    "forceinline": True,  # a call would copy every array of its arguments
    "no_cfunc_wrapper": True,
}
CUDA_PART = {"forceinline": True}

Notice = Callable[[str, float | None], None]


def _log(name: str, seconds: float | None) -> None:
    if seconds is not None:
        logging.getLogger("levelsmith").info("compiled %s in %.1f s", name, seconds)


notice: Notice = (
    _log  # called with (kernel, None) when a compilation starts and (kernel, seconds) when it ends
)

# Called with (kernel, done, expected) after each function of the kernel that is waited for.
progress: Callable[[str, int, int], None] | None = None

before: Callable[[str], None] | None = None  # called with the name of a kernel that is to be compiled

_kernels: list[Any] = []

if PLAIN:
    np.seterr(over="ignore")  # words wrap around in plain Python as they do compiled


def _spare_scipy() -> None:
    """Numba imports scipy.linalg whole to see that it is there; what needs it imports it when it is used."""
    if find_spec("scipy") is None:
        return
    before, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = before


if not PLAIN:
    _spare_scipy()


def part(function: Any) -> Any:
    """Lets kernels call a function; from Python it stays plain, or its words would come back as ints."""

    def choose(*args: Any) -> Any:
        return function

    add_source(function)
    choose.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    replace_inside(function, choose)
    return function


def replace_inside(function: Any, choose: Any, on_gpu: Any = None) -> None:
    """Lets kernels, a GPU's too, run what `choose` makes of the types that a function is called with."""
    forecast.add(function)
    overload(function, target="cpu", jit_options=PART)(choose)
    overload(function, target="cuda", jit_options=CUDA_PART)(on_gpu or choose)


def kernel(function: Any) -> Any:
    """Compiles a function that Python calls, once for each type of problem, and keeps it on disk."""
    compiled = numba.njit(**OPTIONS)(function)
    if not PLAIN:
        add_source(function)
        _kernels.append(compiled)
        forecast.add(function, compiled)
        compiled._cache = KernelCache(function)
    return compiled


class KernelCache(DiskCache):
    """Compiled code of a kernel, in the folder for the sources as they are now."""

    def __init__(self, function: Any) -> None:
        super().__init__(function, partial(folder_for, function), _tell_waiting)

    def missed(self) -> None:
        if before is not None and _listener.depth == 0:
            before(self._function.__name__)

    def shipped(self, sig: Any, codegen: Any) -> bytes | None:
        machine = baseline(self.machine(codegen))
        if machine is None or takes_foreign(self._function, sig):
            return None
        return read_shipped(FOLDER / source_hash(False) / self.name(sig, machine))


def _tell_waiting(name: str, seconds: float | None) -> None:
    if _listener.depth == 0:  # else it is part of another's time
        notice(name, seconds)


class _Listener(event.Listener):
    """Reports the outermost compilation of a kernel; those inside it are part of its time."""

    def __init__(self) -> None:
        self.depth = 0
        self.started = 0.0
        self.collected = False
        self.kernel, self.done, self.expected = "", 0, 0

    def on_start(self, happened: Any) -> None:
        held.hold()
        if self.depth == 0 and happened.data["dispatcher"] in _kernels:
            self.started = time.perf_counter()
            self.collected = gc.isenabled()
            gc.disable()  # a compiler makes much, and little of it is garbage: a tenth of the time
            function = happened.data["dispatcher"].py_func
            self.kernel, self.done = function.__name__, 0
            self.expected = forecast.expected(function, happened.data["args"])
            notice(self.kernel, None)
        self.depth += 1

    def on_end(self, happened: Any) -> None:
        self.depth -= 1
        dispatcher = happened.data["dispatcher"]
        if happened._exc_details and dispatcher in _kernels:  # is_failed says the opposite, up to numba 0.68
            dispatcher._cache.let_go()
        if self.depth == 0 and dispatcher in _kernels:
            if self.collected:
                gc.enable()
            notice(dispatcher.py_func.__name__, time.perf_counter() - self.started)
        try:
            held.release()
        except BaseException:  # Ctrl-C was heard: nothing is kept of what was compiled
            if dispatcher in _kernels:
                dispatcher._cache.let_go()
            raise

    def on_part(self) -> None:
        held.give()
        self.done += 1
        if progress is not None:
            progress(self.kernel, min(self.done, self.expected), self.expected)


def _use_own_library() -> None:
    """Has parts kept and kernels linked by our own code library, where that fits the installed numba.

    Otherwise numba compiles all by itself: each kernel takes longer, and the same comes out.
    """
    try:
        from levelsmith.kernels import parts
        from levelsmith.kernels.library import KernelCompiler, fits
    except ImportError:  # what they import of numba is not there
        return
    if TESTED[0] <= numba.version_info[:2] < TESTED[1] and fits():
        OPTIONS["pipeline_class"] = KernelCompiler
        PART["pipeline_class"] = parts.PartCompiler
        parts.finished = _listener.on_part


_listener = _Listener()
event.register("numba:compile", _listener)
_use_own_library()
