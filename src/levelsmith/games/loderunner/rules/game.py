"""The game of Lode Runner as people play it, tick by tick, with guards that chase: written to be read.

A man is somewhere in a cell: `dy` and `dx` say how far from its middle, in 1/44 of a cell's height and 1/40
of its width. In a tick he makes at most one pace, of 9 units up or down or 8 to a side, so a cell takes five
ticks. There are two boards. `tile` is the level, in which a dug brick is still brick; `now` is what is in a
cell at this moment, a man's mark above all. Nothing is left to chance: where the original draws a number, the
tick serves, unless `draw` does.

Every number is in `NUMBERS`. Nothing here is shared with the compiled game, so that a mistake in one is seen
by the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from levelsmith.games.loderunner.rules.men import (
    BRICK,
    CLIMB,
    DEAD,
    DIG_LEFT,
    DIG_RIGHT,
    DOWN,
    EMPTY,
    FLOOR,
    FREE,
    GOLD,
    GUARD,
    HARD,
    HIDDEN,
    HOLE,
    LADDER,
    LEFT,
    NOTHING,
    NUMBERS,
    PLAYING,
    REBORN,
    RIGHT,
    ROPE,
    RUNNER,
    SOLID,
    SYMBOLS,
    TRAP,
    UP,
    WON,
    Guard,
    Man,
)
from levelsmith.games.loderunner.rules.ways import choice


class Game:
    """A game on a level; `tick` goes on with it.

    With `exit`, by default that of a level with hidden ladders, the runner must reach the top row once all
    gold is taken; without, the last gold wins. `draw(most)` returns a number below `most` where chance
    decides instead of the tick: how long a guard carries gold, and in which column one is born again.
    """

    def __init__(
        self, rows: Iterable[str], exit: bool | None = None, draw: Callable[[int], int] | None = None
    ):
        board = [[SYMBOLS[symbol] for symbol in row] for row in rows]
        self.height, self.width = len(board), len(board[0])
        self.exit = any(HIDDEN in row for row in board) if exit is None else exit
        men = [
            (tile, y, x)
            for y, row in enumerate(board)
            for x, tile in enumerate(row)
            if tile in (RUNNER, GUARD)
        ]
        self.runner = next(Man(y, x) for tile, y, x in men if tile == RUNNER)
        self.guards = [Guard(y, x) for tile, y, x in men if tile == GUARD]
        self.tile = [[EMPTY if tile in (RUNNER, GUARD) else tile for tile in row] for row in board]
        self.now = [[self._without_men(y, x) for x in range(self.width)] for y in range(self.height)]
        self.draw = draw
        self.falling = False
        self.key = NOTHING
        self.dig: tuple[int, int, int] | None = None  # the brick, and how far
        self.holes: dict[tuple[int, int], int] = {}  # ticks until each fills
        self.ticks = self.phase = self.turn = 0
        self.left = sum(row.count(GOLD) for row in self.tile)
        self.alive = True
        self._mark(self.runner, RUNNER)
        for guard in self.guards:
            self._mark(guard, GUARD)
        if self.left == 0:
            self._show_ladders()

    # ------------------------------------------------------------------------------------------------ a tick

    def tick(self, key: str | None = None) -> str:
        """Goes on by a tick, with another key if one is given, and returns how the game stands."""
        self.ticks += 1
        self.key = key or self.key
        if not self._digs_on():
            self._move_runner()
        if self.alive:
            for guard in self._those_who_move():
                self._move_guard(guard)
        self._age_trapped()
        self._age_holes()
        self._age_births()
        return self.status

    @property
    def status(self) -> str:
        if not self.alive:
            return DEAD
        out = not self.exit or (self.runner.row == 0 and self.runner.dy == 0)
        return WON if self.left == 0 and out else PLAYING

    @property
    def gold(self) -> list[tuple[int, int]]:
        """The cells where gold lies, in reading order."""
        return [(y, x) for y, row in enumerate(self.tile) for x, tile in enumerate(row) if tile == GOLD]

    def state(self) -> dict[str, Any]:
        """Returns all that can be seen of it: places, clocks, gold, and how it stands."""
        guards = [[*_place(guard), guard.mode, guard.count, guard.wait] for guard in self.guards]
        return {
            "tick": self.ticks,
            "runner": _place(self.runner),
            "falling": self.falling,
            "guards": guards,
            "holes": sorted([*cell, left] for cell, left in self.holes.items()),
            "dig": None if self.dig is None else list(self.dig),
            "left": self.left,
            "gold": [list(cell) for cell in self.gold],
            "status": self.status,
        }

    # ----------------------------------------------------------------------------------------- the two boards

    def _without_men(self, row: int, column: int) -> int:
        """Returns what is in a cell once nobody is."""
        tile = self.tile[row][column]
        return EMPTY if tile in (GOLD, HIDDEN) else tile

    def _mark(self, man: Man, mark: int) -> None:
        self.now[man.row][man.column] = mark

    def _leave(self, cell: tuple[int, int]) -> None:
        """Puts back what is in a cell that somebody leaves; brick there is a hole."""
        left = self._without_men(*cell)
        self.now[cell[0]][cell[1]] = EMPTY if left == BRICK else left

    def _is_last(self, row: int) -> bool:
        return row == self.height - 1

    def now_at(self, row: int, column: int) -> int:
        """Returns what is in a cell now; what lies outside is solid."""
        return self.now[row][column] if self.inside(row, column) else SOLID

    def tile_at(self, row: int, column: int) -> int:
        return self.tile[row][column] if self.inside(row, column) else SOLID

    def inside(self, row: int, column: int) -> bool:
        return 0 <= row < self.height and 0 <= column < self.width

    def _guard_at(self, row: int, column: int) -> Guard:
        return next(guard for guard in self.guards if guard.cell == (row, column))

    # ------------------------------------------------------------------------- what runner and guards share

    def _pace(self, man: Man, down: int, right: int, blocked: bool) -> bool:
        """Makes a pace, to the middle of the cell at most if it is blocked; returns whether he moved."""
        along = man.dy * down + man.dx * right
        if blocked and along >= 0:
            return False
        along += NUMBERS.climb if down else NUMBERS.walk
        if blocked:
            along = min(along, 0)
        if down:
            man.dy = along * down
            man.dx = _nearer(man.dx, NUMBERS.walk)
        else:
            man.dx = along * right
            man.dy = _nearer(man.dy, NUMBERS.climb)
        if along > (NUMBERS.height if down else NUMBERS.width) // 2:
            man.row, man.dy = man.row + down, man.dy - down * NUMBERS.height
            man.column, man.dx = man.column + right, man.dx - right * NUMBERS.width
        return True

    def _falls(self, man: Man) -> bool:
        tile = self.tile[man.row][man.column]
        if tile == LADDER or (tile == ROPE and man.dy == 0):
            return False
        if man.dy < 0:
            return True
        below = self.now_at(man.row + 1, man.column)
        return below not in (BRICK, SOLID, LADDER, GUARD)

    def _fall(self, man: Man) -> bool:
        """Makes a pace down; returns whether he caught a rope."""
        above, before = man.dy < 0, man.cell
        self._pace(man, 1, 0, self.now_at(man.row + 1, man.column) in (*HARD, GUARD))
        if above and man.cell == before and man.dy >= 0 and self.tile[man.row][man.column] == ROPE:
            man.dy = 0
            return True
        return False

    def _touches_gold(self, man: Man) -> bool:
        if self.tile[man.row][man.column] != GOLD:
            return False
        over_ladder = not self._is_last(man.row) and self.tile[man.row + 1][man.column] == LADDER
        return (
            (man.dx == 0 and 0 <= man.dy < NUMBERS.touch_y)
            or (man.dy == 0 and 0 <= man.dx < NUMBERS.touch_x)
            or (over_ladder and man.dy < NUMBERS.touch_y)
        )

    def _count_gold_out(self) -> None:
        """Counts a piece as collected; after the last one hidden ladders appear."""
        self.left -= 1
        if self.left == 0:
            self._show_ladders()

    def _show_ladders(self) -> None:
        for y, row in enumerate(self.tile):
            for x, tile in enumerate(row):
                if tile == HIDDEN:
                    row[x] = self.now[y][x] = LADDER

    # --------------------------------------------------------------------------------------------- the runner

    def _move_runner(self) -> None:
        runner, before = self.runner, self.runner.cell
        if self._falls(runner):
            caught_rope = self._fall(runner)
            self.falling = not caught_rope
            fell = True
        else:
            fell = self._obey()
            self.falling = fell
        if fell and self.now_at(runner.row + 1, runner.column) == GUARD:
            runner.dy = min(runner.dy, self._guard_at(runner.row + 1, runner.column).dy)
        if runner.cell != before:
            self._leave(before)
            if self.now[runner.row][runner.column] == GUARD and self._guard_at(*runner.cell).mode != REBORN:
                self.alive = False
        self._mark(runner, RUNNER)
        if self._touches_gold(runner):
            self.tile[runner.row][runner.column] = EMPTY
            self._count_gold_out()
        if self._is_caught():
            self.alive = False

    def _obey(self) -> bool:
        """Does what the key says; returns whether he lets himself fall from a rope."""
        runner, key = self.runner, self.key
        row, column = runner.cell
        if key in (DIG_LEFT, DIG_RIGHT):
            self.key = NOTHING
            self._begin_dig(-1 if key == DIG_LEFT else 1)
        elif key in (LEFT, RIGHT):
            side = -1 if key == LEFT else 1
            self._pace(runner, 0, side, self.now_at(row, column + side) in (*HARD, TRAP))
        elif key == UP:
            on_ladder = self.tile[row][column] == LADDER
            coming_off = runner.dy > 0 and self.tile_at(row + 1, column) == LADDER
            stops = not on_ladder and 0 < runner.dy < NUMBERS.touch_y
            if on_ladder or coming_off:
                self._pace(runner, -1, 0, stops or self.now_at(row - 1, column) in (*HARD, TRAP))
        elif key == DOWN:
            below = self.now_at(row + 1, column)
            lets_go = self.tile[row][column] == ROPE and runner.dy >= 0 and below not in (LADDER, GUARD)
            return self._pace(runner, 1, 0, below in HARD) and lets_go
        return False

    def _is_caught(self) -> bool:
        """Looks at the first neighbouring cell with a guard, and at no other."""
        runner = self.runner
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            there = runner.row + down, runner.column + right
            if self.now_at(*there) == GUARD:
                guard = self._guard_at(*there)
                vertical = down * NUMBERS.height + guard.dy - runner.dy
                horizontal = right * NUMBERS.width + guard.dx - runner.dx
                near = abs(vertical) <= NUMBERS.catch_y and abs(horizontal) <= NUMBERS.catch_x
                return near and guard.mode != REBORN
        return False

    # ------------------------------------------------------------------------------------------------ digging

    def _begin_dig(self, side: int) -> None:
        runner = self.runner
        beside = runner.row, runner.column + side
        if self._is_last(runner.row) or not self.inside(*beside):
            return
        brick = runner.row + 1, beside[1]
        is_open = self.now[beside[0]][beside[1]] == EMPTY and self.tile[beside[0]][beside[1]] != GOLD
        if is_open and self.now[brick[0]][brick[1]] == BRICK:
            runner.dy = runner.dx = 0
            self.dig = (*brick, 0)

    def _digs_on(self) -> bool:
        """Goes on with a dig; returns whether there is one that a guard does not stop."""
        if self.dig is None:
            return False
        row, column, frame = self.dig
        if self.now[row - 1][column] == GUARD:
            if frame < NUMBERS.cancelled and self._guard_at(row - 1, column).dy > -NUMBERS.touch_y:
                self.now[row][column] = BRICK
                self.dig = None
                return False
            self.now[row][column] = EMPTY
        frame += 1
        self.dig = (row, column, frame)
        if frame == NUMBERS.dig:
            self.dig = None
            self.now[row][column] = EMPTY if self.now[row][column] == BRICK else self.now[row][column]
            self.holes[row, column] = NUMBERS.open + 1  # it ages in this tick
        return True

    def _age_holes(self) -> None:
        for cell in list(self.holes):
            self.holes[cell] -= 1
            if self.holes[cell] == 0:
                del self.holes[cell]
                self._fill(cell)

    def _fill(self, cell: tuple[int, int]) -> None:
        self.now[cell[0]][cell[1]] = BRICK
        if self.runner.cell == cell:
            self.alive = False
        for guard in self.guards:
            if guard.cell == cell:
                self._bear_again(guard)

    # ------------------------------------------------------------------------------------------------- guards

    def _those_who_move(self) -> Iterator[Guard]:
        """Yields the guards whose turn it is: more often all of them in turn, the fewer they are."""
        guards = len(self.guards)
        if guards == 0:
            return
        self.phase += 1
        for _ in range(moves_in_turn(guards, self.phase)):
            self.turn = (self.turn + 1) % guards
            guard = self.guards[self.turn]
            if guard.mode in (FREE, CLIMB):
                yield guard

    def _move_guard(self, guard: Guard) -> None:
        before, passed = guard.cell, False
        if guard.mode == CLIMB and guard.row == guard.hole[0]:
            passed = self._walk(guard, -1, 0)
        else:
            falls = guard.mode == FREE and self._falls(guard)
            if falls:
                passed = self._guard_falls(guard)
            else:
                way = choice(self, guard)
                if guard.mode == CLIMB and (guard.column != guard.hole[1] or way is None):
                    guard.mode = FREE
                passed = way is not None and self._walk(guard, *way)
        if guard.cell != before:
            self._leave(before)
            if self.now[guard.row][guard.column] == RUNNER:
                self.alive = False
        self._mark(guard, GUARD)
        if passed:
            self._carry(guard)
        if guard.count == 0 and self._touches_gold(guard):
            self.tile[guard.row][guard.column] = EMPTY
            guard.count = NUMBERS.carried + self._drawn(NUMBERS.carried_more)

    def _walk(self, guard: Guard, down: int, right: int) -> bool:
        """Makes a pace unless something is in the way; returns whether it passed or reached a middle."""
        there = guard.row + down, guard.column + right
        blocked = self.now_at(*there) in (*HARD, GUARD)
        if down == -1:
            blocked = blocked or self.now_at(*there) == TRAP
        if right:
            blocked = blocked or self.tile_at(*there) == TRAP
        if not self._pace(guard, down, right, blocked):
            return False
        if right:
            return guard.dx == 0
        return -NUMBERS.climb < guard.dy <= 0 if down < 0 else 0 <= guard.dy < NUMBERS.climb

    def _guard_falls(self, guard: Guard) -> bool:
        """Makes a pace down, into a hole too; returns whether it passed or reached a middle."""
        if guard.dy < 0 and self.tile[guard.row][guard.column] == BRICK:
            if guard.count > 0:
                self._lose_gold(guard)
            self._pace(guard, 1, 0, True)
            if guard.dy == 0:
                guard.mode, guard.hole = HOLE, guard.cell
                guard.wait, guard.count = NUMBERS.trapped + 1, 0  # it goes down in this tick
            return False
        return not self._fall(guard) and 0 <= guard.dy < NUMBERS.climb

    def _lose_gold(self, guard: Guard) -> None:
        """Lays his gold above the hole; where that cannot be, it is lost and counts as collected."""
        guard.count = 0
        if guard.row > 0 and self.tile[guard.row - 1][guard.column] == EMPTY:
            self.tile[guard.row - 1][guard.column] = GOLD
        else:
            self._count_gold_out()

    def _carry(self, guard: Guard) -> None:
        """Counts a middle of a cell that he passed with gold, and lays it down after the last."""
        if guard.count == 1:
            carries = self.tile_at(guard.row + 1, guard.column) in FLOOR
            if self.tile[guard.row][guard.column] == EMPTY and carries:
                self.tile[guard.row][guard.column] = GOLD
                guard.count = -1
        elif guard.count:
            guard.count -= 1 if guard.count > 0 else -1

    def _age_trapped(self) -> None:
        for guard in self.guards:
            if guard.mode == HOLE:
                guard.wait -= 1
                if guard.wait == 0:
                    guard.mode = CLIMB

    def _bear_again(self, guard: Guard) -> None:
        """Puts a guard who was killed into the first free cell from the top."""
        if guard.count > 0:
            self._count_gold_out()
        first = self._drawn(self.width)
        cells = [(y, (first + i) % self.width) for y in range(1, self.height) for i in range(self.width)]
        free = (cell for cell in cells if self._can_be_born(*cell))
        guard.row, guard.column = next(free, (0, first))
        guard.dy = guard.dx = guard.count = 0
        guard.mode, guard.wait = REBORN, NUMBERS.born + 1  # it goes down in this tick
        self._mark(guard, GUARD)

    def _drawn(self, most: int) -> int:
        return self.ticks % most if self.draw is None else self.draw(most)

    def _can_be_born(self, row: int, column: int) -> bool:
        return self.now[row][column] == EMPTY and self.tile[row][column] not in (GOLD, BRICK)

    def _age_births(self) -> None:
        for guard in self.guards:
            if guard.mode == REBORN:
                guard.wait -= 1
                if guard.wait == 0:
                    guard.mode = FREE
                    self._mark(guard, GUARD)
                    if guard.cell == self.runner.cell:
                        self.alive = False


def moves_in_turn(guards: int, phase: int) -> int:
    """Returns how many guards move in a tick: one more than there are, in three ticks."""
    if guards == 1:
        return phase % 2
    if guards == 3:
        return (1, 2, 1)[phase % 3]
    least, more = divmod(guards + 1, 3)
    return least + (phase % 3 >= 3 - more)


def _place(man: Man) -> list[int]:
    return [man.row, man.column, man.dy, man.dx]


def _nearer(offset: int, units: int) -> int:
    """Returns an offset that is smaller by some units, but not below 0."""
    return max(0, abs(offset) - units) * (1 if offset > 0 else -1)
