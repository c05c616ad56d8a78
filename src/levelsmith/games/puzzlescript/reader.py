"""Reads the text of a PuzzleScript game into its sections: what is declared, and nothing worked out yet.

What the original forgives is forgiven here too; everything else is a fault with its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from levelsmith.games.puzzlescript.colours import COLOUR_NAMES
from levelsmith.games.puzzlescript.legend import WORD, Legend
from levelsmith.games.puzzlescript.rules import strange_words
from levelsmith.games.puzzlescript.sounds import read_sound
from levelsmith.games.puzzlescript.source import (
    FLAGS,
    SECTIONS,
    VALUES,
    Map,
    Object,
    RuleText,
    Source,
    WinText,
)

SIDE = 5  # of a sprite, in pixels
MOST_LEVELS = 5_000  # and messages; the largest known game has 400
_HEADING = re.compile(rf"\s*({'|'.join(SECTIONS)})\b")
_INSIDE = re.compile(rf"(?<!\w)({'|'.join(SECTIONS)})(?!\w)")  # the original skips them in a line
_RULE_OFF = re.compile(r"[^(]*\)\s*=+|(?:\s|\([^()]*\))*=+")
SCREEN_LINES = 12
_SCREEN_LINE = re.compile(r".{1,34}(?:\s|$)|.{34}|.+$")
_COLOUR = re.compile(
    rf"(#(?:[0-9a-f]{{6}}|[0-9a-f]{{3}})|{'|'.join(sorted(COLOUR_NAMES, key=len)[::-1])})\s*"
)


def words(text: str, start: int = 0) -> list[tuple[str, int]]:
    """Returns the words between blanks with their columns, from 1."""
    return [(found.group(), found.start() + start + 1) for found in re.finditer(r"\S+", text)]


def _first_part(line: str) -> tuple[int, str]:
    """Returns what is between comments for the first time, and where it begins."""
    begin = len(line) - len(line.lstrip("("))
    return begin, line[begin:].split("(")[0]


def _without_headings(text: str) -> str:
    return _INSIDE.sub(lambda found: " " * len(found.group()), text)


def parse(text: str) -> Source:
    """Returns the sections of a source and its faults. Never raises, whatever the text is."""
    return parse_lines(enumerate(text.split("\n"), 1))


def parse_lines(lines: Iterable[tuple[int, str]]) -> Source:
    """Does what `parse` does with lines that come with their numbers."""
    return _Reader(lines).source


class _Reader:
    """Goes through the lines once and hands each to its section."""

    def __init__(self, lines: Iterable[tuple[int, str]]):
        self.source = Source()
        self.section = ""
        self.seen: list[str] = []
        self.depth = 0  # of comments
        self.object: Object | None = None
        self.stage = "name"  # what the next line of an object is: name, colours, sprite
        self.fresh = True  # the next row of a level begins a new one
        self.legend = Legend(self.source)
        self.glyphs: set[str] = set()  # names of one character that levels may use
        self.layered: set[str] = set()  # objects of the layers above
        for number, raw in lines:
            self._line(number, raw.rstrip("\r"))

    def _line(self, number: int, raw: str) -> None:
        if len(self.source.levels) > MOST_LEVELS:
            return
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
            after = kept.lstrip().lstrip("=").strip()
            if after and self.section != "levels":
                self._error(kept.index(after) + 1, f"expected nothing after a line of =, got {after!r}")
            return
        heading = _HEADING.match(kept)
        stray = before == 0 and self.lower.lstrip().startswith(")")
        if heading and self.section != "levels" and not stray:
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
        off = _RULE_OFF.match(self.lower)
        self.rule_off = off.end() if off else -1  # where a line of = ends
        for at, char in enumerate(self.lower):
            if self.depth == 0 and self.section == "rules" and self._is_message(at):
                return "".join(kept) + self.lower[at:]
            if char in "()" and self.depth == 0 and self.section == "rules" and self._is_in_word(at):
                kept.append(char)
                continue
            if char == "(":
                self.depth += 1
            if char == ")" and self.depth == 0:
                self._warn(at + 1, "this comment was never opened")
            kept.append(" " if self.depth or char == ")" else char)
            if char == ")" and self.depth:
                self.depth -= 1
        return "".join(kept)

    def _is_in_word(self, at: int) -> bool:
        """Returns whether a word of a rule goes on at a place."""
        before = self.lower[max(0, at - 2) : at]
        return at != self.rule_off and before != "->" and not re.search(r"[\s\[\]|+()]\Z|\A\Z", before)

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
        if rest.strip():
            self._error(1, f"expected nothing after the heading {name.upper()}, got {rest.strip()!r}")
        place = SECTIONS.index(name)
        if name in self.seen:
            self._error(1, f"expected the section {name.upper()} once, got it again")
        if place and SECTIONS[place - 1] not in self.seen:
            before = SECTIONS[place - 1].upper()
            self._error(1, f"expected the section {name.upper()} after {before}, even if that is empty")
        elif not place and self.seen:
            self._error(1, "expected OBJECTS to be the first section")
        self.seen.append(name)
        self.source.headings.append((self.number, name))
        self.section, self.stage = name, "name"
        source = self.source
        if name != "legend":
            self.legend.settle()
        if name == "sounds":
            source.names = {*source.objects, *self.legend.names}
        if name == "levels":
            entries = (*source.synonyms, *source.aggregates)
            self.glyphs = {*source.objects, *(entry.name for entry in entries)}

    # prelude

    def _prelude(self, kept: str) -> None:
        found = WORD.match(kept.lstrip())
        column = len(kept) - len(kept.lstrip()) + 1
        if not found:
            self._error(column, f"expected a setting such as title or noaction, got {kept.strip()!r}")
            return
        key = found.group()
        after = self.raw[column - 1 + len(key) :]
        value = after.split("(")[0].strip()
        if key in FLAGS:
            if value:
                self._warn(column + len(key) + 1, f"{key} takes no value, got {value!r}")
        elif key not in VALUES:
            meant = self.source.faults.guess(key, [*FLAGS, *VALUES])
            odd = re.search(r"[^\w\s]", kept[column - 1 :])
            text = f"expected a setting such as title or noaction, got {key!r}{meant}"
            self._error(column, text, 2 if odd else 1)
            return
        elif not value:
            self._error(column, f"expected a value after {key}")
            return
        else:
            if key in self.source.prelude:
                self._warn(column, f"{key} is set again")
            if "(" in after and kept[len(self.raw) - len(after) + after.index("(") :].strip():
                self._warn(column, f"expected no comment in the value of {key}; the rest is left out")
            if key == "youtube":
                self._warn(column, "no music is played: the original has given it up, too")
        self.source.prelude[key] = value
        self.source.setting_lines[key] = self.number

    # objects

    def _objects(self, kept: str) -> None:
        kept = _without_headings(kept)
        if not kept.strip():
            return
        if self.stage == "sprite" and self.object is not None:
            first = kept.lstrip()[0]
            if self.object.sprite or first in ".0123456789":
                self._sprite_row(kept, self.object)
                return
        elif self.stage == "colours" and self.object is not None:
            self._colours(kept, self.object.colours)
            self.stage = "sprite"
            return
        self._object_name(kept)

    def _object_name(self, kept: str) -> None:
        begin = len(kept) - len(kept.lstrip())
        found = WORD.match(kept, begin)
        if not found:
            self._warn(begin + 1, f"expected the name of an object, got {kept.strip()!r}")
            return
        if self._is_free(found.group(), begin + 1):
            self.object, self.stage = Object(found.group(), self.number), "colours"
            self.source.objects[found.group()] = self.object
        self._further_names(kept, found.end())

    def _further_names(self, kept: str, begin: int) -> None:
        """Adds the words after a name to the last object that has one of its own."""
        for alias, column in words(kept[begin:], begin):
            if self.object is not None and self._is_free(alias, column):
                self.legend.add(self.number, self.source.synonyms, alias, (self.object.name,))
                self.stage = "colours"

    def _is_free(self, name: str, column: int) -> bool:
        if name in self.source.objects:
            self._error(column, f"expected a new name, got {name!r} of line {self.source.objects[name].line}")
            return False
        if name in self.legend.names:
            self._error(column, f"expected a new name, got {name!r} of line {self.legend.names[name]}")
        self.legend.warn_of_keyword(self.number, name, column)
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
                meant = self.source.faults.guess(wrong.strip(), COLOUR_NAMES)
                text = f"expected a colour such as red or #8cf, got {wrong.strip()!r}{meant}"
                self._error(at + 1, text)
                at += len(wrong)

    def _sprite_row(self, kept: str, thing: Object) -> None:
        row, most = "", len(thing.colours)
        for at, char in enumerate(kept):
            if char.isspace():
                continue
            if char not in ".0123456789":
                self._error(at + 1, f"expected pixels of {thing.name}, got {kept[at:].strip()!r}")
                break
            if len(row) == SIDE:
                self._warn(at + 1, f"expected {SIDE} pixels in a row")
                thing.odd = True
                break
            row += char
            if char != "." and int(char) >= most:
                self._error(at + 1, f"expected one of {most} colours of {thing.name}, got {char}")
            if len(row) == SIDE and len(thing.sprite) == SIDE - 1:
                self.stage = "name"
                self._further_names(kept, at + 1)
                break
        if row:
            thing.sprite.append(row)

    # names, sounds

    def _legend(self, kept: str) -> None:
        self.legend.read(self.number, _without_headings(kept))

    def _sounds(self, kept: str) -> None:
        text = _without_headings(kept)
        if text.strip():
            read_sound(self.source, self.number, text, {*self.source.objects, *self.legend.names})

    # collision layers

    def _collisionlayers(self, kept: str) -> None:
        layer: list[str] = []
        self.source.layers.append((self.number, layer))
        alone, named = False, set()
        for found in re.finditer(r"\w+|[^\w\s,]", _without_headings(kept)):
            name, column = found.group(), found.start() + 1
            if not WORD.fullmatch(name):
                self._error(column, f"expected names of objects, got {name!r}")
                continue
            if (name == "background" and layer) or (name != "background" and alone):
                self._error(column, "expected background in a layer by itself")
            alone = alone or name == "background"
            kind, members = self.source.first(name)
            if kind == "aggregate":
                self._error(column, f"expected objects of one layer, got {name!r}, which is several at once")
            elif not kind or (kind == "property" and name in self.source.unsettled):
                meant = self.source.faults.guess(name, [*self.source.objects, *self.legend.names])
                self._error(column, f"expected the name of an object, got {name!r}{meant}")
            if kind in ("object", "property"):
                if not self.layered.isdisjoint(members):
                    self._warn(
                        column, f"expected {name!r} in one layer, got it in several; the last one counts"
                    )
                layer += members
            if name in named:
                self._warn(column, f"expected {name!r} once in a layer, got it again")
            named.add(name)
        self.layered.update(layer)

    # rules, win conditions

    def _rules(self, kept: str) -> None:
        begin, text = _first_part(self.raw)
        strange = tuple(strange_words(kept, self.source.names))
        self.source.rules.append(RuleText(self.number, text, begin + 1, self.raw, strange))

    def _winconditions(self, kept: str) -> None:
        begin, text = _first_part(self.lower)
        read = re.finditer(r"\w+|\S.*", _without_headings(kept))
        found = tuple((word.group(), word.start() + 1) for word in read)
        self.source.wins.append(WinText(self.number, tuple(words(text, begin)), found))

    # levels

    def _message(self) -> None:
        at = self.lower.index("message")
        if re.match(r"\w", self.lower[at + 7 : at + 8]):
            self._warn(at + 8, "expected a blank after message")
        text = self.raw[at + 7 :].strip()
        if len(_SCREEN_LINE.findall(text)) > SCREEN_LINES:
            self._warn(at + 1, f"expected a message of at most {SCREEN_LINES} lines on the screen")
        self._add_level(Map(self.number, message=text))
        self.fresh = True

    def _add_level(self, level: Map) -> None:
        self.source.levels.append(level)
        if len(self.source.levels) > MOST_LEVELS:
            self._error(1, f"expected at most {MOST_LEVELS:,} levels and messages", fatal=True)

    def _levels(self, kept: str) -> None:
        begin = len(kept) - len(kept.lstrip())
        row = self.lower[begin:].split("(")[0].strip()
        if self.fresh:
            self._add_level(Map(self.number))
            self.fresh = False
        level = self.source.levels[-1]
        level.rows.append(row)
        level.columns.append(begin + 1)
        level.lines.append(self.number)
        if len(row) != len(level.rows[0]):
            self._warn(begin + 1, f"expected rows of {len(level.rows[0])} characters, got {len(row)}")
        for char in sorted(set(kept) - self.glyphs, key=kept.index):
            if not char.isspace():
                self._error(kept.index(char) + 1, f"expected characters of the legend, got {char!r}")
