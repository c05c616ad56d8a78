"""What the objects of a PuzzleScript game look like: rows of colours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from levelsmith.games.puzzlescript.colours import long_colours

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.compile import Program

SIDE = 5  # pixels of a sprite
COLOUR = re.compile("#[0-9a-f]{6}")
ODD = "#ff00ff"  # in place of a colour that is none
NO_PAGE = "#000000"  # behind a game whose background colour is none

Pixels = list[list[str | None]]  # rows of colours, None where what is below shows


def pixels_of(program: Program, number: int) -> Pixels:
    """Returns the sprite of an object of a game."""
    thing = program.source.objects[program.names[number]]
    palette = program.source.prelude.get("color_palette", "")
    colours = [shown_colour(c, ODD) for c in long_colours(thing.colours, palette)]
    if not thing.sprite:
        return [[colours[0]] * SIDE for _ in range(SIDE)]
    rows = [row.ljust(SIDE, ".") for row in thing.sprite] + ["." * SIDE] * SIDE
    return [[_colour(colours, c) for c in row[:SIDE]] for row in rows[:SIDE]]


def page_colour(program: Program) -> str:
    """Returns the colour behind everything."""
    prelude = program.source.prelude
    (page,) = long_colours([prelude.get("background_color", "black")], prelude.get("color_palette", ""))
    return shown_colour(page, NO_PAGE) or NO_PAGE


def shown_colour(colour: str, otherwise: str) -> str | None:
    """Returns a colour as pictures take it; None for no colour."""
    return None if colour == "transparent" else colour if COLOUR.fullmatch(colour) else otherwise


def _colour(colours: list[str | None], digit: str) -> str | None:
    return colours[int(digit)] if digit in "0123456789"[: len(colours)] else None
