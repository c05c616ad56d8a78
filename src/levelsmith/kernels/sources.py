"""Which files decide about compiled code: a hash of them names the folder that it is kept in.

Numba keeps compiled code on disk but does not see a change in another file than the kernel's own. So an edit
to any file with kernels starts a new folder; those files import nothing else of levelsmith that code could
depend on. What is compiled for a type from outside levelsmith lies in a second folder, whose hash includes
all files of the plug-ins' packages.
"""

from __future__ import annotations

import hashlib
import marshal
from functools import cache
from pathlib import Path
from typing import Any

from numba import types

from levelsmith import __version__
from levelsmith.kernels.cache import cache_folder

NAME = __name__.partition(".")[0]
PACKAGE = Path(__file__).resolve().parent.parent

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
        _foreign.update(_package_of(file))
    else:  # typed at a prompt: the code itself is all there is
        _typed.append(marshal.dumps(function.__code__))
    source_hash.cache_clear()


def is_own(thing: Any) -> bool:
    """Returns whether a class or function is one of levelsmith's."""
    return bool(thing.__module__.startswith(f"{NAME}."))


def takes_foreign(function: Any, sig: Any) -> bool:
    """Returns whether a function is not levelsmith's, or takes something that is not."""
    return not is_own(function) or any(map(_is_foreign, sig))


def _is_foreign(given: Any) -> bool:
    """Returns whether a type of numba holds a NamedTuple that is not one of levelsmith's."""
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
    for file in [*kernel_files(), *(sorted(_foreign) if foreign else [])]:
        digest.update(file.name.encode() + b"\0")
        digest.update(file.read_bytes() if file.is_file() else b"")
    for code in _typed if foreign else []:
        digest.update(code)
    return digest.hexdigest()[:16]


def kernel_files() -> list[Path]:
    """Returns the files of levelsmith with compiled code: in folders `kernels`, or called `kernels.py`."""
    return sorted(f for f in PACKAGE.rglob("*.py") if f.stem == "kernels" or f.parent.name == "kernels")


def _package_of(file: Path) -> list[Path]:
    """Returns the files of the package that a file is part of, or else those in its folder."""
    top = file.parent
    if not (top / "__init__.py").is_file():
        return list(top.glob("*.py"))
    while (top.parent / "__init__.py").is_file():
        top = top.parent
    return list(top.rglob("*.py"))
