"""What runs on a GPU, through numba-cuda: kernels that start many threads, and arrays on their way there."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numba import config, cuda, types
from numpy.typing import NDArray

from levelsmith.kernels.jit import use_cache
from levelsmith.kernels.problem import WORKSPACE
from levelsmith.kernels.sources import source_hash

BLOCK = 64  # threads that are started together
CHUNK = 1 << 28  # bytes of boards that are on the GPU at a time

if not config.ENABLE_CUDASIM:
    from cuda.bindings import driver
    from llvmlite import ir
    from numba.cuda.cudaimpl import lower

    def _round_products(kind: Any, word: ir.Type, name: str) -> None:
        """Has products rounded before anything is added to them, as on every processor.

        A GPU would do both at once, and a tree that hangs on the last bit would grow another way.
        """

        def product(context, builder, signature, args):
            function = builder.module.globals.get(name)
            if function is None:
                function = ir.Function(builder.module, ir.FunctionType(word, [word, word]), name)
            return builder.call(function, args)

        for operation in (operator.mul, operator.imul):
            lower(operation, kind, kind)(product)

    _round_products(types.float64, ir.DoubleType(), "llvm.nvvm.mul.rn.d")
    _round_products(types.float32, ir.FloatType(), "llvm.nvvm.mul.rn.f")


def gpu_kernel(**options: Any) -> Any:
    """Compiles a function that threads of a GPU run side by side, and keeps it on disk."""

    def compiled(function):
        if config.ENABLE_CUDASIM:
            return cuda.jit(function)
        return cuda.jit(cache=use_cache(source_hash()), **options)(function)

    return compiled


@contextmanager
def _few_threads() -> Iterator[None]:
    """Has numba not warn of few threads: a few levels are no more, and nobody can do anything about it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*Grid size")  # before which it puts a colour
        yield


def in_threads(kernel: Any, threads: int, block: int = BLOCK) -> Any:
    """Returns a kernel to be called for so many threads; calls do not wait for them."""
    with _few_threads():
        return kernel[-(-threads // block), min(block, threads)]


def launch(kernel: Any, threads: int, *arguments: Any) -> None:
    """Runs a kernel in so many threads, and waits for them."""
    in_threads(kernel, threads)(*arguments)
    cuda.synchronize()


def on_device(thing: Any) -> Any:
    """Returns a NamedTuple, tuple or array with every array in it copied to the GPU."""
    if isinstance(thing, np.ndarray):
        return cuda.to_device(np.ascontiguousarray(thing))
    if isinstance(thing, tuple):
        parts = [on_device(part) for part in thing]
        return type(thing)(*parts) if hasattr(thing, "_fields") else tuple(parts)
    return thing


class OnCard(NamedTuple):
    """An array that is on the GPU already, of torch, JAX, CuPy or others."""

    shape: tuple[int, ...]
    kind: np.dtype[Any]
    packed: bool  # whether its elements lie side by side
    source: Any  # its address


def from_card(thing: Any) -> OnCard | None:
    """Returns what is known of an array, ready to be read, if it is on the GPU."""
    if config.ENABLE_CUDASIM:
        return OnCard(thing.shape, thing.dtype, True, thing) if hasattr(thing, "copy_to_host") else None
    about = getattr(thing, "__cuda_array_interface__", None)
    if about is None:
        return None
    shape, kind, strides = about["shape"], np.dtype(about["typestr"]), about.get("strides")
    if about.get("stream") is not None:
        cuda.external_stream(about["stream"]).synchronize()
    packed = strides is None or (len(shape) == 1 and strides[0] == kind.itemsize)
    return OnCard(shape, kind, packed, about["data"][0])


def fill(array: Any, given: OnCard | NDArray[Any]) -> None:
    """Copies what is given into an array on the GPU; what is there already is not waited for."""
    if isinstance(given, np.ndarray):
        array.copy_to_device(given)
    elif config.ENABLE_CUDASIM:
        array.copy_to_device(given.source)
    else:
        address = array.__cuda_array_interface__["data"][0]
        _checked(driver.cuMemcpyDtoDAsync(address, given.source, array.nbytes, 0))


class Replay:
    """A kernel that is started again and again with the same arguments, without waiting.

    What numba does for a start takes longer than many a kernel. So the second start is recorded as a CUDA
    graph, and from then on that is started.
    """

    def __init__(self, kernel: Any, threads: int, block: int, *arguments: Any):
        self.kernel, self.arguments = kernel, arguments
        self.shape = -(-threads // block), min(block, threads)
        self.compiled = False
        self.graph: Any = None

    def __call__(self) -> None:
        if self.graph is None:
            if not self.compiled or config.ENABLE_CUDASIM:
                self._start(0)
                self.compiled = True
                return
            self.graph = self._recorded()
        _checked(driver.cuGraphLaunch(self.graph, 0))

    def _start(self, stream: Any) -> None:
        with _few_threads():
            self.kernel[*self.shape, stream](*self.arguments)

    def _recorded(self) -> Any:
        stream = cuda.stream()
        alone = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        _checked(driver.cuStreamBeginCapture(int(stream), alone))
        try:
            self._start(stream)
        finally:
            graph = _checked(driver.cuStreamEndCapture(int(stream)))
        return _checked(driver.cuGraphInstantiate(graph, 0))


def _checked(answer: tuple[Any, ...]) -> Any:
    """Returns what the driver answers, or raises its error."""
    if int(answer[0]) != 0:
        raise RuntimeError(f"the driver of the GPU failed: {answer[0]}")
    return answer[1] if len(answer) > 1 else None


def new_array(shape: tuple[int, ...], kind: Any) -> Any:
    """Returns an array on the GPU with whatever was there."""
    return cuda.device_array(shape, kind)


def wait() -> None:
    """Waits until the GPU has done all that it was told."""
    cuda.synchronize()


def shared_array(length: int, kind: Any) -> Any:
    """Returns an array of the processor that threads of the GPU write to as well."""
    return cuda.mapped_array(length, kind)


def with_workspaces(thing: Any, threads: int, lean: bool = False) -> Any:
    """Copies a NamedTuple to the GPU with a workspace for each thread; of one element where it is lean."""
    fields = {}
    for name in thing._fields:
        value = getattr(thing, name)
        if hasattr(value, "_fields") and type(thing) not in WORKSPACE:
            fields[name] = with_workspaces(value, threads, lean)
        elif name in WORKSPACE.get(type(thing), ()) and isinstance(value, np.ndarray):
            fields[name] = repeated(value[(slice(0, 1),) * value.ndim] if lean else value, threads)
    return on_device(thing._replace(**fields))


def repeated(array: Any, threads: int) -> Any:
    """Copies an array to the GPU for each thread, along a last axis."""
    many = cuda.device_array((*array.shape, threads), array.dtype)
    launch(repeat, threads, on_device(array.reshape(-1)), many.reshape(array.size, threads))
    return many


@gpu_kernel()
def repeat(one, many):
    """Writes `one` [n] into each column of `many` [n, threads]."""
    i = cuda.grid(1)
    if i < many.shape[1]:
        for j in range(len(one)):
            many[j, i] = one[j]


def measured(kernel: Any, threads: int, game: Any, boards: Any, metrics: int) -> NDArray[np.float64]:
    """Returns what a kernel finds for boards `[B, cells]` in at most so many threads: `[B, metrics]`."""
    out = np.zeros((len(boards), metrics))
    size = max(1, CHUNK // boards.shape[1])
    for first in range(0, len(boards), size):
        chunk = on_device(boards[first : first + size].astype(np.uint8, copy=False))
        found = cuda.device_array((len(chunk), metrics), np.float64)
        launch(kernel, min(threads, len(chunk)), game, chunk, found)
        found.copy_to_host(out[first : first + size])
    return out


def free_bytes() -> float:
    return float(cuda.current_context().get_memory_info()[0])


def processors() -> int:
    """Returns how many multiprocessors the GPU has."""
    return int(getattr(cuda.get_current_device(), "MULTIPROCESSOR_COUNT", 1))  # the simulator tells none


def device_name() -> str:
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def available() -> bool:
    return bool(cuda.is_available())
