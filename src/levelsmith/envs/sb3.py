"""Vectors of environments for Stable-Baselines3: `vec_env("Sokoban", 64, size=(5, 5), boxes=1)`.

The boards stay in one compiled vector, where `SubprocVecEnv` would have a process for each.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from levelsmith.envs import register
from levelsmith.errors import LevelsmithError

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError:
    raise LevelsmithError(
        'levelsmith.envs.sb3 needs Stable-Baselines3; try: pip install "levelsmith[agents]"'
    ) from None


def vec_env(name: str, boards: int, *, seed: int | None = None, **options: Any) -> LevelVecEnv:
    """Returns an environment of this package as a `VecEnv`.

    Args:
        name: such as "levelsmith/Sokoban-v0", or without what stands before the slash and after the dash.
        boards: how many.
        seed: of the first board, the others count on.
        options: of the environment.
    """
    register()
    called = name if "/" in name else f"levelsmith/{name}-v0"
    made = gym.make_vec(
        called,
        num_envs=boards,
        vectorization_mode="vector_entry_point",
        autoreset_mode=AutoresetMode.SAME_STEP,
        **options,
    )
    return LevelVecEnv(made, seed)


class LevelVecEnv(VecEnv):  # type: ignore[misc,unused-ignore]
    """A vector that resets in the same step, as Stable-Baselines3 takes it: an info for each board."""

    def __init__(self, vector: Any, seed: int | None):
        self.vector = vector
        self.render_mode = vector.render_mode
        super().__init__(vector.num_envs, vector.single_observation_space, vector.single_action_space)
        self.next_seed = seed
        self.actions: NDArray[np.int64] = np.zeros(vector.num_envs, np.int64)
        self.begun = time.time()
        self.gained, self.steps = np.zeros(vector.num_envs), np.zeros(vector.num_envs, np.int64)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Sets the seed of the next reset."""
        self.next_seed = seed
        return [None if seed is None else seed + i for i in range(self.num_envs)]

    def reset(self) -> NDArray[np.uint8]:
        views, infos = self.vector.reset(seed=self.next_seed)
        self.next_seed = None
        self.reset_infos = [_row(infos, board) for board in range(self.num_envs)]
        self.gained[:], self.steps[:] = 0.0, 0
        seen: NDArray[np.uint8] = views
        return seen

    def step_async(self, actions: NDArray[np.int64]) -> None:
        self.actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        views, rewards, terminated, truncated, infos = self.vector.step(self.actions)
        over = terminated | truncated
        self.gained += rewards
        self.steps += 1
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        now = round(time.time() - self.begun, 6)
        for board in np.flatnonzero(over).tolist():
            self.reset_infos[board] = _row(infos, board)
            told[board] = {
                **_row(infos["final_info"], board),
                "terminal_observation": infos["final_obs"][board],
                "TimeLimit.truncated": bool(truncated[board]),
                "episode": {"r": float(self.gained[board]), "l": int(self.steps[board]), "t": now},
            }
        self.gained[over], self.steps[over] = 0.0, 0
        return views, rewards.astype(np.float32), over, told

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are open, `[boards, actions]`."""
        masks: NDArray[np.bool_] = self.vector.action_masks()
        return masks

    def close(self) -> None:
        self.vector.close()

    def get_images(self) -> Sequence[Any]:
        return list(self.vector.render())

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        if attr_name == "action_masks":
            return [lambda board=board: self.action_masks()[board] for board in self._get_indices(indices)]
        return [getattr(self.vector, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise LevelsmithError(
            f"boards of one vector have no attributes of their own to set, got {attr_name!r}"
        )

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Calls a method for each board; `action_masks` is the one that boards have."""
        if method_name != "action_masks":
            raise LevelsmithError(
                f"boards of one vector have the method action_masks alone, got {method_name!r}"
            )
        masks = self.action_masks()
        return [masks[board] for board in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]


def _row(infos: dict[str, Any], board: int) -> dict[str, Any]:
    """Returns what a vector's infos tell of one board."""
    named = (name for name in infos if f"_{name}" in infos and name != "final_info")
    return {name: infos[name][board] for name in named if infos[f"_{name}"][board]}
