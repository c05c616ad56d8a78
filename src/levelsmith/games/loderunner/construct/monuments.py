"""Styles with a shape of their own around the middle: pyramids, temples, diamonds, rings, emblems."""

from __future__ import annotations

from levelsmith.games.loderunner.construct.pieces import Misfit, Sketch
from levelsmith.games.loderunner.construct.styles import islands, stairs, terraces
from levelsmith.games.loderunner.rules.rules import EMPTY

# o is a pocket with gold
EMBLEMS = (
    (".bb...bb.", "bbbb.bbbb", "bbbbbbbbb", "bbobbbobb", ".bbbbbbb.", "..bbbbb..", "...bbb...", "...bbb..."),
    ("b...b...b", "bb.bbb.bb", "bbbbbbbbb", "bbobobobb", "bbbbbbbbb"),
    (".bbbbbbb.", "bbbbbbbbb", "bb.obo.bb", "bbbbbbbbb", ".bbb.bbb.", "..bbbbb..", "..b.b.b.."),
    ("bbbbbbbbb", "bbooooobb", ".bbbbbbb.", "..bbbbb..", "....b....", "....b....", "..bbbbb.."),
    ("....b....", "...bbb...", "..bbobb..", ".bbbbbbb.", "bbbobobbb", "....b....", "...bbb..."),
    ("..bbbbb..", ".bbbbbbb.", "bbobobobb", "bbbbbbbbb", "...b.b...", "...bob...", "...bbb..."),
    (".bbbbbbb.", "bbbbbbbbb", "bb.bbb.bb", "bbbbbbbbb", "bbobobobb", "bbbbbbbbb", "b.bb.bb.b"),
    ("...bbb...", "...bob...", "....b....", "b...b...b", "bb..b..bb", ".bbbbbbb.", "...bbb..."),
    ("b.b.b.b.b", "bbbbbbbbb", ".bbobobb.", ".bbbbbbb.", ".bbobobb.", ".bbbbbbb.", "bbbbbbbbb"),
    ("....b....", "...bbb...", "..bbbbb..", ".bbobobb.", "..bbbbb..", "...bbb...", "....b...."),
)


def pyramid(d: Sketch) -> None:
    """A stepped pyramid with a ladder on every step, galleries inside, and ropes to its top."""
    d.need(10, 16)
    d.floor()
    rise, run = d.pick([1, 2, 2, 3]), d.between(2, 3)
    margin = d.between(1, 3)
    steps = 0
    while margin + run * (steps + 1) <= d.width // 2 - 2 and rise * (steps + 1) <= d.height - 7:
        steps += 1
    if steps < 3:
        raise Misfit
    for i in range(steps):
        left, right = margin + run * i, d.width - 1 - margin - run * i
        top, bottom = d.height - 1 - rise * (i + 1), d.height - 2 - rise * i
        d.block(top, left, bottom, right)
        for column in (left - 1, right + 1):
            d.ladder(column, top, bottom)
        if i % 2:
            d.prize(top - 1, left)
            d.prize(top - 1, right)
    apex, half = d.height - 1 - rise * steps, d.width // 2
    galleries = list(range(d.height - 3, apex + 2, -d.between(3, 4)))
    kind = d.pick(["shaft", "shaft", "tunnel"])
    for row in galleries:
        inset = margin + run * ((d.height - 2 - row) // rise + 1) + 2
        if half - inset < 2:
            continue
        d.clear(row - 1, inset, row, d.width - 1 - inset)
        if kind == "tunnel":
            d.clear(row, 0, row, inset)
            d.clear(row, d.width - 1 - inset, row, d.width - 1)
        d.prize(row, inset)
        d.prize(row, d.width - 1 - inset)
    if kind == "shaft":
        shaft = (d.width - 1) // 2 - d.between(1, 3)
        for column in (shaft, d.width - 1 - shaft):
            _shaft(d, apex, column)
    side = margin + run * (steps - 1)
    if apex > d.height // 2 and d.chance(0.7):  # something in the sky above a low one
        bars = d.between(3, 4)
        for row in range(apex - 2 - bars, 2, -bars):
            inset = margin + 1 + (apex - row) // bars * 2
            d.slab(row, inset, d.width - 1 - inset)
            d.climb(row, inset)
            d.climb(row, d.width - 1 - inset)
            d.prize(row - 1, inset + 2)
            d.prize(row - 1, d.width - 3 - inset)
        return
    wing = min(d.between(3, 5), side - 3)
    shelves(d, apex, wing)
    d.rope(apex - 1, wing + 1, side - 1)
    d.rope(apex - 1, d.width - side, d.width - 2 - wing)


def shelves(d: Sketch, top: int, wide: int) -> None:
    """A rack of shelves at both edges, with a ladder on one side of it."""
    if wide < 2:
        return
    apart, inner = d.between(3, 5), d.chance(0.5)
    for row in range(top, d.height - 3, apart):
        for left, right in ((0, wide), (d.width - 1 - wide, d.width - 1)):
            if (d.grid[row - 1 : row + 2, left : right + 1] == EMPTY).all():
                d.slab(row, left, right)
    for row in range(top, d.height - 3, apart):
        for edge, end in ((0, wide), (d.width - 1, d.width - 1 - wide)):
            if d.hard(row, end) or d.hard(row, edge):
                d.climb(row, end if inner else edge)
                d.prize(row - 1, edge if inner else end)


def _shaft(d: Sketch, top: int, column: int) -> None:
    """A ladder from a top through everything, down to the lowest hollow."""
    hollows = [row for row in range(top, d.height) if d.grid[row, column] == EMPTY]
    if hollows:
        d.ladder(column, top, max(hollows))


def temple(d: Sketch) -> None:
    """Columns on steps under a roof, doors in the outer ones, and ladders up into a hollow gable."""
    d.need(13, 18)
    d.floor()
    steps, gap, run = d.between(1, 3), d.between(3, 5), d.between(2, 3)
    margin = d.between(4, max(4, d.width // 5))
    left, last = margin, d.width - 1
    base = d.height - 1
    for i in range(steps):
        base -= 1
        for at in (left - 2 - steps + i, last - left + 2 + steps - i):
            d.ladder(at, base, base)
        d.slab(base, left - 1 - steps + i, last - left + 1 + steps - i)
    gable = min(d.between(3, 5), (d.width // 2 - left) // run - 1)
    roof = max(gable + 3, base - d.between(7, 11))
    d.slab(roof, left - 1, last - left + 1)
    columns = list(range(left, d.width // 2 - 1, gap + 1))
    for column in columns:
        for at in (column, last - column):
            d.wall(at, roof, base - 1)
    for at in (left, last - left):
        d.clear(base - 2, at, base - 1, at)
    for i in range(gable):
        begin = left - 1 + run * i
        for a, b, foot in (
            (begin, begin + run, begin - 1),
            (last - begin - run, last - begin, last - begin + 1),
        ):
            d.slab(roof - 1 - i, a, b)
            if i:
                d.ladder(foot, roof - 1 - i, roof - 1 - i)
    d.slab(roof - gable, left - 1 + run * (gable - 1), last - left + 1 - run * (gable - 1))
    for at in (left - 2, last - left + 2):
        d.ladder(at, roof - 1, roof - 1)
        d.climb(roof, at)
    for i, column in enumerate(columns):
        ladder = column + gap if i + 1 < len(columns) else column + 1
        for at, side in ((column, 1), (last - column, -1)):
            d.ladder(at + (ladder - column) * side, roof, base - 1)
            d.prize(base - 1, at + 2 * side)
            if base - roof > 6 and i + 1 < len(columns):
                shelf = (roof + base) // 2
                d.slab(shelf, min(at + side, at + (gap - 1) * side), max(at + side, at + (gap - 1) * side))
                d.prize(shelf - 1, at + side)
    d.prize(roof - 1, d.width // 2)
    d.prize(roof - 1, last - d.width // 2)
    d.prize(roof - gable - 1, d.width // 2)
    if margin > 4:
        d.wall(0, roof - 1, d.height - 1)
        d.wall(last, roof - 1, d.height - 1)


def diamond(d: Sketch) -> None:
    """Corners of brick with ladders up their slopes around a floating diamond, ropes on both sides of it."""
    d.need(16, 20)
    d.floor()
    centre, last = d.height // 2 + d.between(-2, 3), d.width - 1
    size = d.between(3, max(3, min(5, centre - 5, d.height - 4 - centre)))
    run, open_top = d.between(1, 2) if d.width >= 28 else 1, d.chance(0.7)
    middle = d.width // 2
    tall = d.between(0, 6)
    for row in range(d.height - 1):
        edge = run * (abs(row - centre) - 1) - tall - max(0, d.height - d.width) // 2
        edge = min(edge, middle - 5)
        if edge < 0 or (row < centre and open_top):
            continue
        d.slab(row, 0, edge)
        d.slab(row, last - edge, last)
        if row > centre:
            for at in (edge + 1, last - edge - 1):
                d.ladder(at, row, row)
            if row % 3 == 0:
                d.prize(row - 1, edge - 1)
                d.prize(row - 1, last - edge + 1)
    for row in range(centre - size, centre + size + 1):
        wide = run * (size - abs(row - centre)) + 1
        d.slab(row, last - middle - wide, middle + wide)
    top = centre - size
    for row in range(centre - size + 2, centre + size - 1, 2):
        hollow = max(0, (size - abs(row - centre)) - 1)
        d.clear(row, last - middle - hollow, row, middle + hollow)
        for at in (last - middle - hollow, middle + hollow):
            d.pocket(row, at)
    for at in (last - middle - 2, middle + 2):
        d.ladder(at, top, d.height - 2)
    tip = last - middle - run * size - 1
    d.prize(top - 1, middle)
    for a, b, post in ((1, tip - 1, 0), (last - tip + 1, last - 1, last)):
        d.rope(centre, a, b)
        d.climb(centre, post)
    if open_top:
        for row in range(top, centre - 1, 3):
            d.slab(row, 0, 4)
            d.slab(row, last - 4, last)
            for at in (1, last - 1):
                d.climb(row, at)
            d.prize(row - 1, 4)
            d.prize(row - 1, last - 4)
            d.rope(row - 1, 5, last - middle - run * (row - top) - 2)
            d.rope(row - 1, middle + run * (row - top) + 2, last - 5)


def rings(d: Sketch) -> None:
    """Frames inside each other, with a ladder up each side and doors from one to the next."""
    d.need(10, 14)
    d.floor()
    gap, wide = d.between(2, 3), d.between(2, 4)
    inset_row, inset_column = d.between(1, 3), d.between(1, 5)
    bottom = d.height - 1
    top, left, right = inset_row, inset_column, d.width - 1 - inset_column
    doors = d.pick(["both", "turns"])
    side = d.between(0, 1)
    count = 0
    raised = d.chance(0.6)
    bottom -= (gap + 1) * raised
    while bottom - top >= 3 and right - left >= 5:
        d.frame(top, left, bottom, right)
        ground = bottom + gap if raised or count else bottom - 1
        for at in (left - 1, right + 1):
            d.ladder(at, top, min(ground, d.height - 2))
        for k, at in enumerate((left, right)):
            if doors == "both" or (count + side) % 2 == k:
                d.clear(bottom - 2 if bottom - top > 3 else bottom - 1, at, bottom - 1, at)
        d.prize(top - 1, left)
        d.prize(top - 1, right)
        d.prize(bottom - 1, (left + right) // 2)
        d.prize(bottom - 1, (left + right) // 2 + 1)
        top, bottom = top + gap + 1, bottom - gap - 1
        left, right = left + wide + 1, right - wide - 1
        count += 1
    if count < 2:
        raise Misfit
    top, bottom, left, right = top - gap - 1, bottom + gap + 1, left - wide - 1, right + wide + 1
    for row in range(bottom - 3, top + 2, -3):  # shelves in the innermost one
        if right - left > 7:
            d.slab(row, left + 3, right - 3)
            d.climb(row, left + 3)
            d.climb(row, right - 3)
            d.pocket(row - 1, d.width // 2)


def emblem(d: Sketch) -> None:
    """A figure of brick on a pedestal, gold in its pockets, and something plain to its sides."""
    d.need(14, 20)
    d.floor()
    figure = d.pick(EMBLEMS)
    scale = 2 if d.width >= 30 and len(figure) * 2 <= d.height - 7 and d.chance(0.8) else 1
    high, wide = len(figure) * scale, len(figure[0]) * scale
    base = d.height - 1 - d.between(3, 4)
    top = base - high
    left = (d.width - wide) // 2
    if top < 3:
        raise Misfit
    for i, line in enumerate(figure):
        for j, sign in enumerate(line):
            row, column = top + i * scale, left + j * scale
            if sign == "b":
                d.block(row, column, row + scale - 1, column + scale - 1)
            if sign == "o":
                d.pocket(row + scale - 1, column)
    d.slab(base, left - 2, left + wide + 1)
    d.climb(base, left - 2)
    d.climb(base, left + wide + 1)
    if scale == 1 and top >= 5 and d.chance(0.6):
        roof = top - 3
        d.slab(roof, left - 2, left + wide + 1)
        for at in (left - 3, left + wide + 2):
            d.ladder(at, roof, base - 1)
            d.slab(base, at, at)
        d.prize(roof - 1, left + wide // 2)
    room = left - 5
    if room < 5:
        shelves(d, d.between(3, 6), room)
        return
    before = len(d.prizes)
    side = d.part(0, 0, d.height - 1, room - 1)
    d.pick([terraces, islands, stairs if room >= 10 else islands])(side)
    d.grid[:, d.width - room :] = side.grid[:, ::-1]
    axis = 2 * d.corner[1] + d.width - 1
    d.prizes += [(row, axis - column) for row, column in d.prizes[before:]]
