"""The page of the demo: one file with levels, rules and style inside, which asks for nothing else."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import quote

from levelsmith import __version__
from levelsmith.core import Level
from levelsmith.demo.bundle import bundle
from levelsmith.demo.make import DemoLevels
from levelsmith.levels.look import THEMES
from levelsmith.levels.measure import Known
from levelsmith.registry import games
from levelsmith.studio.compiled import MAKE, NEEDS, is_made, maker, with_files
from levelsmith.studio.modules import STATIC, file_of, modules
from levelsmith.studio.sprites import sprites

OWN = Path(__file__).parent / "static"
STYLES = (STATIC / "style.css", STATIC / "pages.css", OWN / "demo.css")
FIRST = "demo/main.js"
WORKER = "worker.js"  # of the studio
OWN_MODULES = {FIRST: OWN / "main.js", "api.js": OWN / "api.js"}  # the second answers in place of a server
MARK = '<meta name="generator" content="levelsmith demo">'  # what bears it may be replaced
POLICY = (
    "default-src 'none'; script-src {scripts} 'wasm-unsafe-eval'; worker-src blob:; style-src {styles}; "
    "img-src data:; base-uri 'none'; form-action 'none'"
)


def page(made: Sequence[DemoLevels]) -> str:
    """Returns the page, the same for the same levels."""
    theme = _read(STATIC / "theme.js")
    files = {**modules(), **OWN_MODULES}
    script = bundle(FIRST, files)
    style = "\n".join(_read(path) for path in STYLES)
    policy = POLICY.format(scripts=f"{_digest(theme)} {_digest(script)}", styles=_digest(style))
    return Template(_read(OWN / "page.html")).substitute(
        mark=MARK,
        policy=html.escape(policy, quote=True).replace("&#x27;", "'"),
        icon="data:image/svg+xml," + quote(_read(STATIC / "icon.svg").strip()),
        version=html.escape(__version__),
        style=style,
        theme=theme,
        data=json.dumps(_data(made), sort_keys=True).replace("<", "\\u003c"),
        script=script,
        worker=bundle(WORKER, files),
    )


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Returns the source that a content security policy allows an inline script or style by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _data(made: Sequence[DemoLevels]) -> dict[str, Any]:
    """Returns what the page knows: its levels, and of each game tiles, their look, kernels and the maker."""
    named = sorted({each.part.request.game for each in made})
    return {
        "levels": [
            _level(level, known)
            for each in made
            for level, known in zip(each.levels, each.known, strict=True)
        ],
        "games": [
            {
                "name": name,
                "tiles": [
                    {"name": t.name, "char": t.symbol, "aliases": t.aliases} for t in games.get(name).tiles
                ],
            }
            for name in named
        ],
        "compiled": {
            **{name: with_files(name) for name in named if file_of(f"games/{name}/{NEEDS}").is_file()},
            **{f"{name} {MAKE}": with_files(name, MAKE) for name in named if is_made(name)},
        },
        "makers": {name: maker(name) for name in named if is_made(name)},
        "sprites": {name: {theme: sprites(name, theme) for theme in THEMES} for name in named},
    }


def _level(level: Level, known: Known) -> dict[str, Any]:
    height, width = level.size
    metrics, headline = known
    told: dict[str, Any] = {
        "game": level.game,
        "title": level.title,
        "size": f"{width}x{height}",
        "text": level.text,
        "solution": level.solution,
        "told": headline,
    }
    game = games.get(level.game)
    grade = game.grade(metrics or {})
    return told if grade is None else {**told, "tier": grade, "optimal": game.is_shortest(level)}
