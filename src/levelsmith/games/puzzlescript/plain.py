"""A PuzzleScript source as plain data for a page: its mistakes, and the game for the browser's interpreter,
which is its tables, its levels and its messages.

Words of 64 bits do not fit the numbers of JavaScript: a word of objects becomes two of 32 bits, and a word of
movements two of 30, which are six layers each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from levelsmith.games.puzzlescript.cells import SIDE, page_colour, pixels_of
from levelsmith.games.puzzlescript.compile import Program, compile_source
from levelsmith.games.puzzlescript.kernels.codes import (
    MOST_AGAIN,
    MOST_JUMPS,
    MOST_PASSES,
    MOST_ROUNDS,
    MOST_WORK,
    MOVE_BITS,
)
from levelsmith.games.puzzlescript.live import tick_seconds
from levelsmith.games.puzzlescript.tables import MOVE_SETS, Tables, Words
from levelsmith.games.puzzlescript.written import notes_above

MOST_NUMBERS = 4_000_000  # of the tables that a page is sent

LIMITS = {
    "passes": MOST_PASSES,
    "jumps": MOST_JUMPS,
    "rounds": MOST_ROUNDS,
    "again": MOST_AGAIN,
    "work": MOST_WORK,
}


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


def plain_program(program: Program) -> dict[str, Any]:
    """Returns all that a game is played by."""
    tables, levels = program.tables, []
    for level in program.levels:
        board = None if level.board is None else halves(level.board)
        levels.append({"height": level.height, "width": level.width, "board": board})
    sizes = {"words": 2 * tables.words, "move_words": 2 * tables.move_words, "limits": LIMITS}
    return {"tables": _plain(tables) | sizes, "levels": levels, "messages": program.messages}


def _plain(value: Any, name: str = "") -> Any:
    """Returns a table as columns of numbers, whole words cut in halves."""
    if isinstance(value, Tables | tuple):
        columns = vars(value) if isinstance(value, Tables) else value._asdict()  # type: ignore[attr-defined]
        return {name: _plain(column, name) for name, column in columns.items()}
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype != np.uint64:
        return value.tolist()
    return halves(value, MOVE_BITS // 2 if name in MOVE_SETS else 32)


def halves(words: Words, bits: int = 32) -> list[int]:
    """Returns words as numbers of so many bits, the lower half of each first."""
    low = words & np.uint64((1 << bits) - 1)
    found: list[int] = np.stack((low, words >> np.uint64(bits)), axis=-1).ravel().tolist()
    return found
