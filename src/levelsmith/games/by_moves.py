"""Levels of a game of one's own to play, by its rules in plain Python: what agents meet them in."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Solvable
from levelsmith.core import Effort, Grid, Level, Size
from levelsmith.errors import LevelsmithError
from levelsmith.games.arena import Arena, Boards, WithArena
from levelsmith.kernels.arena import Out
from levelsmith.registry import games


class ArenaByMoves(Arena):
    """Boards that are played by the rules of a game, one after the other; `arena_of` makes one for a game."""

    game: Any  # a Game that is ByMoves
    rewards: Mapping[str, float] = {"step": -0.1, "solved": 10.0}
    proves = True

    def __init__(self, boards: int, size: Size, most: int, rewards: Mapping[str, float]):
        self.size, self.most = size, most
        self.values = dict(rewards)
        self.positions: list[Any] = [None] * boards
        self.fresh = np.ones(boards, np.bool_)
        self.steps = np.zeros(boards, np.int64)

    def load(self, boards: Boards, grids: Grid) -> None:
        for board, grid in zip(boards.tolist(), grids, strict=True):
            self.positions[board] = self.game.begun(grid.copy())
        self.fresh[boards], self.steps[boards] = True, 0

    def reveal(self, boards: Boards) -> Grid:
        self.fresh[boards] = False
        return np.array([self.grid(board) for board in boards.tolist()], np.uint8).reshape(-1, *self.size)

    def step(self, actions: NDArray[np.int64], out: Out) -> None:
        cells = self.size[0] * self.size[1]
        for board, action in enumerate(actions.tolist()):
            if self.fresh[board]:
                self.fresh[board] = False
            else:
                position = self.positions[board]
                after = self.game.moved(position, self.letters[action])
                self.positions[board] = position if after is None else after
                self.steps[board] += 1
                solved = self.solved(board)
                out.rewards[board] = self.values["step"] + (self.values["solved"] if solved else 0.0)
                out.terminated[board] = solved
                out.truncated[board] = not solved and self.steps[board] >= self.most
            seen = self.grid(board).ravel()
            if out.views.shape[1] == cells:
                out.views[board] = seen
            else:
                out.views[board].reshape(-1, cells)[seen, np.arange(cells)] = 1

    def masks(self, out: NDArray[np.bool_]) -> None:
        for board, position in enumerate(self.positions):
            row = [self.game.moved(position, letter) is not None for letter in self.letters]
            out[board] = row if any(row) else True  # where none can be made they are all alike

    def solved(self, board: int) -> bool:
        return bool(self.game.is_solved(self.positions[board]))

    def grid(self, board: int) -> Grid:
        grid: Grid = np.asarray(self.game.drawn(self.positions[board]), np.uint8)
        if grid.shape != self.size:
            raise LevelsmithError(
                f"expected {self.game.name} to draw a position of {self.size} cells, got {grid.shape}"
            )
        return grid

    def gain(self, level: Level) -> float | None:
        return self.values["solved"] if self.values["solved"] >= 0 else None

    @classmethod
    def fewest_steps(cls, level: Level, exact: bool) -> int | None:
        """Returns the moves of the level's solution where it is one of the fewest, which is what `solution`
        of a game promises; `exact` asks for it where the level carries none."""
        if level.solution is not None and cls.game.is_shortest(level):
            return len(level.solution)
        if not exact:
            return None
        verdict = cls.game.solve(level, Effort(seconds=None))
        return len(verdict.solution) if verdict.optimal else None

    def get_state(self) -> dict[str, Any]:
        """Returns a copy of all that a step changes; positions are never changed themselves."""
        return {name: copy(value) for name, value in vars(self).items()}

    def set_state(self, state: Mapping[str, Any]) -> None:
        vars(self).update({name: copy(value) for name, value in state.items()})


def arena_of(name: str) -> type[Arena]:
    """Returns the arena of a game that is ByMoves: its own where it has one."""
    game: Any = games.get(name)
    return game.arena if isinstance(game, WithArena) else _arena_of(game)


@cache
def _arena_of(game: Any) -> type[Arena]:
    solid = [i for i, tile in enumerate(game.tiles) if "solid" in tile.tags or tile.name == "wall"]
    declared = {"letters": game.letters, "codes": len(game.tiles), "outside": solid[0] if solid else None}
    declared["proves"] = isinstance(game, Solvable)
    return type(f"{type(game).__name__}Arena", (ArenaByMoves,), {"game": game, **declared})
