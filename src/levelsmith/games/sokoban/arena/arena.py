"""Sokoban levels to play, many at once: what the environments for agents are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Effort, Grid, Level, Size
from levelsmith.games.arena import Arena, Boards
from levelsmith.games.sokoban.arena.kernels import arena as kernels
from levelsmith.games.sokoban.rules.kernels.tiles import BOX, WALL
from levelsmith.kernels.arena import Out

EFFORT = Effort(states=4_000_000, seconds=None)  # that goes to the fewest moves of a level, on any machine


class SokobanArena(Arena):
    """Boards of one size, each with a level of its own. An action is a place in `letters`."""

    letters = "udlr"
    codes = 7  # what is seen in a cell: the game's tiles
    outside = WALL
    rewards: Mapping[str, float] = {"step": -0.1, "box": 1.0, "solved": 10.0}  # as gym-sokoban gives them
    practice: Mapping[str, Any] = {"preset": "boxoban"}
    on_gpu = "levelsmith.games.sokoban.arena.gpu:SokobanCard"
    proves = True

    def __init__(self, boards: int, size: Size, most: int, rewards: Mapping[str, float]):
        counts = np.zeros((3, boards), np.int64)
        self.size = size
        self.arena = kernels.SokobanBoards(
            width=size[1],
            tiles=np.full((boards, size[0] * size[1]), WALL, np.uint8),
            player=counts[0],
            left=counts[1],
            steps=counts[2],
            fresh=np.ones(boards, np.bool_),
            most=most,
            rewards=np.array([rewards[name] for name in self.rewards]),
        )

    def load(self, boards: Boards, grids: Grid) -> None:
        """Puts levels on some boards, to be shown by the next step. grids: `[N, H, W]`"""
        self.arena.tiles[boards] = grids.reshape(len(grids), -1)
        kernels.start(self.arena, boards)

    def reveal(self, boards: Boards) -> Grid:
        self.arena.fresh[boards] = False
        codes: Grid = self.arena.tiles[boards].reshape(-1, *self.size)
        return codes

    def step(self, actions: NDArray[np.int64], out: Out) -> None:
        kernels.step(self.arena, actions, out)

    def masks(self, out: NDArray[np.bool_]) -> None:
        kernels.write_masks(self.arena, out)

    def solved(self, board: int) -> bool:
        return bool(self.arena.left[board] == 0)

    def grid(self, board: int) -> Grid:
        """Returns a board as it stands."""
        grid: Grid = self.arena.tiles[board].reshape(self.size).copy()
        return grid

    def gain(self, level: Level) -> float | None:
        """Returns what a solution gains: box rewards add up to one for each box that begins off a goal."""
        _, box, solved = self.arena.rewards.tolist()
        return box * int((level.grid == BOX).sum()) + solved if min(box, solved) >= 0 else None

    @staticmethod
    def fewest_steps(level: Level, exact: bool) -> int | None:
        """Returns the fewest moves; the solution that a level carries has the fewest pushes at most."""
        if not exact:
            return None
        from levelsmith.games.sokoban.solver.solve import fewest_moves

        found = fewest_moves(level, EFFORT)
        return None if found is None else len(found)
