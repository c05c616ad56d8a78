"""The tiles of a game as SVG, for the pages to draw boards with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from levelsmith.contracts import NONE, Game
from levelsmith.levels.formats.sheet import THEME, sprites_of
from levelsmith.levels.formats.svg import SVG_SPACE, element
from levelsmith.levels.look import UNITS, Look, Sprite
from levelsmith.registry import games
from levelsmith.tiles import Tile


def sprites(game: str, theme: str = "light") -> dict[str, Any]:
    """Returns the tiles of a game that is called so."""
    return drawn_tiles(games.get(game), theme)


def drawn_tiles(game: Game, theme: str = "light", own: Mapping[str, str] = NONE) -> dict[str, Any]:
    """Returns each tile whole, and what of it stands on another tile: a box on a goal is a box, on a goal.

    Args:
        game: whose tiles they are.
        theme: for light or for dark pages.
        own: pictures in place of the game's own, by the names of tiles, as addresses of data. A tile that has
            one, or is made of tiles that have some, is told as the list of what lies on each other.
    """
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

    def layers(tile: Tile) -> list[str]:
        ground, *others = tile.parts or (tile.name,)
        if tile.name in own:
            others = [*others[:-1], tile.name]
        lowest = own.get(ground) or document(drawn[ground])
        return [lowest, *(own.get(name) or document(top(name)) for name in others if name != ground)]

    def whole(tile: Tile) -> str | list[str]:
        return layers(tile) if own.keys() & {tile.name, *tile.parts} else document(drawn[tile.name])

    def above(tile: Tile) -> str | list[str]:
        return layers(tile)[-1:] if own.keys() & {tile.name, *tile.parts[-1:]} else document(top(tile.name))

    return {
        "cell": UNITS,
        "tiles": {tile.name: whole(tile) for tile in game.tiles},
        "tops": {tile.name: above(tile) for tile in game.tiles},
    }
