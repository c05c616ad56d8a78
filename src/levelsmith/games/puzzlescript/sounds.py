"""Reads the lines of the section SOUNDS, for their faults and for the names of what has a sound."""

from __future__ import annotations

import re
from collections.abc import Collection

from levelsmith.games.puzzlescript.source import EVENTS, VERBS, Source

_EVENTS = {*EVENTS, *(f"sfx{i}" for i in range(11))}
_DIRECTIONS = {"up", "down", "left", "right", "horizontal", "vertical", "orthogonal"}
_PART = re.compile(r"\w+|\S+")
_AFTER = "expected nothing after the number of a sound"


def read_sound(source: Source, line: int, text: str, known: Collection[str]) -> None:
    """Notes what has a sound by a line without its comments; `known` are the names of the source so far."""
    parts = [(part.group(), part.start() + 1) for part in _PART.finditer(text)]
    (first, column), rest = parts[0], parts[1:]
    faults, end = source.faults, len(text.rstrip()) + 1
    if first in _EVENTS:
        kind = "event"
    elif re.fullmatch(r"\w+", first):
        kind = "object"
        if first not in known:
            meant = faults.guess(first, [*_EVENTS, *known])
            faults.error(line, column, f"expected a sound event or an object, got {first!r}{meant}")
            return
    else:
        faults.warn(line, column, f"expected a sound event or an object, got {first!r}")
        return
    verb = ""
    if kind == "object" and rest:
        verb, at = rest[0]
        if verb not in VERBS:
            text = f"expected a verb such as move or create after the object, got {verb!r}"
            faults.error(line, at, text + faults.guess(verb, VERBS))
            return
        rest = rest[1:]
    while verb in ("move", "cantmove") and rest and rest[0][0] in _DIRECTIONS:
        rest = rest[1:]
    if rest and not rest[0][0].isdecimal():
        faults.error(line, rest[0][1], f"expected the number of a sound, got {rest[0][0]!r}")
        return
    if len(rest) > 1:
        faults.error(line, rest[1][1], f"{_AFTER}, got {rest[1][0]!r}")
        return
    if len(parts) == 1:
        faults.warn(line, end, f"expected the number of a sound after {first}")
    elif not rest:
        faults.error(line, end, "expected the number of a sound", compiling=True)
    if kind == "event" and rest and first in source.sounds:
        faults.warn(line, column, f"{first} has a sound already")
    if kind == "object" and verb and source.members(first)[0] == "aggregate":
        text = f"expected one object, got {first!r}, which is several at once"
        faults.error(line, column, text, compiling=True)
    source.sounds.add(first)
