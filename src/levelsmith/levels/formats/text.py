"""Levels as plain text: a character a cell, a blank line between levels, comments behind semicolons.

`; game: binary`, `; title: …`, `; author: …` and `; solution: …` are read back; `; minimum: …`, `; needs: …`
and `; difficulty: …` are for `levelsmith check`. Any other comment before a level is taken as its title, as
most Sokoban collections have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from levelsmith.contracts import Game
from levelsmith.core import Grid, Level, Parameters, Tiles, Values
from levelsmith.errors import LevelsmithError, listed, printable, quoted
from levelsmith.levels.formats.format import (
    BYTES_A_LINE,
    MAIN,
    Place,
    Source,
    decode_text,
    numbered_lines,
)
from levelsmith.levels.notes import NOTES
from levelsmith.registry import games

COMMENT = ";"
KEYS = ("game", "title", "author", "solution")


def parse(text: str, game: str) -> Level:
    """Returns one level from rows of symbols.

    >>> import levelsmith
    >>> levelsmith.parse("#.#\\n#..", game="binary").size
    (2, 3)
    """
    if not isinstance(text, str):
        raise LevelsmithError(f"expected a level as rows of symbols, got {quoted(text)}")
    source = Source("text", games.get(game))
    return source.level(source.the_game(), cells(text.strip("\n").split("\n"), source.the_game(), source))


def cells(rows: Sequence[str], game: Game, source: Source, first_line: int = 1) -> Grid:
    """Returns rows of symbols as a grid; what is wrong is named with its line and column."""
    tiles = game.tiles
    width = max(map(len, rows), default=0)
    if width == 0:
        raise source.error(f"expected rows of {game.name} tiles ({_legend(tiles)}), got an empty level")
    source.limits.check_side(len(rows), width, source.name)
    grid = np.zeros((len(rows), width), np.uint8)
    for i, row in enumerate(rows):
        if len(row) < width:
            if tiles.blank is None:
                raise source.error(
                    f"expected rows of equal length, got {len(row)} cells on line {first_line + i} "
                    f"where the longest has {width}"
                )
            grid[i, len(row) :] = tiles.blank
        try:
            grid[i, : len(row)] = [tiles.by_character[c] for c in row]
        except KeyError as error:
            character = error.args[0]
            raise source.error(
                f"expected tiles of {game.name} ({_legend(tiles)}), got {quoted(character)} "
                f"on line {first_line + i}, column {row.index(character) + 1}"
            ) from None
    return grid


def _legend(tiles: Tiles) -> str:
    return listed(f"{tile.symbol if tile.symbol != ' ' else 'space'} {tile.name}" for tile in tiles)


class _Draft(NamedTuple):
    """The lines of a level."""

    number: int  # of the first row's line
    rows: list[str]
    game: Game
    comments: list[str]


def _drafts(text: str, source: Source) -> Iterator[_Draft]:
    """Yields the levels as lines; a comment before a level or right behind it belongs to it."""
    draft: _Draft | None = None
    comments: list[str] = []
    named: str | None = None
    game = source.game
    others = 0
    for number, line in numbered_lines(text):
        if line.startswith(COMMENT) and (game is None or COMMENT not in game.tiles.by_character):
            others += 1
            if others > source.limits.bytes // BYTES_A_LINE:
                raise source.error("expected levels with a few comments, got a file made of comments")
            comments.append(line[1:].strip())
            key, _, value = comments[-1].partition(":")
            if key == "game" and draft is None:
                named = value.strip()
                game = source.the_game(named)
        elif line.strip():
            draft = draft or _Draft(number, [], source.the_game(named), comments)
            draft.rows.append(line)
            if len(draft.rows) > source.limits.side:
                source.limits.check_side(len(draft.rows), max(map(len, draft.rows)), source.name)
            continue
        if draft is not None:
            yield draft
            draft, comments = None, []
    if draft is not None:
        yield draft


class TextFormat:
    name = "text"
    summary = "plain text, a character a cell, many levels a file"
    extensions = (".txt",)
    many = True
    names_game = True
    parameters: Parameters = ()

    def parse(self, data: bytes, source: Source) -> list[Level]:
        drafts: list[_Draft] = []
        total = 0
        for draft in _drafts(decode_text(data, source), source):
            total += len(draft.rows) * max(map(len, draft.rows))
            source.check_room(len(drafts) + 1, total)  # too much is refused before a level is made
            drafts.append(draft)
        if not drafts:
            raise source.error("expected at least one level, got none")
        return [
            source.level(
                game,
                cells(rows, game, source, number),
                Place(range(number, number + len(rows))),
                **_fields(comments),
            )
            for number, rows, game, comments in drafts
        ]

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        blocks = []
        previous = None
        for level in levels:
            commented = COMMENT not in level.tiles.by_character
            lines = []
            if commented:
                if level.game != previous:
                    lines.append(f"; game: {level.game}")
                for key in ("title", "author", "solution"):
                    if getattr(level, key):
                        lines.append(f"; {key}: {getattr(level, key)}")
            previous = level.game
            lines += [_visible(row, level.tiles) for row in level.tiles.rows(level.grid)]
            blocks.append("\n".join(lines) + "\n")
        return {MAIN: "\n".join(blocks).encode()}


def _fields(comments: Sequence[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for comment in comments:
        key, _, value = comment.partition(":")
        if key in KEYS[1:]:
            fields[key] = value.strip()
        elif key not in ("game", *NOTES) and comment:
            fields["title"] = printable(comment)
    return fields


def _visible(row: str, tiles: Tiles) -> str:
    """Returns a row that would read as a blank line, in other characters for the same tiles."""
    if row.strip() and not row.startswith(COMMENT):
        return row
    blank = tiles[tiles.by_character[row[0]]]
    if not blank.aliases.strip():
        raise LevelsmithError(f"a row of {blank.name} alone would read as a blank line; write .json")
    return blank.aliases.strip()[0] * len(row)


FORMAT = TextFormat()
