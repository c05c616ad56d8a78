"""A solution as a film: its moves, the grid after each of them, and what moves from grid to grid.

The grids are those of a game that is `Playable`. Most games write a solution as a letter a move, with
capitals for what their `capitals` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from levelsmith.contracts import Playable, WithTrail
from levelsmith.core import Grid, Level, Parameter
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.levels.look import Shape, Sprite
from levelsmith.registry import games

Cell = tuple[int, int]  # (row, column)
_Seen = tuple[Cell, int]  # where, and of which kind

LONGEST = 5_000  # moves of a film that is written to a file
PAUSES = (1_000, 2_000)  # milliseconds that the first and the last frame stay, at least
GONE = -1  # the kind of a thing that is not there
TRAIL = Parameter("trail", False, "draw the way of the solution")
DELAY = Parameter("delay", 120, "milliseconds a move of a film takes", 20, 10_000)


# ------------------------------------------------------------------------------------- moves and their frames


def frames(level: Level) -> Iterator[Grid]:
    """Returns the grid at the start and after each move of the level's solution."""
    game = games.get(level.game)
    if not isinstance(game, Playable):
        raise LevelsmithError(f"levels of {level.game} have no solutions to play")
    if not level.solution:
        named = f"the level {quoted(level.title)}" if level.title else "this level"
        raise LevelsmithError(
            f"{named} carries no solution to play; expected one, in text as a line '; solution: …' above it"
        )
    game.verify(level)
    return game.frames(level)


def few_frames(level: Level) -> Iterator[Grid]:
    """Yields the frames of a film that is written to a file, which has an end before the disk has."""
    for number, grid in enumerate(frames(level)):
        if number > LONGEST:
            raise LevelsmithError(
                f"expected a solution of at most {LONGEST:,} moves to film, got a longer one; "
                "levelsmith show FILE --solution plays it"
            )
        yield grid


def moves(level: Level) -> str:
    """Returns a letter for each move; all the same where the game writes its solutions in another way, such
    as in words."""
    number = sum(1 for _ in frames(level)) - 1
    text = level.solution or ""
    return text if len(text) == number and " " not in text else "x" * number


def place(moves: str, number: int, capital: str = "") -> str:
    """Returns where a film stands after so many moves, in words; `capital` says what capital letters are."""
    total = sum(map(str.isupper, moves))
    words = f"move {number:,} of {len(moves):,}"
    return words + (
        f", {capital} {sum(map(str.isupper, moves[:number])):,} of {total:,}" if capital and total else ""
    )


def highlights(moves: str, most: int) -> list[int]:
    """Returns the frames that tell the story: the start, the end, and between them the last of each
    row of capital letters."""
    inner = range(1, len(moves))
    left = [k for k in inner if moves[k - 1].isupper() and moves[k] != moves[k - 1]]
    if not any(map(str.isupper, moves)):
        left = list(inner)
    if len(left) > most - 2:
        left = [left[i * len(left) // (most - 2)] for i in range(most - 2)]
    return [0, *left, *([len(moves)] if moves else [])]


def trail(level: Level) -> list[Cell]:
    """Returns the cells that the player of a level's solution comes by, without those in a straight line."""
    game = games.get(level.game)
    if not isinstance(game, WithTrail):
        raise LevelsmithError(f"levels of {level.game} have no way to draw; leave out trail")
    if not level.solution:
        raise LevelsmithError("expected a level with a solution to draw the way of, got one without")
    corners: list[Cell] = []
    for cell in game.trail(level):
        if len(corners) > 1 and _straight(corners[-2], corners[-1], cell):
            corners.pop()
        if not corners or cell != corners[-1]:
            corners.append(cell)
    return corners


def _straight(a: Cell, b: Cell, c: Cell) -> bool:
    """Tells whether b lies between two others in a row or a column."""
    return any(
        a[i] == b[i] == c[i] and min(a[1 - i], c[1 - i]) <= b[1 - i] <= max(a[1 - i], c[1 - i])
        for i in (0, 1)
    )


# ----------------------------------------------------------------------------------------- what moves in them


@dataclass(slots=True)
class MovingThing:
    """What moves, changes, comes or goes: (frame, cell, kind) at the start and at each change."""

    steps: list[tuple[int, Cell, int]]


@dataclass(slots=True)
class Stage:
    """A film taken apart: what stays in place all the time, and the things before it.

    `tops` are the shapes of each kind of thing, those first that lie below others. A tile whose sprite goes
    on where that of another ends stands on it: a box on a goal is a box and, below it, a goal.
    """

    background: Grid
    tops: dict[int, tuple[Shape, ...]]
    things: list[MovingThing] = field(default_factory=list)
    last: int = 0  # the number of the last frame


def staged(level: Level, sprites: Sequence[Sprite]) -> Stage:
    """Returns the film of a level's solution, taken apart; `sprites` are those of its tiles in order."""
    stacks, tops = _stacks(sprites)
    tiles = {stack: tile for tile, stack in enumerate(stacks)}
    stage = Stage(level.grid.copy(), tops)
    rows, columns = np.indices(level.size)
    seen = np.zeros((len(sprites), *level.size), np.bool_)
    for stage.last, grid in enumerate(few_frames(level)):
        seen[grid, rows, columns] = True
    for i, j in np.argwhere(seen.sum(axis=0) > 1).tolist():
        shared = _begun_alike([stacks[tile] for tile in np.flatnonzero(seen[:, i, j]).tolist()])
        stage.background[i, j] = tiles[shared or stacks[level.grid[i, j]][:1]]

    def things(cell: Cell, tile: int) -> set[_Seen]:
        below, stack = stacks[stage.background[cell]], stacks[tile]
        return {(cell, kind) for kind in (stack[len(below) :] if stack[: len(below)] == below else stack)}

    before, there = stage.background, dict[_Seen, MovingThing]()
    for number, grid in enumerate(frames(level)):
        gone, come = set[_Seen](), set[_Seen]()
        for i, j in np.argwhere(grid != before).tolist():
            gone |= things((i, j), before[i, j])
            come |= things((i, j), grid[i, j])
        before, gone, come = grid, gone - come, come - gone
        moved = _paired(gone, come)
        leaving = {old: there.pop(old) for old in sorted(gone)}
        for old, thing in leaving.items():
            thing.steps.append((number, *moved.get(old, (old[0], GONE))))
            if old in moved:
                there[moved[old]] = thing
        for cell, kind in sorted(come - set(moved.values())):
            hidden = [(0, cell, GONE)] if number else []
            there[cell, kind] = MovingThing([*hidden, (number, cell, kind)])
            stage.things.append(there[cell, kind])
    return stage


def _stacks(sprites: Sequence[Sprite]) -> tuple[list[tuple[int, ...]], dict[int, tuple[Shape, ...]]]:
    """Returns the kinds that lie on one another in each tile, from below; and the shapes of each kind."""
    stacks: dict[int, tuple[int, ...]] = {}
    kinds: dict[tuple[Shape, ...], int] = {}
    for tile in sorted(range(len(sprites)), key=lambda tile: len(sprites[tile])):
        below: tuple[int, ...] = ()
        top = sprites[tile]
        for under in stacks:  # from short sprites to long ones, so that the longest counts
            if sprites[under] == sprites[tile][: len(sprites[under])]:
                below, top = stacks[under], sprites[tile][len(sprites[under]) :]
        stacks[tile] = (*below, kinds.setdefault(top, tile)) if top else below
    height = {kind: max(s.index(kind) for s in stacks.values() if kind in s) for kind in kinds.values()}
    rising = sorted(kinds.items(), key=lambda item: height[item[1]])
    return [stacks[tile] for tile in range(len(sprites))], {kind: top for top, kind in rising}


def _begun_alike(stacks: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Returns what all of them begin with."""
    alike = 0
    while all(len(stack) > alike and stack[alike] == stacks[0][alike] for stack in stacks):
        alike += 1
    return stacks[0][:alike]


def _paired(gone: set[_Seen], come: set[_Seen]) -> dict[_Seen, _Seen]:
    """Returns what went where: a cell at most, and rather as the same kind than as another."""
    moved: dict[_Seen, _Seen] = {}
    pairs = []
    for old, new in product(gone, come):
        steps = [abs(old[0][axis] - new[0][axis]) for axis in range(2)]
        if max(steps) <= 1:
            pairs.append((old[1] != new[1], sum(steps), old, new))
    for _, _, old, new in sorted(pairs):
        if old not in moved and new not in moved.values():
            moved[old] = new
    return moved
