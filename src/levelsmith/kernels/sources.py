"""Which files decide about compiled code: a hash of them names the folder that it is kept in.

Numba keeps compiled code on disk but does not see a change in another file than the kernel's own. So an edit
to any file with compiled code, or to one that such a file imports at its top, starts a new folder. What is
compiled for a type from outside levelsmith lies in a second one, whose hash includes the plug-ins' sources.
"""

from __future__ import annotations

import hashlib
import marshal
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from levelsmith import __version__

NAME = __name__.partition(".")[0]
PACKAGE = Path(__file__).resolve().parent.parent
IMPORT = re.compile(r"^from +([\w.]+) +import +([^(\n]+|\([^)]*\))", re.MULTILINE)  # at the top: not indented

_foreign: set[Path] = set()
_typed: list[bytes] = []


def add_source(function: Any) -> None:
    """Lets what is compiled for plug-ins depend on the file of a function that lies outside levelsmith."""
    file = Path(function.__code__.co_filename).resolve()
    if PACKAGE in file.parents or file in _foreign:
        return
    if file.is_file():
        _foreign.update(_with_imported([file, *_kernel_files(file.parent.glob("*.py"))]))
    else:  # typed at a prompt: the code itself is all there is
        _typed.append(marshal.dumps(function.__code__))
    source_hash.cache_clear()


def is_own(thing: Any) -> bool:
    """Whether a class or function is one of levelsmith's."""
    return bool(thing.__module__.startswith(f"{NAME}."))


@cache
def source_hash(foreign: bool) -> str:
    """Names the folder for the sources as they are now; with those of plug-ins where they take part."""
    digest = hashlib.sha256(__version__.encode())
    own = _with_imported(_kernel_files(PACKAGE.rglob("*.py")))
    for file in [*sorted(own), *(sorted(_foreign) if foreign else [])]:
        digest.update(file.name.encode() + b"\0")
        digest.update(file.read_bytes() if file.is_file() else b"")
    for code in _typed if foreign else []:
        digest.update(code)
    return digest.hexdigest()[:16]


def _kernel_files(files: Iterable[Path]) -> list[Path]:
    """Of files, those that may hold compiled code: in a folder `kernels`, or called `[…_]kernels.py`."""
    return [
        f for f in files if f.stem == "kernels" or f.stem.endswith("_kernels") or f.parent.name == "kernels"
    ]


def _with_imported(files: list[Path]) -> set[Path]:
    """Adds to files what they import from their own package, and what that imports: constants come along."""
    found, waiting = set(files), list(files)
    for file in waiting:  # grows while it is read
        for name, imported in IMPORT.findall(file.read_text(encoding="utf-8")):
            new = set(_modules(file, name, re.findall(r"\w+", imported))) - found
            found |= new
            waiting += new
    return found


def _modules(file: Path, name: str, imported: list[str]) -> Iterable[Path]:
    """The files of a module of the same package that a file imports, and of modules imported from it."""
    dots = len(name) - len(name.lstrip("."))
    if dots:
        base = file.parents[dots - 1]
    else:
        base = file.parent
        while (base / "__init__.py").is_file():
            base = base.parent
    module = base.joinpath(*name[dots:].split(".")) if name[dots:] else base
    inner = [path for each in imported if (path := module / f"{each}.py").is_file()]
    outer = [module.with_suffix(".py"), module / "__init__.py"] if len(inner) < len(imported) else []
    return [*inner, *(path for path in outer if path.is_file() and path != PACKAGE / "__init__.py")]
