"""What kernels call, kept on disk: each part is typed and lowered once for its types, for all kernels.

A part has no machine code of its own. What is kept is its bitcode, with the names of the parts that it calls;
all of them are linked and optimised in the kernel that they end up in.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from llvmlite.binding import Linkage
from numba.core import typing
from numba.core.compiler import Compiler, compile_result
from numba.core.environment import Environment

from levelsmith.kernels.cache import entry_name, machine_of, read_entry, write_entry
from levelsmith.kernels.library import Library, all_needed
from levelsmith.kernels.sources import folder_for

FOLDER = "parts"  # beside the kernels

finished: Callable[[], None] | None = None  # called after each part

_libraries: dict[Path, PartLibrary] = {}  # of parts that are kept


class PartLibrary(Library):
    """The code of a part: it waits to be linked and optimised until it is inside a kernel."""

    kept: Path | None = None  # where

    def finalize(self) -> None:
        others = [library for library in self._linking_libraries if not isinstance(library, PartLibrary)]
        self.parts = [library for library in self._linking_libraries if isinstance(library, PartLibrary)]
        self._take_in(others)
        self._seal()

    def _take_in(self, libraries: Iterable[Any]) -> None:
        """Makes what numba itself and kernels are made of a private matter of this part.

        The names of their functions are a process's own, and in here they may come to take other arguments.
        A private name is in no table of symbols: LLVM's linker takes even an internal one, once it is loaded,
        for the function of that name that another kernel calls.
        """
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        for library in dict.fromkeys(libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        for function in self._final_module.functions:
            if not function.is_declaration:
                function.linkage = Linkage.linkonce_odr if function.name in own else Linkage.private

    def _seal(self) -> None:
        self.needed = {self: None, **all_needed(self.parts)}
        for part in self.parts:
            self._reload_init.update(part._reload_init)
        self._finalize_dynamic_globals()
        self._shared_module = self._final_module
        self._finalized = True

    @classmethod
    def read(cls, codegen: Any, bitcode: bytes, parts: list[PartLibrary]) -> PartLibrary:
        library = cls(codegen, "part")
        library._final_module = llvm.parse_bitcode(bitcode)
        library.parts = parts
        library._seal()
        return library

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # nothing to call from Python

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Does nothing: what has no code of its own has no environment."""


class PartCompiler(Compiler):
    """Compiles what kernels call, or reads what was kept of it."""

    def __init__(self, typing: Any, target: Any, library: Any, *others: Any):
        super().__init__(typing, target, PartLibrary(target.codegen(), "part"), *others)

    def compile_extra(self, func: Any) -> Any:
        try:
            return self._read_or_compiled(func)
        finally:
            if finished is not None:
                finished()

    def _read_or_compiled(self, func: Any) -> Any:
        state = self.state
        codegen = state.targetctx.codegen()
        name = entry_name(func, state.args, machine_of(codegen), state.flags.summary(), state.return_type)
        folder = folder_for(func, state.args)
        path = None if folder is None else folder / FOLDER / name
        found = path and self._kept(path)
        if found:
            return found
        self._name = name
        made = super().compile_extra(func)
        if path is not None:
            self._keep(path, made)
        return made

    def _compile_bytecode(self) -> Any:
        """Names the function after what it is, so that its name is the same in every process."""
        function = self.state.func_id
        function.unique_id = int(self._name.rpartition("-")[2], 16)
        function.unique_name = f"{function.func_qualname}${function.unique_id}"
        return super()._compile_bytecode()

    def _keep(self, path: Path, made: Any) -> None:
        library, about = made.library, copy.copy(made.fndesc)
        if library.has_dynamic_globals or library._reload_init or about.global_dict is not None:
            return  # bound to this process
        if any(part.kept is None for part in library.parts) or about.argtypes != tuple(self.state.args):
            return
        about.typemap = about.calltypes = None
        about.argtypes = ()  # who reads it knows them
        parts = [(part.kept.parents[1].name, part.kept.name) for part in library.parts]
        try:
            data = pickle.dumps((about, parts, library._final_module.as_bitcode()))
            path.parent.mkdir(mode=0o700, exist_ok=True)
            write_entry(path, data)
        except (OSError, pickle.PicklingError, TypeError, AttributeError):
            return  # compiled again next time
        library.kept = path
        _libraries[path] = library

    def _kept(self, path: Path) -> Any:
        found = read_part(path, self.state.targetctx.codegen())
        if found is None:
            return None
        about, library = found
        state = self.state
        about.argtypes = tuple(state.args)
        environment = Environment.from_fndesc(about)
        entry = state.targetctx.get_executable(library, about, environment)
        state.targetctx.insert_user_function(entry, about, [library])
        return compile_result(
            typing_context=state.typingctx,
            target_context=state.targetctx,
            entry_point=entry,
            library=library,
            signature=typing.signature(about.restype, *state.args),
            objectmode=False,
            fndesc=about,
            environment=environment,
        )


def read_part(path: Path, codegen: Any) -> tuple[Any, PartLibrary] | None:
    """Returns what is known of a part and its code; None where it is not kept, or something that it calls."""
    data = read_entry(path)
    if data is None:
        return None
    try:
        about, names, bitcode = pickle.loads(data)  # noqa: S301
        if path not in _libraries:
            parts = [_library(path.parents[2] / folder / FOLDER / name, codegen) for folder, name in names]
            _libraries[path] = PartLibrary.read(codegen, bitcode, parts)
            _libraries[path].kept = path
    except Exception:  # of another version, whatever its key says, or a part is gone: compiled again
        return None
    return about, _libraries[path]


def _library(path: Path, codegen: Any) -> PartLibrary:
    if path not in _libraries:
        read_part(path, codegen)
    return _libraries[path]
