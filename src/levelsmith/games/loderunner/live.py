"""Lode Runner against its guards for one person, in real time."""

from __future__ import annotations

from collections.abc import Iterator

from levelsmith.core import Grid, Level
from levelsmith.games.arena import Thing
from levelsmith.games.loderunner.rules.game import Game
from levelsmith.games.loderunner.rules.men import BRICK, NUMBERS, PLAYING, REBORN, WON
from levelsmith.games.loderunner.rules.plan import ground

RATE = 23  # ticks a second, as on the play page: 4.6 cells
FILLING = 20  # ticks before a hole fills in which that is seen
KEYS = {"z": "L", "x": "R", " ": ".", **{key: key for key in "lrud"}}


class LiveGame:
    """Lode Runner against its guards. A terminal does not tell when a key is let go, so it stays until
    another comes, as on the machine that the game was made for."""

    keys = "arrows run, z x dig, space stands still"

    def __init__(self, level: Level, speed: float):
        self.level, self.speed = level, speed
        self.restart()

    @property
    def seconds(self) -> float:
        return 1 / (RATE * self.speed)

    @property
    def won(self) -> bool:
        return bool(self.game.status == WON)

    def restart(self) -> None:
        self.game = Game(self.level.text.splitlines())
        self.pieces = self.game.left
        self.key: str | None = None

    def press(self, key: str) -> bool:
        if key not in KEYS or self.end():
            return False
        self.key = KEYS[key]
        return True

    def advance(self) -> None:
        self.game.tick(self.key)
        self.key = None

    def ground(self) -> Grid:
        return ground(self.game)

    def things(self) -> Iterator[Thing]:
        game = self.game
        if game.dig is not None:
            yield Thing(game.dig[0], game.dig[1], "::", "brick")
        for guard in game.guards:
            text = "e " if guard.mode == REBORN else "E+" if guard.count > 0 else "E "
            yield Thing(guard.row, guard.column + guard.dx / NUMBERS.width, text, "enemy")
        yield Thing(game.runner.row, game.runner.column + game.runner.dx / NUMBERS.width, "M ", "player")
        for (row, column), left in game.holes.items():
            if left <= FILLING:
                yield Thing(row, column, "::", "brick")

    def line(self) -> str:
        told = f"gold {self.pieces - self.game.left} of {self.pieces}, {self.game.ticks / RATE:.1f} s"
        return f"{told}, climb out at the top" if self.game.exit and self.game.left == 0 else told

    def end(self) -> str | None:
        if self.game.status == PLAYING:
            return None
        if self.game.status == WON:
            return "Out, with all the gold." if self.game.exit else "All the gold is yours."
        buried = self.game.now_at(*self.game.runner.cell) == BRICK
        return "The hole filled while you were in it." if buried else "Caught!"
