"""Enemies that chase, for play: they walk the shortest way to the runner, and fall into holes.

A level is judged with enemies that stand still; this goes beyond, on the same rule book. An enemy in a hole
carries the runner, who walks over it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from levelsmith.games.loderunner.rules.rules import (
    DIG_TICKS,
    DIGS,
    LADDER,
    STEPS,
    Blocked,
    Cell,
    LodeRunnerBoard,
    LodeRunnerState,
)

PACE = 2  # an enemy takes a step every so many ticks


@dataclass(frozen=True, slots=True)
class Chase:
    """A position with the enemies where they are now; `caught` once one of them has the runner."""

    position: LodeRunnerState
    enemies: tuple[Cell, ...]
    caught: bool = False


def begin(board: LodeRunnerBoard) -> Chase:
    return Chase(board.start, tuple(board.enemies))


def step(board: LodeRunnerBoard, chase: Chase, move: str) -> Chase:
    """Returns the chase after a move of the runner, which raises Blocked as in the rule book."""
    position = _moved(board, chase, move)
    # The hole of an enemy has filled: it comes back where it began.
    enemies = [
        board.enemies[i] if board.is_hard(cell, position) else cell for i, cell in enumerate(chase.enemies)
    ]
    caught = position.runner in enemies
    ticks = DIG_TICKS if move in DIGS else 1
    for tick in range(position.ticks - ticks + 1, position.ticks + 1):
        if tick % PACE == 0:
            for i, cell in enumerate(enemies):
                there = _next(board, position, cell)
                if there not in enemies:
                    enemies[i] = there
        caught = caught or position.runner in enemies
    return Chase(position, tuple(enemies), caught)


def _moved(board: LodeRunnerBoard, chase: Chase, move: str) -> LodeRunnerState:
    """Returns the position after a move of the runner, to whom the hole of an enemy is hard but no brick
    to dig."""
    now = chase.position
    trapped = {cell: left for cell, left in now.holes.items() if cell in chase.enemies and cell != now.runner}
    carried = replace(now, holes={cell: left for cell, left in now.holes.items() if cell not in trapped})
    if move in DIGS and board.stands(carried):
        down, right = DIGS[move]
        if (now.runner[0] + down, now.runner[1] + right) in trapped:
            raise Blocked("no brick is there to dig")
    after = board.step(carried, move)
    passed = after.ticks - now.ticks
    still = {cell: left - passed for cell, left in trapped.items() if left > passed}
    return replace(after, holes={**after.holes, **still})


def _next(board: LodeRunnerBoard, position: LodeRunnerState, enemy: Cell) -> Cell:
    """Returns the next cell on an enemy's shortest way to the runner, holes not foreseen; without a way it
    stays."""
    if enemy in position.holes:
        return enemy
    if not board.stands(replace(position, runner=enemy)):
        return (enemy[0] + 1, enemy[1])
    hopes = replace(position, holes={})
    first: dict[Cell, Cell] = {enemy: enemy}  # by where a way leads, its first step
    waiting = [enemy]
    for cell in waiting:  # grows while it is read
        if cell == position.runner:
            return first[cell]
        for there in _moves(board, hopes, cell):
            if there not in first:
                first[there] = there if cell == enemy else first[cell]
                waiting.append(there)
    return enemy


def _moves(board: LodeRunnerBoard, position: LodeRunnerState, cell: Cell) -> list[Cell]:
    there = {move: (cell[0] + down, cell[1] + right) for move, (down, right) in STEPS.items()}
    if not board.stands(replace(position, runner=cell)):
        return [there["d"]]
    letters = "lrud" if board.tile(cell) == LADDER else "lrd"
    return [there[letter] for letter in letters if not board.is_hard(there[letter], position)]
