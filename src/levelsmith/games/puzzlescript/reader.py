"""Reads the text of a PuzzleScript game into its sections: what is declared, and nothing worked out yet.

What the original forgives is forgiven here too; everything else is a fault with its line and column.
"""

from __future__ import annotations

import re

from levelsmith.games.puzzlescript.colours import COLOUR_NAMES, PALETTES
from levelsmith.games.puzzlescript.source import FLAGS, KEYWORDS, SECTIONS, VALUES, Entry, Map, Object, Source

MOST_MEMBERS = 100_000  # objects that aggregates and properties hold
_HEADING = re.compile(rf"\s*({'|'.join(SECTIONS)})\b")
_WORD = re.compile(r"\w+")
_COLOUR = re.compile(
    rf"(#(?:[0-9a-f]{{6}}|[0-9a-f]{{3}})|{'|'.join(sorted(COLOUR_NAMES, key=len)[::-1])})\s*"
)
_EVENTS = "undo restart cancel titlescreen startgame endgame startlevel endlevel showmessage closemessage"
_SOUND_EVENTS = {*_EVENTS.split(), *(f"sfx{i}" for i in range(11))}
_VERBS = {"create", "destroy", "action", "move", "cantmove"}
_SOUND_DIRECTIONS = {"up", "down", "left", "right", "horizontal", "vertical", "orthogonal"}


def words(text: str, start: int = 0) -> list[tuple[str, int]]:
    """Returns the words between blanks with their columns, from 1."""
    return [(found.group(), found.start() + start + 1) for found in re.finditer(r"\S+", text)]


def parse(text: str) -> Source:
    """Returns the sections of a source and its faults. Never raises, whatever the text is."""
    return _Reader(text).source


class _Reader:
    """Goes through the lines once and hands each to its section."""

    def __init__(self, text: str):
        self.source = Source()
        self.section = ""
        self.seen: list[str] = []
        self.depth = 0  # of comments
        self.object: Object | None = None
        self.stage = "name"  # what the next line of an object is: name, colours, sprite
        self.fresh = True  # the next row of a level begins a new one
        self.members = 0  # in all lines of the legend
        self.names: dict[str, int] = {}  # of the legend and further names of objects, with their lines
        self.glyphs: set[str] = set()  # names of one character that levels may use
        for number, raw in enumerate(text.split("\n"), 1):
            self._line(number, raw.rstrip("\r"))

    def _line(self, number: int, raw: str) -> None:
        self.number, self.raw = number, raw
        self.lower = raw.lower() if len(raw.lower()) == len(raw) else "".join(c.lower()[0] for c in raw)
        if self.section == "levels" and self.depth == 0 and self.lower.lstrip().startswith("message"):
            self._message()
            return
        before = self.depth
        kept = self._without_comments()
        commented = kept != self.lower or before > 0
        if not kept.strip():
            if not commented or (
                self.depth == 0 and self.lower[-1:].isspace() and before + self.lower.count("(")
            ):
                self._blank()
            return
        if self._is_rule_off(kept):
            return
        heading = _HEADING.match(kept)
        if heading and self.section != "levels":
            self._heading(heading.group(1), kept[heading.end() :])
        else:
            getattr(self, f"_{self.section or 'prelude'}")(kept)

    def _error(self, column: int, text: str, weight: int = 1, fatal: bool = False) -> None:
        self.source.faults.error(self.number, column, text, weight, fatal)

    def _warn(self, column: int, text: str) -> None:
        self.source.faults.warn(self.number, column, text)

    def _without_comments(self) -> str:
        """Returns the line with blanks in place of its comments; `depth` is that of its end."""
        if self.depth == 0 and "(" not in self.lower and ")" not in self.lower:
            return self.lower
        kept: list[str] = []
        for at, char in enumerate(self.lower):
            if self.depth == 0 and self.section == "rules" and self._is_message(at):
                return "".join(kept) + self.lower[at:]
            if char == "(":
                self.depth += 1
            if char == ")" and self.depth == 0:
                self._warn(at + 1, "this comment was never opened")
            kept.append(" " if self.depth or char == ")" else char)
            if char == ")" and self.depth:
                self.depth -= 1
        return "".join(kept)

    def _is_message(self, at: int) -> bool:
        around = self.lower[at - 1 : at] + self.lower[at + 7 : at + 8]
        return self.lower.startswith("message", at) and not re.search(r"[^\s\[\]|>]", around)

    def _is_rule_off(self, kept: str) -> bool:
        line = kept.strip()
        return not line.strip("= \t") if self.section == "levels" else line.startswith("=")

    def _blank(self) -> None:
        if self.section == "objects":
            self.stage = "name"
        self.fresh = True

    def _heading(self, name: str, rest: str) -> None:
        if rest.strip(" \t=") and rest.strip():
            self._error(1, f"expected nothing after the heading {name.upper()}, got {rest.strip()!r}")
        place = SECTIONS.index(name)
        if name in self.seen:
            self._error(1, f"expected the section {name.upper()} once, got it again")
        elif place and SECTIONS[place - 1] not in self.seen:
            before = SECTIONS[place - 1].upper()
            self._error(1, f"expected the section {name.upper()} after {before}, even if that is empty")
        elif not place and self.seen:
            self._error(1, "expected OBJECTS to be the first section")
        self.seen.append(name)
        self.section, self.stage = name, "name"
        source = self.source
        if name == "sounds":
            source.names = {*source.objects, *self.names}
        if name == "levels":
            named = {entry.name for entry in source.properties}
            self.glyphs = {*source.objects, *(entry.name for entry in source.aggregates)}
            self.glyphs |= {entry.name for entry in source.synonyms if entry.members[0] not in named}

    # prelude

    def _prelude(self, kept: str) -> None:
        key, column = words(kept)[0]
        after = self.raw[column - 1 + len(key) :]
        value = after.split("(")[0].strip()
        if key in FLAGS:
            if value:
                self._warn(column + len(key) + 1, f"{key} takes no value, got {value!r}")
        elif key not in VALUES:
            self._error(column, f"expected a setting such as title or noaction, got {key!r}")
            return
        elif not value:
            self._error(column, f"expected a value after {key}")
            return
        if key in self.source.prelude:
            self._warn(column, f"{key} is set again")
        if key == "color_palette" and value.lower() not in PALETTES:
            self._error(column, f"expected a palette such as arnecolors, got {value!r}")
        self.source.prelude[key] = value

    # objects

    def _objects(self, kept: str) -> None:
        if self.stage == "sprite" and self.object is not None:
            first = kept.lstrip()[0]
            if self.object.sprite or first in ".0123456789":
                self._sprite_row(kept, self.object)
                return
            self.stage = "name"
        if self.stage == "colours" and self.object is not None:
            self._colours(kept, self.object.colours)
            self.stage = "sprite"
            return
        self._object_name(kept)

    def _object_name(self, kept: str) -> None:
        begin = len(kept) - len(kept.lstrip())
        commented = bool(self.lower[:begin].strip())  # then all words are further names of the last object
        at = begin
        if not commented:
            found = _WORD.match(kept, begin)
            if not found:
                self._warn(begin + 1, f"expected the name of an object, got {kept.strip()!r}")
                return
            at = found.end()
            if not self._is_free(found.group(), begin + 1):
                self.object, self.stage = self.source.objects.get(found.group()), "colours"
                return
            self.object = Object(found.group(), self.number)
            self.source.objects[found.group()] = self.object
        for alias, column in words(kept[at:], at):
            if self.object is not None and self._is_free(alias, column):
                self._add(self.source.synonyms, alias, (self.object.name,))
        self.stage = "colours"

    def _is_free(self, name: str, column: int) -> bool:
        if name in KEYWORDS:
            self._warn(column, f"{name!r} is a word of the language; in rules it does not name an object")
        if name in self.source.objects:
            self._error(column, f"expected a new name, got {name!r} of line {self.source.objects[name].line}")
            return False
        if name in self.names:
            self._error(column, f"expected a new name, got {name!r} of line {self.names[name]}")
        return True

    def _colours(self, kept: str, colours: list[str]) -> None:
        at = len(kept) - len(kept.lstrip())
        end = len(kept.rstrip())
        while at < end:
            found = _COLOUR.match(kept, at)
            if found:
                colours.append(found.group(1))
                at = found.end()
            else:
                wrong = re.findall(r"\w+\s*|.+", kept[at:])[0]
                self._error(at + 1, f"expected a colour such as red or #8cf, got {wrong.strip()!r}")
                at += len(wrong)

    def _sprite_row(self, kept: str, thing: Object) -> None:
        row, begin = kept.strip(), len(kept) - len(kept.lstrip())
        pixels = row[: len(row) - len(row.lstrip(".0123456789"))]
        if not pixels:
            self._error(begin + 1, f"expected pixels of {thing.name}, got {row!r}")
            return
        thing.sprite.append(pixels[:5])
        if len(pixels) > 5:
            self._warn(begin + 6, "expected five pixels in a row")
        elif len(row) > len(pixels):
            self._error(begin + len(pixels) + 1, f"expected pixels of {thing.name}, got {row!r}")
        for at, char in enumerate(pixels[:5]):
            most = len(thing.colours)
            if char != "." and int(char) >= most:
                self._error(begin + at + 1, f"expected one of {most} colours of {thing.name}, got {char}")
        if len(thing.sprite) == 5 and len(pixels) >= 5:
            self.stage = "name"

    # legend

    def _legend(self, kept: str) -> None:
        begin = len(kept) - len(kept.lstrip())
        cut = kept.find("=", begin + 1)  # a first "=" would be a rule-off
        parts = words(kept[begin:cut], begin) if cut > 0 else []
        right = words(kept[cut + 1 :], cut + 1)
        if cut < 0:
            self._error(
                begin + 1, "expected a line such as `. = Background`, `X = A and B` or `X = A or B`", 2
            )
            return
        name, column = parts[0]
        if name in KEYWORDS:
            self._warn(column, f"{name!r} is a word of the language; in rules it does not name an object")
        joins, terms = [word for word, _ in right[1::2]], right[::2]
        form = "expected `X = A`, `X = A and B` or `X = A or B`"
        if len(parts) > 1 or not right or len(right) % 2 == 0 or set(joins) - {"and", "or"}:
            self._error(column, form, 1 + (not right or right[0][0] == "="))
            return
        if any(word == name for word, _ in terms):
            self._error(column, f"expected {name!r} in terms of others, got itself among them")
            terms = [(word, at) for word, at in terms if word != name]
            joins = joins[: max(0, len(terms) - 1)]
            if not terms:
                return
        for word, at in terms:
            if not self._is_known(word):
                self._error(at, f"expected a name defined above, got {word!r}")
            elif not _WORD.fullmatch(word):
                self._error(at, f"expected a word on the right side, got {word!r}")
        if len(set(joins)) > 1:
            self._error(right[1][1], "expected either and or or in one line, got both")
            if joins[0] == "or":
                return
        self._declare(name, column, terms, joins[0] if joins else "")

    def _is_known(self, name: str) -> bool:
        return name in self.source.objects or name in self.names

    def _declare(self, name: str, column: int, terms: list[tuple[str, int]], join: str) -> None:
        source = self.source
        if self._is_known(name):
            self._error(column, f"expected a new name, got {name!r}, which is in use")
        if not join:
            self._add(source.synonyms, name, (terms[0][0],))
            return
        members: list[str] = []
        for word, at in terms:
            kind, found = self.source.first(word)
            if join == "and" and kind == "property":
                self._error(at, f"expected objects joined by and, got {word!r}, which is one of several", 2)
                found = ()
            if join == "or" and kind == "aggregate":
                self._error(at, f"expected objects joined by or, got {word!r}, which is several at once")
                found = ()
            members += found
        self.members += len(members)
        if self.members > MOST_MEMBERS:
            self._error(column, f"expected at most {MOST_MEMBERS} names in the legend", fatal=True)
            return
        self._add(source.aggregates if join == "and" else source.properties, name, tuple(members))

    def _add(self, entries: list[Entry], name: str, members: tuple[str, ...]) -> None:
        self.names.setdefault(name, self.number)
        self.source.declare(entries, Entry(name, members, self.number))

    # sounds: read, for their faults alone

    def _sounds(self, kept: str) -> None:
        tokens = words(kept)
        (first, column), rest = tokens[0], tokens[1:]
        if first in _SOUND_EVENTS:
            self._seed(rest, column + len(first))
        elif first not in self.source.names:
            if _WORD.fullmatch(first):
                self._error(column, f"expected a sound event or an object, got {first!r}")
            else:
                self._warn(column, f"expected a sound event or an object, got {first!r}")
        elif not rest or rest[0][0] not in _VERBS:
            at = rest[0][1] if rest else column + len(first)
            self._error(at, "expected a verb such as move or create after the object")
        else:
            verb, rest = rest[0][0], rest[1:]
            if self.source.members(first)[0] == "aggregate":
                self._error(column, f"expected one object, got {first!r}, which is several at once")
            while verb in ("move", "cantmove") and rest and rest[0][0] in _SOUND_DIRECTIONS:
                rest = rest[1:]
            self._seed(rest, len(kept.rstrip()) + 1)

    def _seed(self, rest: list[tuple[str, int]], end: int) -> None:
        if not rest or not rest[0][0].isdigit():
            self._error(rest[0][1] if rest else end, "expected the number of a sound")
        elif len(rest) > 1:
            self._error(rest[1][1], f"expected nothing after the number of a sound, got {rest[1][0]!r}")

    # collision layers

    def _collisionlayers(self, kept: str) -> None:
        layer: list[str] = []
        self.source.layers.append((self.number, layer))
        alone = False
        for found in re.finditer(r"\w+|[^\w\s,]", kept):
            name, column = found.group(), found.start() + 1
            if not _WORD.fullmatch(name):
                self._error(column, f"expected names of objects, got {name!r}")
                continue
            if alone or (name == "background" and layer):
                self._error(column, "expected background in a layer by itself")
            alone = alone or name == "background"
            kind, members = self.source.first(name)
            if kind == "aggregate":
                self._error(column, f"expected objects of one layer, got {name!r}, which is several at once")
            elif not kind:
                self._error(column, f"expected the name of an object, got {name!r}")
            else:
                layer += members

    # rules, win conditions

    def _rules(self, kept: str) -> None:
        begin = 0
        while begin < len(self.lower) and self.lower[begin] == "(":
            begin += 1
        text = self.raw[begin:].split("(")[0]
        if text.count("[") > text.count("]") and len(text) < len(self.raw) - begin:
            self._error(begin + len(text) + 1, "expected no comment inside a rule")
        else:
            self.source.rules.append((self.number, text, begin + 1))

    def _winconditions(self, kept: str) -> None:
        begin = len(self.lower) - len(self.lower.lstrip("("))
        text = self.lower[begin:].split("(")[0]
        self.source.wins.append((self.number, words(text, begin)))

    # levels

    def _message(self) -> None:
        at = self.lower.index("message")
        if re.match(r"\w", self.lower[at + 7 : at + 8]):
            self._warn(at + 8, "expected a blank after message")
        text = self.raw[at + 7 :].strip()
        self.source.levels.append(Map(self.number, message=text))
        self.fresh = True

    def _levels(self, kept: str) -> None:
        cut = self.lower.find("(")
        row = self.lower if cut < 0 else self.lower[:cut]
        begin = len(row) - len(row.lstrip()) + 1
        row = row.strip()
        if not row:
            self._error(1, "expected a row of a level, got a comment before it")
            return
        if self.fresh:
            self.source.levels.append(Map(self.number))
            self.fresh = False
        level = self.source.levels[-1]
        level.rows.append(row)
        level.columns.append(begin)
        level.lines.append(self.number)
        if len(row) != len(level.rows[0]):
            self._warn(begin, f"expected rows of {len(level.rows[0])} characters, got {len(row)}")
        for char in sorted(set(row) - self.glyphs - {")"}, key=row.index):
            text = f"expected characters of the legend, got {char!r}"
            self._error(begin + row.index(char), text)
