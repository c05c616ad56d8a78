"""Design levels step by step, as in PCGRL (Khalifa et al., 2020): one at a time, or many in one call.

With targets, as in controllable PCGRL (Earle et al., 2021): each episode has numbers that metrics are to be,
and the agent sees for each whether it is too much, right or too little.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from levelsmith.envs.base import FIRST, LevelEnv, LevelVectorEnv
from levelsmith.envs.options import RESET_MASK, Infos, check_mask, check_options, finals, masked, seeds_of
from levelsmith.envs.workshop import Workshop
from levelsmith.kernels.arena import Out


class DesignEnv(LevelEnv):
    """One level at a time; see `Workshop` for the options. The reward is the change of the score."""

    def __init__(
        self, game: str, representation: str, render_mode: str | None = None, scale: int = 16, **options: Any
    ):
        super().__init__(render_mode, scale)
        self.workshop = Workshop(game, representation, 1, **options)
        self.show(self.workshop)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], Infos]:
        """Begins a level; `options={"targets": {…}}` has numbers in place of drawn targets."""
        given = check_options(options, ("targets",))
        [seed] = seeds_of(seed, 1)
        super().reset(seed=seed)
        view = self.workshop.begin(FIRST, [seed], given.get("targets"))[0]
        return view, self.workshop.info(0)

    def _info(self, ended: bool) -> Infos:
        return self.workshop.info(0)


class DesignVectorEnv(LevelVectorEnv):
    """Many levels at once; board `i` of seed `s` is what `DesignEnv` does with the seed `s + i`.

    The scores are in `infos`; `workshop.info(i)` has the metrics and the level of a board.

    Args:
        autoreset_mode: when a board that has ended begins afresh: "NextStep", in the step after, whose action
            does not count; "SameStep", at once; "Disabled", with `reset` alone.
        observation_as: "numpy", or "torch" for tensors over the same memory.
    """

    OVER = "ended"  # "over" is what the boards themselves call those of the next step

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
        super().__init__(render_mode, scale, autoreset_mode, observation_as)
        self.workshop = Workshop(game, representation, num_envs, **options)
        self.show(self.workshop)
        self.every = np.ones(self.num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Infos]:
        """Begins levels on all boards, or on those in `options["reset_mask"]`, an array of bools.

        `options["targets"]` has numbers in place of drawn targets, by metric, one for all boards or one each.
        """
        given = check_options(options, ("targets", RESET_MASK))
        boards = check_mask(given.get(RESET_MASK), self.num_envs, self.workshop.begun)
        views = self.workshop.begin(boards, seeds_of(seed, self.num_envs), given.get("targets"))
        return self._shown_again(boards, views), self._scores()

    def _infos(self, views: NDArray[np.uint8], out: Out) -> Infos:
        ends: Infos = {}
        if self.mode != AutoresetMode.NEXT_STEP:
            over = np.flatnonzero(out.terminated | out.truncated)
            if self.mode == AutoresetMode.DISABLED:
                self.over = over
            elif len(over):
                last = masked(self.num_envs, over, {"score": self.workshop.designs.scores[over]})
                ends = finals(self.array, views, over, last)
                views[over] = self.workshop.begin_again(over)
        return ends | self._scores()

    def _scores(self) -> Infos:
        scores = {"score": self.workshop.designs.scores.copy(), "_score": self.every}
        return {**scores, **self.workshop.aims(slice(None))}
