"""Styles that cut into a mass of brick: combs, vaults, mines."""

from __future__ import annotations

from itertools import pairwise

from levelsmith.games.loderunner.construct.pieces import Sketch
from levelsmith.games.loderunner.construct.styles import islands, shapes_of, stairs, terraces, zigzag


def comb(d: Sketch) -> None:
    """A block of brick with ladders down through it and gold in the niches beside them."""
    d.need(12, 9)
    d.floor()
    apart = d.between(3, 4)
    top, hall = d.between(2, 4), d.between(2, 3)
    bottom = d.height - 2 - hall - (d.height > 16) * d.between(0, 3)
    left, right = d.pick([0, 2, 3]), d.width - 1 - (0 if d.half else d.pick([0, 2, 3]))
    d.block(top, left, bottom, right)
    columns = list(range(left + 1, right, apart))
    ends = d.pick(["long", "turns", "arch"])
    for i, column in enumerate(columns):
        d.ladder(column, top, d.height - 2 if ends == "long" or i in (0, len(columns) - 1) else bottom)
        if ends == "turns" and i % 2 == 0:
            d.ladder(column, top, d.height - 2)
    if ends == "arch" and len(columns) > 2:
        for i, column in enumerate(columns[1:-1], 1):
            rise = min(i, len(columns) - 1 - i, 4)
            d.clear(bottom - rise + 1, column - 1, bottom, column + apart - 2)
            d.ladder(column, top, d.height - 2)
    rows = list(range(top + 2, bottom - 1, d.between(3, 4)))
    pattern = d.pick(["rows", "turns", "through"])
    for i, column in enumerate(columns[:-1]):
        for j, row in enumerate(rows):
            if pattern == "turns" and (i + j) % 2:
                continue
            if not all(d.hard(row + 1, c) for c in range(column + 1, column + apart)):
                continue
            end = column + apart - 1 if pattern == "through" and (i + j) % 2 else column + apart - 2
            d.clear(row, column + 1, row, max(column + 1, end))
            d.prize(row, column + 1)
    if bottom < d.height - 2 - hall:
        d.slab(bottom + hall + 1, left + 1, right - 1)
        for column in (left, right):
            d.climb(bottom + hall + 1, column)


def vault(d: Sketch) -> None:
    """Terraces or islands above, and below a mass of brick whose chambers only digging opens."""
    d.need(14, 10)
    rooms = 1 if d.height < 18 else d.between(1, 2)
    ground = d.height - 1 - 3 - 3 * rooms
    upper = d.part(0, 0, ground, d.width - 1, d.half)
    d.pick([terraces, islands, stairs if ground >= 9 else islands, zigzag])(upper)
    d.block(ground, 0, d.height - 1, d.width - 1)
    tunnel = d.height - 2
    d.clear(tunnel - 1, 0, tunnel, d.width - 1)
    for column in (1, *(() if d.half else (d.width - 2,))):
        d.ladder(column, ground, tunnel)
    wide = d.between(2, 5)
    gap = d.between(2, 3)
    for i in range(rooms):
        row = ground + 1 + 3 * i
        begin = 4 + (i % 2) * ((wide + gap) // 2)
        last = d.width - 1 if d.half else d.width - 5
        for left in range(begin, last - wide + 2, wide + gap):
            d.clear(row, left, row + 1, left + wide - 1)
            for column in range(left, left + wide, 2):
                d.pocket(row + 1, column)
    d.prize(tunnel, d.width // 2)


def mine(d: Sketch) -> None:
    """Galleries in a mass of brick, shafts between them, and pockets of gold under their floors."""
    d.need(11, 9)
    sky, step = d.between(2, 5), d.between(4, 5)
    d.block(sky, 0, d.height - 1, d.width - 1)
    turns = [d.pick(shapes_of(d)) for _ in range(3)]
    rows = list(range(sky + step, d.height - 1, step))
    tall = d.between(2, step - 2)
    side = d.between(0, 1)
    ways: list[tuple[int, int]] = []
    for i, floor in enumerate(rows):
        spans = [
            (max(left, 1), right if d.half and right == d.width - 1 else min(right, d.width - 2))
            for left, right in turns[i % 3]
        ]
        above = sky if i == 0 else floor - step
        for j, (left, right) in enumerate(spans):
            d.clear(floor - tall, left, floor - 1, right)
            first, other = (right - 1, left + 1) if (i + j + side) % 2 else (left + 1, right - 1)
            ways += [(above, first)] + ([(above, other)] if right - left > 14 else [])
            d.pocket(floor - 1, left if first > other else right)
        for (_, left), (right, _) in pairwise(spans):
            if d.chance(0.5):
                d.clear(floor - tall, left, floor - 1, right)
    for row, column in ways:
        d.climb(row, column)
    for i, floor in enumerate(rows[:-1]):
        if step - tall < 3:
            break
        for left in range(3 + i % 2 * 4, d.width - 3, 8):
            if all(d.hard(floor + r, c) for r in range(3) for c in range(left - 1, left + 3)):
                d.clear(floor + 1, left, floor + 1, left + 1)
                d.prize(floor + 1, left)
    if sky >= 4 and d.chance(0.6):
        d.slab(sky - 3, d.width // 4, d.width - 1 - (0 if d.half else d.width // 4))
        d.climb(sky - 3, d.width // 4)
        d.prize(sky - 4, d.width // 2)
