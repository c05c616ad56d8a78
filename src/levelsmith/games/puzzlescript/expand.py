"""Writes rules out: one copy for each direction, ambiguous movement and property, in the original's order.

What comes out names only objects, properties of one layer, absolute movements, `stationary`, `no`, `random`
and `randomdir`. The order of the copies is the order in which they are tried, so it is part of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from levelsmith.games.puzzlescript.rules import ELLIPSIS, Cell, Row, RuleLine
from levelsmith.games.puzzlescript.source import RELATIVE, Source

MOST_CELLS = 80_000  # of rules, in all steps of writing them out; the most known is 30,000
_TURNED = {  # what > < ^ v are for a rule of this direction
    "right": {"^": "up", "v": "down", "<": "left", ">": "right"},
    "left": {"^": "down", "v": "up", "<": "right", ">": "left"},
    "up": {"^": "left", "v": "right", "<": "down", ">": "up"},
    "down": {"^": "right", "v": "left", "<": "up", ">": "down"},
}
_SIDEWAYS = ("left", "right")
_UPRIGHT = ("up", "down")
_AMBIGUOUS = {
    "moving": (*_UPRIGHT, *_SIDEWAYS, "action"),
    "orthogonal": (*_UPRIGHT, *_SIDEWAYS),
    "horizontal": _SIDEWAYS,
    "vertical": _UPRIGHT,
    "parallel sideways": _SIDEWAYS,
    "parallel upright": _UPRIGHT,
    "perpendicular sideways": _UPRIGHT,
    "perpendicular upright": _SIDEWAYS,
}


class TooManyRulesError(Exception):
    """The rules of a source, written out, are more than are taken; `line` is the first that is too many."""

    def __init__(self, line: int):
        super().__init__(line)
        self.line = line


@dataclass(frozen=True)
class Rule:
    """A rule of one direction."""

    line: RuleLine
    direction: str
    left: tuple[Row, ...]
    right: tuple[Row, ...]

    def cells(self) -> Iterator[tuple[int, int, Cell, Cell]]:
        """Yields row, place in it, the left and the right cell (empty where there is no right side)."""
        for i, row in enumerate(self.left):
            for k, cell in enumerate(row):
                yield i, k, cell, self.right[i][k] if self.right else ()

    def with_cell(self, i: int, k: int, left: Cell, right: Cell) -> Rule:
        """Returns the rule with both sides of a cell changed."""
        changed = replace(self, left=_put(self.left, i, k, left))
        return replace(changed, right=_put(self.right, i, k, right)) if self.right else changed

    def with_right(self, change: dict[tuple[str, str], str], words: dict[str, str]) -> Rule:
        """Returns the rule with modifiers of the right side replaced: by (modifier, name), or by modifier."""
        right = tuple(
            tuple(
                tuple((change.get((word, name), words.get(word, word)), name) for word, name in cell)
                for cell in row
            )
            for row in self.right
        )
        return replace(self, right=right)


def _put(rows: tuple[Row, ...], i: int, k: int, cell: Cell) -> tuple[Row, ...]:
    row = (*rows[i][:k], cell, *rows[i][k + 1 :])
    return (*rows[:i], row, *rows[i + 1 :])


class Expander:
    """Expands the lines of one source; what cannot be bound is a fault of it."""

    def __init__(self, source: Source, layer_of: dict[str, int]):
        self.source, self.layer_of = source, layer_of
        self.made = self.line = 0

    def expanded(self, line: RuleLine) -> list[Rule]:
        """Returns the copies of a rule in the order in which they are tried."""
        self.line = line.line
        rules = [copy for rule in self._directed(line) for copy in self._with_movements(rule)]
        rules = [copy for rule in rules for copy in self._with_objects(rule)]
        rules = [self._with_spawned_at_rest(rule) for rule in rules]
        last = {self._sameness(rule): i for i, rule in enumerate(rules)}
        return [rule for i, rule in enumerate(rules) if last[self._sameness(rule)] == i]

    def _count(self, rows: Sequence[Row]) -> None:
        self.made += sum(len(row) for row in rows)
        if self.made > MOST_CELLS:
            raise TooManyRulesError(self.line)

    def _sameness(self, rule: Rule) -> object:
        single = all(len(row) == 1 for row in rule.left)
        return "" if single else rule.direction, rule.left, rule.right

    # directions

    def _directed(self, line: RuleLine) -> Iterator[Rule]:
        rows = (*line.left, *line.right)
        free = all(len(row) <= 1 for row in rows) and not any(
            word in RELATIVE for row in rows for cell in row for word, _ in cell
        )
        for direction in line.directions[:1] if free else line.directions:
            self._count(line.left)
            left = tuple(self._turned(row, direction) for row in line.left)
            right = tuple(self._turned(row, direction) for row in line.right)
            if direction in ("up", "left") and not any(ELLIPSIS in row for row in left):
                direction = {"up": "down", "left": "right"}[direction]
                left = tuple(row[::-1] for row in left)
                right = tuple(row[::-1] for row in right)
            yield Rule(line, direction, left, right)

    def _turned(self, row: Row, direction: str) -> Row:
        along = "sideways" if direction in _SIDEWAYS else "upright"
        words = {
            **_TURNED[direction],
            "parallel": f"parallel {along}",
            "perpendicular": f"perpendicular {along}",
        }
        return tuple(
            self._resolved(tuple((words.get(word, word), name) for word, name in cell)) for cell in row
        )

    def _resolved(self, cell: Cell) -> Cell:
        """Returns a cell with aggregates written out, their further members last, and without synonyms."""
        if cell == ELLIPSIS:
            return cell
        found, more = [], []
        for word, name in cell:
            kind, members = self.source.members(name)
            if kind == "aggregate" and members:
                found.append((word, members[0]))
                more += [(word, member) for member in members[1:]]
            elif kind == "object":
                found.append((word, members[0]))
            elif kind == "property":
                found.append((word, name))  # a synonym of a property is a property of its own
        return (*found, *more)

    # movements

    def _with_movements(self, rule: Rule) -> Iterator[Rule]:
        """Yields a copy for each value of the ambiguous words of the left side."""
        places = [
            (i, k, n, item)
            for i, k, cell, _ in rule.cells()
            for n, item in enumerate(cell)
            if item[0] in _AMBIGUOUS
        ]
        pairs = Counter(item for _, _, _, item in places)
        word_counts = Counter(item[0] for _, _, _, item in places)
        # The last cell is most significant, inside a cell the first item.
        order = sorted(places, key=lambda place: (-place[0], -place[1], place[2]))
        for values in product(*(_AMBIGUOUS[item[0]] for _, _, _, item in order)):
            self._count(rule.left)
            copy, change, words = rule, {}, {}
            for (i, k, n, item), value in zip(order, values, strict=True):
                left = list(copy.left[i][k])
                left[n] = (value, item[1])
                right = copy.right[i][k] if copy.right else ()
                right = tuple((value, item[1]) if one == item else one for one in right)
                copy = copy.with_cell(i, k, tuple(left), right)
                if pairs[item] == 1:
                    change[item] = value
                if word_counts[item[0]] == 1:
                    words[item[0]] = value
            copy = copy.with_right(change, words)
            unbound = next(
                (word for *_, cell in copy.cells() for word, _ in cell if word in _AMBIGUOUS), None
            )
            if unbound is not None:
                word = unbound.split()[0]
                text = f"expected {word!r} on the right side to follow from one on the left"
                self.source.faults.error(rule.line.line, rule.line.column, text, fatal=True)
                return
            yield copy

    # properties

    def _with_objects(self, rule: Rule) -> Iterator[Rule]:
        """Yields a copy for each member of the properties that cannot stay a mask of one layer."""
        kinds = self.source.members
        for i, k, left, right in rule.cells():
            rule = rule.with_cell(i, k, self._none_of(left), self._none_of(right))
        inferred = set()  # properties that stand in a right cell without standing in the left one
        for _, _, left, right in rule.cells():
            here = {name for _, name in left}
            inferred |= {
                name
                for word, name in right
                if word not in ("random", "no") and name not in here and kinds(name)[0] == "property"
            }
        places = []
        for i, k, left, _ in rule.cells():
            names = [name for word, name in left if word != "no" and kinds(name)[0] == "property"]
            for name in dict.fromkeys(names):
                members = kinds(name)[1]
                if len({self.layer_of.get(one) for one in members}) > 1 or name in inferred:
                    places.append((i, k, name))
        counts = Counter(name for _, _, name in places)
        for values in product(*(kinds(name)[1] for _, _, name in places)):
            self._count(rule.left)
            copy, everywhere = rule, {}
            for (i, k, name), value in zip(places, values, strict=True):
                right = copy.right[i][k] if copy.right else ()
                copy = copy.with_cell(
                    i, k, _named(copy.left[i][k], {name: value}), _named(right, {name: value})
                )
                if counts[name] == 1:
                    everywhere[name] = value
            if everywhere:
                copy = replace(
                    copy, right=tuple(tuple(_named(cell, everywhere) for cell in row) for row in copy.right)
                )
            rest = {name for *_, cell in copy.cells() for word, name in cell if word not in ("random", "no")}
            if rest & inferred:
                name = sorted(rest & inferred)[0]
                text = f"expected {name!r} on the right side to follow from one on the left"
                self.source.faults.error(rule.line.line, rule.line.column, text)
                return
            yield copy

    def _none_of(self, cell: Cell) -> Cell:
        """Returns a cell with `no property` written out as no to each member."""
        found = []
        for word, name in cell:
            kind, members = self.source.members(name)
            found += (
                [("no", one) for one in members] if word == "no" and kind == "property" else [(word, name)]
            )
        return tuple(found)

    def _with_spawned_at_rest(self, rule: Rule) -> Rule:
        """Returns the rule with `stationary` for objects that appear in a layer not named on the left."""
        if rule.line.late:
            return rule
        for i, k, left, right in rule.cells():
            known = {one for _, name in left for one in self.source.members(name)[1]}
            layers = {self.layer_of.get(one) for one in known}
            items = tuple(
                ("stationary", name)
                if not word
                and name in self.layer_of
                and name not in known
                and self.layer_of[name] not in layers
                else (word, name)
                for word, name in right
            )
            if items != right:
                rule = rule.with_cell(i, k, left, items)
        return rule


def _named(cell: Cell, change: dict[str, str]) -> Cell:
    return tuple((word, name if word == "random" else change.get(name, name)) for word, name in cell)
