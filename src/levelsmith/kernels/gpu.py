"""What runs on a GPU, through numba-cuda: kernels that start many threads, and arrays on their way there."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numba import config, cuda
from numpy.typing import NDArray

from levelsmith.kernels.compile import KernelCache
from levelsmith.kernels.problem import ROOM

BLOCK = 64  # threads that are started together
PORTION = 1 << 28  # bytes of boards that are on the GPU at a time

if not config.ENABLE_CUDASIM:
    from numba.cuda.dispatcher import _Kernel
    from numba.cuda.utils import numba_target_override


class _GpuCache(KernelCache):
    """Compiled code of a kernel for GPUs."""

    def load_overload(self, sig: Any, target: Any) -> Any:
        with numba_target_override():
            return super().load_overload(sig, target)

    def machine(self, codegen: Any) -> Any:
        return codegen.magic_tuple()

    def shipped(self, sig: Any, codegen: Any) -> bytes | None:
        return None

    def reduce(self, made: Any) -> Any:
        return made._reduce_states()

    def rebuild(self, target: Any, data: Any) -> Any:
        return _Kernel._rebuild(**data)

    def is_bound(self, made: Any) -> bool:
        return False


def gpu_kernel(**options: Any) -> Any:
    """Compiles a function that threads of a GPU run side by side, and keeps it on disk."""

    def compiled(function):
        if config.ENABLE_CUDASIM:
            return cuda.jit(function)
        made = cuda.jit(**options)(function)
        made._cache = _GpuCache(function)
        return made

    return compiled


def launch(kernel: Any, threads: int, *arguments: Any) -> None:
    with warnings.catch_warnings():  # a few levels are a few threads, and nobody can do anything about it
        warnings.filterwarnings("ignore", "Grid size")
        started = kernel[-(-threads // BLOCK), min(BLOCK, threads)]
    started(*arguments)
    cuda.synchronize()


def on_device(thing: Any) -> Any:
    """A NamedTuple, tuple or array with every array in it copied to the GPU."""
    if isinstance(thing, np.ndarray):
        return cuda.to_device(np.ascontiguousarray(thing))
    if isinstance(thing, tuple):
        parts = [on_device(part) for part in thing]
        return type(thing)(*parts) if hasattr(thing, "_fields") else tuple(parts)
    return thing


def room_of(thing: Any, threads: int, lean: bool = False) -> Any:
    """A NamedTuple on the GPU with room to work in for each thread; as little as can be where it is lean."""
    fields = {}
    for name in thing._fields:
        value = getattr(thing, name)
        if hasattr(value, "_fields") and type(thing) not in ROOM:
            fields[name] = room_of(value, threads, lean)
        elif name in ROOM.get(type(thing), ()) and isinstance(value, np.ndarray):
            fields[name] = repeated(value[(slice(0, 1),) * value.ndim] if lean else value, threads)
    return on_device(thing._replace(**fields))


def repeated(room: Any, threads: int) -> Any:
    """An array on the GPU for each thread, along a last axis."""
    many = cuda.device_array((*room.shape, threads), room.dtype)
    launch(repeat, threads, on_device(room.reshape(-1)), many.reshape(room.size, threads))
    return many


@gpu_kernel()
def repeat(row, many):
    i = cuda.grid(1)
    if i < many.shape[1]:
        for j in range(len(row)):
            many[j, i] = row[j]


def measured(kernel: Any, threads: int, game: Any, boards: Any, metrics: int) -> NDArray[np.float64]:
    """What a kernel finds for boards `[B, cells]` in at most so many threads: `[B, metrics]`."""
    out = np.zeros((len(boards), metrics))
    size = max(1, PORTION // boards.shape[1])
    for first in range(0, len(boards), size):
        portion = on_device(boards[first : first + size].astype(np.uint8, copy=False))
        found = cuda.device_array((len(portion), metrics), np.float64)
        launch(kernel, min(threads, len(portion)), game, portion, found)
        found.copy_to_host(out[first : first + size])
    return out


def free_bytes() -> float:
    return float(cuda.current_context().get_memory_info()[0])


def processors() -> int:
    """How many multiprocessors the GPU has."""
    return int(getattr(cuda.get_current_device(), "MULTIPROCESSOR_COUNT", 1))  # the simulator tells none


def device_name() -> str:
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def available() -> bool:
    return bool(cuda.is_available())
