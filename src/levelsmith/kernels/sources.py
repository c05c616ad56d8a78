"""Which files decide about what numba compiles: a hash of them names the folder that it is kept in.

Numba keeps compiled code on disk but does not see a change in another file than the kernel's own. So an edit
to any file with kernels, or to any file of a plug-in's package, starts a new folder. Files with kernels
import nothing else of levelsmith that code could depend on.
"""

from __future__ import annotations

import hashlib
import marshal
from functools import cache
from pathlib import Path
from typing import Any

from levelsmith import __version__

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


@cache
def source_hash() -> str:
    """Names the sources as they are now: those of all kernels, and of plug-ins."""
    digest = hashlib.sha256(__version__.encode())
    for file in [*kernel_files(), *sorted(_foreign)]:
        digest.update(file.name.encode() + b"\0")
        digest.update(file.read_bytes() if file.is_file() else b"")
    for code in _typed:
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
