"""Play levels: one at a time, or many in one compiled call."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from levelsmith.contracts import Arena
from levelsmith.core import Level
from levelsmith.curricula.ramp import Stages
from levelsmith.envs.drawing import METADATA, check_mode, drawn
from levelsmith.envs.pool import Key
from levelsmith.envs.supply import Files, padded, shown, supply
from levelsmith.errors import LevelsmithError, quoted, unknown
from levelsmith.kernels.arena import Out, make_out
from levelsmith.levels.splits import Shares
from levelsmith.numbers import check_seed
from levelsmith.registry import arenas, arenas_by_game

VIEWS = ("tiles", "planes")
VECTOR_METADATA = {**METADATA, "autoreset_mode": AutoresetMode.NEXT_STEP}
Actions = NDArray[np.int64]
Infos = dict[str, Any]


class PlayedBoards:
    """Boards with levels on them, and where the next ones come from; what both kinds of environments share.

    Args:
        game: one that has an arena.
        boards: how many.
        levels: files or levels to play instead of generated ones.
        count: how many levels to make and use again and again; None for a new one each time.
        level_seed: what those are made from.
        curriculum: from easy to hard; True, or the metric whose range is gone through.
        splits: the shares of train and test, or of train, validation and test, into which all levels fall.
        split: the one whose levels are played.
        unlike: files or levels that are never played, turned or mirrored or not.
        max_steps: moves after which an episode is cut off.
        rewards: those that differ from the arena's own, by name.
        observation: "tiles", a number for each cell, or "planes", a plane of zeros and ones for each number.
        choices: size, preset, search, evaluations, parameters of the generator, ranges of metrics.
    """

    def __init__(
        self,
        game: str,
        boards: int,
        *,
        levels: Files | None = None,
        count: int | None = None,
        level_seed: int = 0,
        curriculum: str | bool | None = None,
        splits: Shares | None = None,
        split: str | None = None,
        unlike: Files = (),
        max_steps: int = 200,
        rewards: Mapping[str, float] | None = None,
        observation: str = "tiles",
        **choices: Any,
    ):
        kind = _arena(game)
        for name, value in {"num_envs": boards, "max_steps": max_steps}.items():
            if not isinstance(value, int) or value < 1:
                raise LevelsmithError(
                    f"expected a whole number of at least 1 for {name}, got {quoted(value)}"
                )
        if observation not in VIEWS:
            raise unknown("observation", observation, VIEWS)
        for name in rewards or {}:
            if name not in kind.rewards:
                raise unknown("reward", name, kind.rewards)
        self.supply = supply(
            game,
            boards,
            levels=levels,
            count=count,
            level_seed=level_seed,
            curriculum=curriculum,
            splits=splits,
            split=split,
            unlike=unlike,
            practice=kind.practice,
            choices=choices,
        )
        self.arena = kind(boards, self.supply.size, max_steps, {**kind.rewards, **(rewards or {})})
        self.curriculum = Stages(self.supply.stages)
        self.staged = self.supply.stages > 1
        self.boards = boards
        self.actions = len(kind.letters)
        self.planes = kind.codes if observation == "planes" else 0
        shape = (kind.codes, *self.supply.size) if self.planes else self.supply.size
        self.view = gym.spaces.Box(0, 1 if self.planes else kind.codes - 1, shape, np.uint8)
        self.levels: list[Level | None] = [None] * boards
        self.seeds: list[int] = []
        self.numbers = [0] * boards

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Begins the levels of other seeds; where one is None the board goes on with its own."""
        seeds = [None if seed is None else check_seed(seed) for seed in seeds]
        if not self.seeds:
            self.seeds = [secrets.randbits(32) for _ in range(self.boards)]
        for board, seed in enumerate(seeds):
            if seed is not None:
                self.seeds[board] = seed
                self.numbers[board] = 0
        if any(seed is not None for seed in seeds):
            self.supply.forget()
            self.curriculum.restart()

    def deal(self, boards: NDArray[np.int64]) -> None:
        """Puts the next level on each of some boards."""
        if len(boards) == 0:
            return
        keys = [Key(self.curriculum.stage, self.seeds[b], self.numbers[b]) for b in boards.tolist()]
        levels = self.supply.take(keys)
        size, outside = self.supply.size, self.arena.outside
        self.arena.load(boards, np.stack([padded(level, size, outside) for level in levels]))
        for board, level in zip(boards.tolist(), levels, strict=True):
            self.levels[board] = level
            self.numbers[board] += 1

    def step(self, actions: Actions) -> Out:
        """One step of all boards; those that were just dealt are only shown."""
        height, width = self.supply.size
        out = make_out(self.boards, height * width, self.planes)
        self.arena.step(actions, out)
        if self.staged:
            for board in np.flatnonzero(out.terminated | out.truncated).tolist():
                self.curriculum.record(self.arena.solved(board))
        return out

    def masks(self) -> NDArray[np.bool_]:
        masks = np.zeros((self.boards, self.actions), np.bool_)
        self.arena.masks(masks)
        return masks

    def info(self, board: int) -> Infos:
        """Returns what a reset says about the level of a board."""
        level = self.level(board)
        told: Infos = {
            "level": level,
            "solution": level.solution,
            "seed": self.seeds[board],
            "number": self.numbers[board] - 1,
        }
        return {**told, "stage": self.curriculum.stage} if self.staged else told

    def now(self, board: int) -> Level:
        """Returns the level of a board as it stands."""
        return shown(self.level(board), self.arena.grid(board))

    def level(self, board: int) -> Level:
        """Returns the level that a board began with."""
        level = self.levels[board]
        if level is None:
            raise LevelsmithError("there is no level yet; call reset first")
        return level


def _arena(game: str) -> type[Arena]:
    named = arenas_by_game()
    if game not in named:
        raise unknown("game to play", game, named)
    return arenas.get(named[game])


class PlayEnv(gym.Env[NDArray[np.uint8], np.int64]):
    """One level at a time; see `PlayedBoards` for the options."""

    metadata = METADATA

    def __init__(self, game: str, render_mode: str | None = None, scale: int = 16, **options: Any):
        self.render_mode, self.scale = check_mode(render_mode), scale
        self.table = PlayedBoards(game, 1, **options)
        self.observation_space = self.table.view
        self.action_space = gym.spaces.Discrete(self.table.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], Infos]:
        super().reset(seed=seed)
        self.table.seed([seed])
        self.table.deal(np.zeros(1, np.int64))
        out = self.table.step(np.zeros(1, np.int64))
        return out.views.reshape(self.observation_space.shape), self.table.info(0)

    def step(self, action: Any) -> tuple[NDArray[np.uint8], float, bool, bool, Infos]:
        if not self.action_space.contains(action):
            raise LevelsmithError(
                f"expected an action from 0 to {self.table.actions - 1}, got {quoted(action)}"
            )
        self.table.level(0)
        out = self.table.step(np.array([action], np.int64))
        view = out.views.reshape(self.observation_space.shape)
        info = {"solved": self.table.arena.solved(0)}
        return view, float(out.rewards[0]), bool(out.terminated[0]), bool(out.truncated[0]), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which moves are not blocked."""
        masks: NDArray[np.bool_] = self.table.masks()[0]
        return masks

    def render(self) -> Any:
        return drawn(self.table.now(0), self.render_mode, self.scale)

    def close(self) -> None:
        self.table.supply.close()


class PlayVectorEnv(VectorEnv[NDArray[np.uint8], Actions, NDArray[Any]]):
    """Many levels at once; board `i` of seed `s` plays the levels that `PlayEnv` plays with the seed `s + i`.

    A board that has ended gets its next level in the step after, whose action does not count.
    """

    metadata = VECTOR_METADATA

    def __init__(
        self, game: str, num_envs: int = 1, render_mode: str | None = None, scale: int = 16, **options: Any
    ):
        self.render_mode, self.scale = check_mode(render_mode), scale
        self.table = PlayedBoards(game, num_envs, **options)
        self.num_envs = num_envs
        self.single_observation_space = self.table.view
        self.single_action_space = gym.spaces.Discrete(self.table.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.dealt = np.zeros(0, np.int64)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], Infos]:
        seeds = seeds_of(seed, self.num_envs)
        self.table.seed(seeds)
        waiting = {board for board in self.dealt.tolist() if seeds[board] is None}  # dealt but not shown yet
        self.table.deal(np.array([board for board in range(self.num_envs) if board not in waiting], np.int64))
        self.dealt = np.arange(self.num_envs)
        view, *_, infos = self._stepped(np.zeros(self.num_envs, np.int64))
        return view, infos

    def step(
        self, actions: Actions
    ) -> tuple[NDArray[np.uint8], NDArray[Any], NDArray[Any], NDArray[Any], Infos]:
        actions = np.asarray(actions, np.int64)
        if actions.shape != (self.num_envs,) or actions.min() < 0 or actions.max() >= self.table.actions:
            raise LevelsmithError(
                f"expected {self.num_envs} actions from 0 to {self.table.actions - 1}, "
                f"got {quoted(actions.tolist())}"
            )
        self.table.level(0)
        return self._stepped(actions)

    def _stepped(
        self, actions: Actions
    ) -> tuple[NDArray[np.uint8], NDArray[Any], NDArray[Any], NDArray[Any], Infos]:
        out = self.table.step(actions)
        infos = self._begun() if len(self.dealt) else {}
        self.dealt = np.flatnonzero(out.terminated | out.truncated)
        if len(self.dealt):
            solved = np.zeros(self.num_envs, np.bool_)
            solved[self.dealt] = [self.table.arena.solved(board) for board in self.dealt.tolist()]
            infos["solved"] = solved
            self.table.deal(self.dealt)
        view = out.views.reshape(self.observation_space.shape or ())
        return view, out.rewards, out.terminated, out.truncated, infos

    def _begun(self) -> Infos:
        """Returns what a reset says, of the boards that were just dealt."""
        told = [self.table.info(board) for board in self.dealt.tolist()]
        begun = np.zeros(self.num_envs, np.bool_)
        begun[self.dealt] = True
        infos: Infos = {}
        for name in told[0]:
            infos[name], infos[f"_{name}"] = np.full(self.num_envs, None, object), begun
            for board, info in zip(self.dealt.tolist(), told, strict=True):
                infos[name][board] = info[name]
        return infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which moves are not blocked, `[boards, actions]`."""
        return self.table.masks()

    def render(self) -> tuple[Any, ...]:
        return tuple(drawn(self.table.now(i), self.render_mode, self.scale) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        self.table.supply.close()


def seeds_of(seed: int | Sequence[int | None] | None, boards: int) -> list[int | None]:
    """Returns a seed for each board, counted on from the first, as Gymnasium does."""
    if seed is None:
        return [None] * boards
    if isinstance(seed, int | np.integer):
        return [int(seed) + i for i in range(boards)]
    if len(seed) != boards:
        raise LevelsmithError(f"expected {boards} seeds, got {len(seed)}")
    return list(seed)
