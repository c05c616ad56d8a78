"""Which modules a page needs, so that a browser fetches them all at once and not one after the other."""

from __future__ import annotations

import os.path
import re
from pathlib import Path

IMPORT = re.compile(r'^(?:import|export)\b[^;]*?from "(\.{1,2}/[^"]+)";$', re.M)


def needed(folder: Path, name: str) -> list[str]:
    """Returns a module and all that it imports, as paths in the folder."""
    found: list[str] = []
    waiting = [name]
    while waiting:
        module = waiting.pop()
        if module in found or not (folder / module).is_file():
            continue
        found.append(module)
        text = (folder / module).read_text(encoding="utf-8")
        waiting += [os.path.normpath(f"{os.path.dirname(module)}/{path}") for path in IMPORT.findall(text)]
    return [Path(module).as_posix() for module in found]


def preloads(folder: Path, page: str) -> str:
    """Returns the header that names the modules of a page ('' for the first one)."""
    names = dict.fromkeys(
        ["app.js", *needed(folder, "app.js"), *needed(folder, f"pages/{page or 'home'}.js")]
    )
    return ", ".join(f"</static/{name}>; rel=modulepreload" for name in names)
