"""The rules of PuzzleScript in plain Python over the tables of a game: slow, and meant to be read.

A board is a list with the objects of each cell, column after column, as a whole number; movements are a
second such list, five bits a layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod

from levelsmith.games.puzzlescript.engine import endless
from levelsmith.games.puzzlescript.kernels.codes import (
    ACTION,
    AGAIN,
    ALL,
    CANCEL,
    CHECKPOINT,
    DOWN,
    ENDS,
    INPUTS,
    LEFT,
    MESSAGE,
    MOST_JUMPS,
    MOST_PASSES,
    MOST_ROUNDS,
    MOVE_BITS,
    NEVER_WINS,
    NO,
    PENDING,
    PLAY,
    PROBE,
    PUSHED,
    RESTART,
    RIGHT,
    SOME,
    START,
    UP,
    WIN,
    WON,
    YES,
)
from levelsmith.games.puzzlescript.random import Random
from levelsmith.games.puzzlescript.tables import Tables, Words, as_int, object_words

MOST_SLOW_WORK = 1_000_000  # in a turn: rules, matches and eights of cells; a few seconds
Match = tuple[int, ...]  # the first cell of each part of a row


class Twin:
    """One board of a game, played turn by turn."""

    def __init__(self, tables: Tables, height: int, width: int):
        self.tables, self.height, self.width = tables, height, width
        self.random = Random("")
        self.objects: list[int] = []
        self.target: list[int] = []  # where a restart goes
        self.moves: list[int] = []
        self.queue = 0  # commands of the turn, as bits
        self.said = self.told = 0  # the rule of the message in the queue; of the one to show, plus 1
        self.restarting = False
        self.work = 0  # done in this turn
        self.on_win = ENDS
        self.fired: dict[int, None] = {}  # the rules that have changed or commanded anything, in order
        cells, groups = tables.cells, tables.groups
        self.step = {UP: -1, DOWN: 1, LEFT: -height, RIGHT: height}
        self.layer_sets = [as_int(one) for one in tables.layer_sets]
        self.player = as_int(tables.player)
        self.present, self.absent = _ints(cells.present), _ints(cells.absent)
        self.moving, self.resting = _ints(cells.moving, MOVE_BITS), _ints(cells.resting, MOVE_BITS)
        any_of = _ints(cells.any_of)
        self.any_of = [
            any_of[first : first + count]
            for first, count in zip(cells.any_first, cells.any_count, strict=True)
        ]
        self.clear, self.set, self.drawn = _ints(cells.clear), _ints(cells.set), _ints(cells.random)
        self.move_clear, self.move_set = _ints(cells.move_clear, MOVE_BITS), _ints(cells.move_set, MOVE_BITS)
        self.layers, self.turned = _ints(cells.layers, MOVE_BITS), _ints(cells.random_dir, MOVE_BITS)
        self.early = range(groups.early)
        self.late = range(groups.early, len(groups.jump))
        rules = tables.rules
        self.rows = [
            [
                [(int(rules.cell_first[p]), int(rules.cell_count[p])) for p in range(first, first + count)]
                for first, count in zip(
                    rules.part_first[row : row + rows], rules.part_count[row : row + rows], strict=True
                )
            ]
            for row, rows in zip(rules.row_first, rules.row_count, strict=True)
        ]  # rule -> rows -> parts: first cell, cells
        self.needs = [
            [
                _union(needed[c] for row in rows for first, count in row for c in range(first, first + count))
                for needed in (self.present, self.moving)
            ]
            for rows in self.rows
        ]  # rule -> objects, movements that must be somewhere on the board
        wins = tables.wins
        self.wins = list(zip(wins.kind.tolist(), _ints(wins.what), _ints(wins.where), strict=True))

    def load(self, board: Words, seed: str | None = None) -> None:
        """Puts the board of a level down, and begins with new random numbers if there is a seed."""
        self.objects = [as_int(cell) for cell in board]
        self.target = list(self.objects)
        self.moves = [0] * len(self.objects)
        self.restarting, self.work = False, 0
        if seed is not None:
            self.random = Random(seed)

    def board(self) -> Words:
        """Returns the objects of each cell. `[cells, W]`"""
        return object_words(self.objects, self.tables.objects)

    def put(self, board: Words) -> None:
        """Replaces the board, as undo does."""
        self._take_back([as_int(cell) for cell in board])

    def restart(self) -> int:
        """Goes back to the checkpoint or the start of the level; returns what comes of the start turn."""
        self._take_back(list(self.target))
        outcome = self.work = 0
        if self.tables.start_turn and not self.restarting:
            self.restarting = True
            outcome = self.turn(None, START)
            self.restarting = False
        return outcome

    def turn(self, key: int | None, kind: int = PLAY) -> int:
        """Plays one turn, of a key or of time alone; returns what comes of it, as bits."""
        before = list(self.objects)
        self.work = 0 if kind == PLAY else self.work
        players = self._move_players(key)
        self.seen = _union(self.objects)  # objects that were anywhere in this turn, and movements
        self.seen_moves = _union(self.moves)
        self._move_all()
        self._run(self.late, set())
        if self.tables.must_move and players and all(self.objects[i] & self.player for i in players):
            self._take_back(before)
            return 0
        if self.queue & MESSAGE and kind != PROBE:
            self.told = self.said + 1
        if self.queue & CANCEL:
            self._take_back(before)
            return YES if self.queue & ~CANCEL else 0
        outcome = 0
        if self.queue & RESTART:
            outcome |= PUSHED
            if kind != PROBE and not self.restarting:
                outcome |= self.restart()
                self.queue = 0
        changed = self.objects != before
        if kind == PROBE and (changed or self.queue & (WIN | RESTART)):
            self._take_back(before)
            return YES
        if changed and key is not None:
            outcome |= PUSHED
        if kind == PLAY and self.on_win != NEVER_WINS and (self.queue & WIN or self.won()):
            outcome |= WON
            if self.on_win == ENDS:
                return outcome
            self.on_win = NEVER_WINS
        if self.queue & CHECKPOINT:
            self.target = list(self.objects)
        if self.queue & AGAIN and changed and self.turn(None, PROBE) & YES:
            outcome |= PENDING
        return outcome

    def _take_back(self, board: list[int]) -> None:
        self.objects, self.moves = board, [0] * len(board)

    def won(self) -> bool:
        """Returns whether all win conditions hold, and there are some."""
        wins = self.tables.wins
        for c, (kind, what, where) in enumerate(self.wins):
            on = off = False
            for cell in self.objects:
                if _has(cell, what, wins.what_all[c]):
                    there = bool(wins.anywhere[c]) or _has(cell, where, wins.where_all[c])
                    on, off = on or there, off or not there
            if (kind, True) in ((NO, on), (ALL, off), (SOME, not on)):
                return False
        return bool(self.wins)

    # movement

    def _move_players(self, key: int | None) -> list[int]:
        """Gives the key's movement to all players; returns their cells."""
        if key is None:
            return []
        found = [i for i, cell in enumerate(self.objects) if _has(cell, self.player, self.tables.player_all)]
        for i in found:
            for layer, members in enumerate(self.layer_sets):
                if self.objects[i] & self.player & members:
                    self.moves[i] = self.moves[i] & ~(31 << 5 * layer) | 1 << 5 * layer + INPUTS[key]
        return found

    def _move_all(self) -> None:
        """Runs the rules and moves what moves, anew without the rigid groups whose movement was stopped."""
        objects, moves = list(self.objects), list(self.moves)
        banned: set[int] = set()
        for _ in range(MOST_ROUNDS):
            self.queue = 0
            self.rigid = [0] * len(objects)  # numbers of groups, five bits a layer
            self.marked = [0] * len(objects)  # all five bits of a layer that has a number
            self._run(self.early, banned)
            self._resolve()
            stopped = self._stopped()
            self.moves = [0] * len(objects)
            if stopped <= banned:
                return
            banned |= stopped
            self.objects, self.moves = list(objects), list(moves)
        self.moves = [0] * len(objects)

    def _resolve(self) -> None:
        again = True
        while again:
            again = False
            for i in [i for i, moves in enumerate(self.moves) if moves]:
                for layer, members in enumerate(self.layer_sets):
                    moved = self.moves[i] >> 5 * layer & 31
                    if moved and self._can_go(i, moved, members):
                        self.moves[i] &= ~(31 << 5 * layer)
                        again = True

    def _can_go(self, i: int, moved: int, members: int) -> bool:
        """Moves one layer of a cell if nothing of that layer is in the way; returns whether it did."""
        if moved >> ACTION & 1:
            return True
        x, y = divmod(i, self.height)
        x += (moved >> RIGHT & 1) - (moved >> LEFT & 1)
        y += (moved >> DOWN & 1) - (moved >> UP & 1)
        target = x * self.height + y
        if not (0 <= x < self.width and 0 <= y < self.height) or self.objects[target] & members:
            return False
        self.objects[target] |= self.objects[i] & members
        self.objects[i] &= ~members
        return True

    def _stopped(self) -> set[int]:
        """Returns the rigid groups with movement left that could not be made."""
        found = set()
        for moves, marked, rigid in zip(self.moves, self.marked, self.rigid, strict=True):
            left = moves & marked
            if left:
                layer = ((left & -left).bit_length() - 1) // 5
                found.add(rigid >> 5 * layer & 31)
        return found

    # rules

    def _run(self, groups: range, banned: set[int]) -> None:
        """Runs groups of rules in order, and loops among them."""
        table = self.tables.groups
        g, jumps, changed = groups.start, 0, False
        while g < groups.stop:
            if not table.rigid[g] or int(table.rigid[g]) not in banned:
                changed |= self._run_group(g)
            if changed and table.jump[g] >= 0:
                g, changed, jumps = int(table.jump[g]), False, jumps + 1
                if jumps > MOST_JUMPS:
                    return
            else:
                g += 1

    def _run_group(self, g: int) -> bool:
        table = self.tables.groups
        rules = range(int(table.rule_first[g]), int(table.rule_first[g] + table.rule_count[g]))
        if table.random[g]:
            return self._run_random(rules, int(table.rigid[g]))
        changed = False
        for _ in range(MOST_PASSES):
            passed = False
            for rule in rules:
                passed |= self._run_rule(rule, int(table.rigid[g]))
            changed |= passed
            if not passed:
                break
        return changed

    def _run_random(self, rules: range, rigid: int) -> bool:
        found = [(rule, match) for rule in rules for match in self._tuples(rule)]
        if not found:
            return False
        rule, match = found[self.random.below(len(found))]
        changed = self._apply(rule, match, rigid)
        self._queue(rule)
        if changed:
            self.fired[rule] = None
        return changed

    def _run_rule(self, rule: int, rigid: int) -> bool:
        changed = False
        for n, match in enumerate(self._tuples(rule)):
            if n == 0 or self._still(rule, match):
                changed |= self._apply(rule, match, rigid)
            if n == 0:
                self._queue(rule)
        if changed:
            self.fired[rule] = None
        return changed

    def _queue(self, rule: int) -> None:
        commands = int(self.tables.rules.commands[rule])
        if not commands or self.queue & CANCEL or (self.queue & RESTART and not commands & CANCEL):
            return
        self.fired[rule] = None
        if commands & (CANCEL | RESTART):
            self.queue = 0
        if commands & MESSAGE and not self.queue & MESSAGE:
            self.said = rule
        self.queue |= commands

    def _tuples(self, rule: int) -> list[tuple[Match, ...]]:
        """Returns one match for each row of a rule, in all combinations; the first row varies fastest."""
        objects, moves = self.needs[rule]
        self._spend(1)
        if objects & ~self.seen or moves & ~self.seen_moves:
            return []
        direction = int(self.tables.rules.direction[rule])
        rows = []
        for row in self.rows[rule]:
            found = list(self._matches(row, direction))
            if not found:
                return []
            rows.append(found)
            self._spend(prod(map(len, rows)))
        return [match[::-1] for match in product(*rows[::-1])]

    def _spend(self, work: int) -> None:
        self.work += work
        if self.work > MOST_SLOW_WORK:
            raise endless(len(self.objects))

    def _matches(self, row: list[tuple[int, int]], direction: int) -> Iterator[Match]:
        """Yields where a row matches: starts in the order of scanning, gaps from small to large."""
        length = sum(count for _, count in row)
        upright = direction in (UP, DOWN)
        side, step = self.height if upright else self.width, self.step[direction]
        self._spend(len(self.objects) // 8)
        for outer in range(self.width if upright else self.height):
            for inner in range(side):
                room = (side - inner if direction in (DOWN, RIGHT) else inner + 1) - length
                start = outer * self.height + inner if upright else inner * self.height + outer
                if room < 0 or not self._part(row[0], start, step):
                    continue
                for gaps in _gaps(len(row) - 1, room):
                    self._spend(len(gaps))
                    match, at = [start], start
                    for part, gap in zip(row[1:], gaps, strict=True):
                        at += step * (row[len(match) - 1][1] + gap)
                        if not self._part(part, at, step):
                            break
                        match.append(at)
                    if len(match) == len(row):
                        yield tuple(match)

    def _part(self, part: tuple[int, int], start: int, step: int) -> bool:
        first, count = part
        for k in range(count):  # noqa: SIM110 - a generator takes twice as long
            if not self._cell(first + k, start + k * step):
                return False
        return True

    def _cell(self, c: int, i: int) -> bool:
        objects, moves = self.objects[i], self.moves[i]
        return (
            self.present[c] & ~objects == 0
            and self.absent[c] & objects == 0
            and self.moving[c] & ~moves == 0
            and self.resting[c] & moves == 0
            and (not self.any_of[c] or all(objects & one for one in self.any_of[c]))
        )

    def _still(self, rule: int, match: tuple[Match, ...]) -> bool:
        step = self.step[int(self.tables.rules.direction[rule])]
        return all(
            self._part(part, start, step)
            for row, starts in zip(self.rows[rule], match, strict=True)
            for part, start in zip(row, starts, strict=True)
        )

    def _apply(self, rule: int, match: tuple[Match, ...], rigid: int) -> bool:
        step = self.step[int(self.tables.rules.direction[rule])]
        number = rigid if self.tables.rules.rigid[rule] else 0
        changed = False
        for row, starts in zip(self.rows[rule], match, strict=True):
            for (first, count), start in zip(row, starts, strict=True):
                for k in range(count):
                    if self.tables.cells.changes[first + k]:
                        changed |= self._change(first + k, start + k * step, number)
        return changed

    def _change(self, c: int, i: int, number: int) -> bool:
        """Changes a cell as cell `c` of a rule says, with what is drawn for it."""
        clear, added, move_clear, move_set = self.clear[c], self.set[c], self.move_clear[c], self.move_set[c]
        if self.drawn[c]:
            choice = [n for n in range(self.tables.objects) if self.drawn[c] >> n & 1]
            one = choice[self.random.below(len(choice))]
            layer = int(self.tables.layer_of[one])
            added |= 1 << one
            clear |= self.layer_sets[layer]
            move_clear |= 31 << 5 * layer
        for layer in range(self.tables.layers) if self.turned[c] else ():
            if self.turned[c] >> 5 * layer & 1:
                move_set |= 1 << 5 * layer + self.random.below(4)
        before = self.objects[i], self.moves[i], self.marked[i]
        self.objects[i] = self.objects[i] & ~clear | added
        self.moves[i] = self.moves[i] & ~move_clear | move_set
        self.seen |= self.objects[i]
        self.seen_moves |= self.moves[i]
        if number:
            numbers = self.layers[c] // 31 * number
            if numbers & ~self.rigid[i] and self.layers[c] & ~self.marked[i]:
                self.rigid[i] |= numbers
                self.marked[i] |= self.layers[c]
        return before != (self.objects[i], self.moves[i], self.marked[i])


def _ints(sets: Words, bits: int = 64) -> list[int]:
    return [as_int(one, bits) for one in sets]


def _union(sets: Iterable[int]) -> int:
    found = 0
    for one in sets:
        found |= one
    return found


def _has(cell: int, members: int, all_of: bool) -> bool:
    return cell & members == members if all_of else cell & members != 0


def _gaps(count: int, room: int) -> Iterator[tuple[int, ...]]:
    if count == 0:
        yield ()
        return
    for first in range(room + 1):
        for rest in _gaps(count - 1, room - first):
            yield (first, *rest)
