"""A page to draw levels on: each is proved in the page as it is drawn, played there, and sent as a link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from levelsmith import __version__
from levelsmith.errors import LevelsmithError
from levelsmith.publish import page as pages
from levelsmith.publish.colours import style_of
from levelsmith.publish.folder import PAGE
from levelsmith.publish.site import MARK, OWN, Look
from levelsmith.registry import games
from levelsmith.studio.compiled import MAKE, is_made, maker, with_files

FIRST = "publish/playground.js"
OWN_MODULES: dict[str, Path] = {FIRST: OWN / "playground.js"}
TITLE = "Draw a level"


def playground(look: Look) -> dict[str, bytes]:
    """Returns the files of a playground, by name: one page."""
    if look.sprites is not None or not look.help:
        option = "--sprites" if look.sprites is not None else "--no-hints"
        raise LevelsmithError(f"{option} is for packs: leave it out for a playground")
    styles = [pages.read(OWN / "publish.css"), *([] if look.colour is None else [style_of(look.colour)])]
    title = look.title or TITLE
    written = pages.page(
        OWN / "page.html",
        MARK,
        FIRST,
        OWN_MODULES,
        styles,
        _data(title),
        title=title,
        credits=f"{look.credits}\n" if look.credits else "",
        version=__version__,
    )
    return {PAGE: written.encode()}


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
