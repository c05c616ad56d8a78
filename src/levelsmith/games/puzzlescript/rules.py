"""Reads the lines of the section RULES: prefixes, rows of cells on both sides, commands, loops."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from levelsmith.games.puzzlescript.kernels.codes import COMMANDS
from levelsmith.games.puzzlescript.source import MODIFIERS, RELATIVE, SECTIONS, RuleText, Source

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
_PART = re.compile(r"->|[\[\]|+]|[^\s\[\]|]+")
_HEADING = re.compile(rf"(?<!\w)({'|'.join(SECTIONS)})(?!\w)\s*(?![\[\]|\s])")  # skipped in a line
_IN_LATE = {"no", "random", "randomdir"}  # modifiers that are no movement
_BEFORE = {*DIRECTIONS, "late", "rigid", "startloop", "endloop"}  # words before the first bracket
_ANYWHERE = {"...", "rigid", "random"}


@dataclass
class RuleLine:
    """One line of the section, before anything is written out."""

    line: int
    column: int
    place: int  # among the lines of the section: several may come of one line
    group: int  # place of the first rule of its group
    directions: list[str] = field(default_factory=list)
    left: list[Row] = field(default_factory=list)
    right: list[Row] = field(default_factory=list)
    late: bool = False
    rigid: bool = False
    random: bool = False
    commands: list[tuple[str, str]] = field(default_factory=list)  # name, text of a message


@dataclass
class Loop:
    """The places between which groups are repeated."""

    first: int
    last: int
    line: int  # where it begins


def strange_words(text: str, names: Collection[str]) -> list[tuple[str, int]]:
    """Returns the words of a line without comments that mean nothing where they stand, with their columns."""
    found, inside, first = [], False, True
    for part in _PART.finditer(_HEADING.sub(lambda one: " " * len(one.group()), text)):
        word = part.group()
        if word in ("[", "|", "]"):
            inside = True
        elif word == "message":
            break
        elif word in ("->", "+"):
            pass
        elif word in names:
            if first and word not in _BEFORE:
                found.append((word, part.start() + 1))
        elif not (word in (MODIFIERS if inside else _BEFORE) or word in _ANYWHERE or word in COMMANDS):
            found.append((word, part.start() + 1))
        first = False
    return found


def read_rules(source: Source) -> tuple[list[RuleLine], list[Loop]]:
    """Returns the rules that could be read and the loops; what could not is a fault of the source."""
    rules: list[RuleLine] = []
    known: list[RuleLine] = []  # also those that + may follow but that are not played
    markers: list[tuple[int, int]] = []  # places and lines of startloop and endloop
    for place, text in enumerate(source.rules):
        tokens = [
            (found.group(), found.start() + text.column) for found in _TOKEN.finditer(text.text.lower())
        ]
        if len(tokens) == 1 and tokens[0][0] in ("startloop", "endloop"):
            marker, column = tokens[0]
            if marker == "startloop" and len(markers) % 2:
                wrong = "expected endloop before the next startloop: loops do not nest"
                source.faults.error(text.line, column, wrong)
            elif marker == "endloop" and len(markers) % 2 == 0:
                source.faults.error(text.line, column, "expected startloop before endloop")
            markers.append((place, text.line))
        else:
            reader = _RuleReader(source, text, tokens, known, place)
            if not reader.lost:
                known.append(reader.found)
            if reader.fits:
                rules.append(reader.found)
    if len(markers) % 2:
        source.faults.error(markers[-1][1], 1, "expected endloop somewhere after startloop")
        markers.append(markers[-1])
    pairs = zip(markers[::2], markers[1::2], strict=True)
    return rules, [Loop(first, last, line) for (first, line), (last, _) in pairs]


class _RuleReader:
    """Goes through the tokens of one line."""

    def __init__(
        self,
        source: Source,
        text: RuleText,
        tokens: list[tuple[str, int]],
        before: list[RuleLine],
        place: int,
    ):
        self.source, self.faults, self.text, self.before = source, source.faults, text, before
        self.found = RuleLine(text.line, text.column, place, place)
        self.lost = False  # it is no rule at all
        self.fits = False  # it can be played
        self.rows: tuple[list[Row], list[Row]] = ([], [])
        self.side = 0  # 1 after the arrow
        self.row: list[Cell] = []
        self.cell: list[str] = []  # modifier or "", name, modifier or "", …
        self.open = False  # inside brackets
        self.depth = 0  # brackets that were opened and not closed
        self.longest = 0  # cell so far
        for word, column in text.strange:
            self._tell_strange(word, column)
        if "(" in text.whole and "->" not in text.text:
            self._error(text.column, "expected no comment inside a rule")
            self.lost = True
            return
        if tokens and tokens[0][0].startswith("+") and len(tokens[0][0]) > 1:
            tokens[:1] = [("+", tokens[0][1]), (tokens[0][0][1:], tokens[0][1] + 1)]
        self.tokens = tokens
        self.found.column = tokens[0][1]
        if all(sign != "->" for sign, _ in tokens):
            self._error(self.found.column, "expected an arrow -> in the rule")
        for i in range(self._prefix(), len(tokens)):
            if not self._take(i, *tokens[i]):
                break
        self.fits = not self.lost and self._sides_fit()

    def _error(self, column: int, text: str, weight: int = 1, fatal: bool = False) -> None:
        self.faults.error(self.text.line, column, text, weight, fatal, compiling=True)

    def _warn(self, column: int, text: str) -> None:
        self.faults.warn(self.text.line, column, text)

    def _tell_strange(self, word: str, column: int, compiling: bool = False) -> None:
        if 0 <= self.text.whole.find("[") < column:
            text = f"expected names of objects, got {word!r}" + self.faults.guess(word, self.source.names)
        else:
            text = f"expected directions, late, rigid or random, got {word!r}"
        self.faults.error(self.text.line, column, text, compiling=compiling)

    def _prefix(self) -> int:
        """Reads the words before the first bracket; returns the index of the first sign after them."""
        rule, joined = self.found, False
        for i, (sign, column) in enumerate(self.tokens):
            if sign == "[":
                rule.directions = rule.directions or list(DIRECTIONS["orthogonal"])
                return i
            if sign == "+":
                if rule.group != rule.place:
                    self._error(column, "expected one +, got two")
                    continue
                if not self.before:
                    self._error(column, "expected a rule before the first +")
                if i:
                    self._error(column, "expected + as the first sign of the line")
                if self.before:
                    joined, rule.group = True, self.before[-1].group
            elif sign in DIRECTIONS:
                rule.directions += DIRECTIONS[sign]
            elif sign in ("late", "rigid"):
                setattr(rule, sign, True)
            elif sign == "random":
                rule.random = True
                if joined:
                    self._error(column, "expected random on the first rule of a group, not after +")
            elif sign in RELATIVE:
                self._error(column, "expected a direction such as up before the rule, not one such as >")
            elif sign == "moving":
                rule.directions += DIRECTIONS["orthogonal"]
            else:
                self._tell_strange(sign, column, compiling=True)
        return len(self.tokens)

    def _take(self, i: int, sign: str, column: int) -> bool:
        """Takes one sign of the two sides; returns whether more may follow."""
        if sign == "[":
            self.depth += 1
            if self.depth > 1:
                self._warn(column, "expected ] before the next [")
            if self.cell:
                self._error(column, "expected the cell before [ to be closed")
            self.open, self.cell = True, []
        elif sign in MODIFIERS:
            self._modifier(sign, column)
        elif sign == "|":
            if not self.open:
                self._warn(column, "expected | inside brackets")
            else:
                self._end_cell(column)
        elif sign == "]":
            self.depth -= 1
            if self.depth < 0:
                self._warn(column, "expected [ before ]; this rule is left out")
                self.lost = True
                return False
            self._end_cell(column)
            self.rows[self.side].append(tuple(self.row))
            self.row, self.open = [], False
        elif sign == "->":
            return self._arrow(column)
        elif sign in self.source.names or sign == "...":
            if not self.open:
                self._warn(column, f"expected {sign!r} inside brackets")
            elif sign == "...":
                self.cell += ["...", "..."]
            else:
                self._name(sign, column)
        elif sign in COMMANDS:
            return self._command(i, sign, column)
        else:
            self._tell_strange(sign, column, compiling=True)
        return True

    def _arrow(self, column: int) -> bool:
        rule = self.found
        if rule.group != rule.place and self.before[-1].late != rule.late:
            self._warn(column, "expected all rules of a group to be late, or none")
        if self.open:
            self._warn(column, "expected ] before the arrow")
        elif self.side:
            self._error(column, "expected one arrow, got two; this rule is left out")
            self.lost = True
            return False
        else:
            self.side = 1
        return True

    def _command(self, i: int, sign: str, column: int) -> bool:
        """Takes a command; returns whether more may follow."""
        if not self.side:
            self._error(column, f"expected {sign} at the end of the rule")
        elif self.open or any(after == "]" for after, _ in self.tokens[i:]):
            self._warn(column, f"expected {sign} at the end of the rule")
        if sign.startswith("sfx") and sign not in self.source.sounds:
            self._warn(column, f"{sign} has no line in the section SOUNDS")
        text = self.text.whole[column + 6 :].strip() if sign == "message" else ""
        self.found.commands.append((sign, text))
        return sign != "message"

    def _modifier(self, sign: str, column: int) -> None:
        if len(self.cell) % 2:
            self._error(column, "expected an object between two movements")
        elif not self.open:
            self._warn(column, f"expected {sign!r} before the rule or inside brackets")
        elif self.found.late and sign not in _IN_LATE:
            self._error(column, "expected no movement in a late rule")
        else:
            self.cell.append(sign)

    def _name(self, name: str, column: int) -> None:
        """Adds an object to the cell, with the modifier before it."""
        word = self.cell[-1] if len(self.cell) % 2 else ""
        kind, _ = self.source.members(name)
        if word == "no" and kind == "aggregate":
            self._error(column, f"expected one object after no, got {name!r}, which is several at once")
        for before, other in zip(self.cell[::2], self.cell[1::2], strict=False):
            if other == name and word == before == "no":
                self._warn(column, f"expected no {name} once in a cell, got it twice")
            elif other == name:
                odd = kind == "property" and not any("twice" in fault.text for fault in self.faults.errors)
                self._error(column, f"expected {name!r} once in a cell, got it twice", 1 + odd)
        self.longest = max(self.longest, len(self.cell) // 2)
        if self.longest > LONGEST:
            del self.cell[len(self.cell) // 2 * 2 :]
        else:
            self.cell += [name] if len(self.cell) % 2 else ["", name]

    def _end_cell(self, column: int) -> None:
        if len(self.cell) % 2:
            self._error(column, "expected an object after each movement")
        else:
            pairs = zip(self.cell[::2], self.cell[1::2], strict=True)
            self.row.append(tuple(ELLIPSIS[0] if "..." in pair else pair for pair in pairs))
            self.cell = []

    def _sides_fit(self) -> bool:
        """Returns whether both sides of the rule fit each other."""
        rule, column = self.found, self.found.column
        rule.left, rule.right = self.rows
        if rule.late and rule.rigid:
            self._error(column, "expected a late rule or a rigid one, got both")
        if len(rule.left) != len(rule.right):
            if rule.commands and not rule.right:
                return self._is_small() and self._ellipses_fit()
            counts = f"{len(rule.left)} and {len(rule.right)}"
            text = f"expected as many rows in brackets right as left, got {counts}"
            if self.depth > 0:
                text = "expected ] for each ["
            self._warn(column, f"{text}; this rule is left out")
            self.lost = True
            return False
        for left, right in zip(rule.left, rule.right, strict=True):
            if len(left) != len(right):
                text = f"expected as many cells right as left, got {len(left)} and {len(right)}"
                self._error(column, text, fatal=True)
            if not left:
                self.faults.error(0, 0, "expected a cell in each row on the left")
        if not rule.left:
            self._error(column, "expected a row in brackets")
            return False
        return not self.faults.fatal and self._is_small() and self._ellipses_fit()

    def _is_small(self) -> bool:
        rows = (*self.found.left, *self.found.right)
        if sum(map(len, rows)) <= LONGEST and self.longest <= LONGEST:
            return True
        text = f"expected at most {LONGEST} cells in a rule, or objects in a cell"
        self._error(self.found.column, text, fatal=True)
        return False

    def _ellipses_fit(self) -> bool:
        """Returns whether each ... of the left side has a place; what is wrong with others is mended."""
        rule, column, fits = self.found, self.found.column, True
        for i, left in enumerate(rule.left):
            right = list(rule.right[i]) if rule.right else [ELLIPSIS] * len(left)
            for k, (cell, after) in enumerate(zip(left, right, strict=True)):
                if cell == ELLIPSIS:
                    if k in (0, len(left) - 1):
                        self._error(column, "expected ... between two cells, not at an end of the row")
                        fits = False
                    if after != ELLIPSIS:
                        self._error(column, "expected ... in the same cell on the right")
                        right[k] = ELLIPSIS
                elif ELLIPSIS[0] in cell:
                    self._error(column, "expected nothing beside ... in its cell")
                    return False
                elif rule.right and ELLIPSIS[0] in after:
                    if after[0] == ELLIPSIS[0]:
                        self._error(column, "expected ... in the same cell on the left")
                    if len(after) > 1:
                        self._error(column, "expected nothing beside ... in its cell")
                    right[k] = after[: after.index(ELLIPSIS[0])]
            if rule.right:
                rule.right[i] = tuple(right)
            if left.count(ELLIPSIS) > MOST_ELLIPSES:
                self._error(column, "expected at most two ... in a row")
                fits = False
            elif any(left[k : k + 2] == (ELLIPSIS, ELLIPSIS) for k in range(len(left))):
                self._warn(column, "expected one ..., got two side by side")
        return fits
