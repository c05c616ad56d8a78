"""Reads the lines of the section RULES: prefixes, rows of cells on both sides, commands, loops."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from levelsmith.games.puzzlescript.kernels.codes import COMMANDS
from levelsmith.games.puzzlescript.source import MODIFIERS, RELATIVE, Source

Item = tuple[str, str]  # modifier or "", name
Cell = tuple[Item, ...]
Row = tuple[Cell, ...]

ELLIPSIS: Cell = (("...", "..."),)
MOST_ELLIPSES = 2  # in a row
LONGEST = 250  # cells of a rule, and objects of a cell
DIRECTIONS = {
    "up": ("up",),
    "down": ("down",),
    "left": ("left",),
    "right": ("right",),
    "horizontal": ("left", "right"),
    "vertical": ("up", "down"),
    "orthogonal": ("up", "down", "left", "right"),
}
_TOKEN = re.compile(r"->|[\[\]|]|(?:(?!->)[^\s\[\]|])+")
_IN_LATE = {"no", "random", "randomdir"}  # modifiers that are no movement


@dataclass
class RuleLine:
    """One line of the section, before anything is written out."""

    line: int
    column: int
    group: int  # line of the first rule of its group
    directions: list[str] = field(default_factory=list)
    left: list[Row] = field(default_factory=list)
    right: list[Row] = field(default_factory=list)
    late: bool = False
    rigid: bool = False
    random: bool = False
    commands: list[tuple[str, str]] = field(default_factory=list)  # name, text of a message


@dataclass
class Loop:
    """The lines between which groups are repeated."""

    first: int
    last: int


def read_rules(source: Source) -> tuple[list[RuleLine], list[Loop]]:
    """Returns the rules that could be read and the loops; what could not is a fault of the source."""
    rules: list[RuleLine] = []
    loops: list[Loop] = []
    opened = 0
    for line, text, column in source.rules:
        tokens = [(found.group(), found.start() + column) for found in _TOKEN.finditer(text.lower())]
        if tokens and tokens[0][0].startswith("+") and len(tokens[0][0]) > 1:
            tokens[:1] = [("+", tokens[0][1]), (tokens[0][0][1:], tokens[0][1] + 1)]
        if not tokens:
            continue
        first, at = tokens[0]
        if first == "startloop":
            if opened:
                source.faults.error(line, at, "expected endloop before the next startloop: loops do not nest")
            opened = 0 if opened else line
        elif first == "endloop":
            if not opened:
                source.faults.error(line, at, "expected startloop before endloop")
            else:
                loops.append(Loop(opened, line))
            opened = 0 if opened else line  # as the original counts them
        else:
            rule = _RuleReader(source, line, text, tokens, rules).rule
            if rule is not None:
                rules.append(rule)
    if opened:
        source.faults.error(opened, 1, "expected endloop somewhere after startloop")
    return rules, loops


class _RuleReader:
    """Goes through the tokens of one line."""

    def __init__(
        self,
        source: Source,
        line: int,
        text: str,
        tokens: list[tuple[str, int]],
        before: list[RuleLine],
    ):
        self.source, self.faults, self.line, self.before = source, source.faults, line, before
        self.found = RuleLine(line, tokens[0][1], line)
        self.text = text
        begin = self._prefix(tokens)
        self.rows: tuple[list[Row], list[Row]] = ([], [])
        self.side = 0  # 1 after the arrow
        self.row: list[Cell] | None = None
        self.cell: list[Item] = []
        self.modifier: tuple[str, int] | None = None
        self.longest = 0  # cell so far
        for i in range(begin, len(tokens)):
            if not self._take(*tokens[i]):
                break
        self.rule = self._checked(tokens, begin)

    def _error(self, column: int, text: str, weight: int = 1, fatal: bool = False) -> None:
        self.faults.error(self.line, column, text, weight, fatal)

    def _prefix(self, tokens: list[tuple[str, int]]) -> int:
        """Reads the words before the first bracket; returns the index of the first sign after them."""
        rule, joined = self.found, False
        for i, (sign, column) in enumerate(tokens):
            if sign == "[":
                break
            if sign == "+":
                if joined:
                    self._error(column, "expected one +, got two")
                elif not self.before:
                    self._error(column, "expected a rule before the first +")
                else:
                    joined, rule.group = True, self.before[-1].group
                    if i:
                        self._error(column, "expected + as the first sign of the line")
            elif sign in DIRECTIONS:
                rule.directions += DIRECTIONS[sign]
            elif sign in ("late", "rigid"):
                setattr(rule, sign, True)
            elif sign == "random":
                rule.random = True
                if joined:
                    self._error(column, "expected random on the first rule of a group, not after +")
            elif sign in RELATIVE:
                known = sign in self.source.names
                self._error(
                    column, f"expected a direction such as up before the rule, got {sign!r}", 2 - known
                )
            elif sign != "->":
                junk = "(" not in sign and ")" not in sign and (sign not in self.source.names or i == 0)
                self._error(column, f"expected directions, late, rigid or random, got {sign!r}", 1 + junk)
            else:
                self._error(column, "expected rows in brackets before the arrow", 2)
                return len(tokens)
        else:
            if "->" not in (sign for sign, _ in tokens):
                self._error(rule.column, "expected an arrow -> in the rule")
            return len(tokens)
        if "->" not in (sign for sign, _ in tokens):
            self._error(rule.column, "expected an arrow -> in the rule")
        rule.directions = rule.directions or list(DIRECTIONS["orthogonal"])
        return i

    def _take(self, sign: str, column: int) -> bool:
        """Takes one sign of the two sides; returns whether more may follow."""
        if sign == "[":
            if self.row is not None:
                self.faults.warn(self.line, column, "expected ] before the next [")
            self.row, self.cell = self.row or [], []
        elif sign in ("|", "]"):
            self._end_cell(sign, column)
        elif sign == "->":
            if self.row is not None:
                self.faults.warn(self.line, column, "expected ] before the arrow")
            elif self.side:
                self._error(column, "expected one arrow, got two")
            else:
                self.side = 1
        elif sign in MODIFIERS:
            self._modifier(sign, column)
        elif sign in self.source.names or sign == "...":
            if self.row is None:
                self.faults.warn(self.line, column, f"expected {sign!r} inside brackets")
            elif sign == "...":
                self.cell.append(("...", "..."))
            else:
                self._name(sign, column)
        elif sign in COMMANDS:
            if self.row is not None or not self.side:
                self.faults.warn(self.line, column, f"expected {sign} at the end of the rule")
            text = self.text[column + 6 :].strip() if sign == "message" else ""
            self.found.commands.append((sign, text))
            return sign != "message"
        else:
            self._error(column, f"expected names of objects, got {sign!r}", 2)
        return True

    def _modifier(self, sign: str, column: int) -> None:
        if self.row is None:
            self.faults.warn(self.line, column, f"expected {sign!r} before the rule or inside brackets")
        elif self.modifier is not None:
            self._error(column, f"expected an object after {self.modifier[0]!r}, got {sign!r}")
        elif self.found.late and sign not in _IN_LATE:
            self._error(column, f"expected no movement in a late rule, got {sign!r}")
        else:
            if sign == "random" and not self.side:
                self._error(column, "expected random on the right side only")
            self.modifier = (sign, column)

    def _name(self, name: str, column: int) -> None:
        """Adds an object to the cell, with the modifier before it."""
        word = self.modifier[0] if self.modifier else ""
        kind, _ = self.source.members(name)
        if word == "no" and kind == "aggregate":
            self._error(column, f"expected one object after no, got {name!r}, which is several at once")
        if any(other == name and not word == before == "no" for before, other in self.cell):
            odd = kind == "property" and not any("twice" in fault.text for fault in self.faults.errors)
            self._error(column, f"expected {name!r} once in a cell, got it twice", 1 + odd)
        self.longest = max(self.longest, len(self.cell))
        if self.longest <= LONGEST:
            self.cell.append((word, name))
        self.modifier = None

    def _end_cell(self, sign: str, column: int) -> None:
        if self.row is None:
            self.faults.warn(self.line, column, f"expected [ before {sign}")
            if sign == "]":
                self.rows[self.side].append(())
            return
        if self.modifier is not None:
            self._error(self.modifier[1], f"expected an object after {self.modifier[0]!r}")
            self.modifier = None
        else:
            self.row.append(tuple(self.cell))
        self.cell = []
        if sign == "]":
            self.rows[self.side].append(tuple(self.row))
            self.row = None

    def _checked(self, tokens: list[tuple[str, int]], begin: int) -> RuleLine | None:
        """Returns the rule if both its sides fit each other."""
        rule, column = self.found, self.found.column
        rule.left, rule.right = self.rows
        if begin == len(tokens):
            return None
        if len(rule.left) != len(rule.right) and (rule.right or not rule.commands):
            text = f"expected as many rows right as left, got {len(rule.left)} and {len(rule.right)}"
            self.faults.warn(self.line, column, text)
            return None
        for left, right in zip(rule.left, rule.right, strict=False):
            if len(left) != len(right):
                text = f"expected as many cells right as left, got {len(left)} and {len(right)}"
                self._error(column, text, fatal=True)
                return None
        if sum(len(row) for row in (*rule.left, *rule.right)) > LONGEST or self.longest > LONGEST:
            self._error(
                column, f"expected at most {LONGEST} cells in a rule, or objects in a cell", fatal=True
            )
            return None
        if not rule.left:
            self._error(column, "expected a row in brackets")
            return None
        return rule if self._ellipses_fit(rule) else None

    def _ellipses_fit(self, rule: RuleLine) -> bool:
        column, fits = rule.column, True
        for left, right in zip(rule.left, rule.right or rule.left, strict=True):
            alone = all(cell == ELLIPSIS or ELLIPSIS[0] not in cell for cell in (*left, *right))
            if not alone:
                self._error(column, "expected nothing beside ... in its cell")
                fits = False
            for one, other, side in ((left, right, "right"), (right, left, "left")):
                if alone and any(a == ELLIPSIS != b for a, b in zip(one, other, strict=True)):
                    self._error(column, f"expected ... in the same cell on the {side}")
                    fits = False
            if left[:1] == (ELLIPSIS,) or left[-1:] == (ELLIPSIS,):
                self._error(column, "expected ... between two cells, not at an end of the row")
                fits = False
            if left.count(ELLIPSIS) > MOST_ELLIPSES:
                self._error(column, "expected at most two ... in a row")
                fits = False
        return fits
