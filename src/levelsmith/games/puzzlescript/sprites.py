"""Objects of PuzzleScript's dialects, written out as the original has them: five pixels by five, ten colours.

Sprites of any size, copies of others, and turned or moved ones become what they look like, only coarser. Text
and canvases become plain squares. None of that changes how a game plays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from levelsmith.games.puzzlescript.tags import CLOCKWISE, SIGNS, Tags, plain

SIDE = 5
MOST_COLOURS = 10
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_TRANSFORM = re.compile(r"\b(copy|rot|flip|shift|translate)\s*:\s*(\S+)")
_MIRROR = re.compile(r"(?<!\S)([-|])(?!\S)")  # beside another one
_DRAWN = re.compile(r"\b(?:text|scale|canvas|svg)\s*:.*")
_ROW = re.compile(r"[.\da-z]+")

Sprite = list[str]


@dataclass
class Block:
    """An object as it was typed."""

    line: int
    words: list[str]  # its names
    colours: list[str] | None = None
    sprite: Sprite = field(default_factory=list)
    transforms: list[tuple[str, str]] = field(default_factory=list)


def read_blocks(lines: list[tuple[int, str]]) -> Iterator[Block]:
    """Yields the objects of a section, whose lines have no comments."""
    block: Block | None = None
    for number, text in lines:
        line = text.strip()
        if not line:
            if block is not None:
                yield block
            block = None
        elif block is None or not _goes_on(block, number, line):
            if block is not None:
                yield block
            block = _begun(number, line)
    if block is not None:
        yield block


def _begun(number: int, line: str) -> Block:
    line = _DRAWN.sub("", line)
    block = Block(number, _TRANSFORM.sub(" ", line).split())
    _transform(block, line)
    return block


def _goes_on(block: Block, number: int, line: str) -> bool:
    """Adds a line to an object; returns whether it belongs to it."""
    if line.startswith("{") or _DRAWN.match(line):
        return True
    if block.colours is None and not _TRANSFORM.match(line):
        block.colours = [colour for word in line.split() if (colour := _colour(word))]
        return True
    if _TRANSFORM.match(line) or (block.transforms and _MIRROR.fullmatch(line)):
        _transform(block, line)
        return True
    row = "".join(line.split())
    known = set("." + DIGITS[: len(block.colours or [])])
    if _ROW.fullmatch(row) and set(row) <= known:
        block.sprite.append(row)
        return True
    return False


def _transform(block: Block, line: str) -> None:
    found = _TRANSFORM.findall(line)
    block.transforms += found
    if block.colours is not None:
        block.transforms += [("flip", mirror) for mirror in _MIRROR.findall(line)]


def _colour(word: str) -> str:
    """Returns a colour without its opacity."""
    found = re.fullmatch(r"(#[\da-f]{3})([\da-f])|(#[\da-f]{6})([\da-f]{2})", word)
    if found is None:
        return word
    alpha = found.group(2) or found.group(4)
    return "transparent" if not int(alpha, 16) else found.group(1) or found.group(3)


class Objects:
    """The objects of a source with tags, each written out."""

    def __init__(self, tags: Tags):
        self.tags = tags
        self.found: dict[str, Block] = {}
        self.made: set[str] = set()  # by tags, which may be declared again

    def add(self, block: Block) -> None:
        """Adds an object, or all that the tags of its name stand for."""
        name, *aliases = block.words
        names = self.tags.members(name)
        for n, one in enumerate(names):
            if one in self.found and one not in self.made and names != [name]:
                continue
            parts = zip(name.split(":"), one.split(":"), strict=True)
            new = self._shown(block, dict(parts), n)
            new.words = [one, *aliases] if names == [name] else [one]
            if not new.sprite and one in self.found:
                new.sprite = self.found[one].sprite
            self.found[one] = new
            if names != [name]:
                self.made.add(one)
            else:
                self.made.discard(one)

    def _shown(self, block: Block, chosen: dict[str, str], n: int) -> Block:
        sprite, colours = list(block.sprite), block.colours
        for kind, what in block.transforms:
            if kind == "copy":
                other = self.found.get(self.tags.put(what, chosen))
                sprite = list(other.sprite) if other else sprite
                colours = colours or (other.colours if other else None)
            elif sprite:
                ways = [self._way(word, chosen, n) for word in what.split(":")]
                sprite = _changed(sprite, kind, ways)
        return Block(block.line, [], colours, sprite)

    def _way(self, word: str, chosen: dict[str, str], n: int) -> str:
        word = self.tags.put(f":{word}", chosen)[1:]
        return CLOCKWISE[(SIGNS.index(word) - 1 + n) % 4] if word in SIGNS else word

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yields the objects as the original reads them."""
        for block in self.found.values():
            yield block.line, plain(" ".join(block.words))
            yield block.line, " ".join((block.colours or ["pink"])[:MOST_COLOURS])
            if block.sprite:
                yield from ((block.line, row) for row in _sampled(block.sprite, len(block.colours or [0])))
            yield block.line, ""


def _changed(sprite: Sprite, kind: str, ways: list[str]) -> Sprite:
    width = max(map(len, sprite))
    rows = [row.ljust(width, ".") for row in sprite]
    way = ways[0]
    if kind == "flip":
        upright = way in ("up", "down", "-", "horizontal")
        return rows[::-1] if upright else [row[::-1] for row in rows]
    if kind == "rot" and {*ways[:2]} <= {*CLOCKWISE} and len(ways) > 1:
        for _ in range((CLOCKWISE.index(ways[1]) - CLOCKWISE.index(way)) % 4):
            rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        return rows
    if kind in ("shift", "translate") and way in CLOCKWISE:
        by = int(ways[1]) if len(ways) > 1 and re.fullmatch(r"-?\d+", ways[1]) else 1
        return _moved(rows, way, by, kind == "shift")
    return rows


def _moved(rows: Sprite, way: str, by: int, around: bool) -> Sprite:
    """Returns a sprite moved by some pixels; what goes over an edge comes back, or is lost."""
    if way in ("up", "down"):
        columns = ["".join(column) for column in zip(*rows, strict=True)]
        new = _moved(columns, "left" if way == "up" else "right", by, around)
        return ["".join(row) for row in zip(*new, strict=True)]
    by = by if way == "right" else -by
    if around:
        by %= len(rows[0])
        return [row[len(row) - by :] + row[: len(row) - by] for row in rows]
    if by >= 0:
        return [("." * by + row)[: len(row)] for row in rows]
    return [(row + "." * -by)[-by:] for row in rows]


def _sampled(sprite: Sprite, colours: int) -> Iterator[str]:
    """Yields five rows of five pixels, those in the middle of as many parts of a sprite."""
    height, width, most = len(sprite), max(map(len, sprite)), min(colours, MOST_COLOURS)
    for y in range(SIDE):
        row = sprite[(2 * y + 1) * height // (2 * SIDE)].ljust(width, ".")
        pixels = (row[(2 * x + 1) * width // (2 * SIDE)] for x in range(SIDE))
        yield "".join("." if p == "." or DIGITS.index(p) >= most else p for p in pixels)
