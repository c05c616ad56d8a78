"""What numba compiles here and now: kernels of games of your own, and all of them for whoever asks for that.

It keeps them in its own cache, in a folder that the sources of all kernels and plug-ins name: numba itself
notices an edit only in the file that a kernel stands in.
"""

from __future__ import annotations

import time
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numba
from numba.core import event
from numba.extending import overload
from numba.np import linalg

from levelsmith.kernels import compile
from levelsmith.kernels.cache import cache_folder, is_writable
from levelsmith.kernels.interrupts import held
from levelsmith.kernels.sources import source_hash

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "_nrt": False,  # kernels never allocate, so nothing is counted
    "error_model": "numpy",  # nor do they divide by 0, so nothing is raised
}
ROUTINE: dict[str, Any] = {
    "_nrt": False,
    "error_model": "numpy",
    "forceinline": False,  # which it would take from what calls it
    "no_cfunc_wrapper": True,
}
CUDA_PART = {"forceinline": True}
PART = {**ROUTINE, "forceinline": True}  # a call would copy every array of its arguments

_kernels: set[Any] = set()


def teach(inside: compile.Inside) -> None:
    """Tells numba what stands for a function inside kernels."""
    options = PART if inside.inlined else ROUTINE
    overload(inside.function, target="cpu", jit_options=options)(inside.choose)
    overload(inside.function, target="cuda", jit_options=CUDA_PART)(inside.on_gpu)


def compiled(kernel: compile.Kernel) -> Any:
    """Returns a kernel as numba compiles it, from the sources as they are."""
    return _compiled(kernel, source_hash())


@cache
def _compiled(kernel: compile.Kernel, sources: str) -> Any:
    with_cache = use_cache(sources)
    made = numba.njit(**OPTIONS, cache=with_cache)(kernel.py_func)
    _kernels.add(made)
    return made


def use_cache(sources: str) -> bool:
    """Has numba keep what it compiles in the folder of the sources; returns whether there is one."""
    folder = cache_folder(sources)
    if folder is None or not is_writable(folder):
        return False
    numba.config.CACHE_DIR = str(folder)
    return True


class _Listener(event.Listener):
    """Reports the outermost compilation of a kernel; those inside it are part of its time."""

    def __init__(self) -> None:
        self.depth = 0
        self.started = 0.0

    def on_start(self, happened: Any) -> None:
        held.hold()
        if self.depth == 0 and happened.data["dispatcher"] in _kernels:
            self.started = time.perf_counter()
            compile.notice(happened.data["dispatcher"].py_func.__name__, None)
        self.depth += 1

    def on_end(self, happened: Any) -> None:
        self.depth -= 1
        if self.depth == 0 and happened.data["dispatcher"] in _kernels:
            seconds = time.perf_counter() - self.started
            compile.compiled_for += seconds
            compile.notice(happened.data["dispatcher"].py_func.__name__, seconds)
        held.release()


def _spare_scipy() -> None:
    """Numba imports scipy.linalg whole to see that it is there; what needs it imports it when it is used."""
    if find_spec("scipy") is None:
        return
    before, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = before


_spare_scipy()
event.register("numba:compile", _Listener())
for each in compile.inside:
    teach(each)
