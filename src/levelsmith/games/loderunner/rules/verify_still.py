"""Lode Runner in the program that checks a dataset without levelsmith: its rules while guards stand still."""

from __future__ import annotations

from levelsmith.levels.dataset.verify import Fault, Rows

EMPTY, BRICK, SOLID, LADDER, ROPE, GOLD, ENEMY, RUNNER = range(8)  # tiles
DIG_TICKS, HOLE_TICKS = 3, 35


def play(grid: Rows, moves: str) -> None:
    """Raises Fault unless the moves collect all gold: steps l r u d, digs L R, and a dot for a wait."""
    height, width = len(grid), len(grid[0])
    places = [(y, x) for y in range(height) for x in range(width)]
    runners = [(y, x) for y, x in places if grid[y][x] == RUNNER]
    gold = {(y, x) for y, x in places if grid[y][x] == GOLD}
    if len(runners) != 1 or not gold:
        raise Fault(f"it has {len(runners)} players and {len(gold)} pieces of gold")
    holes: dict[tuple[int, int], int] = {}  # the ticks for which each is open
    y, x = runners[0]

    def tile(y: int, x: int) -> int:
        found = grid[y][x] if 0 <= y < height and 0 <= x < width else SOLID
        return EMPTY if found in (GOLD, ENEMY, RUNNER) else found

    def hard(y: int, x: int) -> bool:
        return tile(y, x) == SOLID or (tile(y, x) == BRICK and (y, x) not in holes)

    for number, letter in enumerate(moves, 1):
        stands = tile(y, x) in (LADDER, ROPE) or tile(y + 1, x) == LADDER or hard(y + 1, x)
        if letter != "d" and not stands:
            raise Fault(f"move {number}, {letter!r}: the runner falls, which is d")
        dug, ticks = None, 1
        if letter in ("L", "R"):
            dug, ticks = (y + 1, x - 1 if letter == "L" else x + 1), DIG_TICKS
            above = (dug[0] - 1, dug[1])
            if tile(*dug) != BRICK or dug in holes:
                raise Fault(f"move {number}, {letter!r}: no brick is there to dig")
            if above in gold or tile(*above) in (LADDER, ROPE) or hard(*above):
                raise Fault(f"move {number}, {letter!r}: something lies on that brick")
        elif letter in ("u", "d", "l", "r", "."):
            down, right = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1), ".": (0, 0)}[letter]
            if letter == "u" and tile(y, x) != LADDER:
                raise Fault(f"move {number}, 'u': no ladder leads up from here")
            if hard(y + down, x + right):
                raise Fault(f"move {number}, {letter!r}: something hard is in the way")
            y, x = y + down, x + right
            gold.discard((y, x))
        else:
            raise Fault(f"move {number}, {letter!r}, is none of l r u d L R and a dot")
        left = {cell: age - ticks for cell, age in holes.items() if age > ticks}
        if (y, x) in holes and (y, x) not in left:
            raise Fault(f"move {number}, {letter!r}: the hole fills while the runner is in it")
        holes = left
        if dug is not None:
            holes[dug] = HOLE_TICKS
    if gold:
        raise Fault(f"the solution leaves {len(gold)} pieces of gold")
