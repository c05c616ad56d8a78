"""A PuzzleScript source as a page shows it: its mistakes, and the game that is played by its tables."""

from __future__ import annotations

from typing import Any

from levelsmith.games.puzzlescript.cells import SIDE, page_colour, pixels_of
from levelsmith.games.puzzlescript.compile import Program, compile_source
from levelsmith.games.puzzlescript.live import tick_seconds
from levelsmith.games.puzzlescript.notes import notes_above
from levelsmith.games.puzzlescript.plain import plain_program

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
