"""The levels of a PuzzleScript file as text: the author's game as it was typed, with other levels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING

import numpy as np

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.games.puzzlescript.compile import compile_game, compile_source
from levelsmith.games.puzzlescript.notes import AFTER, BEFORE, notes_count

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.game import PuzzleGame

LEVELS = re.compile(r"\s*levels\s*", re.I)
NEEDS = re.compile(r"\s*\(\s*needs\s*:", re.I)
UNNAMED = re.compile(r"[()\r\n]")  # what would end a comment


def with_levels(game: PuzzleGame, levels: Sequence[Level]) -> str:
    """Returns the source of a game with these levels in place of its own; titles and solutions are comments
    above them.

    The messages of the author stay. Levels that have some of their own keep these; else those before the
    author's first level come before the first one here, and so on, and those of levels that have none in
    their place become comments. What the author says at the end is said at the end.
    """
    first = max(n for n, line in enumerate(game.lines) if LEVELS.fullmatch(line))
    head = game.lines[: first + 1]
    if first + 1 < len(game.lines) and re.fullmatch(r"\s*=+\s*", game.lines[first + 1]):
        head.append(game.lines[first + 1])
    author = [level.provenance for level in game.levels()]
    if any(BEFORE in level.provenance or AFTER in level.provenance for level in levels):
        before, left = [level.provenance.get(BEFORE, ()) for level in levels], []
    else:
        before = [told.get(BEFORE, ()) for told in author]
        left = [message for some in before[len(levels) :] for message in some]
    after = [told.get(AFTER, ()) for told in (*author[-1:], *(level.provenance for level in levels[-1:]))]
    blocks = []
    for level, messages in zip(levels, chain(before, repeat(())), strict=False):
        blocks += [*_messages(messages), _block(game, level)]
    begin = _slashes(game)
    blocks += [f"{begin}(message: {UNNAMED.sub(' ', message)})" for message in left] + [""] * bool(left)
    blocks += _messages(next(filter(None, reversed(after)), ()))
    text = "\n".join([*(line.rstrip("\r") for line in head), "", *blocks])
    boards = [level.board for level in compile_game(text).levels if level.board is not None]
    for level, board in zip(levels, boards, strict=True):
        if not np.array_equal(board, game.cells.board(level.grid)):
            raise LevelsmithError(f"the characters of {game.name} cannot tell some cells of a level apart")
    return _as_typed(game, text)


def added(game: PuzzleGame, levels: Sequence[Level]) -> str:
    """Returns the source of a game with these levels behind its own."""
    lines = [line.rstrip("\r") for line in game.lines]
    while lines and not lines[-1].strip():
        lines.pop()
    return _as_typed(game, "\n".join([*lines, "", *(_block(game, level) for level in levels)]))


def changed(game: PuzzleGame, number: int, level: Level) -> str:
    """Returns the source of a game with another level in place of one, from 0; all else stays."""
    lines, boards = [line.rstrip("\r") for line in game.lines], game.program.levels
    old = [one.line for one in boards if one.board is not None][number]
    rows = next(one.lines for one in game.program.source.levels if one.line == old)
    first = old - 1 - notes_count(game.lines, old)
    block = _block(game, level).rstrip("\n").split("\n")
    kept = [lines[n - 1] for n in range(old, rows[-1]) if n not in rows]
    needs = [line for line in lines[first : old - 1] if NEEDS.match(line)]  # which only the author knows
    text = "\n".join([*lines[:first], *needs, *block, *kept, *lines[rows[-1] :]])
    expected = [one.board for one in boards if one.board is not None]
    expected[number] = game.cells.board(level.grid)
    program = compile_source(text)[1]
    found = [one.board for one in program.levels if one.board is not None] if program else []
    if len(found) != len(expected) or not all(map(np.array_equal, found, expected)):
        raise LevelsmithError("the comments among its rows leave no place for the level; save it as a copy")
    return _as_typed(game, text)


def _as_typed(game: PuzzleGame, text: str) -> str:
    """Returns a text with its lines ended as those of the game are."""
    return text.replace("\n", "\r\n") if game.lines[0].endswith("\r") else text


def _messages(messages: Sequence[str]) -> list[str]:
    """Returns the lines that show messages."""
    return [line for message in messages for line in (f"message {message}", "")]


def _slashes(game: PuzzleGame) -> str:
    """Returns what a comment begins with where brackets are none, as in sources of PuzzleScript Next."""
    return "// " if any(line.lstrip().startswith("//") for line in game.lines) else ""


def _block(game: PuzzleGame, level: Level) -> str:
    begin = _slashes(game)
    notes = [
        f"{begin}({key}: {UNNAMED.sub(' ', str(told))})"
        for key, told in (("title", level.title), ("solution", level.solution))
        if told
    ]
    rows = ["".join(_character(game, int(tile)) for tile in row) for row in level.grid]
    return "\n".join([*notes, *rows, ""])


def _character(game: PuzzleGame, tile: int) -> str:
    """Returns a character of the legend that stands for a tile."""
    character = game.cells.characters.get(tile)
    if character is None:
        raise LevelsmithError(
            f"expected cells that {game.name} has a character for, got {quoted(game.tiles[tile].name)}; "
            "give it one in the section LEGEND"
        )
    return character
