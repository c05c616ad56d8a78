"""Play levels: one at a time, or many in one compiled call."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from levelsmith.envs.boards import PlayedBoards
from levelsmith.envs.drawing import METADATA, check_mode, drawn
from levelsmith.envs.options import (
    RESET_MASK,
    Actions,
    Infos,
    Stepped,
    autoreset,
    check_actions,
    check_array,
    check_ended,
    check_mask,
    check_options,
    finals,
    handed,
    masked,
    metadata,
    seeds_of,
)
from levelsmith.errors import LevelsmithError, quoted

FIRST = np.zeros(1, np.int64)  # the one board of a single environment


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
        """Begins the next level, or the one of `options={"level": …}`, a Level or its text."""
        given = check_options(options, ("level",))
        [seed] = seeds_of(seed, 1)
        dealt = [self.table.handed_in(given["level"])] if "level" in given else None
        super().reset(seed=seed)
        self.table.seed([seed])
        self.table.deal(FIRST, dealt)
        view = self.table.reveal(FIRST)[0]
        return view, {name: values[0] for name, values in self.table.begun(FIRST).items()}

    def step(self, action: Any) -> tuple[NDArray[np.uint8], float, bool, bool, Infos]:
        if not self.action_space.contains(action):
            raise LevelsmithError(
                f"expected an action from 0 to {self.table.actions - 1}, got {quoted(action)}"
            )
        self.table.level(0)
        out = self.table.step(np.array([action], np.int64))
        view = out.views.reshape(self.observation_space.shape)
        terminated, truncated = bool(out.terminated[0]), bool(out.truncated[0])
        info: Infos = {"solved": self.table.arena.solved(0)}
        if terminated or truncated:
            info = {name: values[0].item() for name, values in self.table.ended(FIRST).items()}
            info["regret"] = None if isnan(info["regret"]) else info["regret"]
        return view, float(out.rewards[0]), terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which moves are not blocked."""
        masks: NDArray[np.bool_] = self.table.masks()[0]
        return masks

    def get_state(self) -> dict[str, Any]:
        """Returns all that steps and resets change; it can be pickled, and set in another process."""
        rng = None if self._np_random is None else self._np_random.bit_generator.state
        return {**self.table.get_state(), "np_random": rng}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes back to a state that `get_state` returned, of this environment or one made alike."""
        self.table.set_state(state)
        if state["np_random"] is not None:
            self.np_random.bit_generator.state = state["np_random"]

    def render(self) -> Any:
        return drawn(self.table.now(0), self.render_mode, self.scale)

    def close(self) -> None:
        self.table.supply.close()


class PlayVectorEnv(VectorEnv[Any, Actions, Any]):
    """Many levels at once; board `i` of seed `s` plays the levels that `PlayEnv` plays with the seed `s + i`.

    Args:
        autoreset_mode: when a board that has ended gets its next level: "NextStep", in the step after, whose
            action does not count; "SameStep", at once; "Disabled", with `reset` alone.
        observation_as: "numpy", or "torch" for tensors over the same memory.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        render_mode: str | None = None,
        scale: int = 16,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        observation_as: str = "numpy",
        **options: Any,
    ):
        self.render_mode, self.scale = check_mode(render_mode), scale
        self.mode, self.array = autoreset(autoreset_mode), check_array(observation_as)
        self.metadata = metadata(self.mode)
        self.table = PlayedBoards(game, num_envs, **options)
        self.num_envs = self.table.boards
        self.single_observation_space = self.table.view
        self.single_action_space = gym.spaces.Discrete(self.table.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        none = np.zeros(0, np.int64)
        self.over = none  # boards that have ended: dealt anew already, or where nobody does, to be reset
        self.seen = np.zeros(self.observation_space.shape or (), np.uint8)  # the last views

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Infos]:
        """Begins the next levels of all boards, or of those in `options["reset_mask"]`, an array of bools.

        `options["levels"]` has a level for each of these boards, a Level or its text, or None for its next.
        """
        given = check_options(options, ("levels", RESET_MASK))
        boards = check_mask(given.get(RESET_MASK), self.num_envs, bool(self.table.seeds))
        levels = self.table.all_handed_in(given["levels"], len(boards)) if "levels" in given else None
        seeds = seeds_of(seed, self.num_envs)
        reset = set(boards.tolist())
        self.table.seed([each if board in reset else None for board, each in enumerate(seeds)])
        waiting = set(self.over.tolist()) if self.mode == AutoresetMode.NEXT_STEP else set()
        waiting = {board for board in waiting & reset if seeds[board] is None}  # dealt but not shown yet
        if levels is not None:
            for board in waiting:  # it is put back
                self.table.numbers[board] -= self.table.keys[board] is not None
            waiting = set()
        self.table.deal(
            np.array([board for board in boards.tolist() if board not in waiting], np.int64), levels
        )
        self.over = np.array([board for board in self.over.tolist() if board not in reset], np.int64)
        self.seen = self.seen.copy()
        self.seen[boards] = self.table.reveal(boards)
        return handed(self.array, self.seen), masked(self.num_envs, boards, self.table.begun(boards))

    def step(self, actions: Actions) -> Stepped:
        actions = check_actions(actions, self.num_envs, self.table.actions)
        self.table.level(0)
        if self.mode == AutoresetMode.DISABLED:
            check_ended(self.over)
        out = self.table.step(actions)
        infos: Infos = {}
        if len(self.over):
            infos = masked(self.num_envs, self.over, self.table.begun(self.over))
        view = out.views.reshape(self.seen.shape)
        self.over = np.flatnonzero(out.terminated | out.truncated)
        if len(self.over):
            infos |= self._ended(view)
        self.seen = view
        told = out.rewards, out.terminated, out.truncated
        return handed(self.array, view), *(handed(self.array, each) for each in told), infos

    def _ended(self, view: NDArray[np.uint8]) -> Infos:
        """Returns what the ends of episodes tell, and deals the next levels, which the same step may show."""
        over = self.over
        infos = masked(self.num_envs, over, self.table.ended(over))
        infos["_regret"] &= ~np.isnan(infos["regret"])
        if self.mode == AutoresetMode.DISABLED:
            return infos
        self.table.deal(over)
        if self.mode == AutoresetMode.NEXT_STEP:
            return infos
        ends = finals(self.array, view, over, infos)
        view[over] = self.table.reveal(over)
        self.over = over[:0]
        return {**ends, **masked(self.num_envs, over, self.table.begun(over))}

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which moves are not blocked, `[boards, actions]`."""
        return self.table.masks()

    def get_state(self) -> dict[str, Any]:
        """Returns all that steps and resets change; it can be pickled, and set in another process."""
        return {**self.table.get_state(), "over": self.over.copy(), "seen": self.seen.copy()}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes back to a state that `get_state` returned, of this vector or one made alike."""
        self.table.set_state(state)
        self.over, self.seen = state["over"].copy(), state["seen"].copy()

    def render(self) -> tuple[Any, ...]:
        return tuple(drawn(self.table.now(i), self.render_mode, self.scale) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        self.table.supply.close()
