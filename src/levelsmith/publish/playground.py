"""A page to draw levels on: each is proved in the page as it is drawn, played there, and sent as a link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from levelsmith.errors import LevelsmithError
from levelsmith.publish import page as pages
from levelsmith.publish.folder import PAGE
from levelsmith.publish.site import OWN, Look, page_of
from levelsmith.registry import games
from levelsmith.studio.compiled import MAKE, is_made, maker, with_files

OWN_MODULES: dict[str, Path] = {"publish/playground.js": OWN / "playground.js"}
TITLE = "Draw a level"


def playground(look: Look) -> dict[str, bytes]:
    """Returns the files of a playground, by name: one page."""
    if look.sprites is not None or not look.help:
        option = "--sprites" if look.sprites is not None else "--no-hints"
        raise LevelsmithError(f"{option} is for packs: leave it out for a playground")
    title = look.title or TITLE
    return {
        PAGE: page_of(look, OWN_MODULES, _data(title), title, f"{look.credits}\n" if look.credits else "")
    }


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
