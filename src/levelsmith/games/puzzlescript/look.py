"""What a PuzzleScript game looks like: the sprites of its author, five by five pixels an object."""

from __future__ import annotations

from collections import Counter

from levelsmith.games.puzzlescript.cells import CellSets
from levelsmith.games.puzzlescript.pixels import SIDE, Pixels, page_colour
from levelsmith.levels.look import THEMES, UNITS, Look, Rect, Sprite, ground

PIXEL = UNITS / SIDE


def look_of(cells: CellSets) -> Look:
    """Returns sprites and colours of a game's tiles; a colour is its own name, on any page."""
    page = page_colour(cells.program)
    sprites: dict[str, Sprite] = {}
    terminal = {}
    drawn = {i: _shapes(cells.pixels(i)) for i, name in enumerate(cells.names) if name}
    for name, found in zip(cells.tiles.names, cells.sets, strict=True):
        objects = cells.objects(found)
        shapes = sum((drawn[i] for i in objects), ())
        whole = bool(shapes) and shapes[0] == Rect(0, 0, UNITS, UNITS, shapes[0].colour)
        sprites[name] = shapes if whole else ground(page) + shapes
        terminal[name] = _two_colours([cells.pixels(i) for i in objects], page)
    used = {shape.colour for sprite in sprites.values() for shape in sprite}
    used |= {colour for pair in terminal.values() for colour in pair}
    return Look(sprites, {theme: {colour: colour for colour in used} for theme in THEMES}, terminal)


def _shapes(pixels: Pixels) -> Sprite:
    """Returns pixels as few rectangles; what fills its cell lies on one of its commonest colour."""
    colours = Counter(colour for row in pixels for colour in row)
    below: Sprite = ()
    left = [list(row) for row in pixels]
    if None not in colours:
        common = str(colours.most_common(1)[0][0])
        below = ground(common)
        left = [[None if colour == common else colour for colour in row] for row in left]
    found = []
    for y in range(SIDE):
        for x in range(SIDE):
            colour = left[y][x]
            if colour is None:
                continue
            right = x
            while right < SIDE and left[y][right] == colour:
                right += 1
            bottom = y
            while bottom < SIDE and all(one == colour for one in left[bottom][x:right]):
                left[bottom][x:right] = [None] * (right - x)
                bottom += 1
            size = (right - x) * PIXEL, (bottom - y) * PIXEL
            found.append(Rect(x * PIXEL, y * PIXEL, *size, colour))
    return below + tuple(found)


def _two_colours(sprites: list[Pixels], page: str) -> tuple[str, str]:
    """Returns the commonest colour of a cell, and the commonest other one of what is on top in it."""
    seen = [[page] * SIDE for _ in range(SIDE)]
    for pixels in sprites:
        seen = [
            [below if colour is None else colour for below, colour in zip(*rows, strict=True)]
            for rows in zip(seen, pixels, strict=True)
        ]
    often = Counter(colour for row in seen for colour in row)
    first = often.most_common(1)[0][0]
    above = sprites[-1] if sprites else []
    top = Counter(colour for row in above for colour in row if colour not in (None, first))
    other = top or Counter({colour: n for colour, n in often.items() if colour != first})
    return first, str(other.most_common(1)[0][0]) if other else first
