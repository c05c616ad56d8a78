"""Sources of PuzzleScript Plus, Next and Pattern:Script, written out in the original language line by line.

What changes looks and menus alone is left out. A word that would change how a game plays, and that cannot be
said in the original, is told, and the source is not translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from levelsmith.games.puzzlescript.colours import COLOUR_NAMES
from levelsmith.games.puzzlescript.source import FLAGS, KEYWORDS, MODIFIERS, SECTIONS, VALUES
from levelsmith.games.puzzlescript.sprites import Objects, read_blocks
from levelsmith.games.puzzlescript.tags import COLON, Tags, names_in, plain
from levelsmith.games.puzzlescript.unfold import (
    FIRST,
    LINE,
    MOST_RADIUS,
    NEAR,
    NoEqualError,
    Subroutines,
    near_alone,
    near_rules,
)

Line = tuple[int, str]  # its number in the source, and text

MOST_LINES = 60_000  # that a source is written out as
ALL_SECTIONS: tuple[str, ...] = ("tags", "mappings", *SECTIONS)
# Settings that ask for what cannot be said in the original.
_MOUSE = {f"mouse_{word}" for word in ("clicks", "left", "right", "up", "drag", "rdrag", "rup")}
_HARD_IN_RULES = ("undo", "quit", "once")
_CLICKED = ("lclick", "rclick")
_TO_THE_END = re.compile(r"(?<!\S)(?:status|log)\b.*", re.I)
_SILENT = re.compile(r"(?<!\S)(?:nosave|afx\d+|sfx(?:1[1-9]|[2-9]\d))(?!\S)", re.I)
_TWIDDLES = re.compile(
    r"(?<!\S)(?:again_interval|key_repeat_interval|realtime_interval|smoothscreen|background_color|text_color"
    r"|color_palette|message_text_align|noundo|norestart)\b.*",
    re.I,
)
_LEAVES = re.compile(r"(?<!\S)(?:goto\b.*|link(?!\S))", re.I)  # a level, as a win does
_GLOBAL = re.compile(r"(?<![^\s+])global(?!\S)", re.I)
_CELL = re.compile(r"[^\[\]|]+")
_MESSAGE = re.compile(r"(?<![\w:])message\b", re.I)
_WORD = re.compile(r"(?<![\w#])\w+")
_TEXT = re.compile(r"\s*(?:message|section|level|title|goto|link)\b", re.I)
_CAPITALS = {ord("A") + n: 0xA4D0 + n for n in range(26)}  # letters that are neither capital nor small


@dataclass
class Translation:
    """A source in the original language, or the word that it cannot be said in."""

    lines: list[Line] = field(default_factory=list)
    missing: tuple[int, str] | None = None  # line, word


class MissingWordError(Exception):
    """A word of a dialect has no equal."""

    def __init__(self, line: int, word: str):
        super().__init__(word)
        self.line, self.word = line, word


def translated(text: str) -> Translation:
    """Returns a source in the original language."""
    try:
        lines = list(_Translator(text).lines())
    except MissingWordError as error:
        return Translation(missing=(error.line, error.word))
    return Translation(lines if len(lines) <= MOST_LINES else [])


def _once(cell: re.Match[str]) -> str:
    """Returns the text of a cell of a rule without names that are there twice, with the same word before."""
    if COLON not in cell.group():
        return cell.group()
    items = re.findall(rf"(?:(?:{'|'.join(map(re.escape, MODIFIERS))})\s+)*\S+", cell.group())
    return f" {' '.join(dict.fromkeys(items))} "


class _Translator:
    def __init__(self, text: str):
        self.sections: dict[str, list[Line]] = {name: [] for name in ("", *ALL_SECTIONS)}
        self.headings: dict[str, int] = {}
        self.slashes: bool | None = None  # whether comments begin with //
        self.depth = 0  # of comments in brackets
        section = ""
        for number, raw in enumerate(text.split("\n"), 1):
            line = self._without_comments(raw.rstrip("\r"), section)
            if line is None:
                continue
            heading = line.strip().lower()
            if heading in ALL_SECTIONS:
                section = heading
                self.headings.setdefault(section, number)
                if self.slashes is None:
                    self.slashes = False
            elif heading.startswith("=") and not (section == "levels" and heading.strip("=")):
                continue
            elif section == "objects" and self.slashes and ";" in line:
                self.sections[section] += [(number, part) for part in line.split(";") if part.strip()]
            else:
                self.sections[section].append((number, line))
        self.tags = Tags()
        self.objects = Objects(self.tags)

    def _without_comments(self, line: str, section: str) -> str | None:
        """Returns a line without its comments; None for one that holds nothing else."""
        free = self.depth == 0
        if free and section == "levels" and line.lstrip().lower().startswith("message"):
            return line
        if self.slashes is None and (found := re.search(r"(?:^|\s)//|\(", line)):
            self.slashes = found.group().strip() == "//"
        message = _MESSAGE.search(line) if section == "rules" and free else None
        before = line[: message.start()] if message else ""
        told = "->" in before and (self.slashes or before.count("(") == before.count(")"))
        end = len(before) if told else len(line)
        if self.slashes and free and not (section == "levels" and line.lstrip().startswith("(")):
            kept = re.split(r"(?:^|(?<=\s))//", line[:end])[0]
            kept = kept.replace("(", "\u2768").replace(")", "\u2769")
        else:
            kept = "".join(self._outside(line[:end]))
        kept += line[end:]
        return kept if kept.strip() or (free and not line.strip()) else None

    def _outside(self, line: str) -> Iterator[str]:
        for char in line:
            self.depth += char == "("
            if self.depth == 0:
                yield char
            self.depth -= char == ")" and self.depth > 0

    def lines(self) -> Iterator[Line]:
        """Yields the lines of the original language, section by section."""
        self.radius = 0
        settings = list(self._prelude())
        if self._has_setting("case_sensitive"):
            self._tell_capitals_apart()
        self._read_tags()
        subroutines = Subroutines(self.sections["rules"])
        try:
            self.sections["rules"] = list(subroutines.lines())
        except NoEqualError as error:
            raise MissingWordError(error.line, "gosub") from None
        self.marks = [*subroutines.marks, *([FIRST, LINE, NEAR] if self.radius else [])]
        yield from settings
        for section in SECTIONS:
            yield self.headings.get(section, 1), section
            yield from getattr(self, f"_{section}")(self.sections[section])

    def _prelude(self) -> Iterator[Line]:
        for number, line in self.sections[""]:
            key = (line.split() or [""])[0].lower()
            by_keys = key == "mouse_clicks" and self._has_keys()
            if key in ("nokeyboard", "load_images") or (key in _MOUSE and not by_keys):
                raise MissingWordError(number, key)
            if key == "local_radius":
                radius = (line.split()[1:] or [""])[0]
                if not radius.isdecimal() or not 0 < int(radius) <= MOST_RADIUS:
                    raise MissingWordError(number, key)
                self.radius = int(radius)
            if key == "color_palette":
                line = " ".join(line.split()[:2])
            if key in FLAGS or key in VALUES:
                yield number, line if key in VALUES else key

    def _has_setting(self, key: str) -> bool:
        return any((line.split() or [""])[0].lower() == key for _, line in self.sections[""])

    def _has_keys(self) -> bool:
        """Returns whether a rule asks for a movement of the player, which keys make where the mouse is not
        read."""
        names = {"player"}
        for _, line in self.sections["legend"]:
            name, _, members = line.lower().partition("=")
            names |= {*re.split(r"\s+or\s+", members.strip())} if name.strip() == "player" else set()
        called = "|".join(map(re.escape, names))
        moved = re.compile(rf"(?<!\S)(?:>|action|up|down|left|right)\s+(?:{called})(?!\S)")
        rules = (line.lower().partition("->")[0] for _, line in self.sections["rules"])
        return not self._has_setting("nokeyboard") and any(map(moved.search, rules))

    def _tell_capitals_apart(self) -> None:
        """Gives names, and characters of levels, that differ in their capitals alone different letters."""
        spellings: dict[str, set[str]] = {}
        for section in ("objects", "legend", "collisionlayers"):
            for _, line in self.sections[section]:
                for word in _WORD.findall(line):
                    spellings.setdefault(word.lower(), set()).add(word)
        several = {
            word
            for low, some in spellings.items()
            if len(some) > 1 and low not in COLOUR_NAMES
            for word in some
            if word not in KEYWORDS
        }

        def other(found: re.Match[str]) -> str:
            return found.group().translate(_CAPITALS) if found.group() in several else found.group()

        for section in ("objects", "legend", "collisionlayers", "rules", "winconditions"):
            self.sections[section] = [(n, _WORD.sub(other, line)) for n, line in self.sections[section]]
        typed = {code: other for code, other in _CAPITALS.items() if chr(code) in several}
        self.sections["levels"] = [
            (n, line if _TEXT.match(line) else line.translate(typed)) for n, line in self.sections["levels"]
        ]

    def _read_tags(self) -> None:
        for number, line in self.sections["tags"]:
            if line.strip() and not self.tags.declare(line.lower()):
                raise MissingWordError(number, line.split()[0])
        some = [(number, line.lower()) for number, line in self.sections["mappings"] if line.strip()]
        for (number, head), (_, body) in zip(some[::2], some[1::2], strict=False):
            if not self.tags.map(head, body):
                raise MissingWordError(number, head.split()[0])

    # the sections

    def _objects(self, lines: list[Line]) -> Iterator[Line]:
        for block in read_blocks([(number, line.lower()) for number, line in lines]):
            if block.words:
                self.objects.add(block)
        yield from self.objects.lines()
        for mark in self.marks:
            yield from ((self.headings.get("objects", 1), text) for text in (mark, "transparent", ""))

    def _legend(self, lines: list[Line]) -> Iterator[Line]:
        """Yields the legend, with each name that has tags as a name for what it stands for."""
        defined = {name.lower() for _, line in lines for name in names_in(line.partition("=")[0])}
        self.own = {line.partition("=")[0].strip().lower() for _, line in lines}
        wanted = dict.fromkeys(
            name
            for section in ("legend", "collisionlayers", "rules", "winconditions")
            for _, line in self.sections[section]
            for text in (self._written(section, line))
            for name in names_in(text)
        )
        self.known = set(self.objects.found)
        left = [name for name in wanted if name not in self.known and name not in defined]
        number = self.headings.get("legend", 1)
        for here, line in [(number, ""), *((n, text.lower()) for n, text in lines)]:
            if line.strip():
                yield here, plain(line)
                self.known.update(names_in(line.partition("=")[0]))
            for name in list(left):
                members = self.tags.members(name)
                there = [one for one in members if one in self.known]
                if members != [name] and there and len(there) == len(members):
                    yield number, plain(f"{name} = {' or '.join(there)}")
                    self.known.add(name)
                    left.remove(name)
        for name in left:  # of some of which there is no object
            there = [one for one in self.tags.members(name) if one in self.known and one != name]
            if there:
                yield number, plain(f"{name} = {' or '.join(there)}")

    def _written(self, section: str, line: str) -> list[str]:
        if section == "rules":
            return list(self._rule(line))
        return list(self._layers(line.lower())) if section == "collisionlayers" else [line.lower()]

    def _sounds(self, lines: list[Line]) -> Iterator[Line]:
        for number, line in lines:
            if re.match(r"\s*sfx(?:\d|10)\s", line, re.I) and ":" not in line:
                yield number, " ".join(line.split()[:2])

    def _collisionlayers(self, lines: list[Line]) -> Iterator[Line]:
        for number, line in lines:
            if not line.lstrip().startswith("--"):  # which parts groups of layers
                yield from ((number, plain(one)) for one in self._layers(line.lower()))
        yield from ((self.headings.get("collisionlayers", 1), mark) for mark in self.marks)

    def _layers(self, line: str) -> Iterator[str]:
        begin, arrow, names = line.partition("->")
        if (names if arrow else line).strip(" ,"):
            yield from self.tags.spread(begin.replace(",", " ").split(), names) if arrow else [line]

    def _rules(self, lines: list[Line]) -> Iterator[Line]:
        first = self.headings.get("rules", 1)
        for prefix in ("", "late ") if self.radius else ():
            yield first, f"{prefix}[ {NEAR} ] -> [ ]"
            yield from ((first, prefix + rule) for rule in near_rules(self.radius))
        for number, line in lines:
            for word in re.findall(r"\w+", self._told(line)[0].lower()):
                if word in _HARD_IN_RULES and word not in self.known | self.own:
                    raise MissingWordError(number, word)
            for n, one in enumerate(self._rule(line)):
                rule, message = self._told(one)
                if n and not rule.lstrip().startswith("+"):  # all are one group
                    prefix, bracket, rest = rule.partition("[")
                    rule = "+ " + re.sub(r"(?<!\S)random(?!\S)", "", prefix) + bracket + rest
                if self.radius and not _GLOBAL.search(line.partition("[")[0]):
                    rule = near_alone(rule)
                yield number, _CELL.sub(_once, plain(rule)) + message
        if self.radius:
            yield first, f"late [ {NEAR} ] -> [ ]"

    def _rule(self, line: str) -> Iterator[str]:
        """Yields the rules that one is written out as; none for one that only tells something."""
        if not line.strip():
            return
        body, message = self._told(line)
        rows, bracket, commands = body.rpartition("]")
        commands = _LEAVES.sub("win", _TWIDDLES.sub("", _TO_THE_END.sub("", commands)))
        body = _GLOBAL.sub("", rows + bracket + _SILENT.sub("", commands)).lower()
        left, arrow, right = body.partition("->")
        if arrow and not right.strip() and not message:
            return
        if not set(_CLICKED).isdisjoint(left.split()):
            return  # nobody clicks
        if "[" not in body:
            yield body + message
            return
        for one in self.tags.rules(body):
            yield one + message

    @staticmethod
    def _told(line: str) -> tuple[str, str]:
        """Returns a rule up to its message, and the message."""
        found = _MESSAGE.search(line, line.find("->") + 1) if "->" in line else None
        return (line, "") if found is None else (line[: found.start()], line[found.start() :])

    def _winconditions(self, lines: list[Line]) -> Iterator[Line]:
        for number, line in lines:
            yield number, plain(line.lower())

    def _levels(self, lines: list[Line]) -> Iterator[Line]:
        for number, line in lines:
            word = (line.split() or [""])[0].lower()
            yield number, "" if word in ("section", "level", "title", "goto", "link") else line
