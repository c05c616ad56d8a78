"""A slow twin of Lode Runner's static judge: moves as sets, components by reaching back, all gold paths."""

from __future__ import annotations

from functools import cache

EMPTY, BRICK, SOLID, LADDER, ROPE, GOLD, ENEMY, PLAYER, TRAP = ".bB#-GEMt"
GROUND = (EMPTY, GOLD, ENEMY, PLAYER)
HARD = (BRICK, SOLID)
WALLS = (*HARD, TRAP)  # from a side and from below
RULES = ("no-dig", "dig", "mmneat", "pcg-benchmark", "relaxed")


class Map:
    """Rows of symbols; outside is solid, and hidden ladders are not there."""

    def __init__(self, text):
        self.rows = text.replace("h", EMPTY).split("\n")
        self.height, self.width = len(self.rows), len(self.rows[0])
        self.cells = [(row, column) for row in range(self.height) for column in range(self.width)]
        self.holes = None  # of the relaxed rules: what is dug, or None for all that may ever be

    def at(self, row, column):
        inside = 0 <= row < self.height and 0 <= column < self.width
        return self.rows[row][column] if inside else SOLID

    def all(self, symbol):
        return [cell for cell in self.cells if self.at(*cell) == symbol]


def moves(level, cell, rules):
    """The cells that one move leads to."""
    row, column = cell
    here, below, above = level.at(row, column), level.at(row + 1, column), level.at(row - 1, column)
    sides = [(row, column - 1), (row, column + 1)]
    open_sides = [side for side in sides if level.at(*side) not in WALLS]
    hanging = here in (LADDER, ROPE)
    standing = hanging or below in (*HARD, LADDER)
    found = []
    if rules == "mmneat":
        if standing:
            found += open_sides
        if here == LADDER and above not in WALLS:
            found.append((row - 1, column))
        beside = [level.at(row + 1, c) for c in (column - 1, column + 1) if 0 <= c < level.width]
        sinks = below != BRICK or any(tile not in (EMPTY, GOLD, PLAYER, TRAP) for tile in beside)
        if below != SOLID and sinks:
            found.append((row + 1, column))
        return found
    if rules == "pcg-benchmark":
        if here not in (LADDER, ROPE, *HARD) and below not in (*HARD, LADDER):
            return [(row + 1, column)]
        found += open_sides
        if here == LADDER and above not in WALLS:
            found.append((row - 1, column))
        if hanging and below not in HARD:
            found.append((row + 1, column))
        return found
    if not standing:
        return [(row + 1, column)]
    if rules == "relaxed":
        around = [*sides] + [(row - 1, column)] * (here == LADDER)
        found = [there for there in around if level.at(*there) not in WALLS or is_hole(level, there)]
        under = (row + 1, column)
        return found + [under] * (below not in HARD or is_hole(level, under))
    found += open_sides
    if here == LADDER and above not in WALLS:
        found.append((row - 1, column))
    if below not in HARD:
        found.append((row + 1, column))
    if rules == "dig":
        for r, c in ((row + 1, column - 1), (row + 1, column + 1)):
            if level.at(r, c) == BRICK and level.at(r - 1, c) in GROUND:
                found.append((r, c))
    return found


def is_hole(level, cell):
    return diggable(level, *cell) if level.holes is None else cell in level.holes


def dug_from(level, start):
    """The bricks that are dug one after another by someone who gets about through those dug before."""
    level.holes = set()
    while True:
        seen, more = reached(level, start, "relaxed"), set()
        for row, column in set(level.all(BRICK)) - level.holes:
            bare = level.at(row - 1, column) in GROUND or (row - 1, column) in level.holes
            for side in (column - 1, column + 1):
                stands = level.at(row - 1, side) in (LADDER, ROPE) or level.at(row, side) in (*HARD, LADDER)
                if bare and stands and (row - 1, side) in seen:
                    more.add((row, column))
        if not more:
            return level.holes
        level.holes |= more


@cache
def diggable(level, row, column):
    """Whether a brick could ever be dug: above it is, or comes to be, nothing, and someone beside that."""
    above = level.at(row - 1, column)
    if level.at(row, column) != BRICK or not (above in GROUND or diggable(level, row - 1, column)):
        return False
    for side in (column - 1, column + 1):
        there, below = level.at(row - 1, side), level.at(row, side)
        stands = there in (LADDER, ROPE) or below in (*HARD, LADDER)
        if stands and (there not in HARD or diggable(level, row - 1, side)):
            return True
    return False


def reached(level, start, rules):
    seen, waiting = {start}, [start]
    while waiting:
        for cell in moves(level, waiting.pop(), rules):
            if cell not in seen:
                seen.add(cell)
                waiting.append(cell)
    return seen


def judged(text, rules):
    """(gold collectable, cells reachable), by the player; both 0 without one."""
    level = Map(text)
    players = level.all(PLAYER)
    if len(players) != 1:
        return 0, 0
    if rules == "relaxed":
        level.holes = dug_from(level, players[0])
    return from_cell(level, players[0], rules)


def from_cell(level, start, rules):
    seen = reached(level, start, rules)
    gold = [cell for cell in level.all(GOLD) if cell in seen]
    open_cells = sum(level.at(*cell) not in HARD for cell in seen)
    if rules == "pcg-benchmark":
        return len(gold), open_cells
    reach = {cell: reached(level, cell, rules) for cell in [start, *gold]}
    groups = {}  # gold that can be walked to and back again, by its first cell
    for cell in gold:
        first = next((other for other in groups if cell in reach[other] and other in reach[cell]), cell)
        groups.setdefault(first, []).append(cell)
    best = {}

    def most(first):
        if first not in best:
            after = [other for other in groups if other != first and other in reach[first]]
            best[first] = len(groups[first]) + max(map(most, after), default=0)
        return best[first]

    return max(map(most, groups), default=0), open_cells


def layers(text):
    """The bricks on the way to the gold that has most of them, each by the way with fewest; the player's."""
    level = Map(text)
    (player,) = level.all(PLAYER)
    level.holes = dug_from(level, player)
    bricks = {player: 0}
    while True:
        better = {}
        for cell, number in bricks.items():
            for there in moves(level, cell, "relaxed"):
                through = number + (level.at(*there) == BRICK)
                if through < min(bricks.get(there, 999), better.get(there, 999)):
                    better[there] = through
        if not better:
            return max((bricks[cell] for cell in level.all(GOLD) if cell in bricks), default=0)
        bricks |= better
