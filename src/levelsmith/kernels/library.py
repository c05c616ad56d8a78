"""How code goes through LLVM: lightly each function of a kernel and its parts, then the kernel as a whole.

Parts are linked once, into the kernel that they end up in. There LLVM's second level with vector loops is as
good as its third, in two thirds of the time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

# What ours changes or calls of numba's library and compiler.
LIBRARY = (
    "_ensure_finalized", "_finalize_dynamic_globals", "_get_module_for_linking", "_optimize_final_module",
    "_optimize_functions", "enable_object_caching", "finalize", "get_pointer_to_function",
)  # fmt: skip
COMPILER = ("_compile_bytecode", "compile_extra")


def fits() -> bool:
    """Returns whether the installed numba has what our library and compilers change or call."""
    return all(hasattr(JITCodeLibrary, name) for name in LIBRARY) and all(
        hasattr(Compiler, name) for name in COMPILER
    )


class Library(JITCodeLibrary):
    """Code on its way through LLVM."""

    _linking_libraries: list[Any]
    _shared_module: Any

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager(
                    opt=1, loop_vectorize=False, slp_vectorize=False
                )
                passes.run(function, builder)


class _KernelLibrary(Library):
    """What a kernel becomes."""

    def finalize(self) -> None:
        self._linking_libraries = list(all_needed(self._linking_libraries))
        super().finalize()

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(opt=2, loop_vectorize=True, slp_vectorize=False)
        passes.run(self._final_module, builder)


def all_needed(libraries: Iterable[Any]) -> dict[Any, None]:
    """Returns the libraries and those that parts among them need, each once, in order."""
    found: dict[Any, None] = {}
    for library in libraries:
        found |= getattr(library, "needed", {library: None})
    return found


class KernelCompiler(Compiler):
    """Compiles what Python calls."""

    def __init__(self, typing: Any, target: Any, library: Any, *others: Any):
        made = _KernelLibrary(target.codegen(), "kernel")
        made.enable_object_caching()
        super().__init__(typing, target, made, *others)
