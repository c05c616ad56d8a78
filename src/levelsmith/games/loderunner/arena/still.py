"""Lode Runner levels to play while nobody moves, many at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Level, Size
from levelsmith.games.arena import Arena, Boards
from levelsmith.games.loderunner.agent.still.solve import LETTERS
from levelsmith.games.loderunner.arena.kernels import still as kernels
from levelsmith.games.loderunner.rules.plan import is_timed
from levelsmith.games.loderunner.rules.rules import BRICK, EMPTY, GOLD, HIDDEN, PLAYER, SOLID, TRAP
from levelsmith.kernels.arena import Out


class StillArena(Arena):
    """Boards of one size, each with a level of its own. An action is a place in `letters`."""

    letters = LETTERS
    codes = kernels.CODES  # what is seen in a cell: tiles, the runner on something, holes by age
    outside = SOLID
    rewards: Mapping[str, float] = {"step": -0.1, "gold": 1.0, "solved": 10.0, "lost": -10.0}
    practice: Mapping[str, Any] = {"search": "construct", "size": (22, 32), "guards": "still"}

    def __init__(self, boards: int, size: Size, most: int, rewards: Mapping[str, float]):
        cells = (size[0] + 2) * (size[1] + 2)
        counts = np.zeros((3, boards), np.int64)
        self.size = size
        self.arena = kernels.LodeRunnerBoards(
            height=size[0],
            width=size[1],
            tile=np.full((boards, cells), SOLID, np.uint8),
            fills=np.zeros((boards, cells), np.int32),
            runner=counts[0],
            gold=counts[1],
            now=np.zeros(boards, np.int32),
            steps=counts[2],
            fresh=np.ones(boards, np.bool_),
            most=most,
            rewards=np.array([rewards[name] for name in self.rewards]),
        )

    def _inside(self) -> Grid:
        ringed: Grid = self.arena.tile.reshape(-1, self.size[0] + 2, self.size[1] + 2)
        return ringed[:, 1:-1, 1:-1]

    def load(self, boards: Boards, grids: Grid) -> None:
        """Puts levels on some boards, to be shown by the next step. grids: `[N, H, W]`"""
        self._inside()[boards] = np.where(grids == HIDDEN, EMPTY, grids)
        kernels.start(self.arena, boards)

    def reveal(self, boards: Boards) -> Grid:
        self.arena.fresh[boards] = False
        return np.array([self.grid(board) for board in boards.tolist()], np.uint8).reshape(-1, *self.size)

    def step(self, actions: NDArray[np.int64], out: Out) -> None:
        kernels.step(self.arena, actions, out)

    def masks(self, out: NDArray[np.bool_]) -> None:
        kernels.write_masks(self.arena, out)

    def solved(self, board: int) -> bool:
        return bool(self.arena.gold[board] == 0)

    def grid(self, board: int) -> Grid:
        """Returns a board as it is seen, holes as empty cells."""
        arena = self.arena
        tiles = arena.tile[board].copy()
        tiles[(tiles == BRICK) & (arena.fills[board] > arena.now[board])] = EMPTY
        tiles[tiles == TRAP] = BRICK
        tiles[arena.runner[board]] = PLAYER
        grid: Grid = tiles.reshape(self.size[0] + 2, self.size[1] + 2)[1:-1, 1:-1]
        return grid

    @classmethod
    def moves(cls, level: Level) -> str | None:
        return None if level.solution is None or is_timed(level.solution) else level.solution

    def gain(self, level: Level) -> float | None:
        """Returns what a plan gains that collects all gold."""
        _, piece, solved, lost = self.arena.rewards.tolist()
        gold = int((level.grid == GOLD).sum())
        return piece * gold + solved if min(piece, solved, -lost) >= 0 else None
