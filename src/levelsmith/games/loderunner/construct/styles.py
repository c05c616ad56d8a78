"""Styles of slabs and ladders that fill a part of any width: from terraces to nets."""

from __future__ import annotations

from itertools import pairwise

from levelsmith.games.loderunner.construct.pieces import Misfit, Sketch

Span = tuple[int, int]  # the first and the last column


def shapes_of(d: Sketch) -> list[list[Span]]:
    """Ways to lay slabs in one row."""
    last, edge = d.width - 1, max(2, d.width // d.between(5, 8))
    middle, gap = d.width // 2, max(2, d.width // d.between(7, 10))
    third = d.width // 3
    shapes = [
        [(edge, last - edge)],
        [(0, last - edge - 1)],
        [(edge + 1, last)],
        [(0, middle - gap), (middle + gap - 1, last)],
        [(0, last)],
    ]
    if d.width >= 24:
        shapes += [
            [(0, third - 2), (third + 1, 2 * third - 1), (2 * third + 2, last)],
            [(2, third), (2 * third, last - 2)],
            [(0, third), (third + gap, last)],
            [(0, last - third - gap), (last - third, last)],
        ]
    return shapes


def terraces(d: Sketch) -> None:
    """Slabs in evenly spaced rows that take turns, with ladders to and fro and ropes over the gaps."""
    d.floor()
    step = d.pick([3, 3, 4, 4, 5])
    shapes = shapes_of(d)
    turns = [d.pick(shapes) for _ in range(d.between(2, 3))]
    if all(shape == turns[0] for shape in turns):
        turns[1] = shapes[(shapes.index(turns[0]) + 1) % len(shapes)]
    posts, outside, thick = d.chance(0.4), d.chance(0.4), 1 + (step > 3 and d.chance(0.15))
    begin = d.between(0, 1)
    rows = d.rows(step)
    if not rows:
        raise Misfit
    laid = [(row, span) for i, row in enumerate(rows) for span in turns[i % len(turns)]]
    for row, (left, right) in laid:
        d.slab(row, left, right, thick)
    for i, row in enumerate(rows):
        spans = turns[i % len(turns)]
        for j, (left, right) in enumerate(spans):
            turn = (i + j + begin) % 2
            inner = [right - 1, left + 1] if turn else [left + 1, right - 1]
            outer = [right + 1, left - 1] if turn else [left - 1, right + 1]
            _first_climb(d, row, [*outer, *inner] if outside else [*inner, *outer])
            if right - left > 15:
                _first_climb(d, row, [(left + right) // 2 + (3 if turn else -3)])
            d.prize(row - 1, left if turn else right)
        for (_, left), (right, _) in pairwise(spans):
            if d.chance(0.75):
                d.bridge(row, left, right, posts)
        if d.half and spans[-1][1] < d.width - 2 and d.chance(0.6):
            d.rope(row - 1, spans[-1][1] + 1, d.width - 1)


def _first_climb(d: Sketch, row: int, columns: list[int]) -> bool:
    return any(0 <= column < d.width and d.climb(row, column) for column in columns)


def zigzag(d: Sketch) -> None:
    """Floors from wall to wall with a way down at alternate ends, and ropes over the pits in them."""
    step, gap = d.between(3, 4), d.between(2, max(3, d.width // 4))
    d.need(8, 8)
    d.floor()
    rows = d.rows(step)
    walls = d.chance(0.5)
    if walls:
        d.wall(0, rows[-1] - 1, d.height - 1)
        if not d.half:
            d.wall(d.width - 1, rows[-1] - 1, d.height - 1)
    pits, thick = d.chance(0.6), step == 4 and d.chance(0.15)
    side = d.between(0, 1)
    low, high = int(walls), d.width - 1 - (walls and not d.half)
    for i, row in enumerate(rows):
        left, right = (low + gap, high) if (i + side) % 2 else (low, high - gap)
        d.slab(row, left, right, 1 + thick)
        end = left - 1 if (i + side) % 2 else right + 1
        d.clear(row, end, row, end)
        d.climb(row, end)
        d.prize(row - 1, right - 1 if (i + side) % 2 else left + 1)
        wide = d.between(3, 5)
        if pits and right - left > 3 * wide:
            begin = d.between(left + 3, right - wide - 2)
            d.clear(row, begin, row + thick, begin + wide - 1)
            d.rope(row - 1, begin, begin + wide - 1)
            d.prize(row - 1, begin - 2)
    if walls:
        d.prize(rows[-1] - 2, 0)


def chambers(d: Sketch) -> None:
    """A house of rooms, with doors, ladders through the floors, and some rooms that only digging opens."""
    d.need(9, 7)
    wide, high = d.between(5, 8), d.between(4, 5)
    columns = max(1, (d.width - 1 + d.half * wide // 2) // wide)
    last = d.width - 1 + (d.half * wide // 2)
    walls = [round(i * last / columns) for i in range(columns + 1)]
    walls = [wall for wall in walls if wall < d.width]
    top = d.between(1, 4)
    storeys = max(1, (d.height - 1 - top) // high)
    floors = [d.height - 1 - i * high for i in range(storeys + 1)]
    for row in floors:
        d.slab(row, 0, d.width - 1)
    for wall in walls:
        d.wall(wall, floors[-1], d.height - 1)
    edges = [*walls, d.width] if walls[-1] < d.width - 1 else walls
    rooms = [(i, j) for j in range(storeys) for i in range(len(edges) - 1)]
    inside, links = {d.pick(rooms)}, []
    while len(inside) < len(rooms):
        room = d.pick(sorted(inside))
        near = [r for r in rooms if abs(r[0] - room[0]) + abs(r[1] - room[1]) == 1 and r not in inside]
        if near:
            other = d.pick(near)
            inside.add(other)
            links.append((room, other))
    shut = _shut_rooms(d, rooms, links)
    tall = d.between(2, high - 2)
    pairs = [
        (room, other)
        for room in rooms
        for other in ((room[0] + 1, room[1]), (room[0], room[1] + 1))
        if other in rooms and not {room, other} & shut
    ]
    for room, other in pairs:
        if (room, other) in links or (other, room) in links or d.chance(0.2):
            (i, j), (k, _) = room, other
            if i != k:
                d.clear(floors[j] - tall, walls[k], floors[j] - 1, walls[k])
            else:
                d.climb(floors[j + 1], edges[i] + d.pick([1, (edges[i + 1] - edges[i]) // 2, 2]))
    roof = [room for room in rooms if room[1] == storeys - 1 and room not in shut]
    for i, _ in roof[:: max(1, len(roof) - 1)] if roof else []:
        d.climb(floors[-1], (edges[i] + edges[i + 1]) // 2)
    for i, j in sorted(rooms, key=lambda room: room not in shut):
        d.prize(floors[j] - 1, edges[i + 1] - 2 if (i + j) % 2 else edges[i] + 2)
    if d.chance(0.5):  # battlements
        for wall in walls[:: max(1, len(walls) - 1)]:
            d.wall(wall, floors[-1] - 1, floors[-1])


def _shut_rooms(
    d: Sketch, rooms: list[tuple[int, int]], links: list[tuple[tuple[int, int], tuple[int, int]]]
) -> set[tuple[int, int]]:
    """Returns some rooms with one link, above others: a runner digs in and out of them."""
    ends = [room for room in rooms if room[1] > 0 and sum(room in link for link in links) == 1]
    shut: set[tuple[int, int]] = set()
    for room in ends:
        below = (room[0], room[1] - 1)
        if len(shut) < len(rooms) // 5 and below not in shut and d.chance(0.5):
            shut.add(room)
    return shut


def towers(d: Sketch) -> None:
    """Towers of several storeys, a ladder up the side of each, ropes from one to the next."""
    d.need(10, 9)
    d.floor()
    high = d.between(3, 4)
    wide = d.between(4, 5) if d.half else d.between(5, 8)
    step = wide + d.between(3, 4 if d.half else 6)
    count = max(1, (d.width + (0 if d.half else step - wide - 2)) // step)
    margin = d.width - count * step if d.half else (d.width - (count * step - (step - wide))) // 2
    storeys = max(1, (d.height - 3) // high)
    flip = d.chance(0.5)
    tall = [max(1, storeys - d.pick([0, 0, 1, 2])) for _ in range(count)]
    open_top = d.chance(0.4)
    lefts = [max(1, margin) + i * step for i in range(count)]
    for left, storeys_here in zip(lefts, tall, strict=True):
        right = left + wide - 1
        if right + 1 >= d.width:
            continue
        rows = [d.height - 1 - i * high for i in range(storeys_here + 1)]
        for row in rows:
            d.slab(row, left, right)
        for wall in (left, right):
            d.wall(wall, rows[-1] - open_top, d.height - 1)
        up = left - 1 if flip else right + 1
        beside = left if flip else right
        d.ladder(up, rows[-1] - open_top, d.height - 2)
        for row in rows[:-1]:
            d.clear(row - 2, beside, row - 1, beside)
            d.prize(row - 1, right - 1 if flip else left + 1)
        d.prize(rows[-1] - 1, (left + right) // 2)
    if d.half:  # to the tower's image
        row = d.height - 2 - max(1, tall[-1] - d.between(0, 1)) * high
        end = lefts[-1] + wide - 1
        if flip:
            d.clear(row, end, row, end)
        d.rope(row, end + 1 if flip else end + 2, d.width - 1)
    for (a, storeys_here), (b, storeys_there) in pairwise(zip(lefts, tall, strict=True)):
        storey = min(storeys_here, storeys_there) - 1
        if storey < 1:
            continue
        row = d.height - 1 - storey * high - 1
        if flip:  # from the next tower's ladder to a window of this one
            d.clear(row, a + wide - 1, row, a + wide - 1)
            d.rope(row, a + wide, b - 2)
        else:
            d.clear(row, b, row, b)
            d.rope(row, a + wide + 1, b - 1)


def bridges(d: Sketch) -> None:
    """Piers or masts of two heights with long ropes between them, and small islands below the ropes."""
    d.need(10, 12)
    d.floor()
    wide, gap = d.between(2, 5), d.between(4, 9)
    step = wide + gap
    count = max(2, (d.width + gap) // step)
    spare = d.width - (count * step - gap)
    if spare < 0:
        raise Misfit
    lefts = [(spare if d.half else spare // 2) + i * step for i in range(count)]
    first, apart = d.between(2, 4), d.between(3, 5)
    levels = list(range(first, d.height - 4, apart))
    uneven, solid, posts = d.pick([0, 0, 1]) if len(levels) > 1 else 0, d.chance(0.5), d.chance(0.5)
    turn = d.between(0, 1)
    tops = [uneven * ((i + turn) % 2) for i in range(count)]
    for i, (left, top) in enumerate(zip(lefts, tops, strict=True)):
        right = left + wide - 1
        leftmost = (i + turn) % 2 if left > 0 and right + 1 < d.width else left > 0
        column = left - 1 if leftmost else right + 1
        if solid:
            d.block(levels[top], left, d.height - 2, right)
        for row in levels[top:]:
            if solid and row > levels[top]:  # a niche, which goes right through
                d.clear(row - 1, left, row - 1, right)
            d.slab(row, left, right)
            d.prize(row - 1, right if leftmost else left)
        if solid:
            d.ladder(column, levels[top], d.height - 2)
        else:
            d.ladder(left + 1 if leftmost else right - 1, levels[top], d.height - 2)
    for i, (a, b) in enumerate(pairwise(lefts)):
        for j, row in enumerate(levels):
            if j < max(tops[i : i + 2]):
                continue
            if (i + j) % 2 == 0 or d.chance(0.3):
                d.bridge(row, a + wide - 1, b, posts and not solid and j == 0)
            elif gap > 5:
                middle = (a + wide + b - 1) // 2
                d.slab(row + 1, middle - 1, middle + 1)
                d.climb(row + 1, middle - 1 if (i + j) % 4 else middle + 1)
                d.prize(row, middle)


def islands(d: Sketch) -> None:
    """Small platforms of one size in a regular pattern, on ladders, some with ropes to their neighbours."""
    wide, gap, step = d.between(3, 6), d.between(2, 4), d.between(3, 4)
    d.need(6, 6)
    wide = min(wide, d.width - 2)
    d.floor()
    shift = (wide + gap) // 2
    ropes = d.chance(0.7)
    offset = d.between(0, 1)
    top = d.between(2, 4)
    rows = d.rows(step, min(top, d.height - 1 - step))
    for i, row in enumerate(rows):
        lefts = list(range((shift if (i + offset) % 2 else 0) + d.half, d.width - wide + 1, wide + gap))
        if d.half:
            lefts = [left for left in lefts if left + wide <= d.width]
        for left in lefts:
            d.slab(row, left, left + wide - 1)
        for j, left in enumerate(lefts):
            if d.chance(0.85):
                ends = [left, left + wide - 1]
                _first_climb(d, row, ends if (i // 2 + offset) % 2 else ends[::-1])
            d.prize(row - 1, left + wide // 2)
            if ropes and j and (i + j) % 2:
                d.rope(row - 1, left - gap, left - 1)


def stairs(d: Sketch) -> None:
    """Long flights of stairs, side by side or to and fro, with a ladder at every step."""
    d.need(10, 10)
    d.floor()
    run, rise, apart = d.between(3, 5), d.between(2, 3), d.between(6, 8)
    up, turns = d.chance(0.5), d.chance(0.3)
    count = d.width // run
    ends = [i * run for i in range(count)] + [d.width]
    taken = {place: [d.height - 1] for place in range(count)}  # rows of slabs, from below
    begin = d.height - 1 - d.between(3, 4) + (0 if turns else count // 2 * rise)
    for flight in range(12):
        rising = up != (turns and flight % 2 == 1)
        for i, place in enumerate(range(count) if rising else range(count - 1, -1, -1)):
            row = begin - flight * apart - rise * i
            if 2 <= row <= min(taken[place]) - 4:
                taken[place].append(row)
                d.slab(row, ends[place], ends[place + 1] - 1)
    for place, rows in taken.items():
        left, right = ends[place], ends[place + 1] - 1
        for i, row in enumerate(rows[1:], 1):
            for other, foot in ((place - 1, left - 1), (place + 1, right + 1)):
                if row + rise in taken.get(other, []) and 0 <= foot < d.width:
                    d.ladder(foot, row, row + rise - 1)
            beside = [row - rise in taken.get(other, []) for other in (place - 1, place + 1)]
            lower = [row + rise in taken.get(other, []) for other in (place - 1, place + 1)]
            if not any(lower) or (not any(beside) and i % 2):
                d.climb(row, (left + right) // 2)
            if not any(beside) or (place + i) % 2:
                d.prize(row - 1, right if lower[0] else left)


def net(d: Sketch) -> None:
    """Ladders like masts, ropes and slabs between them in a regular pattern."""
    d.need(10, 10)
    d.floor()
    apart, step = d.between(5, 7), d.between(3, 4)
    spare = d.width - 1 - apart // 2 if d.half else d.width - 1
    masts = list(range(spare % apart // (1 if d.half else 2), d.width, apart))
    rows = d.rows(step)
    if len(rows) < 2:
        raise Misfit
    tops = [rows[-1], rows[-1 - d.between(0, 1)]]
    for i, mast in enumerate(masts):
        d.ladder(mast, tops[i % 2], d.height - 2)
    kinds = d.pick(["sr", "sr.", "rss", "s.r", "srs."])
    slope, begin = d.between(1, 2), d.between(0, 2)
    fields = list(pairwise(masts))
    if masts[-1] < d.width - 1:
        fields.append((masts[-1], d.width))
    if masts[0] > 1:
        fields.insert(0, (-1, masts[0]))
    for i, (left, right) in enumerate(fields):
        for j, row in enumerate(rows):
            kind = kinds[(i * slope + j + begin) % len(kinds)]
            inner = left >= 0 and (right < d.width or d.half)
            if row == rows[-1] or (kind == "r" and not inner):
                kind = "s"
            at = [mast for mast in (left, right) if mast in masts]
            if kind == "s" and row >= min(tops[masts.index(mast) % 2] for mast in at):
                d.slab(row, left + 1, right - 1)
                d.prize(row - 1, (left + right) // 2)
            if kind == "r" and row > max(tops):
                d.rope(row - 1, left + 1, right - 1)
