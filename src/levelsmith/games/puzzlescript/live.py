"""A PuzzleScript level for one person, key by key, or with turns that go by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError, amount
from levelsmith.games.arena import Thing
from levelsmith.games.puzzlescript.notes import AFTER, BEFORE
from levelsmith.games.puzzlescript.traits import tick_seconds

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.game import PuzzleGame
    from levelsmith.games.puzzlescript.session import Session

LEAST_KEYS = "least keys"  # what the provenance of a level says whose solution is not proved the shortest
KEYS: dict[str, int | str] = {"u": 0, "l": 1, "d": 2, "r": 3, "x": 4, ".": "tick"}  # letters of solutions
NO_KEY = -1  # in place of a key, for a turn that goes by itself


def number_of(letter: str) -> int:
    """Returns the number of a key as the kernels take it."""
    key = KEYS[letter]
    return key if isinstance(key, int) else NO_KEY


class LivePuzzle:
    """Plays as the original does: with undo, restart to the last checkpoint, and messages."""

    def __init__(self, game: PuzzleGame, level: Level, speed: float):
        tables = game.program.tables
        if speed != 1 and not tables.realtime:
            raise LevelsmithError(f"levels of {game.name} wait for each move; leave out --speed")
        self.game, self.level, self.speed = game, level, speed
        self.told = [str(text) for text in level.provenance.get(BEFORE, ())]
        self.last = [str(text) for text in level.provenance.get(AFTER, ())]
        acts = ["x acts"] if "x" in game.letters else []
        self.keys = ", ".join(["arrows move", *acts, *([] if tables.no_undo else ["z takes back"])])

    @cached_property
    def session(self) -> Session:
        """The level as it stands, from the moment when it is first looked at."""
        return self.game.session(self.level)

    @property
    def seconds(self) -> float | None:
        if "." not in self.game.letters or self.won:
            return None
        return tick_seconds(self.game.program) / self.speed

    @property
    def won(self) -> bool:
        return self.session.won > 0

    def restart(self) -> None:
        if self.won:
            del self.session
        else:
            self._take("restart")

    def press(self, key: str) -> bool:
        if key == "z":
            self._take("undo")
        elif key in KEYS and key in self.game.letters:
            self._take(KEYS[key])
        else:
            return False
        return True

    def advance(self) -> None:
        self._take("tick")

    def _take(self, key: int | str) -> None:
        if self.won:
            return
        self.session.press(key)
        if self.session.message:
            self.told.append(self.session.message)
        if self.won:
            self.told += self.last

    def messages(self) -> list[str]:
        told, self.told = self.told, []
        return told

    def ground(self) -> Grid:
        return self.game.shown(self.session)

    def things(self) -> Iterator[Thing]:
        yield from ()

    def line(self) -> str:
        return f"move {len(self.session.undos)}"

    def end(self) -> str | None:
        moves = len(self.session.undos)
        return f"Solved in {amount(moves, 'move')}." if self.won else None
