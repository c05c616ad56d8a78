"""Names with tags, as PuzzleScript Next and Pattern:Script have them, written out in the original language.

`Crate:Color` stands for `Crate:red`, `Crate:blue` and so on, where `Color` is a tag. A mapping gives another
value for each value of a tag, and relative directions are mappings of the direction of a rule. A colon is
no letter of the original: a modifier letter that looks like one takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product

COLON = "\u02d0"
CLOCKWISE = ("up", "right", "down", "left")
SIGNS = ("^", ">", "v", "<")  # turned from the direction of a rule, as directions are clockwise from `right`
BOTH = {"horizontal": ("left", "right"), "vertical": ("up", "down")}
AROUND = {"up": "vertical", "down": "vertical", "left": "horizontal", "right": "horizontal"}
ACROSS = {"up": "horizontal", "down": "horizontal", "left": "vertical", "right": "vertical"}
RULE_WAYS = {**{way: (way,) for way in CLOCKWISE}, **BOTH, "orthogonal": ("up", "down", "left", "right")}
_NAME = re.compile(r"[^\s\[\]|,:]+(?::[^\s\[\]|,:]+)+")


class Tags:
    """The tags and mappings of a source, and the names that they make."""

    def __init__(self) -> None:
        self.values: dict[str, list[str]] = {
            "directions": list(CLOCKWISE),
            "horizontal": ["right", "left"],
            "vertical": ["up", "down"],
        }
        self.mappings: dict[str, tuple[str, dict[str, str]]] = {}

    def declare(self, line: str) -> bool:
        """Takes a line of the section TAGS; returns whether it is one."""
        name, sign, rest = line.partition("=")
        if not sign or not name.strip():
            return False
        found = [value for word in rest.split() for value in self.values.get(word, [word])]
        self.values[name.strip()] = found
        return True

    def map(self, head: str, body: str) -> bool:
        """Takes the two lines of a mapping; returns whether they are one."""
        begin, sign, name = head.partition("=>")
        left, arrow, right = body.partition("->")
        if not sign or not arrow:
            return False
        before, after = (self._flat(side.split()) for side in (left, right))
        if len(before) != len(after):
            before, after = left.split(), right.split()
        if len(before) != len(after):
            return False
        self.mappings[name.strip()] = begin.strip(), dict(zip(before, after, strict=True))
        return True

    def _flat(self, some: list[str]) -> list[str]:
        return [value for word in some for value in self.values.get(word, [word])]

    def choices(self, part: str) -> list[str]:
        """Returns what a part of a name may stand for; nothing for one that stands for itself."""
        if part in self.values:
            return self.values[part]
        found = list(self.mappings[part][1].values()) if part in self.mappings else []
        return list(dict.fromkeys(self._flat(found)))

    def members(self, name: str) -> list[str]:
        """Returns the names that one with tags stands for, or itself alone."""
        stem, *tail = name.split(":")
        some = product(*(self.choices(part) or [part] for part in tail))
        return list(dict.fromkeys(":".join((stem, *parts)) for parts in some))

    def put(self, name: str, chosen: Mapping[str, str]) -> str:
        """Returns a name with the values chosen for some tags, by mappings too."""
        stem, *tail = name.split(":")
        return ":".join((stem, *(self._value(part, chosen) for part in tail)))

    def _value(self, part: str, chosen: Mapping[str, str]) -> str:
        if part in chosen:
            return chosen[part]
        begin, values = self.mappings.get(part, ("", {}))
        return values.get(chosen[begin], part) if begin in chosen else part

    # rules

    def rules(self, line: str) -> Iterator[str]:
        """Yields the rules that one is written out as, each with its prefixes."""
        begin = line.find("[")
        words, body = line[:begin].split(), line[begin:]
        tags = [word for word in words if word in self.values and word not in RULE_WAYS]
        others = [word for word in words if word not in tags]
        for one in self.spread(tags, body):
            yield from self._directed(others, one)

    def spread(self, tags: Sequence[str], text: str) -> Iterator[str]:
        """Yields a text with each value of some tags in its names."""
        for values in product(*(self.values.get(tag, [tag]) for tag in tags)):
            yield replaced(text, partial(self.put, chosen=dict(zip(tags, values, strict=True))))

    def _directed(self, words: list[str], body: str) -> Iterator[str]:
        parts = {part for name in _NAME.findall(body) for part in name.split(":")[1:]}
        if not parts & {*SIGNS, "parallel", "perpendicular", "orthogonal"}:
            yield " ".join((*words, body))
            return
        ways = [way for word in words for way in RULE_WAYS.get(word, ())] or RULE_WAYS["orthogonal"]
        others = [word for word in words if word not in RULE_WAYS]
        for way in ways:
            turn = CLOCKWISE.index(way)
            chosen = {sign: CLOCKWISE[(turn + n - 1) % 4] for n, sign in enumerate(SIGNS)}
            chosen |= {"parallel": AROUND[way], "perpendicular": ACROSS[way], "orthogonal": "directions"}
            new = replaced(body, partial(self.put, chosen=chosen))
            for one in self._apart(new, [p for p in ("parallel", "perpendicular") if p in parts], way):
                yield " ".join((*others, way, one))

    def _apart(self, body: str, parts: list[str], way: str) -> Iterator[str]:
        """Yields a rule for each of the two directions that a part of its names stands for."""
        pairs = [AROUND[way] if part == "parallel" else ACROSS[way] for part in parts]
        for values in product(*(BOTH[pair] for pair in pairs)):
            chosen = dict(zip(pairs, values, strict=True))
            yield replaced(body, partial(self.put, chosen=chosen))


def replaced(text: str, new: Callable[[str], str]) -> str:
    """Returns a text with each name that has tags replaced."""
    return _NAME.sub(lambda found: new(found.group()), text)


def names_in(text: str) -> list[str]:
    """Returns the names with tags in a text."""
    return _NAME.findall(text)


def plain(text: str) -> str:
    """Returns a text with its names as the original reads them."""
    return replaced(text, lambda name: name.replace(":", COLON))
