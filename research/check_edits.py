"""Improve, Repair and Fill on levels of each game: how many cells they change, and how much they look alike.

python research/check_edits.py [LEVELS] [FOLDER]

takes LEVELS (20) levels of Sokoban, Lode Runner and caves each, improves them, breaks and repairs them, and
erases a quarter and fills it again. It prints how many cells changed (median and most) and how many 3x3
windows (they reach a cell over the edge) occur neither in these levels nor in those that ship with the game.
With a FOLDER it writes sheets, each level before and after.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np

import levelsmith
from levelsmith.contracts import WithGuards
from levelsmith.core import Effort, Level, Result
from levelsmith.editing.edited import editing
from levelsmith.editing.style import Style, shipped
from levelsmith.errors import LevelsmithError
from levelsmith.registry import games

SEED = 1
EVALUATIONS = 300
IN_A_ROW = 6
GAMES = ("sokoban", "loderunner", "binary")


def main(count: int, folder: Path | None) -> None:
    print(f"{'':20}{'levels':>8}{'done':>6}{'cells':>7}{'changed, median':>17}{'most':>6}", end="")
    print(f"{'unseen 3x3, median':>20}{'most':>6}{'s each':>8}")
    for game in GAMES:
        levels = levels_of(game, count)
        for mode in ("improve", "repair", "fill"):
            check(game, mode, levels, folder)


def check(game: str, mode: str, levels: list[Level], folder: Path | None) -> None:
    """One row of the table: one way to change levels of one game."""
    changed, unseen, pairs, why = [], [], [], []
    begun = time.perf_counter()
    for number, level in enumerate(levels):
        rng = np.random.default_rng(number)
        start, lock = prepared(mode, level, rng)
        budget = {"evaluations": EVALUATIONS if mode != "fill" else 200}
        try:
            *_, result = editing(mode, start, lock=lock, seed=SEED, **budget)
        except LevelsmithError as error:
            why.append(str(error))
            continue
        assert isinstance(result, Result)
        prove(result.best)
        changed.append(int((result.best.grid != start.grid).sum()))
        style = Style(start)
        style.known = np.unique(np.concatenate([style.known, *(Style(other).known for other in levels)]))
        unseen.append(style.unseen(result.best.grid))
        pairs += [start, result.best]
    each = (time.perf_counter() - begun) / len(levels)
    cells = round(median(level.grid.size for level in levels))
    print(
        f"{game + ' ' + mode:20}{len(levels):>8}{len(changed):>6}{cells:>7}"
        f"{median(changed or [0]):>17g}{max(changed, default=0):>6}"
        f"{median(unseen or [0]):>20g}{max(unseen, default=0):>6}{each:>8.1f}",
        flush=True,
    )
    for message in why:
        print(f"    not done: {message}")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        sheet = pairs[: 4 * IN_A_ROW]
        levelsmith.save(sheet, folder / f"{game}-{mode}.png", columns=IN_A_ROW, scale=8)


def levels_of(game: str, count: int) -> list[Level]:
    """Levels that ship with a game, evenly spread, or new ones by its defaults."""
    own = shipped(game)
    if own:
        chosen = [own[i * len(own) // count] for i in range(count)]
    else:
        chosen = list(levelsmith.generate(game, count=count, seed=SEED).levels)
    return [replace(level, solution=None) for level in chosen]


def prepared(mode: str, level: Level, rng: np.random.Generator) -> tuple[Level, list[str]]:
    """The level that is changed, and the cells that must stay."""
    if mode == "improve":
        return level, []
    if mode == "repair":
        return next(broken(level, rng)), []
    height, width = level.size
    gap = np.zeros(level.size, np.bool_)
    gap[height // 4 : height * 3 // 4, width // 4 : width * 3 // 4] = True
    lock = [f"{column},{row}" for row, column in np.argwhere(~gap)]
    return replace(level, grid=np.where(gap, 0, level.grid).astype(np.uint8)), lock


def broken(level: Level, rng: np.random.Generator) -> Iterator[Level]:
    """The level with two or more random cells as other random cells are, so that it cannot be played."""
    cells = level.grid.size
    while True:
        grid = level.grid.copy()
        for damage in range(1, 13):
            grid.flat[rng.integers(cells)] = level.grid.flat[rng.integers(cells)]
            made = replace(level, grid=grid.copy())
            if damage >= 2 and not is_playable(made):
                yield made


def is_playable(level: Level) -> bool:
    game = games.get(level.game)
    if level.game == "binary":
        return bool(levelsmith.measure(level)["regions"] == 1)
    try:
        if isinstance(game, WithGuards):
            game = game.against("still")
        return game.solve(level, Effort(states=20_000, seconds=None)).status != "unsolvable"  # type: ignore[attr-defined]
    except LevelsmithError:
        return False


def prove(level: Level) -> None:
    """Plays the solution of a level by the rule book."""
    game = games.get(level.game)
    if hasattr(game, "verify"):
        assert level.solution
        game.verify(level)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, Path(sys.argv[2]) if len(sys.argv) > 2 else None)
