"""Python inside a page: Pyodide's core as npm has it, and our modules that read PuzzleScript sources.

Where a source is pasted, the page loads one script beside it with all of that; no server is asked. The
modules are those that everything else here reads sources with. In place of numpy and of what makes kernels
come two small ones, for Pyodide's core has neither.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tarfile
import zipfile
import zlib
from base64 import b64encode
from collections.abc import Iterator, Mapping
from gzip import compress
from pathlib import Path
from typing import Any

from levelsmith.errors import LevelsmithError, quoted
from levelsmith.files import read_plain_file
from levelsmith.publish import page as pages
from levelsmith.registry import games
from levelsmith.studio.compiled import with_files
from levelsmith.studio.modules import PACKAGE

SCRIPTED = str(games.finder).rpartition(".")[0]  # the package that reads games from sources
FIRST = (f"{SCRIPTED}.plain", f"{SCRIPTED}.kernels.state")
INSIDE = Path(__file__).parent / "inside"
IN_PLACE = {"numpy": INSIDE / "arrays.py", "levelsmith.kernels.compile": INSIDE / "uncompiled.py"}
CORE = {  # of the package, by what the page calls them
    "module": "pyodide.asm.mjs",
    "wasm": "pyodide.asm.wasm",
    "loader": "pyodide.mjs",
    "library": "python_stdlib.zip",
}
LOCK = "pyodide-lock.json"
UNUSED = re.compile(  # of Python's own library: what neither Pyodide's begin nor our modules import
    r"(_pyio|_pyrepl|argparse|bdb|configparser|ctypes|curses|dbm|doctest|email|ftplib|html|http|imaplib|ipaddress"
    r"|mailbox|multiprocessing|optparse|pdb|pickletools|plistlib|poplib|profile|pstats|pydoc|pydoc_data|smtplib"
    r"|sqlite3|statistics|tomllib|trace|unittest|webbrowser|wsgiref|xml|xmlrpc)[/.]"
    r"|encodings/(?!__init__|aliases|ascii|cp437|idna|latin_1|utf_8)"
)
MOST_BYTES = 60_000_000  # of the package
HOW = "npm pack pyodide@314.0.7"  # the one that is tried
EARLY = (1980, 1, 1, 0, 0, 0)


def python_script(package: str) -> bytes:
    """Returns the script that brings Python to a page.

    Args:
        package: the file that `npm pack pyodide` writes.
    """
    found = _core(package)
    try:
        found[CORE["library"]] = _without_unused(found[CORE["library"]])
        lock = {**json.loads(found[LOCK]), "packages": {}}
    except (zipfile.BadZipFile, ValueError, TypeError, EOFError, NotImplementedError, zlib.error):
        raise _refusal(package, "is damaged") from None
    parts: dict[str, Any] = {name: _packed(found[file]) for name, file in CORE.items()}
    parts |= {"lock": lock, "sources": _packed(sources())}
    game = SCRIPTED.rpartition(".")[2]
    told = {
        "parts": parts,
        "worker": pages.read(INSIDE / "worker.js"),
        "compiled": {game: with_files(game)},
        "scripts": {name.partition(":")[2]: text for name, text in games.sources.items()},
    }
    return f"globalThis.carriedPython = {json.dumps(told, sort_keys=True)};\n".encode()


def _core(package: str) -> dict[str, bytes]:
    """Returns the files of Pyodide's core."""
    data = read_plain_file(Path(package), "the package of Pyodide", MOST_BYTES)
    wanted = {f"package/{name}": name for name in (*CORE.values(), LOCK)}
    found = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for member in archive:
                if member.name in wanted and member.isfile() and member.size <= MOST_BYTES:
                    file = archive.extractfile(member)
                    found[wanted[member.name]] = file.read() if file else b""
    except (tarfile.TarError, EOFError, OSError, ValueError):
        found = {}
    for name in wanted.values():
        if name not in found:
            raise _refusal(package, f"has no {name}")
    return found


def _refusal(package: str, reason: str) -> LevelsmithError:
    return LevelsmithError(
        f"expected the package of Pyodide from npm, got {quoted(package)}, which {reason}; get one by: {HOW}"
    )


def _without_unused(library: bytes) -> bytes:
    """Returns Python's own library without what is not used, stored, for all is packed together."""
    with zipfile.ZipFile(io.BytesIO(library)) as archive:
        return _archive({name: archive.read(name) for name in archive.namelist() if not UNUSED.match(name)})


def sources() -> bytes:
    """Returns our modules as an archive that Python imports from."""
    files = {}
    for name, file in sorted(needed().items()):
        ending = "/__init__.py" if file.name == "__init__.py" or name == "numpy" else ".py"
        files[name.replace(".", "/") + ending] = file.read_bytes()
    return _archive(files)


def _archive(files: Mapping[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, EARLY), data)
    return target.getvalue()


def needed() -> dict[str, Path]:
    """Returns the files of the modules that reading sources takes, by their names."""
    found: dict[str, Path] = {}
    waiting = list(FIRST)
    while waiting:
        name = waiting.pop()
        file = IN_PLACE.get(name) or _file(name)
        if name in found or file is None or name == PACKAGE.name:  # which begins more than a page has
            continue
        found[name] = file
        waiting += [name.rpartition(".")[0], *_imported(ast.parse(file.read_text(encoding="utf-8")))]
    return found


def _file(name: str) -> Path | None:
    """Returns the file of one of our modules; None for names in them, and for modules of others."""
    first, _, path = name.partition(".")
    base = PACKAGE / path.replace(".", "/")
    files = (base / "__init__.py", base.with_suffix(".py")) if path else (base / "__init__.py",)
    return next((file for file in files if file.is_file()), None) if first == PACKAGE.name else None


def _imported(module: ast.Module) -> Iterator[str]:
    """Yields what a module imports while it is loaded."""
    for line in module.body:
        if isinstance(line, ast.ImportFrom):
            yield str(line.module)
            yield from (f"{line.module}.{each.name}" for each in line.names)
        elif isinstance(line, ast.Import):
            yield from (each.name for each in line.names)


def _packed(data: bytes) -> str:
    return b64encode(compress(data, mtime=0)).decode()
