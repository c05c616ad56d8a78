"""Design levels step by step, as in PCGRL (Khalifa et al., 2020): one at a time, or many in one call.

With targets, as in controllable PCGRL (Earle et al., 2021): each episode has numbers that metrics are to be,
and the agent sees for each whether it is too much, right or too little.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

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
from levelsmith.envs.workshop import Workshop
from levelsmith.errors import LevelsmithError, quoted

FIRST = np.zeros(1, np.int64)  # the one board of a single environment


class DesignEnv(gym.Env[NDArray[np.uint8], np.int64]):
    """One level at a time; see `Workshop` for the options. The reward is the change of the score."""

    metadata = METADATA

    def __init__(
        self, game: str, representation: str, render_mode: str | None = None, scale: int = 16, **options: Any
    ):
        self.render_mode, self.scale = check_mode(render_mode), scale
        self.workshop = Workshop(game, representation, 1, **options)
        self.observation_space = self.workshop.view
        self.action_space = gym.spaces.Discrete(self.workshop.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], Infos]:
        """Begins a level; `options={"targets": {…}}` has numbers in place of drawn targets."""
        given = check_options(options, ("targets",))
        [seed] = seeds_of(seed, 1)
        super().reset(seed=seed)
        view = self.workshop.begin(FIRST, [seed], given.get("targets"))[0]
        return view, self.workshop.info(0)

    def step(self, action: Any) -> tuple[NDArray[np.uint8], float, bool, bool, Infos]:
        if not self.action_space.contains(action):
            last = self.workshop.actions - 1
            raise LevelsmithError(f"expected an action from 0 to {last}, got {quoted(action)}")
        self.workshop.check_begun()
        views, out = self.workshop.step(np.array([action], np.int64))
        ended = bool(out.terminated[0]), bool(out.truncated[0])
        return views[0], float(out.rewards[0]), *ended, self.workshop.info(0)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are open."""
        masks: NDArray[np.bool_] = self.workshop.masks()[0]
        return masks

    def get_state(self) -> dict[str, Any]:
        """Returns all that steps and resets change; it can be pickled, and set in another process."""
        rng = None if self._np_random is None else self._np_random.bit_generator.state
        return {**self.workshop.get_state(), "np_random": rng}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes back to a state that `get_state` returned, of this environment or one made alike."""
        self.workshop.set_state(state)
        if state["np_random"] is not None:
            self.np_random.bit_generator.state = state["np_random"]

    def render(self) -> Any:
        self.workshop.check_begun()
        return drawn(self.workshop.level(0), self.render_mode, self.scale)


class DesignVectorEnv(VectorEnv[Any, Actions, Any]):
    """Many levels at once; board `i` of seed `s` is what `DesignEnv` does with the seed `s + i`.

    The scores are in `infos`; `workshop.info(i)` has the metrics and the level of a board.

    Args:
        autoreset_mode: when a board that has ended begins afresh: "NextStep", in the step after, whose action
            does not count; "SameStep", at once; "Disabled", with `reset` alone.
        observation_as: "numpy", or "torch" for tensors over the same memory.
    """

    def __init__(
        self,
        game: str,
        representation: str,
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
        self.workshop = Workshop(game, representation, num_envs, **options)
        self.num_envs = self.workshop.boards
        self.single_observation_space = self.workshop.view
        self.single_action_space = gym.spaces.Discrete(self.workshop.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.every = np.ones(self.num_envs, np.bool_)
        self.over = np.zeros(0, np.int64)  # boards that have ended, where the next step does not begin them
        self.seen = np.zeros(self.observation_space.shape or (), np.uint8)  # the last views

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Infos]:
        """Begins levels on all boards, or on those in `options["reset_mask"]`, an array of bools.

        `options["targets"]` has numbers in place of drawn targets, by metric, one for all boards or one each.
        """
        given = check_options(options, ("targets", RESET_MASK))
        boards = check_mask(given.get(RESET_MASK), self.num_envs, self.workshop.begun)
        views = self.workshop.begin(boards, seeds_of(seed, self.num_envs), given.get("targets"))
        self.seen = self.seen.copy()
        self.seen[boards] = views
        self.over = np.setdiff1d(self.over, boards)
        return handed(self.array, self.seen), self._infos()

    def _infos(self) -> Infos:
        return {
            "score": self.workshop.designs.scores.copy(),
            "_score": self.every,
            **self.workshop.aims(slice(None)),
        }

    def step(self, actions: Actions) -> Stepped:
        actions = check_actions(actions, self.num_envs, self.workshop.actions)
        self.workshop.check_begun()
        if self.mode == AutoresetMode.DISABLED:
            check_ended(self.over)
        views, out = self.workshop.step(actions)
        infos: Infos = {}
        if self.mode != AutoresetMode.NEXT_STEP:
            self.over = np.flatnonzero(out.terminated | out.truncated)
            if self.mode == AutoresetMode.SAME_STEP and len(self.over):
                infos = self._begun_again(views)
        infos |= self._infos()
        self.seen = views
        told = out.rewards, out.terminated, out.truncated
        return handed(self.array, views), *(handed(self.array, each) for each in told), infos

    def _begun_again(self, views: NDArray[np.uint8]) -> Infos:
        """Returns how boards ended, and begins them afresh."""
        over, self.over = self.over, self.over[:0]
        last = masked(self.num_envs, over, {"score": self.workshop.designs.scores[over]})
        ends = finals(self.array, views, over, last)
        views[over] = self.workshop.begin_again(over)
        return ends

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are open, `[boards, actions]`."""
        return self.workshop.masks()

    def get_state(self) -> dict[str, Any]:
        """Returns all that steps and resets change; it can be pickled, and set in another process."""
        return {**self.workshop.get_state(), "ended": self.over.copy(), "seen": self.seen.copy()}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes back to a state that `get_state` returned, of this vector or one made alike."""
        self.workshop.set_state(state)
        self.over, self.seen = state["ended"].copy(), state["seen"].copy()

    def render(self) -> tuple[Any, ...]:
        self.workshop.check_begun()
        return tuple(
            drawn(self.workshop.level(i), self.render_mode, self.scale) for i in range(self.num_envs)
        )
