"""All starts of a plan, as in `warehouse/starts.py`, by sets of cells as numbers and without kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from levelsmith.core import Size
from levelsmith.games.sokoban.rules.kernels.board import DOWN, LEFT, UP
from levelsmith.games.sokoban.solver.kernels.strolls import PLACES
from levelsmith.games.sokoban.warehouse.plan import Plan, Start
from levelsmith.games.sokoban.warehouse.starts import LONGEST, MOST_MET, Push, Starts

NOWHERE = -1


class Position(NamedTuple):
    """Where the boxes are and the player can be, and the fewest pushes from there."""

    boxes: int
    region: int
    pushes: int


class Place(NamedTuple):
    """A position with the player on a cell, on the way to the end."""

    state: int
    player: int
    moves: int
    parent: int
    push: int


class PlainStarts(Starts):
    """As `Starts`, found and solved without kernels."""

    def __init__(self, plan: Plan, size: Size):
        self.width = size[1]
        inside, goals = self.laid_out(plan, size)
        self.floor = _set_of(np.flatnonzero(inside).tolist())
        self.steps = (-self.width, self.width, -1, 1)
        columns = [_set_of(range(column, inside.size, self.width)) for column in (0, self.width - 1)]
        self.left, self.right = (self.floor & ~column for column in columns)
        self.met: list[Position] = []
        self.known: dict[int, list[int]] = {}  # the positions with the same boxes
        self._explore(_set_of(goals))
        off_goals = [i for i, one in enumerate(self.met) if not one.boxes & _set_of(goals)]
        self.states = np.array(off_goals, np.int64)
        self.depths = np.array([self.met[state].pushes for state in off_goals], np.uint16)

    def members(self, state: int) -> tuple[list[int], list[int]]:
        return _members(self.met[state].boxes), _members(self.met[state].region)

    def pushes(self, state: int, start: Start) -> list[Push] | None:
        leading: dict[int, list[tuple[int, int]]] = {}  # from a position nearer to the end: push and position
        places = [Place(state, self.number(start.player), 0, NOWHERE, 0)]
        at = {places[0][:2]: 0}
        first = 0
        for left in range(self.met[state].pushes - 1, -1, -1):
            last = len(places)
            for place in range(first, last):
                here = places[place]
                if here.state not in leading:
                    leading[here.state] = self._leading(here.state, left)
                walks = self._walks(
                    here, [(push >> 2) - self.steps[push & 3] for push, _ in leading[here.state]]
                )
                for push, there in leading[here.state]:
                    moves = here.moves + walks[(push >> 2) - self.steps[push & 3]] + 1
                    known = at.get((there, push >> 2))
                    if known is None:
                        if len(places) == PLACES:
                            return None
                        at[there, push >> 2] = len(places)
                        places.append(Place(there, push >> 2, moves, place, push))
                    elif moves < places[known].moves:
                        places[known] = Place(there, push >> 2, moves, place, push)
            first = last
        best = min(places[first:], key=lambda place: place.moves)
        made = []
        while best.parent != NOWHERE:
            made.append((self.cell(best.push >> 2), best.push & 3))
            best = places[best.parent]
        return made[::-1]

    def _shifted(self, cells: int, direction: int) -> int:
        """Returns cells of floor moved by one step, where that is floor again."""
        if direction == UP:
            return cells >> self.width & self.floor
        if direction == DOWN:
            return cells << self.width & self.floor
        return cells >> 1 & self.right if direction == LEFT else cells << 1 & self.left

    def _wider(self, cells: int) -> int:
        width = self.width
        moved = cells >> width | cells << width | (cells >> 1 & self.right) | (cells << 1 & self.left)
        return (cells | moved) & self.floor

    def _reached(self, cell: int, boxes: int) -> int:
        """Returns where a player on a cell can be."""
        open_cells, seen, wider = ~boxes, 0, 1 << cell
        while wider != seen:
            seen, wider = wider, self._wider(wider) & open_cells
        return seen

    def _explore(self, goals: int) -> None:
        """Meets positions by pulls from the goals, nearest first."""
        pullable = 0
        for direction in range(4):
            two = self._shifted(self.floor, direction)
            pullable |= self._shifted(two, direction)
        if goals & ~pullable:
            return
        left, boxes = self.floor & ~goals, goals.bit_count()
        while left:
            region = self._reached((left & -left).bit_length() - 1, goals)
            left &= ~region
            self._meet(goals, region, 0)
        for here in self.met:  # grows while it is read
            if len(self.met) == MOST_MET or here.pushes == LONGEST:
                return
            late = here.pushes >= LONGEST - boxes
            self._pull(here, goals, LONGEST - here.pushes - 1 if late else boxes)

    def _meet(self, boxes: int, region: int, pushes: int) -> None:
        if len(self.met) < MOST_MET:
            self.known.setdefault(boxes, []).append(len(self.met))
            self.met.append(Position(boxes, region, pushes))

    def _found(self, boxes: int, player: int) -> int:
        """Returns the position with these boxes and the player on a cell, or NOWHERE."""
        for state in self.known.get(boxes, ()):
            if self.met[state].region >> player & 1:
                return state
        return NOWHERE

    def _pull(self, here: Position, goals: int, most_filled: int) -> None:
        for direction, step in enumerate(self.steps):
            stands = self._shifted(here.boxes, direction) & here.region
            for cell in _members(stands & self._shifted(here.region, direction ^ 1)):
                after = here.boxes ^ (1 << (cell - step)) ^ (1 << cell)
                new = self._found(after, cell + step) == NOWHERE
                if new and (after & goals).bit_count() <= most_filled:
                    self._meet(after, self._reached(cell + step, after), here.pushes + 1)

    def _leading(self, state: int, left: int) -> list[tuple[int, int]]:
        """Returns the pushes that leave so many, each with the position after it."""
        found, here = [], self.met[state]
        for direction, step in enumerate(self.steps):
            behind = self._shifted(self.floor & ~here.boxes, direction ^ 1)
            for cell in _members(self._shifted(here.region, direction) & here.boxes & behind):
                there = self._found(here.boxes ^ (1 << cell) ^ (1 << (cell + step)), cell)
                if there != NOWHERE and self.met[there].pushes == left:
                    found.append((cell * 4 + direction, there))
        return found

    def _walks(self, here: Place, cells: list[int]) -> dict[int, int]:
        """Returns the steps of the player to each of some cells."""
        steps, number, open_cells = {}, 0, ~self.met[here.state].boxes
        seen, left = 1 << here.player, set(cells)
        while left:
            for cell in [cell for cell in left if seen >> cell & 1]:
                steps[cell] = number
                left.remove(cell)
            seen = self._wider(seen) & open_cells
            number += 1
        return steps


def _set_of(cells: list[int] | range) -> int:
    return sum(1 << cell for cell in cells)


def _members(cells: int) -> list[int]:
    found = []
    while cells:
        found.append((cells & -cells).bit_length() - 1)
        cells &= cells - 1
    return found
