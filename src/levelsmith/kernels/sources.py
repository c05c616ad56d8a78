"""Which files decide about compiled code: a hash of them names the folder that it is kept in.

Numba keeps compiled code on disk but does not see a change in another file than the kernel's own. So an edit
to any file with compiled code, or to one that such a file imports at its top, starts a new folder. What is
compiled for a type from outside levelsmith lies in a second one, whose hash includes the plug-ins' sources.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from numba import types

from levelsmith import __version__
from levelsmith.kernels.cache import cache_folder

NAME = __name__.partition(".")[0]
PACKAGE = Path(__file__).resolve().parent.parent
WHOLE = str(PACKAGE / "__init__.py")  # is no source of constants
IMPORT = re.compile(r"^from +([\w.]+) +import +([^(\n]+|\([^)]*\))", re.MULTILINE)  # at the top: not indented

_foreign: set[Path] = set()
_typed: list[bytes] = []


def add_source(function: Any) -> None:
    """Lets what is compiled for plug-ins depend on the file of a function that lies outside levelsmith."""
    if is_own(function):
        return
    file = Path(function.__code__.co_filename).resolve()
    if file in _foreign:
        return
    if file.is_file():
        _foreign.update(_with_imported([file, *_kernel_files(file.parent.glob("*.py"))]))
    else:  # typed at a prompt: the code itself is all there is
        _typed.append(marshal.dumps(function.__code__))
    source_hash.cache_clear()


def is_own(thing: Any) -> bool:
    """Whether a class or function is one of levelsmith's."""
    return bool(thing.__module__.startswith(f"{NAME}."))


def takes_foreign(function: Any, sig: Any) -> bool:
    """Whether a function is not levelsmith's, or takes something that is not."""
    return not is_own(function) or any(map(_is_foreign, sig))


def _is_foreign(given: Any) -> bool:
    """Whether a type of numba holds a NamedTuple that is not one of levelsmith's."""
    if isinstance(given, types.BaseNamedTuple) and not is_own(given.instance_class):
        return True
    return isinstance(given, types.BaseTuple) and any(map(_is_foreign, given.types))


def folder_for(function: Any, sig: Any) -> Path | None:
    """Returns the folder of what a function is compiled to for the types of a signature; None for nowhere."""
    return cache_folder(source_hash(takes_foreign(function, sig)))


@cache
def source_hash(foreign: bool) -> str:
    """Names the folder for the sources as they are now; with those of plug-ins where they take part."""
    digest = hashlib.sha256(__version__.encode())
    own = _with_imported(_kernel_files(PACKAGE.rglob("*.py")))
    for file in [*own, *(sorted(_foreign) if foreign else [])]:
        digest.update(file.name.encode() + b"\0")
        digest.update(file.read_bytes() if file.is_file() else b"")
    for code in _typed if foreign else []:
        digest.update(code)
    return digest.hexdigest()[:16]


def _kernel_files(files: Iterable[Path]) -> list[Path]:
    """Of files, those that may hold compiled code: in a folder `kernels`, or called `kernels.py`."""
    return [file for file in files if file.stem == "kernels" or file.parent.name == "kernels"]


def _with_imported(files: Iterable[Path]) -> list[Path]:
    """Adds to files what they import from their own package, and what that imports: constants come along."""
    waiting = list(dict.fromkeys(map(str, files)))
    found = set(waiting)
    for file in waiting:  # grows while it is read
        for name, imported in IMPORT.findall(Path(file).read_text(encoding="utf-8")):
            for module in _modules(os.path.dirname(file), name, re.findall(r"\w+", imported)):
                if module not in found:
                    found.add(module)
                    waiting.append(module)
    return sorted(map(Path, waiting))


def _modules(folder: str, name: str, imported: list[str]) -> list[str]:
    """The files of a module of its own package that a file in a folder imports, and of modules inside it."""
    dots = len(name) - len(name.lstrip("."))
    base = _root(folder) if dots == 0 else os.path.normpath(os.path.join(folder, *[".."] * (dots - 1)))
    module = os.path.join(base, *filter(None, name[dots:].split(".")))
    inner = [path for each in imported if _is_file(path := f"{module}{os.sep}{each}.py")]
    outer = [f"{module}.py", os.path.join(module, "__init__.py")] if len(inner) < len(imported) else []
    return [*inner, *(path for path in outer if _is_file(path) and path != WHOLE)]


@cache
def _root(folder: str) -> str:
    """The folder that holds the package that a folder is part of."""
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder


_is_file = cache(os.path.isfile)
