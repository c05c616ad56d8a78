"""A game as plain data, for the interpreter in the browser: its tables, its levels and its messages.

Words of 64 bits do not fit the numbers of JavaScript: a word of objects becomes two of 32 bits, and a word of
movements two of 30, which are six layers each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from levelsmith.games.puzzlescript.compile import Program
from levelsmith.games.puzzlescript.kernels.codes import (
    MOST_AGAIN,
    MOST_JUMPS,
    MOST_PASSES,
    MOST_ROUNDS,
    MOST_WORK,
    MOVE_BITS,
)
from levelsmith.games.puzzlescript.tables import MOVE_SETS, Tables, Words

LIMITS = {
    "passes": MOST_PASSES,
    "jumps": MOST_JUMPS,
    "rounds": MOST_ROUNDS,
    "again": MOST_AGAIN,
    "work": MOST_WORK,
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
