"""The tiles of a game as SVG, for the pages to draw boards with."""

from __future__ import annotations

from typing import Any

from levelsmith.contracts import Game
from levelsmith.levels.formats.sheet import THEME, sprites_of
from levelsmith.levels.formats.svg import SVG_SPACE, element
from levelsmith.levels.look import UNITS, Look, Sprite
from levelsmith.registry import games


def sprites(game: str, theme: str = "light") -> dict[str, Any]:
    """Returns the tiles of a game that is called so."""
    return drawn_tiles(games.get(game), theme)


def drawn_tiles(game: Game, theme: str = "light") -> dict[str, Any]:
    """Returns each tile whole, and what of it stands on another tile: a box on a goal is a box, on a goal."""
    look: Look = game.look()
    colours = look.palettes[THEME.check(theme)]
    drawn = dict(zip(game.tiles.names, sprites_of(look, game.name, game.tiles), strict=True))

    def document(shapes: Sprite) -> str:
        inside = "".join(element(shape, colours) for shape in shapes)
        return f'<svg xmlns="{SVG_SPACE}" viewBox="0 0 {UNITS} {UNITS}">{inside}</svg>'

    def top(name: str) -> Sprite:
        sprite = drawn[name]
        below = [len(other) for other in drawn.values() if len(other) < len(sprite)]
        return sprite[max((n for n in below if sprite[:n] in drawn.values()), default=0) :]

    return {
        "cell": UNITS,
        "tiles": {name: document(sprite) for name, sprite in drawn.items()},
        "tops": {name: document(top(name)) for name in drawn},
    }
