"""A PuzzleScript source as plain data for a page: its mistakes, and the game as it is played there.

The tables are those that the kernels take. Words of 64 bits do not fit the numbers of JavaScript: a word of
the objects of a board becomes two of 32 bits.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.compile import Program, compile_source
from levelsmith.games.puzzlescript.notes import AFTER, BEFORE, notes_above
from levelsmith.games.puzzlescript.pixels import SIDE, page_colour, pixels_of
from levelsmith.games.puzzlescript.random import SEED, Random
from levelsmith.games.puzzlescript.tables import Words
from levelsmith.games.puzzlescript.traits import conditions_of, letters_of, tick_seconds, why_not

if TYPE_CHECKING:
    from levelsmith.core import Level
    from levelsmith.games.puzzlescript.game import PuzzleGame

LOW = 2**32 - 1  # the lower half of a word
MOST_NUMBERS = 4_000_000  # of the tables that a page is sent


def explained(text: str) -> dict[str, Any]:
    """Returns all mistakes of a source, and the game as plain data; None where it cannot be played.

    What is only odd, and no error, is marked so and comes last.
    """
    source, program = compile_source(text)
    faults = [
        {"line": fault.line, "column": fault.column, "text": fault.text, "odd": odd}
        for odd, part in ((False, source.faults.told), (True, sorted(source.faults.warnings)))
        for fault in part
    ]
    if program is not None and (size := _numbers(program)) > MOST_NUMBERS:
        told = f"expected a game of at most {MOST_NUMBERS:,} numbers for a page, got {size:,}"
        faults, program = [{"line": 0, "column": 0, "text": told, "odd": False}], None
    return {"faults": faults, "game": None if program is None else _game(program, text.split("\n"))}


def plain_game(game: PuzzleGame, levels: Sequence[Level]) -> dict[str, Any]:
    """Returns a game with these levels as plain data; a game that is too large for a page is refused."""
    program = replace(game.program, levels=())
    if (size := _numbers(program)) > MOST_NUMBERS:
        raise LevelsmithError(f"expected a game of at most {MOST_NUMBERS:,} numbers for a page, got {size:,}")
    told, found = _game(program, game.lines), []
    for level in levels:
        height, width = level.size
        found += [_message(text) for text in level.provenance.get(BEFORE, ())]
        board = {"height": height, "width": width, "board": halves(game.cells.board(level.grid))}
        found.append({**_message(""), **board, "title": level.title, "solution": level.solution or ""})
    found += [_message(text) for text in (levels[-1].provenance.get(AFTER, ()) if levels else ())]
    return {**told, "program": {**told["program"], "levels": found}}


def _message(text: Any) -> dict[str, Any]:
    return {
        "height": 0,
        "width": 0,
        "board": None,
        "message": str(text),
        "line": 0,
        "title": "",
        "solution": "",
    }


def _numbers(program: Program) -> int:
    """Returns about how many numbers a game is, as plain data."""
    tables = program.tables
    boards = sum(level.height * level.width for level in program.levels)
    cell = 10 * tables.words + 12 * tables.move_words
    return len(tables.cells.changes) * cell + 2 * tables.words * (boards + tables.layers)


def _game(program: Program, lines: list[str]) -> dict[str, Any]:
    played, prelude, tables = plain_program(program), program.source.prelude, program.tables
    for level, found in zip(program.levels, played["levels"], strict=True):
        notes = notes_above(lines, level.line)
        found |= {"message": level.message, "line": level.line, "title": "", "solution": ""} | notes
    used = [n for n, name in enumerate(program.names) if name]
    none = [None] * SIDE * SIDE
    return {
        "title": prelude.get("title", ""),
        "author": prelude.get("author", ""),
        "program": played,
        "sprites": [
            [colour for row in pixels_of(program, n) for colour in row] if name else none
            for n, name in enumerate(program.names)
        ],
        "order": sorted(used, key=lambda n: (int(tables.layer_of[n]), n)),  # from back to front
        "page": page_colour(program),
        "rules": [
            {"line": line, "text": " ".join(lines[line - 1].split())}
            for line in sorted({int(line) for line in tables.rules.line})
        ],
        "seconds": tick_seconds(program) if tables.realtime else None,
    }


def plain_program(program: Program, seed: str = SEED) -> dict[str, Any]:
    """Returns all that a game is played by, with the random numbers of a seed and those of later levels."""
    tables, levels = program.tables, []
    for level in program.levels:
        board = None if level.board is None else halves(level.board)
        levels.append({"height": level.height, "width": level.width, "board": board})
    rights = {name: getattr(tables, name) for name in ("no_undo", "no_restart", "no_action", "realtime")}
    return {
        "rules": _plain(tables.interpreted),
        "levels": levels,
        "messages": program.messages,
        "names": program.names,
        "conditions": conditions_of(program),
        "random": _plain(Random(seed).begun()),
        "unseeded": _plain(Random("").begun()),
        "letters": letters_of(tables),
        "unsolvable": why_not(tables),
        **rights,
    }


def _plain(value: Any) -> Any:
    """Returns tables by name: of an array the shape, and its bytes in base 64."""
    if isinstance(value, tuple):
        return {name: _plain(column) for name, column in value._asdict().items()}  # type: ignore[attr-defined]
    if not isinstance(value, np.ndarray):
        return value
    data = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
    return {"shape": value.shape, "base64": b64encode(data.tobytes()).decode()}


def halves(words: Words) -> list[int]:
    """Returns words in halves, the lower one of each first."""
    return [half for word in words.ravel().tolist() for half in (word & LOW, word >> 32)]
