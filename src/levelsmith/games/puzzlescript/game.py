"""A PuzzleScript game as a game of levelsmith: its levels are read, drawn, measured, played and replayed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Found, Game, Inspected, Mask, Range
from levelsmith.core import UNSURE, Aim, Cancel, Effort, Grid, Level, Objective, Size, Verdict
from levelsmith.errors import LevelsmithError, amount, listed, quoted
from levelsmith.games.puzzlescript import written
from levelsmith.games.puzzlescript.cells import CellSets
from levelsmith.games.puzzlescript.compile import Program, PuzzleLevel, compile_game
from levelsmith.games.puzzlescript.kernels.codes import ALL, ENDS, NO, START, WON
from levelsmith.games.puzzlescript.live import (
    KEYS,
    LEAST_KEYS,
    NO_KEY,
    LivePuzzle,
    number_of,
)
from levelsmith.games.puzzlescript.metrics import BY_SOLUTION, OBJECTIVES, told_by
from levelsmith.games.puzzlescript.notes import AFTER, BEFORE, notes_above
from levelsmith.games.puzzlescript.random import SEED
from levelsmith.games.puzzlescript.tables import as_int
from levelsmith.games.puzzlescript.taught import Taught
from levelsmith.games.puzzlescript.traits import letters_of, why_not
from levelsmith.levels.formats.format import Place
from levelsmith.levels.look import Look

if TYPE_CHECKING:
    from levelsmith.games.arena import Arena
    from levelsmith.games.puzzlescript.engine import Kept, Kernel
    from levelsmith.games.puzzlescript.session import Session

UNMET = "unmet"  # a metric
SOON = 100_000  # states that are looked at for a level's metrics, and for a proof
SOONER = 10_000  # and for one of the many that a search measures
LARGE = 32  # cells along a side of levels that are made, at most, where the author's are no larger


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

    smallest: Size = (1, 1)
    solution_columns = ("moves",)
    fewest = "move"
    scripts = "puzzlescript"
    usual: Mapping[str, Range] = {"difficulty": (20, 70)}

    seed = SEED

    def __init__(self, name: str, text: str):
        program = compile_game(text)
        self.name = name
        self.lines = text.split("\n")
        typed = "".join(row for level in program.source.levels for row in self._typed(level.lines))
        self.cells = CellSets(program, typed)
        self.tiles = self.cells.tiles
        prelude = program.source.prelude
        self.title, self.author = prelude.get("title", ""), prelude.get("author", "")
        by = f" by {self.author}" if self.author else ""
        self.summary = f"{self.title or 'a PuzzleScript game'}{by}"
        self.letters = letters_of(program.tables)
        sizes = [(level.height, level.width) for level in program.levels if level.board is not None]
        self.default_size = (max(h for h, _ in sizes), max(w for _, w in sizes)) if sizes else (5, 5)
        self.largest = max(LARGE, self.default_size[0]), max(LARGE, self.default_size[1])

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

    def places(self) -> list[Place]:
        """Returns the lines of each level's rows."""
        rows = {level.line: level for level in self.program.source.levels}
        boards = [rows[level.line] for level in self.program.levels if level.board is not None]
        return [Place(tuple(level.lines), min(level.columns, default=1)) for level in boards]

    @cached_property
    def example(self) -> tuple[str, str] | None:  # type: ignore[override]
        """The first level with a solution above it, as text, and that solution."""
        told = next((level for level in self.levels() if level.solution), None)
        return None if told is None else (told.text, str(told.solution))

    def with_levels(self, levels: Sequence[Level]) -> str:
        """Returns the source of the game with these levels in place of its own."""
        return written.with_levels(self, levels)

    def added(self, levels: Sequence[Level]) -> str:
        """Returns the source of the game with these levels behind its own."""
        return written.added(self, levels)

    def changed(self, number: int, level: Level) -> str:
        """Returns the source of the game with another level in place of one, which counts from 0."""
        return written.changed(self, number, level)

    @property
    def brushes(self) -> list[int]:
        """The tiles to draw levels with: those of the author's, and others with a character of the legend."""
        return [i for i in range(len(self.tiles)) if i < self.tiles.kinds or i in self.cells.characters]

    def below(self, tile: int) -> str | None:
        """Returns the tile that is left where the player leaves one; None for tiles without one, and where
        levels have several."""
        player = as_int(self.program.tables.player)
        left = self.cells.index.get(self.cells.sets[tile] & ~player)
        single = self._is_player[tile] and self._players == range(1, 2)
        return self.tiles[left].name if single and left in self.brushes else None

    def brush(self, tile: int) -> dict[str, Any]:
        """Returns what a page where levels are drawn needs of a tile, beside its name."""
        from levelsmith.games.puzzlescript.plain import halves

        objects = halves(self.cells.words[tile])
        return {"below": self.below(tile), "objects": objects, "player": bool(self._is_player[tile])}

    @property
    def plain(self) -> dict[str, Any]:
        """All that a page plays and solves a drawn level by."""
        from levelsmith.games.puzzlescript.plain import plain_program

        return plain_program(replace(self.program, levels=()))

    def plain_game(self, levels: Sequence[Level]) -> dict[str, Any]:
        """Returns all that a page plays these levels by, with the messages before each and at the end."""
        from levelsmith.games.puzzlescript.plain import plain_game

        return plain_game(self, levels)

    def _typed(self, lines: list[int]) -> list[str]:
        return [self.lines[line - 1] for line in lines]

    # metrics

    @cached_property
    def counted(self) -> dict[str, int]:
        """The objects of which the levels have any, but for grounds: their numbers by name."""
        kinds = self.cells.sets[: self.tiles.kinds]
        there = [i for i, name in enumerate(self.program.names) if name and not self.cells.grounds >> i & 1]
        taken = (UNMET, *BY_SOLUTION)
        return {
            self.program.names[i]: i
            for i in there
            if self.program.names[i] not in taken and any(found >> i & 1 for found in kinds)
        }

    @cached_property
    def metrics(self) -> Mapping[str, str]:
        own = {UNMET: "cells that the win conditions still wait for"}
        own |= {name: f"cells with {name}" for name in self.counted}
        return {**own, **BY_SOLUTION} if self.is_solvable else own

    @cached_property
    def is_solvable(self) -> bool:
        """Whether the solver is made for it: nothing is left to chance, and it can be won."""
        return why_not(self.program.tables) is None

    def measure(self, grids: Grid) -> NDArray[np.float64]:
        """Returns the metrics of grids; those of solutions are 0 where none is soon found, and where there
        are more players or fewer than the author has."""
        plain = self._counts(grids)
        if not self.is_solvable:
            return plain
        told = [self._told(Level(self.name, self.tiles, grid), SOONER, 0.0) for grid in grids]
        return np.hstack([plain, np.nan_to_num(np.array(told, np.float64).reshape(len(grids), -1))])

    def measure_level(self, level: Level) -> NDArray[np.float64]:
        """Returns the metrics of a level; those of a shortest solution, where one is soon found, else nan."""
        plain = self._counts(level.grid[None])[0]
        return np.array([*plain, *self._told(level, SOON, np.nan)]) if self.is_solvable else plain

    @cached_property
    def _is_player(self) -> Mask:
        """Which tiles have a player in them."""
        return np.array([self.cells.is_player(found) for found in self.cells.sets])

    @cached_property
    def _players(self) -> range:
        """How many players the author's levels have."""
        counts = [int(self._is_player[level.grid].sum()) for level in self.levels()] or [1]
        return range(max(1, min(counts)), max(counts) + 1)

    def _told(self, level: Level, states: int, missing: float) -> list[float]:
        verdict = None
        if int(self._is_player[level.grid].sum()) in self._players:
            verdict = self.solve(level, Effort(states=states, seconds=None))
        if verdict is None or verdict.solution is None or not verdict.optimal:
            return [missing] * len(BY_SOLUTION)
        found = told_by(self, level, verdict)
        return [found[name] for name in BY_SOLUTION]

    def plain_metrics(self, grid: Grid) -> dict[str, float]:
        """Returns the metrics that need no solution, by name."""
        return dict(zip(self.metrics, self._counts(grid[None])[0].tolist(), strict=False))

    def _counts(self, grids: Grid) -> NDArray[np.float64]:
        counts = np.stack([(grids == i).sum(axis=(1, 2)) for i in range(len(self.tiles))], axis=1)
        columns = [self._unmet(counts.astype(np.float64))]
        for name in self.counted:
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

    def has_player(self, grid: Grid) -> bool:
        """Returns whether a player stands in a level."""
        return bool(self._is_player[grid].any())

    def check_start(self, level: Level) -> None:
        if not self.has_player(level.grid):
            raise LevelsmithError(f"expected a player in the level of {self.name}, got none")

    def compiled(self, size: Size) -> Any:
        from levelsmith.kernels.outside import make

        return make(size, len(self.metrics), lambda grid: self.measure(grid[None])[0].tolist())

    # what is made

    @cached_property
    def objectives(self) -> Mapping[str, Objective]:  # type: ignore[override]
        return OBJECTIVES if self.is_solvable else {}

    @cached_property
    def defaults(self) -> Mapping[str, str]:
        if not self.is_solvable:
            return {}
        return {"search": "sa", "representation": "wide", "objective": "moves", "generator": "remix"}

    @cached_property
    def mix(self) -> Mapping[str, int]:  # type: ignore[override]
        """How often the author has each tile, in a hundred cells."""
        if not self.levels():
            return {}
        tiles = np.concatenate([level.grid.ravel() for level in self.levels()])
        often = np.bincount(tiles, minlength=self.tiles.kinds)[: self.tiles.kinds] / len(tiles)
        return {self.tiles[i].name: max(1, round(100 * share)) for i, share in enumerate(often.tolist())}

    @property
    def aims(self) -> Sequence[Aim]:  # type: ignore[override]
        if not self.is_solvable:
            return ()
        return Aim("moves", same=("player",)), Aim("difficulty", ("moves",), same=("player",), most=100)

    def nudged(self, grid: Grid, free: Mask, rng: np.random.Generator) -> Grid:
        """Returns a copy with some free cells changed as in the author's levels: the edge stays, and there is
        no more of anything than they have, nor less."""
        taught = self._taught or Taught(self.cells, [grid])
        new = taught.changed(grid, free & taught.free(grid), Random(int(rng.integers(2**63))))
        return new if taught.is_fair(grid, new) else grid

    @cached_property
    def _taught(self) -> Taught | None:
        """What the author's levels teach; None where there are none."""
        grids = [level.grid for level in self.levels()]
        return Taught(self.cells, grids, edges=True) if grids else None

    def headline(self, level: Level) -> str:
        """Tells how many keys win the level, whether fewer could, and which rules fire on the way."""
        from levelsmith.games.puzzlescript.metrics import rules_of

        if level.solution is None:
            return "" if self.is_solvable else "no solution is looked for"
        keys, lines = len(level.solution), sorted(rules_of(self, level, level.solution))
        told = amount(keys, "key") + " (proved fewest)" * self.is_shortest(level)
        if LEAST_KEYS in level.provenance:
            told += f" (replayed; at least {level.provenance[LEAST_KEYS]})"
        fired = listed(map(str, lines)) or "none"
        return f"{told}, rules that fire: {fired}"

    def rules_used(self, level: Level) -> list[dict[str, Any]]:
        """Returns the rules that fire on the way of a level's solution: their lines and texts."""
        from levelsmith.games.puzzlescript.metrics import rules_of

        lines = rules_of(self, level, level.solution or "")
        return [{"line": line, "text": " ".join(self.lines[line - 1].split())} for line in sorted(lines)]

    @property
    def inspections(self) -> Mapping[str, tuple[str, str]]:
        from levelsmith.games.puzzlescript.inspect import INSPECTIONS

        return INSPECTIONS

    def faults(self, level: Level) -> Iterator[Found]:
        """Every grid of its tiles is a level; `check_start` says whether it can be begun."""
        return iter(())

    def inspect(
        self, name: str, level: Level, verdict: Verdict, effort: Effort, cancel: Cancel | None
    ) -> Inspected:
        from levelsmith.games.puzzlescript.inspect import inspect

        return inspect(self, name, level, verdict, effort, cancel)

    def inspect_all(self, name: str, levels: Sequence[Level], facts: Sequence[Any]) -> Iterator[Found]:
        from levelsmith.games.puzzlescript.inspect import inspect_all

        return inspect_all(self, name, levels, facts)

    def identity(self, level: Level, lines: bool) -> bytes:
        """Returns the same bytes for a level under the same rules, whatever the game is called."""
        from levelsmith.games.puzzlescript.inspect import identity

        board = repr(level.size).encode() + self.cells.board(level.grid).tobytes()
        return identity(self.program.tables, board, lines)

    def erased(self, level: Level, thing: str) -> Level:
        """Returns a level without an object."""
        from levelsmith.games.puzzlescript.inspect import erased

        return erased(self, level, thing)

    def without(self, line: int) -> PuzzleGame:
        """Returns the game in which the rule of a line never matches."""
        if line not in self.program.tables.rules.line:
            raise LevelsmithError(f"expected the line of a rule of {self.name}, got {line}")
        other = copy(self)
        other.cells = copy(self.cells)
        other.cells.program = replace(self.program, tables=self.program.tables.without(line))
        return other

    @cached_property
    def _look(self) -> Look:
        from levelsmith.games.puzzlescript.look import look_of

        return look_of(self.cells)

    def look(self) -> Look:
        return self._look

    # play

    def session(self, level: Level, engine: Any = None) -> Session:
        """Returns a session on one level alone, by a given engine or the compiled one."""
        from levelsmith.games.puzzlescript.engine import Kernel
        from levelsmith.games.puzzlescript.session import Session

        height, width = level.size
        alone = PuzzleLevel(0, height, width, self.cells.board(level.grid))
        return Session(replace(self.program, levels=(alone,)), engine or Kernel)

    def shown(self, session: Session) -> Grid:
        """Returns the board of a session as a grid."""
        level = session.program.levels[0]
        return self.cells.grid(session.engine.board(), level.height, level.width)

    def live(self, level: Level, speed: float) -> LivePuzzle:
        """Returns a game on a level for one person; of a game in real time so many times as fast."""
        return LivePuzzle(self, level, speed)

    def begun(self, grid: Grid) -> Position:
        return Position(self.engine_at(grid).kept(), False, *grid.shape)

    def engine_at(self, grid: Grid, whole: bool = True) -> Kernel:
        """Returns an engine at the start of a level, or if not the `whole` game is to be played, where that
        can be, one that knows only what decides whether it is won."""
        from levelsmith.games.puzzlescript.engine import Kernel

        board, decided = self.cells.board(grid), None if whole else self.program.decided
        fewer = None if decided is None else decided.board(board)
        if decided is None or fewer is None:
            engine = self.engine(*grid.shape)
            engine.load(board, SEED)
        else:
            engine = Kernel(decided.tables, *grid.shape)
            engine.leave_out()
            engine.load(fewer, SEED)
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
        from levelsmith.games.puzzlescript.why import why_lost

        verdict = solve(self, level, effort, any, moves, cancel)
        if verdict.status != "unsolvable":
            return verdict
        if (why := why_lost(self.program, self.engine_at(level.grid), self.letters)) is None:
            return verdict
        return replace(verdict, statistics={**verdict.statistics, "why": why})

    def prove(self, level: Level) -> str | None:
        """Returns a shortest solution, where one is soon found."""
        if not self.is_solvable:
            return None
        return self.solve(level, Effort(states=SOON, seconds=None)).solution

    def is_shortest(self, level: Level) -> bool:
        """Returns whether the level was made here: then its solution is one that the solver has proved."""
        told = level.provenance
        return level.solution is not None and "search" in told and not {UNSURE, LEAST_KEYS} & told.keys()

    def moved(self, position: Position, letter: str, engine: Kernel | None = None) -> Position | None:
        """Returns the position after a key and all again-turns; None where nothing comes of it.

        An engine for boards of that size saves the time to make one.
        """
        engine, before = engine or self.engine(position.height, position.width), position.kept
        engine.go_back(before)
        engine.on_win = ENDS
        won = bool(engine.turn(number_of(letter), settle=True) & WON)
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

    def engine(self, height: int, width: int) -> Kernel:
        """Returns a new engine for boards of a size, which belongs to whoever asks for it."""
        from levelsmith.games.puzzlescript.engine import Kernel

        return Kernel(self.program.tables, height, width)

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
