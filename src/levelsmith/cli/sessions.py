"""Games that are played in a terminal: by the clock where a game has one, else move by move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError, amount
from levelsmith.games.arena import ByMoves, InRealTime, Session, Thing
from levelsmith.registry import games

WAYS = "lrud"


def begin(level: Level, speed: float | None = None) -> Session:
    """Returns a game on a level; raises LevelsmithError for a game that cannot be played in a terminal."""
    game = games.get(level.game)
    game.check_start(level)
    if isinstance(game, InRealTime):
        return game.live(level, 1.0 if speed is None else speed)
    if not isinstance(game, ByMoves):
        raise LevelsmithError(
            f"levels of {level.game} are not played in a terminal; levelsmith studio has a page for them"
        )
    if speed is not None:
        raise LevelsmithError(f"levels of {level.game} wait for each move; leave out --speed")
    return Moved(level, game)


class Moved:
    """A game whose rules play move by move."""

    seconds: float | None = None

    def __init__(self, level: Level, game: ByMoves):
        self.level, self.game = level, game
        others = [letter for letter in game.letters if letter not in WAYS]
        self.keys = ", ".join(
            ["arrows move", *([f"{' '.join(others)} too"] if others else []), "z takes back"]
        )
        self.restart()

    @property
    def won(self) -> bool:
        return self.game.is_solved(self.positions[-1])

    def restart(self) -> None:
        self.positions: list[Any] = [self.game.begun(self.level.grid)]

    def press(self, key: str) -> bool:
        if key == "z" and key not in self.game.letters:
            if len(self.positions) > 1:
                self.positions.pop()
            return True
        if not key or key not in self.game.letters:
            return False
        after = None if self.end() else self.game.moved(self.positions[-1], key)
        if after is not None:
            self.positions.append(after)
        return True

    def advance(self) -> None:
        """Does nothing: without a key nothing happens."""

    def ground(self) -> Grid:
        return self.game.drawn(self.positions[-1])

    def things(self) -> Iterator[Thing]:
        yield from ()

    def line(self) -> str:
        return f"move {len(self.positions) - 1}"

    def end(self) -> str | None:
        if not self.won:
            return None
        moves = len(self.positions) - 1
        return f"Solved in {amount(moves, 'move')}."
