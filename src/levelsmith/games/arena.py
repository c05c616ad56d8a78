"""What agents and people play: an arena, rules by which any game has one, and games in real time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Level, Size
from levelsmith.errors import LevelsmithError

Boards = NDArray[np.int64]  # [N] numbers of boards


class Arena(Protocol):
    """Boards of one size that agents play at once, each with a level of its own. It is named as its game
    is, in the capitals that the environment `levelsmith/Name-v0` is to have."""

    letters: str  # the moves
    codes: int  # how many different things a cell can show
    outside: int | None  # the tile around a level that is smaller than its board; None where no tile will do
    rewards: Mapping[str, float]  # by name; `step` is that of each move
    practice: Mapping[str, Any] = MappingProxyType(
        {}
    )  # what levels are asked for with, if nothing else is said
    on_gpu: str | None = None  # the class of its boards on a GPU, "module:name"; None where there are none
    proves: bool = False  # whether `fewest_steps` can find a shortest solution

    @classmethod
    def against(cls, guards: str | None) -> type[Arena]:
        """Returns the arena with guards of that kind; None for the usual ones."""
        return cls

    def __init__(self, boards: int, size: Size, most: int, rewards: Mapping[str, float]): ...

    def load(self, boards: Boards, grids: Grid) -> None:
        """Puts levels on some boards, to be shown by the next step. grids: `[N, H, W]`"""

    def reveal(self, boards: Boards) -> Grid:
        """Returns what boards show that were just loaded, `[N, H, W]` codes; the next step moves on them."""
        raise LevelsmithError(
            f"{type(self).__name__} has no `reveal`: its boards are shown by the next step alone"
        )

    def step(self, actions: NDArray[np.int64], out: Any) -> None:
        """Makes a move on each board and writes what comes of it, a `kernels.arena.Out`."""

    def masks(self, out: NDArray[np.bool_]) -> None:
        """Writes which actions are not blocked. out: `[boards, actions]`"""

    def solved(self, board: int) -> bool: ...

    def grid(self, board: int) -> Grid:
        """Returns a board as it stands."""

    @classmethod
    def moves(cls, level: Level) -> str | None:
        """Returns the solution that a level carries, a letter for each step; None where it has none that can
        be played here."""
        return level.solution

    def gain(self, level: Level) -> float | None:
        """Returns all rewards of a solved episode but those of its steps, which are the same for every
        solution; None where an episode that solves nothing may be worth more than one that does."""
        return None

    @staticmethod
    def fewest_steps(level: Level, exact: bool) -> int | None:
        """Returns the steps of a shortest solution; None where that is not proved.

        Without `exact` nothing is searched for: it is told where it is known already.
        """
        return None

    def get_state(self) -> dict[str, Any]:
        """Returns a copy of all that a step changes."""
        return deepcopy(vars(self))

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes back to a state that `get_state` returned."""
        vars(self).update(deepcopy(dict(state)))


@runtime_checkable
class ByMoves(Protocol):
    """A game whose rules play move by move: agents play it, one board or many.

    A position is any value of the game's own, and is never changed: `moved` makes another.
    """

    letters: str  # the moves, a letter each, as in a solution

    def begun(self, grid: Grid) -> Any:
        """Returns the position that a level begins with."""

    def moved(self, position: Any, letter: str) -> Any:
        """Returns the position after a move, or None where it is blocked."""

    def is_solved(self, position: Any) -> bool:
        """Returns whether nothing is left to do."""

    def drawn(self, position: Any) -> Grid:
        """Returns a position as a grid of the game's tiles."""


@runtime_checkable
class WithArena(Protocol):
    """A game that has an arena of its own which is named nowhere, as one that comes from a file."""

    arena: type[Arena]


class Thing(NamedTuple):
    """What is drawn over the ground: a text of two columns for a tile, at a row and a column of cells."""

    row: int
    column: float
    text: str
    tile: str


class Session(Protocol):
    """A game on a level that one person plays."""

    keys: str  # what keys do, in words

    @property
    def seconds(self) -> float | None:
        """Returns how long a tick takes; None where nothing happens by itself."""

    @property
    def won(self) -> bool:
        """Returns whether it ended well."""

    def restart(self) -> None: ...

    def press(self, key: str) -> bool:
        """Takes a key, l r u d for arrows; returns whether it means anything."""

    def advance(self) -> None:
        """Goes on by a tick."""

    def ground(self) -> Grid:
        """Returns the tiles that are seen."""

    def things(self) -> Iterator[Thing]:
        """Yields what is drawn over them, what is on top last."""

    def line(self) -> str:
        """Returns how it stands, in words."""

    def end(self) -> str | None:
        """Returns how it ended, or None as long as it goes on."""


@runtime_checkable
class Telling(Protocol):
    """A session with messages, which are shown before it goes on."""

    def messages(self) -> list[str]:
        """Returns those that have not been returned yet."""


@runtime_checkable
class InRealTime(Protocol):
    """A game with sessions of its own, such as one that goes on by itself."""

    def live(self, level: Level, speed: float) -> Session:
        """Returns a game on a level for one person, so many times as fast as it is."""
