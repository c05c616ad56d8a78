"""The page of the demo: one file with levels, rules and style inside, which asks for nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from levelsmith import __version__
from levelsmith.core import Level
from levelsmith.demo.make import DemoLevels
from levelsmith.levels.measure import Known
from levelsmith.publish import page as pages
from levelsmith.registry import games
from levelsmith.studio.compiled import MAKE, is_made, maker, with_files

OWN = Path(__file__).parent / "static"
FIRST = "demo/main.js"
OWN_MODULES = {FIRST: OWN / "main.js"}
TITLE = "levelsmith: levels to play"
MARK = '<meta name="generator" content="levelsmith demo">'  # what bears it may be replaced


def page(made: Sequence[DemoLevels]) -> str:
    """Returns the page, the same for the same levels."""
    style = pages.read(OWN / "demo.css")
    told = {"title": TITLE, "version": __version__}
    return pages.page(OWN / "page.html", MARK, FIRST, OWN_MODULES, [style], _data(made), **told)


def _data(made: Sequence[DemoLevels]) -> dict[str, Any]:
    """Returns what the page knows: its levels, and of each game tiles, their look, kernels and the maker."""
    named = sorted({each.part.request.game for each in made})
    told = {name: pages.game_data(name) for name in named}
    kernels = {name: found for name in named if (found := pages.kernels_data(name)) is not None}
    return {
        "levels": [
            _level(level, known)
            for each in made
            for level, known in zip(each.levels, each.known, strict=True)
        ],
        "games": [told[name]["kind"] for name in named],
        "compiled": {
            **kernels,
            **{f"{name} {MAKE}": with_files(name, MAKE) for name in named if is_made(name)},
        },
        "makers": {name: maker(name) for name in named if is_made(name)},
        "sprites": {name: told[name]["sprites"] for name in named},
    }


def _level(level: Level, known: Known) -> dict[str, Any]:
    metrics, headline = known
    told = {**pages.level_data(level), "told": headline}
    game = games.get(level.game)
    grade = game.grade(metrics or {})
    return told if grade is None else {**told, "tier": grade, "optimal": game.is_shortest(level)}
