"""Puts ES modules into one script, for pages that are opened as a file, where browsers load no modules.

Each module becomes a function that is called once, after those that it imports; what it returns is what it
exports. So the studio's modules serve as they are. What they are written with is understood and nothing more:
anything else is refused rather than passed on.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Mapping
from pathlib import Path

IMPORT = re.compile(r'^import (?P<what>\* as \w+|\{[^}]*\}) from "(?P<path>\.{1,2}/[^"]+)";$', re.M)
DECLARED = re.compile(
    r"^export (?=(?:(?:async )?function\*?|class|const) (?P<names>\w+|\[[^\]]*\]|\{[^}]*\}))", re.M
)
LISTED = re.compile(r"^export \{(?P<names>[\w\s,]*)\};$", re.M)
LEFT = re.compile(
    r"^\s*(?:import|export)\b.*|\bimport\(.*|\bimport\.meta\b.*|.*</script.*|.*<!--.*", re.M | re.I
)
TYPE = re.compile(r"@(?:param|returns|type|typedef) \{[^}\n]*\}")  # in a comment


def bundle(first: str, files: Mapping[str, Path]) -> str:
    """Returns one script that runs a module.

    Args:
        first: the module that is run, and begins everything.
        files: where modules are, by the paths by which they import each other.
    """
    made: dict[str, str] = {}
    _add(first, files, made, ())
    body = "\n".join(f'modules["{name}"] = (() => {{\n{text}}})();' for name, text in made.items())
    return f'"use strict";\n(() => {{\nconst modules = {{}};\n{body}\n}})();\n'


def _add(name: str, files: Mapping[str, Path], made: dict[str, str], importers: tuple[str, ...]) -> None:
    """Adds a module behind those that it imports."""
    if name in made:
        return
    if name in importers:
        raise ValueError(
            f"expected modules that do not import each other, got {' → '.join(importers)} → {name}"
        )
    source = files[name].read_text(encoding="utf-8")
    for match in IMPORT.finditer(source):
        _add(_path(name, match["path"]), files, made, (*importers, name))
    made[name] = _wrapped(name, source)


def _path(module: str, imported: str) -> str:
    """Returns the path in the folder of what a module imports."""
    return os.path.normpath(f"{os.path.dirname(module)}/{imported}").replace(os.sep, "/").lstrip("/")


def _wrapped(name: str, source: str) -> str:
    """Returns a module as the body of a function: imports are constants, exports are returned."""
    found = [*DECLARED.finditer(source), *LISTED.finditer(source)]
    exported = [word for match in found for word in re.findall(r"\w+", match["names"])]

    def constant(match: re.Match[str]) -> str:
        what = match["what"].removeprefix("* as ").replace(" as ", ": ")
        return f'const {what} = modules["{_path(name, match["path"])}"];'

    text = LISTED.sub("", DECLARED.sub("", IMPORT.sub(constant, source)))
    left = LEFT.search(TYPE.sub("", text))
    if left:
        raise ValueError(f"cannot put {name} into a page: {left[0].strip()[:80]}")
    return f"{text.rstrip()}\nreturn {{ {', '.join(exported)} }};\n"
