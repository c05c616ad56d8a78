"""What environments share that play levels and that design them: one board, or many in one compiled call."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from levelsmith.core import Level
from levelsmith.envs.options import (
    METADATA,
    Actions,
    Infos,
    Stepped,
    autoreset,
    check_actions,
    check_array,
    check_ended,
    check_mode,
    handed,
)
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.kernels.arena import Out

if TYPE_CHECKING:
    from levelsmith.envs.boards import PlayedBoards
    from levelsmith.envs.workshop import Workshop

FIRST = np.zeros(1, np.int64)  # the one board of a single environment


class LevelEnv(gym.Env[NDArray[np.uint8], np.int64]):
    """One level at a time, on one board."""

    metadata = METADATA

    def __init__(self, render_mode: str | None, scale: int):
        self.render_mode, self.scale = check_mode(render_mode), scale

    def show(self, boards: PlayedBoards | Workshop) -> None:
        """Takes the board that is shown from now on."""
        self.boards = boards
        self.observation_space = boards.view
        self.action_space = gym.spaces.Discrete(boards.actions)

    def step(self, action: Any) -> tuple[NDArray[np.uint8], float, bool, bool, Infos]:
        if not self.action_space.contains(action):
            last = self.boards.actions - 1
            raise LevelsmithError(f"expected an action from 0 to {last}, got {quoted(action)}")
        self.boards.check_begun()
        views, out = self.boards.step(np.array([action], np.int64))
        ended = bool(out.terminated[0]), bool(out.truncated[0])
        return views[0], float(out.rewards[0]), *ended, self._info(any(ended))

    @abstractmethod
    def _info(self, ended: bool) -> Infos:
        """Returns what a step says besides."""

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are open."""
        masks: NDArray[np.bool_] = self.boards.masks()[0]
        return masks

    def get_state(self) -> dict[str, Any]:
        """Returns all that steps and resets change; it can be pickled, and set in another process."""
        rng = None if self._np_random is None else self._np_random.bit_generator.state
        return {**self.boards.get_state(), "np_random": rng}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes back to a state that `get_state` returned, of this environment or one made alike."""
        self.boards.set_state(state)
        if state["np_random"] is not None:
            self.np_random.bit_generator.state = state["np_random"]

    def render(self) -> Any:
        self.boards.check_begun()
        return drawn(self.boards.now(0), self.render_mode, self.scale)


class BatchedEnv(VectorEnv[Any, Any, Any]):
    """Many levels at once, on the processor or elsewhere."""

    def __init__(self, render_mode: str | None, scale: int, mode: AutoresetMode | str):
        self.render_mode, self.scale = check_mode(render_mode), scale
        self.mode = autoreset(mode)
        self.metadata = {**METADATA, "autoreset_mode": self.mode}

    def show(self, boards: PlayedBoards | Workshop, number: int) -> None:
        """Takes the boards that so many environments are like."""
        self.num_envs = number
        self.single_observation_space = boards.view
        self.single_action_space = gym.spaces.Discrete(boards.actions)

    @cached_property
    def observation_space(self) -> gym.Space[Any]:  # type: ignore[override]
        """The space of all views: as large as a view of all boards, so it is made when it is asked for."""
        return batch_space(self.single_observation_space, self.num_envs)

    @cached_property
    def action_space(self) -> gym.Space[Any]:  # type: ignore[override]
        return batch_space(self.single_action_space, self.num_envs)


class LevelVectorEnv(BatchedEnv):
    """Many levels at once, a board each."""

    OVER = "over"  # what a state calls the boards that have ended

    def __init__(self, render_mode: str | None, scale: int, mode: AutoresetMode | str, array: str):
        super().__init__(render_mode, scale, mode)
        self.array = check_array(array)

    def show(self, boards: PlayedBoards | Workshop, number: int = 0) -> None:
        super().show(boards, boards.boards)
        self.boards = boards
        self.over = FIRST[:0]  # boards that have ended: to be reset, or to be shown their next level
        self.seen = np.zeros((boards.boards, *(boards.view.shape or ())), np.uint8)  # the last views

    def step(self, actions: Actions) -> Stepped:
        actions = check_actions(actions, self.num_envs, self.boards.actions)
        self.boards.check_begun()
        if self.mode == AutoresetMode.DISABLED:
            check_ended(self.over)
        views, out = self.boards.step(actions)
        infos = self._infos(views, out)
        self.seen = views
        told = out.rewards, out.terminated, out.truncated
        return handed(self.array, views), *(handed(self.array, each) for each in told), infos

    @abstractmethod
    def _infos(self, views: NDArray[np.uint8], out: Out) -> Infos:
        """Returns what a step says besides, once boards that have ended begin again, as the mode says: in
        `views` where the same step shows it."""

    def _shown_again(self, boards: NDArray[np.int64], views: NDArray[np.uint8]) -> Any:
        """Returns the last views of all boards, of which some were begun afresh by a reset."""
        self.seen = self.seen.copy()
        self.seen[boards] = views
        self.over = np.setdiff1d(self.over, boards)
        return handed(self.array, self.seen)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are open, `[boards, actions]`."""
        return self.boards.masks()

    def get_state(self) -> dict[str, Any]:
        """Returns all that steps and resets change; it can be pickled, and set in another process."""
        return {**self.boards.get_state(), self.OVER: self.over.copy(), "seen": self.seen.copy()}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes back to a state that `get_state` returned, of this vector or one made alike."""
        self.boards.set_state(state)
        self.over, self.seen = state[self.OVER].copy(), state["seen"].copy()

    def render(self) -> tuple[Any, ...]:
        self.boards.check_begun()
        return tuple(drawn(self.boards.now(i), self.render_mode, self.scale) for i in range(self.num_envs))


def drawn(level: Level, mode: str | None, scale: int) -> Any:
    """Returns an array `[H, W, 3]`, text, or None where no mode was asked for."""
    if mode == "ansi":
        return level.text
    if mode is None:
        return None
    from levelsmith.levels.formats.picture import image

    return np.asarray(image(level, scale=scale))
