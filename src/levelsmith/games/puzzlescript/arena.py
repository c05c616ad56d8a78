"""Levels of a PuzzleScript game to play, many at once: what the environments for agents are made of."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Level, Size
from levelsmith.games.arena import Arena, Boards
from levelsmith.games.puzzlescript.engine import Kept, endless
from levelsmith.games.puzzlescript.kernels.codes import PLAY, START, STOPPED, WON
from levelsmith.games.puzzlescript.kernels.state import TARGET, make_board, slot_of
from levelsmith.games.puzzlescript.kernels.vector import (
    IDLE,
    SHARED,
    SLOTS,
    Sight,
    put_boards,
    see_boards,
    turn_boards,
)
from levelsmith.games.puzzlescript.live import number_of
from levelsmith.games.puzzlescript.random import Random
from levelsmith.kernels.arena import Out

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.game import PuzzleGame

STATE = ("many", "sight", "fresh", "steps", "won")


class PuzzleArena(Arena):
    """Boards of one size, each with a level of its own; `arena_of_game` makes one for a game."""

    game: PuzzleGame
    rewards: Mapping[str, float] = {"step": -0.1, "solved": 10.0}

    def __init__(self, boards: int, size: Size, most: int, rewards: Mapping[str, float]):
        tables = self.game.program.tables
        self.size, self.most, self.values = size, most, dict(rewards)
        self.rules = tables.interpreted
        self.engine = self.game.engine(*size)  # for keys that are tried
        one = make_board(tables, self.rules, *size)
        self.many = one._replace(
            **{
                name: np.repeat(array[None], boards, axis=0)
                for name, array in one._asdict().items()
                if name not in SHARED
            }
        )
        self.sight = self._sight(boards)
        self.keys = np.array([number_of(letter) for letter in self.letters], np.int64)
        self.first = Random(self.game.seed).begun()
        self.fresh, self.won = np.ones(boards, np.bool_), np.zeros(boards, np.bool_)
        self.steps = np.zeros(boards, np.int64)

    def _sight(self, boards: int) -> Sight:
        sets, objects = self.game.cells.words, len(self.game.cells.names)
        known, code = np.zeros((SLOTS, sets.shape[1]), np.uint64), np.full(SLOTS, -1, np.int64)
        with np.errstate(over="ignore"):
            for tile, words in enumerate(sets):
                slot = slot_of(known, code, words)
                known[slot], code[slot] = words, tile
        top = np.array([self.game.cells.code_of_top(n) for n in range(objects)], np.int64)
        return Sight(known, code, top, np.zeros((boards, self.size[0] * self.size[1]), np.uint8))

    def load(self, boards: Boards, grids: Grid) -> None:
        columns = grids.transpose(0, 2, 1).reshape(len(boards), self.size[0] * self.size[1])
        cells = self.game.cells.words[columns]
        put_boards(self.rules, self.many, np.asarray(boards, np.int64), cells, self.first)
        self.fresh[boards], self.won[boards], self.steps[boards] = True, False, 0
        if self.game.program.tables.start_turn:
            kinds = np.full(len(self.fresh), IDLE, np.int64)
            kinds[boards] = START
            self._play(np.full(len(self.fresh), -1, np.int64), kinds)

    def _play(self, keys: NDArray[np.int64], kinds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Plays a turn on each board that is not idle; returns what comes of it."""
        outcomes = np.zeros(len(keys), np.int64)
        turn_boards(self.rules, self.many, keys, kinds, outcomes)
        if (outcomes & STOPPED).any():
            raise endless(self.size[0] * self.size[1])
        return outcomes

    def reveal(self, boards: Boards) -> Grid:
        self.fresh[boards] = False
        return np.array([self.grid(board) for board in boards.tolist()], np.uint8).reshape(-1, *self.size)

    def step(self, actions: NDArray[np.int64], out: Out) -> None:
        played = ~self.fresh
        came = self._play(self.keys[actions], np.where(played, PLAY, IDLE))
        self.won |= (came & WON) != 0
        self.steps += played
        solved = played & self.won
        out.rewards[:] = np.where(played, self.values["step"], 0.0) + np.where(
            solved, self.values["solved"], 0.0
        )
        out.terminated[:] = solved
        out.truncated[:] = played & ~solved & (self.steps >= self.most)
        self.fresh[:] = False
        see_boards(self.many, self.sight, self.size[0], out.views)

    def masks(self, out: NDArray[np.bool_]) -> None:
        for board in range(len(out)):
            here = self.position(board)
            row = [self.game.moved(here, letter, self.engine) is not None for letter in self.letters]
            out[board] = row if any(row) else True  # where none can be made they are all alike

    def position(self, board: int) -> Any:
        """Returns a board as the game's own rules take it."""
        arrays = self.many.objects[board], self.many.kept[board, TARGET], self.many.rng[board]
        return self.game.position(Kept(*(array.copy() for array in arrays)), self.solved(board), self.size)

    def solved(self, board: int) -> bool:
        return bool(self.won[board])

    def grid(self, board: int) -> Grid:
        return self.game.cells.grid(self.many.objects[board], *self.size)

    def gain(self, level: Level) -> float | None:
        return self.values["solved"] if self.values["solved"] >= 0 else None

    def get_state(self) -> dict[str, Any]:
        return {name: deepcopy(vars(self)[name]) for name in STATE}


def arena_of_game(game: PuzzleGame) -> type[Arena]:
    """Returns the arena of a game."""
    walls = [i for i, tile in enumerate(game.tiles) if tile.name == "wall"]
    outside = walls[0] if walls else None
    declared = {"game": game, "letters": game.letters, "codes": len(game.tiles), "outside": outside}
    return type("PuzzleGameArena", (PuzzleArena,), declared)
