"""Lode Runner levels to play against their guards, many at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Level, Size
from levelsmith.games.arena import Arena, Boards
from levelsmith.games.loderunner.agent.still.solve import LETTERS
from levelsmith.games.loderunner.arena.kernels import arena as kernels
from levelsmith.games.loderunner.arena.still import StillArena
from levelsmith.games.loderunner.game.game import KEYS, TILES, CompiledGame, keys_of
from levelsmith.games.loderunner.game.kernels import men
from levelsmith.games.loderunner.game.kernels.moves import WAIT_TICKS
from levelsmith.games.loderunner.rules.men import NOTHING, WON
from levelsmith.games.loderunner.rules.plan import Press, is_timed, read
from levelsmith.games.loderunner.rules.rules import EMPTY, ENEMY, GOLD, PLAYER, SOLID
from levelsmith.kernels.arena import Out

GUARDS = 5  # that there is room for at first


class LodeRunnerArena(Arena):
    """Boards of one size, each with a level of its own and guards who chase. An action is a place in
    `letters`: a key that stays down until the runner is a cell further, has dug or has waited."""

    letters = LETTERS
    codes = kernels.CODES  # what is seen in a cell: tiles, men on something, holes by age
    outside = SOLID
    rewards: Mapping[str, float] = StillArena.rewards
    practice: Mapping[str, Any] = {**StillArena.practice, "guards": "chase"}

    @classmethod
    def against(cls, guards: str | None) -> type[Arena]:
        return StillArena if guards == "still" else cls

    def __init__(self, boards: int, size: Size, most: int, rewards: Mapping[str, float]):
        self.size = size
        self.boards = self._room(boards, GUARDS, most, rewards)
        self.spare = self._room(1, GUARDS, most, rewards)  # for keys that are only tried

    def _room(self, boards: int, guards: int, most: int, rewards: Mapping[str, float]) -> Any:
        cells = (self.size[0] + 2) * (self.size[1] + 2)
        counts = np.zeros((3, boards), np.int64)
        return kernels.GuardedBoards(
            height=self.size[0],
            width=self.size[1],
            guards=counts[0],
            exits=np.zeros(boards, np.bool_),
            men=np.zeros((boards, 1 + guards, men.MAN), np.int32),
            holes=np.zeros((boards, men.MOST_HOLES, 2), np.int32),
            counts=np.zeros((boards, men.COUNTS), np.int32),
            tile=np.full((boards, cells), men.RING, np.uint8),
            now=np.full((boards, cells), men.RING, np.uint8),
            glances=np.zeros((boards, 1 + guards, men.GLANCE), np.int32),
            dice=np.zeros(2, np.uint64),
            stands=counts[1],
            steps=counts[2],
            fresh=np.ones(boards, np.bool_),
            most=most,
            rewards=np.array([rewards[name] for name in self.rewards]),
        )

    def load(self, boards: Boards, grids: Grid) -> None:
        """Puts levels on some boards, to be shown by the next step. grids: `[N, H, W]`"""
        while (more := kernels.start(self.boards, boards, grids, TILES) + 1 - self.boards.men.shape[1]) > 0:
            self.boards, self.spare = (_widened(room, more) for room in (self.boards, self.spare))

    def reveal(self, boards: Boards) -> Grid:
        views = np.zeros((len(boards), self.size[0] * self.size[1]), np.uint8)
        kernels.reveal(self.boards, boards, views)
        return views.reshape(-1, *self.size)

    def step(self, actions: NDArray[np.int64], out: Out) -> None:
        kernels.step(self.boards, actions, out)

    def masks(self, out: NDArray[np.bool_]) -> None:
        kernels.write_masks(self.boards, self.spare, out)

    def solved(self, board: int) -> bool:
        return bool(self.boards.stands[board] == men.WON)

    def grid(self, board: int) -> Grid:
        """Returns a board as it is seen, holes as empty cells."""
        tiles = self.boards.tile[board].copy()
        tiles[(tiles == men.BRICK) & (self.boards.now[board] != men.BRICK)] = EMPTY
        tiles[tiles == men.TRAP] = men.BRICK
        tiles[tiles == men.HIDDEN] = EMPTY
        guards, runner = int(self.boards.guards[board]), self.boards.men[board, 0, men.AT]
        tiles[self.boards.men[board, 1 : 1 + guards, men.AT]] = ENEMY
        tiles[runner] = PLAYER
        grid: Grid = tiles.reshape(self.size[0] + 2, self.size[1] + 2)[1:-1, 1:-1]
        return grid

    def gain(self, level: Level) -> float | None:
        """Returns what a plan gains that wins."""
        _, piece, solved, lost = self.boards.rewards.tolist()
        gold = int((level.grid == GOLD).sum())
        return piece * gold + solved if min(piece, solved, -lost) >= 0 else None

    @classmethod
    def moves(cls, level: Level) -> str | None:
        """Returns the letters of the level's plan, one for each step; None where it has none against guards,
        or one that no steps follow, nor with waits of whole steps."""
        if level.solution is None or not is_timed(level.solution):
            return None
        presses = read(level.solution)
        return cls.followed(level, presses) or cls.followed(level, whole(level, presses))

    @classmethod
    def followed(cls, level: Level, presses: list[Press]) -> str | None:
        """Returns the letters of presses; None where no steps follow them to the win."""
        arena = cls(1, level.size, 1, cls.rewards)
        arena.load(np.zeros(1, np.int64), level.grid[None])
        ends = np.cumsum([ticks for _, ticks in presses])
        keys = np.array([KEYS.index(key) for key, _ in presses], np.int64)
        actions = np.zeros(int(ends[-1]), np.int64)
        made = kernels.play(arena.boards, keys, ends, actions)
        return "".join(LETTERS[action] for action in actions[:made]) if made >= 0 else None


def whole(level: Level, presses: list[Press]) -> list[Press]:
    """Returns presses with waits of whole steps, as far as they win like that."""
    game = CompiledGame(level.text.splitlines())
    for i, (key, ticks) in enumerate(presses):
        if key == NOTHING and ticks % WAIT_TICKS:
            steps = ticks // WAIT_TICKS
            for turned in (max(1, steps), steps + 1, steps + 2):
                others = [*presses[:i], (NOTHING, turned * WAIT_TICKS), *presses[i + 1 :]]
                if game.copy().press_on(keys_of(others)) == WON:
                    presses = others
                    break
    return presses


def _widened(room: Any, more: int) -> Any:
    """Returns boards with room for more guards on each."""
    wider = ((0, 0), (0, more), (0, 0))
    return room._replace(men=np.pad(room.men, wider), glances=np.pad(room.glances, wider))
