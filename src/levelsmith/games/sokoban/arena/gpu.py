"""Sokoban boards that live on a GPU: levels, moves, rewards and what is seen of them stay there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Size
from levelsmith.games.sokoban.arena.arena import SokobanArena
from levelsmith.games.sokoban.arena.kernels import gpu as kernels
from levelsmith.kernels.gpu import OnCard, Replay, fill, in_threads, new_array, on_device, shared_array

BLOCK = 128  # threads that are started together
OUTS = 2  # what a step gave stays as it is until the step after the next
NOT_KNOWN = -1

Boards = NDArray[np.int64]  # [N] numbers of boards
Flags = NDArray[np.bool_]  # [N]


class LevelFacts(NamedTuple):
    """What is told of levels."""

    place: NDArray[np.int32]  # [N] which of the set
    number: NDArray[np.int32]  # [N] which of its seed
    optimal: NDArray[np.int32]  # [N] steps of a shortest solution, or NOT_KNOWN
    best: NDArray[np.float64]  # [N] the highest return, or nan
    difficulty: NDArray[np.float64]  # [N] or nan


class CardStep(NamedTuple):
    """What a step gave, as arrays on the GPU."""

    out: kernels.CardOut
    views: Any  # [boards, H, W] or [boards, planes, H, W] uint8
    last: Any  # as views, of boards that have ended; with `same_step` alone
    rewards: Any  # [boards] float64
    terminated: Any  # [boards] bool
    truncated: Any  # [boards] bool
    over: Any  # [boards] bool: boards that have ended
    new: Any  # [boards] bool: boards that begin
    ends: dict[str, Any]  # by name, of boards that have ended
    starts: dict[str, Any]  # by name, of boards that begin; -1 or nan where something is not known


class SokobanCard:
    """Boards of one size. An action is a place in `letters` of the arena on the processor.

    Args:
        boards: how many.
        size: of each, walls around it included.
        most: steps after which a board is given up.
        rewards: by name.
        planes: of what is seen: 0 for one number a cell, or how many planes of zeros and ones.
        same_step: whether a board that has ended is shown with its next level at once.
    """

    def __init__(
        self, boards: int, size: Size, most: int, rewards: Mapping[str, float], planes: int, same_step: bool
    ):
        cells = size[0] * size[1]
        self.size, self.count = size, boards
        worth = np.array([rewards[name] for name in SokobanArena.rewards], np.float64)
        self.rules = on_device(kernels.Rules(size[1], most, same_step, worth))
        self.boards = on_device(
            kernels.CardBoards(
                np.full((boards, cells), SokobanArena.outside, np.uint8),
                np.zeros((kernels.COUNTS, boards), np.int32),
                np.zeros((kernels.SUMS, boards)),
                np.zeros(boards, np.int64),
            )
        )
        self.levels: kernels.CardLevels = on_device(
            kernels.CardLevels(
                np.zeros((0, cells), np.uint8),
                np.zeros((kernels.COUNTS, 0), np.int32),
                np.zeros((kernels.SUMS, 0)),
            )
        )
        self.wrong = shared_array(1, np.int32)
        self.wrong[0] = 0
        self.shape = (boards, planes, *size) if planes else (boards, *size)
        self.outs = [self._made(same_step) for _ in range(OUTS)]
        self._masks = new_array((boards, len(SokobanArena.letters)), np.bool_)
        self._inboxes: dict[np.dtype[Any], Any] = {}  # where actions of a kind are put
        self._steps: dict[tuple[np.dtype[Any], int], Replay] = {}
        self._look = Replay(kernels.look_all, boards, BLOCK, self.rules, self.boards, self._masks)

    def _made(self, same_step: bool) -> CardStep:
        """Returns arrays for what a step gives."""
        seen = self.count, int(np.prod(self.shape[1:]))
        out = kernels.CardOut(
            new_array(seen, np.uint8),
            new_array(seen if same_step else (1, 1), np.uint8),
            new_array((kernels.FLAGS, self.count), np.bool_),
            new_array((kernels.NUMBERS, self.count), np.float64),
            new_array((kernels.WHOLE, self.count), np.int32),
            self.wrong,
        )
        flags, numbers, whole = out.flags, out.numbers, out.whole
        return CardStep(
            out,
            out.views.reshape(*self.shape),
            out.last.reshape(*self.shape) if same_step else None,
            numbers[kernels.REWARD],
            flags[kernels.TERMINATED],
            flags[kernels.TRUNCATED],
            flags[kernels.ENDED],
            flags[kernels.BEGUN],
            {
                "solved": flags[kernels.SOLVED],
                "return": numbers[kernels.RETURNED],
                "steps": whole[kernels.TAKEN],
                "regret": numbers[kernels.REGRET],
            },
            {
                "index": whole[kernels.INDEX],
                "seed": self.boards.seeds,
                "number": whole[kernels.EPISODE],
                "optimal": whole[kernels.SHORTEST],
                "difficulty": numbers[kernels.RATED],
            },
        )

    def _carried(self, grids: Grid, facts: LevelFacts) -> kernels.CardLevels:
        """Returns levels on the GPU. grids: `[N, H, W]`"""
        start = SokobanArena(len(grids), self.size, 1, SokobanArena.rewards)
        start.load(np.arange(len(grids)), grids)
        counts = np.zeros((kernels.COUNTS, len(grids)), np.int32)
        counts[kernels.PLAYER], counts[kernels.LEFT] = start.arena.player, start.arena.left
        counts[kernels.FRESH] = 1
        counts[kernels.LEVEL], counts[kernels.NUMBER] = facts.place, facts.number + 1
        counts[kernels.OPTIMAL] = facts.optimal
        sums = np.zeros((kernels.SUMS, len(grids)))
        sums[kernels.BEST], sums[kernels.DIFFICULTY] = facts.best, facts.difficulty
        carried: kernels.CardLevels = on_device(kernels.CardLevels(start.arena.tiles, counts, sums))
        return carried

    @staticmethod
    def facts(place: Any, number: Any, optimal: Any, best: Any, difficulty: Any) -> LevelFacts:
        """Returns what is told of levels, from a column for each."""
        return LevelFacts(
            np.asarray(place, np.int32),
            np.asarray(number, np.int32),
            np.asarray(optimal, np.int32),
            np.asarray(best, np.float64),
            np.asarray(difficulty, np.float64),
        )

    def take_set(self, grids: Grid, facts: LevelFacts) -> None:
        """Takes a set of levels, of which boards are dealt from now on. grids: `[N, H, W]`"""
        self.levels = self._carried(grids, facts)
        self._steps.clear()

    def seed(self, seeds: NDArray[np.int64]) -> None:
        """Takes the seeds of all boards, which deal their levels."""
        self.boards.seeds.copy_to_device(seeds)

    def deal(self, boards: Boards, again: Flags) -> None:
        """Puts levels of the set on some boards: the first of their seeds again, or else the next."""
        in_threads(kernels.deal_some, len(boards))(self.boards, self.levels, *on_device((boards, again)))

    def load(self, boards: Boards, again: Flags, grids: Grid, facts: LevelFacts) -> None:
        """Puts levels on some boards. again: where the seed begins again; grids: `[N, H, W]`"""
        given = self._carried(grids, facts)
        in_threads(kernels.load_some, len(boards))(self.boards, *on_device((boards, again)), given)

    def begin(self, boards: Boards) -> CardStep:
        """Returns what a reset gives: new levels of some boards, and the others as they were seen last."""
        before, given = self.outs[-1], self._next()
        given.views.copy_to_device(before.views)
        fill(given.out.flags, np.zeros(given.out.flags.shape, np.bool_))
        self.reveal(boards, given)
        return given

    def reveal(self, boards: Boards, given: CardStep) -> None:
        """Shows new levels of some boards in what a step gave; the next step plays them."""
        in_threads(kernels.reveal_some, len(boards))(self.boards, on_device(boards), given.out)

    def step(self, actions: OnCard | NDArray[np.int64]) -> CardStep:
        """Makes a move on each board and returns what comes of it, without waiting. actions: `[boards]`"""
        kind = actions.kind if isinstance(actions, OnCard) else actions.dtype
        if kind not in self._inboxes:
            self._inboxes[kind] = new_array((self.count,), kind)
        inbox, given = self._inboxes[kind], self._next()
        fill(inbox, actions)
        step = self._steps.get((kind, id(given)))
        if step is None:
            about = self.rules, self.boards, self.levels, inbox, given.out
            threads = self.count * kernels.SHARE
            step = self._steps[kind, id(given)] = Replay(kernels.step_all, threads, BLOCK, *about)
        step()
        return given

    def was_wrong(self) -> bool:
        """Returns whether some step had an action that is none, so far as is known without waiting."""
        if not self.wrong[0]:
            return False
        self.wrong[0] = 0
        return True

    def _next(self) -> CardStep:
        """Returns what is to be written now: what was given longest ago. The last of `outs` is the newest."""
        self.outs.append(self.outs.pop(0))
        return self.outs[-1]

    def masks(self) -> Any:
        """Returns which actions are not blocked, `[boards, actions]`."""
        self._look()
        return self._masks

    def grid(self, board: int) -> Grid:
        """Returns a board as it stands."""
        grid: Grid = self.boards.tiles[board].copy_to_host().reshape(self.size)
        return grid

    def index(self, board: int) -> int:
        """Returns which level of the set a board has; NOT_KNOWN where it is none of them."""
        return int(self.boards.counts[kernels.LEVEL, board])
