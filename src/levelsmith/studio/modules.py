"""Which modules a page needs, so that a browser fetches them all at once and not one after the other.

A game brings its own: `games/NAME/play.js` of the server lies in the folder `browser` of the game.
`kernels/NAME.wasm` is a library of kernels.
"""

from __future__ import annotations

import os.path
import re
from pathlib import Path

from levelsmith.kernels.built import FOLDER

PACKAGE = Path(__file__).parents[1]
STATIC = PACKAGE / "studio" / "static"
FOLDERS = {  # that lie elsewhere, by their paths on the server
    **{
        folder.parent.relative_to(PACKAGE).as_posix(): folder
        for folder in [*sorted((PACKAGE / "games").glob("*/browser")), PACKAGE / "games" / "browser"]
    },
    "kernels": FOLDER / "wasm",
}
IMPORT = re.compile(r'^(?:import|export)\b[^;]*?from "(\.{1,2}/[^"]+)";$', re.M)


def file_of(module: str) -> Path:
    """Returns the file of a module, by its path on the server."""
    for path, folder in FOLDERS.items():
        if module.startswith(f"{path}/"):
            return folder / module.removeprefix(f"{path}/")
    return STATIC / module


def modules() -> dict[str, Path]:
    """Returns the files of all modules, by their paths on the server."""
    return {
        (Path(path) / file.relative_to(folder)).as_posix(): file
        for path, folder in {"": STATIC, **FOLDERS}.items()
        for file in sorted(folder.rglob("*.js"))
    }


def needed(name: str) -> list[str]:
    """Returns a module and all that it imports, by their paths on the server."""
    found: list[str] = []
    waiting = [name]
    while waiting:
        module = waiting.pop()
        if module in found or not file_of(module).is_file():
            continue
        found.append(module)
        text = file_of(module).read_text(encoding="utf-8")
        waiting += [
            Path(os.path.normpath(os.path.join(os.path.dirname(module), path))).as_posix()
            for path in IMPORT.findall(text)
        ]
    return found


def preloads(page: str) -> str:
    """Returns the header that names the modules of a page ('' for the first one)."""
    names = dict.fromkeys(["app.js", *needed("app.js"), *needed(f"pages/{page or 'home'}.js")])
    return ", ".join(f"</static/{name}>; rel=modulepreload" for name in names)
