"""All that may ever happen in a level of a PuzzleScript game, found in its rules: never less than what can.

Rules are tried on what may be, not on what is. An object may be in a cell if it is there at the start, if it
may move there, or if a rule that may match makes it. It may be away again too, unless it stays for ever: no
rule that may match moves it or takes it away. What may be and what stays follow from each other, step by
step, until nothing is new. Sets of cells are whole numbers, with the bit of a cell at its place on the board.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from levelsmith.games.puzzlescript.kernels.codes import ACTION, DOWN, LEFT, MOVE_BITS, RIGHT, UP
from levelsmith.games.puzzlescript.tables import Tables, Words

MOST_TRIES = 40_000  # of rules, before a level is left alone: about half a second
MOST_CELLS = 20_000  # of rules
NOTHING = -1  # in place of an object
LAYER = 31  # the movements of a layer
DIRECTIONS = (UP, DOWN, LEFT, RIGHT)
BACK = (DOWN, UP, RIGHT, LEFT)


@dataclass
class RuleCell:
    """A cell of a rule, with the objects that matter to it."""

    present: list[int]
    absent: list[int]
    any_of: list[list[int]]
    moving: list[tuple[list[int], int]] = field(default_factory=list)  # one of these must move that way
    way_of: dict[int, int] = field(default_factory=dict)  # the same by object
    made: list[int] = field(default_factory=list)  # there afterwards, and perhaps not before
    anew: list[int] = field(
        default_factory=list
    )  # of these, those in whose layer there may have been nothing
    heirs: list[tuple[int, list[int]]] = field(default_factory=list)  # made, and move as these did
    taken: list[tuple[int, int]] = field(default_factory=list)  # perhaps there before; what is instead, or -1
    pushed: list[tuple[int, int]] = field(default_factory=list)  # perhaps there afterwards, and move that way
    layers: set[int] = field(default_factory=set)  # that it changes


@dataclass
class RuleOutline:
    """A rule, its rows cut at ellipses."""

    direction: int
    step: int
    parts: list[tuple[int, list[RuleCell]]]  # row, cells
    needs: frozenset[int]  # objects that it depends on
    tried: int = -1
    matches: bool = False  # perhaps


class Changes:
    """What the rules of a game do to the objects that they name, on any board."""

    def __init__(self, tables: Tables):
        blank = Prospects(tables, np.zeros((1, tables.words), np.uint64), 1, 1, ())
        self.moved, self.turned = set(blank.players), set[tuple[int, int]]()
        for cell in (cell for rule in blank.outlines() for _, part in rule.parts for cell in part):
            named = {*cell.present, *(o for some in cell.any_of for o in some)}
            self.moved |= {o for o, _ in cell.pushed if o in named}
            self.turned |= {(o, new) for o, new in cell.taken if o in named}

    def fixed(self, thing: int) -> set[int]:
        """Returns an object with all that it is turned into, step by step; nothing where rules move one of
        these or take it away."""
        found, left = {thing}, [thing]
        while left:
            here = left.pop()
            new = {after for before, after in self.turned if before == here} - found
            found |= new
            left += new
        return found if NOTHING not in found and self.moved.isdisjoint(found) else set()


class Prospects:
    """What may ever be in a level, and what stays.

    Args:
        tables: the game's.
        board: `[cells, W]` the start.
        height: of the board.
        width: of the board.
        keys: the movements of the keys that are pressed.
    """

    def __init__(self, tables: Tables, board: Words, height: int, width: int, keys: Sequence[int]):
        self.tables, self.height, self.keys = tables, height, keys
        self.layer_of = [int(layer) for layer in tables.layer_of]
        self.layer_sets = as_ints(tables.layer_sets)
        self.layers = [list(members(one)) for one in self.layer_sets]
        self.players = frozenset(members(as_ints(tables.player[None])[0]))
        self.cells = height * width
        self.all = (1 << self.cells) - 1
        self.top = union(1 << x * height for x in range(width))
        self.bottom = self.top << height - 1
        start = as_ints(board)
        self.start = [0] * tables.objects
        for i, cell in enumerate(start):
            for o in members(cell):
                self.start[o] |= 1 << i
        self.may_be, self.stays = list(self.start), list(self.start)
        self.may_move = [[0] * 5 for _ in range(tables.objects)]
        # Cells in which a rule may make an object of another one of its layer, or of NOTHING, or the reverse.
        self.turned: dict[tuple[int, int], int] = defaultdict(int)
        self.wild: set[int] = (
            set()
        )  # layers in which a movement may be of nothing, and of what comes there next
        self.clock, self.changed = 0, [0] * tables.objects
        self.rules: list[RuleOutline] = []
        self.known = len(tables.cells.set) <= MOST_CELLS and self._is_regular(start) and self._settle()

    def _is_regular(self, start: list[int]) -> bool:
        """Returns whether no cell ever holds two objects of a layer, and no layer of a cell two movements."""
        cells = self.tables.cells
        twice = any((cell & one).bit_count() > 1 for cell in set(start) for one in self.layer_sets)
        if twice or not self.tables.regular:
            return False
        pushes, stops = as_ints(cells.move_set, MOVE_BITS), as_ints(cells.move_clear, MOVE_BITS)
        for push, stop in zip(pushes, stops, strict=True):
            layers = [bit // 5 for bit in members(push)]
            if len(set(layers)) < len(layers) or any(stop >> 5 * layer & LAYER != LAYER for layer in layers):
                return False
        return True

    # the rules

    def outlines(self) -> Iterator[RuleOutline]:
        """Yields the rules of the game, whatever the level."""
        rules, groups, cells = self.tables.rules, self.tables.groups, self.tables.cells
        late = groups.early < len(groups.rule_first)
        early = int(groups.rule_first[groups.early]) if late else len(rules.line)
        steps = {UP: -1, DOWN: 1, LEFT: -self.height, RIGHT: self.height}
        sets = [as_ints(words) for words in (cells.present, cells.absent, cells.clear, cells.set)]
        moves = [as_ints(words, MOVE_BITS) for words in (cells.moving, cells.move_set, cells.move_clear)]
        any_of = as_ints(cells.any_of)
        for rule, direction in enumerate(rules.direction.tolist()):
            parts: list[tuple[int, list[RuleCell]]] = []
            needs: set[int] = set()
            first = int(rules.row_first[rule])
            for row in range(first, first + int(rules.row_count[rule])):
                begin = int(rules.part_first[row])
                for p in range(begin, begin + int(rules.part_count[row])):
                    found = []
                    for c in range(int(rules.cell_first[p]), int(rules.cell_first[p] + rules.cell_count[p])):
                        some = any_of[int(cells.any_first[c]) :][: int(cells.any_count[c])]
                        values = [one[c] for one in sets], some, [one[c] for one in moves]
                        found.append(self._rule_cell(*values, rule < early, needs))
                    parts.append((row, found))
            yield RuleOutline(direction, steps[direction], parts, frozenset(needs))

    def _rule_cell(
        self, sets: list[int], any_of: list[int], moves: list[int], early: bool, needs: set[int]
    ) -> RuleCell:
        (present, absent, clear, made), (moving, pushes, stops) = sets, moves
        cell = RuleCell(list(members(present)), list(members(absent)), [list(members(one)) for one in any_of])
        touched = {self.layer_of[o] for o in members(clear | made)}
        touched |= {bit // 5 for bit in members(moving | pushes | stops)}
        for layer in sorted(touched):
            mask, stopped = self.layer_sets[layer], stops >> 5 * layer & LAYER == LAYER
            if present & mask:
                there = list(members(present & mask & ~absent))
            else:
                limits = [one for one in any_of if one & ~mask == 0]
                there = [
                    o
                    for o in self.layers[layer]
                    if not absent >> o & 1 and all(one >> o & 1 for one in limits)
                ]
            if (clear | made) & mask or (pushes | stops) >> 5 * layer & LAYER:
                cell.layers.add(layer)
            for way in members(moving >> 5 * layer & LAYER):
                cell.moving.append((there, way))
                cell.way_of |= dict.fromkeys(there, way)
            new = next(members(made & mask), NOTHING)
            cell.taken += [(o, new) for o in there if clear & ~made & 1 << o]
            fresh = list(members(made & ~present & mask))
            cell.made += fresh
            if not present & mask and all(one & ~mask for one in any_of):
                cell.anew += fresh
            if early and not stopped:
                cell.heirs += [(o, there) for o in fresh]
            for way in members(pushes >> 5 * layer & LAYER):
                after = list(members(made & mask)) or [o for o in there if not clear >> o & 1]
                cell.pushed += [(o, way) for o in after]
                needs.update(after)
            if self._may_be_of_nothing(
                sets, any_of, mask, bool(pushes >> 5 * layer & LAYER), early and not stopped
            ):
                self.wild.add(layer)
            needs.update(there)
        needs.update(cell.present, cell.absent, *cell.any_of)
        return cell

    def _may_be_of_nothing(
        self, sets: list[int], any_of: list[int], mask: int, pushes: bool, keeps: bool
    ) -> bool:
        """Returns whether a cell of a rule may leave a layer with a movement and without an object."""
        present, _, clear, made = sets
        if made & mask:
            return False
        sure = present & mask & ~clear or any(one & ~mask == 0 and one & clear == 0 for one in any_of)
        return (pushes and not sure) or (keeps and clear & mask != 0)

    # what follows from what

    def _settle(self) -> bool:
        """Finds all that may be; returns False if that takes too long."""
        self.rules = list(self.outlines())
        tries, busy = 0, True
        while busy:
            busy = self._move_all()
            for rule in self.rules:
                if rule.tried >= 0 and all(self.changed[o] <= rule.tried for o in rule.needs):
                    continue
                rule.tried, tries = self.clock, tries + 1
                self.clock += 1
                busy |= self._try(rule)
            if tries > MOST_TRIES:
                return False
        return True

    def _move_all(self) -> bool:
        """Moves what may move, and players by every key; returns whether anything is new."""
        busy, new = False, True
        while new:
            new = False
            for o in range(len(self.may_be)):
                ways = self.keys if o in self.players else ()
                if self.layer_of[o] in self.wild:
                    ways = (*DIRECTIONS, ACTION)
                for way in ways if self.may_be[o] else ():
                    new |= self._add(self.may_move[o], way, self.may_be[o], o)
                for way in DIRECTIONS:
                    left = self.leaves(o, way)
                    new |= self._add(self.may_be, o, self.moved(left, way), o) | self._lose(o, left)
            busy |= new
        return busy

    def _add(self, sets: list[int], index: int, cells: int, o: int) -> bool:
        """Adds cells to a set that is about an object; returns whether they are new."""
        if cells & ~sets[index] == 0:
            return False
        sets[index] |= cells
        self.changed[o] = self.clock
        return True

    def _lose(self, o: int, cells: int) -> bool:
        """Notes that an object need not stay in some cells; returns whether that is new."""
        if self.stays[o] & cells == 0:
            return False
        self.stays[o] &= ~cells
        self.changed[o] = self.clock
        return True

    def _try(self, rule: RuleOutline) -> bool:
        """Lets a rule do what it may; returns whether anything is new."""
        starts = []
        for _, part in rule.parts:
            found = self.starts(rule.direction, len(part))
            for k, cell in enumerate(part):
                found &= shifted(self._fits(cell), -k * rule.step)
                if not found:
                    return False
            starts.append(found)
        rule.matches, busy = True, False
        done: list[tuple[int, int, set[int]]] = []  # row, cells, layers
        for found, (row, part) in zip(starts, rule.parts, strict=True):
            for k, cell in enumerate(part):
                where = shifted(found, k * rule.step)
                busy |= self._change(cell, where)
                # Rows that change a cell one after the other do not look at it in between.
                for other, there, layers in done:
                    if other != row and there & where and not layers & cell.layers <= self.wild:
                        self.wild |= layers & cell.layers
                        busy = True
                done.append((row, where, cell.layers))
        return busy

    def _fits(self, cell: RuleCell) -> int:
        """Returns the cells that may be what a cell of a rule asks for."""
        found = self.all
        for o in cell.present:
            found &= self.may_be[o]
        for o in cell.absent:
            found &= ~self.stays[o]
        for some in cell.any_of:
            found &= union(self.may_be[o] for o in some)
        for some, way in cell.moving:
            found &= union(self.may_move[o][way] for o in some)
        return found

    def _change(self, cell: RuleCell, where: int) -> bool:
        """Lets a cell of a rule do what it may; returns whether anything is new."""
        busy = False
        for o, new in cell.taken:
            gone = where & self._before(cell, o)
            self.turned[o, new] |= gone
            busy |= self._lose(o, gone)
        for o, others in cell.heirs:
            for way in (*DIRECTIONS, ACTION):
                moved = where & union(self.may_move[other][way] for other in others)
                busy |= self._add(self.may_move[o], way, moved, o)
        for o in cell.made:
            busy |= self._add(self.may_be, o, where, o)
        for o in cell.anew:
            self.turned[NOTHING, o] |= where
        for o, way in cell.pushed:
            there = where if o in cell.made else where & self._before(cell, o)
            busy |= self._add(self.may_move[o], way, there, o)
        return busy

    def _before(self, cell: RuleCell, o: int) -> int:
        """Returns where an object may be, and move as a cell of a rule asks for."""
        way = cell.way_of.get(o)
        return self.may_be[o] if way is None else self.may_move[o][way]

    @property
    def commands(self) -> int:
        """The commands of all rules that may match, as bits."""
        commands = self.tables.rules.commands.tolist()
        return union(one for one, rule in zip(commands, self.rules, strict=True) if rule.matches)

    # sets of cells

    def starts(self, direction: int, length: int) -> int:
        """Returns the cells at which so many cells in a direction can begin."""
        found = self.all
        for _ in range(length - 1):
            found = self.moved(found, BACK[direction])
        return found

    def moved(self, cells: int, way: int) -> int:
        """Returns the cells next to some, on the board."""
        if way == UP:
            return (cells & ~self.top) >> 1
        if way == DOWN:
            return (cells & ~self.bottom) << 1
        return cells >> self.height if way == LEFT else cells << self.height & self.all

    def leaves(self, o: int, way: int) -> int:
        """Returns the cells from which an object may move to the next: nothing stays in its way there."""
        cells = self.may_move[o][way]
        if not cells:
            return 0
        blocked = union(self.stays[other] for other in self.layers[self.layer_of[o]])
        return cells & self.moved(self.all & ~blocked, BACK[way])

    def turns_into(self, objects: Iterable[int], others: Iterable[int]) -> int:
        """Returns the cells in which one of some objects may become one of others."""
        return union(self.turned.get((o, other), 0) for o in objects for other in others)

    def distances(self, objects: Iterable[int], wanted: int) -> list[int]:
        """Returns the fewest moves from each cell to a wanted one, by something that may be each of some
        objects; -1 where there is no way."""
        found = [-1] * self.cells
        ways = [(BACK[way], union(self.leaves(o, way) for o in objects)) for way in DIRECTIONS]
        layer, seen, count = wanted, 0, 0
        while layer:
            for i in members(layer):
                found[i] = count
            seen, count = seen | layer, count + 1
            layer = union(leaves & self.moved(layer, back) for back, leaves in ways) & ~seen
        return found


def as_ints(words: Words, bits: int = 64) -> list[int]:
    """Returns the sets that rows of words hold as whole numbers; `bits` is 60 for movements."""
    return [sum(word << bits * w for w, word in enumerate(row)) for row in words.tolist()]


def shifted(cells: int, by: int) -> int:
    """Returns a set of cells with each of them so many places on."""
    return cells << by if by >= 0 else cells >> -by


def union(sets: Iterable[int]) -> int:
    """Returns all that is in any of some sets."""
    found = 0
    for one in sets:
        found |= one
    return found


def members(found: int) -> Iterator[int]:
    """Yields the numbers in a set."""
    while found:
        yield (found & -found).bit_length() - 1
        found &= found - 1
