"""Which way a guard goes: he sees the whole level, looks anew each time, and searches for no path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from levelsmith.games.loderunner.rules.men import EMPTY, FLOOR, GOLD, GUARD, HARD, HIDDEN, LADDER, ROPE, Guard

if TYPE_CHECKING:
    from levelsmith.games.loderunner.rules.game import Game


def choice(game: Game, guard: Guard) -> tuple[int, int] | None:
    """Returns which way he goes, as (down, right), or None where he stands still."""
    if guard.row == game.runner.row and not game.falling and _walks_through(game, guard):
        here, there = (guard.column, guard.dx), (game.runner.column, game.runner.dx)
        return (0, 1) if here < there else (0, -1)
    return _scan(game, guard)


def _walks_through(game: Game, guard: Guard) -> bool:
    """Tells whether there is footing from his cell to the one before the runner's; walls are not seen."""
    row, here, there = guard.row, guard.column, game.runner.column
    step = 1 if there > here else -1
    return all(_has_footing(game, row, column) for column in range(here, there, step))


def _has_footing(game: Game, row: int, column: int) -> bool:
    return (
        game.tile[row][column] in (LADDER, ROPE)
        or game.tile_at(row + 1, column) in (*FLOOR, ROPE, GOLD)
        or game.now_at(row + 1, column) == GUARD
    )


def _scan(game: Game, guard: Guard) -> tuple[int, int] | None:
    """Looks up and down from every cell of his floor, and takes the way to the best of what he sees."""
    row, column = guard.cell
    left, right = _end_of_floor(game, guard, -1), _end_of_floor(game, guard, 1)
    looks: list[tuple[int, tuple[int, int]]] = []
    for end, way in ((_look_down(game, row, column), (1, 0)), (_look_up(game, row, column), (-1, 0))):
        if end is not None:
            looks.append((_value(game, guard, end, column), way))
    sides = [(x, (0, -1)) for x in range(left, column)] + [(x, (0, 1)) for x in range(right, column, -1)]
    for x, way in sides:
        for end in (_look_down(game, row, x), _look_up(game, row, x)):
            if end is not None:
                looks.append((_value(game, guard, end, x), way))
    return min(looks, key=lambda look: look[0])[1] if looks else None


def _end_of_floor(game: Game, guard: Guard, side: int) -> int:
    row, column = guard.cell
    while game.now_at(row, column + side) not in HARD:
        column += side
        carries = game.now_at(row, column) in (LADDER, ROPE) or game.tile_at(row + 1, column) in FLOOR
        if not carries:
            break
    return column


def _look_down(game: Game, row: int, column: int) -> int | None:
    """Returns the row where a look down ends, or None where there is none."""
    if game.tile_at(row + 1, column) in HARD:
        return None
    while not (
        row >= game.runner.row
        and game.tile[row][column] not in (EMPTY, HIDDEN)
        and _has_side_exit(game, row, column)
    ):
        if game.tile_at(row + 1, column) in HARD:
            break
        row += 1
    return row


def _look_up(game: Game, row: int, column: int) -> int | None:
    if game.tile[row][column] != LADDER:
        return None
    while row > 0 and game.tile[row][column] == LADDER:
        row -= 1
        if row <= game.runner.row and _has_side_exit(game, row, column):
            break
    return row


def _has_side_exit(game: Game, row: int, column: int) -> bool:
    return any(
        game.inside(row, x) and (game.tile_at(row + 1, x) in FLOOR or game.tile[row][x] == ROPE)
        for x in (column - 1, column + 1)
    )


def _value(game: Game, guard: Guard, row: int, column: int) -> int:
    if row == game.runner.row:
        return abs(column - guard.column)
    return 100 + game.runner.row - row if row < game.runner.row else 200 + row - game.runner.row
