"""Lode Runner levels as two open programs that people play keep them: Total Recall and KGoldrunner.

A level that is smaller than their boards lies in the top left corner, with solid around it, and plays there
as it does here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Level, Parameter, Parameters, Values
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.levels.formats.format import MAIN, Place, Source, decode_text

GAME = "loderunner"
TILES = ("empty", "brick", "solid", "ladder", "rope", "gold", "enemy", "player", "trap", "escape")


@dataclass(frozen=True, slots=True)
class Board:
    """How a program writes a level: a character for each of `TILES`, and how large its board is."""

    program: str
    characters: str
    height: int
    width: int

    def rows(self, level: Level) -> list[str]:
        """Returns a level as rows of characters, with solid around it where it is smaller."""
        if level.game != GAME:
            raise LevelsmithError(f"{self.program} has levels of {GAME}, got one of {level.game}")
        height, width = level.size
        if height > self.height or width > self.width:
            raise LevelsmithError(
                f"{self.program} has boards of {self.width}x{self.height}, got a level of {width}x{height}"
            )
        characters = dict(zip(TILES, self.characters, strict=True))
        of = np.array([characters[name] for name in level.tiles.names])
        board: NDArray[np.str_] = np.full((self.height, self.width), characters["solid"])
        board[:height, :width] = of[level.grid]
        return ["".join(row) for row in board]

    def grid(self, rows: Sequence[str], source: Source, lines: Sequence[int]) -> Grid:
        """Returns rows of characters as the cells of a level."""
        game = source.the_game(GAME)
        kinds = {
            character: game.tiles.index_of(tile)
            for character, tile in zip(self.characters, TILES, strict=True)
        }
        for line, row in zip(lines, rows, strict=True):
            if len(row) != self.width:
                raise source.error(f"expected {self.width} cells on line {line}, got {len(row)}")
            if unknown := set(row) - set(kinds):
                wrong = min(unknown, key=row.index)
                raise source.error(
                    f"expected characters of {self.program} ({self.characters!r}), got {quoted(wrong)} "
                    f"on line {line}, cell {row.index(wrong) + 1}"
                )
        return np.array([[kinds[character] for character in row] for row in rows], np.uint8)


class TotalRecall:
    """The data of Lode Runner Total Recall: a JavaScript list with a text for each level."""

    name = "totalrecall"
    summary = "levels for Lode Runner Total Recall (--format totalrecall)"
    extensions = (".txt",)
    many = True
    names_game = True
    parameters: Parameters = (Parameter("variable", "levelsmithData", "what the list is called"),)
    board = Board("Total Recall", " #@H-$0&XS", 16, 28)
    _row = re.compile(r'^\s*"((?:[^"\\]|\\.)*)"\s*([+,]?)')
    _number = re.compile(r"Level \d+")  # the title of a level that has none
    _title = re.compile(r"^\s*//=*<<<\s*(.*?)\s*>>>=*\s*$")

    def parse(self, data: bytes, source: Source) -> list[Level]:
        found = [
            self._level(title, rows, lines, source)
            for title, rows, lines in self._texts(decode_text(data, source))
        ]
        if not found:
            raise source.error('expected levels as rows in quotes ("  ##H##" +), got none')
        return found

    def _texts(self, text: str) -> Iterator[tuple[str, list[str], list[int]]]:
        """Yields the title, the rows and their lines of each level."""
        title, rows, lines = "", [], []
        for number, line in enumerate(text.split("\n"), start=1):
            if named := self._title.match(line):
                title = "" if self._number.fullmatch(named[1]) else named[1]
            if row := self._row.match(line):
                rows.append(row[1])
                lines.append(number)
                if row[2] != "+":
                    yield title, rows, lines
                    title, rows, lines = "", [], []
        if rows:
            yield title, rows, lines

    def _level(self, title: str, rows: list[str], lines: list[int], source: Source) -> Level:
        if len(rows) != self.board.height:
            raise source.error(
                f"expected {self.board.height} rows of a level from line {lines[0]} on, got {len(rows)}"
            )
        cells = self.board.grid(rows, source, lines)
        return source.level(source.the_game(GAME), cells, Place(lines), title=title)

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        blocks = []
        for number, level in enumerate(levels, start=1):
            title = re.sub(r"\s+", " ", level.title or f"Level {number:03}").strip()
            rows = " +\n".join(f'"{row}"' for row in self.board.rows(level))
            blocks.append(f"//======<<< {title} >>>======\n\n{rows}")
        name = str(values.get("variable", "levelsmithData"))
        if not re.fullmatch(r"[A-Za-z_$][\w$]*", name, re.ASCII):
            raise LevelsmithError(f"expected a name of a variable in JavaScript, got {quoted(name)}")
        text = f"var {name} = [\n" + ",\n\n".join(blocks) + "\n];\n"
        return {MAIN: text.encode()}


class KGoldrunner:
    """A game file of KGoldrunner 3: a head, then each level on one line, with its name below it."""

    name = "kgoldrunner"
    summary = "levels for KGoldrunner, a game_NAME.txt (--format kgoldrunner)"
    extensions = (".txt",)
    many = True
    names_game = True
    parameters: Parameters = ()
    board = Board("KGoldrunner", " MXHTNERFZ", 20, 28)
    _begin = re.compile(r"^// L(\d{3})\s*$")
    _layout = re.compile(r"^//  (.*)$")
    _text = re.compile(r'^ i18n\((".*")\);\s*$')

    def parse(self, data: bytes, source: Source) -> list[Level]:
        lines = decode_text(data, source).split("\n")
        starts = [i for i, line in enumerate(lines) if self._begin.match(line)]
        if not starts:
            raise source.error("expected levels of KGoldrunner (a line such as // L001), got none")
        return [self._level(lines, start, source) for start in starts]

    def _level(self, lines: list[str], start: int, source: Source) -> Level:
        at = start + 1
        while at < len(lines) and lines[at].startswith("// ."):
            at += 1  # settings of a level: whether one digs while falling
        layout = self._layout.match(lines[at]) if at < len(lines) else None
        cells = self.board.height * self.board.width
        if layout is None or len(layout[1]) != cells:
            got = "none" if layout is None else f"{len(layout[1])}"
            raise source.error(f"expected a layout of {cells} cells on line {at + 1}, got {got}")
        width = self.board.width
        rows = [layout[1][i : i + width] for i in range(0, cells, width)]
        grid = self.board.grid(rows, source, [at + 1] * len(rows))
        named = self._text.match(lines[at + 1]) if at + 1 < len(lines) else None
        return source.level(
            source.the_game(GAME), grid, Place([at + 1]), title=_unquoted(named[1]) if named else ""
        )

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        if len(levels) > 999:
            raise LevelsmithError(f"KGoldrunner numbers levels from 1 to 999, got {len(levels):,}")
        prefix = re.sub(r"\W", "", stem.removeprefix("game_"), flags=re.ASCII) or "levels"
        lines = [f"// G{len(levels):03} T {prefix} T", "// .dwf false", f" i18n({json.dumps(stem)});"]
        for number, level in enumerate(levels, start=1):
            lines += [f"// L{number:03}", "//  " + "".join(self.board.rows(level))]
            if level.title:
                lines.append(f" i18n({json.dumps(level.title, ensure_ascii=False)});")
        return {MAIN: ("\n".join(lines) + "\n").encode()}


def _unquoted(text: str) -> str:
    """Returns what stands in quotes; nothing where that is not as JSON has it."""
    try:
        found = json.loads(text)
    except ValueError:
        return ""
    return found if isinstance(found, str) else ""


TOTAL_RECALL = TotalRecall()
KGOLDRUNNER = KGoldrunner()
