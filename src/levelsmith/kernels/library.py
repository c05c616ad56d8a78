"""How code goes through LLVM: lightly each function of a kernel and its parts, then the kernel as a whole.

Parts are linked once, into the kernel that they end up in. There LLVM's second level with vector loops is as
good as its third, in two thirds of the time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class _Library(JITCodeLibrary):
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


class _PartLibrary(_Library):
    """What a part becomes: it waits to be linked and optimised until it is inside a kernel."""

    def finalize(self) -> None:
        self.needed = {self: None, **_all_needed(self._linking_libraries)}
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        self._ensure_finalized()
        if self._shared_module is None:
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == Linkage.external:
                    function.linkage = Linkage.linkonce_odr
            self._shared_module = self._final_module
        return self._shared_module

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # nothing to call from Python

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Does nothing: what has no code of its own has no environment."""


class _KernelLibrary(_Library):
    """What a kernel becomes."""

    def finalize(self) -> None:
        self._linking_libraries = list(_all_needed(self._linking_libraries))
        super().finalize()

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(opt=2, loop_vectorize=True, slp_vectorize=False)
        passes.run(self._final_module, builder)


def _all_needed(libraries: Iterable[Any]) -> dict[Any, None]:
    """Returns the libraries and those that parts among them need, each once, in order."""
    found: dict[Any, None] = {}
    for library in libraries:
        found |= library.needed if isinstance(library, _PartLibrary) else {library: None}
    return found


class PartCompiler(Compiler):
    """Compiles what kernels call."""

    def __init__(self, typing: Any, target: Any, library: Any, *others: Any):
        super().__init__(typing, target, _PartLibrary(target.codegen(), "part"), *others)


class KernelCompiler(Compiler):
    """Compiles what Python calls."""

    def __init__(self, typing: Any, target: Any, library: Any, *others: Any):
        made = _KernelLibrary(target.codegen(), "kernel")
        made.enable_object_caching()
        super().__init__(typing, target, made, *others)
