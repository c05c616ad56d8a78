"""Sokoban collections in files: the XSB text that every program reads, and its sibling SOK."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from levelsmith.core import MALFORMED, Level, Parameters, Values
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.formats import lurd
from levelsmith.games.sokoban.formats.boards import FLOOR, SEPARATOR, is_board
from levelsmith.games.sokoban.formats.collection import read
from levelsmith.levels.formats.format import MAIN, Source, decode_text

GAME = "sokoban"
SHOWN_FLOOR = "-"  # where a blank would be lost


class XsbFormat:
    name = "xsb"
    summary = "Sokoban boards with titles, authors and solutions"
    extensions: tuple[str, ...] = (".xsb",)
    many = True
    names_game = True
    parameters: Parameters = ()

    def parse(self, data: bytes, source: Source) -> list[Level]:
        game = source.the_game(GAME)
        drafts = read(decode_text(_as_utf8(data), source), game, source)
        if not drafts:
            raise source.error(
                "expected at least one Sokoban board (rows of # $ . * @ + and spaces), got none"
            )
        if len(drafts) == 1 and drafts[0].wrong:
            raise source.error(drafts[0].wrong)
        return [
            source.level(
                game,
                draft.grid,
                draft.place,
                title=draft.title,
                author=draft.author,
                solution=draft.solution,
                provenance={MALFORMED: draft.wrong} if draft.wrong else {},
            )
            for draft in drafts
        ]

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        blocks = []
        for number, level in enumerate(levels, start=1):
            if level.game != GAME:
                raise LevelsmithError(
                    f"{self.name} holds levels of {GAME}, got one of {level.game}; write it as .txt or .json"
                )
            lines = _rows(level)
            for key in ("title", "author"):
                if getattr(level, key):
                    lines.append(f"{key.title()}: {getattr(level, key)}")
            if level.solution:
                lines += self.solution_lines(_moves(level.solution, number))
            blocks.append("\n".join(lines) + "\n")
        return {MAIN: "\n".join([*self.header(levels, stem), *blocks]).encode()}

    def header(self, levels: Sequence[Level], stem: str) -> list[str]:
        return []

    def solution_lines(self, moves: str) -> list[str]:
        return [f"Solution: {moves}"]


class SokFormat(XsbFormat):
    name = "sok"
    summary = "Sokoban boards as in the SOK format 0.19"
    extensions = (".sok",)

    def header(self, levels: Sequence[Level], stem: str) -> list[str]:
        return [f"Collection: {stem}\n"] if len(levels) > 1 else []

    def solution_lines(self, moves: str) -> list[str]:
        return ["", "Solution", moves]


def _as_utf8(data: bytes) -> bytes:
    """Old collections are in the Western code page; a zero byte stays, and says that it is no text."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace").encode()
    return data


def _rows(level: Level) -> list[str]:
    """Returns rows without the floor on their right, unless that would make the level narrower."""
    rows = [row.rstrip(FLOOR) or SHOWN_FLOOR for row in level.tiles.rows(level.grid)]
    width = level.size[1]
    if max(map(len, rows)) < width:
        rows[0] = rows[0].replace(SHOWN_FLOOR, FLOOR[0]).ljust(width - 1) + SHOWN_FLOOR
    return rows if is_board(rows) else [row + SEPARATOR for row in rows]


def _moves(solution: str, number: int) -> str:
    try:
        return lurd.moves(solution)
    except LevelsmithError as error:
        raise LevelsmithError(f"the solution of level {number}: {error}; write it as .json") from None


XSB = XsbFormat()
SOK = SokFormat()
