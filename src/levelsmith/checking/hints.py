"""Hint tables: the best move in each state near a level's solution, for games that cannot solve as they run.

A state is known by 32 bits of its rows (FNV-1a over the symbols of its cells, rows joined by line feeds), so
a reader needs no rules: `readers/` has one of thirty lines for Python, JavaScript and GDScript. An entry is
the number, most significant byte first, and a byte: which move is best, or LOST where nobody can win.
A table has its entries in order. Of a level that is `complete` all states are in it; of others, those nearest
to the solution, and what is not in it is not known.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from levelsmith.checking.examine import WINNABLE, WON
from levelsmith.checking.run import Checked
from levelsmith.contracts import Found
from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError
from levelsmith.files import write_files
from levelsmith.registry import games

LOST, NO_MOVE = 255, 254  # in place of a move: nobody can win, or it is won
PRIME, OFFSET, WORD = 16_777_619, 2_166_136_261, 0xFFFFFFFF
FORMAT, VERSION = "levelsmith hints", 1
STATES = 20_000  # of a level that are looked at
SEEDS = 1_000  # that are tried until no two states of a level have one number


@runtime_checkable
class ByMoves(Protocol):
    """A game whose positions can be gone through move by move."""

    letters: str

    def begun(self, grid: Grid) -> Any: ...

    def moved(self, position: Any, letter: str) -> Any: ...

    def is_solved(self, position: Any) -> bool: ...

    def drawn(self, position: Any) -> Grid: ...


@dataclass(frozen=True)
class Hints:
    """The table of one level."""

    seed: int
    complete: bool  # all states are in it
    best: dict[str, int]  # by the rows of a state: the number of the best move, LOST or NO_MOVE

    @property
    def packed(self) -> bytes:
        entries = sorted((number_of(rows, self.seed), move) for rows, move in self.best.items())
        return b"".join(number.to_bytes(4, "big") + bytes([move]) for number, move in entries)


def number_of(rows: str, seed: int) -> int:
    """Returns the 32 bits by which a state is known."""
    number = OFFSET ^ seed
    for byte in rows.encode():
        number = ((number ^ byte) * PRIME) & WORD
    return number


def hints_of(level: Level, solution: str, states: int = STATES) -> Hints:
    """Returns the table of a level that is won by a solution: its states, those nearest to the solution
    first, and in each the move from which the fewest moves win."""
    game: Any = games.get(level.game)
    start = game.begun(level.grid.copy())
    found = {_rows(game, level, start): start}
    front = [start]
    for letter in solution:  # states on the way come first
        after = game.moved(front[-1], letter.lower())
        if after is None:
            break
        found.setdefault(_rows(game, level, after), after)
        front.append(after)
    leads: dict[str, list[str | None]] = {}
    queue, complete = list(found), True
    for rows in queue:
        position = found[rows]
        if game.is_solved(position):
            leads[rows] = []
            continue
        leads[rows] = []
        for letter in game.letters:
            after = game.moved(position, letter)
            there = None if after is None else _rows(game, level, after)
            if there is not None and there not in found:
                if len(found) >= states:
                    complete, there = False, None
                else:
                    found[there] = after
                    queue.append(there)
            leads[rows].append(there)
    best = _best(game, found, leads)
    if complete:
        best |= {rows: LOST for rows in found if rows not in best}
    _check(game, level, start, best)
    return Hints(_seed(best), complete, best)


def _check(game: Any, level: Level, position: Any, best: dict[str, int]) -> None:
    """Refuses a table that does not win from the start, as where two states look alike."""
    for _ in range(len(best)):
        move = best.get(_rows(game, level, position), LOST)
        if move >= NO_MOVE:
            break
        position = game.moved(position, game.letters[move])
    if not game.is_solved(position):
        raise LevelsmithError(f"states of {game.name} cannot be told apart by their cells: no hint table")


def _rows(game: Any, level: Level, position: Any) -> str:
    return "\n".join(level.tiles.rows(game.drawn(position)))


def _best(game: Any, found: dict[str, Any], leads: dict[str, list[str | None]]) -> dict[str, int]:
    """Returns the best move of each state from which a win is among the states, by going back from wins."""
    before: dict[str, list[tuple[str, int]]] = {}
    for rows, there in leads.items():
        for move, after in enumerate(there):
            if after is not None:
                before.setdefault(after, []).append((rows, move))
    best = {rows: NO_MOVE for rows in leads if game.is_solved(found[rows])}
    front = list(best)
    while front:
        following = []
        for rows in front:
            for earlier, move in before.get(rows, ()):
                if earlier not in best:
                    best[earlier] = move
                    following.append(earlier)
        front = following
    return best


def _seed(states: Sequence[str] | dict[str, int]) -> int:
    """Returns a seed under which no two states have one number."""
    for seed in range(SEEDS):
        if len({number_of(rows, seed) for rows in states}) == len(states):
            return seed
    raise LevelsmithError(f"expected fewer states than {len(states)} for a table of hints")


def write_hints(checked: Checked, output: str, states: int = STATES) -> list[Found]:
    """Writes the hint tables of all levels that can be won; returns what is said of each level."""
    told, tables = [], []
    for each in checked.all():
        verdict, level = each.verdict or {}, each.placed.level
        game = games.get(level.game)
        if verdict.get("status") not in (WON, WINNABLE):
            told.append(Found(each.placed.name, "left out: no solution is known"))
            continue
        if not isinstance(game, ByMoves):
            raise LevelsmithError(f"{game.name} is not played move by move, so it has no hint tables")
        hints = hints_of(level, verdict["solution"], states)
        size = len(hints.packed)
        tables.append(
            {
                "name": each.placed.name,
                "title": level.title,
                "letters": game.letters,
                "states": len(hints.best),
                "complete": hints.complete,
                "seed": hints.seed,
                "table": b64encode(hints.packed).decode(),
            }
        )
        whole = "all" if hints.complete else "the nearest"
        told.append(Found(each.placed.name, f"{len(hints.best):,} states ({whole}), {size:,} bytes"))
    if not tables:
        raise LevelsmithError("expected at least one level that can be won, got none")
    document = {"format": FORMAT, "version": VERSION, "levels": tables}
    write_files({Path(output): (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()})
    return told
