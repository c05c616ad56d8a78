"""A page to draw levels on: each is proved in the page as it is drawn, played there, and sent as a link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from levelsmith.errors import LevelsmithError
from levelsmith.publish import page as pages
from levelsmith.publish.folder import PAGE
from levelsmith.publish.pyodide import python_script
from levelsmith.publish.site import OWN, PYTHON, Look, page_of
from levelsmith.registry import games
from levelsmith.studio.compiled import MAKE, is_made, maker, with_files

OWN_MODULES: dict[str, Path] = {
    f"publish/{name}": OWN / name for name in ("playground.js", "sources.js", "python.js")
}
OF_PYTHON = " 'self' blob:"  # Python's scripts come from a file beside the page, and from what it unpacks
TITLE = "Draw a level"


def playground(look: Look, package: str | None = None) -> dict[str, bytes]:
    """Returns the files of a playground, by name: one page, and Python beside it where a package is named.

    Args:
        look: of the page.
        package: the file of npm's package pyodide, for sources of PuzzleScript; None for a page without.
    """
    if look.sprites is not None or not look.help:
        option = "--sprites" if look.sprites is not None else "--no-hints"
        raise LevelsmithError(f"{option} is for packs: leave it out for a playground")
    title = look.title or TITLE
    beside = {} if package is None else {PYTHON: python_script(package)}
    data = _data(title) | {"python": PYTHON if beside else None}
    credits = f"{look.credits}\n" if look.credits else ""
    also = OF_PYTHON if beside else ""
    return {PAGE: page_of(look, OWN_MODULES, data, title, credits, also), **beside}


def _data(title: str) -> dict[str, Any]:
    """Returns what the page knows: of each game that it can prove levels of, tiles, look, kernels, maker."""
    named = sorted(
        (name for name in games if games.ships(name) and pages.is_drawable(games.get(name))),
        key=lambda name: (not is_made(name), -len(games.get(name).tiles)),
    )
    drawn = {name: pages.game_data(name) for name in named}
    compiled = {name: kernels for name in named if (kernels := pages.kernels_data(name))}
    made = [name for name in named if is_made(name)]
    sizes = {}
    for name in named:
        game = games.get(name)
        height, width = (side + 2 * game.border for side in game.default_size)
        sizes[name] = [width, height]
    return {
        "pack": {"title": title, "sizes": sizes},
        "levels": [],
        "games": [drawn[name]["kind"] for name in named],
        "sprites": {name: drawn[name]["sprites"] for name in named},
        "compiled": compiled | {f"{name} {MAKE}": with_files(name, MAKE) for name in made},
        "makers": {name: maker(name) for name in made},
    }
