"""Finds the boards among the lines of a Sokoban collection, and the tiles of a board.

A line of tiles alone is a row. Words may be made of letters that stand for tiles too (`Bob`), so a row with
letters or run lengths must start and end with a wall or a box on a goal, as the SOK format has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from levelsmith.contracts import Game
from levelsmith.core import Grid, Tiles
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.games.sokoban.formats import rle
from levelsmith.levels.formats.format import Source, numbered_lines

SEPARATOR = "|"  # between rows on one line, or behind a row
FLOOR = " -_"
WALL = "#"
_PLAIN = re.compile(r"[#$.*@+ _-][#$.*@+ _|-]*")
_PACKED = re.compile(r"[#$.*@+ _|WbBopP0-9()-]+")
_STRANGE = re.compile(r"[^#$.*@+ _|WbBopP0-9()-]")
EDGES = tuple("#W*B")


class WrongRow(Exception):  # noqa: N818 - it becomes what is wrong with a level
    """A row that cannot be read, though its board can be told from the next."""


class BoardLines(NamedTuple):
    number: int  # of its first line
    lines: list[str]
    wrong: str = ""  # what is wrong with a row, where one is: a level of its own that is malformed

    def readable(self) -> BoardLines:
        """Returns the board with floor in place of what is no plain tile."""
        return self._replace(lines=[_readable(line) for line in self.lines])


class Text(NamedTuple):
    number: int
    line: str  # empty where a blank line stood


def pieces(text: str, source: Source) -> Iterator[BoardLines | Text]:
    """Yields the boards and the other lines, in order; blank lines in a row are one."""
    block: list[str] = []
    wrong = ""  # with a row of the block
    suspect: tuple[int, str] | None = None  # behind the block: a row but for a character, if a row follows
    number = 0
    for number, line in numbered_lines(text):
        line = line.rstrip()
        if "\t" in line and len(line) <= source.limits.side:
            line = line.expandtabs()
        framed, closed = line.lstrip().startswith(WALL), line.endswith(WALL)
        row = is_row(line)
        if row and suspect:
            wrong = wrong or _strange(*suspect)
            block.append(_readable(suspect[1]))
            suspect = None
        elif framed and closed and block and not row and not suspect:
            row, wrong, line = True, wrong or _strange(number, line), _readable(line)
        if row:
            block.append(line)
            if len(block) > source.limits.side:
                source.limits.check_side(len(block), max(map(len, block)), source.name)
            continue
        if framed and block and not suspect:
            suspect = number, line
            continue
        yield from _closed(number, block, wrong, suspect)
        block, wrong, suspect = [], "", (number, line) if framed and closed else None
        if suspect is None:
            yield Text(number, line)
    yield from _closed(number + 1, block, wrong, suspect)


def is_row(line: str) -> bool:
    if _PLAIN.fullmatch(line):
        return not line.isspace()
    if not _PACKED.fullmatch(line):
        return False
    first, last = line.lstrip(FLOOR + "0123456789(")[:1], line.rstrip(FLOOR + ")|")[-1:]
    return first in EDGES and last in EDGES


def is_board(lines: Sequence[str]) -> bool:
    """Tells whether rows are a board rather than an ornament such as `-----` or `***`."""
    found = set().union(*lines)
    player, box = not found.isdisjoint("@+pP"), not found.isdisjoint("$*bB")
    several = len(lines) > 1 or SEPARATOR in lines[0]
    walled = WALL in found and (several or player or box or not found.isdisjoint(".o"))
    return walled or (player and box) or all(line.endswith(SEPARATOR) for line in lines)


def _closed(
    number: int, block: list[str], wrong: str, suspect: tuple[int, str] | None
) -> Iterator[BoardLines | Text]:
    """Yields the rows above line `number` as a board, or as the text that they are, and what is behind
    them."""
    first = number - len(block) - (suspect is not None)
    if block and is_board(block):
        yield BoardLines(first, block, wrong)
    else:
        yield from (Text(first + i, line) for i, line in enumerate(block))
    if suspect is not None:
        yield Text(*suspect)


def _strange(number: int, line: str) -> str:
    """Tells what is wrong with a line that is a row but for a character."""
    strange = _STRANGE.search(line)
    if strange is None:
        return f"expected a row that ends with a wall, got {quoted(line)} on line {number}"
    return (
        "expected tiles (# wall, $ box, . goal, * box on goal, @ player, + player on goal, space floor), "
        f"got {quoted(strange[0])} on line {number}, column {strange.start() + 1}"
    )


def _readable(line: str) -> str:
    """Returns a row with floor in place of what is no tile; its level is malformed."""
    return re.sub(r"[^#$.*@+ _|-]", FLOOR[0], line)


def grid_of(board: BoardLines, game: Game, source: Source) -> Grid:
    """Returns the cells of a board `[H, W]`; sizes are checked before anything is unpacked."""
    rows: list[str] = []
    width = 1
    for number, line in enumerate(board.lines, start=board.number):
        source.limits.check_side(len(rows) + line.count(SEPARATOR), width, source.name)
        for row in line.removesuffix(SEPARATOR).split(SEPARATOR):
            width = max(width, len(row))
            source.limits.check_side(len(rows) + 1, width, source.name)
            rows.append(_unpacked(row, len(rows) + 1, number, source))
    width = max(map(len, rows))
    source.check_room(1, len(rows) * width)
    filled = "".join(row.ljust(width) for row in rows).encode("ascii")
    return np.frombuffer(filled.translate(_codes(game.tiles)), np.uint8).reshape(len(rows), width)


@lru_cache(maxsize=4)
def _codes(tiles: Tiles) -> bytes:
    """Returns the tile of each character, as `bytes.translate` takes it."""
    numbers = {**tiles.by_character, "W": tiles.by_character[WALL]}
    return bytes.maketrans("".join(numbers).encode("ascii"), bytes(numbers.values()))


def _unpacked(row: str, height: int, number: int, source: Source) -> str:
    if not rle.is_packed(row):
        return row
    try:
        width = rle.length(row)
    except LevelsmithError as error:
        raise WrongRow(f"{error} on line {number}") from None
    source.limits.check_side(height, width, source.name)
    return rle.unpack(row)
