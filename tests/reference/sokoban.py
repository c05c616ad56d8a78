"""Slow twins of Sokoban: simulated play with sets of cells, and push-optimal solutions of small levels."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import permutations
from math import inf

STEPS = [(-1, 0), (1, 0), (0, -1), (0, 1)]  # up, down, left, right
DELETE, PLACE, LAST = 0, 1, 4


def beside(cell, direction):
    return cell[0] + STEPS[direction][0], cell[1] + STEPS[direction][1]


@dataclass(frozen=True)
class Twin:
    """A state of simulated play; cells are (row, column), boxes a list so that each keeps its number."""

    size: tuple[int, int]
    values: dict
    most: int
    walls: frozenset
    boxes: tuple
    player: tuple
    locked: frozenset = frozenset()
    starts: tuple = ()
    moved: tuple = ()
    phase: str = "building"
    last: int = -1
    depth: int = 0
    pushes: int = 0
    origin: tuple = field(default=())

    @property
    def cells(self):
        return {(row, column) for row in range(self.size[0]) for column in range(self.size[1])}

    def solid(self, cell):
        return cell not in self.cells or cell in self.walls

    def free(self, cell):
        return not self.solid(cell) and cell not in self.boxes

    def reach(self):
        seen, waiting = {self.player}, [self.player]
        while waiting:
            here = waiting.pop()
            for d in range(4):
                there = beside(here, d)
                if there not in seen and self.free(there):
                    seen.add(there)
                    waiting.append(there)
        return seen

    def legal(self):
        """Pairs (kind, cell); to freeze or to evaluate is (LAST, None)."""
        if self.phase == "over":
            return set()
        values, found = self.values, set()
        if self.phase == "building":
            opened = self.cells - self.walls
            for cell in self.walls - self.locked:
                near = any(beside(cell, d) in opened for d in range(4))
                if near and self.in_growth(cell):
                    found.add((DELETE, cell))
            if len(self.boxes) < self.most:
                found |= {(PLACE, c) for c in opened - set(self.boxes) - {self.player} - self.locked}
            if len(self.boxes) >= values["least_boxes"] and self.depth >= values["least_depth"]:
                found.add((LAST, None))
            return found
        if self.pushes < values["most_pushes"]:
            by_pushes = values["moves"] == "pushes"
            for here in self.reach() if by_pushes else {self.player}:
                for d in range(4):
                    there = beside(here, d)
                    push = there in self.boxes and self.free(beside(there, d))
                    back = not values["undo"] and self.last == d ^ 1
                    step = not by_pushes and not back and self.free(there)
                    if push or step:
                        found.add((d, there))
        if not found or self.depth >= values["least_play"]:
            found.add((LAST, None))
        return found

    def in_growth(self, cell):
        if not self.values["grow"]:
            return True
        radius = 1 + self.depth // self.values["grow"]
        return max(abs(cell[0] - self.origin[0]), abs(cell[1] - self.origin[1])) <= radius

    def apply(self, kind, cell):
        after = replace(self, depth=self.depth + 1)
        if self.phase == "building":
            if kind == DELETE:
                return replace(after, walls=self.walls - {cell})
            if kind == PLACE:
                return replace(after, boxes=tuple(sorted((*self.boxes, cell))))
            boxes = tuple(sorted(self.movable()))
            return replace(after, boxes=boxes, starts=boxes, moved=(0,) * len(boxes), phase="playing")
        if kind == LAST:
            return replace(after, phase="over")
        if cell not in self.boxes:
            return replace(after, player=cell, last=kind)
        i = self.boxes.index(cell)
        boxes = (*self.boxes[:i], beside(cell, kind), *self.boxes[i + 1 :])
        moved = (*self.moved[:i], self.moved[i] + 1, *self.moved[i + 1 :])
        return replace(after, player=cell, last=kind, boxes=boxes, moved=moved, pushes=self.pushes + 1)

    def movable(self):
        boxes = set(self.boxes)
        if self.values["immovable"] == "squares":
            for row in range(-1, self.size[0]):
                for column in range(-1, self.size[1]):
                    square = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
                    found = [cell for cell in square if cell in boxes]
                    obstacles = [cell for cell in square if self.solid(cell)]
                    side_by_side = len(found) == 2 and (
                        found[0][0] == found[1][0] or found[0][1] == found[1][1]
                    )
                    if (
                        len(found) == 4
                        or (len(found) == 1 and len(obstacles) == 3)
                        or (side_by_side and len(obstacles) == 2)
                    ):
                        boxes.discard(found[0])
        elif self.values["immovable"] == "exact":
            held = set(boxes)
            while loose := self.loose(held):
                held -= loose
            return boxes - held
        elif self.values["immovable"] == "each":
            return self.loose(boxes)
        return boxes

    def loose(self, boxes):
        """Boxes with both neighbours of an axis free."""
        return {
            box
            for box in boxes
            if any(
                not any(self.solid(beside(box, d)) or beside(box, d) in boxes for d in axis)
                for axis in ((0, 1), (2, 3))
            )
        }

    def level(self):
        """Walls and the pairs of start and goal of the level that was played."""
        walls, pairs = set(self.walls), []
        if self.phase == "over":
            for start, now, moved in zip(self.starts, self.boxes, self.moved, strict=True):
                if moved == 0:
                    walls.add(start)
                elif moved > 1 or not self.values["once"]:
                    pairs.append((start, now))
            if self.values["pockets"] == "fill":
                home = replace(self, walls=frozenset(walls), boxes=(), player=self.origin)
                walls = self.cells - home.reach()
        if not self.values["solved"] and {a for a, _ in pairs} & {b for _, b in pairs}:
            pairs = []
        return walls, pairs


def best_pairs(board):
    """How many pushes a level needs, and every pairing of boxes and goals of a solution with so few.

    `board` is a `rules.Board`. Breadth-first over boxes that keep their numbers: for small levels only.
    """

    def region(player, boxes):
        seen, waiting = {player}, [player]
        while waiting:
            here = waiting.pop()
            for d in range(4):
                there = beside(here, d)
                if there not in seen and not board.is_wall(there) and there not in boxes:
                    seen.add(there)
                    waiting.append(there)
        return seen

    cells = useful(board)
    starts = tuple(sorted(board.start.boxes))
    first = (starts, min(region(board.start.player, set(starts))))
    layer, seen, pushes = {first}, {first}, 0
    while layer:
        ended = {boxes for boxes, _ in layer if set(boxes) == board.goals}
        if ended:
            return pushes, [list(zip(starts, boxes, strict=True)) for boxes in sorted(ended)]
        following = set()
        for boxes, player in layer:
            here = region(player, set(boxes))
            for i, box in enumerate(boxes):
                for d in range(4):
                    to = beside(box, d)
                    if beside(box, d ^ 1) in here and to in cells and to not in boxes:
                        after = (*boxes[:i], to, *boxes[i + 1 :])
                        state = (after, min(region(box, set(after))))
                        if state not in seen:
                            seen.add(state)
                            following.add(state)
        layer, pushes = following, pushes + 1
    return None, []


def _region(board, player, boxes):
    """Where the player can walk, with the number of steps to each cell."""
    steps, waiting = {player: 0}, [player]
    for here in waiting:  # grows while it is read
        for d in range(4):
            there = beside(here, d)
            if there not in steps and not board.is_wall(there) and there not in boxes:
                steps[there] = steps[here] + 1
                waiting.append(there)
    return steps


def useful(board):
    """Cells from which a lone box can be pushed to some goal."""
    seen, waiting = set(board.goals), list(board.goals)
    for here in waiting:  # grows while it is read
        for d in range(4):
            there, beyond = beside(here, d), beside(beside(here, d), d)
            if there not in seen and not board.is_wall(there) and not board.is_wall(beyond):
                seen.add(there)
                waiting.append(there)
    return seen


def _pushes(board, player, boxes, cells):
    """Every push to one of the cells: the box, the direction, the boxes after it, the steps before it."""
    steps = _region(board, player, boxes)
    for box in boxes:
        for d in range(4):
            to, behind = beside(box, d), beside(box, d ^ 1)
            if behind in steps and to in cells and to not in boxes:
                yield box, d, boxes - {box} | {to}, steps[behind]


def shortest(board, most=50_000):
    """The fewest pushes and the number of ways to push so, by plain search; (None, 0) where there is none.

    `board` is a `rules.Board`. Only cells without a way to a goal are left out. Beyond `most`
    states it gives up: ("unknown", 0).
    """
    boxes, player = board.start.boxes, board.start.player
    layer = {(boxes, min(_region(board, player, boxes))): 1}
    seen, pushes, cells = set(layer), 0, useful(board)
    while layer:
        ways = sum(number for (boxes, _), number in layer.items() if boxes == board.goals)
        if ways:
            return pushes, ways
        following = {}
        for (boxes, player), number in layer.items():
            for box, _, after, _ in _pushes(board, player, boxes, cells):
                state = (after, min(_region(board, box, after)))
                if state not in seen:
                    following[state] = following.get(state, 0) + number
        seen.update(following)
        if len(seen) > most:
            return "unknown", 0
        layer, pushes = following, pushes + 1
    return None, 0


def pushes_alone(board):
    """The fewest pushes of all boxes if none were in the way of another, over all ways to give out goals."""
    ways = [_ways_alone(board, box) for box in sorted(board.start.boxes)]
    return min(
        sum(way.get(goal, inf) for way, goal in zip(ways, goals, strict=True))
        for goals in permutations(board.goals)
    )


def _ways_alone(board, box):
    """The fewest pushes of a box, alone on the board, to each cell that it can be pushed to."""
    cells = useful(board)
    boxes = frozenset({box})
    layer = {(boxes, min(_region(board, board.start.player, boxes)))}
    seen, found, pushes = set(layer), {}, 0
    while layer:
        following = set()
        for boxes, player in layer:
            found.setdefault(*boxes, pushes)
            for box, _, after, _ in _pushes(board, player, boxes, cells):
                following.add((after, min(_region(board, box, after))))
        layer, pushes = following - seen, pushes + 1
        seen |= layer
    return found


def fewest_moves(board, most=50_000):
    """The fewest (pushes, moves), pushes first, by Dijkstra's method over boxes and the player's cell."""
    first = (board.start.boxes, board.start.player)
    best, waiting, done = {first: (0, 0)}, [((0, 0), 0, first)], set()
    number, cells = 0, useful(board)
    while waiting and len(best) < most:
        cost, _, state = heappop(waiting)
        if state in done:
            continue
        done.add(state)
        boxes, player = state
        if boxes == board.goals:
            return cost
        for box, _, after, steps in _pushes(board, player, boxes, cells):
            reached, price = (after, box), (cost[0] + 1, cost[1] + steps + 1)
            if price < best.get(reached, (10**9, 0)):
                best[reached] = price
                number += 1
                heappush(waiting, (price, number, reached))
    return None


def farthest_pushes(size, wall_words, goal_words):
    """The most pushes that a start with no box on a goal needs: breadth first by pulls, plainly."""
    height, width = size

    def cells(words):
        bits = sum(int(word) << (64 * i) for i, word in enumerate(words))
        return frozenset((i // width, i % width) for i in range(height * width) if bits >> i & 1)

    walls, goals = cells(wall_words), cells(goal_words)
    floor = frozenset((r, c) for r in range(height) for c in range(width)) - walls

    def region(player, boxes):
        seen, waiting = {player}, [player]
        while waiting:
            row, column = waiting.pop()
            for there in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if there in floor and there not in boxes and there not in seen:
                    seen.add(there)
                    waiting.append(there)
        return frozenset(seen)

    layer = {(goals, region(player, goals)) for player in floor - goals}
    met = set(layer)
    depth = best = 0
    while layer:
        after = set()
        for boxes, around in layer:
            for row, column in boxes:
                for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                    near, far = (row + down, column + right), (row + 2 * down, column + 2 * right)
                    if near in around and far in around:
                        moved = boxes - {(row, column)} | {near}
                        after.add((moved, region(far, moved)))
        layer = after - met
        met |= layer
        depth += 1
        if any(not boxes & goals for boxes, _ in layer):
            best = depth
    return best
