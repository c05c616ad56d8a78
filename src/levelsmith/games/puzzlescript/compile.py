"""Compiles the text of a PuzzleScript game to tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.assemble import Mask, Masked, assembled
from levelsmith.games.puzzlescript.dialects import dialect_fault, not_read
from levelsmith.games.puzzlescript.doubts import check_settings, tell_contradictions
from levelsmith.games.puzzlescript.essence import Decided, decided
from levelsmith.games.puzzlescript.expand import MOST_CELLS as MOST_RULE_CELLS
from levelsmith.games.puzzlescript.expand import Expander, Rule, TooManyRulesError
from levelsmith.games.puzzlescript.faults import MOST_MESSAGES
from levelsmith.games.puzzlescript.kernels.codes import ALL, NO, SOME
from levelsmith.games.puzzlescript.kernels.tables import WinTables
from levelsmith.games.puzzlescript.reader import SIDE, parse, parse_lines
from levelsmith.games.puzzlescript.rules import ELLIPSIS, Cell, Loop, RuleLine, read_rules
from levelsmith.games.puzzlescript.source import LONGEST_CHAIN, MOVES, Entry, Map, Source, WinText
from levelsmith.games.puzzlescript.tables import Tables, Words, object_words
from levelsmith.games.puzzlescript.translate import translated

QUANTIFIERS = ("all", "some", "no", "any")
MOST_NAMED = 3  # faults in a message
MOST_COLOURS = 10  # of an object
MOST_RIGID = 30  # groups
MOST_CELLS = 1_000_000  # of all levels
MOST_OBJECTS = 1_000  # the largest known game has 358
MOST_LAYERS = 500  # the largest known game has 188


Named = tuple[str, tuple[str, ...]]  # the kind of a name, and its objects
Win = tuple[int, Named, Named | None]  # kind of a condition, what, where


@dataclass(frozen=True)
class PuzzleLevel:
    """A level of a game: a board, or a message."""

    line: int
    height: int = 0
    width: int = 0
    board: Words | None = None  # [width * height, W], column after column
    message: str = ""


@dataclass(frozen=True)
class Program:
    """A compiled game."""

    source: Source
    tables: Tables
    names: tuple[str, ...]  # [objects], "" for a number that is not in use
    levels: tuple[PuzzleLevel, ...]
    glyphs: dict[str, int]  # the objects that a character of a level stands for, as a set
    messages: dict[int, str]  # of the rules' commands, by their lines

    @cached_property
    def decided(self) -> Decided | None:
        """What decides whether a level is won; None where that is all, or not known."""
        return decided(self.tables)


def compile_game(text: str) -> Program:
    """Returns a game ready to be played; raises LevelsmithError with its first faults if it cannot be."""
    source, program = compile_source(text)
    if program is None:
        if source.faults.dialect is not None:
            raise LevelsmithError(str(source.faults.dialect))
        errors = source.faults.told
        more = f" (and {len(errors) - MOST_NAMED} more)" if len(errors) > MOST_NAMED else ""
        raise LevelsmithError("; ".join(map(str, errors[:MOST_NAMED])) + more)
    return program


def compile_source(text: str) -> tuple[Source, Program | None]:
    """Returns the source with all its faults, and the game unless they are too many."""
    source = parse(text)
    program = _Compiler(source).program()
    if source.faults.errors:
        dialect = source.faults.dialect = dialect_fault(source, text.split("\n"))
        if dialect is not None:
            translation = translated(text)
            other = parse_lines(translation.lines)
            found = _Compiler(other).program() if translation.lines else None
            if found is not None and other.faults.weight < source.faults.weight:
                return other, found
            if translation.missing and program is None:
                line, word = translation.missing
                source.faults.dialect = replace(dialect, line=line, column=1, text=not_read(word))
    return source, program


class _Compiler:
    def __init__(self, source: Source):
        self.source, self.faults = source, source.faults
        self.names: list[str] = []
        self.overlap = ""  # why copies of a rule can never match
        self.layer_of: dict[str, int] = {}
        self.id_of: dict[str, int] = {}
        for layer, (_, members) in enumerate(source.layers):
            for name in members:
                self.layer_of[name], self.id_of[name] = layer, len(self.names)
                self.names.append(name)
        self.layers = len(source.layers)
        self.layer_sets = [0] * self.layers
        for name, layer in self.layer_of.items():
            self.layer_sets[layer] |= 1 << self.id_of[name]

    def program(self) -> Program | None:
        source = self.source
        possible = self._has_required()
        rules, loops = read_rules(source)
        wins = [read for text in source.wins if (read := self._win(text)) is not None]
        if not possible:
            return None
        try:
            tables = self._tables(rules, loops, self._wins(wins))
        except TooManyRulesError as error:
            text = (
                f"expected fewer rules: at most {MOST_RULE_CELLS:,} cells in their copies for all directions"
            )
            self.faults.error(error.line, 1, text, fatal=True)
            return None
        if sum(len(level.rows) * len(level.rows[0]) for level in source.levels if level.rows) > MOST_CELLS:
            self.faults.error(0, 0, f"expected at most {MOST_CELLS} cells in all levels", fatal=True)
            return None
        levels = tuple(self._levels())
        if not levels:
            self.faults.error(0, 0, "expected at least one level in the section LEVELS")
        messages = self.faults.weight + len(self.faults.warnings)
        if messages > MOST_MESSAGES and not self.faults.refused:
            text = f"expected at most {MOST_MESSAGES} mistakes and odd lines, got {messages}"
            self.faults.error(0, 0, text, fatal=True)
        if tables is None or self.faults.refused:
            return None
        names = tuple(name if self.id_of[name] == i else "" for i, name in enumerate(self.names))
        texts = {rule.line: text for rule in rules for command, text in rule.commands if command == "message"}
        return Program(source, tables, names, levels, self._glyphs(), texts)

    def _has_required(self) -> bool:
        """Returns whether there are layers, a player and a background; faults say what is missing."""
        source = self.source
        if not source.objects and source.layers:
            self.faults.error(0, 0, "expected objects in the section OBJECTS")
        twice = 1 + bool(source.layers)
        lines = {entry.name: entry.line for entry in (*source.aggregates, *source.properties)}
        for name in ("player", "background"):
            if not source.members(name)[0]:
                text = f"expected an object or a name of the legend called {name}"
                self.faults.error(lines.get(name, 0), 1, text, twice, fatal=True)
        if not self.names:
            self.faults.error(0, 0, "expected objects in the section COLLISIONLAYERS", fatal=True)
            return False
        if len(self.names) > MOST_OBJECTS or self.layers > MOST_LAYERS:
            text = f"expected at most {MOST_OBJECTS} objects in {MOST_LAYERS} layers"
            self.faults.error(0, 0, f"{text}, got {len(self.names)} in {self.layers}", fatal=True)
            return False
        kind, members = source.members("background")
        line = lines.get("background", 0)
        if kind == "aggregate":
            self.faults.error(line, 1, "expected background to be one object, or one of several", fatal=True)
        elif len({self.layer_of.get(one) for one in members}) > 1:
            self.faults.error(line, 1, "expected all backgrounds in one layer")
        check_settings(source)
        for thing in source.objects.values():
            if not thing.colours:
                self.faults.error(thing.line, 1, f"expected colours of {thing.name}")
            if len(thing.colours) > MOST_COLOURS:
                text = f"expected at most {MOST_COLOURS} colours of {thing.name}, got {len(thing.colours)}"
                self.faults.error(thing.line + 1, 1, text)
            if thing.sprite and (thing.odd or [len(row) for row in thing.sprite] != [SIDE] * SIDE):
                text = f"expected {SIDE} rows of {SIDE} pixels of {thing.name}"
                self.faults.warn(thing.line, 1, text)
            if thing.name not in self.layer_of:
                text = f"expected {thing.name} in one of the collision layers"
                self.faults.error(thing.line, 1, text, fatal=True)
        for entry in source.aggregates:
            layers = [self.layer_of.get(name) for name in entry.members]
            if len(set(layers)) < len(layers):
                text = f"expected the objects of {entry.name} in layers of their own"
                self.faults.error(entry.line, 1, text)
        return not self.faults.fatal

    def _set(self, names: Iterable[str]) -> int:
        found = 0
        for name in names:
            found |= 1 << self.id_of[name]
        return found

    # rules

    def _tables(self, lines: list[RuleLine], loops: list[Loop], wins: WinTables) -> Tables | None:
        expander = Expander(self.source, self.layer_of)
        groups: dict[tuple[bool, int], list[Masked]] = {}
        alive, dead = set[int](), dict[int, tuple[int, str]]()  # lines of which a rule can match; or may not
        for line in lines:
            tell_contradictions(self.source, self.layer_of, line)
            self.overlap = ""
            for rule in expander.expanded(line):
                masks = self._masks(rule)
                if masks is not None:
                    alive.add(line.line)
                    groups.setdefault((line.late, line.group), []).append((rule, masks))
            if self.overlap:
                dead.setdefault(line.line, (line.column, self.overlap))
        for number, (column, text) in dead.items():
            if number not in alive:
                self.faults.error(number, column, text)
        player, members = self.source.members("player")
        prelude, objects = self.source.prelude, len(self.names)
        ordered = [(late, groups[late, line]) for late, line in sorted(groups)]
        self._check_loops(ordered, loops)
        made = assembled(ordered, loops, objects, self.layers)
        if made[2].rigid.max(initial=0) > MOST_RIGID:
            first = ordered[made[2].rigid.tolist().index(MOST_RIGID + 1)][1][0][0].line
            self.faults.error(first.line, 1, f"expected at most {MOST_RIGID} rigid groups", fatal=True)
        layer_of = np.full(objects, -1, np.int64)
        for name, number in self.id_of.items():
            layer_of[number] = self.layer_of[name]
        return Tables(
            objects,
            self.layers,
            layer_of,
            object_words(self.layer_sets, objects),
            object_words([self._set(members)], objects)[0],
            player == "aggregate",
            *made,
            wins,
            "run_rules_on_level_start" in prelude,
            "require_player_movement" in prelude,
            "noundo" in prelude,
            "norestart" in prelude,
            "noaction" in prelude,
            "realtime_interval" in prelude,
        )

    def _check_loops(self, groups: list[tuple[bool, list[Masked]]], loops: list[Loop]) -> None:
        """Tells of loops that begin or end inside a group of rules."""
        for loop in loops:
            for _, group in groups:
                first, last = group[0][0].line.place, group[-1][0].line.place
                if any(first <= marker <= last for marker in (loop.first, loop.last)):
                    text = "expected startloop and endloop outside of groups, got one before a +"
                    self.faults.error(loop.line, 1, text, compiling=True)

    def _masks(self, rule: Rule) -> list[list[list[Mask]]] | None:
        """Returns the sets of each cell of each part of each row, or None for a rule that can never match."""
        rows: list[list[list[Mask]]] = [[[]] for _ in rule.left]
        for i, _, left, right in rule.cells():
            if left == ELLIPSIS:
                rows[i].append([])
                continue
            mask = Mask()
            used = self._ask(mask, left, rule)
            if used is None:
                return None
            if rule.right:
                self._answer(mask, right, used, rule)
            rows[i][-1].append(mask)
        return rows

    def _ask(self, mask: Mask, left: Cell, rule: Rule) -> dict[int, str] | None:
        """Fills in what a cell asks for; returns the layers it uses, or None if it can never be."""
        used: dict[int, str] = {}
        for word, name in left:
            kind, members = self.source.members(name)
            found = self._set(members)
            if word == "no":
                mask.absent |= found
                continue
            if word == "random":
                text = "expected random on the right side only"
                self.faults.error(rule.line.line, rule.line.column, text)
                continue
            if word == "randomdir":
                return None
            layer = self.layer_of[members[0]]
            if layer in used:
                self.overlap = f"expected objects that can share a cell, got {used[layer]!r} and {name!r}"
                return None
            used[layer] = name
            if kind == "object":
                mask.present |= found
            else:
                mask.any_of.append(found)
            if word == "stationary":
                mask.resting |= 31 << 5 * layer
            elif word:
                mask.moving |= 1 << 5 * layer + MOVES.index(word)
        if mask.present & mask.absent:
            both = sorted(name for name in self.id_of if mask.present & mask.absent & 1 << self.id_of[name])
            text = f"{both[0]!r} and no {both[0]} in one cell never match; such rules are left out"
            self.faults.warn(rule.line.line, rule.line.column, text)
            return None
        if any(not one & ~mask.absent for one in mask.any_of):
            return None
        return used

    def _answer(self, mask: Mask, right: Cell, used: dict[int, str], rule: Rule) -> None:
        """Fills in what a cell changes."""
        there: dict[int, str] = {}
        drawn: dict[int, str] = {}  # layers of what is drawn at random
        set_layers = set()
        for word, name in right:
            kind, members = self.source.members(name)
            found = self._set(members)
            if word == "no":
                mask.clear |= found
                continue
            if word == "random":
                mask.random |= found
                self._check_drawn(rule, name, members, there)
                drawn |= {self.layer_of[one]: one for one in members}
                continue
            layer = self.layer_of[members[0]]
            bits = 31 << 5 * layer
            if layer in there or layer in drawn:
                other = there.get(layer) or drawn[layer]
                text = f"expected objects that can share a cell, got {other!r} and {name!r}"
                self.faults.error(rule.line.line, rule.line.column, text)
            there[layer] = name
            if word:
                mask.layers |= bits
            if kind == "object":
                mask.set |= found
                mask.clear |= self.layer_sets[layer]
                set_layers.add(layer)
            if word == "stationary":
                mask.move_clear |= bits
            elif word == "randomdir":
                mask.random_dir |= bits
            elif word:
                mask.move_set |= 1 << 5 * layer + MOVES.index(word)
        if mask.present & ~mask.set:
            mask.clear |= mask.present
        if mask.moving & ~mask.move_set:
            mask.move_clear |= mask.moving
        for layer, name in used.items():
            if layer not in there:
                mask.clear |= self.layer_sets[layer]
            if layer not in there or (name in self.layer_of and layer not in set_layers):
                mask.layers |= 31 << 5 * layer

    def _check_drawn(self, rule: Rule, name: str, members: tuple[str, ...], there: dict[int, str]) -> None:
        """Warns of an odd choice at random."""
        place = rule.line.line, rule.line.column
        if len(members) == 1:
            self.faults.warn(*place, f"expected one of several after random, got {name!r}")
        for one in members:
            other = there.get(self.layer_of[one], one)
            if other != one:
                text = f"expected objects that can share a cell, got random {one!r} and {other!r}"
                self.faults.warn(*place, text)

    # win conditions

    def _wins(self, wins: list[Win]) -> WinTables:
        kinds = [kind for kind, _, _ in wins]
        sets = [(what, where) for _, what, where in wins]
        objects = len(self.names)
        return WinTables(
            np.array(kinds, np.int64),
            object_words([self._set(what[1]) for what, _ in sets], objects),
            object_words([self._set(where[1]) if where else 0 for _, where in sets], objects),
            np.array([what[0] == "aggregate" for what, _ in sets], np.bool_),
            np.array([where is not None and where[0] == "aggregate" for _, where in sets], np.bool_),
            np.array([not where for _, where in sets], np.bool_),
        )

    def _win(self, text: WinText) -> Win | None:
        """Returns the kind, what and where of a condition, or None for one that is dropped."""
        self._read_win(text)
        words = [word for word, _ in text.words]
        if len(words) < 2:
            form = "expected a condition such as `No Fruit` or `All Target on Crate`"
            self.faults.error(text.line, text.words[0][1] if words else 1, form, compiling=True)
            return None
        found: list[Named] = []
        for name, at in text.words[1:4:2] if len(words) == 4 else text.words[1:2]:
            kind, members = self.source.members(name)
            if not kind:
                self._tell_unknown(text.line, at, name, compiling=True)
            found.append((kind, members))
        if any(not kind for kind, _ in found):
            return None
        return {"all": ALL, "no": NO}.get(words[0], SOME), found[0], found[1] if len(found) > 1 else None

    def _read_win(self, text: WinText) -> None:
        """Tells what is wrong with the words of a condition, each in its place."""
        for i, (word, at) in enumerate(text.read):
            if not word.isidentifier() and not word.replace("_", "a").isalnum():
                form = "expected a condition such as `All Target on Crate`"
                self.faults.error(text.line, at, f"{form}, got {word.strip()!r}")
                break
            if i == 0 and word not in QUANTIFIERS:
                meant = self.faults.guess(word, QUANTIFIERS)
                self.faults.error(text.line, at, f"expected all, some or no, got {word!r}{meant}")
            elif i == 2 and word != "on":
                self.faults.error(text.line, at, f"expected on, got {word!r}")
            elif i in (1, 3) and word not in self.source.names:
                self._tell_unknown(text.line, at, word)
            elif i > 3:
                self.faults.error(text.line, at, f"expected nothing after the condition, got {word!r}")

    def _tell_unknown(self, line: int, column: int, name: str, compiling: bool = False) -> None:
        meant = self.faults.guess(name, self.source.names)
        text = f"expected the name of an object, got {name!r}{meant}"
        self.faults.error(line, column, text, compiling=compiling)

    # levels

    def _levels(self) -> Iterable[PuzzleLevel]:
        glyphs = self._glyphs()
        _, backgrounds = self.source.members("background")
        layer = self.layer_sets[self.layer_of[backgrounds[0]]]
        for level in self.source.levels:
            if level.message is not None:
                yield PuzzleLevel(level.line, message=level.message)
            else:
                yield self._level(level, glyphs, layer, 1 << self.id_of[backgrounds[0]])

    def _level(self, level: Map, glyphs: dict[str, int], layer: int, default: int) -> PuzzleLevel:
        height, width = len(level.rows), len(level.rows[0])
        rows = [row[:width].ljust(width, row[-1]) for row in level.rows]
        text = "".join("".join(column) for column in zip(*rows, strict=True))
        unknown = min((text.index(char) for char in set(text) if char not in glyphs), default=-1)
        if unknown >= 0:
            x, y = divmod(unknown, height)
            wrong = f"expected characters of the legend, got {text[unknown]!r}"
            if self.source.members(text[unknown])[0] == "property":
                wrong = f"expected one object, got {text[unknown]!r}, which is one of several"
            self.faults.error(level.lines[y], level.columns[y] + x, wrong, compiling=True)
        sets = {char: glyphs.get(char, 0) for char in dict.fromkeys(text)}
        if unknown < 0:
            floor = next((cell & layer for cell in sets.values() if cell & layer), default)
            sets = {char: cell if cell & layer else cell | floor for char, cell in sets.items()}
        words = object_words(list(sets.values()), len(self.names))
        places = {char: i for i, char in enumerate(sets)}
        board = words[[places[char] for char in text]]
        if unknown >= 0:
            board[unknown:] = 0  # as the original leaves it
        return PuzzleLevel(level.line, height, width, board)

    def _glyphs(self) -> dict[str, int]:
        """Returns what each name stands for in a level; of several definitions the first counts."""
        source = self.source
        found = {name: 1 << self.id_of[name] for name in source.objects if name in self.id_of}
        entries: list[tuple[Entry, bool]] = [(entry, False) for entry in source.synonyms]
        entries += [(entry, True) for entry in source.aggregates]
        for _ in range(LONGEST_CHAIN):
            before = len(found)
            for entry, joined in entries:
                if entry.name in source.unsettled:
                    continue
                if entry.name not in found and all(name in found for name in entry.members):
                    found[entry.name] = self._joined(entry.members) if joined else found[entry.members[0]]
            if len(found) == before:
                break
        return found

    def _joined(self, members: tuple[str, ...]) -> int:
        """Returns the objects of an aggregate, of each layer the first."""
        layers: dict[int, int] = {}
        for name in members:
            layers.setdefault(self.layer_of[name], 1 << self.id_of[name])
        return sum(layers.values())
