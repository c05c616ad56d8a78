"""How styles share a level: one alone, two side by side or on top of each other, three of them.

Of the same style twice, the parts differ in size and place, and so do the levels.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np

from levelsmith.core import Grid, Size
from levelsmith.games.loderunner.construct import masses, monuments, styles
from levelsmith.games.loderunner.construct.pieces import Misfit, Sketch
from levelsmith.games.loderunner.rules.rules import EMPTY, LADDER, Cell

Style = Callable[[Sketch], None]
PLAIN: dict[str, Style] = {
    "terraces": styles.terraces,
    "zigzag": styles.zigzag,
    "chambers": styles.chambers,
    "towers": styles.towers,
    "bridges": styles.bridges,
    "islands": styles.islands,
    "stairs": styles.stairs,
    "comb": masses.comb,
    "vault": masses.vault,
    "net": styles.net,
    "mine": masses.mine,
}
MONUMENTS: dict[str, Style] = {  # symmetrical by themselves
    "pyramid": monuments.pyramid,
    "temple": monuments.temple,
    "diamond": monuments.diamond,
    "rings": monuments.rings,
    "emblem": monuments.emblem,
}
ALL = {**PLAIN, **MONUMENTS}
STYLES = tuple(ALL)
STOREY = 6  # rows of the lowest part
TRIES = 6  # compositions for a style that finds no room
STAIRS = 3  # ways between two parts, at most
GROUND = (0, 0, 1, 3, 4)  # rows of brick below everything
ROOMY = 18  # rows from which on there is room for them
ROOM = 12  # columns below which a part gets no crown


def composed(size: Size, dice: Random, name: str, mirror: bool) -> tuple[Grid, list[Cell]]:
    """Returns the architecture of a level with a style in it, and where gold would be worth a trip.

    Raises Misfit where the style has no room.
    """
    for attempt in range(TRIES):
        whole = Sketch(np.zeros(size, np.uint8), dice)
        plain = attempt == TRIES - 1
        thick = whole.pick(GROUND) if size[0] >= ROOMY and not plain else 0
        try:
            _compose(whole.part(0, 0, size[0] - 1 - thick, size[1] - 1), name, mirror, plain)
        except Misfit:
            continue
        _cellar(whole, thick, mirror)
        if mirror:
            middle = -(-size[1] // 2)
            whole.grid[:, size[1] - middle :] = whole.grid[:, :middle][:, ::-1]
        return whole.grid, whole.prizes
    raise Misfit


def _cellar(d: Sketch, thick: int, mirror: bool) -> None:
    """Brick below everything, with a tunnel in it where it is thick, and ladders down to that."""
    d.slab(d.height - thick, 0, d.width - 1, thick)
    if thick < 3:
        return
    row, wide = d.height - 2, d.width // 2 if mirror else d.width
    left, right = d.between(0, wide // 3), wide - 1 if mirror else d.between(2 * wide // 3, wide - 1)
    d.clear(d.height - thick + 1, left, row, right)
    for column in (
        d.between(left, left + wide // 4),
        *(() if mirror else (d.between(right - wide // 4, right),)),
    ):
        d.climb(d.height - thick - 1, column)
        d.prize(row, column + 2 if column + 2 <= right else left)
    for column in range(left + 2, right, d.between(4, 8)):
        if d.chance(0.4):  # a pillar
            d.wall(column, d.height - thick + 1, row)
            d.clear(row, column, row, column)


def _compose(whole: Sketch, name: str, mirror: bool, plain: bool) -> None:
    """Draws a style in one of several compositions, the plain one if so asked."""
    half = whole.part(0, 0, whole.height - 1, -(-whole.width // 2) - 1, half=True)
    if mirror and name in MONUMENTS:
        _monument(whole, half, name, alone=plain)
    elif mirror:
        _any(half, name, plain, [_alone, _stacked, _stacked, _stacked, _storeys, _storeys])
    elif name in MONUMENTS:
        _any(whole, name, plain, [_beside, _stacked])
    else:
        _any(whole, name, plain, [_alone, _beside, _beside, _stacked, _stacked, _blocks, _storeys])


Composition = Callable[[Sketch, str], None]


def _any(d: Sketch, name: str, plain: bool, compositions: list[Composition]) -> None:
    compositions[0 if plain else d.between(0, len(compositions) - 1)](d, name)


def _alone(d: Sketch, name: str) -> None:
    """A style on the whole of a part, with something of another kind in a corner of it."""
    ALL[name](d)
    _crown(d)
    if d.height >= ROOMY and d.width >= ROOM:
        _annex(d)


def _annex(d: Sketch) -> None:
    """A small building of another style in a lower or upper corner, in place of what was there."""
    high, wide = d.between(STOREY, 9), d.between(6, max(6, d.width // 2 - 1))
    top = d.height - high if d.chance(0.6) else 0
    left = 0 if d.half or d.chance(0.5) else d.width - wide
    end = left + wide if left == 0 else left - 1  # the column between the two
    d.clear(top, min(left, end), top + high - 1, max(left + wide - 1, end))
    if top:
        d.slab(d.height - 1, 0, d.width - 1)
    ALL[d.pick(("islands", "terraces", "zigzag"))](d.part(top, left, top + high - 1, left + wide - 1))
    d.ladder(end, top + 2, d.height - 2 if top else top + high - 1)


def _other(d: Sketch) -> str:
    return d.pick(tuple(PLAIN))


def _beside(d: Sketch, name: str) -> None:
    """A style beside another one."""
    cut = d.width * d.between(7, 13) // 20
    if name in MONUMENTS:
        cut = d.between(min(14, d.width - 6), min(24, d.width - 6))
    names = [name, _other(d)]
    if d.chance(0.5):
        names, cut = names[::-1], d.width - cut
    for style, left, right in zip(names, (0, cut), (cut - 1, d.width - 1), strict=True):
        part = d.part(0, left, d.height - 1, right)
        ALL[style](part)
        if part.width >= ROOM:
            _crown(part)


def _stacked(d: Sketch, name: str) -> None:
    """A style on top of another one, with ladders through the floor between them."""
    cut = d.between(STOREY, d.height - STOREY)
    names = [name, _other(d)] if d.chance(0.5) else [_other(d), name]
    for style, top, bottom in zip(names, (0, cut), (cut - 1, d.height - 1), strict=True):
        ALL[style](d.part(top, 0, bottom, d.width - 1, d.half))
    _crown(d.part(0, 0, cut - 1, d.width - 1, d.half))
    _joined(d, cut - 1)


def _storeys(d: Sketch, name: str) -> None:
    """Three styles on top of each other."""
    spare = d.height - 3 * STOREY
    if spare < 0:
        raise Misfit
    first = STOREY + d.between(0, spare)
    cuts = [0, first, first + STOREY + d.between(0, d.height - first - 2 * STOREY), d.height]
    names = [_other(d), _other(d)]
    names.insert(d.between(0, 2), name)
    for style, top, end in zip(names, cuts, cuts[1:], strict=False):
        ALL[style](d.part(top, 0, end - 1, d.width - 1, d.half))
    for cut in cuts[1:-1]:
        _joined(d, cut - 1)


def _blocks(d: Sketch, name: str) -> None:
    """Two styles side by side, and a third above or below them."""
    cut, along = d.between(STOREY, d.height - STOREY), d.width * d.between(6, 14) // 20
    above = d.chance(0.5)
    top, bottom = d.part(0, 0, cut - 1, d.width - 1), d.part(cut, 0, d.height - 1, d.width - 1)
    long, cleft = (top, bottom) if above else (bottom, top)
    parts = [
        long,
        cleft.part(0, 0, cleft.height - 1, along - 1),
        cleft.part(0, along, cleft.height - 1, d.width - 1),
    ]
    names = [_other(d), _other(d)]
    names.insert(d.between(0, 2), name)
    for style, part in zip(names, parts, strict=True):
        ALL[style](part)
    _crown(top)
    _joined(d, cut - 1)


def _monument(whole: Sketch, half: Sketch, name: str, alone: bool) -> None:
    """A monument alone, or on a low building that is symmetrical as well."""
    if alone:
        return _alone(whole, name)
    cut = whole.height - whole.between(STOREY, whole.height - 10)
    upper = whole.part(0, 0, cut - 1, whole.width - 1)
    ALL[name](upper)
    _crown(upper, middle=True)
    PLAIN[_other(whole)](half.part(cut, 0, whole.height - 1, half.width - 1, half=True))
    _joined(half, cut - 1)
    return None


def _joined(d: Sketch, row: int) -> None:
    """Ladders through a floor in a row, where there is air below it, and now and then a gap in it."""
    free = [
        column
        for column in range(d.width)
        if d.hard(row, column) and d.grid[row - 1, column] == EMPTY and d.grid[row + 1, column] == EMPTY
    ]
    d.dice.shuffle(free)
    stairs: list[int] = []
    for column in free:
        if all(abs(column - other) > d.width // 4 for other in stairs) and d.climb(row, column):
            stairs.append(column)
        if len(stairs) == STAIRS:
            break
    wide = d.between(2, 4)
    for column in free if d.chance(0.4) else []:
        cells = range(column, column + wide)
        if (
            all(other in free and d.hard(row, other) for other in cells)
            and not (d.grid[row - 1 : row + 2, max(0, column - 1) : column + wide + 1] == LADDER).any()
        ):
            d.clear(row, column, row, column + wide - 1)
            break


def _crown(d: Sketch, middle: bool = False) -> None:
    """Something high above a low building, around its middle if it must."""
    free = int((d.grid == EMPTY).all(axis=1).argmin())
    if free < 5:
        return
    row, last = d.between(2, free - 3), d.width - 1
    if d.half or d.chance(0.5):
        left = d.between(1, d.width // 3)
        right = last if d.half else last - (left if middle else d.between(1, d.width // 3))
        d.slab(row, left, right)
        d.climb(row, left)
        d.prize(row - 1, left + 2)
        if not d.half:
            d.climb(row, right)
            d.prize(row - 1, right - 2)
    else:
        left, right = d.width // 4, last - d.width // 4
        d.slab(row, 0, left)
        d.slab(row, right, last)
        d.bridge(row, left, right, d.chance(0.5))
        for column, end in ((1, left), (last - 1, right)):
            d.climb(row, column)
            d.prize(row - 1, end)
