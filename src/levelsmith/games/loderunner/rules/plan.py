"""Plans against guards: which key is pressed, and for how many ticks it stays, as in `r45 L12 .5 u20`.

The keys are `l r u d` for the ways, `L R` to dig on a side, `.` for none. A plan while nobody moves
(`rules.rules`) is letters alone, so that a figure tells the two apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from levelsmith.core import Grid, Level
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.games.loderunner.rules.game import Game
from levelsmith.games.loderunner.rules.men import BRICK, EMPTY, GOLD, HIDDEN, PLAYING, TRAP, WON
from levelsmith.games.loderunner.rules.rules import ENEMY, PLAYER

Press = tuple[str, int]  # a key, and for how many ticks it stays
DIGIT = re.compile("[0-9]")
PRESS = re.compile(r"([lrudLR.])([1-9][0-9]{0,4})")
LONGEST = 30_000  # ticks of a game
STEP = 5  # ticks of a step of one cell, and from one frame of a film to the next
BOOK, BOOK_FOLDER = ("men", "ways", "game"), "rulebook"  # the rules, as a dataset has them
SEEN_AS = {TRAP: BRICK, HIDDEN: EMPTY}  # neither can be told by looking


def is_timed(plan: str) -> bool:
    """Tells whether a plan says how long each key stays: whether it was made against guards."""
    return DIGIT.search(plan) is not None


def written(presses: Iterable[Press]) -> str:
    """Returns a plan as text; a way that is pressed again at once is one press."""
    joined: list[Press] = []
    for key, ticks in presses:
        if joined and joined[-1][0] == key and key not in "LR":  # a dig is used once
            joined[-1] = (key, joined[-1][1] + ticks)
        else:
            joined.append((key, ticks))
    return " ".join(f"{key}{ticks}" for key, ticks in joined)


def read(plan: str) -> list[Press]:
    """Returns the presses of a plan."""
    presses = []
    for word in plan.split():
        found = PRESS.fullmatch(word)
        if found is None:
            raise LevelsmithError(
                f"expected keys with the ticks they stay, such as 'r45 L12 .5', got {quoted(word)}"
            )
        presses.append((found[1], int(found[2])))
    if sum(ticks for _, ticks in presses) > LONGEST:
        raise LevelsmithError(f"expected a plan of at most {LONGEST:,} ticks, got a longer one")
    return presses


def length_of(plan: str) -> int:
    """Returns the ticks of a plan."""
    return sum(ticks for _, ticks in read(plan))


def played(level: Level, plan: str) -> Iterator[Game]:
    """Yields the game at the start and after each tick of a plan, until it is over."""
    game = Game(level.text.splitlines())
    yield game
    for key, ticks in read(plan):
        for tick in range(ticks):
            if game.status != PLAYING:
                return
            game.tick(key if tick == 0 else None)
            yield game


def win(level: Level, plan: str) -> Game:
    """Returns the game that a plan wins; raises LevelsmithError where it does not."""
    *_, game = played(level, plan)
    check_won(game)
    return game


def check_won(game: Game) -> None:
    """Raises LevelsmithError unless a game is won that a plan has been played in."""
    if game.status != WON:
        left = f"leaves {game.left} gold" if game.left else "is not at the top"
        ended = "is caught or buried" if game.status != PLAYING else left
        raise LevelsmithError(
            f"expected a plan that wins against the guards, got one that {ended} at tick {game.ticks}"
        )


def rule_book() -> dict[str, str]:
    """Returns the files that play a game against guards, as they stand here but for where they lie."""
    here = Path(__file__).parent
    texts = {f"{name}.py": (here / f"{name}.py").read_text(encoding="utf-8") for name in BOOK}
    return {name: text.replace(__package__ or "", BOOK_FOLDER) for name, text in texts.items()}


def frames(level: Level) -> Iterator[Grid]:
    """Yields the grid at the start of the level's plan, after every fifth tick, and at the end."""
    for game in played(level, level.solution or ""):
        if game.ticks % STEP == 0 or game.status != PLAYING:
            yield drawn(game)


def drawn(game: Game) -> Grid:
    """Returns a game as a grid, with everybody in the cell where the most of him is."""
    grid = ground(game)
    for guard in game.guards:
        grid[guard.cell] = ENEMY
    grid[game.runner.cell] = PLAYER
    return grid


def ground(game: Game) -> Grid:
    """Returns the tiles that are seen where nobody is, with open holes as empty cells."""
    grid = np.array([[SEEN_AS.get(tile, tile) for tile in row] for row in game.tile], np.uint8)
    for cell in game.holes:
        if grid[cell] != GOLD:
            grid[cell] = EMPTY
    return grid


def trail(level: Level) -> list[tuple[int, int]]:
    """Returns the cells of the runner's way by the level's plan, tick by tick."""
    return [game.runner.cell for game in played(level, level.solution or "")]
