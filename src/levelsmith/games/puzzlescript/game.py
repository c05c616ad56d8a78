"""A PuzzleScript game as a game of levelsmith: its levels are read, drawn, measured, played and replayed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game
from levelsmith.core import Cancel, Effort, Grid, Level, Size, Verdict
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.games.puzzlescript.cells import CellSets
from levelsmith.games.puzzlescript.compile import Program, PuzzleLevel, compile_game
from levelsmith.games.puzzlescript.kernels.codes import ALL, ENDS, NO, START, WON
from levelsmith.games.puzzlescript.live import AFTER, BEFORE, KEYS, LivePuzzle
from levelsmith.games.puzzlescript.notes import notes_above
from levelsmith.games.puzzlescript.tables import as_int
from levelsmith.levels.look import Look

if TYPE_CHECKING:
    from levelsmith.arena import Arena
    from levelsmith.games.puzzlescript.engine import Kept, Kernel
    from levelsmith.games.puzzlescript.session import Session

SEED = "1"  # of random numbers, where a level begins
NO_KEY = -1


class Position(NamedTuple):
    """A level in play."""

    kept: Kept
    won: bool
    height: int
    width: int


class PuzzleGame(Game):
    """One game, from its source.

    Args:
        name: what it is called for: its path, or `puzzlescript:NAME`.
        text: the source.
    """

    takes = frozenset[str]()
    defaults: Mapping[str, str] = {}
    smallest: Size = (1, 1)
    largest: Size = (1000, 1000)
    solution_columns = ("moves",)
    fewest = "moves"

    seed = SEED

    def __init__(self, name: str, text: str):
        program = compile_game(text)
        self.name = name
        self._last: tuple[Size, Kernel] | None = None  # the engine used last, for boards of a size
        self.lines = text.split("\n")
        typed = "".join(row for level in program.source.levels for row in self._typed(level.lines))
        self.cells = CellSets(program, typed)
        self.tiles = self.cells.tiles
        prelude = program.source.prelude
        self.title, self.author = prelude.get("title", ""), prelude.get("author", "")
        by = f" by {self.author}" if self.author else ""
        self.summary = f"{self.title or 'a PuzzleScript game'}{by}"
        self.letters = "lrud" + "x" * (not program.tables.no_action) + "." * program.tables.realtime
        sizes = [(level.height, level.width) for level in program.levels if level.board is not None]
        self.default_size = sizes[0] if sizes else (5, 5)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, "\n".join(self.lines))

    @property
    def program(self) -> Program:
        return self.cells.program

    # levels

    def levels(self) -> list[Level]:
        """Returns the levels of the file in order; messages belong to the level that they come before."""
        found: list[Level] = []
        messages: list[str] = []
        for level in self.program.levels:
            if level.board is None:
                messages.append(level.message)
                continue
            grid = self.cells.grid(level.board, level.height, level.width)
            notes, told = notes_above(self.lines, level.line), {BEFORE: messages} if messages else {}
            found.append(Level(self.name, self.tiles, grid, author=self.author, provenance=told, **notes))
            messages = []
        if found and messages:
            found[-1] = replace(found[-1], provenance={**found[-1].provenance, AFTER: messages})
        return found

    @cached_property
    def example(self) -> tuple[str, str] | None:  # type: ignore[override]
        """The first level with a solution above it, as text, and that solution."""
        told = next((level for level in self.levels() if level.solution), None)
        return None if told is None else (told.text, str(told.solution))

    def _typed(self, lines: list[int]) -> list[str]:
        return [self.lines[line - 1] for line in lines]

    # metrics

    @cached_property
    def counted(self) -> dict[str, int]:
        """The objects of which the levels have any, but for grounds: their numbers by name."""
        kinds = self.cells.sets[: self.tiles.kinds]
        there = [i for i, name in enumerate(self.program.names) if name and not self.cells.grounds >> i & 1]
        return {self.program.names[i]: i for i in there if any(found >> i & 1 for found in kinds)}

    @property
    def metrics(self) -> Mapping[str, str]:
        own = {"unmet": "cells that the win conditions still wait for"}
        return own | {name: f"cells with {name}" for name in self.counted if name not in own}

    def measure(self, grids: Grid) -> NDArray[np.float64]:
        counts = np.stack([(grids == i).sum(axis=(1, 2)) for i in range(len(self.tiles))], axis=1)
        columns = [self._unmet(counts.astype(np.float64))]
        for name in list(self.metrics)[1:]:
            holds = [found >> self.counted[name] & 1 for found in self.cells.sets]
            columns.append(counts @ np.array(holds, np.float64))
        return np.stack(columns, axis=1)

    def _unmet(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns how many cells are against a condition; one where something is to be found and is not."""
        wins, waiting = self.program.tables.wins, np.zeros(len(counts))
        for c, kind in enumerate(wins.kind.tolist()):
            what, where = as_int(wins.what[c]), as_int(wins.where[c])
            is_what = np.array([_has(found, what, bool(wins.what_all[c])) for found in self.cells.sets])
            there = np.array([_has(found, where, bool(wins.where_all[c])) for found in self.cells.sets])
            there |= bool(wins.anywhere[c])
            if kind == ALL:
                waiting += counts @ (is_what & ~there)
            else:
                found = counts @ (is_what & there)
                waiting += found if kind == NO else found == 0
        return waiting

    def check(self, level: Level) -> None:
        """Every grid of its tiles is a level."""

    def check_start(self, level: Level) -> None:
        if not any(self.cells.is_player(self.cells.sets[i]) for i in np.unique(level.grid)):
            raise LevelsmithError(f"expected a player in the level of {self.name}, got none")

    def compiled(self, size: Size) -> Any:
        return None

    @cached_property
    def _look(self) -> Look:
        from levelsmith.games.puzzlescript.look import look_of

        return look_of(self.cells)

    def look(self) -> Look:
        return self._look

    # play

    def session(self, level: Level, engine: Any = None) -> Session:
        """Returns a session on one level alone, by a given engine or the one that answers sooner."""
        from levelsmith.games.puzzlescript.engine import soonest
        from levelsmith.games.puzzlescript.session import Session

        height, width = level.size
        alone = PuzzleLevel(0, height, width, self.cells.board(level.grid))
        engine = engine or soonest(self.program.tables)
        return Session(replace(self.program, levels=(alone,)), engine)

    def shown(self, session: Session) -> Grid:
        """Returns the board of a session as a grid."""
        level = session.program.levels[0]
        return self.cells.grid(session.engine.board(), level.height, level.width)

    def live(self, level: Level, speed: float) -> LivePuzzle:
        """Returns a game on a level for one person; of a game in real time so many times as fast."""
        return LivePuzzle(self, level, speed)

    def begun(self, grid: Grid) -> Position:
        return Position(self.engine_at(grid).kept(), False, *grid.shape)

    def engine_at(self, grid: Grid) -> Kernel:
        """Returns the engine at the start of a level; the next call takes it for another."""
        engine = self._engine(grid.shape[0], grid.shape[1])
        engine.load(self.cells.board(grid), SEED)
        engine.on_win = ENDS
        if self.program.tables.start_turn:
            engine.play([NO_KEY], START)
        return engine

    def solve(
        self,
        level: Level,
        effort: Effort,
        *,
        any: bool = False,
        moves: bool = False,
        cancel: Cancel | None = None,
    ) -> Verdict:
        from levelsmith.games.puzzlescript.solve import solve

        return solve(self, level, effort, any, moves, cancel)

    def moved(self, position: Position, letter: str) -> Position | None:
        """Returns the position after a key and all again-turns; None where nothing comes of it."""
        engine, before = self._engine(position.height, position.width), position.kept
        engine.go_back(before)
        engine.on_win = ENDS
        key = KEYS[letter]
        won = bool(engine.play([key if isinstance(key, int) else NO_KEY])[0] & WON)
        after = engine.kept()
        same = all(np.array_equal(before[i], after[i]) for i in range(len(after)))
        return None if same and not won else position._replace(kept=after, won=won)

    def position(self, kept: Kept, won: bool, size: Size) -> Position:
        """Returns a board between two turns as a position."""
        return Position(kept, won, *size)

    @cached_property
    def arena(self) -> type[Arena]:
        """What agents meet its levels in."""
        from levelsmith.games.puzzlescript.arena import arena_of_game

        return arena_of_game(self)

    def is_solved(self, position: Position) -> bool:
        return position.won

    def drawn(self, position: Position) -> Grid:
        return self.cells.grid(position.kept.board, position.height, position.width)

    def _engine(self, height: int, width: int) -> Kernel:
        """Returns an engine for boards of a size; the last one is kept."""
        from levelsmith.games.puzzlescript.engine import Kernel

        if self._last is None or self._last[0] != (height, width):
            self._last = (height, width), Kernel(self.program.tables, height, width)
        return self._last[1]

    def verify(self, level: Level, engine: Any = None) -> None:
        """Raises LevelsmithError where the keys of the level's solution do not win it with the last one."""
        keys, session = self._keys(level), self.session(level, engine)
        for number, key in enumerate(keys, start=1):
            session.press(key)
            if session.won and number < len(keys):
                raise LevelsmithError(f"expected the last of {len(keys)} keys to win, got a win by {number}")
        if not session.won:
            raise LevelsmithError(f"expected keys that win the level, got {len(keys)} that do not")

    def frames(self, level: Level) -> Iterator[Grid]:
        session = self.session(level)
        yield level.grid  # as it is drawn, before rules of its start
        for key in self._keys(level):
            session.press(key)
            yield self.shown(session)

    def _keys(self, level: Level) -> list[int | str]:
        letters = level.solution or ""
        odd = next((letter for letter in letters if letter not in self.letters), None)
        if odd is not None:
            raise LevelsmithError(f"expected keys of {quoted(self.letters)} in a solution, got {quoted(odd)}")
        return [KEYS[letter] for letter in letters]


def _has(found: int, members: int, together: bool) -> bool:
    return found & members == members if together else bool(found & members)
