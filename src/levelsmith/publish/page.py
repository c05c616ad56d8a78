"""A page in one file, with scripts, kernels, levels and style inside, which asks nobody for anything."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import quote

from levelsmith.contracts import Game
from levelsmith.core import Level
from levelsmith.levels.look import THEMES
from levelsmith.publish.bundle import bundle
from levelsmith.registry import games
from levelsmith.studio.compiled import NEEDS, with_files
from levelsmith.studio.modules import STATIC, file_of, modules
from levelsmith.studio.sprites import drawn_tiles

OWN = Path(__file__).parent / "static"
STYLES = (STATIC / "style.css", STATIC / "pages.css")
API = {"api.js": OWN / "api.js"}  # it answers in place of a server
WORKER = "worker.js"  # of the studio
SHELL = OWN / "shell.html"  # what all pages have around their own
POLICY = (
    "default-src 'none'; script-src {scripts} 'wasm-unsafe-eval'{also}; worker-src blob:; "
    "style-src {styles}; img-src data:; base-uri 'none'; form-action 'none'"
)


def page(
    body: Path,
    mark: str,
    first: str,
    own: Mapping[str, Path],
    styles: Sequence[str],
    data: Mapping[str, Any],
    also: str = "",
    **words: str,
) -> str:
    """Returns a page, the same for the same data.

    Args:
        body: the file of what is its own of its HTML, with `$names` for what is put in.
        mark: the tag by which the page is known again.
        first: the module that begins everything.
        own: its modules that the studio does not have, by their paths.
        styles: what its style has after that of the studio.
        data: what the scripts know, as plain data.
        also: where else it may load scripts from.
        **words: text for other `$names`: the `title`, and what the body asks for.
    """
    theme = read(STATIC / "theme.js")
    files = {**modules(), **API, **own}
    script = bundle(first, files)
    style = "\n".join([*map(read, STYLES), *styles])
    policy = POLICY.format(scripts=f"{_digest(theme)} {_digest(script)}", styles=_digest(style), also=also)
    named = {name: html.escape(text) for name, text in words.items()}
    icon = "data:image/svg+xml," + quote(read(STATIC / "icon.svg").strip())
    return Template(read(SHELL)).substitute(
        named,
        body=Template(read(body)).substitute(named, icon=icon),
        mark=mark,
        policy=html.escape(policy, quote=True).replace("&#x27;", "'"),
        icon=icon,
        style=style,
        theme=theme,
        data=json.dumps(data, sort_keys=True).replace("<", "\\u003c"),
        script=script,
        worker=bundle(WORKER, files),
    )


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Returns the source that a content security policy allows an inline script or style by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def packed(told: Any) -> str:
    """Returns plain data as a text that takes little room, which scripts unpack."""
    data = json.dumps(told, sort_keys=True, separators=(",", ":")).encode()
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def scripts_of(game: Game) -> str:
    """Returns the folder of a game's scripts."""
    return game.scripts or game.name


def is_playable(game: Game) -> bool:
    """Tells whether a page can play levels of a game by its rules."""
    return file_of(f"games/{scripts_of(game)}/play.js").is_file()


def is_drawable(game: Game) -> bool:
    """Tells whether a page where levels of a game are drawn can prove them."""
    return is_playable(game) and file_of(f"games/{scripts_of(game)}/edit.js").is_file()


def game_data(name: str, own: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Returns what a page knows of a game to show levels: its tiles, and whether they have an outside.

    Args:
        name: of the game.
        own: pictures in place of the game's own, by the names of tiles, as addresses of data.
    """
    game = games.get(name)
    told = [
        {"name": t.name, "char": t.symbol, "aliases": t.aliases, "tags": list(t.tags)} for t in game.tiles
    ]
    outside = type(game).outside is not Game.outside
    drawn = {theme: drawn_tiles(game, theme, own or {}) for theme in THEMES}
    return {"kind": {"name": name, "tiles": told, "outside": outside}, "sprites": drawn}


def kernels_data(name: str) -> dict[str, Any] | None:
    """Returns the kernels and constants that a game's scripts take; None where they take none."""
    scripts = scripts_of(games.get(name))
    return with_files(scripts) if file_of(f"games/{scripts}/{NEEDS}").is_file() else None


def level_data(level: Level, solved: bool = True) -> dict[str, Any]:
    """Returns what a page knows of a level, with its solution or without."""
    height, width = level.size
    told = {"game": level.game, "title": level.title, "size": f"{width}x{height}", "text": level.text}
    return {**told, "solution": level.solution} if solved else told
